/**
 * The checks at the door of every model: what the weights of an embedding must be, and what is computed from them
 * once.
 */
import {
  CurvatureError,
  type DenseMatrix,
  log,
  type SparseMatrix,
  type SparseMatrixLike,
  symmetricPart,
  toDense,
  toSparse,
  transposeSparse,
  zeros,
} from "@curvature/linalg";
import type { Weights } from "./objective.js";

/** Weights as a user may have them: sparse matrices stay sparse, all else is taken as dense. */
export type WeightsLike = SparseMatrixLike;

/** Sums are checked to this, so that affinities that went through single precision pass. */
const SUM_TOLERANCE = 1e-6;
/** w_nm and w_mn may differ by this times the largest weight: rounding of a computed matrix. */
const SYMMETRY_TOLERANCE = 1e-10;

/**
 * Symmetric nonnegative weights between at least two points, zero on the diagonal. Not copied where they are float64
 * already.
 *
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT, the entry named
 */
export function symmetricWeights(input: WeightsLike, name: string): Weights {
  const weights = nonnegativeWeights(input, name);
  checkSymmetric(weights, name);
  return weights;
}

/** The same, and all of them sum to 1. */
export function jointProbabilities(input: WeightsLike, name: string): Weights {
  const weights = symmetricWeights(input, name);
  let sum = 0;
  for (const row of rowSums(weights)) sum += row;
  if (!(Math.abs(sum - 1) <= SUM_TOLERANCE)) {
    throw badWeight(
      `${name} must sum to 1; it sums to ${sum}. Divide it by its sum.`,
      name,
      "a sum of 1",
      sum,
    );
  }
  return weights;
}

/** Nonnegative weights, zero on the diagonal, each row of which sums to 1: entry (n, m) is p_m|n. */
export function conditionalProbabilities(input: WeightsLike, name: string): Weights {
  const weights = nonnegativeWeights(input, name);
  rowSums(weights).forEach((sum, n) => {
    if (Math.abs(sum - 1) <= SUM_TOLERANCE) return;
    const message = `${name}: row ${n} must sum to 1; it sums to ${sum}. Divide each row by its sum.`;
    throw badWeight(message, `row ${n}`, "a sum of 1", sum);
  });
  return weights;
}

/** (W + Wᵀ) / 2 */
export function symmetrized(weights: Weights): Weights {
  if (!isDense(weights)) return symmetricPart(weights);
  const N = weights.rows;
  const { data } = weights;
  const out = zeros(N, N);
  for (let n = 0; n < N; n++)
    for (let m = 0; m < N; m++) out.data[n * N + m] = 0.5 * (data[n * N + m] + data[m * N + n]);
  return out;
}

/** Σ p log p, where 0 log 0 = 0. */
export function sumOfPLogP(weights: Weights): number {
  let sum = 0;
  for (const p of entriesOf(weights)) if (p > 0) sum += p * log(p);
  return sum;
}

/** The stored entries, as they lie in memory. */
export function entriesOf(weights: Weights): Float64Array {
  return isDense(weights) ? weights.data : weights.values;
}

export function isDense(weights: Weights): weights is DenseMatrix {
  return "data" in weights;
}

/** Σ_m w_nm for each n. */
function rowSums(weights: Weights): Float64Array {
  const sums = new Float64Array(weights.rows);
  forEachEntry(weights, (n, _m, w) => {
    sums[n] += w;
  });
  return sums;
}

function nonnegativeWeights(input: WeightsLike, name: string): Weights {
  const weights = isSparseLike(input) ? toSparse(input, name) : toDense(input, name);
  const { rows, columns } = weights;
  if (rows !== columns || rows < 2) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `${name} must be a square matrix with a row for each of at least 2 points; received ${rows} x ${columns}.`,
      { path: name, expected: "N x N with N >= 2", received: [rows, columns] },
    );
  }
  forEachEntry(weights, (n, m, w) => {
    const place = `row ${n}, column ${m}`;
    if (w < 0)
      throw badWeight(`${name} has ${w} at ${place}; weights must not be negative.`, place, ">= 0", w);
    if (n === m && w !== 0)
      throw badWeight(`${name} has ${w} at ${place}; its diagonal must be zero.`, place, "0", w);
  });
  return weights;
}

function isSparseLike(input: WeightsLike): input is Exclude<WeightsLike, Parameters<typeof toDense>[0]> {
  return (
    typeof input === "object" &&
    input !== null &&
    ("rowPointers" in input || "getNonZeros" in input || "withEachNonZero" in input)
  );
}

function checkSymmetric(weights: Weights, name: string): void {
  let largest = 0;
  for (const w of entriesOf(weights)) if (w > largest) largest = w;
  const tolerance = SYMMETRY_TOLERANCE * largest;
  const check = (n: number, m: number, difference: number): void => {
    if (Math.abs(difference) <= tolerance) return;
    const place = `row ${n}, column ${m}`;
    const message = `${name} must be symmetric; at ${place} it differs by ${Math.abs(difference)} from its transpose. Use (W + Wᵀ)/2.`;
    throw badWeight(message, place, "a symmetric matrix", difference);
  };
  if (isDense(weights))
    forEachEntry(weights, (n, m, w) => check(n, m, w - weights.data[m * weights.rows + n]));
  else forEachDifference(weights, transposeSparse(weights), check);
}

/** Visits a_nm − b_nm on the union of both patterns. */
function forEachDifference(
  a: SparseMatrix,
  b: SparseMatrix,
  visit: (n: number, m: number, difference: number) => void,
): void {
  for (let n = 0; n < a.rows; n++) {
    let p = a.rowPointers[n];
    let q = b.rowPointers[n];
    while (p < a.rowPointers[n + 1] || q < b.rowPointers[n + 1]) {
      const i = p < a.rowPointers[n + 1] ? a.columnIndices[p] : a.columns;
      const j = q < b.rowPointers[n + 1] ? b.columnIndices[q] : a.columns;
      visit(n, Math.min(i, j), (i <= j ? a.values[p++] : 0) - (j <= i ? b.values[q++] : 0));
    }
  }
}

function forEachEntry(weights: Weights, visit: (n: number, m: number, w: number) => void): void {
  const N = weights.rows;
  for (let n = 0; n < N; n++) {
    if (isDense(weights)) {
      for (let m = 0; m < weights.columns; m++) visit(n, m, weights.data[n * weights.columns + m]);
    } else {
      const { rowPointers, columnIndices, values } = weights;
      for (let p = rowPointers[n]; p < rowPointers[n + 1]; p++) visit(n, columnIndices[p], values[p]);
    }
  }
}

function badWeight(message: string, path: string, expected: string, received: unknown): CurvatureError {
  return new CurvatureError("ERR_ARGUMENT", message, { path, expected, received });
}
