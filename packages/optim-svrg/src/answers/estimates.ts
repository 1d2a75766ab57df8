/**
 * Shares of wrong answers with their uncertainty. Answers of one unit (question, trial, person) are dependent: the
 * standard error is that of a ratio of sums over units, and its degrees of freedom are their effective number less one.
 *
 *   e = Σ_g w_g / W,   s² = Σ_g (w_g − e W_g)²/(1 − W_g/W) / W²,   W = Σ_g W_g,   G_e = W²/Σ_g W_g²
 *
 * For G units of equal size G_e is G, and s² has the usual factor G/(G − 1). Where sizes differ, large units draw e to
 * themselves, and say as much as fewer equal ones: of 20 people whose numbers of answers are lognormal (σ = 1.2) 95 %
 * intervals by G alone held the truth in 0.87 to 0.92 of draws, these in 0.94 to 0.95.
 *
 * The interval is Wilson's with Student's quantile, for as many independent answers as would have this standard error.
 *
 * Cochran: Sampling Techniques (1977), § 9A.1; Bell, McCaffrey: Bias reduction in standard errors for linear regression
 * with multi-stage samples (2002); Kish: Survey Sampling (1965); Wilson: Probable inference (1927).
 */
import { exp, log } from "@curvature/linalg";
import type { Comparisons } from "@curvature/objectives/ordinal";
import type { Dependence, Units } from "./dependence.js";

/** A share of wrong answers on answers that the fit did not know. */
export interface ErrorEstimate {
  readonly error: number;
  /** Of `error`, over the units. NaN for a single unit. */
  readonly standardError: number;
  /** Of 95 %. */
  readonly interval: readonly [number, number];
  /** Questions, trials or people that were held out: what the interval counts as independent. */
  readonly units: number;
}

/** For each unit its wrong answers and all, weighted. */
export interface UnitSums {
  readonly wrong: Float64Array;
  readonly weight: Float64Array;
}

export const emptySums = (units: number): UnitSums => ({
  wrong: new Float64Array(units),
  weight: new Float64Array(units),
});

/** Ties are errors, and so are objects without a place. @param X - n × p */
export function addErrors(
  sums: UnitSums,
  { objects, quadruplets, weights }: Comparisons,
  unitOf: (q: number) => number,
  X: Float64Array,
): void {
  const p = X.length / objects;
  for (let q = 0; q < quadruplets.length / 4; q++) {
    const weight = weights === undefined ? 1 : weights[q];
    const unit = unitOf(q);
    sums.weight[unit] += weight;
    if (!(marginOf(quadruplets, q, X, p) > 0)) sums.wrong[unit] += weight;
  }
}

/** √d₂ − √d₁ of an answer: above 0 where the map agrees. */
function marginOf(quadruplets: Int32Array, q: number, X: Float64Array, p: number): number {
  return (
    distance(X, p, quadruplets[4 * q + 2], quadruplets[4 * q + 3]) -
    distance(X, p, quadruplets[4 * q], quadruplets[4 * q + 1])
  );
}

function distance(X: Float64Array, p: number, i: number, j: number): number {
  let sum = 0;
  for (let t = 0; t < p; t++) {
    const u = X[i * p + t] - X[j * p + t];
    sum += u * u;
  }
  return Math.sqrt(sum);
}

/** Of the difference of two maps' errors on the same answers, for sums whose `wrong` may be negative, too. */
export function ratioOf({ wrong, weight }: UnitSums): {
  readonly ratio: number;
  readonly standardError: number;
  readonly units: number;
} {
  let total = 0;
  let sum = 0;
  let units = 0;
  for (let g = 0; g < weight.length; g++) {
    if (weight[g] === 0) continue;
    total += weight[g];
    sum += wrong[g];
    units++;
  }
  const ratio = sum / total;
  let squares = 0;
  for (let g = 0; g < weight.length; g++)
    if (weight[g] > 0) squares += (wrong[g] - ratio * weight[g]) ** 2 / (1 - weight[g] / total);
  const standardError = units < 2 ? Number.NaN : Math.sqrt(squares) / total;
  return { ratio, standardError, units };
}

/** G_e: how many units of equal size say as much as units of these. 0 for none. */
function effectiveUnits(weight: ArrayLike<number>): number {
  let total = 0;
  let squares = 0;
  for (let g = 0; g < weight.length; g++) {
    total += weight[g];
    squares += weight[g] * weight[g];
  }
  return squares > 0 ? (total * total) / squares : 0;
}

/** The same, by their numbers of answers. */
export function effectiveCount({ count, unitOf }: Units): number {
  const answers = new Float64Array(count);
  for (const unit of unitOf) answers[unit]++;
  return effectiveUnits(answers);
}

function estimateOf(sums: UnitSums): ErrorEstimate {
  const { ratio: error, standardError, units } = ratioOf(sums);
  const interval = wilson(error, standardError, effectiveUnits(sums.weight));
  return { error, standardError, interval, units };
}

export function errorEstimate(
  comparisons: Comparisons,
  { count, unitOf }: Units,
  X: Float64Array,
): ErrorEstimate {
  const sums = emptySums(count);
  addErrors(sums, comparisons, (q) => unitOf[q], X);
  return estimateOf(sums);
}

/** @param units - effective ones: 1 for a single unit */
function wilson(error: number, standardError: number, units: number): readonly [number, number] {
  if (Number.isNaN(standardError)) return [0, 1];
  const variance = error * (1 - error);
  // Without any variation between units each counts as one answer.
  const effective = standardError > 0 && variance > 0 ? variance / (standardError * standardError) : units;
  const t = studentQuantile(units - 1);
  const widened = (t * t) / effective;
  const middle = (error + widened / 2) / (1 + widened);
  const half = (t / (1 + widened)) * Math.sqrt(variance / effective + widened / (4 * effective));
  return [Math.max(0, Math.min(error, middle - half)), Math.min(1, Math.max(error, middle + half))];
}

const NORMAL = 1.959963984540054;

/** From 1 to 3 degrees of freedom. */
const OF_FEW = [12.706, 4.3027, 3.1824];

/**
 * The 0.975 quantile of Student's t, to 3 %: from 3 degrees of freedom by Cornish and Fisher, below by its logarithm, which is
 * nearly linear in their inverse. Fewer than 1 count as 1.
 */
export function studentQuantile(degrees: number): number {
  if (degrees < 3) {
    const few = Math.max(1, degrees);
    const low = Math.floor(few);
    const share = (1 / low - 1 / few) * low * (low + 1);
    return exp((1 - share) * log(OF_FEW[low - 1]) + share * log(OF_FEW[low]));
  }
  const z = NORMAL;
  const z2 = z * z;
  return (
    z *
    (1 +
      (z2 + 1) / (4 * degrees) +
      (5 * z2 * z2 + 16 * z2 + 3) / (96 * degrees ** 2) +
      (3 * z2 ** 3 + 19 * z2 * z2 + 17 * z2 - 15) / (384 * degrees ** 3))
  );
}

/** Effective units from which t judges: of fewer it is not far above its bar even where all agree, since t is √G_e at most. */
export const MIN_JUDGED = 20;

/** Of each unit the sum of the margins of its answers; of coin flips the mean is 0. */
export interface UnitMargins {
  readonly sums: Float64Array;
  /** Of the answers that a map was asked for. */
  readonly weight: Float64Array;
}

export const emptyMargins = (units: number): UnitMargins => ({
  sums: new Float64Array(units),
  weight: new Float64Array(units),
});

/**
 * What the test against chance counts as independent: people where they are as good as enough equal ones, else trials.
 *
 * @returns undefined for too few to judge by
 */
export const judgesAmong = ({
  coarsest,
  trials,
}: Pick<Dependence, "coarsest" | "trials">): Units | undefined =>
  [coarsest, trials].find((units) => effectiveCount(units) >= MIN_JUDGED);

/** Adds to each unit the margins of its answers; those about objects without a place do not count. */
export function addMargins(
  { sums, weight }: UnitMargins,
  { objects, quadruplets, weights }: Comparisons,
  unitOf: (q: number) => number,
  X: Float64Array,
): void {
  const p = X.length / objects;
  for (let q = 0; q < quadruplets.length / 4; q++) {
    const margin = marginOf(quadruplets, q, X, p);
    if (!Number.isFinite(margin)) continue;
    const own = weights === undefined ? 1 : weights[q];
    sums[unitOf(q)] += own * margin;
    weight[unitOf(q)] += own;
  }
}

/**
 * Folds are not independent: each was fitted to the others' answers, and what two answers say of each other counts in both
 * of their sums, so that t of coin flips is wider than Student's. Beyond 1.5 of its quantile were 2 of 280
 * runs of coin flips.
 */
const FOLDS_WIDTH = 1.5;

/** t = Σ S_g / √(Σ S_g²) of sums whose mean is 0 under chance, and whether it is beyond 1.5 of Student's 0.975 quantile. */
export function studentised({ sums, weight }: UnitMargins): {
  readonly statistic: number;
  readonly units: number;
  /** Undefined for so few units that t, which is √G_e at most, could hardly be. */
  readonly isBeyond: boolean | undefined;
} {
  let sum = 0;
  let squares = 0;
  const effective = effectiveUnits(weight);
  for (const each of sums) {
    sum += each;
    squares += each * each;
  }
  const statistic = squares > 0 ? sum / Math.sqrt(squares) : 0;
  return {
    statistic,
    units: weight.reduce((count, own) => count + Number(own > 0), 0),
    isBeyond: effective < MIN_JUDGED ? undefined : statistic > FOLDS_WIDTH * studentQuantile(effective - 1),
  };
}
