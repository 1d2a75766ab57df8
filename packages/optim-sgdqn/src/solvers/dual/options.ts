/** What a caller may ask of dual coordinate descent. */
import {
  anything,
  badOption,
  checkOptions,
  integerFrom,
  nonNegative,
  optional,
  positive,
} from "@curvature/linalg";
import { checkLinearProblem, type LinearProblem } from "@curvature/objectives/linear";
import { type SharedRows, sharedRows } from "../../multiclass/shared-rows.js";

export interface DualCoordinateDescentOptions {
  /** (P − D)/P at which it ends as converged. Default 1e-3. */
  readonly tolerance?: number;
  /** Passes over the rows at most; a sweep over fewer rows is less than a pass. Default 1000. */
  readonly maxPasses?: number;
  /** Of the order of the rows. Default 0. */
  readonly seed?: number;
  /**
   * Where to start: the `dual` of a solver on the same rows, targets, loss and importances, with any λ. Copied.
   * Default: 0, and a growing first sweep.
   */
  readonly initialDual?: Float64Array | undefined;
  /** The rows, checked before; see `SharedRows`. Default: the problem is checked here. */
  readonly shared?: SharedRows | undefined;
}

export interface DualSettings {
  readonly tolerance: number;
  readonly maxPasses: number;
  readonly seed: number;
}

export const dualCoordinateDescentDefaults: DualSettings = Object.freeze({
  tolerance: 1e-3,
  maxPasses: 1000,
  seed: 0,
});

type AllOptions = DualSettings & Pick<DualCoordinateDescentOptions, "initialDual" | "shared">;
const allDefaults: AllOptions = {
  ...dualCoordinateDescentDefaults,
  initialDual: undefined,
  shared: undefined,
};

/** @throws CurvatureError as `checkLinearProblem`; ERR_OPTION for an option, or a "free" bias */
export function checkDual(
  where: string,
  problem: LinearProblem,
  options: DualCoordinateDescentOptions | undefined,
): AllOptions {
  const checked = checkOptions<AllOptions>(where, options, allDefaults, {
    tolerance: nonNegative,
    maxPasses: positive,
    seed: integerFrom(0),
    initialDual: anything,
    shared: optional(sharedRows),
  });
  if (checked.shared === undefined) checkLinearProblem(problem, where);
  else checked.shared.check(problem, where);
  if (problem.bias === "free")
    throw badOption(
      where,
      "bias",
      '"none" or "regularized" (a "free" one is no term of the dual: take the trust-region Newton solver)',
      problem.bias,
    );
  return checked;
}
