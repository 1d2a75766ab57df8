/**
 * What an error in each row costs: the row's own weight times its class's.
 *
 * A row of weight 2 is the row twice, one of weight 0 is no row: those are left out of everything. Weights that are all whole
 * numbers are copies, and Σw rows count; others are importances, of which only the ratios matter, and n_eff = (Σw)²/Σw² rows count.
 * Both are divided by their mean before they multiply losses. The weights of classes say what an error costs, and not how many rows
 * there are. "balanced" gives class k the weight W/(K W_k), W_k the sum of its rows' weights: every class weighs as much as any
 * other.
 */
import { badOption, CurvatureError, log, optionName } from "@curvature/linalg";
import { checkWeights } from "../metrics/weights.js";
import type { Label } from "./labels.js";
import { listed } from "./labels.js";
import type { LinearClassifierSettings } from "./options.js";

/**
 * A copy of the weights.
 *
 * @throws CurvatureError as `checkWeights`; ERR_ARGUMENT for none above 0, or an infinite mean
 */
export function rowWeights(
  weights: ArrayLike<number> | undefined,
  rows: number,
  where: string,
): Float64Array | undefined {
  if (weights === undefined) return undefined;
  const checked = checkWeights(weights, rows, where);
  const mean = meanOf(checked);
  if (mean > 0 && Number.isFinite(mean)) return checked;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `the mean of ${optionName("sampleWeights")} is ${mean}; it must be above 0 and finite.`,
    { where, path: "sampleWeights", received: mean },
  );
}

/** Divided by their mean. */
export function withMeanOne(weights: Float64Array | undefined): Float64Array | undefined {
  if (weights === undefined) return undefined;
  const mean = meanOf(weights);
  return weights.map((weight) => weight / mean);
}

/** Of numbers whose sum may overflow. */
function meanOf(weights: Float64Array): number {
  const largest = largestOf(weights);
  return largest === 0
    ? 0
    : largest * (weights.reduce((sum, weight) => sum + weight / largest, 0) / weights.length);
}

const largestOf = (weights: Float64Array): number => weights.reduce((a, b) => Math.max(a, b), 0);

/** Whether weights are copies: whole numbers are. */
export const areCopies = (weights: Float64Array): boolean => weights.every(Number.isSafeInteger);

/** How many rows count: Σw of copies, (Σw)²/Σw² of importances. */
export function effectiveCount(weights: Float64Array): number {
  if (areCopies(weights)) return weights.reduce((a, b) => a + b, 0);
  const mean = meanOf(weights);
  const n = weights.length;
  return (n * n) / weights.reduce((sum, weight) => sum + (weight / mean) ** 2, 0);
}

/** As how many rows each counts, together `effectiveCount`; undefined for 1 each. */
export function countsOf(weights: Float64Array | undefined): Float64Array | undefined {
  if (weights === undefined || areCopies(weights)) return weights;
  const share = effectiveCount(weights) / weights.length / meanOf(weights);
  return weights.map((weight) => weight * share);
}

/** The rows of a weight above 0; undefined for all. */
export function countingRows(weights: Float64Array | undefined): Int32Array | undefined {
  if (weights === undefined || !weights.includes(0)) return undefined;
  return Int32Array.from(weights.keys()).filter((i) => weights[i] > 0);
}

/**
 * The weight of each class; undefined where all are 1.
 *
 * @throws CurvatureError ERR_OPTION for a weight of what is no class
 */
export function weightsOfClasses(
  option: LinearClassifierSettings["classWeights"],
  classes: readonly Label[],
  classOfRow: Int32Array,
  weights: Float64Array | undefined,
): Float64Array | undefined {
  if (option === undefined) return undefined;
  if (option === "balanced") {
    const sums = new Float64Array(classes.length);
    let total = 0;
    for (let i = 0; i < classOfRow.length; i++) {
      const weight = weights === undefined ? 1 : weights[i];
      sums[classOfRow[i]] += weight;
      total += weight;
    }
    return sums.map((sum) => (sum > 0 ? total / (classes.length * sum) : 1));
  }
  const weightOf = new Map(Object.entries(option));
  const names = new Set(classes.map(String));
  for (const name of weightOf.keys())
    if (!names.has(name))
      throw badOption("LinearClassifier", "classWeights", `by class, of ${listed(classes)}`, name);
  return Float64Array.from(classes, (label) => weightOf.get(String(label)) ?? 1);
}

/**
 * What class weights κ add to the scores of each model, and not to the probabilities: the logarithm of their ratio. Two classes:
 * ln(κ₊/κ₋); softmax: ln κ_k; one against the rest: ln κ_k − ln of the mean κ of the other rows.
 */
export function shiftsOf(
  ofClasses: Float64Array,
  classOfRow: Int32Array,
  ofRows: Float64Array | undefined,
  multiclass: "softmax" | "one-versus-rest" | undefined,
): Float64Array {
  if (ofClasses.length === 2) return Float64Array.of(log(ofClasses[1] / ofClasses[0]));
  if (multiclass === "softmax") return ofClasses.map((weight) => log(weight));
  const sums = new Float64Array(ofClasses.length);
  for (let i = 0; i < classOfRow.length; i++) sums[classOfRow[i]] += ofRows?.[i] ?? 1;
  const total = sums.reduce((a, b) => a + b, 0);
  const weighted = sums.reduce((sum, each, k) => sum + each * ofClasses[k], 0);
  return ofClasses.map((weight, k) => {
    const others = total - sums[k];
    return others > 0 ? log(weight) - log((weighted - sums[k] * weight) / others) : 0;
  });
}

/** Both together by row; undefined where all are 1. */
export function importancesOf(
  classOfRow: Int32Array,
  ofClasses: Float64Array | undefined,
  ofRows: Float64Array | undefined,
): Float64Array | undefined {
  if (ofClasses === undefined) return ofRows;
  return Float64Array.from(classOfRow, (k, i) => ofClasses[k] * (ofRows === undefined ? 1 : ofRows[i]));
}
