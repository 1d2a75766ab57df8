/** What is to be trained: checked rows and targets, and the settings. */
import { CurvatureError, optionName } from "@curvature/linalg";
import { type Bias, type LinearLoss, linearLoss, type Rows } from "@curvature/objectives/linear";
import { isText } from "../solvers/newton/system.js";
import type { Label } from "./labels.js";
import type { LinearSettings } from "./options.js";

export interface Task {
  readonly settings: LinearSettings;
  /** As given, checked. */
  readonly rows: Rows;
  /** y of each model: one model, or one for each of more than two classes. */
  readonly targets: readonly Float64Array[];
  /** Of the rows, above 0, as the user gave them; undefined for 1 each. */
  readonly weights: Float64Array | undefined;
  /** What errors cost: weights of mean 1, times the weights of classes. */
  readonly importances: Float64Array | undefined;
  /** Sorted; none for regression. */
  readonly classes: readonly Label[];
  /** By row the class, so that held-out rows have their share of each; undefined for regression. */
  readonly classOfRow: Int32Array | undefined;
}

export function lossOf({ loss }: Pick<LinearSettings, "loss">, width: number): LinearLoss {
  return linearLoss(loss, { width });
}

/**
 * Dual coordinate descent has no free bias. For text the losses of margins do without: what it would gain is nothing, and dual
 * coordinate descent is the fastest there. The probabilities of the logistic loss need one.
 */
export function biasOf({ bias, loss, solver }: LinearSettings, rows: Rows): Bias {
  if (bias !== "auto") return bias;
  if (solver === "dcd") return "regularized";
  const hasProbabilities = loss === "logistic" && ["auto", "newton", "lbfgs"].includes(solver);
  return isText(rows) && !hasProbabilities && loss !== "squared-error" && loss !== "huber" ? "none" : "free";
}

/** Numbers that the models' targets, or all that is kept of their parameters, may take: 2 GiB. */
const MAX_NUMBERS = 2 ** 28;

/** Of each model, at the least: what the learner moves, what it keeps beside it, the model, and its coefficients. */
const VECTORS = 4;

/** @throws CurvatureError ERR_MEMORY for more classes than there is room for: those of numbers that are no classes */
export function checkRoom(rows: number, columns: number, classes: number, where: string): void {
  if (classes === 2 || classes * Math.max(rows, VECTORS * (columns + 1)) <= MAX_NUMBERS) return;
  throw new CurvatureError(
    "ERR_MEMORY",
    `${classes} classes of ${rows} rows with ${columns} features are more than one against the rest has room for. If the labels are measurements, take ${optionName("LinearRegressor")}.`,
    { where, path: "labels", expected: `at most ${MAX_NUMBERS} numbers`, received: classes },
  );
}

/** By model y: for two classes +1 for the second, for more each against the rest. */
export function targetsOf(classOfRow: Int32Array, classes: number): readonly Float64Array[] {
  const positives = classes === 2 ? [1] : Array.from({ length: classes }, (_, k) => k);
  return positives.map((positive) => Float64Array.from(classOfRow, (k) => (k === positive ? 1 : -1)));
}
