/** What the method of multipliers takes, and what it tells of an iteration. */
import { checkOptions, integerFrom, nonNegative, oneOf, positive } from "@curvature/linalg";

export interface MultipliersOptions {
  /** Which gradient. Default "paper", whose gap is the smaller one on most sets after the same work. */
  readonly mode?: "paper" | "exact";
  /** What ends it: the certified gap, or the authors' test of the negative entries. Default "gap". */
  readonly stop?: "gap" | "violation";
  /** Certified relative gap at which it has converged; 0 never. Default 1e-4. */
  readonly tolerance?: number;
  /** N. Default 15. */
  readonly innerSteps?: number;
  /** Outer steps between two looks at the bounds. Default 10. */
  readonly boundsEvery?: number;
  /** "violation": the least entry allowed, in units of −K/n. Default 1e-3. */
  readonly largestViolation?: number;
  /** "violation": root mean square allowed of the negative entries. Default 1e-4. */
  readonly meanViolation?: number;
  /** Of the first Lanczos start. Default 0. */
  readonly seed?: number;
}

export const multipliersDefaults: Readonly<Required<MultipliersOptions>> = Object.freeze({
  mode: "paper",
  stop: "gap",
  tolerance: 1e-4,
  innerSteps: 15,
  boundsEvery: 10,
  largestViolation: 1e-3,
  meanViolation: 1e-4,
  seed: 0,
});

/** @throws CurvatureError ERR_OPTION */
export const checkMultipliers = (
  options: MultipliersOptions | undefined,
): Readonly<Required<MultipliersOptions>> =>
  checkOptions("Multipliers", options, multipliersDefaults, {
    mode: oneOf("paper", "exact"),
    stop: oneOf("gap", "violation"),
    tolerance: nonNegative,
    innerSteps: integerFrom(1),
    boundsEvery: integerFrom(1),
    largestViolation: positive,
    meanViolation: positive,
    seed: integerFrom(0),
  });

export interface MultipliersDetails {
  /** Certified relative gap; Infinity before the first bounds. */
  readonly gap: number;
  readonly lower: number;
  readonly upper: number;
  /** t */
  readonly outer: number;
  /** −min (P + E) n/K and the root mean square of the negative entries, at the last change of G. */
  readonly largestViolation: number;
  readonly meanViolation: number;
  /** λ, the least eigenvalue of the gradient, from above. */
  readonly eigenvalue: number;
  /** Products with the gradient so far. */
  readonly products: number;
}
