/**
 * What iterations say, and the order in which a run makes them known.
 */
import type { RunResult } from "../result.js";
import { iterate, run } from "../run.js";
import type { Iteration } from "../solver.js";
import { maxIterations } from "../stopping.js";
import { type Checks, type ConformanceCase, stepsOf } from "./case.js";
import { Faults } from "./faults.js";
import { advance, ensure, stateBits } from "./trace.js";

const counters = ["evaluations", "gradientEvaluations", "monitoringEvaluations", "passes"] as const;
const measures = ["value", "gradientNorm", "stepLength"] as const;

export function iterationChecks(given: ConformanceCase): Checks {
  const steps = stepsOf(given);
  const fresh = () => given.create(1, new Faults());
  return {
    "a fresh solver has its start as best and last point": async () => {
      const { best, last, dimension, name, fingerprint } = fresh();
      ensure(name !== "" && fingerprint !== "", "name and fingerprint must not be empty");
      ensure(best.x.length === dimension && last.x.length === dimension, "best and last must be points");
      ensure(best.x.every(Number.isFinite), "the start must be finite");
    },
    "iterations are well formed and their counters never fall": async () => {
      let before: Iteration | undefined;
      await advance(fresh(), steps, (iteration) => {
        wellFormed(iteration, before);
        before = iteration;
      });
    },
    "best is at least as good as every reported value": async () => {
      const { sense = "minimize" } = given;
      if (sense === "none") return;
      const sign = sense === "minimize" ? 1 : -1;
      const solver = fresh();
      await advance(solver, steps, ({ value, index }) => {
        const best = solver.best.value;
        const isBest =
          value === undefined ||
          !Number.isFinite(value) ||
          (best !== undefined && sign * best <= sign * value);
        ensure(isBest, `iteration ${index} reports ${value}, but best is ${best}`);
      });
    },
    "after its outcome a solver stays as it is": async () => {
      const solver = fresh();
      let outcome: Iteration["outcome"];
      await advance(solver, steps, (iteration) => {
        outcome = iteration.outcome;
      });
      if (outcome === undefined) return;
      const before = stateBits(solver);
      const again = await solver.step();
      ensure(
        again.outcome?.status === outcome.status,
        "a further step must repeat the outcome",
        again.outcome,
      );
      ensure(stateBits(solver) === before, "a further step must not change the state");
    },
    "a run makes every iteration known once, in order, before its checkpoint": async () => {
      const events: string[] = [];
      const result = await run(fresh(), {
        stop: maxIterations(steps),
        history: true,
        onIteration: ({ index }) => events.push(`iteration ${index}`),
        checkpoint: { everyIterations: 1, write: () => void events.push("checkpoint") },
      });
      const expected = Array.from({ length: result.iterations }, (_, k) => [
        `iteration ${k + 1}`,
        "checkpoint",
      ]);
      ensure(events.join() === expected.flat().join(), "the events are out of order", events.slice(0, 6));
      ensure(
        result.history.every(({ index }, k) => index === k + 1),
        "the history must have all iterations in order",
      );
      complete(result);
    },
    "an abort in the middle keeps the best point": async () => {
      const solver = fresh();
      const controller = new AbortController();
      const middle = Math.max(1, Math.floor(steps / 2));
      const result = await run(solver, {
        signal: controller.signal,
        onIteration: ({ index }) => void (index === middle && controller.abort()),
      });
      ensure(result.iterations <= middle, `aborted at ${middle}, ended at ${result.iterations}`);
      ensure(result.iterations < middle || ended(result), `the status is ${result.status}`);
      ensure(result.value === solver.best.value, "the result must have the best value", result.value);
      ensure(
        result.x !== solver.best.x && result.x.every((entry, i) => entry === solver.best.x[i]),
        "the result must have a copy of the best point",
      );
      complete(result);
    },
    "a loop can be left": async () => {
      const solver = fresh();
      let seen = 0;
      for await (const iteration of iterate(solver)) {
        seen = iteration.index;
        if (seen === 2) break;
      }
      ensure(seen <= 2, `left at iteration 2, but ${seen} came`);
      const next = await solver.step();
      ensure(
        next.index === seen + 1 || next.outcome !== undefined,
        "the solver must be able to go on",
        next.index,
      );
    },
  };
}

const ended = ({ status }: RunResult): boolean =>
  status === "aborted" || status === "converged" || status === "stalled" || status === "max-evaluations";

function wellFormed(iteration: Iteration, before: Iteration | undefined): void {
  const { index, phase, outcome } = iteration;
  ensure(index === (before?.index ?? 0) + 1, `iteration ${index} follows ${before?.index ?? "the start"}`);
  ensure(typeof phase === "string" && phase !== "", "phase must be a word", phase);
  ensure("details" in iteration && "outcome" in iteration, "details and outcome must be there");
  ensure(outcome === undefined || outcome.message !== "", "an outcome needs a message");
  for (const name of measures)
    ensure(
      name in iteration && (iteration[name] === undefined || typeof iteration[name] === "number"),
      `${name} must be a number or undefined`,
      iteration[name],
    );
  for (const name of counters) {
    const count = iteration[name];
    ensure(Number.isFinite(count) && count >= (before?.[name] ?? 0), `${name} must not fall`, count);
    ensure(name === "passes" || Number.isSafeInteger(count), `${name} must be a whole number`, count);
  }
  ensure(
    iteration.gradientEvaluations <= iteration.evaluations,
    "gradientEvaluations are among the evaluations",
  );
}

function complete(result: RunResult): void {
  const missing = resultFields.filter((name) => !(name in result));
  ensure(missing.length === 0, `the result lacks ${missing.join(", ")}`);
  ensure(result.message !== "", "the result needs a message");
}

const resultFields: readonly (keyof RunResult)[] = [
  "x",
  "last",
  "value",
  "gradientNorm",
  "iterations",
  "evaluations",
  "gradientEvaluations",
  "monitoringEvaluations",
  "passes",
  "elapsedSeconds",
  "status",
  "usable",
  "message",
  "cause",
  "history",
  "options",
];
