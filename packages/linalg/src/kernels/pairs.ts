/**
 * A kernel's sum over all pairs of points in the plane, and its derivatives: an n-body sum, exactly, in O(N²) time and
 * O(N) memory.
 *
 *   S    = Σ_{m<n} K(t_nm),   t_nm = (x_n − x_m)² + (y_n − y_m)²
 *   f_n  = Σ_m K′(t_nm) ((x_n, y_n) − (x_m, y_m)),   m over all other points:   ∂S/∂(x_n, y_n) = 2 f_n
 *
 * Every pair is computed once, for both of its points.
 *
 * The order of additions is part of the contract, since the bits of the result are. Row n is summed in parts, which are
 * the lanes of the SIMD form: over even and over odd m < n, and in single precision over m mod 4. What the row adds to
 * f_m is added pair by pair, m in turn from 0; f_n is taken its own parts' sum. Rows are cut into `blockCount` blocks,
 * which depend on N alone. Each of them has an S and forces of its own, from 0 on, and these are added up in double
 * precision, in the order of blocks: whichever thread had which block, the result is one.
 *
 * | symbol | variable  | shape                               |
 * |--------|-----------|-------------------------------------|
 * | x, y   | x, y      | N each                              |
 * | f      | fx, fy    | N each                              |
 * |        | px, py    | N each: the forces of a block alone |
 */

/** Student's with one degree of freedom, K = 1 / (1 + t), or the Gaussian one, K = e^−t. */
export type PairKernel = "student" | "gaussian";

/** Coordinates of one precision, in which pairs are computed, too. */
export type Coordinates = Float64Array | Float32Array;

/** Points that lie ready for sums over their rows. */
export interface PairRows {
  /** The forces of a block, where they are wanted; N or more. */
  readonly px: Coordinates;
  readonly py: Coordinates;
  /** Σ_{from≤n<to} Σ_{m<n} K; the rows' forces are added to px and py. */
  sum(from: number, to: number): number;
  /** Ends it. */
  close(): void;
}

/** A form of the sums; undefined where it has no memory, or no use, for so many points. */
export type PairRowsOf = (
  kernel: PairKernel,
  x: Coordinates,
  y: Coordinates,
  withForces: boolean,
) => PairRows | undefined;

/** Rows per block are at least about this many; below it, adding up blocks would be felt. */
const ROWS = 128;
const MAX_BLOCKS = 32;

export function blockCount(points: number): number {
  return Math.min(MAX_BLOCKS, Math.ceil(points / ROWS));
}

/** The first row of a block, even: blocks have about equally many pairs. At `blockCount`, N. */
export function blockStart(points: number, block: number): number {
  const blocks = blockCount(points);
  return block === blocks ? points : 2 * Math.floor((points / 2) * Math.sqrt(block / blocks));
}

/** S of N points, block by block. Closes the rows. */
export function sumOfBlocks(rows: PairRows, N: number): number {
  let S = 0;
  for (let b = 0; b < blockCount(N); b++) S += rows.sum(blockStart(N, b), blockStart(N, b + 1));
  rows.close();
  return S;
}

/** The same, and f. */
export function forcesOfBlocks(rows: PairRows, fx: Float64Array, fy: Float64Array): number {
  const N = fx.length;
  let S = 0;
  fx.fill(0);
  fy.fill(0);
  for (let b = 0; b < blockCount(N); b++) {
    const end = blockStart(N, b + 1);
    S += rows.sum(blockStart(N, b), end);
    moveForces(end, rows.px, fx);
    moveForces(end, rows.py, fy);
  }
  rows.close();
  return S;
}

/** f ← f + p over the first `count` points, and p ← 0. */
function moveForces(count: number, p: Coordinates, f: Float64Array): void {
  for (let m = 0; m < count; m++) f[m] += p[m];
  p.fill(0, 0, count);
}
