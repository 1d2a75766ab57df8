/** A pass over dense rows, in which every row takes a product and a sum of vectors: all of them one call. */
import { type RowMemory, takeRowMemory } from "@curvature/linalg";
import { linearLoss, type Rows, rowAccess } from "@curvature/objectives/linear";
import { createLearner, type LearnerSettings, type TrainingRows } from "@curvature/optim-sgdqn";
import { type Contest, draws, type Native, perUnit } from "./kernel-contest.ts";

const lambda = 1e-4;
const t0 = 1e6;

export function densePass(isDouble: boolean, rows: number, columns: number, native: Native): Contest {
  const entries = draws(rows * columns, 1);
  const targets = draws(rows, 2).map((target) => (target < 0 ? -1 : 1));
  const settings: LearnerSettings = {
    ...{ loss: linearLoss("squared-hinge"), lambda, t0, columns, bias: "none", step: "explicit" },
    ...{ skip: rows + 1, averageStart: 0, memory: 1, biasGain: 1, initial: undefined },
  };
  const precision = isDouble ? "double" : "single";
  return {
    kernel: "pass of stochastic gradients, dense rows",
    size: `${rows} x ${columns}, ${precision} precision`,
    goal: 2,
    unit: "ns a number",
    figure: perUnit(rows * columns),
    prepare: () => {
      const memory = takeRowMemory(rows, columns, undefined, isDouble);
      const access = rowAccess(filled(memory, entries, rows, columns, isDouble));
      const pass: TrainingRows = {
        ...{ access, targets, memory },
        ...{ importances: undefined, order: undefined, squaredNorms: undefined },
      };
      return () => {
        const learner = createLearner("svmsgd2", settings);
        learner.visit(pass, 0, rows);
        return learner.parameters();
      };
    },
    hasSimd: true,
    native: native("dense-rows", precision, rows, columns, lambda, t0),
    tolerance: 1e-6,
  };
}

/** The rows, where native loops reach them if they do. */
function filled(
  memory: RowMemory | undefined,
  entries: Float64Array,
  rows: number,
  columns: number,
  isDouble: boolean,
): Rows {
  if (memory !== undefined && "data" in memory.rows) {
    memory.rows.data.set(entries);
    return memory.rows;
  }
  return isDouble ? { rows, columns, data: entries } : { rows, columns, data: Float32Array.from(entries) };
}
