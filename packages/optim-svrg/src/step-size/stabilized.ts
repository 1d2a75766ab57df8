/**
 * The stabilised Barzilai-Borwein step,
 *
 *   B = ⟨ΔX, ΔX⟩ / (|⟨ΔX, ΔG⟩| + ε ⟨ΔX, ΔX⟩)          eq. (14); (17) is B/m
 *
 * It is positive, and at most 1/ε: ε has the unit of F's curvature. ε = 0 is SBB₀.
 *
 * Ma et al. (2019), section 3.2.
 */
export function stabilized(dXdX: number, dXdG: number, epsilon: number): number {
  return dXdX / (Math.abs(dXdG) + epsilon * dXdX);
}
