/**
 * How far a fitted formula may be off at a row, by the delta method: with the gradient g of its value by the parameters, their
 * covariance C and the residuals' standard deviation s,
 *
 *   the mean         t √(gᵀ C g)
 *   a new row        t √(gᵀ C g + s²)
 *
 * t is Student's quantile of the fit's level. Parameters at a bound are as if they were fixed.
 */
import type { Tape } from "../../formula/tape.js";

/** Plain data. */
export interface Uncertainty {
  /** Row by row; undefined where none is known. */
  readonly covariance: readonly (readonly number[])[] | undefined;
  /** Parameters that a bound holds. */
  readonly active: readonly number[];
  /** Undefined where no parameter has a standard error. */
  readonly quantile: number | undefined;
  readonly residualStandardDeviation: number | undefined;
}

export interface BandPoint {
  readonly value: number;
  /** Half the widths of the intervals of the mean and of a new row; undefined where they are not known. */
  readonly within: number | undefined;
  readonly newWithin: number | undefined;
}

export class Band {
  private readonly gradient: Float64Array;

  constructor(
    private readonly tape: Tape,
    private readonly parameters: Float64Array,
    private readonly uncertainty: Uncertainty,
  ) {
    this.gradient = new Float64Array(parameters.length);
  }

  /** @param data - has the row's columns from `at` on */
  at(data: Float64Array, at: number): BandPoint {
    const { gradient, uncertainty } = this;
    const value = this.tape.gradient(data, at, this.parameters, gradient);
    for (const j of uncertainty.active) gradient[j] = 0;
    const { covariance, quantile, residualStandardDeviation: s } = uncertainty;
    if (covariance === undefined || quantile === undefined)
      return { value, within: undefined, newWithin: undefined };
    const variance = quadraticForm(covariance, gradient);
    const known = (half: number): number | undefined => (Number.isFinite(half) ? half : undefined);
    return {
      value,
      within: known(quantile * Math.sqrt(variance)),
      newWithin: s === undefined ? undefined : known(quantile * Math.sqrt(variance + s * s)),
    };
  }
}

/** Where the vector is 0 the matrix need not be known. */
function quadraticForm(matrix: readonly (readonly number[])[], vector: Float64Array): number {
  let sum = 0;
  for (const [i, a] of vector.entries())
    for (const [j, b] of vector.entries()) if (a !== 0 && b !== 0) sum += a * b * matrix[i][j];
  return sum;
}
