/**
 * K numbers by the K − 1 contrasts between them: y = V x with Helmert's rows
 *
 *   V_a = (1, …, 1, −a, 0, …, 0)/√(a (a + 1)),   a = 1 … K − 1, with a ones.
 *
 * They are orthonormal and orthogonal to 1. A softmax does not see a number added to all K scores, and a penalised sum of squares is
 * least where they sum to 0: in contrasts there is one point for each model, ‖Vᵀy‖ = ‖y‖, and the Hessian has no
 * direction that λ alone holds.
 */

/** y ← V x; entries of x lie `step` apart from `at` on, those of y `outStep` apart from `outAt` on. */
export function toContrasts(
  count: number,
  x: Float64Array,
  at: number,
  step: number,
  y: Float64Array,
  outAt: number,
  outStep: number,
): void {
  let sum = 0;
  for (let a = 1; a < count; a++) {
    sum += x[at + (a - 1) * step];
    y[outAt + (a - 1) * outStep] = (sum - a * x[at + a * step]) / Math.sqrt(a * (a + 1));
  }
}

/** x ← Vᵀ y */
export function fromContrasts(
  count: number,
  y: Float64Array,
  at: number,
  step: number,
  x: Float64Array,
  outAt: number,
  outStep: number,
): void {
  let later = 0;
  for (let k = count - 1; k >= 0; k--) {
    const own = k === 0 ? 0 : y[at + (k - 1) * step] / Math.sqrt(k * (k + 1));
    x[outAt + k * outStep] = later - k * own;
    later += own;
  }
}
