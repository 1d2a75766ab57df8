/**
 * Same seed, same bits; and a loop that leaves nothing behind.
 */

import { type Checks, type ConformanceCase, stepsOf } from "./case.js";
import { Faults } from "./faults.js";
import { advance, ensure, ensureSame, runBits, stateBits, trace } from "./trace.js";

export function determinismChecks(given: ConformanceCase): Checks {
  const steps = stepsOf(given);
  const { createTiny, bits, bytesInUse, longSteps = 1000 } = given;
  return {
    "the same seed gives the same bits": async () => {
      for (const seed of [1, 2]) {
        const first = await trace(given.create(seed, new Faults()), steps);
        const second = await trace(given.create(seed, new Faults()), steps);
        ensureSame(first, second, `two runs with seed ${seed}`);
      }
    },
    "two solvers at once do not disturb each other": async () => {
      const alone = await trace(given.create(1, new Faults()), steps);
      const solver = given.create(1, new Faults());
      const other = given.create(2, new Faults());
      const beside: string[] = [];
      for (let k = 0; k < alone.length - 1; k++) {
        beside.push(...(await trace(solver, 1)).slice(0, 1));
        await other.step();
      }
      ensureSame(alone, [...beside, stateBits(solver)], "a run beside another");
    },
    ...(bits === undefined
      ? {}
      : {
          "the bits are those of every other engine": async () => {
            const found = await runBits(given.create(1, new Faults()), steps);
            ensure(found === bits, `the run's bits are ${found}, not ${bits}`, found);
          },
        }),
    ...(createTiny === undefined
      ? {}
      : {
          "dimension 1": async () => {
            const solver = createTiny(1);
            ensure(solver.dimension === 1, "createTiny must make a problem of dimension 1", solver.dimension);
            await advance(solver, steps);
            ensure(Number.isFinite(solver.best.x[0]), "the best point is not finite", solver.best.x[0]);
          },
        }),
    ...(bytesInUse === undefined
      ? {}
      : {
          "a step leaves nothing behind": async () => {
            const solver = given.create(1, new Faults());
            await advance(solver, longSteps);
            globalThis.gc?.();
            const before = bytesInUse();
            await advance(solver, longSteps);
            globalThis.gc?.();
            const growth = bytesInUse() - before;
            const bound = globalThis.gc === undefined ? 2 ** 25 : 2 ** 20;
            ensure(
              growth < bound,
              `${longSteps} steps left ${growth} bytes behind, ${bound} are allowed`,
              growth,
            );
          },
        }),
  };
}
