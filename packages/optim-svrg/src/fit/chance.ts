/**
 * Whether a map knows anything: do answers that it was not fitted to agree with it more often than a coin would?
 *
 * The answers' units are divided into folds; for each a map is fitted to the others. An answer held out counts with the
 * map's margin m = √d₂ − √d₁, so that answers of which the map is sure count for more. If the answers are flips of a
 * coin, whoever flips, the sums S_g of the units have mean 0, and
 *
 *   t = Σ_g S_g / √(Σ_g S_g²)
 *
 * is near a normal one. Chance is not ruled out where t is below 1.5 of Student's 0.975 quantile. Folds are fitted in turn, and no
 * more of them once t is beyond any doubt.
 */
import { RandomGenerator } from "@curvature/linalg";
import { type Comparisons, comparisonCount } from "@curvature/objectives/ordinal";
import type { Dependence } from "../answers/dependence.js";
import { addMargins, emptyMargins, judgesAmong, MIN_JUDGED, studentised } from "../answers/estimates.js";
import { evenParts, separated } from "../answers/parts.js";
import { type QuickFit, quickFit } from "./quick-fit.js";

export interface ChanceTest {
  /** Whether the map agrees with new answers more often than a coin would. */
  readonly isBetter: boolean;
  /** t above, over `units`; Infinity where the answers are so many that the fit itself shows it. */
  readonly statistic: number;
  readonly units: number;
}

const FOLDS = 5;
const ITERATIONS = 30;
const SLOW = 1e-3;
const RIDGE = 0.1;
/** t at which no further fold could change the answer. */
const NO_DOUBT = 5;

/**
 * What a map of np coordinates can learn of N coin flips by heart is at most some √(np/N) of them above a half; where
 * `trainingError` is better than that by as much again nothing needs to be held out.
 */
export function isBeyondChance(comparisons: Comparisons, dimensions: number, trainingError: number): boolean {
  const gain = 0.5 - trainingError;
  return gain > 1.2 * Math.sqrt((comparisons.objects * dimensions) / comparisonCount(comparisons));
}

/**
 * By people where there are enough of them, else by trials.
 *
 * @param asTask - runs a part of the work when the event loop lets it
 * @returns undefined for too few units to judge by
 */
export async function chanceTest(
  comparisons: Comparisons,
  dependence: Pick<Dependence, "coarsest" | "trials">,
  fit: Pick<QuickFit, "loss" | "dimensions" | "mu" | "alpha" | "seed">,
  asTask: <T>(work: () => T) => Promise<T>,
): Promise<ChanceTest | undefined> {
  const units = judgesAmong(dependence);
  if (units === undefined) return undefined;
  const folds = FOLDS;
  const margins = emptyMargins(units.count);
  const partOf = evenParts(units, folds, new RandomGenerator(fit.seed));
  for (let fold = 0; fold < folds; fold++) {
    await asTask(() => {
      const { inside, outside, insideAt } = separated(comparisons, partOf, fold);
      const X = quickFit(outside, { ...fit, ridge: RIDGE, iterations: ITERATIONS, slowest: SLOW });
      addMargins(margins, inside, (q) => units.unitOf[insideAt[q]], X);
    });
    const { statistic, units: known } = studentised(margins);
    if (statistic > NO_DOUBT && known >= 2 * MIN_JUDGED) return { isBetter: true, statistic, units: known };
  }
  const { statistic, units: known, isBeyond } = studentised(margins);
  return isBeyond === undefined ? undefined : { isBetter: isBeyond, statistic, units: known };
}
