/** What L-BFGS for bounds takes: the box, as it may be given and as the solver has it. */
import { CurvatureError, checkOptions, optional, positive, type Rule } from "@curvature/linalg";
import { pairsRule } from "./lbfgs-memory.js";

export interface LbfgsbOptions {
  /** l, one number for all coordinates or one for each; -Infinity for none. Default 0. */
  readonly lower?: number | Float64Array;
  /** u likewise, Infinity for none; at least l. Default Infinity. */
  readonly upper?: number | Float64Array;
  /** m, the number of pairs. Default 10. */
  readonly memory?: number;
  /** The length α of the first trial along −g_F while there are no pairs. Default min(1, 1/‖g_F‖₁). */
  readonly initialStep?: number;
}

export interface LbfgsbSettings {
  readonly lower: number | Float64Array;
  readonly upper: number | Float64Array;
  readonly memory: number;
  readonly initialStep: number | undefined;
}

export const lbfgsbDefaults: LbfgsbSettings = Object.freeze({
  lower: 0,
  upper: Number.POSITIVE_INFINITY,
  memory: 10,
  initialStep: undefined,
});

export interface LbfgsbDetails {
  /** |F|, the coordinates that are free to move. */
  readonly free: number;
  /** Evaluations that the search took. */
  readonly trials: number;
  /** Whether p was, or became, −g_F. */
  readonly restarted: boolean;
}

const bound: Rule = {
  expected: "a number or a Float64Array, without NaN",
  accepts: (value) =>
    (typeof value === "number" && !Number.isNaN(value)) ||
    (value instanceof Float64Array && !value.some(Number.isNaN)),
};

/** @throws CurvatureError ERR_OPTION */
export const checkLbfgsb = (options: LbfgsbOptions | undefined): LbfgsbSettings =>
  checkOptions("Lbfgsb", options, lbfgsbDefaults, {
    lower: bound,
    upper: bound,
    memory: pairsRule,
    initialStep: optional(positive),
  });

/** One bound for each coordinate. */
export function spread(name: string, given: number | Float64Array, n: number): Float64Array {
  if (typeof given === "number") return new Float64Array(n).fill(given);
  if (given.length === n) return given.slice();
  throw new CurvatureError(
    "ERR_SHAPE",
    `Lbfgsb: ${name} must have one number for each of the ${n} coordinates; it has ${given.length}.`,
    { path: name, expected: `${n} numbers`, received: given.length },
  );
}

export function checkBox(lower: Float64Array, upper: Float64Array): void {
  const at = lower.findIndex(
    (l, i) => l > upper[i] || l === Number.POSITIVE_INFINITY || upper[i] === Number.NEGATIVE_INFINITY,
  );
  if (at < 0) return;
  throw new CurvatureError(
    "ERR_OPTION",
    `Lbfgsb: no number lies between the bounds of coordinate ${at} (counted from 0), ${lower[at]} and ${upper[at]}.`,
    { path: `lower[${at}]`, expected: `at most ${upper[at]}`, received: lower[at] },
  );
}
