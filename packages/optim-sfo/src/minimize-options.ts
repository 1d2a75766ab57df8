/**
 * The options of the façade: the solver's, when the run ends, and how evaluations are made.
 */
import { checkOptions, flag, integerFrom, optional, type Rule } from "@curvature/linalg";
import { maxPasses, type RunOptions, type StoppingRule, targetValue, timeLimit } from "@curvature/optim-core";
import type { SfoDetails } from "./details.js";
import { checkSfoOptions, type SfoOptions, type SfoSettings, sfoDefaults } from "./options.js";

export interface MinimizeSumOptions
  extends SfoOptions,
    Pick<
      RunOptions<SfoDetails>,
      "signal" | "onIteration" | "yieldEvery" | "checkpoint" | "resume" | "history"
    > {
  /** The first point, M numbers; needed unless the problem has an `initial` one. */
  readonly initial?: Float64Array;
  /** Evaluations by the solver, as a multiple of N; those that measure the result come on top. Default 20. */
  readonly maxPasses?: number;
  readonly maxSeconds?: number;
  /** Ends the run once F is measured at or below it, every `measureEvery` passes. */
  readonly targetValue?: number;
  /**
   * Passes between two measurements of F on the way, N evaluations each; Infinity for none before the end. Default
   * Infinity, or 1 with a `targetValue`.
   */
  readonly measureEvery?: number;
  /**
   * Evaluations under way at once, where subfunctions return promises. With more than `batch` the solver takes the
   * answers in the order of their arrival, and runs differ. Default 1, or `batch`.
   */
  readonly concurrency?: number;
  /**
   * Whether F is measured at the end, at the last two points and the best one so far, to return the best of them; 2
   * or 3 passes that count as monitoring. Without it the returned point is the last one, its value unknown. Default true.
   */
  readonly finalize?: boolean;
}

export interface MinimizeSumSettings {
  readonly maxPasses: number;
  readonly maxSeconds: number;
  readonly targetValue: number;
  readonly measureEvery: number | undefined;
  readonly concurrency: number | undefined;
  readonly finalize: boolean;
}

const ownDefaults: MinimizeSumSettings = {
  maxPasses: 20,
  maxSeconds: Number.POSITIVE_INFINITY,
  targetValue: Number.NEGATIVE_INFINITY,
  measureEvery: undefined,
  concurrency: undefined,
  finalize: true,
};

export const minimizeSumDefaults: MinimizeSumSettings & SfoSettings = Object.freeze({
  ...sfoDefaults,
  ...ownDefaults,
});

/** What goes to the run as it is. */
const runKeys = ["signal", "onIteration", "yieldEvery", "checkpoint", "resume", "history"] as const;
const ownKeys = [
  "maxPasses",
  "maxSeconds",
  "targetValue",
  "measureEvery",
  "concurrency",
  "finalize",
] as const;

const positiveOrInfinite: Rule = {
  expected: "a number above 0 (or Infinity)",
  accepts: (value) => typeof value === "number" && value > 0,
};
const anyNumber: Rule = {
  expected: "a number",
  accepts: (value) => typeof value === "number" && !Number.isNaN(value),
};

export interface Sorted {
  readonly solver: SfoSettings;
  readonly own: MinimizeSumSettings;
  readonly run: RunOptions<SfoDetails>;
}

/** The options by those who use them. @throws CurvatureError ERR_OPTION */
export function sortOptions(options: MinimizeSumOptions): Sorted {
  const { initial: _initial, ...rest } = options;
  const parts: {
    own: Record<string, unknown>;
    run: Record<string, unknown>;
    solver: Record<string, unknown>;
  } = {
    own: {},
    run: {},
    solver: {},
  };
  for (const [key, value] of Object.entries(rest)) {
    const part = ownKeys.some((k) => k === key) ? "own" : runKeys.some((k) => k === key) ? "run" : "solver";
    if (value !== undefined) parts[part][key] = value;
  }
  const own = checkOptions<MinimizeSumSettings>("minimizeSum", parts.own, ownDefaults, {
    maxPasses: positiveOrInfinite,
    maxSeconds: positiveOrInfinite,
    targetValue: anyNumber,
    measureEvery: optional(positiveOrInfinite),
    concurrency: optional(integerFrom(1)),
    finalize: flag,
  });
  return { own, run: parts.run, solver: checkSfoOptions("minimizeSum", parts.solver) };
}

export function stoppingRules({
  maxPasses: passes,
  maxSeconds,
  targetValue: target,
}: MinimizeSumSettings): StoppingRule[] {
  return [
    ...(target > Number.NEGATIVE_INFINITY ? [targetValue(target)] : []),
    maxPasses(passes),
    timeLimit(maxSeconds),
  ];
}
