/**
 * P at parameters as they are, every digit of it: scores and sums in twice the precision (`double-sum.ts`). At ten to twenty
 * times the price of a read of the rows it is for points where the rounding of scores would be much of P: rows that are
 * parted with nothing to spare, or fitted exactly, and columns far from zero.
 */
import { type LinearLoss, type LinearProblem, rowAccess } from "@curvature/objectives/linear";
import { DoubleSum } from "./double-sum.js";
import { ofSum } from "./rounding.js";

/** The part of P that the rounding of scores may be before it is worth while to compute them otherwise. */
export const BLURRED = 1e-9;

/**
 * NaN where entries overflow.
 *
 * @param x - of length `parameterCount(problem)`
 */
export function exactCost(problem: LinearProblem, x: Float64Array): number {
  const { rows, targets, loss, lambda, bias, importances } = problem;
  const [n, d] = [rows.rows, rows.columns];
  const access = rowAccess(rows);
  const score = new DoubleSum();
  const risk = new DoubleSum();
  const addEntry = (j: number, entry: number): void => score.addProduct(entry, x[j]);
  for (let i = 0; i < n; i++) {
    const c = importances === undefined ? 1 : importances[i];
    if (c === 0) continue;
    score.start(bias === "none" ? 0 : x[d]);
    access.forEachEntry(i, addEntry);
    risk.addProduct(c, lossAt(loss, score, targets[i]));
  }
  const squares = new DoubleSum();
  const end = bias === "regularized" ? d + 1 : d;
  for (let j = 0; j < end; j++) squares.addProduct(x[j], x[j]);
  return 0.5 * lambda * squares.value + risk.value / n;
}

/** How far P can lie above `exactCost`: some roundings of each term, whatever their number. */
export const ofExact = (value: number): number => ofSum(0) * value;

/** Of 1: a slack below it is a difference of nearly equal numbers. */
const LITTLE = 2 ** -10;

/** The loss at a score of 106 bits. */
function lossAt(loss: LinearLoss, score: DoubleSum, y: number): number {
  if (loss.task === "regression") {
    score.add(-y);
    return loss.value(score.value, 0); // losses of the residual
  }
  const { value, rest } = score;
  if (loss.name !== "logistic") {
    // Losses of the slack, near 0 a parabola of their largest curvature, or the hinge itself.
    const slack = Math.max(0, 1 - y * value - y * rest);
    if (loss.name === "hinge") return slack;
    const L = loss.curvatureBound;
    if (slack < LITTLE && slack * L < 1) return 0.5 * L * slack * slack;
  }
  return loss.value(value, y) + loss.slope(value, y) * rest;
}
