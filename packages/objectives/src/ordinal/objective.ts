/**
 * The objective of ordinal embedding: n objects, X n × p row-major, N comparisons of squared distances,
 *
 *   F(X) = Σ_q w_q l(d₁, d₂) / Σ_q w_q + (λ/2n) Σ_r ‖x_r‖²        (the mean loss; r over the objects that occur)
 *
 * Without the ridge F depends on distances alone: moving, turning and reflecting X changes nothing, and the rows of
 * the gradient have the sum 0.
 *
 * Ma et al.: Fast stochastic ordinal embedding with variance reduction and adaptive step size (2019), section 2.
 */
import {
  badOption,
  CurvatureError,
  nonNegative,
  type OptionsOf,
  optionTable,
  shown,
} from "@curvature/linalg";
import { fingerprintOf, type Objective } from "@curvature/optim-core";
import { checkPoint } from "../checks.js";
import { ComparisonData } from "./comparison-data.js";
import { type ComparisonSum, ComparisonTerms } from "./comparison-sum.js";
import { type Comparisons, checkComparisons, checkIndices } from "./comparisons.js";
import type { OrdinalLoss, OrdinalLossName } from "./loss.js";
import { ordinalLoss, ordinalLossOptions } from "./losses.js";
import type { PairLosses } from "./pair-losses.js";

/**
 * F, its terms, and what it is made of. Arrays of points and gradients have length n p (ERR_SHAPE else). Not to be
 * used from two places at once: evaluations share their scratch arrays.
 */
export interface OrdinalObjective extends Objective {
  readonly fingerprint: string;
  readonly comparisons: Comparisons;
  readonly loss: OrdinalLoss;
  /** p */
  readonly dimensions: number;
  /** λ */
  readonly ridge: number;
  /** The same F as a sum over the comparisons, for stochastic solvers. */
  readonly sum: ComparisonSum;
  /**
   * The same with another λ. What has been made of the comparisons is shared, scratch arrays too.
   *
   * @throws CurvatureError ERR_OPTION
   */
  withRidge(ridge: number): OrdinalObjective;
}

export const ordinalObjectiveOptions = optionTable({
  /** λ of the ridge (λ/2n) ‖X‖². */
  ridge: nonNegative.default(0),
  /** μ of "ckl", where the loss is given by name. */
  mu: ordinalLossOptions.entries.mu,
  /** α of "tste", where the loss is given by name. Left out: max(p − 1, 1). */
  alpha: ordinalLossOptions.entries.alpha,
});
export type OrdinalObjectiveOptions = OptionsOf<typeof ordinalObjectiveOptions>;

/**
 * @param comparisons - used as they are, not copied
 * @param loss - its name, or a loss of `ordinalLoss`
 * @param dimensions - p, at least 1
 * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
 */
export function ordinalObjective(
  comparisons: Comparisons,
  loss: OrdinalLoss | OrdinalLossName,
  dimensions: number,
  options?: OrdinalObjectiveOptions,
): OrdinalObjective {
  const { ridge, mu, alpha } = ordinalObjectiveOptions.resolve("ordinalObjective", options);
  checkComparisons(comparisons);
  checkDimensions(dimensions, comparisons.objects);
  const used = typeof loss === "string" ? ordinalLoss(loss, { mu, alpha, dimensions }) : loss;
  checkLoss(used);
  return new MeanLoss(new ComparisonData(comparisons, used, dimensions), ridge);
}

class MeanLoss implements OrdinalObjective {
  readonly comparisons: Comparisons;
  readonly loss: OrdinalLoss;
  readonly dimensions: number;
  readonly dimension: number;
  readonly fingerprint: string;
  readonly sum: ComparisonTerms;
  private readonly losses: ComparisonTerms | PairLosses;

  constructor(
    private readonly data: ComparisonData,
    readonly ridge: number,
  ) {
    const { comparisons, loss, dimensions } = data;
    this.comparisons = comparisons;
    this.loss = loss;
    this.dimensions = dimensions;
    this.dimension = comparisons.objects * dimensions;
    this.fingerprint = fingerprintOf("ordinal", loss.description, dimensions, ridge, data.fingerprint);
    const { count, shares } = data;
    this.sum = new ComparisonTerms(
      { comparisons, loss, dimensions, count, shares, ridgeShares: data.ridgeShares(ridge) },
      this.fingerprint,
    );
    this.losses = data.pairLosses ?? this.sum;
  }

  withRidge(ridge: number): OrdinalObjective {
    if (!nonNegative.accepts(ridge))
      throw badOption("OrdinalObjective.withRidge", "ridge", nonNegative.expected, ridge);
    return new MeanLoss(this.data, ridge);
  }

  evaluate(X: Float64Array, gradient?: Float64Array): number {
    checkPoint("ordinalObjective", X, gradient, this.dimension);
    return this.losses.evaluateLosses(X, gradient) + this.evaluateRidge(X, gradient);
  }

  private evaluateRidge(X: Float64Array, gradient: Float64Array | undefined): number {
    const { ridgeShares } = this.sum;
    if (ridgeShares === undefined) return 0;
    const p = this.dimensions;
    const perRow = this.ridge / this.comparisons.objects;
    let squares = 0;
    for (let r = 0; r < ridgeShares.length; r++) {
      if (ridgeShares[r] === 0) continue;
      for (let at = r * p; at < (r + 1) * p; at++) {
        squares += X[at] * X[at];
        if (gradient !== undefined) gradient[at] += perRow * X[at];
      }
    }
    return 0.5 * perRow * squares;
  }
}

/**
 * The share of the comparisons that X (n × p row-major) does not satisfy: NOT (d₁ < d₂), so that ties and NaN are
 * errors; weighted where the comparisons are. Comparisons of a pair with itself are allowed, and errors.
 *
 * @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT
 */
export function errorShare(comparisons: Comparisons, X: Float64Array): number {
  checkIndices(comparisons);
  const { objects, quadruplets, weights } = comparisons;
  const p = X instanceof Float64Array ? X.length / objects : 0;
  if (!Number.isSafeInteger(p) || p < 1)
    throw new CurvatureError(
      "ERR_SHAPE",
      `X must be a Float64Array with the same number of coordinates for each of the ${objects} objects; received ${shown(X)}.`,
      { path: "X", received: X },
    );
  if (quadruplets.length === 0)
    throw new CurvatureError("ERR_SHAPE", "There are no comparisons, so no share of them can be wrong.", {
      path: "quadruplets",
    });
  let errors = 0;
  let total = 0;
  for (let at = 0; at < quadruplets.length; at += 4) {
    const weight = weights === undefined ? 1 : weights[at / 4];
    const near = squaredDistance(X, p, quadruplets[at], quadruplets[at + 1]);
    const far = squaredDistance(X, p, quadruplets[at + 2], quadruplets[at + 3]);
    if (!(near < far)) errors += weight;
    total += weight;
  }
  return errors / total;
}

function squaredDistance(X: Float64Array, p: number, i: number, j: number): number {
  let sum = 0;
  for (let t = 0; t < p; t++) {
    const u = X[i * p + t] - X[j * p + t];
    sum += u * u;
  }
  return sum;
}

function checkDimensions(dimensions: unknown, objects: number): void {
  if (Number.isSafeInteger(dimensions) && Number(dimensions) >= 1 && Number(dimensions) * objects < 2 ** 31)
    return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `dimensions must be a whole number of at least 1, and less than 2^31 coordinates in all; received ${shown(dimensions)}.`,
    {
      where: "ordinalObjective",
      path: "dimensions",
      expected: "a whole number of at least 1",
      received: dimensions,
    },
  );
}

function checkLoss(loss: unknown): void {
  const isLoss =
    typeof loss === "object" &&
    loss !== null &&
    "description" in loss &&
    typeof loss.description === "string" &&
    "values" in loss &&
    typeof loss.values === "function" &&
    "slopes" in loss &&
    typeof loss.slopes === "function" &&
    "valuesAndSlopes" in loss &&
    typeof loss.valuesAndSlopes === "function";
  if (!isLoss)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `the loss must be a name or come from ordinalLoss; received ${shown(loss)}.`,
      { where: "ordinalObjective", path: "loss", received: loss },
    );
}
