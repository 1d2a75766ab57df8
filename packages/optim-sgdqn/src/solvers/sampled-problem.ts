/**
 * A part of a problem's rows: one drawn from each of as many runs of rows, so that neither sorted rows nor rows with a
 * period spoil it. Targets, importances, loss, λ and bias are the problem's.
 */
import { RandomGenerator, selectRows } from "@curvature/linalg";
import type { LinearProblem } from "@curvature/objectives/linear";

/** @param count - rows of the sample, at most those of the problem */
export function sampledProblem(problem: LinearProblem, count: number, seed: number): LinearProblem {
  const { rows, targets, importances } = problem;
  const drawn = drawnRows(rows.rows, count, new RandomGenerator(seed));
  return {
    ...problem,
    rows: selectRows(rows, drawn),
    targets: partOf(targets, drawn),
    importances: importances === undefined ? undefined : partOf(importances, drawn),
  };
}

/** Increasing. */
function drawnRows(n: number, count: number, random: RandomGenerator): Int32Array {
  const drawn = new Int32Array(count);
  for (let k = 0; k < count; k++) {
    const start = Math.floor((k * n) / count);
    const end = Math.floor(((k + 1) * n) / count);
    drawn[k] = Math.min(end - 1, start + Math.floor(random.uniform() * (end - start)));
  }
  return drawn;
}

function partOf(all: Float64Array, drawn: Int32Array): Float64Array {
  const part = new Float64Array(drawn.length);
  for (let k = 0; k < part.length; k++) part[k] = all[drawn[k]];
  return part;
}
