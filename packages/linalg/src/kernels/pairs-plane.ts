/**
 * Sums over all pairs of points in the plane, in the form that is in use.
 *
 * In single precision they take about half the time with SIMD, four to six times as long without. Every point is then where
 * rounding puts it, up to 2^-24 of its distance from the mean away, and sums are rounded as they grow: on usual maps S and the
 * forces are good to 1e-5, less where forces are small beside the map's width. Maps that single precision is not for (`single-points.ts`;
 * sums so small that hardly a point has a neighbour; numbers that are not finite) are summed in double precision all the same.
 */
import { CurvatureError } from "../errors.js";
import { badArgument, badOption, shown } from "../options.js";
import { type Coordinates, forcesOfBlocks, type PairKernel, type PairRows, sumOfBlocks } from "./pairs.js";
import { doubleRows } from "./pairs-double.js";
import { singleRows } from "./pairs-single.js";
import { threadsFor } from "./pairs-threads.js";
import { SinglePoints } from "./single-points.js";
import { installed } from "./table.js";

/** In which the pairs are computed. */
export type PairPrecision = "double" | "single";

/** S / N below which a sum in single precision is not believed. */
const SPARSE = 1e-3;

/** For N points at a time, as often as one likes. */
export class PlanePairs {
  private single: SinglePoints | undefined;

  /**
   * @param kernel - Student's, K = 1 / (1 + t), or the Gaussian one, K = e^−t, of the squared distance t
   * @param points - N, from 0 on
   * @param precision - in which pairs are computed: "double", or "single" for sums and forces to about 1e-5, which gains
   *   where SIMD is on. Default "double"
   * @throws CurvatureError ERR_OPTION for another kernel or precision, ERR_ARGUMENT for points that are no such number
   */
  constructor(
    private readonly kernel: PairKernel,
    private readonly points: number,
    private readonly precision: PairPrecision = "double",
  ) {
    if (kernel !== "student" && kernel !== "gaussian")
      throw badOption("PlanePairs", "kernel", '"student" or "gaussian"', kernel);
    if (!Number.isInteger(points) || points < 0 || points > 2 ** 31)
      throw badArgument("PlanePairs", "points", "a whole number from 0 to 2^31", points);
    if (precision !== "double" && precision !== "single")
      throw badOption("PlanePairs", "precision", '"double" or "single"', precision);
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
    return this.summed(x, y);
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
    return this.summed(x, y, fx, fy);
  }

  private summed(x: Float64Array, y: Float64Array, fx?: Float64Array, fy?: Float64Array): number {
    const { points, kernel } = this;
    if (this.precision === "single") this.single ??= new SinglePoints(points);
    const { single } = this;
    if (single?.take(x, y) === true) {
      const S = this.computed(single.x, single.y, () => singleRows(kernel, single.x, single.y), fx, fy);
      if (S >= SPARSE * points) return S;
    }
    return this.computed(x, y, (withForces) => doubleRows(kernel, x, y, withForces), fx, fy);
  }

  private computed(
    x: Coordinates,
    y: Coordinates,
    inTypeScript: (withForces: boolean) => PairRows,
    fx?: Float64Array,
    fy?: Float64Array,
  ): number {
    const { kernel, points } = this;
    const shared = threadsFor(points)?.compute(kernel, x, y, fx, fy);
    if (shared !== undefined) return shared;
    const withForces = fx !== undefined && fy !== undefined;
    const rows = installed.pairs?.(kernel, x, y, withForces) ?? inTypeScript(withForces);
    return withForces ? forcesOfBlocks(rows, fx, fy) : sumOfBlocks(rows, points);
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
