/** Batches of rows with real targets, learned one after the other. */
import type { MeasuredRows } from "../fit/data.js";
import type { FittedModel } from "../fit/fitted.js";
import type { LinearRegressorSettings } from "../fit/options.js";
import { toTrainingRows } from "../fit/rows.js";
import { checkNumbers, checkWeights } from "../metrics/weights.js";
import { type Concern, OnlineFit } from "./online-fit.js";
import { type BatchLearner, checkBatch } from "./stream-solver.js";

export class TargetBatches implements BatchLearner<MeasuredRows> {
  private readonly where: string;
  private readonly online: OnlineFit;

  /** @throws CurvatureError ERR_OPTION for settings that need all rows at once */
  constructor(settings: LinearRegressorSettings, where: string) {
    this.where = where;
    this.online = new OnlineFit(settings, 1, where);
  }

  learn(batch: MeasuredRows): void {
    const { where } = this;
    checkBatch(batch, "targets", where);
    const { rows: X, targets, sampleWeights } = batch;
    const rows = toTrainingRows(X, `${where}: rows`);
    if (rows.rows === 0) return;
    checkNumbers(targets, rows.rows, `${where}, targets`);
    const weights =
      sampleWeights === undefined
        ? new Float64Array(rows.rows).fill(1)
        : checkWeights(sampleWeights, rows.rows, where);
    this.online.learn({ rows, targets: [Float64Array.from(targets)], weights, factors: undefined });
  }

  get evaluations(): number {
    return this.online.evaluations;
  }

  get t0(): number | undefined {
    return this.online.t0;
  }

  parameters(): Float64Array {
    return this.online.parameters();
  }

  /** The model so far; undefined before the first rows. @throws CurvatureError ERR_NON_FINITE if it ran away */
  fitted(): FittedModel | undefined {
    return this.online.fitted([]);
  }

  get isWorse(): boolean {
    return this.online.isWorse;
  }

  get concerns(): readonly Concern[] {
    return this.online.concerns;
  }

  get state() {
    return this.online.state;
  }

  renew(): void {
    this.online.renew();
  }
}
