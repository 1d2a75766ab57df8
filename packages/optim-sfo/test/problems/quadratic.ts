import type { SumOfFunctions } from "@curvature/optim-core";

/** fᵢ = ½ Σₖ μₖ wᵢₖ ((Qx)ₖ − cᵢₖ)², Q the orthonormal DCT-II, μₖ = 10^(−6k/199). */
export function quadraticSum(): SumOfFunctions {
  const M = 200;
  const Q = new Float64Array(M * M);
  for (let k = 0; k < M; k++)
    for (let n = 0; n < M; n++)
      Q[k * M + n] =
        Math.sqrt(2 / M) * Math.cos((Math.PI * (2 * n + 1) * k) / (2 * M)) * (k === 0 ? Math.SQRT1_2 : 1);
  const w = new Float64Array(40 * M);
  const c = new Float64Array(40 * M);
  for (let i = 0; i < 40; i++) {
    for (let k = 0; k < M; k++) {
      w[i * M + k] = 1 + 0.9 * Math.sin(1 + (i + 1) * (k + 1));
      c[i * M + k] = Math.cos(0.7 + 0.37 * (i + 1) + 1.3 * (k + 1));
    }
  }
  const mu = Float64Array.from({ length: M }, (_, k) => 10 ** ((-6 * k) / 199));
  return {
    dimension: M,
    count: 40,
    evaluate(i, x, gradient) {
      let value = 0;
      gradient?.fill(0);
      for (let k = 0; k < M; k++) {
        let coordinate = 0;
        for (let n = 0; n < M; n++) coordinate += Q[k * M + n] * x[n];
        const rest = coordinate - c[i * M + k];
        const weight = mu[k] * w[i * M + k];
        value += 0.5 * weight * rest * rest;
        if (gradient !== undefined) {
          const slope = weight * rest;
          for (let n = 0; n < M; n++) gradient[n] += slope * Q[k * M + n];
        }
      }
      return value;
    },
  };
}
