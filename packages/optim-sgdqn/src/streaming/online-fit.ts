/**
 * What `fitStream` and `partialFit` share: batches of rows and targets, one after the other, into models.
 */
import { badOption, CurvatureError } from "@curvature/linalg";
import { type Bias, type Rows, rowAccess } from "@curvature/objectives/linear";
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { FittedModel } from "../fit/fitted.js";
import type { Label } from "../fit/options.js";
import { unitRows } from "../fit/rows.js";
import { biasOf, lossOf, type Settings } from "../fit/task.js";
import { OnlineModels, onlineSolver } from "./online-models.js";

/** Of the first rows, the divisor of R² that makes the default λ: as of R²/n at n = 10,000. */
const DEFAULT_DIVISOR = 10_000;

const biases: readonly Bias[] = ["none", "regularized", "free"];

/** What the first rows decide. */
interface Begun {
  readonly models: OnlineModels;
  readonly solver: string;
  readonly lambda: number;
  readonly bias: Bias;
}

export class OnlineFit {
  private readonly settings: Settings;
  private readonly modelCount: number;
  private begun: Begun | undefined;

  /** @throws CurvatureError ERR_OPTION for settings that need all rows at once */
  constructor(settings: Settings, modelCount: number, where: string) {
    checkOnline(settings, where);
    this.settings = settings;
    this.modelCount = modelCount;
  }

  /** Learns from every row once. @param rows - checked, as given */
  learn(rows: Rows, targets: readonly Float64Array[], importances: Float64Array | undefined): void {
    if (rows.rows === 0) return;
    const scaled = this.settings.scale === "unit-rows" ? unitRows(rows) : rows;
    this.begun ??= this.begin(scaled);
    this.begun.models.visit(scaled, targets, importances);
  }

  get evaluations(): number {
    return this.begun?.models.evaluations ?? 0;
  }

  get t0(): number | undefined {
    return this.begun?.models.t0;
  }

  parameters(): Float64Array {
    return this.begun?.models.parameters() ?? new Float64Array(0);
  }

  private begin(rows: Rows): Begun {
    if (rows.columns === 0)
      throw new CurvatureError("ERR_SHAPE", "The first rows have no columns.", { path: "rows" });
    const { lambda } = this.settings;
    return this.made(
      onlineSolver(this.settings.solver, rows.columns),
      typeof lambda === "number" ? lambda : defaultLambda(rows),
      biasOf(this.settings, rows.columns),
    );
  }

  private made(solver: ReturnType<typeof onlineSolver>, lambda: number, bias: Bias): Begun {
    const { t0, shuffle, seed } = this.settings;
    const given = typeof t0 === "number" ? t0 : undefined;
    const models = new OnlineModels(
      { solver, loss: lossOf(this.settings), lambda, bias, t0: given, shuffle, seed },
      this.modelCount,
    );
    return { models, solver, lambda, bias };
  }

  /** The model so far; undefined before the first rows. @throws CurvatureError ERR_NON_FINITE if it ran away */
  fitted(classes: readonly Label[]): FittedModel | undefined {
    const { begun, settings } = this;
    if (begun === undefined) return undefined;
    const { solver, lambda, bias, models } = begun;
    const { features } = models;
    const unit = {
      method: "unit-rows",
      offsets: new Float64Array(features),
      scales: new Float64Array(features).fill(1),
    } as const;
    return {
      loss: settings.loss,
      lossWidth: settings.lossWidth,
      lambda,
      solver,
      bias,
      features,
      classes,
      scaling: settings.scale === "unit-rows" ? unit : undefined,
      parameters: models.parameters(),
      calibration: undefined,
    };
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { begun } = this;
    if (begun === undefined) return { begun: null };
    const { solver, lambda, bias, models } = begun;
    return { begun: { solver, lambda, bias, models: models.save() } };
  }

  /** @throws CurvatureError ERR_SNAPSHOT, and is then as it was before */
  restore(state: SnapshotReader): void {
    if (!state.has("begun")) {
      this.begun = undefined;
      return;
    }
    const saved = state.object("begun");
    const named = saved.text("bias");
    const bias = biases.find((known) => known === named);
    if (bias === undefined)
      throw new CurvatureError("ERR_SNAPSHOT", `The snapshot has the bias "${named}". It is damaged.`, {
        path: "bias",
        expected: biases.join(", "),
        received: named,
      });
    const begun = this.made(onlineSolver(saved.text("solver"), 0), saved.number("lambda"), bias);
    begun.models.restore(saved.object("models"));
    this.begun = begun;
  }
}

/** R²/10,000 of these rows: the default in streams, whose n is not known. */
function defaultLambda(rows: Rows): number {
  const access = rowAccess(rows);
  let mean = 0;
  for (let i = 0; i < rows.rows; i++) mean += access.squaredNorm(i) / rows.rows;
  return (mean > 0 ? mean : 1) / DEFAULT_DIVISOR;
}

function checkOnline(settings: Settings, where: string): void {
  const { scale, lambda, validationShare, tolerance, accuracy, solver, t0 } = settings;
  onlineSolver(solver, 0);
  const needsAll = "which needs all rows at once";
  if (scale !== "auto" && scale !== "none" && scale !== "unit-rows")
    throw badOption(where, "scale", `"auto", "none" or "unit-rows": not one of columns, ${needsAll}`, scale);
  if (lambda === "auto")
    throw badOption(where, "lambda", `a number or "default": not "auto", ${needsAll}`, lambda);
  if (t0 === "search") throw badOption(where, "t0", `a number: not "search", ${needsAll}`, t0);
  if (typeof t0 === "number" && t0 < 1) throw badOption(where, "t0", "at least 1", t0);
  if (validationShare !== undefined && validationShare > 0)
    throw badOption(where, "validationShare", "left out: rows of a stream are not held out", validationShare);
  if (tolerance !== undefined || accuracy !== undefined)
    throw badOption(
      where,
      tolerance === undefined ? "accuracy" : "tolerance",
      "left out: learners of rows cannot tell how far they are",
      tolerance ?? accuracy,
    );
  if ("classWeights" in settings && settings.classWeights === "balanced")
    throw badOption(where, "classWeights", `weights by class: not "balanced", ${needsAll}`, "balanced");
}
