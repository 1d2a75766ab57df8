/**
 * What `fitStream` and `partialFit` share: batches of rows and targets, one after the other, into models.
 *
 * The first rows decide how columns are scaled and, for regression, from where and in which unit targets are counted (their
 * mean and deviation; Huber: median and 1.4826 times the median absolute deviation); the model has them in the units given.
 * They are the first batch, and what follows until there are 32 rows and two different targets: until then the rows are
 * held, of those with one target only the newest batch, and the model is the one that they alone would make.
 */
import { badOption, CurvatureError } from "@curvature/linalg";
import { type Bias, type LinearLoss, type Rows, rowAccess } from "@curvature/objectives/linear";
import { boolean, madePart, number, type Place, part, stateOf, word } from "@curvature/optim-core/state";
import type { FittedModel } from "../fit/fitted.js";
import type { Label } from "../fit/labels.js";
import type { LinearSettings } from "../fit/options.js";
import type { LinearWarningCode } from "../fit/result.js";
import { unitRows } from "../fit/rows.js";
import { scalingFor } from "../fit/scale.js";
import { biasOf, lossOf } from "../fit/task.js";
import { stochasticSolverNames } from "../learners/create-learner.js";
import { firstBias } from "../learning-rate.js";
import { deviationOf } from "../robust.js";
import { ColumnScaling } from "./column-scaling.js";
import { type Batch, FirstRows, together } from "./first-rows.js";
import { OnlineModels, onlineSolver } from "./online-models.js";

/** Rows that decide, at least. */
const FEWEST = 32;

/** Of the first rows, the divisor of R² that makes the default λ: as of R²/n at n = 10,000. */
const DEFAULT_DIVISOR = 10_000;

/** Of the standard deviation of normal noise: δ at which Huber's estimate is 95 % efficient. */
const EFFICIENT = 1.345;

const biases = ["none", "regularized", "free"] as const satisfies readonly Bias[];

/** What a user should know of a stream. */
export type Concern = readonly [code: LinearWarningCode, sentence: string];

export class OnlineFit {
  readonly state;
  private readonly settings: LinearSettings;
  private readonly modelCount: number;
  private readonly where: string;
  private readonly first: FirstRows;
  private readonly columns = new ColumnScaling();

  /** @throws CurvatureError ERR_OPTION for settings that need all rows at once */
  constructor(settings: LinearSettings, modelCount: number, where: string) {
    checkOnline(settings, where);
    this.settings = settings;
    this.modelCount = modelCount;
    this.where = where;
    this.first = new FirstRows(modelCount);
    this.state = stateOf({
      first: part(this.first),
      /** What the first rows decide, and the models from then on. */
      solver: word("asgd", stochasticSolverNames),
      lambda: number(),
      bias: word("none", biases),
      isScaled: boolean(),
      columns: part(this.columns),
      /** Of targets, and the unit in which they are learned. */
      center: number(0),
      unit: number(1),
      /** In the targets' unit as given. */
      lossWidth: number(1),
      meanWeight: number(1),
      models: madePart((at) => this.modelsAt(at)),
    });
  }

  /** Learns from every row once. @param batch - checked, as given */
  learn(batch: Batch): void {
    const { state, first } = this;
    if (batch.rows.rows === 0) return;
    if (state.models !== undefined) {
      this.visit(state.models, batch);
      return;
    }
    if (!batch.weights.some((weight) => weight > 0)) return;
    const held = together(first.batch, batch);
    if (held.rows.columns === 0)
      throw new CurvatureError("ERR_SHAPE", "The first rows have no columns.", { path: "rows" });
    const isOne = haveOneTarget(held);
    const isEnough = held.rows.rows >= FEWEST;
    if (isEnough && !isOne) {
      this.begin(held);
      first.release();
    } else first.hold(isEnough ? batch : held);
  }

  /** This, or what the rows that are held would make. */
  private get current(): OnlineFit {
    const held = this.first.batch;
    if (this.state.models !== undefined || held === undefined) return this;
    const made = new OnlineFit(this.settings, this.modelCount, this.where);
    made.begin(held);
    return made;
  }

  get evaluations(): number {
    return this.current.state.models?.evaluations ?? 0;
  }

  get t0(): number | undefined {
    return this.current.state.models?.t0;
  }

  /** On the scaled features, in the targets' unit. */
  parameters(): Float64Array {
    const { models, unit, center } = this.current.state;
    if (models === undefined) return new Float64Array(0);
    const parameters = models.parameters();
    if (unit !== 1) for (let p = 0; p < parameters.length; p++) parameters[p] *= unit;
    if (center !== 0) parameters[parameters.length - 1] += center; // regression has one model
    return parameters;
  }

  private begin(batch: Batch): void {
    const { settings, state, columns } = this;
    const { rows, targets, weights } = batch;
    const bias = biasOf({ ...settings, solver: "asgd" }, rows); // no learner of streams solves a system
    const isUneven = weights.some((weight) => weight !== 1);
    const scaling =
      settings.scale === "unit-rows"
        ? undefined
        : scalingFor(rows, settings, bias, isUneven ? weights : undefined, () => undefined);
    if (scaling !== undefined) columns.begin(rows, weights, scaling, bias);
    const [center, unit] = measured(lossOf(settings, 1), targets[0], weights);
    const width = settings.loss === "huber" ? EFFICIENT * unit : 1;
    Object.assign(state, {
      bias,
      isScaled: scaling !== undefined,
      center: bias === "free" ? center : 0,
      unit,
      lossWidth: settings.lossWidth === "auto" ? width : settings.lossWidth,
      meanWeight: weights.reduce((sum, weight) => sum + weight, 0) / rows.rows,
      solver: onlineSolver(settings.solver, rows.columns),
    });
    const { lambda } = settings;
    state.lambda = typeof lambda === "number" ? lambda : defaultLambda(this.scaled(batch), weights);
    const models = this.made(state);
    this.visit(models, batch);
    state.models = models;
  }

  private scaled({ rows, weights }: Batch): Rows {
    if (this.settings.scale === "unit-rows") return unitRows(rows);
    return this.state.isScaled ? this.columns.scaled(rows, weights) : rows;
  }

  private visit(models: OnlineModels, batch: Batch): void {
    const { center, unit, meanWeight } = this.state;
    const { targets, weights, factors } = batch;
    const isEven = factors === undefined && meanWeight === 1 && weights.every((weight) => weight === 1);
    const importances = isEven
      ? undefined
      : weights.map((weight, i) => (weight / meanWeight) * (factors?.[i] ?? 1));
    const moved = targets.map((y) =>
      center === 0 && unit === 1 ? y : y.map((target) => (target - center) / unit),
    );
    models.visit(this.scaled(batch), moved, importances);
  }

  private made(decided: Pick<OnlineFit["state"], "solver" | "lambda" | "bias" | "unit" | "lossWidth">) {
    const { t0, shuffle, seed } = this.settings;
    const { solver, lambda, bias, unit, lossWidth } = decided;
    const known = typeof t0 === "number" ? t0 : undefined;
    const loss = lossOf(this.settings, lossWidth / unit);
    return new OnlineModels({ solver, loss, lambda, bias, t0: known, shuffle, seed }, this.modelCount);
  }

  /** The models of a snapshot. */
  private modelsAt(at: Place): OnlineModels {
    const [solver, bias] = [at.siblings.get("solver"), at.siblings.get("bias")];
    return this.made({
      solver: onlineSolver(String(solver), 0),
      lambda: at.number("lambda"),
      bias: biases.find((known) => known === bias) ?? "none",
      unit: at.number("unit"),
      lossWidth: at.number("lossWidth"),
    });
  }

  /**
   * The model so far; undefined before the first rows.
   *
   * @param shifts - what class weights add to the scores
   * @throws CurvatureError ERR_NON_FINITE if it ran away
   */
  fitted<L extends Label>(classes: readonly L[], shifts?: Float64Array): FittedModel<L> | undefined {
    const { settings, current } = this;
    const { solver, lambda, bias, lossWidth, models, isScaled } = current.state;
    if (models === undefined) return undefined;
    const { features } = models.state;
    const unit = {
      method: "unit-rows",
      offsets: new Float64Array(features),
      scales: new Float64Array(features).fill(1),
    } as const;
    const byColumns = isScaled ? current.columns.scaling : undefined;
    return {
      loss: settings.loss,
      lossWidth,
      lambda,
      solver,
      bias,
      features,
      classes,
      scaling: settings.scale === "unit-rows" ? unit : byColumns,
      parameters: current.parameters(),
      calibration: undefined,
      multiclass: classes.length > 2 ? "one-versus-rest" : undefined,
      shifts,
    };
  }

  /** Whether it predicts worse than the constant that it began as. */
  get isWorse(): boolean {
    return this.state.models?.isWorse ?? false;
  }

  get concerns(): readonly Concern[] {
    const { current, first, columns, isWorse } = this;
    const found: Concern[] = [];
    const held = first.batch;
    if (held !== undefined && haveOneTarget(held))
      found.push([
        "constant-targets",
        this.settings.loss === "squared-error" || this.settings.loss === "huber"
          ? "All targets are the same so far: the model says nothing else."
          : "All rows are of one class so far: the model has not seen another.",
      ]);
    const open = (current === this ? columns : current.columns).openColumns;
    if (open.length > 0)
      found.push([
        "constant-columns",
        `Columns that had one value only are left out: ${open.slice(0, 8).join(", ")}${open.length > 8 ? ` and ${open.length - 8} others` : ""} (counted from 0).`,
      ]);
    if (isWorse)
      found.push([
        "worse-than-start",
        "On rows before it learned from them the model was worse than the constant that it began as. Put the rows in random order, give a larger t0, or a larger lambda.",
      ]);
    return found;
  }

  /** After its state was restored. */
  renew(): void {
    this.state.models?.renew();
  }
}

/** Whether the rows with a weight are all of one target. */
function haveOneTarget({ targets, weights }: Batch): boolean {
  const at = weights.findIndex((weight) => weight > 0);
  return targets.every((y) => y.every((target, i) => weights[i] === 0 || target === y[at]));
}

/** From where and in which unit targets are counted: 0 and 1 for classes. */
function measured(
  loss: LinearLoss,
  targets: Float64Array,
  weights: Float64Array,
): readonly [center: number, unit: number] {
  if (loss.task === "classification") return [0, 1];
  const center = firstBias(loss, "free", targets, weights);
  if (loss.name === "huber") return [center, deviationOf(targets, weights) || 1];
  const farthest = targets.reduce(
    (far, y, i) => (weights[i] > 0 ? Math.max(far, Math.abs(y - center)) : far),
    0,
  );
  let [squares, total] = [0, 0];
  for (let i = 0; i < targets.length; i++) {
    const part = farthest > 0 ? (targets[i] - center) / farthest : 0;
    squares += weights[i] * part * part;
    total += weights[i];
  }
  return [center, farthest * Math.sqrt(squares / total) || 1];
}

/** R²/10,000 of these rows: the default in streams, whose n is not known. */
function defaultLambda(rows: Rows, weights: Float64Array): number {
  const access = rowAccess(rows);
  let [squares, total] = [0, 0];
  for (let i = 0; i < rows.rows; i++) {
    squares += weights[i] * access.squaredNorm(i);
    total += weights[i];
  }
  return (squares > 0 ? squares / total : 1) / DEFAULT_DIVISOR;
}

function checkOnline(settings: LinearSettings, where: string): void {
  const { validationShare, tolerance, accuracy, solver, t0 } = settings;
  onlineSolver(solver, 0);
  const needsAll = "which needs all rows at once";
  if (t0 === "search") throw badOption(where, "t0", `a number: not "search", ${needsAll}`, t0);
  if (validationShare !== undefined && validationShare > 0)
    throw badOption(where, "validationShare", "left out: rows of a stream are not held out", validationShare);
  if (tolerance !== undefined || accuracy !== undefined)
    throw badOption(
      where,
      tolerance === undefined ? "accuracy" : "tolerance",
      "left out: learners of rows do not know how far they are",
      tolerance ?? accuracy,
    );
  if ("classWeights" in settings && settings.classWeights === "balanced")
    throw badOption(where, "classWeights", `weights by class: not "balanced", ${needsAll}`, "balanced");
}
