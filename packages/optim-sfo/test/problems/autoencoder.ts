import type { SumOfFunctions } from "@curvature/optim-core";

/**
 * fᵢ = mean of ‖v̂ − v‖² over the rows i, i + N, …; h = σ(W v + b), v̂ = Wᵀh + c.
 *
 * @param data - rows of V numbers
 */
export function autoencoderSum(data: Float64Array, V: number, H: number, count: number): SumOfFunctions {
  const rows = data.length / V;
  const weights = H * V;
  const h = new Float64Array(H);
  const slope = new Float64Array(V);
  return {
    dimension: weights + H + V,
    count,
    evaluate(i, x, gradient) {
      let value = 0;
      let used = 0;
      gradient?.fill(0);
      for (let row = i; row < rows; row += count, used++) {
        const v = data.subarray(row * V, (row + 1) * V);
        for (let a = 0; a < H; a++) {
          let score = x[weights + a];
          for (let k = 0; k < V; k++) score += x[a * V + k] * v[k];
          h[a] = 1 / (1 + Math.exp(-score));
        }
        for (let k = 0; k < V; k++) {
          let rest = x[weights + H + k] - v[k];
          for (let a = 0; a < H; a++) rest += x[a * V + k] * h[a];
          value += rest * rest;
          slope[k] = 2 * rest;
        }
        if (gradient === undefined) continue;
        for (let k = 0; k < V; k++) gradient[weights + H + k] += slope[k];
        for (let a = 0; a < H; a++) {
          let back = 0;
          for (let k = 0; k < V; k++) back += x[a * V + k] * slope[k];
          back *= h[a] * (1 - h[a]);
          gradient[weights + a] += back;
          for (let k = 0; k < V; k++) gradient[a * V + k] += back * v[k] + slope[k] * h[a];
        }
      }
      if (gradient !== undefined) for (let k = 0; k < gradient.length; k++) gradient[k] /= used;
      return value / used;
    },
  };
}
