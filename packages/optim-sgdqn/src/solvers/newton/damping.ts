/**
 * Λ of Newton's systems, which is that of P but for a free bias: 0 in P, and in the systems
 *
 *   max(0, λ − Σᵢ hᵢ).
 *
 * Where (nearly) no row has curvature, nothing else would hold the bias back: it is then damped as the weights are.
 *
 * @param damping - Λ; the last entry is the bias's, and written
 */
export function dampFreeBias(damping: Float64Array, h: Float64Array, lambda: number): void {
  let curvature = 0;
  for (let i = 0; i < h.length; i++) curvature += h[i];
  damping[damping.length - 1] = Math.max(0, lambda - curvature);
}
