/**
 * Evaluations that go wrong: values that are not finite, and errors.
 */
import { run } from "../run.js";
import type { Solver } from "../solver.js";
import { maxIterations } from "../stopping.js";
import { type Checks, type ConformanceCase, stepsOf } from "./case.js";
import { Faults } from "./faults.js";
import { ensure } from "./trace.js";

const CALLS = [1, 2, 3, 5, 8, 13, 21];

export function faultChecks(given: ConformanceCase): Checks {
  const steps = stepsOf(given);
  return {
    "a value that is not finite never becomes the best, whenever it comes": async () => {
      for (const call of CALLS) {
        for (const poison of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
          const faults = new Faults({ call, poison });
          const result = await run(given.create(1, faults), { stop: maxIterations(steps) });
          const where = `${poison} at call ${call}`;
          ensure(call > 1 || faults.count > 0, "evaluations must go through the faults that create is given");
          ensure(
            result.status !== "failed",
            `${where}: an evaluation that is not finite is no failure`,
            result.message,
          );
          ensure(result.x.every(Number.isFinite), `${where}: the best point is not finite`);
          ensure(
            result.value === undefined || Number.isFinite(result.value),
            `${where}: best is ${result.value}`,
          );
          ensure(result.usable || result.status === "diverged", `${where}: not usable, but ${result.status}`);
        }
      }
    },
    "an evaluation that throws ends the run as failed, with the best point kept": async () => {
      for (const call of CALLS) {
        const poison = new Error("the evaluation broke");
        const faults = new Faults({ call, poison });
        const result = await run(given.create(1, faults), { stop: maxIterations(steps) });
        if (faults.count < call) return;
        const where = `an error at call ${call}`;
        ensure(result.status === "failed", `${where}: the status is ${result.status}`);
        ensure(result.cause === poison, `${where}: the cause must be the error`, result.cause);
        ensure(result.message.includes(poison.message), `${where}: the message must say why`, result.message);
        ensure(result.x.every(Number.isFinite), `${where}: the best point is not finite`);
      }
    },
    "after an evaluation that threw, the same steps follow as without it": async () => {
      const whole = given.create(1, new Faults());
      const expected = await valuesOf(whole, steps);
      for (const call of CALLS) {
        const faults = new Faults({ call, poison: new Error("the evaluation broke") });
        const solver = given.create(1, faults);
        const received = await valuesOf(solver, steps);
        if (faults.count < call) return;
        const at = expected.findIndex((value, k) => !Object.is(value, received[k]));
        ensure(at < 0, `an error at call ${call}: the value after step ${at + 1} differs`, received[at]);
        ensure(
          solver.last.x.every((entry, i) => Object.is(entry, whole.last.x[i])),
          `an error at call ${call}: the last point differs`,
        );
      }
    },
  };
}

/** The values after each of the steps; one that throws is made again. */
async function valuesOf(solver: Solver, steps: number): Promise<readonly (number | undefined)[]> {
  const values: (number | undefined)[] = [];
  for (let k = 0, errors = 0; k < steps; k++) {
    try {
      const { value, outcome } = await solver.step();
      values.push(value);
      if (outcome !== undefined) return values;
    } catch (error) {
      if (++errors > 1) throw error;
      k--;
    }
  }
  return values;
}
