/** What Hessian-free optimization takes, and what it tells of each step. */
import { between, checkOptions, integerFrom } from "@curvature/linalg";

export interface HessianFreeOptions {
  /** λ in the first step, from 1e-100 to 1e100. Default 1. */
  readonly initialDamping?: number;
  /** Products with B in a step, at most. Default 250. */
  readonly maxInnerIterations?: number;
}

export const hessianFreeDefaults: Required<HessianFreeOptions> = Object.freeze({
  initialDamping: 1,
  maxInnerIterations: 250,
});

export interface HessianFreeDetails {
  /** λ of the next step. */
  readonly damping: number;
  /** ρ; NaN where no step was made. */
  readonly reductionRatio: number;
  readonly innerIterations: number;
  /** Products with B so far; those by differences are among the evaluations too. */
  readonly products: number;
}

/** @throws CurvatureError ERR_OPTION */
export const checkHessianFree = (options: HessianFreeOptions | undefined): Required<HessianFreeOptions> =>
  checkOptions("HessianFree", options, hessianFreeDefaults, {
    initialDamping: between(1e-100, 1e100),
    maxInnerIterations: integerFrom(1),
  });
