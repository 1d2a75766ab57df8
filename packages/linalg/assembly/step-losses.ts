/** Slopes of the losses that steps over rows know, by the score s and the target y (see `StepLoss` in `src/kernels/row-steps.ts`). */

// @ts-ignore: decorator
@inline
const SQUARED_HINGE: i32 = 0;
// @ts-ignore: decorator
@inline
const HINGE: i32 = 1;

/** ∂l/∂s */
// @ts-ignore: decorator
@inline
export function slopeOf(loss: i32, s: f64, y: f64): f64 {
  const slack = 1 - y * s;
  if (loss === SQUARED_HINGE) return slack > 0 ? -y * slack : 0;
  if (loss === HINGE) return y * s < 1 ? -y : 0;
  return s - y;
}

/** ∂l/∂s after an implicit step of length a. */
// @ts-ignore: decorator
@inline
export function implicitSlopeOf(loss: i32, s: f64, y: f64, a: f64): f64 {
  const slack = 1 - y * s;
  if (loss === SQUARED_HINGE) return slack > 0 ? (-y * slack) / (1 + a) : 0;
  if (loss === HINGE) return slack > 0 ? -y * min<f64>(1, slack / a) : 0;
  return (s - y) / (1 + a);
}
