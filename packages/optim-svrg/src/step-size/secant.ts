/** What the gradient does between two points: ⟨ΔX, ΔX⟩ and ⟨ΔX, ΔG⟩. */
export interface Secant {
  readonly dXdX: number;
  readonly dXdG: number;
}

/**
 * @param x, xGradient - where it leads to, and the gradient there
 * @param from, fromGradient - where it begins, and the gradient there
 */
export function secant(
  x: Float64Array,
  xGradient: Float64Array,
  from: Float64Array,
  fromGradient: Float64Array,
): Secant {
  let dXdX = 0;
  let dXdG = 0;
  for (let i = 0; i < x.length; i++) {
    const dX = x[i] - from[i];
    dXdX += dX * dX;
    dXdG += dX * (xGradient[i] - fromGradient[i]);
  }
  return { dXdX, dXdG };
}
