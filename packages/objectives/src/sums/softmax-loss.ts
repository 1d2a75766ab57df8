/**
 * Softmax cross-entropy of K scores u and a class c:   l(u) = log Σ_k e^(u_k) − u_c
 *
 *   ∂l/∂u = p − e_c,   p_k = e^(u_k) / Σ e^(u_k),   ∇²l = diag(p) − p pᵀ
 *
 * computed from u − max u, so that nothing overflows.
 */
import { exp, log } from "@curvature/linalg";

/** l of the K scores from `at`; `slopes`, where given, gets scale · ∂l/∂u at the same place. */
export function softmaxLoss(
  scores: Float64Array,
  at: number,
  K: number,
  label: number,
  scale: number,
  slopes: Float64Array | undefined,
): number {
  const top = largest(scores, at, K);
  let sum = 0;
  for (let k = at; k < at + K; k++) sum += exp(scores[k] - top);
  if (slopes !== undefined) {
    for (let k = at; k < at + K; k++) slopes[k] = (scale * exp(scores[k] - top)) / sum;
    slopes[at + label] -= scale;
  }
  return log(sum) - (scores[at + label] - top);
}

/** t ← scale ∇²l t, for the K entries of `tangent` from `at`. */
export function softmaxCurvature(
  scores: Float64Array,
  at: number,
  K: number,
  scale: number,
  tangent: Float64Array,
): void {
  const top = largest(scores, at, K);
  let sum = 0;
  let along = 0;
  for (let k = at; k < at + K; k++) {
    const e = exp(scores[k] - top);
    sum += e;
    along += e * tangent[k];
  }
  const mean = along / sum;
  for (let k = at; k < at + K; k++) tangent[k] = ((scale * exp(scores[k] - top)) / sum) * (tangent[k] - mean);
}

function largest(scores: Float64Array, at: number, K: number): number {
  let top = scores[at];
  for (let k = at + 1; k < at + K; k++) top = Math.max(top, scores[k]);
  return top;
}
