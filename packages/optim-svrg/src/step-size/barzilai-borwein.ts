/**
 * The Barzilai-Borwein step between two snapshots, from the secant of the gradient:
 *
 *   B = ⟨ΔX, ΔX⟩ / ⟨ΔX, ΔG⟩,   ΔX = Xˢ − Xˢ⁻¹,   ΔG = ∇F(Xˢ) − ∇F(Xˢ⁻¹)          eq. (10)
 *
 * It is negative where F is concave between the two, and steps uphill then: that is why it is stabilised.
 *
 * Ma et al. (2019), section 3.1; Barzilai, Borwein: Two-point step size gradient methods. IMA J. Numer. Anal. 8
 * (1988) 141-148.
 */
export function barzilaiBorwein(dXdX: number, dXdG: number): number {
  return dXdX / dXdG;
}
