/**
 * The minimum of the model, without and with a limit on the step's length.
 *
 *   p = −H⁻¹ q,   or   p = −(H + μ I)⁻¹ q with the μ ≥ 0 for which ‖p‖ = Δ
 *
 * μ by Newton's method on 1/Δ − 1/‖p(μ)‖, which takes a few factorisations. Moré, Sorensen: Computing a trust region
 * step. SIAM J. Sci. Stat. Comput. 4 (1983) 553-572, Algorithm 3.2.
 */
import { CurvatureError, type DenseCholesky } from "@curvature/linalg";

const ITERATIONS = 20;
/** ‖p‖ may differ from Δ by this part. */
const SLACK = 0.1;

/** p = −(H + μ I)⁻¹ q for the factor of H + μ I. */
export function newtonStep(cholesky: DenseCholesky, q: Float64Array, p: Float64Array): void {
  for (let i = 0; i < p.length; i++) p[i] = -q[i];
  cholesky.solve(p);
}

/**
 * @param factor - the factor of H + μ I
 * @param p - of K numbers; becomes the step
 */
export function restrictedStep(
  factor: (shift: number) => DenseCholesky,
  q: Float64Array,
  radius: number,
  p: Float64Array,
): void {
  let shift = 0;
  for (let k = 0; k < ITERATIONS; k++) {
    const cholesky = factor(shift);
    newtonStep(cholesky, q, p);
    const length = norm(p);
    if (length <= radius * (1 + SLACK)) return;
    const inverse = inverseNorm(cholesky, p);
    shift += ((length * length) / inverse) * ((length - radius) / radius);
  }
}

export const beyondRange = (): CurvatureError =>
  new CurvatureError("ERR_NON_FINITE", "The model's step leaves the range of float64.", { path: "p" });

/** vᵀ A⁻¹ v = ‖L⁻¹ v‖² for A = L Lᵀ. */
export function inverseNorm(cholesky: DenseCholesky, v: Float64Array): number {
  const K = v.length;
  const L = cholesky.factor.data;
  const w = new Float64Array(K);
  let sum = 0;
  for (let i = 0; i < K; i++) {
    let rest = v[i];
    for (let j = 0; j < i; j++) rest -= L[i * K + j] * w[j];
    w[i] = rest / L[i * K + i];
    sum += w[i] * w[i];
  }
  return sum;
}

/** The sum of vᵀ A⁻¹ v over four vectors, which share each load of L; they are overwritten. */
export function sumOfInverseNorms(
  cholesky: DenseCholesky,
  v0: Float64Array,
  v1: Float64Array,
  v2: Float64Array,
  v3: Float64Array,
): number {
  const K = v0.length;
  const L = cholesky.factor.data;
  let sum = 0;
  for (let i = 0, at = 0; i < K; i++, at += K) {
    let r0 = v0[i];
    let r1 = v1[i];
    let r2 = v2[i];
    let r3 = v3[i];
    for (let j = 0; j < i; j++) {
      const l = L[at + j];
      r0 -= l * v0[j];
      r1 -= l * v1[j];
      r2 -= l * v2[j];
      r3 -= l * v3[j];
    }
    const pivot = L[at + i];
    v0[i] = r0 / pivot;
    v1[i] = r1 / pivot;
    v2[i] = r2 / pivot;
    v3[i] = r3 / pivot;
    sum += v0[i] * v0[i] + v1[i] * v1[i] + (v2[i] * v2[i] + v3[i] * v3[i]);
  }
  return sum;
}

export function norm(v: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < v.length; i++) sum += v[i] * v[i];
  return Math.sqrt(sum);
}

export function inner(a: Float64Array, b: Float64Array, K: number): number {
  let sum = 0;
  for (let i = 0; i < K; i++) sum += a[i] * b[i];
  return sum;
}
