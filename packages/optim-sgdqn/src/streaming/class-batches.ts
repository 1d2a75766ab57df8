/** Batches of rows with classes, learned one after the other. */
import { CurvatureError, optionName } from "@curvature/linalg";
import { float64, type Kind, madePart, type Place, stateOf } from "@curvature/optim-core/state";
import type { LabeledRows } from "../fit/data.js";
import { type FittedModel, modelCount } from "../fit/fitted.js";
import type { Label } from "../fit/labels.js";
import {
  areLabels,
  checkClasses,
  checkLabels,
  classesOf,
  classIndices,
  listed,
  tooFew,
} from "../fit/labels.js";
import type { LinearClassifierSettings } from "../fit/options.js";
import { toTrainingRows } from "../fit/rows.js";
import { checkRoom, targetsOf } from "../fit/task.js";
import { importancesOf, shiftsOf, weightsOfClasses } from "../fit/weights.js";
import { checkWeights } from "../metrics/weights.js";
import { type Concern, OnlineFit } from "./online-fit.js";
import { type BatchLearner, checkBatch } from "./stream-solver.js";

export class ClassBatches<L extends Label> implements BatchLearner<LabeledRows<L>> {
  private readonly settings: LinearClassifierSettings;
  private readonly where: string;
  readonly state;

  /** @throws CurvatureError ERR_OPTION for settings that need all rows at once, ERR_ARGUMENT for classes */
  constructor(settings: LinearClassifierSettings, where: string, classes: readonly L[] | undefined) {
    this.settings = settings;
    this.where = where;
    this.state = stateOf({
      /** Sorted; undefined before they are known. */
      classes: classList<L>(),
      /** By class the sum of its rows' weights. */
      sums: float64(new Float64Array(0), { anyLength: true }),
      online: madePart((at) => this.onlineAt(at)),
    });
    if (classes !== undefined) this.name(classes);
    else new OnlineFit(settings, 1, where); // so that settings are refused before the first rows
  }

  /**
   * The classes, once.
   *
   * @throws CurvatureError ERR_ARGUMENT for others than were named before
   */
  name(classes: readonly L[]): void {
    const { state, where } = this;
    const { classes: known } = state;
    const sorted = checkClasses(classes, where);
    if (known === undefined) {
      state.online = new OnlineFit(this.settings, modelCount(sorted), where);
      state.classes = sorted;
      state.sums = new Float64Array(sorted.length);
    } else if (sorted.length !== known.length || sorted.some((label, k) => label !== known[k]))
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `the classes are ${listed(known)} since the first rows; received ${listed(sorted)}. Begin anew for others.`,
        { where, path: "classes", expected: listed(known), received: sorted.length },
      );
  }

  learn(batch: LabeledRows<L>): void {
    const { where, settings } = this;
    checkBatch(batch, "labels", where);
    const { rows: X, labels, sampleWeights } = batch;
    const rows = toTrainingRows(X, `${where}: rows`);
    checkLabels(labels, rows.rows, where);
    if (rows.rows === 0) return;
    const ofRows = sampleWeights === undefined ? undefined : checkWeights(sampleWeights, rows.rows, where);
    if (this.state.classes === undefined) {
      const present = classesOf(labels);
      if (present.length < 2)
        throw tooFew(present, where, ` The first rows decide: name all classes by ${optionName("classes")}.`);
      this.name(present);
    }
    const { classes: known = [], online, sums } = this.state;
    const classOfRow = classIndices(labels, known, where);
    checkRoom(rows.rows, rows.columns, known.length, where);
    const ofClasses = weightsOfClasses(settings.classWeights, known, classOfRow, ofRows);
    const weights = ofRows ?? new Float64Array(rows.rows).fill(1);
    const factors = importancesOf(classOfRow, ofClasses, undefined);
    online?.learn({ rows, targets: targetsOf(classOfRow, known.length), weights, factors });
    for (let i = 0; i < rows.rows; i++) sums[classOfRow[i]] += weights[i];
  }

  get evaluations(): number {
    return this.state.online?.evaluations ?? 0;
  }

  get t0(): number | undefined {
    return this.state.online?.t0;
  }

  parameters(): Float64Array {
    return this.state.online?.parameters() ?? new Float64Array(0);
  }

  /** The model so far; undefined before the first rows. @throws CurvatureError ERR_NON_FINITE if it ran away */
  fitted(): FittedModel<L> | undefined {
    const { classes = [], online } = this.state;
    return online?.fitted(classes, this.shifts(classes));
  }

  private shifts(classes: readonly L[]): Float64Array | undefined {
    const { classWeights, loss } = this.settings;
    const each = Int32Array.from(classes.keys());
    const ofClasses =
      loss === "logistic" ? weightsOfClasses(classWeights, classes, each, undefined) : undefined;
    return ofClasses && shiftsOf(ofClasses, each, this.state.sums, "one-versus-rest");
  }

  get isWorse(): boolean {
    return this.state.online?.isWorse ?? false;
  }

  get concerns(): readonly Concern[] {
    return this.state.online?.concerns ?? [];
  }

  /** What learns the models of a snapshot. */
  private onlineAt(at: Place): OnlineFit {
    const classes = at.siblings.get("classes");
    const count = Array.isArray(classes) ? modelCount(classes) : at.refuse("preceded by classes", classes);
    return new OnlineFit(this.settings, count, this.where);
  }

  renew(): void {
    this.state.online?.renew();
  }
}

/** The labels of a checkpoint are those of the stream that it belongs to: of its type. */
const areClasses = <L extends Label>(value: unknown): value is readonly L[] =>
  areLabels(value) && value.length >= 2;

const classList = <L extends Label>(): Kind<readonly L[] | undefined> => ({
  shape: "classes?",
  initial: undefined,
  save: (classes) => (classes === undefined ? null : [...classes]),
  open(at, value) {
    if (value === null) return () => undefined;
    if (!areClasses<L>(value)) return at.refuse("a list of at least two labels", value);
    return () => value;
  },
});
