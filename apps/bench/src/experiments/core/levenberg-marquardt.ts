/** Levenberg-Marquardt by normal equations with scaling by columns, only to see whether anything lower is near. */
import type { SquaresProblem } from "../../../data/optimizers/mgh.mjs";

const ITERATIONS = 60;
const TRIALS = 25;

/** Whether F goes on below a point by more than 1e-6 of itself, or 1e-10. */
export function goesOn(problem: SquaresProblem, x: Float64Array, value: number): boolean {
  const lowest = lower(problem, x);
  return value - lowest > Math.max(1e-6 * Math.abs(lowest), 1e-10);
}

function lower(problem: SquaresProblem, start: Float64Array): number {
  const { m, n } = problem;
  const r = new Float64Array(m);
  const J = new Float64Array(m * n);
  const valueAt = (at: Float64Array, derivatives?: Float64Array): number => {
    problem.residuals(at, r, derivatives);
    return r.reduce((sum, entry) => sum + entry * entry, 0);
  };
  let x = start;
  let value = valueAt(x, J);
  let damping = 1e-3;
  for (let iteration = 0; iteration < ITERATIONS && Number.isFinite(value); iteration++) {
    const before = value;
    const kept = r.slice();
    for (let trial = 0; trial < TRIALS && value === before; trial++) {
      const y = step(x, kept, J, m, damping);
      const there = valueAt(y);
      if (there < before) {
        x = y;
        value = there;
        damping = Math.max(damping / 5, 1e-12);
      } else damping *= 4;
    }
    if (before - value <= 1e-13 * before) break;
    valueAt(x, J);
  }
  return value;
}

/** x − D⁻¹ (D⁻¹JᵀJD⁻¹ + λ I)⁻¹ D⁻¹Jᵀr, D the lengths of J's columns; by Gaussian elimination. */
function step(x: Float64Array, r: Float64Array, J: Float64Array, m: number, damping: number): Float64Array {
  const n = x.length;
  const column = (a: number): Float64Array => Float64Array.from({ length: m }, (_, i) => J[i * n + a]);
  const columns = Array.from({ length: n }, (_, a) => column(a));
  const dot = (a: Float64Array, b: Float64Array): number =>
    a.reduce((sum, entry, i) => sum + entry * b[i], 0);
  const D = columns.map((a) => Math.sqrt(dot(a, a)) || 1);
  const A = columns.map((a, i) => [
    ...columns.map((b, j) => dot(a, b) / D[i] / D[j] + (i === j ? damping : 0)),
    -dot(a, r) / D[i],
  ]);
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(A[i][k]) > Math.abs(A[pivot][k])) pivot = i;
    [A[k], A[pivot]] = [A[pivot], A[k]];
    if (A[k][k] === 0) continue;
    for (let i = k + 1; i < n; i++) {
      const factor = A[i][k] / A[k][k];
      for (let j = k; j <= n; j++) A[i][j] -= factor * A[k][j];
    }
  }
  const z = new Float64Array(n);
  for (let k = n - 1; k >= 0; k--) {
    const rest = A[k].slice(k + 1, n).reduce((sum, entry, j) => sum - entry * z[k + 1 + j], A[k][n]);
    z[k] = A[k][k] === 0 ? 0 : rest / A[k][k];
  }
  return x.map((entry, k) => entry + z[k] / D[k]);
}
