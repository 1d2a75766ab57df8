/** Small problems and matrices for properties. */
import { type DenseMatrix, fillNormal, RandomGenerator, zeros } from "@curvature/linalg";
import type { Gram } from "../../src/gram.js";
import { gramOfPoints } from "../../src/gram.js";

export function randomPoints(n: number, d: number, seed: number): DenseMatrix {
  const X = zeros(n, d);
  fillNormal(new RandomGenerator(seed), X.data);
  return X;
}

export const randomGram = (n: number, d: number, seed: number): Gram =>
  gramOfPoints(randomPoints(n, d, seed), { scale: "none" });

/** The n points of a regular ring. */
export function ringPoints(n: number): number[][] {
  return Array.from({ length: n }, (_, i) => [
    Math.cos((2 * Math.PI * i) / n),
    Math.sin((2 * Math.PI * i) / n),
  ]);
}

/** Q of a hard clustering: sum_k z_k z_kᵀ / |C_k|. */
export function clusteringPoint(labels: readonly number[]): DenseMatrix {
  const n = labels.length;
  const Q = zeros(n, n);
  const sizes = new Map<number, number>();
  for (const label of labels) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      if (labels[i] === labels[j]) Q.data[i * n + j] = 1 / (sizes.get(labels[i]) ?? 1);
  return Q;
}
