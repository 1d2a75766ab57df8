/**
 * A kernel's sum over all pairs of points in the plane, and its derivatives: an n-body sum, exactly, in O(N²) time and
 * O(N) memory.
 *
 *   S    = Σ_{m<n} K(t_nm),   t_nm = (x_n − x_m)² + (y_n − y_m)²
 *   f_n  = Σ_m K′(t_nm) ((x_n, y_n) − (x_m, y_m)),   m over all other points:   ∂S/∂(x_n, y_n) = 2 f_n
 *
 * Every pair is computed once, for both of its points.
 *
 * The order of additions is part of the contract, since the bits of the result are. Row n is summed in two parts, over
 * even and over odd m < n, which are the lanes of the SIMD form; what it adds to f_m is added pair by pair, m in turn
 * from 0; f_n is taken its own two parts' sum. Rows are cut into `blockCount` blocks, which depend on N alone. Each of
 * them has an S and forces of its own, from 0 on, and these are added up in the order of blocks: whichever thread had
 * which block, the result is one.
 *
 * | symbol | variable  | shape                               |
 * |--------|-----------|-------------------------------------|
 * | x, y   | x, y      | N each                              |
 * | f      | fx, fy    | N each                              |
 * |        | px, py    | N each: the forces of a block alone |
 */
import { gaussianForces, gaussianSum } from "./pairs-gaussian.js";
import { studentForces, studentSum } from "./pairs-student.js";

/** Student's with one degree of freedom, K = 1 / (1 + t), or the Gaussian one, K = e^−t. */
export type PairKernel = "student" | "gaussian";

/** Where the forces of one block are summed; zero between calls. */
export interface BlockForces {
  readonly px: Float64Array;
  readonly py: Float64Array;
}

export interface PairSums {
  /** S */
  sum(kernel: PairKernel, x: Float64Array, y: Float64Array): number;
  /** S, with f written to fx and fy. */
  forces(
    kernel: PairKernel,
    x: Float64Array,
    y: Float64Array,
    fx: Float64Array,
    fy: Float64Array,
    block: BlockForces,
  ): number;
}

/** Rows per block are at least about this many; below it, adding up blocks would be felt. */
const ROWS = 128;
const MOST_BLOCKS = 32;

export function blockCount(points: number): number {
  return Math.min(MOST_BLOCKS, Math.ceil(points / ROWS));
}

/** The first row of a block, even: blocks have about equally many pairs. At `blockCount`, N. */
export function blockStart(points: number, block: number): number {
  const blocks = blockCount(points);
  return block === blocks ? points : 2 * Math.floor((points / 2) * Math.sqrt(block / blocks));
}

/** f ← f + p over the first `count` points, and p ← 0. */
export function addBlockForces(count: number, p: Float64Array, f: Float64Array): void {
  for (let m = 0; m < count; m++) f[m] += p[m];
  p.fill(0, 0, count);
}

export const pairsInTypeScript: PairSums = {
  sum(kernel, x, y) {
    const rows = kernel === "student" ? studentSum : gaussianSum;
    let S = 0;
    for (let b = 0; b < blockCount(x.length); b++)
      S += rows(x, y, blockStart(x.length, b), blockStart(x.length, b + 1));
    return S;
  },
  forces(kernel, x, y, fx, fy, { px, py }) {
    const rows = kernel === "student" ? studentForces : gaussianForces;
    let S = 0;
    fx.fill(0);
    fy.fill(0);
    for (let b = 0; b < blockCount(x.length); b++) {
      const end = blockStart(x.length, b + 1);
      S += rows(x, y, blockStart(x.length, b), end, px, py);
      addBlockForces(end, px, fx);
      addBlockForces(end, py, fy);
    }
    return S;
  },
};
