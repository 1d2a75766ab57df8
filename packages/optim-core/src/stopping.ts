/**
 * Stopping rules: small objects that say their formula, compose with `anyOf` and `allOf`, and tell in the result
 * which of them fired and with what numbers. A limit of Infinity switches a rule off.
 *
 * A rule is a description; `start` makes a test of it that belongs to one run, so that one rule may serve many
 * runs at once.
 */
import { badOption } from "@curvature/linalg";
import type { EndingTest, Iteration, Point, SnapshotValue } from "./solver.js";
import type { Status } from "./status.js";

/** What a test may look at besides the iteration. The points are the solver's own arrays, not copies. */
export interface RunContext {
  readonly best: Point;
  readonly last: Point;
  /** Seconds inside the run, those before a resume included. */
  readonly elapsedSeconds: number;
}

/** That a rule fired: the status of the result, and a sentence with the numbers. */
export interface Stop {
  readonly status: Status;
  readonly message: string;
  /** The description of the rule that fired; left out by rules that are not composed. */
  readonly rule?: string;
  /** The test in numbers; left out by rules that have none. */
  readonly test?: EndingTest | undefined;
}

/** What tests remember, each under its rule's description: a changed limit beside it loses nothing. */
export type TestStates = Map<string, SnapshotValue>;

/** A rule at work in one run. It is asked after every iteration, once. */
export interface StoppingTest {
  check(iteration: Iteration, context: RunContext): Stop | undefined;
  /** Puts what the test remembers under its rule's description; left out by tests that remember nothing. */
  save?(states: TestStates): void;
  restore?(states: TestStates): void;
}

export interface StoppingRule {
  /** The formula with its numbers: "iterations >= 100". */
  readonly description: string;
  /** The descriptions of the rules of which any one fires it; left out by those that are one rule. */
  readonly alternatives?: readonly string[];
  /** The most evaluations and passes that it lets a run make: solvers can hold to them within a step. Left out: any number. */
  readonly evaluations?: number;
  readonly passes?: number;
  /** A fresh test. The context is that before the first step (or right after the resume). */
  start(context: RunContext): StoppingTest;
}

/** A rule of the user's: `check` sees every iteration and remembers nothing. @throws CurvatureError ERR_OPTION */
export function rule(description: string, check: StoppingTest["check"]): StoppingRule {
  if (typeof description !== "string") throw badOption("rule", "description", "a string", description);
  return { description, start: () => ({ check }) };
}

/** Iteration `limit` is the last (the first one is always made). Status `max-iterations`. */
export function maxIterations(limit: number): StoppingRule {
  checkLimit("maxIterations", limit);
  return rule(`iterations >= ${limit}`, ({ index }) =>
    index >= limit
      ? stop("max-iterations", `${index} iterations are made, ${limit} were allowed.`, {
          name: "iterations",
          value: index,
          limit,
        })
      : undefined,
  );
}

/**
 * Status `max-evaluations` after the iteration in which the solver's evaluations reach `limit`. Solvers with line searches make
 * none beyond; others end the iteration first.
 */
export function maxEvaluations(limit: number): StoppingRule {
  checkLimit("maxEvaluations", limit);
  const ended = rule(`evaluations >= ${limit}`, ({ evaluations }) =>
    evaluations >= limit
      ? stop("max-evaluations", `${evaluations} evaluations are made, ${limit} were allowed.`, {
          name: "evaluations",
          value: evaluations,
          limit,
        })
      : undefined,
  );
  return { ...ended, evaluations: limit };
}

/**
 * Status `max-iterations` after the iteration in which the passes over the sum reach `limit` (may be a fraction). Solvers that
 * evaluate the whole sum each time make none beyond the next whole number; others end the iteration first.
 */
export function maxPasses(limit: number): StoppingRule {
  checkLimit("maxPasses", limit);
  const ended = rule(`passes >= ${limit}`, ({ passes }) =>
    passes >= limit
      ? stop("max-iterations", `${shortly(passes)} passes are made, ${limit} were allowed.`, {
          name: "passes",
          value: passes,
          limit,
        })
      : undefined,
  );
  return { ...ended, passes: limit };
}

/** Status `time-limit` after the iteration in which the run's seconds (those before a resume included) reach `seconds`. */
export function timeLimit(seconds: number): StoppingRule {
  checkLimit("timeLimit", seconds);
  return rule(`elapsed seconds >= ${seconds}`, (_, { elapsedSeconds }) =>
    elapsedSeconds >= seconds
      ? stop("time-limit", `${shortly(elapsedSeconds)} s have passed, ${seconds} s were allowed.`, {
          name: "seconds",
          value: elapsedSeconds,
          limit: seconds,
        })
      : undefined,
  );
}

/** Status `target-reached` once the best value is `target` or better. */
export function targetValue(target: number, sense: "minimize" | "maximize" = "minimize"): StoppingRule {
  if (typeof target !== "number" || Number.isNaN(target))
    throw badOption("targetValue", "target", "a number", target);
  if (sense !== "minimize" && sense !== "maximize")
    throw badOption("targetValue", "sense", '"minimize" or "maximize"', sense);
  const sign = sense === "minimize" ? "<=" : ">=";
  return rule(`best value ${sign} ${target}`, (_, { best: { value } }) =>
    value !== undefined && (sense === "minimize" ? value <= target : value >= target)
      ? stop("target-reached", `The best value ${shortly(value)} reached the target ${target}.`, {
          name: "value",
          value,
          limit: target,
        })
      : undefined,
  );
}

/**
 * Fires as soon as one of the rules does. Where several fire at once, the first of these statuses is the
 * result's: target-reached, converged, any other, max-iterations, max-evaluations, time-limit.
 */
export function anyOf(...rules: readonly StoppingRule[]): StoppingRule {
  const any = composed("or", rules, (stops) => (stops.length > 0 ? leading(stops) : undefined));
  const least = (limit: "evaluations" | "passes"): number =>
    Math.min(...rules.map((each) => each[limit] ?? Number.POSITIVE_INFINITY));
  const limits = { evaluations: least("evaluations"), passes: least("passes") };
  return { ...any, alternatives: rules.flatMap(alternativesOf), ...limits };
}

/** Fires when all of the rules fire in the same iteration: `allOf(valueDecreaseBelow(1e-6), gradientNormBelow(1e-3))`. */
export function allOf(...rules: readonly StoppingRule[]): StoppingRule {
  return composed("and", rules, (stops) =>
    stops.length > 0 && stops.length === rules.length
      ? stop(leading(stops).status, stops.map((s) => s.message).join(" "), leading(stops).test)
      : undefined,
  );
}

function composed(
  word: string,
  rules: readonly StoppingRule[],
  decide: (stops: readonly Stop[]) => Stop | undefined,
): StoppingRule {
  const where = word === "or" ? "anyOf" : "allOf";
  for (const [k, given] of rules.entries()) checkRule(given, `${where}: rule ${k}`);
  return {
    description:
      rules.length === 0 ? "never" : rules.map((r) => bracketed(r.description, rules)).join(` ${word} `),
    start(context) {
      const tests = rules.map((r) => started(r, context));
      const fired: Stop[] = [];
      return {
        check(iteration, now) {
          fired.length = 0;
          for (let k = 0; k < tests.length; k++) {
            const stopped = tests[k].check(iteration, now); // every test sees every iteration
            if (stopped !== undefined) fired.push({ rule: rules[k].description, ...stopped });
          }
          return decide(fired);
        },
        save: (states) => {
          for (const test of tests) test.save?.(states);
        },
        restore: (states) => {
          for (const test of tests) test.restore?.(states);
        },
      };
    },
  };
}

export const alternativesOf = ({
  description,
  alternatives = [description],
}: StoppingRule): readonly string[] => alternatives;

/** @throws CurvatureError ERR_OPTION unless it has a description and a start */
export function checkRule(given: unknown, where: string): void {
  const isRule =
    typeof given === "object" &&
    given !== null &&
    "description" in given &&
    typeof given.description === "string" &&
    "start" in given &&
    typeof given.start === "function";
  if (!isRule) throw badOption(where, "stop", "a stopping rule such as maxIterations(100)", given);
}

/** @throws CurvatureError ERR_OPTION if what starts is no test */
export function started(rule: StoppingRule, context: RunContext): StoppingTest {
  const test: unknown = rule.start(context);
  if (isTest(test)) return test;
  throw badOption(rule.description, "start", "a function that returns a test, { check }", test);
}

const isTest = (given: unknown): given is StoppingTest =>
  typeof given === "object" && given !== null && "check" in given && typeof given.check === "function";

const bracketed = (description: string, siblings: readonly StoppingRule[]): string =>
  siblings.length > 1 && / (or|and) /.test(description) ? `(${description})` : description;

const precedence: readonly Status[] = ["time-limit", "max-evaluations", "max-iterations"];
const rank = ({ status }: Stop): number => {
  if (status === "target-reached") return 5;
  if (status === "converged") return 4;
  const limit = precedence.indexOf(status);
  return limit < 0 ? 3 : limit;
};

function leading(stops: readonly Stop[]): Stop {
  return stops.reduce((first, other) => (rank(other) > rank(first) ? other : first));
}

export const stop = (status: Status, message: string, test?: EndingTest): Stop => ({ status, message, test });

/** A number in a sentence. */
export const shortly = (value: number): string => String(Number(value.toPrecision(6)));

function checkLimit(where: string, limit: unknown): void {
  if (typeof limit !== "number" || !(limit >= 0))
    throw badOption(where, "limit", "a number of at least 0, or Infinity", limit);
}
