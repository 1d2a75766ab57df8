/**
 * A fitted model as plain data, and what it says of rows.
 *
 * The parameters belong to the scaled features z = (x − o)/s; on the features as given they are
 *   coefficients  w_j / s_j,      intercept  b − Σ_j w_j o_j / s_j
 * so that rows need no scaled copy to be scored (for "unit-rows" they do). Columns that lie farther from 0 than 10⁶ of their scales
 * would lose their digits in that difference: of these the score has w_j (x_j − o_j) / s_j.
 */
import { CurvatureError, type DenseMatrix, type Scaling, shown, zeros } from "@curvature/linalg";
import { isPreparation, type Preparation, preparedNames } from "@curvature/linalg/tables";
import {
  type Bias,
  type LinearLossName,
  linearLoss,
  linearLossNames,
  type RowAccess,
  type Rows,
  rowAccess,
} from "@curvature/objectives/linear";
import type { Sigmoid } from "../calibration/sigmoid.js";
import type { Label } from "./labels.js";
import { firstColumns, unitRows } from "./rows.js";
import { isTrainingRecord, type TrainingRecord } from "./training-record.js";

/** What predictions need, and where it came from. */
export interface FittedModel<L extends Label = Label> {
  readonly loss: LinearLossName;
  readonly lossWidth: number;
  readonly lambda: number;
  /** The algorithm that found the parameters. */
  readonly solver: string;
  readonly bias: Bias;
  /** d */
  readonly features: number;
  /** Sorted, at least two; none for regression. */
  readonly classes: readonly L[];
  readonly scaling: Scaling | undefined;
  /** Model after model: w on the scaled features, then b unless `bias` is "none". */
  readonly parameters: Float64Array;
  /** One for each model; undefined where scores were not calibrated. */
  readonly calibration: readonly Sigmoid[] | undefined;
  /** How more than two classes were trained: one softmax problem, or one problem for each against the rest. */
  readonly multiclass: "softmax" | "one-versus-rest" | undefined;
  /** By model what class weights add to the scores, and not to the probabilities; undefined without them. */
  readonly shifts: Float64Array | undefined;
  /** What the LIBSVM text of the training counted its features from, where that is known: for who reads more of it. */
  readonly indexBase?: 0 | 1 | undefined;
  /** How a table became the d features of the training, where it did: for who makes them of later rows. */
  readonly preparation?: Preparation | undefined;
  /** Model after model of d coefficients and the intercept, on the features as given; where they are known (`standard-errors.ts`). */
  readonly standardErrors?: Float64Array | undefined;
  /** Of a fit to rows in memory. */
  readonly training?: TrainingRecord | undefined;
}

/** How many scores a row has: one for two classes and for regression, else one for each class. */
export function modelCount(classes: readonly Label[]): number {
  return classes.length > 2 ? classes.length : 1;
}

/** That a model has the shape of one for its task. @throws CurvatureError ERR_ARGUMENT */
export function checkFitted(
  fitted: unknown,
  task: "classification" | "regression",
): asserts fitted is FittedModel {
  const isObject = typeof fitted === "object" && fitted !== null;
  const fields: ReadonlyMap<string, unknown> = new Map(isObject ? Object.entries(fitted) : []);
  const [features, classes, bias] = [fields.get("features"), fields.get("classes"), fields.get("bias")];
  const parameters = fields.get("parameters");
  const isShaped =
    typeof features === "number" &&
    Number.isSafeInteger(features) &&
    Array.isArray(classes) &&
    (task === "classification" ? classes.length >= 2 : classes.length === 0) &&
    linearLossNames.some((name) => name === fields.get("loss") && linearLoss(name).task === task) &&
    parameters instanceof Float64Array &&
    parameters.length === modelCount(classes) * (features + (bias === "none" ? 0 : 1)) &&
    isScaling(fields.get("scaling"), features) &&
    areShifts(fields.get("shifts"), modelCount(classes)) &&
    areErrors(fields.get("standardErrors"), modelCount(classes) * (features + 1)) &&
    (fields.get("training") === undefined || isTrainingRecord(fields.get("training"))) &&
    (fields.get("preparation") === undefined || makesFeatures(fields.get("preparation"), features));
  if (isShaped) return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `The fitted model must be one that \`fitted\` of a model for ${task} gave; received ${shown(fitted)}.`,
    { path: "fitted", received: fitted },
  );
}

/** Whether it makes as many columns as the model has features. */
export const makesFeatures = (preparation: unknown, features: number): preparation is Preparation =>
  isPreparation(preparation) && preparedNames(preparation).length === features;

const areShifts = (shifts: unknown, models: number): boolean =>
  shifts === undefined || (shifts instanceof Float64Array && shifts.length === models);

const areErrors = (errors: unknown, length: number): boolean =>
  errors === undefined || (errors instanceof Float64Array && errors.length === length);

function isScaling(scaling: unknown, features: number): boolean {
  if (scaling === undefined) return true;
  if (typeof scaling !== "object" || scaling === null || !("scales" in scaling && "offsets" in scaling))
    return false;
  return [scaling.scales, scaling.offsets].every(
    (values) => values instanceof Float64Array && values.length === features,
  );
}

export class Scorer {
  /** models × d, on the features as given. */
  readonly coefficients: DenseMatrix;
  /** One for each model. */
  readonly intercepts: Float64Array;
  private readonly ofUnitRows: boolean;
  /** The columns that are scored from their offsets, and those. */
  readonly far: Int32Array;
  readonly offsets: Float64Array;
  /** As `coefficients` and `intercepts`, without those columns. */
  readonly near: { readonly weights: readonly Float64Array[]; readonly intercepts: Float64Array };

  /** @throws CurvatureError ERR_NON_FINITE where a coefficient on the features as given leaves the range of float64 */
  constructor(fitted: FittedModel) {
    const { features, classes, bias, scaling, parameters } = fitted;
    const models = modelCount(classes);
    const length = features + (bias === "none" ? 0 : 1);
    this.coefficients = zeros(models, features);
    this.intercepts = new Float64Array(models);
    this.ofUnitRows = scaling?.method === "unit-rows";
    this.offsets = scaling?.offsets ?? new Float64Array(features);
    this.far = Int32Array.from(this.offsets.keys()).filter(
      (j) => Math.abs(this.offsets[j]) > FAR * (scaling?.scales[j] ?? 1),
    );
    const isFar = new Uint8Array(features);
    for (const j of this.far) isFar[j] = 1;
    const nearIntercepts = new Float64Array(models);
    for (let k = 0; k < models; k++) {
      const b = bias === "none" ? 0 : parameters[k * length + features];
      let [all, near] = [b, b];
      for (let j = 0; j < features; j++) {
        const w = parameters[k * length + j] / (scaling?.scales[j] ?? 1);
        this.coefficients.data[k * features + j] = w;
        all -= w * this.offsets[j];
        if (isFar[j] === 0) near -= w * this.offsets[j];
      }
      this.intercepts[k] = all;
      nearIntercepts[k] = near;
    }
    const { data } = this.coefficients;
    const weightsOfNear = Array.from({ length: models }, (_, k) => {
      const weights = data.slice(k * features, (k + 1) * features);
      for (const j of this.far) weights[j] = 0;
      return weights;
    });
    this.near = { weights: weightsOfNear, intercepts: nearIntercepts };
    if (![this.coefficients.data, this.intercepts].every((values) => values.every(Number.isFinite)))
      throw new CurvatureError(
        "ERR_NON_FINITE",
        "The model's coefficients on the features as given leave the range of float64. Bring the columns nearer to size 1 beforehand.",
        { path: "coefficients" },
      );
  }

  /**
   * n × models. Columns of X beyond d are ignored, missing ones are 0.
   *
   * @param X - checked
   * @throws CurvatureError ERR_NON_FINITE for a score that leaves the range of float64, its row named
   */
  scores(X: Rows): DenseMatrix {
    const { rows: models, columns: d } = this.coefficients;
    const known = firstColumns(X, d);
    const access = rowAccess(this.ofUnitRows && known.rows > 0 ? unitRows(known) : known);
    const scores = zeros(X.rows, models);
    const { near } = this;
    for (let i = 0; i < X.rows; i++) {
      for (let k = 0; k < models; k++) {
        const score = access.dot(i, near.weights[k]) + near.intercepts[k] + this.ofFar(access, i, k);
        if (!Number.isFinite(score)) throw overflow(i);
        scores.data[i * models + k] = score;
      }
    }
    return scores;
  }

  /** Σ w_j (x_j − o_j) over the far columns; entries that are missing are 0. */
  private ofFar(access: RowAccess, row: number, model: number): number {
    const { far, offsets, coefficients } = this;
    if (far.length === 0) return 0;
    const entries = new Map<number, number>();
    access.forEachEntry(row, (column, value) => void entries.set(column, value));
    let sum = 0;
    for (const j of far)
      sum += coefficients.data[model * coefficients.columns + j] * ((entries.get(j) ?? 0) - offsets[j]);
    return sum;
  }
}

/** Scales that a column's offset may be away from 0. */
const FAR = 1e6;

/** A model with what scores by it. */
export interface Ready<L extends Label = Label> {
  readonly fitted: FittedModel<L>;
  readonly scorer: Scorer;
}

/** The index of each row's class: above 0 the second of two, of several the largest score, of equal ones the first. */
export function decide({ rows, columns, data }: DenseMatrix): Int32Array {
  const classOfRow = new Int32Array(rows);
  for (let i = 0; i < rows; i++) {
    if (columns === 1) {
      classOfRow[i] = data[i] > 0 ? 1 : 0;
      continue;
    }
    let best = 0;
    for (let k = 1; k < columns; k++) if (data[i * columns + k] > data[i * columns + best]) best = k;
    classOfRow[i] = best;
  }
  return classOfRow;
}

const overflow = (row: number): CurvatureError =>
  new CurvatureError(
    "ERR_NON_FINITE",
    `The score of row ${row} (counted from 0) leaves the range of float64. Its entries are far larger than those of the training.`,
    { path: `row ${row}` },
  );
