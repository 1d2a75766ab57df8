/** Vectors, for the tests. */
import type { Objective } from "@curvature/optim-core";

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

export const norm = (a: ArrayLike<number>): number => Math.sqrt(dot(a, a));

export const distance = (a: Float64Array, b: Float64Array): number => norm(a.map((x, i) => x - b[i]));

/** x + h v */
export const along = (x: Float64Array, h: number, v: Float64Array): Float64Array =>
  x.map((entry, i) => entry + h * v[i]);

export function gradientOf(objective: Objective, x: Float64Array): Float64Array {
  const gradient = new Float64Array(x.length);
  objective.evaluate(x, gradient);
  return gradient;
}
