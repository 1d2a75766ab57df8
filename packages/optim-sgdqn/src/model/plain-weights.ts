/**
 * A model as numbers that anyone computes with, without this library:
 *
 *   score_k = intercept_k + Σ_j coefficients_kj (x_j − offsets_j)          offsets: where there are none, 0
 *   z_k     = probabilities.scale_k score_k + probabilities.shift_k
 *
 *   sigmoid           p of the second of two classes = 1/(1 + e^{−z})
 *   softmax           p_k = e^{z_k} / Σ e^{z_l}
 *   one-versus-rest   p_k = s_k / Σ s_l,  s_k = 1/(1 + e^{−z_k})
 *
 * of numbers the one score is the prediction; of two classes a score above 0 means the second; of several the largest score's class
 * counts.
 */
import { CurvatureError } from "@curvature/linalg";
import { preparedNames } from "@curvature/linalg/tables";
import { logisticSigmoid } from "../calibration/sigmoid.js";
import { type FittedModel, Scorer } from "../fit/fitted.js";
import type { Label } from "../fit/labels.js";
import type { LinearModel } from "./model-file.js";

export interface PlainWeights {
  readonly task: LinearModel["task"];
  /** By feature its name: of a table's the column, or `column=level`, which is 1 in rows of this level and else 0. */
  readonly columns: readonly string[];
  /** Sorted; none of numbers. */
  readonly classes: readonly Label[];
  /** One row for two classes and for numbers, else one for each class; in the data's units. */
  readonly coefficients: readonly (readonly number[])[];
  readonly intercept: readonly number[];
  /** What is taken from columns that lie so far from 0 that their digits would be lost otherwise. */
  readonly offsets?: readonly number[];
  /** Rows are divided by their lengths first. */
  readonly unitRows?: true;
  readonly probabilities?: {
    readonly rule: "sigmoid" | "softmax" | "one-versus-rest";
    readonly scale: readonly number[];
    readonly shift: readonly number[];
  };
}

/** @throws CurvatureError ERR_ARGUMENT for a model that was not fitted; ERR_NON_FINITE as its coefficients */
export function plainWeights({ task, fitted }: LinearModel): PlainWeights {
  if (fitted === undefined)
    throw new CurvatureError("ERR_ARGUMENT", "the model is not fitted. Call fit first.", {
      where: "plainWeights",
      path: "model",
    });
  const { features, classes, scaling } = fitted;
  const { coefficients, near, far, offsets } = new Scorer(fitted);
  const rows = Array.from(near.intercepts, (_, k) =>
    Array.from(coefficients.data.subarray(k * features, (k + 1) * features)),
  );
  const isFar = new Set(far);
  const probabilities = probabilityRule(fitted);
  return {
    task,
    columns: featureNames(fitted),
    classes,
    coefficients: rows,
    intercept: Array.from(near.intercepts),
    ...(far.length > 0 && { offsets: Array.from(offsets, (offset, j) => (isFar.has(j) ? offset : 0)) }),
    ...(scaling?.method === "unit-rows" && { unitRows: true }),
    ...(probabilities !== undefined && { probabilities }),
  };
}

/** Without a table features are known by their numbers alone. */
export function featureNames({ preparation, features, indexBase = 0 }: FittedModel): string[] {
  if (preparation !== undefined) return preparedNames(preparation);
  return Array.from({ length: features }, (_, j) => `feature ${j + indexBase}`);
}

/** Undefined where scores are no probabilities. */
export function probabilityRule(fitted: FittedModel): PlainWeights["probabilities"] {
  const { classes, loss, calibration, shifts, multiclass } = fitted;
  if (classes.length === 0 || (loss !== "logistic" && calibration === undefined)) return undefined;
  const models = Array.from({ length: classes.length > 2 ? classes.length : 1 }, (_, k) => {
    const { slope, offset } = calibration?.[k] ?? logisticSigmoid;
    return { scale: -slope, shift: slope * (shifts?.[k] ?? 0) - offset };
  });
  return {
    rule: multiclass ?? "sigmoid",
    scale: models.map(({ scale }) => scale),
    shift: models.map(({ shift }) => shift),
  };
}
