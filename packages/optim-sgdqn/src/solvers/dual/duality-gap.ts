/**
 * The certificate: P(w) − D(a) ≥ P(w) − P*, at the price of one read of the rows.
 *
 *   P = λ/2 ‖w‖² + (1/n) Σ c_i l(w·x_i, y_i),    D = (1/n) Σ [a_i σ_i y_i − a_i²/(2 c_i L)] − λ/2 ‖w‖²
 *
 * All rows are read, also those that the sweeps have dropped; as their gradients are then known, the list of active
 * rows is made anew on the way.
 *
 * Rounding is bounded, and added to P − D. A score is off by εᵢ = O(u) ‖xᵢ‖ ‖w‖, and v, which is what all steps have added to it, by
 *
 *   O(u) V for each step,   V = n (2 λ P(0))^½ ≥ ‖v‖ at all times, since D(a) ≥ D(0) = 0 and the first sum in D is at most P(0).
 *
 * Where these bounds are too large, P and v are computed in twice the precision (`exactCost`, `CoordinateSweep.renew`).
 */
import { dot } from "@curvature/linalg";
import type { LinearLoss } from "@curvature/objectives/linear";
import { boolean, number, stateIn, whole } from "@curvature/optim-core/state";
import { ofSum } from "../rounding.js";
import type { ActiveRows } from "./active-rows.js";
import { type CoordinateSweep, type DualProblem, isWeighed, NO_STEP } from "./coordinate-sweep.js";

/** A step's rounding, over V: of the change of aᵢ and of its product with xᵢ, at most 2 V each, and of the sum. */
const OF_STEP = 5 * 2 ** -53;

export class DualityGap {
  /** The next row to read. */
  row = 0;
  /** Σ c_i l_i so far. */
  lossSum = 0;
  /** The sum in D so far. */
  dualSum = 0;
  /** The terms of that in absolute value. */
  termSum = 0;
  /** What Σ c_i l_i may be more for the rounding of the scores. */
  scoreSum = 0;
  /** ‖v‖ */
  norm = 0;
  /** Whether any row so far could still make a step. */
  canMove = false;
  readonly state;
  private readonly problem: DualProblem;
  private readonly loss: LinearLoss;
  /** V */
  private readonly longest: number;

  constructor(problem: DualProblem, loss: LinearLoss) {
    this.problem = problem;
    this.loss = loss;
    const { y, c, lambda } = problem;
    let atZero = 0;
    for (let i = 0; i < y.length; i++) atZero += c[i] * loss.value(0, y[i]);
    this.longest = Math.sqrt(2 * lambda * y.length * atZero);
    const kinds = {
      row: whole(0, { to: problem.rows.rows }),
      lossSum: number(),
      dualSum: number(),
      termSum: number(),
      scoreSum: number(),
      norm: number(),
      canMove: boolean(),
    };
    this.state = stateIn<DualityGap, keyof typeof kinds>(this, kinds);
  }

  begin({ v }: CoordinateSweep, active: ActiveRows): void {
    active.clear();
    this.norm = Math.sqrt(dot(v, v));
    this.row = 0;
    this.lossSum = 0;
    this.dualSum = 0;
    this.termSum = 0;
    this.scoreSum = 0;
    this.canMove = false;
  }

  get isDone(): boolean {
    return this.row >= this.problem.rows.rows;
  }

  /** Reads the rows up to `end`. */
  read(sweep: CoordinateSweep, active: ActiveRows, end: number): void {
    const { rows, y, c, hasBias, squaredNorms } = this.problem;
    const { flatness, slopeBound, isClassification } = this.problem.loss;
    const { a, v, scale, dropAbove, dropBelow } = sweep;
    const bias = hasBias ? scale * v[rows.columns] : 0;
    const norm = scale * this.norm;
    let { lossSum, dualSum, termSum, scoreSum } = this;
    for (let i = this.row; i < end; i++) {
      if (!isWeighed(c[i], flatness)) continue;
      const score = scale * rows.dot(i, v) + bias;
      lossSum += c[i] * this.loss.value(score, y[i]);
      if (squaredNorms[i] < 0) squaredNorms[i] = rows.squaredNorm(i);
      // rows are summed in two parts or four
      const off = ofSum(rows.count(i) / 2) * Math.sqrt(squaredNorms[i] + Number(hasBias)) * norm;
      const worse = isClassification ? -y[i] : Math.sign(score - y[i]);
      scoreSum += c[i] * Math.abs(this.loss.slope(score + worse * off, y[i])) * off;
      const sigma = isClassification ? y[i] : 1;
      const ridge = flatness / c[i];
      const linear = a[i] * sigma * y[i];
      const square = 0.5 * a[i] * a[i] * ridge;
      dualSum += linear - square;
      termSum += Math.abs(linear) + square;
      const G = sigma * (score - y[i]) + ridge * a[i];
      const upper = slopeBound * c[i];
      const atLower = a[i] <= (isClassification ? 0 : -upper);
      const atUpper = a[i] >= upper;
      if ((G > NO_STEP && !atLower) || (G < -NO_STEP && !atUpper)) this.canMove = true;
      if (!(atLower && G > dropAbove) && !(atUpper && G < dropBelow)) active.add(i);
    }
    this.row = end;
    this.lossSum = lossSum;
    this.dualSum = dualSum;
    this.termSum = termSum;
    this.scoreSum = scoreSum;
  }

  /** P at w = scale · v. */
  primal({ v, scale }: CoordinateSweep): number {
    return this.regularization(v, scale) + this.lossSum / this.problem.rows.rows;
  }

  /** D. */
  dual({ v, scale }: CoordinateSweep): number {
    return this.dualSum / this.problem.rows.rows - this.regularization(v, scale);
  }

  /** What P may be more for the rounding of the scores. */
  get ofScores(): number {
    return this.scoreSum / this.problem.rows.rows;
  }

  /** What other rounding may have added to D and taken from P. */
  rounding({ v, scale, visits, drift, renewedAt }: CoordinateSweep): number {
    const n = this.problem.rows.rows;
    const off = drift + OF_STEP * (visits - renewedAt) * this.longest;
    const ofSquares = (scale * off * (2 * this.norm + off)) / (2 * n);
    const ofSums = (ofSum(n) * (this.lossSum + this.termSum)) / n;
    return ofSums + 2 * ofSum(v.length) * this.regularization(v, scale) + ofSquares;
  }

  /** λ/2 ‖w‖² */
  private regularization(v: Float64Array, scale: number): number {
    let sum = 0;
    for (let j = 0; j < v.length; j++) sum += scale * v[j] * (scale * v[j]);
    return 0.5 * this.problem.lambda * sum;
  }
}
