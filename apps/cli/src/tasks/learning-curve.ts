/**
 * What is known of a training on its way: the cost, where the method knows it, and how wrong rows were.
 */

import { CurvatureError } from "@curvature/linalg";
import type { Iteration } from "@curvature/optim-core";
import {
  errorRate,
  LinearClassifier,
  type LinearModel,
  LinearRegressor,
  regressionReport,
} from "@curvature/optim-sgdqn";
import { type LabeledData, likeClasses } from "./linear-model.js";

/** A point of the learning curve. */
export interface CurvePoint {
  readonly passes: number;
  readonly value: number;
}

/** Values that are known on the way, thinned to what a picture can show. */
export class LearningCurve {
  private known: CurvePoint[] = [];
  private every = 1;
  private seen = 0;

  get points(): readonly CurvePoint[] {
    return this.known;
  }

  add({ passes, value }: Iteration): void {
    if (value === undefined || !Number.isFinite(value)) return;
    const last = this.known.at(-1);
    if (last?.passes === passes && last.value === value) return;
    if (this.seen++ % this.every === 0) this.known.push({ passes, value });
    if (this.known.length < maxPoints) return;
    this.known = this.known.filter((_, k) => k % 2 === 0);
    this.every *= 2;
  }
}

const maxPoints = 2000;

interface Sample {
  readonly passes: number;
  readonly x: Float64Array;
}

/** Numbers that the copies may hold together: 64 MB. */
const maxNumbers = 2 ** 23;

/**
 * How wrong rows were on the way: the run shows its parameters, of which copies are kept; when the model is there, each of
 * them takes the place of the model's own and is judged.
 */
export class ErrorCurve {
  private samples: Sample[] = [];
  private every = 1;
  private seen = 0;

  /** @param x - the solver's own array */
  record(passes: number, x: Float64Array): void {
    if (passes === this.samples.at(-1)?.passes || this.seen++ % this.every !== 0) return;
    this.samples.push({ passes, x: x.slice() });
    if (this.samples.length < 2 || this.samples.length * x.length < maxNumbers) return;
    this.samples = this.samples.filter((_, k) => k % 2 === 0);
    this.every *= 2;
  }

  /** The share of the rows that is wrong; for regression the root of the mean squared error. */
  points(model: LinearModel, data: LabeledData): CurvePoint[] {
    return this.samples.flatMap(({ passes, x }) => {
      const value = wrongness(model, x, data);
      return value === undefined ? [] : [{ passes, value }];
    });
  }
}

/** Undefined for parameters that are too large to be judged. */
function wrongness(
  model: LinearModel,
  parameters: Float64Array,
  { rows, labels }: LabeledData,
): number | undefined {
  const { fitted } = model;
  if (fitted === undefined || !parameters.every(Number.isFinite)) return undefined;
  const then = { ...fitted, parameters, calibration: undefined };
  try {
    if (model.task === "classification") {
      const predicted = new LinearClassifier(model.settings, then).predict(rows);
      return errorRate(likeClasses(labels, then.classes), predicted);
    }
    const predicted = new LinearRegressor(model.settings, then).predict(rows);
    return regressionReport(Float64Array.from(labels, Number), predicted).rootMeanSquaredError;
  } catch (error) {
    if (error instanceof CurvatureError && error.code === "ERR_NON_FINITE") return undefined;
    throw error;
  }
}
