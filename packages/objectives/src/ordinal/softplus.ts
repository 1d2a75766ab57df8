/**
 * softplus(z) = log(1 + eᶻ) and its derivative s(z) = 1/(1 + e⁻ᶻ), by e^−|z| alone, which cannot overflow.
 */
import { exp, log1p } from "@curvature/linalg";

export const softplus = (z: number): number => Math.max(z, 0) + log1p(exp(-Math.abs(z)));

export function sigmoid(z: number): number {
  const e = exp(-Math.abs(z));
  const t = 1 / (1 + e);
  return z >= 0 ? t : e * t;
}
