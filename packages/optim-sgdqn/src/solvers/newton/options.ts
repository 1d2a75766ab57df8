/** What a caller may ask of Newton's method. */
import { anything, badOption, checkOptions, nonNegative, oneOf, optional, positive } from "@curvature/linalg";
import { checkLinearProblem, type LinearProblem } from "@curvature/objectives/linear";
import { type SharedRows, sharedRows } from "../../multiclass/shared-rows.js";
import type { NewtonMethod } from "./choose-system.js";

export interface NewtonOptions {
  /** (P − P*)/P at which it ends as converged, by the Newton decrement. Default 1e-3. */
  readonly tolerance?: number;
  /** Passes at most: reads of n rows for a gradient, a product with the Hessian or its entries. Default 1000. */
  readonly maxPasses?: number;
  /** First parameters, of length `parameterCount(problem)`; copied. Default 0. */
  readonly initial?: Float64Array | undefined;
  /** How the systems are solved (see `chooseMethod`). Default "auto": by the shape of the rows. */
  readonly method?: "auto" | NewtonMethod;
  /** The rows, checked before, and what solvers on the same rows share. Default: the problem is checked here. */
  readonly shared?: SharedRows | undefined;
}

export interface NewtonSettings {
  readonly tolerance: number;
  readonly maxPasses: number;
  readonly method: "auto" | NewtonMethod;
}

export const newtonDefaults: NewtonSettings = Object.freeze({
  tolerance: 1e-3,
  maxPasses: 1000,
  method: "auto",
});

type AllOptions = NewtonSettings & Pick<NewtonOptions, "initial" | "shared">;
const allDefaults: AllOptions = { ...newtonDefaults, initial: undefined, shared: undefined };

/** @throws CurvatureError as `checkLinearProblem`; ERR_OPTION for an option, or for the hinge */
export function checkNewton(
  where: string,
  problem: LinearProblem,
  options: NewtonOptions | undefined,
): AllOptions {
  const checked = checkOptions<AllOptions>(where, options, allDefaults, {
    tolerance: nonNegative,
    maxPasses: positive,
    initial: anything,
    method: oneOf("auto", "explicit", "sampled", "diagonal"),
    shared: optional(sharedRows),
  });
  if (checked.shared === undefined) checkLinearProblem(problem, where);
  else checked.shared.check(problem, where);
  if (problem.loss.name === "hinge")
    throw badOption(
      where,
      "loss",
      'a loss with curvature (for the hinge take solver "dcd", or loss "smoothed-hinge")',
      problem.loss.name,
    );
  return checked;
}
