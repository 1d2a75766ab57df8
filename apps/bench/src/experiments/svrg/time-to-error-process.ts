/** One contestant of `time-to-error.ts` in its own process: a turn is a fit with a seed. */
import { errorShare, ordinalObjective } from "@curvature/objectives/ordinal";
import { maxPasses, run } from "@curvature/optim-core";
import { createOrdinalSolver, ordinalEmbedding } from "@curvature/optim-svrg";
import { takeTurns } from "../../contestants/own-process.ts";
import type { OrdinalSet } from "./sets.ts";
import type { Case, Loss } from "./time-to-error-cases.ts";
import {
  type Facade,
  type FitTask,
  type FitTurn,
  type Fitted,
  TUNED_PASSES,
} from "./time-to-error-contestants.ts";

const secondsSince = (began: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e6;
};

async function timed(work: () => Promise<{ map: Float64Array; passes: number }>): Promise<Fitted> {
  const began = process.cpuUsage();
  const found = await work();
  return { ...found, seconds: secondsSince(began) };
}

/** On the way a map has rows for those objects alone of which the answers speak; the others have no place. */
function placing({ train, dimensions: p }: OrdinalSet): (x: Float64Array) => Float64Array {
  const objects = [...new Set(train.quadruplets)].sort((a, b) => a - b);
  const X = new Float64Array(train.objects * p).fill(Number.NaN);
  return (x) => {
    for (const [row, object] of objects.entries()) X.set(x.subarray(row * p, (row + 1) * p), object * p);
    return X;
  };
}

/** The same run again, its maps looked at once an iteration; looking (in 'test') is not timed, but for its cache misses. */
async function secondsToError(
  { set, cblearn }: Case,
  loss: Loss,
  solver: Facade,
  seed: number,
): Promise<number | undefined> {
  const { train, test, dimensions } = set;
  const placed = placing(set);
  let looking = 0;
  let reached: number | undefined;
  const controller = new AbortController();
  const began = process.cpuUsage();
  await ordinalEmbedding(train, {
    dimensions,
    loss,
    solver,
    seed,
    signal: controller.signal,
    onIteration: ({ value, details }, { last }) => {
      if (value === undefined && details.stage === "fit") return; // within an epoch
      const now = secondsSince(began);
      const error = errorShare(test, placed(last.x));
      if (error <= cblearn[loss].error) {
        reached = now - looking;
        controller.abort();
      }
      looking += secondsSince(began) - now;
    },
  });
  return reached;
}

/** The façade, which needs no tuning and ends by itself. */
async function facade(one: Case, loss: Loss, solver: Facade, seed: number): Promise<Fitted> {
  const { train, dimensions } = one.set;
  const whole = await timed(async () => {
    const { embedding, passes } = await ordinalEmbedding(train, { dimensions, loss, solver, seed });
    return { map: embedding.data, passes };
  });
  return { ...whole, secondsToError: await secondsToError(one, loss, solver, seed) };
}

/** A fixed step, for so many passes. */
function fixed(
  { set: { train, dimensions } }: Case,
  loss: Loss,
  solver: "svrg" | "sgd",
  eta: number,
  seed: number,
  start: Float64Array,
): Promise<Fitted> {
  const N = train.quadruplets.length / 4;
  return timed(async () => {
    const objective = ordinalObjective(train, loss, dimensions);
    const options = { solver, initialStep: N * eta, batchSize: 1, output: "last" as const, seed };
    const { x, passes } = await run(createOrdinalSolver(objective, start, options), {
      stop: maxPasses(TUNED_PASSES),
    });
    return { map: x, passes };
  });
}

takeTurns(async ({ one, loss, contestant }: FitTask) => {
  const { solver, eta } = contestant;
  return ({ seed, start }: FitTurn): Promise<Fitted> =>
    solver === "svrg" || solver === "sgd"
      ? fixed(one, loss, solver, eta, seed, start)
      : facade(one, loss, solver, seed);
});
