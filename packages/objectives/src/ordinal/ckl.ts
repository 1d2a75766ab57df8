/**
 * Crowd kernel learning: the answer has the probability p = (d₂ + μ)/(d₁ + d₂ + 2μ).
 *
 *   l = −log p = log(1 + r),   r = (d₁ + μ)/(d₂ + μ)
 *   a = 1/(d₁ + d₂ + 2μ),      c = −r a
 *
 * Without μ it does not change when all distances are scaled; μ keeps it finite where points coincide, and has their
 * unit (squared).
 *
 * Tamuz et al.: Adaptively learning the crowd kernel. ICML 2011. Ma et al. (2019), eq. (47), prints a formula that is
 * that of STE; this is the original.
 */
import { log1p } from "@curvature/linalg";
import { lossFrom, type OrdinalLoss } from "./loss.js";

export function ckl(mu: number): OrdinalLoss {
  return lossFrom({
    name: "ckl",
    description: `ckl, mu ${mu}`,
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = log1p((d1[q] + mu) / (d2[q] + mu));
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const near = d1[q] + mu;
        const far = d2[q] + mu;
        const slope = 1 / (near + far);
        a[q] = slope;
        c[q] = -(near / far) * slope;
      }
    },
  });
}
