/**
 * The numbers of a stochastic solver that come from the data rather than from the user.
 *
 * Offset t₀      max(2, c R²/λ): the first step 1/(λ t₀) is then the one that a row of curvature c R² asks for. R² is the
 *                mean of c_i ‖xᵢ‖² (over the first 1000 rows at most; 1 more for a regularised bias), c the bound of l″ (1 for
 *                the hinge, which has none)
 * Skip           16/s, s the share of entries that are stored: a decay then costs about 1/16 of what the rows between
 *                two decays cost
 * Step           explicit only where d > 2000 and the largest ‖xᵢ‖² is at most 2 R², as in text with rows of one length: there
 *                explicit steps are safe, cheaper and end closer. With larger rows they explode, and with fewer columns
 *                rows have so much in common that steps of this t₀ overshoot together (a9a after a pass of averaged
 *                SGD: 15 % above the optimum, 2.5 % with implicit ones)
 *
 * Bias gain      the mean square of an entry, R²/d, from 0.01 to 1: a free bias stands beside a constant of 1, which among the
 *                tiny entries of text is ill conditioned, and nothing pulls it back. Among columns of size 1 it is one of
 *                them: with 0.01 it would come a hundred times later than they
 * First bias     a free bias, and any of regression, begins at the constant that predicts best: the targets' mean (Huber: their
 *                median), of classes the log odds, and the mean of ±1 for the losses other than the logistic. With targets about 1,000 the way from 0 would
 *                take most of a run, and spoil the weights on it
 *
 * Bordes, Bottou, Gallinari: SGD-QN, JMLR 10 (2009), sections 4 and 6. Differs from the paper: no search for t₀ (it is
 * there as an option), since the rule above was as good or better on five of six data sets.
 */
import { log } from "@curvature/linalg";
import type { Bias, LinearLoss } from "@curvature/objectives/linear";
import type { TrainingRows } from "./learner.js";
import { weightedMedian } from "./robust.js";

const SAMPLE = 1000;
const ENTRIES_PER_DECAY = 16;
/** Columns beyond which rows are taken to have little in common. */
const LARGE = 2000;

/** R²: the mean of c_i ‖xᵢ‖² at positions 0 … min(count, 1000) − 1. */
export function meanSquaredNorm(rows: TrainingRows, count: number, bias: Bias): number {
  const { access, importances, order, squaredNorms } = rows;
  const sample = Math.min(count, SAMPLE);
  let sum = 0;
  for (let k = 0; k < sample; k++) {
    const i = order === undefined ? k : order[k];
    const c = importances === undefined ? 1 : importances[i];
    const norm = squaredNorms === undefined ? access.squaredNorm(i) : squaredNorms[i];
    sum += c * (norm + (bias === "regularized" ? 1 : 0));
  }
  return sum / sample;
}

/** The largest c_i ‖xᵢ‖² at positions 0 … count − 1. */
export function largestSquaredNorm(rows: TrainingRows, count: number): number {
  const { access, importances, order, squaredNorms } = rows;
  let largest = 0;
  for (let k = 0; k < count; k++) {
    const i = order === undefined ? k : order[k];
    const norm = squaredNorms === undefined ? access.squaredNorm(i) : squaredNorms[i];
    largest = Math.max(largest, importances === undefined ? norm : importances[i] * norm);
  }
  return largest;
}

/** max(2, c R²/λ) */
export function defaultT0(meanSquare: number, { curvatureBound }: LinearLoss, lambda: number): number {
  const curvature = Number.isFinite(curvatureBound) ? curvatureBound : 1;
  return Math.max(2, (curvature * meanSquare) / lambda);
}

/** max(1, 16/s) for rows with `storedEntries` of rows x columns entries. */
export function defaultSkip(rows: number, columns: number, storedEntries: number): number {
  return Math.max(1, Math.floor((ENTRIES_PER_DECAY * rows * columns) / Math.max(1, storedEntries)));
}

export function defaultStep(
  columns: number,
  largestSquare: number,
  meanSquare: number,
): "explicit" | "implicit" {
  return columns > LARGE && largestSquare <= 2 * meanSquare ? "explicit" : "implicit";
}

export const defaultBiasGain = (meanSquare: number, columns: number): number =>
  Math.min(1, Math.max(0.01, meanSquare / columns));

/**
 * Where the bias begins: a free one, and any of regression, at the constant that predicts best; of classes as if half a row more
 * of each had been seen, so that it is finite. Else at 0.
 */
export function firstBias(
  { task, name }: LinearLoss,
  bias: Bias,
  targets: Float64Array,
  importances: Float64Array | undefined,
): number {
  if (bias === "none" || (bias === "regularized" && task === "classification")) return 0;
  if (name === "huber") return weightedMedian(targets, importances);
  let [sum, total] = [0, 0];
  for (let i = 0; i < targets.length; i++) {
    const c = importances === undefined ? 1 : importances[i];
    sum += c * targets[i];
    total += c;
  }
  if (task === "regression") return total === 0 ? 0 : sum / total;
  return name === "logistic" ? log((total + sum + 1) / (total - sum + 1)) : sum / (total + 1);
}
