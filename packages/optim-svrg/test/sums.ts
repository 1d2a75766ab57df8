/** Small sums of functions to run the solvers on. */
import { RandomGenerator } from "@curvature/linalg";
import type { SumOfFunctions } from "@curvature/optim-core";

/** ½ Σ (a_q·x − y_q)²/N + ½ 0.1 ‖x‖²/N each, with y from a known x; rows a_q of `nonzeros` entries (all without). */
export function leastSquares(count: number, dimension: number, nonzeros = dimension, seed = 1) {
  const random = new RandomGenerator(seed);
  const places = Array.from({ length: count }, () => {
    const all = Array.from({ length: dimension }, (_, i) => i);
    for (let i = 0; i < nonzeros; i++) {
      const j = i + random.integer(dimension - i);
      [all[i], all[j]] = [all[j], all[i]];
    }
    return all.slice(0, nonzeros);
  });
  const entries = places.map((place) => place.map(() => 2 * random.uniform() - 1));
  const solution = Float64Array.from({ length: dimension }, () => random.uniform());
  const targets = places.map((place, q) => place.reduce((sum, i, k) => sum + entries[q][k] * solution[i], 0));
  const residual = (q: number, x: Float64Array): number =>
    places[q].reduce((sum, i, k) => sum + entries[q][k] * x[i], -targets[q]);
  const dense: SumOfFunctions = {
    dimension,
    count,
    fingerprint: `least squares ${count} ${dimension} ${nonzeros} ${seed}`,
    evaluate(q, x, gradient) {
      const r = residual(q, x);
      if (gradient !== undefined) {
        gradient.fill(0);
        places[q].forEach((i, k) => {
          gradient[i] = (r * entries[q][k]) / count;
        });
      }
      return (0.5 * r * r) / count;
    },
  };
  const sparse: SumOfFunctions = {
    ...dense,
    evaluateSparse(q, x, coordinates, out) {
      const r = residual(q, x);
      places[q].forEach((i, k) => {
        coordinates[k] = i;
        out[k] = (r * entries[q][k]) / count;
      });
      return { value: (0.5 * r * r) / count, touched: nonzeros };
    },
  };
  const batched: SumOfFunctions = {
    ...dense,
    evaluateBatch(indices, x, gradient) {
      const part = new Float64Array(dimension);
      gradient?.fill(0);
      let value = 0;
      for (const q of indices) {
        value += Number(dense.evaluate(q, x, part));
        for (let i = 0; i < dimension; i++) if (gradient !== undefined) gradient[i] += part[i];
      }
      return value;
    },
  };
  return { dense, sparse, batched, solution };
}

/** f_q = c_q·x/N: its gradient is the same everywhere. */
export function linearSum(count: number, dimension: number): SumOfFunctions {
  const random = new RandomGenerator(4);
  const c = Array.from({ length: count }, () =>
    Float64Array.from({ length: dimension }, () => random.uniform() - 0.3),
  );
  return {
    dimension,
    count,
    evaluate(q, x, gradient) {
      gradient?.set(c[q].map((entry) => entry / count));
      return c[q].reduce((sum, entry, i) => sum + entry * x[i], 0) / count;
    },
  };
}
