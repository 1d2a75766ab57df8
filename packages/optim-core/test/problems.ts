/** Small problems with known optima. */
import type { Objective } from "@curvature/optim-core";

/** Σ 100 (x_{i+1} − x_i²)² + (1 − x_i)², minimum 0 at (1, …, 1). Rosenbrock, Comput. J. 3 (1960). */
export function rosenbrock(dimension: number): Objective {
  return {
    dimension,
    evaluate(x, gradient) {
      let value = 0;
      gradient?.fill(0);
      for (let i = 0; i + 1 < dimension; i++) {
        const bend = x[i + 1] - x[i] * x[i];
        const rest = 1 - x[i];
        value += 100 * bend * bend + rest * rest;
        if (gradient !== undefined) {
          gradient[i] += -400 * bend * x[i] - 2 * rest;
          gradient[i + 1] += 200 * bend;
        }
      }
      return value;
    },
    hessianVector(x, v, out) {
      out.fill(0);
      for (let i = 0; i + 1 < dimension; i++) {
        out[i] += (1200 * x[i] * x[i] - 400 * x[i + 1] + 2) * v[i] - 400 * x[i] * v[i + 1];
        out[i + 1] += -400 * x[i] * v[i] + 200 * v[i + 1];
      }
    },
  };
}

export const rosenbrockStart = (dimension: number): Float64Array =>
  Float64Array.from({ length: dimension }, (_, i) => (i % 2 === 0 ? -1.2 : 1));

/** ½ Σ cᵢ (xᵢ − i)² with curvatures c from 1 to `condition` in geometric steps, minimum 0 at (0, 1, 2 …). */
export function quadratic(dimension: number, condition: number): Objective {
  const c = Float64Array.from({ length: dimension }, (_, i) =>
    dimension === 1 ? condition : condition ** (i / (dimension - 1)),
  );
  return {
    dimension,
    evaluate(x, gradient) {
      let value = 0;
      for (let i = 0; i < dimension; i++) {
        const d = x[i] - i;
        value += 0.5 * c[i] * d * d;
        if (gradient !== undefined) gradient[i] = c[i] * d;
      }
      return value;
    },
    hessianVector(_, v, out) {
      for (let i = 0; i < dimension; i++) out[i] = c[i] * v[i];
    },
  };
}

export const distance = (a: Float64Array, b: ArrayLike<number>): number =>
  Math.sqrt(a.reduce((sum, ai, i) => sum + (ai - b[i]) ** 2, 0));

/** The same objective, which at its call number `at` (from 1) gives `value` instead, or throws it if it is an error. */
export function faulty(objective: Objective, at: number, fault: number | Error): Objective {
  let calls = 0;
  return {
    ...objective,
    evaluate(x, gradient) {
      calls++;
      const value = objective.evaluate(x, gradient);
      if (calls !== at) return value;
      if (typeof fault !== "number") throw fault;
      gradient?.fill(fault);
      return fault;
    },
  };
}
