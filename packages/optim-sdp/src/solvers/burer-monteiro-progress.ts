/** The numbers that Burer-Monteiro's state machine lives by; all of them go into snapshots. */
import type { SnapshotReader } from "@curvature/optim-core";

const names = [
  "index", // steps
  "evaluations", // of the augmented Lagrangian
  "innerEvaluations", // those of the present inner solver that are among them
  "outerCount", // updates of the multipliers
  "outerLimit", // as many as there may be
  "innerCount", // iterations since the multipliers changed
  "sincePricing", // and since the last pricing
  "between", // as many as there may be between two pricings
  "free", // entries that the inner solver may move
  "cursor", // rows that the present pricing has seen
  "violation", // sum of (dL)^2 over what it has found missing
  "target", // g_t
  "innerTarget", // the measure at which the inner solver goes to pricing
  "sharpness", // 1, times 0.3 for each tighten
  "firstStep", // of the inner solver
  "bound", // the best lower bound
  "lastBound", // the lower bound of the last outer step
  "objective", // Tr(Y' D Y), with the offset
  "measure", // the norm of the projected gradient
  "placesMeasure", // and that at the places
  "rowSumError",
  "traceError",
] as const;

export type Progress = Record<(typeof names)[number], number>;

/** g_t at first. */
const FIRST_TOLERANCE = 1e-2;
/** Inner iterations between two pricings, and outer steps. */
export const BETWEEN = 20;
const OUTER = 60;

/** @param value - of the feasible point to start from */
export function firstProgress(value: number): Progress {
  return {
    ...{ index: 0, evaluations: 0, innerEvaluations: 0, outerCount: 0, outerLimit: OUTER, innerCount: 0 },
    ...{ sincePricing: 0, between: BETWEEN, free: 0, cursor: 0, violation: 0, target: FIRST_TOLERANCE },
    ...{ innerTarget: 0, sharpness: 1, firstStep: 1, bound: value, lastBound: Number.NaN, objective: value },
    ...{ measure: Number.NaN, placesMeasure: Number.NaN },
    ...{ rowSumError: Number.POSITIVE_INFINITY, traceError: Number.POSITIVE_INFINITY },
  };
}

/** @throws CurvatureError ERR_SNAPSHOT */
export function readProgress(state: SnapshotReader, n: number): Progress {
  const progress = firstProgress(0);
  for (const name of names) progress[name] = state.number(name);
  progress.cursor = state.integer("cursor", 0, n);
  return progress;
}
