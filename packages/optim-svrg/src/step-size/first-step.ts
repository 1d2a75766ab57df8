/**
 * The length B of SVRG's first epoch, from a probe at X₀ − t g, t = 10⁻³ ‖X₀‖/‖g‖: there is no secant yet.
 *
 *   B = 1/cv,  cv = |⟨ΔX, ΔG⟩| / ⟨ΔX, ΔX⟩  the curvature along the gradient,  ΔX = −t g
 *
 * but no more than moves X by half its length. Where F is straight along g, or not to be evaluated there, B is t: as far as the
 * probe, which is short.
 */
import { dot, norm2 } from "@curvature/linalg";

/** The most that the first epoch moves, relative to X₀. */
const FIRST_MOVE = 0.5;

interface Probe {
  /** X₀ and ∇F(X₀). */
  readonly snapshot: Float64Array;
  readonly gradient: Float64Array;
  /** ∇F(X₀ − t g) */
  readonly nextGradient: Float64Array;
  /** t */
  probeLength(): number;
}

export function firstStep(probe: Probe): number {
  const { gradient, nextGradient, snapshot } = probe;
  const t = probe.probeLength();
  let gdG = 0;
  for (let i = 0; i < gradient.length; i++) gdG += gradient[i] * (gradient[i] - nextGradient[i]);
  const curvature = Math.abs(gdG) / (t * dot(gradient, gradient));
  const B = curvature > 0 && Number.isFinite(curvature) ? 1 / curvature : t;
  const size = norm2(snapshot);
  return size > 0 ? Math.min(B, (FIRST_MOVE * size) / norm2(gradient)) : B;
}
