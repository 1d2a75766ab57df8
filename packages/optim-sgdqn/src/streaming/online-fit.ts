/**
 * What `fitStream` and `partialFit` share: batches of rows and targets, one after the other, into models.
 */
import { badOption, CurvatureError } from "@curvature/linalg";
import { type Bias, type Rows, rowAccess } from "@curvature/objectives/linear";
import { madePart, number, type Place, stateOf, word } from "@curvature/optim-core/state";
import type { FittedModel } from "../fit/fitted.js";
import type { Label } from "../fit/labels.js";
import type { LinearSettings } from "../fit/options.js";
import { unitRows } from "../fit/rows.js";
import { biasOf, lossOf } from "../fit/task.js";
import { stochasticSolverNames } from "../learners/create-learner.js";
import { OnlineModels, type OnlineSettings, onlineSolver } from "./online-models.js";

/** Of the first rows, the divisor of R² that makes the default λ: as of R²/n at n = 10,000. */
const DEFAULT_DIVISOR = 10_000;

const biases = ["none", "regularized", "free"] as const satisfies readonly Bias[];

export class OnlineFit {
  readonly state;
  private readonly settings: LinearSettings;
  private readonly modelCount: number;

  /** @throws CurvatureError ERR_OPTION for settings that need all rows at once */
  constructor(settings: LinearSettings, modelCount: number, where: string) {
    checkOnline(settings, where);
    this.settings = settings;
    this.modelCount = modelCount;
    this.state = stateOf({
      /** What the first rows decide, and the models from then on. */
      solver: word("asgd", stochasticSolverNames),
      lambda: number(),
      bias: word("none", biases),
      models: madePart((at) => this.modelsAt(at)),
    });
  }

  /** Learns from every row once. @param rows - checked, as given */
  learn(rows: Rows, targets: readonly Float64Array[], importances: Float64Array | undefined): void {
    if (rows.rows === 0) return;
    const scaled = this.settings.scale === "unit-rows" ? unitRows(rows) : rows;
    this.state.models ??= this.begin(scaled);
    this.state.models.visit(scaled, targets, importances);
  }

  get evaluations(): number {
    return this.state.models?.evaluations ?? 0;
  }

  get t0(): number | undefined {
    return this.state.models?.t0;
  }

  parameters(): Float64Array {
    return this.state.models?.parameters() ?? new Float64Array(0);
  }

  private begin(rows: Rows): OnlineModels {
    if (rows.columns === 0)
      throw new CurvatureError("ERR_SHAPE", "The first rows have no columns.", { path: "rows" });
    const { settings, state } = this;
    const { lambda, solver } = settings;
    state.solver = onlineSolver(solver, rows.columns);
    state.lambda = typeof lambda === "number" ? lambda : defaultLambda(rows);
    state.bias = biasOf(settings, rows);
    return this.made(state);
  }

  private made(decided: Pick<OnlineSettings, "solver" | "lambda" | "bias">): OnlineModels {
    const { t0, shuffle, seed } = this.settings;
    const { solver, lambda, bias } = decided;
    const known = typeof t0 === "number" ? t0 : undefined;
    return new OnlineModels(
      { solver, loss: lossOf(this.settings, widthOf(this.settings)), lambda, bias, t0: known, shuffle, seed },
      this.modelCount,
    );
  }

  /** The models of a snapshot. */
  private modelsAt(at: Place): OnlineModels {
    const [solver, bias] = [at.siblings.get("solver"), at.siblings.get("bias")];
    return this.made({
      solver: onlineSolver(String(solver), 0),
      lambda: at.number("lambda"),
      bias: biases.find((known) => known === bias) ?? "none",
    });
  }

  /** The model so far; undefined before the first rows. @throws CurvatureError ERR_NON_FINITE if it ran away */
  fitted<L extends Label>(classes: readonly L[]): FittedModel<L> | undefined {
    const { settings } = this;
    const { solver, lambda, bias, models } = this.state;
    if (models === undefined) return undefined;
    const { features } = models.state;
    const unit = {
      method: "unit-rows",
      offsets: new Float64Array(features),
      scales: new Float64Array(features).fill(1),
    } as const;
    return {
      loss: settings.loss,
      lossWidth: widthOf(settings),
      lambda,
      solver,
      bias,
      features,
      classes,
      scaling: settings.scale === "unit-rows" ? unit : undefined,
      parameters: models.parameters(),
      calibration: undefined,
      multiclass: classes.length > 2 ? "one-versus-rest" : undefined,
      shifts: undefined,
    };
  }

  /** After its state was restored. */
  renew(): void {
    this.state.models?.renew();
  }
}

/** δ in streams, whose noise is not known beforehand, is 1. */
const widthOf = ({ lossWidth }: LinearSettings): number => (lossWidth === "auto" ? 1 : lossWidth);

/** R²/10,000 of these rows: the default in streams, whose n is not known. */
function defaultLambda(rows: Rows): number {
  const access = rowAccess(rows);
  let mean = 0;
  for (let i = 0; i < rows.rows; i++) mean += access.squaredNorm(i) / rows.rows;
  return (mean > 0 ? mean : 1) / DEFAULT_DIVISOR;
}

function checkOnline(settings: LinearSettings, where: string): void {
  const { scale, validationShare, tolerance, accuracy, solver, t0 } = settings;
  onlineSolver(solver, 0);
  const needsAll = "which needs all rows at once";
  if (scale !== "auto" && scale !== "none" && scale !== "unit-rows")
    throw badOption(where, "scale", `"auto", "none" or "unit-rows": not one of columns, ${needsAll}`, scale);
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
