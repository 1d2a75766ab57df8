/**
 * From an almost feasible point to a feasible one, whose value is a lower bound.
 *
 * Matrix   X = P + E, P ⪰ 0:  P ← J P J (K − 1)/Tr P;  e = max(0, −min (P + E)_ij),  t = e / (e + b),
 *          Q = (1 − t)(P + E) + t Q₀,  Q₀ = a I + b 1 1ᵀ the central point
 * Factor   Y ≥ 0:  s ← √(s / (Q s)), Q = Y Yᵀ, until diag(s) Q diag(s) 1 ≈ 1 (symmetric Sinkhorn);  F = diag(s) Y;
 *          with ρ = F Fᵀ 1 and c = max ρ:  Q = F Fᵀ/c + diag(1 − ρ/c), whose rows sum to 1 exactly; then, T = Tr Q:
 *          Q ← (1 − t) Q + t E, t = (T − K)/(T − 1), where T > K;  Q ← (1 − t) Q + t I, t = (K − T)/(n − T), where T < K
 *
 * Feasible to rounding (some 1e-15 per entry, 1e-13 per row sum), given that P is positive semidefinite, as it is in
 * every method that builds it from eigenpairs with weights of at least 0. The diagonal correction makes the factor's
 * repair exact after any number of sweeps. Rows of Y that are zero become its mean row first: they could not be scaled.
 * The factor's Q is never formed: 2 n r operations per sweep.
 */
import {
  CurvatureError,
  type DenseMatrix,
  dot,
  matrixTimesVector,
  norm2,
  transposeTimesVector,
} from "@curvature/linalg";
import { checkCount, checkDense } from "../arguments.js";
import {
  centralCoefficients,
  centralValue,
  checkClusters,
  checkProblem,
  type NomadProblem,
} from "../problem.js";
import type { FactoredPoint } from "./factored-point.js";

/** Below this share of (K − 1) ‖X‖_F, Tr P would be scaled up together with X's rounding, which is not positive semidefinite. */
const MIN_TRACE = 1e-3;

/**
 * Writes the repaired point into `out` (X itself, if it may be lost) and returns Tr(D Q), the offset included.
 *
 * @param X - n × n; what is not symmetric, of row sums 1 and of trace K in it is corrected; where next to nothing of it is left off
 *   the vector of ones, as of E, Q is the central point
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT
 */
export function repairMatrix(problem: NomadProblem, X: DenseMatrix, out: DenseMatrix): number {
  checkProblem("repairMatrix", problem);
  const { gram, clusters: K } = problem;
  const { n } = gram;
  checkDense("repairMatrix", "X", X, n, n);
  checkDense("repairMatrix", "out", out, n, n);
  const { a, b } = centralCoefficients(n, K);
  const size = norm2(X.data); // before `out`, which may be X, is written to
  const trace = centreSymmetric(X.data, out.data, n);
  if (!Number.isFinite(trace))
    throw new CurvatureError("ERR_NON_FINITE", "X has NaN or infinite entries.", {
      where: "repairMatrix",
      path: "X",
    });
  const isPoint = trace > MIN_TRACE * (K - 1) * size;
  const factor = isPoint ? (K - 1) / trace : 0;
  let least = 0;
  const Q = out.data;
  for (let k = 0; k < Q.length; k++) {
    Q[k] = factor * Q[k] + 1 / n;
    least = Math.min(least, Q[k]);
  }
  const t = isPoint ? (least < 0 ? -least / (b - least) : 0) : 1;
  for (let k = 0; k < Q.length; k++) Q[k] = Math.max(0, (1 - t) * Q[k] + t * b);
  for (let i = 0; i < n; i++) Q[i * n + i] += t * a;
  if (t === 1) return centralValue(problem);
  return dot(gram.dense().data, Q) + gram.offset;
}

/** J X J of X's symmetric part into `out`, exactly symmetric; returns its trace. */
function centreSymmetric(X: Float64Array, out: Float64Array, n: number): number {
  const means = new Float64Array(n);
  let grand = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const value = X[i * n + j] / 2 + X[j * n + i] / 2;
      out[i * n + j] = value;
      out[j * n + i] = value;
      means[i] += value;
      if (j < i) means[j] += value;
    }
  }
  for (let i = 0; i < n; i++) {
    means[i] /= n;
    grand += means[i] / n;
  }
  let trace = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) out[i * n + j] += grand - (means[i] + means[j]);
    trace += out[i * n + i];
  }
  return trace;
}

/** Sweeps stop where the row sums are as near to 1 as this: what is left costs as little in value. */
const ROW_SUM_TOLERANCE = 1e-13;

/**
 * @param Y - n × r, at least 0 and not all 0; not changed
 * @param sweeps - the most Sinkhorn sweeps. Default 1000
 * @throws CurvatureError ERR_OPTION for K, ERR_SHAPE, ERR_ARGUMENT for negative or no positive entries
 */
export function repairFactor(K: number, Y: DenseMatrix, sweeps = 1000): FactoredPoint {
  checkDense("repairFactor", "Y", Y);
  if (sweeps !== 0) checkCount("repairFactor", "sweeps", sweeps);
  const { rows: n, columns: r } = Y;
  checkClusters("repairFactor", K, n);
  const F = withoutZeroRows(Y);
  const s = new Float64Array(n).fill(1);
  const inner = new Float64Array(r);
  const Qs = new Float64Array(n);
  let made = 0;
  for (; made < sweeps; made++) {
    transposeTimesVector(F, s, inner);
    matrixTimesVector(F, inner, Qs);
    let error = 0;
    for (let i = 0; i < n; i++) {
      error = Math.max(error, Math.abs(s[i] * Qs[i] - 1));
      s[i] = Math.sqrt(s[i] / Qs[i]);
    }
    if (error <= ROW_SUM_TOLERANCE) break;
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < r; j++) F.data[i * r + j] *= s[i];
  transposeTimesVector(F, s.fill(1), inner);
  matrixTimesVector(F, inner, Qs);
  let c = 0;
  for (let i = 0; i < n; i++) c = Math.max(c, Qs[i]);
  const diagonal = Qs.map((sum) => 1 - sum / c);
  let trace = dot(F.data, F.data) / c;
  for (let i = 0; i < n; i++) trace += diagonal[i];
  const { keep, constant, identity } = mixture(trace, K, n);
  const factor = Math.sqrt(keep / c);
  for (let k = 0; k < F.data.length; k++) F.data[k] *= factor;
  for (let i = 0; i < n; i++) diagonal[i] = keep * diagonal[i] + identity;
  return { factor: F, diagonal, constant, sweeps: made };
}

/** The weights of Q, of E and of I that bring the trace from T to K. */
function mixture(T: number, K: number, n: number): { keep: number; constant: number; identity: number } {
  if (T > K) {
    const t = (T - K) / (T - 1);
    return { keep: 1 - t, constant: t, identity: 0 };
  }
  const t = T < K ? (K - T) / (n - T) : 0;
  return { keep: 1 - t, constant: 0, identity: t };
}

/** A copy of Y whose zero rows are the mean row. */
function withoutZeroRows(Y: DenseMatrix): DenseMatrix {
  const { rows: n, columns: r } = Y;
  const F = { rows: n, columns: r, data: Y.data.slice() };
  const mean = new Float64Array(r);
  let largest = 0;
  for (let k = 0; k < F.data.length; k++) {
    if (!(F.data[k] >= 0 && F.data[k] < Number.POSITIVE_INFINITY))
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `Y must be at least 0 and finite; row ${Math.floor(k / r)}, column ${k % r} (counted from 0) has ${F.data[k]}.`,
        { where: "repairFactor", path: "Y", expected: "numbers of at least 0", received: F.data[k] },
      );
    mean[k % r] += F.data[k] / n;
    largest = Math.max(largest, F.data[k]);
  }
  if (largest === 0)
    throw new CurvatureError("ERR_ARGUMENT", "Y is zero; it must have a positive entry.", {
      where: "repairFactor",
      path: "Y",
    });
  for (let i = 0; i < n; i++) {
    const row = F.data.subarray(i * r, (i + 1) * r);
    if (row.every((entry) => entry === 0)) row.set(mean);
  }
  return F;
}
