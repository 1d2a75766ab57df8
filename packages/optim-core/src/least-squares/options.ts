/** The options of `leastSquares`. */
import {
  type OptionsOf,
  oneOf,
  optionTable,
  positive,
  positiveOrInfinity,
  type SettingsOf,
  strictlyBetween,
} from "@curvature/linalg";
import { facadeEntries } from "../facade.js";
import { valueNoise } from "../line-search/noise.js";
import { bound } from "../solvers/box.js";
import type { LeastSquaresDetails } from "./levenberg-marquardt.js";

export type LeastSquaresPhase = "start" | "statistics";

export const leastSquaresOptions = optionTable({
  /** l, one number for all parameters or one for each; -Infinity for none. Equal to `upper` it fixes a parameter. */
  lower: bound.default(Number.NEGATIVE_INFINITY),
  /** u likewise, Infinity for none; at least l. */
  upper: bound.default(Number.POSITIVE_INFINITY),
  /** How much large residuals weigh: as their squares, or less, so that outliers do not lead the fit. */
  loss: oneOf("squared", "soft-l1", "huber", "cauchy").default("squared"),
  /** C, the residual from which on a loss other than `squared` weighs less: about that of good observations. */
  lossScale: positive.default(1),
  /** The level of the intervals. */
  level: strictlyBetween(0, 1).default(0.95),
  valueNoise,
  /** Iterations at most. */
  maxIterations: positiveOrInfinity("a number of iterations").default(1000),
  /** Evaluations of the residuals at most, those for differences included. */
  maxEvaluations: positiveOrInfinity("a number of evaluations").default(Number.POSITIVE_INFINITY),
  ...facadeEntries<LeastSquaresDetails, LeastSquaresPhase>(),
});
export type LeastSquaresOptions = OptionsOf<typeof leastSquaresOptions>;
export type LeastSquaresSettings = SettingsOf<typeof leastSquaresOptions>;
