/**
 * 95 % intervals of figures on rows that had no part in the training, each for new rows of the same kind:
 *
 *   a share          Wilson: (p + z²/2n ± z √(p(1 − p)/n + z²/4n²))/(1 + z²/n)
 *   a mean loss      m exp(±z s/(m √n)): m ± z s/√n on the logarithm's scale, so that it stays above 0, as losses do. Of 50 rows it
 *                    holds 90 to 93 %, of 200 more than 93 %; where a few rows have most of the loss, it needs more rows
 *   the AUC          DeLong: A ± z √(s²(V₁)/P + s²(V₀)/N), V the share of the other class's rows that each row beats;
 *                    on the logit's scale, so that it stays between 0 and 1. Of 20 positive rows and an area of 0.92 it holds 90 %
 *
 * Wilson: Probable inference … (JASA 22, 1927). DeLong, DeLong, Clarke-Pearson: Comparing the areas … (Biometrics 44, 1988), by the
 * ranks of Sun and Xu (IEEE Signal Processing Letters 21, 2014).
 */
import { badOption, CurvatureError, exp, log } from "@curvature/linalg";
import type { Label, Labels } from "../fit/labels.js";
import { checkLabels } from "../fit/labels.js";
import { checkNumbers } from "./weights.js";

export type Interval = readonly [low: number, high: number];

/** Standard deviations that hold 95 % of a Gaussian. */
const Z = 1.959963984540054;

/** Wilson's. @throws CurvatureError ERR_OPTION for counts that are none */
export function shareInterval(count: number, rows: number): Interval {
  if (!(Number.isSafeInteger(rows) && rows > 0))
    throw badOption("shareInterval", "rows", "a count above 0", rows);
  if (!(Number.isSafeInteger(count) && count >= 0 && count <= rows))
    throw badOption("shareInterval", "count", "a count of at most rows", count);
  const p = count / rows;
  const z2 = (Z * Z) / rows;
  const half = Z * Math.sqrt((p * (1 - p)) / rows + z2 / (4 * rows));
  const low = (p + z2 / 2 - half) / (1 + z2);
  const high = (p + z2 / 2 + half) / (1 + z2);
  return [count === 0 ? 0 : Math.max(0, low), count === rows ? 1 : Math.min(1, high)];
}

/**
 * Of a mean of losses, none of them below 0: m exp(±1.96 s/(m √n)); undefined for fewer than two, and where all are 0.
 *
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT for a loss below 0
 */
export function lossInterval(losses: ArrayLike<number>): Interval | undefined {
  const where = "lossInterval";
  const n = losses?.length;
  checkNumbers(losses, n, `${where}, losses`);
  for (let i = 0; i < n; i++)
    if (losses[i] < 0)
      throw new CurvatureError("ERR_ARGUMENT", `the loss of row ${i} (counted from 0) is ${losses[i]}.`, {
        ...{ where, path: `losses[${i}]`, expected: "at least 0", received: losses[i] },
      });
  if (n < 2) return undefined;
  const { mean, variance } = spreadOf(losses);
  if (!(mean > 0)) return undefined;
  const factor = exp((Z * Math.sqrt(variance / n)) / mean);
  return [mean / factor, mean * factor];
}

/**
 * DeLong's; undefined with fewer than two rows of either class, and where the classes do not overlap: no row then says how far the
 * area may be off.
 *
 * @throws CurvatureError as `areaUnderCurve`
 */
export function areaInterval(
  truth: Labels,
  scores: ArrayLike<number>,
  positive: Label,
): Interval | undefined {
  const where = "areaInterval";
  checkLabels(truth, truth?.length, where);
  checkNumbers(scores, truth.length, `${where}, scores`);
  const rows = Array.from({ length: truth.length }, (_, i) => i);
  const mine = rows.filter((i) => truth[i] === positive);
  const others = rows.filter((i) => truth[i] !== positive);
  if (mine.length < 2 || others.length < 2) return undefined;
  const all = ranksOf(rows, scores);
  const among = [ranksOf(mine, scores), ranksOf(others, scores)];
  const beaten = mine.map((i) => ((all.get(i) ?? 0) - (among[0].get(i) ?? 0)) / others.length);
  const beating = others.map((i) => 1 - ((all.get(i) ?? 0) - (among[1].get(i) ?? 0)) / mine.length);
  const { mean: area, variance } = spreadOf(beaten);
  const deviation = Math.sqrt(variance / mine.length + spreadOf(beating).variance / others.length);
  if (!(area > 0 && area < 1 && deviation > 0)) return undefined;
  const logit = log(area / (1 - area));
  const half = (Z * deviation) / (area * (1 - area));
  const back = (t: number): number => 1 / (1 + exp(-t));
  return [back(logit - half), back(logit + half)];
}

/** From 1; equal scores have their mean rank. */
function ranksOf(rows: readonly number[], scores: ArrayLike<number>): ReadonlyMap<number, number> {
  const order = [...rows].sort((a, b) => scores[a] - scores[b]);
  const ranks = new Map<number, number>();
  for (let start = 0; start < order.length; ) {
    let end = start;
    while (end < order.length && scores[order[end]] === scores[order[start]]) end++;
    for (let k = start; k < end; k++) ranks.set(order[k], (start + 1 + end) / 2);
    start = end;
  }
  return ranks;
}

function spreadOf(values: ArrayLike<number>): { readonly mean: number; readonly variance: number } {
  const n = values.length;
  let [mean, squares] = [0, 0];
  for (let i = 0; i < n; i++) {
    const step = values[i] - mean;
    mean += step / (i + 1);
    squares += step * (values[i] - mean);
  }
  return { mean, variance: squares / Math.max(1, n - 1) };
}
