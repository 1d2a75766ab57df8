/**
 * softplus(z) = log(1 + eᶻ) and its derivative s(z) = 1/(1 + e⁻ᶻ), by e^−|z| alone, which cannot overflow.
 */
import { exp, log1p } from "@curvature/linalg";

/** e = e^−|z|, which both can share. */
export const decayOf = (z: number): number => exp(-Math.abs(z));

export const softplusFrom = (z: number, e: number): number => Math.max(z, 0) + log1p(e);

export function sigmoidFrom(z: number, e: number): number {
  const t = 1 / (1 + e);
  return z >= 0 ? t : e * t;
}

export const softplus = (z: number): number => softplusFrom(z, decayOf(z));

export const sigmoid = (z: number): number => sigmoidFrom(z, decayOf(z));
