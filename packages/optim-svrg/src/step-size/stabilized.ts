/**
 * The stabilised Barzilai-Borwein step,
 *
 *   B = ⟨ΔX, ΔX⟩ / (|⟨ΔX, ΔG⟩| + ε ⟨ΔX, ΔX⟩)          eq. (17), without its factor 1/m
 *
 * It is positive, and at most 1/ε: ε has the unit of F's curvature. ε = 0 is SBB₀.
 *
 * Ma, Xu, Cao (2019), section 3.2.
 */
export function stabilized(dXdX: number, dXdG: number, epsilon: number): number {
  return dXdX / (Math.abs(dXdG) + epsilon * dXdX);
}
