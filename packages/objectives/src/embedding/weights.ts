/**
 * The validation that every model begins with: what the weights of an embedding must be, and what is computed from them
 * once.
 */
import {
  CurvatureError,
  type DenseMatrix,
  log,
  maxAbs,
  type SparseMatrix,
  type SparseMatrixLike,
  symmetricPart,
  toDense,
  toSparse,
  zeros,
} from "@curvature/linalg";
import type { Weights } from "./objective.js";
import { everyEntry } from "./pair-rows.js";

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
  checkRowSums(weights, name);
  return weights;
}

/** M × N, M ≥ 1, nonnegative, each row of sum 1: the affinities of other points to the N known ones. */
export function newPointProbabilities(input: WeightsLike, points: number, name: string): Weights {
  const weights = nonnegativeMatrix(input, name);
  checkNewPointShape(weights, points, name);
  checkRowSums(weights, name);
  return weights;
}

/** M × N, M ≥ 1, nonnegative. */
export function newPointWeights(input: WeightsLike, points: number, name: string): Weights {
  const weights = nonnegativeMatrix(input, name);
  checkNewPointShape(weights, points, name);
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
  const entries = entriesOf(weights);
  let sum = 0;
  for (let k = 0; k < entries.length; k++) {
    const p = entries[k];
    if (p > 0) sum += p * log(p);
  }
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
  const { points, count, valueStart, values } = everyEntry(weights);
  const sums = new Float64Array(points);
  for (let n = 0; n < points; n++) {
    for (let p = valueStart[n]; p < valueStart[n] + count[n]; p++) sums[n] += values[p];
  }
  return sums;
}

function checkRowSums(weights: Weights, name: string): void {
  rowSums(weights).forEach((sum, n) => {
    if (Math.abs(sum - 1) <= SUM_TOLERANCE) return;
    const message = `${name}: row ${n} must sum to 1; it sums to ${sum}. Divide each row by its sum.`;
    throw badWeight(message, `row ${n}`, "a sum of 1", sum);
  });
}

function checkNewPointShape(weights: Weights, points: number, name: string): void {
  const { rows, columns } = weights;
  if (rows > 0 && columns === points) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${name} must have a row for each new point and a column for each of the map's ${points} points; received ${rows} x ${columns}.`,
    { path: name, expected: `M x ${points} with M >= 1`, received: [rows, columns] },
  );
}

/** N × N, N ≥ 2, nonnegative, zero on the diagonal. @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT */
export function nonnegativeWeights(input: WeightsLike, name: string): Weights {
  const weights = nonnegativeMatrix(input, name);
  const { rows, columns } = weights;
  if (rows !== columns || rows < 2) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `${name} must be a square matrix with a row for each of at least 2 points; received ${rows} x ${columns}.`,
      { path: name, expected: "N x N with N >= 2", received: [rows, columns] },
    );
  }
  for (let n = 0; n < rows; n++) {
    const w = isDense(weights) ? weights.data[n * rows + n] : entryOf(weights, n, n);
    if (w !== 0) throw badEntry(name, n, n, w, "its diagonal must be zero", "0");
  }
  return weights;
}

function nonnegativeMatrix(input: WeightsLike, name: string): Weights {
  const weights = isSparseLike(input) ? toSparse(input, name) : toDense(input, name);
  if (isDense(weights) && weights.data.length >= 2 ** 31) throw tooLarge(weights, name);
  const { points, count, columnStart, columns, valueStart, values } = everyEntry(weights);
  for (let n = 0; n < points; n++) {
    for (let j = 0; j < count[n]; j++) {
      const w = values[valueStart[n] + j];
      if (w < 0)
        throw badEntry(name, n, columns[columnStart[n] + j], w, "weights must not be negative", ">= 0");
    }
  }
  return weights;
}

/** Places in the weights are 32-bit numbers. */
function tooLarge({ rows, columns }: DenseMatrix, name: string): CurvatureError {
  return new CurvatureError(
    "ERR_MEMORY",
    `${name} has ${rows} x ${columns} entries, more than 2^31. Use sparse weights: those of a neighbour graph.`,
    { path: name, expected: "fewer than 2^31 entries", received: [rows, columns] },
  );
}

/** w_nm, 0 where none is stored. */
function entryOf(weights: SparseMatrix, n: number, m: number): number {
  const { rowPointers, columnIndices, values } = weights;
  for (let p = rowPointers[n]; p < rowPointers[n + 1]; p++) if (columnIndices[p] === m) return values[p];
  return 0;
}

function isSparseLike(input: WeightsLike): input is Exclude<WeightsLike, Parameters<typeof toDense>[0]> {
  return (
    typeof input === "object" &&
    input !== null &&
    ("rowPointers" in input || "getNonZeros" in input || "withEachNonZero" in input)
  );
}

function checkSymmetric(weights: Weights, name: string): void {
  const tolerance = SYMMETRY_TOLERANCE * maxAbs(entriesOf(weights));
  if (isDense(weights)) checkDenseSymmetric(weights, tolerance, name);
  else checkSparseSymmetric(weights, tolerance, name);
}

function checkDenseSymmetric({ rows: N, data }: DenseMatrix, tolerance: number, name: string): void {
  for (let n = 0; n < N; n++) {
    for (let m = 0; m < n; m++) {
      const difference = data[n * N + m] - data[m * N + n];
      if (Math.abs(difference) > tolerance) throw notSymmetric(name, n, m, difference);
    }
  }
}

/**
 * Compares on the union of both patterns, without a transposed copy: rows come in order, so the mirror image of w_nm,
 * m < n, is the first entry of row m right of the diagonal that is not passed yet, or it is not stored.
 */
function checkSparseSymmetric(W: SparseMatrix, tolerance: number, name: string): void {
  const { rows, rowPointers, columnIndices, values } = W;
  const next = new Int32Array(rows);
  /** Passes the entries of row m left of column n: nothing mirrors them. */
  const pass = (m: number, n: number): void => {
    while (next[m] < rowPointers[m + 1] && columnIndices[next[m]] < n) {
      const p = next[m]++;
      if (Math.abs(values[p]) > tolerance) throw notSymmetric(name, m, columnIndices[p], values[p]);
    }
  };
  for (let n = 0; n < rows; n++) {
    let p = rowPointers[n];
    for (; p < rowPointers[n + 1] && columnIndices[p] < n; p++) {
      const m = columnIndices[p];
      pass(m, n);
      const isStored = next[m] < rowPointers[m + 1] && columnIndices[next[m]] === n;
      const difference = values[p] - (isStored ? values[next[m]++] : 0);
      if (Math.abs(difference) > tolerance) throw notSymmetric(name, n, m, difference);
    }
    if (p < rowPointers[n + 1] && columnIndices[p] === n) p++;
    next[n] = p;
  }
  for (let m = 0; m < rows; m++) pass(m, rows);
}

function notSymmetric(name: string, n: number, m: number, difference: number): CurvatureError {
  const place = `row ${n}, column ${m}`;
  return badWeight(
    `${name} must be symmetric; at ${place} it differs by ${Math.abs(difference)} from its transpose. Use (W + Wᵀ)/2.`,
    place,
    "a symmetric matrix",
    difference,
  );
}

function badEntry(
  name: string,
  n: number,
  m: number,
  w: number,
  rule: string,
  expected: string,
): CurvatureError {
  const place = `row ${n}, column ${m}`;
  return badWeight(`${name} has ${w} at ${place}; ${rule}.`, place, expected, w);
}

function badWeight(message: string, path: string, expected: string, received: unknown): CurvatureError {
  return new CurvatureError("ERR_ARGUMENT", message, { path, expected, received });
}
