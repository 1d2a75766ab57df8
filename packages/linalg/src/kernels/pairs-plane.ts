/** Sums over all pairs of points in the plane, in the form that is in use. */
import { CurvatureError } from "../errors.js";
import { badArgument, badOption, shown } from "../options.js";
import { type BlockForces, type PairKernel, pairsInTypeScript } from "./pairs.js";
import { threadsFor } from "./pairs-threads.js";
import { installed } from "./table.js";

/** For N points at a time, as often as one likes: nothing is allocated by a sum. */
export class PlanePairs {
  private readonly block: BlockForces;

  /**
   * @param kernel - Student's, K = 1 / (1 + t), or the Gaussian one, K = e^−t, of the squared distance t
   * @param points - N, from 0 on
   * @throws CurvatureError ERR_OPTION for another kernel, ERR_ARGUMENT for points that are no such number
   */
  constructor(
    private readonly kernel: PairKernel,
    private readonly points: number,
  ) {
    if (kernel !== "student" && kernel !== "gaussian")
      throw badOption("PlanePairs", "kernel", '"student" or "gaussian"', kernel);
    if (!Number.isInteger(points) || points < 0 || points > 2 ** 31)
      throw badArgument("PlanePairs", "points", "a whole number from 0 to 2^31", points);
    this.block = { px: new Float64Array(points), py: new Float64Array(points) };
  }

  /**
   * S = Σ_{m<n} K(t_nm), each pair once.
   *
   * @param x - N
   * @param y - N
   * @returns NaN where a coordinate is, or where two are infinite
   * @throws CurvatureError ERR_SHAPE for arrays of other lengths
   */
  sum(x: Float64Array, y: Float64Array): number {
    this.checkLengths(x, y);
    const shared = threadsFor(this.points)?.compute(this.kernel, x, y);
    return shared ?? (installed.pairs ?? pairsInTypeScript).sum(this.kernel, x, y);
  }

  /**
   * S, and f_n = Σ_m K′(t_nm) (x_n − x_m), half its gradient.
   *
   * @param fx - N, overwritten; neither x nor y
   * @param fy - N, likewise
   * @throws CurvatureError ERR_SHAPE for arrays of other lengths
   */
  forces(x: Float64Array, y: Float64Array, fx: Float64Array, fy: Float64Array): number {
    this.checkLengths(x, y, fx, fy);
    const shared = threadsFor(this.points)?.compute(this.kernel, x, y, fx, fy);
    return shared ?? (installed.pairs ?? pairsInTypeScript).forces(this.kernel, x, y, fx, fy, this.block);
  }

  private checkLengths(...arrays: readonly Float64Array[]): void {
    for (const array of arrays) {
      if (array instanceof Float64Array && array.length === this.points) continue;
      const expected = `Float64Arrays of ${this.points} entries, one per point`;
      throw new CurvatureError("ERR_SHAPE", `PlanePairs takes ${expected}; received ${shown(array)}.`, {
        path: "points",
        expected,
        received: array,
      });
    }
  }
}
