/** Batches of rows with classes, learned one after the other. */
import { CurvatureError } from "@curvature/linalg";
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { LabeledRows } from "../fit/data.js";
import { type FittedModel, modelCount } from "../fit/fitted.js";
import { checkClasses, checkLabels, classesOf, listed, placesOf, tooFew } from "../fit/labels.js";
import type { Label, LinearClassifierSettings } from "../fit/options.js";
import { toTrainingRows } from "../fit/rows.js";
import { checkRoom, targetsOf } from "../fit/task.js";
import { checkWeights, importancesOf, weightsOfClasses } from "../fit/weights.js";
import { OnlineFit } from "./online-fit.js";
import { type BatchLearner, checkBatch } from "./stream-solver.js";

export class ClassBatches implements BatchLearner<LabeledRows> {
  private readonly settings: LinearClassifierSettings;
  private readonly where: string;
  private known: readonly Label[] | undefined;
  private online: OnlineFit | undefined;

  /** @throws CurvatureError ERR_OPTION for settings that need all rows at once, ERR_ARGUMENT for classes */
  constructor(settings: LinearClassifierSettings, where: string) {
    this.settings = settings;
    this.where = where;
    if (settings.classes !== undefined) this.name(settings.classes);
    else new OnlineFit(settings, 1, where); // so that settings are refused before the first rows
  }

  /**
   * The classes, once.
   *
   * @throws CurvatureError ERR_ARGUMENT for others than were named before
   */
  name(classes: readonly Label[]): void {
    const { known, where } = this;
    const sorted = checkClasses(classes, where);
    if (known === undefined) {
      this.online = new OnlineFit(this.settings, modelCount(sorted), where);
      this.known = sorted;
    } else if (sorted.length !== known.length || sorted.some((label, k) => label !== known[k]))
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `${where}: the classes are ${listed(known)} since the first rows; received ${listed(sorted)}. Begin anew for others.`,
        { path: "classes", expected: listed(known), received: sorted.length },
      );
  }

  learn(batch: LabeledRows): void {
    const { where, settings } = this;
    checkBatch(batch, "labels", where);
    const { rows: X, labels, sampleWeights } = batch;
    const rows = toTrainingRows(X, `${where}: rows`);
    checkLabels(labels, rows.rows, where);
    if (rows.rows === 0) return;
    const ofRows = sampleWeights === undefined ? undefined : checkWeights(sampleWeights, rows.rows, where);
    if (this.known === undefined) {
      const present = classesOf(labels);
      if (present.length < 2)
        throw tooFew(present, `${where} (the first rows; name all classes by the option classes)`);
      this.name(present);
    }
    const { known = [], online } = this;
    const places = placesOf(labels, known, where);
    checkRoom(rows.rows, rows.columns, known.length, where);
    const ofClasses = weightsOfClasses(settings.classWeights, known, places, ofRows);
    online?.learn(rows, targetsOf(places, known.length), importancesOf(places, ofClasses, ofRows));
  }

  get evaluations(): number {
    return this.online?.evaluations ?? 0;
  }

  get t0(): number | undefined {
    return this.online?.t0;
  }

  parameters(): Float64Array {
    return this.online?.parameters() ?? new Float64Array(0);
  }

  /** The model so far; undefined before the first rows. @throws CurvatureError ERR_NON_FINITE if it ran away */
  fitted(): FittedModel | undefined {
    return this.online?.fitted(this.known ?? []);
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { known, online } = this;
    return { classes: known === undefined ? null : [...known], online: online?.save() ?? null };
  }

  restore(state: SnapshotReader): void {
    if (!state.has("classes")) {
      if (this.settings.classes === undefined) [this.known, this.online] = [undefined, undefined];
      return;
    }
    const classes = checkClasses(state.list("classes").filter(isLabel), this.where);
    const online = new OnlineFit(this.settings, modelCount(classes), this.where);
    online.restore(state.object("online"));
    [this.known, this.online] = [classes, online];
  }
}

const isLabel = (value: unknown): value is Label => typeof value === "number" || typeof value === "string";
