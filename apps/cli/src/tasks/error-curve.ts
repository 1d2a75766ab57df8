/**
 * How wrong rows were on the way: the run shows the parameters of the scaled features z = (x − o)/s, model
 * after model, w and then b if there is one; copies of them are kept, and judged when the model is there.
 *
 *   score of row x   Σ_j w_j (x_j − o_j)/s_j + b,      for unit rows  Σ_j w_j x_j/‖x‖ + b
 */
import { fitScaling } from "@curvature/linalg";
import {
  errorRate,
  type Label,
  type LinearClassifier,
  type LinearRegressor,
  regressionReport,
} from "@curvature/optim-sgdqn";
import type { FeatureMatrix } from "../linear-input.js";
import type { CurvePoint } from "./learning-curve.js";
import { type LabeledData, likeClasses } from "./linear-model.js";

interface Kept {
  readonly passes: number;
  readonly x: Float64Array;
}

/** Numbers that the copies may hold together: 64 MB. */
const mostNumbers = 2 ** 23;

export class ErrorCurve {
  private kept: Kept[] = [];
  private every = 1;
  private seen = 0;

  /** @param x - the solver's own array */
  look(passes: number, x: Float64Array): void {
    if (passes === this.kept.at(-1)?.passes || this.seen++ % this.every !== 0) return;
    this.kept.push({ passes, x: x.slice() });
    if (this.kept.length < 2 || this.kept.length * x.length < mostNumbers) return;
    this.kept = this.kept.filter((_, k) => k % 2 === 0);
    this.every *= 2;
  }

  /** The share of the rows that is wrong; for regression the root of the mean squared error. */
  points(
    model: LinearClassifier | LinearRegressor,
    training: FeatureMatrix,
    { rows, labels }: LabeledData,
  ): CurvePoint[] {
    const models = model.coefficients.rows;
    const d = model.features;
    const { scale } = model.settings;
    const scaling = scale === "none" ? undefined : fitScaling(training, scale);
    const isUnit = scaling?.method === "unit-rows";
    const points: CurvePoint[] = [];
    for (const { passes, x } of this.kept) {
      const length = x.length / models;
      const scores = Array.from({ length: models }, (_, k) => {
        const w = x.slice(k * length, k * length + d);
        let b = length > d ? x[k * length + d] : 0;
        for (let j = 0; j < d && scaling !== undefined; j++) {
          w[j] /= scaling.scales[j];
          b -= w[j] * scaling.offsets[j];
        }
        return scoresOf(rows, w, b, isUnit);
      });
      const value = wrongness(model, scores, labels);
      if (Number.isFinite(value)) points.push({ passes, value });
    }
    return points;
  }
}

function wrongness(
  model: LinearClassifier | LinearRegressor,
  scores: readonly Float64Array[],
  labels: LabeledData["labels"],
): number {
  if (!scores.every((some) => some.every(Number.isFinite))) return Number.NaN;
  if (model.task === "regression") {
    return regressionReport(Float64Array.from(labels, Number), scores[0]).rootMeanSquaredError;
  }
  const { classes } = model;
  const [first] = scores;
  const predicted = Array.from(first, (score, i): Label => {
    if (scores.length === 1) return classes[score > 0 ? 1 : 0];
    let best = 0;
    for (let k = 1; k < scores.length; k++) if (scores[k][i] > scores[best][i]) best = k;
    return classes[best];
  });
  return errorRate(likeClasses(labels, classes), predicted);
}

/** Columns beyond those of w count nothing. */
function scoresOf(rows: FeatureMatrix, w: Float64Array, b: number, isUnit: boolean): Float64Array {
  const scores = new Float64Array(rows.rows);
  for (let i = 0; i < rows.rows; i++) {
    let sum = 0;
    let squares = 0;
    if ("data" in rows) {
      for (let j = 0; j < Math.min(rows.columns, w.length); j++) {
        const value = rows.data[i * rows.columns + j];
        sum += w[j] * value;
        squares += value * value;
      }
    } else {
      for (let p = rows.rowPointers[i]; p < rows.rowPointers[i + 1]; p++) {
        const j = rows.columnIndices[p];
        if (j >= w.length) continue;
        sum += w[j] * rows.values[p];
        squares += rows.values[p] * rows.values[p];
      }
    }
    scores[i] = (isUnit && squares > 0 ? sum / Math.sqrt(squares) : sum) + b;
  }
  return scores;
}
