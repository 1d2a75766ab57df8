/** A sum of quadratics of any size that takes no memory, for what solvers cost beside their subfunctions. */
import type { SumOfFunctions } from "@curvature/optim-core";

/** f_i(x) = ½ Σ w_ik (x_k − c_ik)², weights and centres by a hash, so that they take no memory. */
export function springs(count: number, dimension: number): SumOfFunctions {
  return {
    dimension,
    count,
    evaluate(i, x, gradient) {
      let value = 0;
      for (let k = 0; k < dimension; k++) {
        let bits = Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(k + 1, 0x85ebca6b);
        bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
        const u = ((bits ^ (bits >>> 12)) >>> 0) / 2 ** 32;
        const weight = (0.1 + u) / (1 + (k % 50));
        const rest = x[k] + 1 - 2 * ((7 * u) % 1);
        value += 0.5 * weight * rest * rest;
        if (gradient !== undefined) gradient[k] = weight * rest;
      }
      return value;
    },
  };
}
