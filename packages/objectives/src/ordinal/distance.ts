/**
 * √d of a squared distance, made differentiable at 0 by an amount that no distance in use is as small as: the
 * losses of distances, not of their squares, would have a kink where two points coincide.
 */
const SMALLEST = 1e-12;

export function distance(squared: number): number {
  return Math.sqrt(squared + SMALLEST);
}
