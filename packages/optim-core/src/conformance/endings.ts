/**
 * How a solver of objectives ends: what it may say on functions without a lower bound, without a slope, with noise, jumps and
 * walls, and with a gradient that is wrong. Each of them has its status, a decrease is never given back, and a limit of
 * evaluations holds. The unit of F changes nothing.
 */
import type { Objective } from "../problem.js";
import type { RunResult } from "../result.js";
import { run } from "../run.js";
import { maxEvaluations } from "../stopping.js";
import type { Checks, ConformanceCase } from "./case.js";
import { ensure } from "./trace.js";

type CreateOn = NonNullable<ConformanceCase["createOn"]>;
type Evaluate = Objective["evaluate"];

const ENOUGH = 5000;

/** Σ c_i (x_i − 1)² / 2, c = 1, 9. */
const bowl: Evaluate = ([x, y], gradient) => {
  gradient?.set([x - 1, 9 * (y - 1)]);
  return 0.5 * ((x - 1) * (x - 1) + 9 * (y - 1) * (y - 1));
};
const valley: Evaluate = ([x, y], gradient) => {
  const [bend, rest] = [y - x * x, 1 - x];
  gradient?.set([-400 * bend * x - 2 * rest, 200 * bend]);
  return 100 * bend * bend + rest * rest;
};
const start = (): Float64Array => Float64Array.of(-3, 4);

/** Pseudo-random digits of the point, from -1 to 1: a rounding that has no derivative. */
const digits = ([x, y]: Float64Array): number => {
  const mixed = 1e6 * (x + 1.7 * y);
  return 4 * Math.abs(mixed - Math.floor(mixed) - 0.5) - 1;
};

const distance = (x: Float64Array): number => Math.sqrt((x[0] - 1) ** 2 + (x[1] - 1) ** 2);

export function endingChecks(create: CreateOn): Checks {
  const solve = (evaluate: Evaluate, x: Float64Array = start(), limit = ENOUGH, valueNoise?: number) =>
    run(create({ dimension: x.length, evaluate }, x, valueNoise), { stop: maxEvaluations(limit) });
  return {
    "a function without a lower bound diverges within 100 evaluations": async () => {
      const straight: Evaluate = ([x], gradient) => {
        gradient?.set([1]);
        return x;
      };
      const cubic: Evaluate = ([x], gradient) => {
        gradient?.set([-3 * x * x]);
        return -x * x * x;
      };
      for (const evaluate of [straight, cubic]) {
        const result = await solve(evaluate, Float64Array.of(1), 100);
        expectStatus(result, "diverged");
        ensure(result.message.includes("unbounded below"), "the message must say so", result.message);
        ensure(result.usable, "the lowest point is finite");
      }
    },
    "a function without a slope converges at once": async () => {
      const flat: Evaluate = (_, gradient) => {
        gradient?.fill(0);
        return 3;
      };
      const result = await solve(flat);
      expectStatus(result, "converged");
      ensure(result.evaluations === 1, "there is nothing to look for", result.evaluations);
    },
    "an ending by a number says which, and keeps to its limit": async () => {
      const lifted: Evaluate = (x, gradient) => 1e3 + bowl(x, gradient);
      const result = await solve(lifted);
      expectStatus(result, "converged");
      const { test } = result;
      ensure(test !== undefined && test.value <= test.limit, "the number must be within its limit", test);
      ensure(distance(result.x) < 1e-3, "converged away from the minimum", result.x);
    },
    "F times 1e-12 or 1e12 ends in the same way": async () => {
      const lifted =
        (factor: number): Evaluate =>
        (x, gradient) => {
          const value = factor * (1 + bowl(x, gradient));
          if (gradient !== undefined) for (let i = 0; i < 2; i++) gradient[i] *= factor;
          return value;
        };
      const one = await solve(lifted(1));
      for (const factor of [1e-12, 1e-6, 1e6, 1e12]) {
        const result = await solve(lifted(factor));
        expectStatus(result, "converged");
        ensure(distance(result.x) < 1e-5, `F times ${factor} converged away from the minimum`, result.x);
        ensure(
          result.evaluations <= one.evaluations + 60,
          `F times ${factor}: ${result.evaluations} evaluations, F itself ${one.evaluations}`,
        );
      }
    },
    "noise that is known of is no obstacle, and other noise no minimum": async () => {
      const noise = 1e-6;
      const noisy: Evaluate = (x, gradient) => {
        const value = 10 + bowl(x, gradient);
        return value * (1 + noise * digits(x));
      };
      const known = await solve(noisy, start(), ENOUGH, noise);
      expectStatus(known, "converged");
      const unknown = await solve(noisy);
      for (const { status, x } of [known, unknown])
        ensure(status !== "converged" || distance(x) < 0.1, `converged away from the minimum`, x);
      ensure(unknown.status !== "diverged" && unknown.status !== "failed", `it ${unknown.status}`);
    },
    "a jump stalls it": async () => {
      const jump: Evaluate = (x, gradient) => bowl(x, gradient) + (x[0] > -1 ? 1e3 : 0);
      const result = await solve(jump);
      expectStatus(result, "stalled");
      ensure(result.x[0] <= -1, "it must stay before the jump", result.x);
    },
    "a wall where the function is no number stalls it": async () => {
      const wall: Evaluate = (x, gradient) => {
        const value = bowl(x, gradient);
        if (x[0] <= -1) return value;
        gradient?.fill(Number.NaN);
        return Number.NaN;
      };
      expectStatus(await solve(wall), "stalled");
    },
    "a wrong gradient stalls it where it starts, with a hint": async () => {
      const wrong: Evaluate = (x, gradient) => {
        const value = valley(x, gradient);
        if (gradient !== undefined) for (let i = 0; i < 2; i++) gradient[i] = -gradient[i];
        return value;
      };
      const result = await solve(wrong);
      expectStatus(result, "stalled");
      ensure(result.message.includes("checkGradient"), "the message must give the hint", result.message);
      ensure(result.value === valley(start()), "there is no lower value", result.value);
    },
    "an objective that breaks its contract fails, and its error says how": async () => {
      const writing: Evaluate = (x, gradient) => {
        const value = bowl(x, gradient);
        x[0] += 1;
        return value;
      };
      expectFailure(await solve(writing), "written into its point");
      for (const returned of [undefined, Promise.resolve(1)]) {
        const objective = { evaluate: bowl };
        Reflect.set(objective, "evaluate", () => returned);
        expectFailure(await solve(objective.evaluate), "must return a number");
      }
    },
    "an objective with chance in it is named, unless the run has come to a minimum": async () => {
      let state = 1;
      const random: Evaluate = (x, gradient) => {
        state = (state * 16807) % 2147483647;
        return bowl(x, gradient) + state / 2147483647;
      };
      const result = await solve(random);
      const isNamed = result.status === "stalled" && result.message.includes("not deterministic");
      const isThere = result.status === "converged" && distance(result.x) < 0.1;
      ensure(isNamed || isThere, `it ${result.status}: ${result.message}`, result.x);
    },
    "a limit of evaluations holds, and no run ends above its start": async () => {
      const first = valley(start());
      for (let limit = 1; limit <= 60; limit++) {
        let calls = 0;
        const counted: Evaluate = (x, gradient) => {
          calls++;
          return valley(x, gradient);
        };
        const { status, value = Number.NaN } = await solve(counted, start(), limit);
        ensure(calls <= limit, `${calls} evaluations, ${limit} were allowed`);
        ensure(status !== "max-evaluations" || calls === limit, `${limit} were allowed, ${calls} made`);
        ensure(value <= first, `the value ${value} is above the first, ${first}`);
      }
    },
  };
}

function expectStatus({ status, message }: RunResult, expected: RunResult["status"]): void {
  ensure(status === expected, `it must end as ${expected}, and has ended as ${status}: ${message}`);
}

function expectFailure(result: RunResult, words: string): void {
  expectStatus(result, "failed");
  ensure(result.message.includes(words), `the message must say: ${words}`, result.message);
}
