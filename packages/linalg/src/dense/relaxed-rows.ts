/**
 * The relaxed step of Douglas-Rachford splitting on a symmetric matrix W in single precision whose splitting is that of its
 * entries' signs,
 *
 *   z = [w]_+,   w ← w − z + r x + (1 − r) z
 *
 * on some rows of its lower triangle, in one pass with what the residuals are made of. See `kernels/relaxed-pairs.ts`.
 */
import { relaxPairsInTypeScript } from "../kernels/relaxed-pairs.js";
import { installed } from "../kernels/table.js";
import { badArgument, unfit } from "../options.js";

/** Sums over the entries of W of these rows; those left of the diagonal count twice. */
export interface RelaxedSums {
  /** Σ (x − z)² */
  readonly difference: number;
  /** Σ z² */
  readonly size: number;
  /** Σ ([w]_+ − z)², w after the step */
  readonly change: number;
  /** Σ [w]_−², w after the step */
  readonly negative: number;
  /** min x */
  readonly least: number;
}

/** Rows of W, and numbers in all, two entries of W being one. */
const MAX_ROWS = 2 ** 16;
const MAX_NUMBERS = 2 ** 32;

/**
 * Zeros for W, n × n, and for so many rows of X. With SIMD, and for some 4,096 numbers and more, they lie in the memory of a
 * WebAssembly module, where `relaxRows` takes half its time. As those of `symmetricEntries` they cannot be transferred to
 * another thread, a structured clone takes all of the memory along, and each such memory reserves some 8 GiB of addresses.
 *
 * @throws CurvatureError ERR_ARGUMENT
 */
export function relaxedEntries(
  n: number,
  rows: number,
): { readonly W: Float32Array; readonly X: Float64Array } {
  if (!Number.isInteger(n) || n < 0 || n > MAX_ROWS)
    throw badArgument("relaxedEntries", "n", `a whole number from 0 to ${MAX_ROWS}`, n);
  const ofW = Math.ceil((n * n) / 2);
  const mostRows = Math.floor((MAX_NUMBERS - ofW) / Math.max(1, n));
  if (!Number.isInteger(rows) || rows < 0 || rows > mostRows)
    throw badArgument("relaxedEntries", "rows", `a whole number from 0 to ${mostRows}`, rows);
  const entries = symmetricEntries(ofW + n * rows, Math.max(n, SUMS));
  return {
    W: new Float32Array(entries.buffer, entries.byteOffset, n * n),
    X: new Float64Array(entries.buffer, entries.byteOffset + 8 * ofW, n * rows),
  };
}

/**
 * The step on rows first … end − 1 of W, to the diagonal, in place. What is right of the diagonal is left as it is. With SIMD
 * it is done in WebAssembly where W and X are those of one call of `relaxedEntries`, or parts of them.
 *
 * @param W - n × n, row-major
 * @param X - entry (i, j) of X at (i − first) n + j, for j ≤ i; no memory of W's
 * @param e - is added to every entry of X
 * @param r - the relaxation, 1 for none
 * @returns all NaN, as these rows of W then are, where numbers are not finite or a square of the residuals overflows. What is
 *   too large for single precision becomes infinite in W, for the next step to find.
 * @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT
 */
export function relaxRows(
  W: Float32Array,
  n: number,
  first: number,
  end: number,
  X: Float64Array,
  e: number,
  r: number,
): RelaxedSums {
  check(W, n, first, end, X);
  for (const [name, value] of Object.entries({ e, r }))
    if (typeof value !== "number") throw badArgument("relaxRows", name, "a number", value);
  const left = noSums();
  const diagonal = noSums();
  if (!installed.symmetric?.relax(W, n, first, end, X, e, r, left))
    relaxPairsInTypeScript(W, n, first, end, X, e, r, left);
  for (let i = first; i < end; i++) {
    const row = i * n;
    const at = (i - first) * n;
    if (i % 2 === 1) relaxEntry(W, row + i - 1, X[at + i - 1] + e, r, left);
    relaxEntry(W, row + i, X[at + i] + e, r, diagonal);
  }
  const [difference, size, change, negative] = [0, 2, 4, 6].map(
    (k) => 2 * (left[k] + left[k + 1]) + diagonal[k],
  );
  if (!Number.isFinite(difference + change + negative)) return brokenOff(W, n, first, end);
  return { difference, size, change, negative, least: Math.min(left[8], left[9], diagonal[8]) };
}

/** Places of `RelaxPairs`. */
const SUMS = 10;

const noSums = (): Float64Array => new Float64Array(SUMS).fill(Number.POSITIVE_INFINITY, 8);

/** One entry, among those of even columns. */
function relaxEntry(W: Float32Array, k: number, x: number, r: number, sums: Float64Array): void {
  const w = W[k];
  const z = Math.max(0, w);
  const next = w - z + r * x + (1 - r) * z;
  const zNext = Math.max(0, next);
  W[k] = next;
  sums[0] += (x - z) * (x - z);
  sums[2] += z * z;
  sums[4] += (zNext - z) * (zNext - z);
  sums[6] += (next - zNext) * (next - zNext);
  sums[8] = Math.min(sums[8], x);
}

/** Forms of the loops need not agree on what is not finite. */
function brokenOff(W: Float32Array, n: number, first: number, end: number): RelaxedSums {
  for (let i = first; i < end; i++) W.fill(Number.NaN, i * n, i * n + i + 1);
  const none = Number.NaN;
  return { difference: none, size: none, change: none, negative: none, least: none };
}

function check(W: Float32Array, n: number, first: number, end: number, X: Float64Array): void {
  if (!(W instanceof Float32Array && Number.isInteger(n) && n >= 0 && W.length === n * n))
    throw unfit("ERR_SHAPE", "relaxRows", "W", "a Float32Array of n x n entries", W);
  if (!(Number.isInteger(first) && Number.isInteger(end) && first >= 0 && first <= end && end <= n))
    throw unfit("ERR_SHAPE", "relaxRows", "first and end", `whole numbers, 0 ≤ first ≤ end ≤ ${n}`, [
      first,
      end,
    ]);
  if (!(X instanceof Float64Array && X.length >= (end - first) * n))
    throw unfit("ERR_SHAPE", "relaxRows", "X", `a Float64Array of at least ${(end - first) * n} entries`, X);
}

/**
 * Zeros, for the entries of symmetric matrices that `symmetricTimesVector` is called with again and again: with SIMD they lie
 * in the memory of a WebAssembly module, where nothing has to be copied for it. That memory cannot be transferred to another
 * thread, and a structured clone takes all of it along: it is for matrices that are handed to nobody. Each such memory reserves
 * some 8 GiB of addresses, as those of WebAssembly do: a few of them, not thousands.
 *
 * @param length - of the array
 * @param rows - the most of any matrix in it
 * @throws CurvatureError ERR_ARGUMENT for what are no such numbers
 */
export function symmetricEntries(length: number, rows: number): Float64Array {
  for (const [name, value] of Object.entries({ length, rows }))
    if (!Number.isInteger(value) || value < 0 || value > 2 ** 32)
      throw badArgument("symmetricEntries", name, "a whole number from 0 to 2^32", value);
  return installed.symmetric?.take(length, rows) ?? new Float64Array(length);
}
