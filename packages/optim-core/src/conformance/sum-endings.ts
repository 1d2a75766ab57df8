/**
 * How a solver of sums ends: what it may say of sums without a lower bound, without a slope, with jumps and walls, and with
 * gradients that are wrong; and that the unit of F is none of its business. Watched by `monitored`, none ends above its start.
 */
import { monitored } from "../monitored-solver.js";
import type { SumOfFunctions } from "../problem.js";
import type { RunResult } from "../result.js";
import { run } from "../run.js";
import { maxPasses } from "../stopping.js";
import { asObjective } from "../sum.js";
import type { Checks, ConformanceCase } from "./case.js";
import { ensure } from "./trace.js";

type CreateOn = NonNullable<ConformanceCase["createOnSum"]>;
type Evaluate = (index: number, x: Float64Array, gradient?: Float64Array) => number;

const N = 12;
const PASSES = 40;
const start = (): Float64Array => Float64Array.of(3, -2);

/** ½ Σ w (x_i − c_i)² with a centre of its own for each q: the minima of the terms are not that of their sum. */
const bowls: Evaluate = (q, [x, y], gradient) => {
  const [dx, dy] = [x - 1 - 0.1 * (q % 3), 3 * (y - 0.5 + 0.05 * (q % 4))];
  gradient?.set([dx, 3 * dy]);
  return 0.5 * (dx * dx + dy * dy);
};

const sumOf = (evaluate: Evaluate): SumOfFunctions => ({ dimension: 2, count: N, evaluate });

const times =
  (factor: number): Evaluate =>
  (q, x, gradient) => {
    const value = factor * bowls(q, x, gradient);
    if (gradient !== undefined) for (let i = 0; i < 2; i++) gradient[i] *= factor;
    return value;
  };

export function sumEndingChecks(create: CreateOn): Checks {
  const solve = (evaluate: Evaluate) => {
    const sum = sumOf(evaluate);
    return run(monitored(create(sum, start(), 1), sum), { stop: maxPasses(PASSES) });
  };
  const valueAt = (evaluate: Evaluate, x: Float64Array): number => asObjective(sumOf(evaluate)).evaluate(x);
  /** What holds however a run ends. */
  const expectTrue = (result: RunResult, evaluate: Evaluate): void => {
    const value = valueAt(evaluate, result.x);
    ensure(result.x.every(Number.isFinite), "the best point is finite", result.x);
    ensure(value <= valueAt(evaluate, start()), "no run ends above its start", value);
    ensure(result.status !== "failed", `it failed: ${result.message}`);
  };
  return {
    "a sum without a lower bound has no minimum": async () => {
      const straight: Evaluate = (q, [x, y], gradient) => {
        gradient?.set([1 - 0.1 * q, 1]);
        return (1 - 0.1 * q) * x + y;
      };
      const result = await solve(straight);
      expectTrue(result, straight);
      ensure(result.status !== "converged", `it ${result.status}: ${result.message}`);
    },
    "a batch without a lower bound says nothing of the sum": async () => {
      const mixed: Evaluate = (q, x, gradient) => {
        if (q === 0) {
          gradient?.set(x);
          return 0.5 * (x[0] * x[0] + x[1] * x[1]);
        }
        gradient?.set([0.02 * (q % 2), -0.03]);
        return 0.02 * (q % 2) * x[0] - 0.03 * x[1];
      };
      const result = await solve(mixed);
      expectTrue(result, mixed);
      ensure(result.status !== "diverged", `F has a minimum, but: ${result.message}`);
    },
    "a sum without a slope leaves the point where it is": async () => {
      const flat: Evaluate = (_q, _x, gradient) => {
        gradient?.fill(0);
        return 3;
      };
      const result = await solve(flat);
      expectTrue(result, flat);
      ensure(
        result.x.every((entry, i) => entry === start()[i]),
        "there is nowhere to go",
        result.x,
      );
      ensure(result.status !== "diverged", `it diverged: ${result.message}`);
    },
    "a wall where a subfunction is no number is not crossed": async () => {
      const wall: Evaluate = (q, x, gradient) => {
        if (x[0] > 2 || q % 4 !== 0) return bowls(q, x, gradient);
        gradient?.fill(Number.NaN);
        return Number.NaN;
      };
      const result = await solve(wall);
      expectTrue(result, wall);
      ensure(result.status !== "converged", "the decrease beyond the wall is no minimum", result.message);
    },
    "a jump is no minimum": async () => {
      const jump: Evaluate = (q, x, gradient) => bowls(q, x, gradient) + (x[0] < 2 ? 1e3 : 0);
      const result = await solve(jump);
      expectTrue(result, jump);
      ensure(result.status !== "converged", "the slope at the jump is no minimum", result.message);
    },
    "wrong gradients lead to no minimum": async () => {
      const wrong: Evaluate = (q, x, gradient) => {
        const value = bowls(q, x, gradient);
        if (gradient !== undefined) for (let i = 0; i < 2; i++) gradient[i] = -gradient[i];
        return value;
      };
      const result = await solve(wrong);
      expectTrue(result, wrong);
      ensure(result.status !== "converged", `it converged: ${result.message}`);
    },
    "noise is no minimum": async () => {
      const noisy: Evaluate = (q, x, gradient) => {
        const mixed = 1e6 * (x[0] + 1.7 * x[1]) + q / N;
        return (10 + bowls(q, x, gradient)) * (1 + 1e-6 * (mixed - Math.floor(mixed) - 0.5));
      };
      const result = await solve(noisy);
      expectTrue(result, noisy);
      const slack = valueAt(noisy, result.x) - least(noisy);
      ensure(result.status !== "converged" || slack < 1e-2, "converged away from the minimum", slack);
    },
    "F times 1e-12 or 1e12 goes as far": async () => {
      const first = valueAt(bowls, start());
      const one = await solve(bowls);
      expectTrue(one, bowls);
      const reached = first - valueAt(bowls, one.x);
      ensure(reached > 0, "40 passes must lead below the start", one.message);
      for (const factor of [1e-12, 1e-6, 1e6, 1e12]) {
        const result = await solve(times(factor));
        const gone = first - valueAt(bowls, result.x);
        ensure(
          Math.abs(gone - reached) <= 0.05 * reached,
          `F times ${factor}: ${gone} lower, F itself ${reached}: ${result.message}`,
        );
      }
    },
  };
}

/** F at the minimum of the bowls, near enough. */
const least = (evaluate: Evaluate): number =>
  asObjective(sumOf(evaluate)).evaluate(Float64Array.of(1.1, 0.425));
