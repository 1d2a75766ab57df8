/**
 * Losses that large residuals weigh less in:  F(x) = ½ C² Σ ρ((r_i / C)²).
 *
 * | loss    | ρ(z)                  | beyond C                    |
 * |---------|-----------------------|-----------------------------|
 * | squared | z                     | grows as the square         |
 * | soft-l1 | 2 (√(1 + z) − 1)      | grows as the residual       |
 * | huber   | z up to 1, 2 √z − 1   | grows as the residual       |
 * | cauchy  | log(1 + z)            | hardly grows: outliers lose |
 *
 * The Gauss-Newton model of F is that of squares with weighted rows (Triggs et al. 2000, as in SciPy):
 *   J_i ← √w_i J_i,   r_i ← ψ_i / √w_i,   ψ = ρ′ r,   w = dψ/dr = ρ′ + 2 z ρ″
 * so that Jᵀr is the gradient of F. Where w is not positive, which is so of outliers, a hundredth of ρ′ stands for it.
 *
 * Triggs, McLauchlan, Hartley, Fitzgibbon: Bundle adjustment: a modern synthesis. LNCS 1883 (2000), section 4.3.
 */
import { log1p } from "@curvature/linalg";

export type Loss = "squared" | "soft-l1" | "huber" | "cauchy";

/** ρ(z), ρ′(z), ρ″(z) */
type Rho = readonly [value: number, first: number, second: number];

const losses: Readonly<Record<Loss, (z: number) => Rho>> = {
  squared: (z) => [z, 1, 0],
  "soft-l1": (z) => {
    const root = Math.sqrt(1 + z);
    return [(2 * z) / (1 + root), 1 / root, -0.5 / (root * root * root)];
  },
  huber: (z) => {
    if (z <= 1) return [z, 1, 0];
    const root = Math.sqrt(z);
    return [2 * root - 1, 1 / root, -0.5 / (root * root * root)];
  },
  cauchy: (z) => [log1p(z), 1 / (1 + z), -1 / ((1 + z) * (1 + z))],
};

const LEAST_SHARE = 0.01;

/** F */
export function lossOf(residuals: Float64Array, loss: Loss, scale: number): number {
  const rho = losses[loss];
  let sum = 0;
  for (const r of residuals) sum += rho((r / scale) * (r / scale))[0];
  return 0.5 * scale * scale * sum;
}

/** ψ of a residual and w = dψ/dr. */
export function influence(
  r: number,
  loss: Loss,
  scale: number,
): { readonly psi: number; readonly w: number } {
  const z = (r / scale) * (r / scale);
  const [, first, second] = losses[loss](z);
  return { psi: first * r, w: first + 2 * z * second };
}

/** Weighs r, in place. @returns what the rows of J are multiplied by */
export function weigh(residuals: Float64Array, loss: Exclude<Loss, "squared">, scale: number): Float64Array {
  return residuals.map((r, i) => {
    const { psi, w } = influence(r, loss, scale);
    const first = r === 0 ? 1 : psi / r;
    const root = Math.sqrt(Math.max(w, LEAST_SHARE * first));
    residuals[i] = psi / root;
    return root;
  });
}
