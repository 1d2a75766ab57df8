import { driveSum } from "@curvature/optim-core";
import { Sfo } from "@curvature/optim-sfo";
import { problems, references, startOf, wholeSum } from "./reference.js";

export const PASSES = [5, 10, 20] as const;

export interface Looks {
  /** F where the solver stands after 5, 10 and 20 passes, as many of these as were asked for. */
  readonly values: readonly number[];
  readonly restarts: number;
  /** Whether it ended by itself. */
  readonly hasEnded: boolean;
}

/** One run of a reference problem with the program's first Hessian, looked at where the authors' program was: at the next point to be evaluated. */
export function valuesAfterPasses(name: string, seed: number, looks: number = PASSES.length): Looks {
  const sum = problems[name]();
  const solver = driveSum(new Sfo(sum, startOf(references[name]), { seed, initialHessian: 1e5 }), sum);
  let restarts = 0;
  let hasEnded = false;
  const values = PASSES.slice(0, looks).map((passes) => {
    for (;;) {
      const iteration = solver.step();
      if (iteration instanceof Promise) throw new Error("a promise");
      restarts = iteration.details.restarts;
      hasEnded = iteration.outcome !== undefined;
      if (iteration.passes >= passes || hasEnded) break;
    }
    return wholeSum(sum, solver.last.x);
  });
  return { values, restarts, hasEnded };
}
