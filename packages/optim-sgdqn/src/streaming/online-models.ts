/**
 * Learners of rows without an end: one for each model, all on the same rows, with parameters that grow with the features.
 *
 * What depends on the data is fixed by the first rows: t₀ = max(2, c R²/λ), the rows between two decays, where
 * averaging begins (after a tenth of them, and not before 5 rows for each column: from the first row on, what the first steps
 * overshot would stay in the average), and where the bias does. Steps are implicit, since later rows may be of any size.
 *
 * Before rows are learned from, the model is compared on them with the constant that it began as: over the last half of all
 * rows, at least, which says whether learning was of any use. Where a batch has fewer entries than there are columns, that would cost
 * more than the learning: then only some batches are compared.
 *
 * The learners always have at least one column more than any row so far. That column is in the state that a feature never
 * seen would be in, whatever the method keeps (0 for weights, the gain of SGD-QN after all its decays), and new columns
 * take its state: so a feature that comes late is learned as if there had been zeros for it from the start. Room is
 * doubled when it is used up.
 */
import { CurvatureError, optionName, permutation, RandomGenerator } from "@curvature/linalg";
import { type Bias, type LinearLoss, type Rows, rowAccess } from "@curvature/objectives/linear";
import type { Snapshot } from "@curvature/optim-core";
import {
  float64,
  generator,
  madeParts,
  number,
  type Place,
  restore,
  saved,
  stateOf,
  whole,
} from "@curvature/optim-core/state";
import type { LearnerSettings, RowLearner, TrainingRows } from "../learner.js";
import {
  createLearner,
  type StochasticSolverName,
  stochasticSolverNames,
} from "../learners/create-learner.js";
import { defaultBiasGain, defaultSkip, defaultT0, firstBias, meanSquaredNorm } from "../learning-rate.js";

const AVERAGE_START = 0.1;
const AVERAGE_ROWS = 5;
const MEMORY = 10;
/** Rows that say whether learning was of any use, at least. */
const FEWEST_COMPARED = 30;

/** What does not depend on the data. */
export interface OnlineSettings {
  readonly solver: StochasticSolverName;
  readonly loss: LinearLoss;
  readonly lambda: number;
  readonly bias: Bias;
  readonly t0: number | undefined;
  readonly shuffle: boolean;
  readonly seed: number;
}

/** What the first rows decide, and the columns of later ones. */
type Decided = Pick<LearnerSettings, "columns" | "t0" | "skip" | "averageStart" | "biasGain">;

export class OnlineModels {
  readonly state;
  private readonly settings: OnlineSettings;
  private readonly models: number;

  constructor(settings: OnlineSettings, models: number) {
    this.settings = settings;
    this.models = models;
    this.state = stateOf({
      /** d so far. */
      features: whole(),
      /** Rows so far. */
      seen: whole(),
      random: generator(new RandomGenerator(settings.seed)),
      /** Those of the learners, 0 before the first rows; and what the first rows decide. */
      columns: whole(0, { to: 2 ** 31 }),
      t0: number(),
      skip: whole(1, { from: 1 }),
      averageStart: number(),
      biasGain: number(),
      /** Where the bias of each model began. */
      firstBiases: float64(new Float64Array(models)),
      /** Rows that were compared, and over them the sums of what they lost less than by the constant, and of its square. */
      comparedFrom: whole(),
      /** Entries seen since the last batch that was. */
      uncompared: whole(),
      compared: whole(),
      gain: number(),
      squaredGain: number(),
      learners: madeParts((at) => createLearner(settings.solver, this.learningAt(at))),
    });
  }

  get t0(): number | undefined {
    return this.state.columns === 0 ? undefined : this.state.t0;
  }

  get evaluations(): number {
    return this.state.learners.reduce((sum, learner) => sum + learner.evaluations, 0);
  }

  /**
   * Learns from every row once.
   *
   * @param rows - checked; may have more columns than rows before, or fewer
   * @param targets - one array for each model
   * @throws CurvatureError ERR_OPTION for new columns with oLBFGS, whose pairs of vectors do not grow
   */
  visit(rows: Rows, targets: readonly Float64Array[], importances: Float64Array | undefined): void {
    const n = rows.rows;
    if (n === 0) return;
    const access = rowAccess(rows);
    const order = this.settings.shuffle ? permutation(this.state.random, n) : undefined;
    const squaredNorms = Float64Array.from({ length: n }, (_, i) => access.squaredNorm(i));
    const training = (y: Float64Array): TrainingRows => ({
      access,
      targets: y,
      importances,
      order,
      squaredNorms,
    });
    if (this.state.columns === 0) this.begin(rows.columns, targets.map(training));
    else {
      if (rows.columns >= this.state.columns) this.widen(Math.max(2 * this.state.columns, rows.columns + 1));
      this.compare(training, targets);
    }
    this.state.features = Math.max(this.state.features, rows.columns);
    for (let k = 0; k < this.models; k++) this.state.learners[k].visit(training(targets[k]), 0, n);
    this.state.seen += n;
  }

  /** Model after model: w on the features so far, then b if there is one. A copy. */
  parameters(): Float64Array {
    const { features, learners, columns, t0 } = this.state;
    const hasBias = this.settings.bias !== "none";
    const length = features + (hasBias ? 1 : 0);
    const out = new Float64Array(learners.length * length);
    for (const [k, learner] of learners.entries()) {
      const x = learner.parameters();
      out.set(x.subarray(0, features), k * length);
      if (hasBias) out[k * length + features] = x[columns];
    }
    if (out.every(Number.isFinite)) return out;
    throw new CurvatureError(
      "ERR_NON_FINITE",
      `The parameters ran away with ${optionName("t0")} = ${t0}. Begin anew with a ${optionName("t0")} ten times as large, or take another solver than olbfgs.`,
      { path: "t0", received: t0 },
    );
  }

  /** Whether the last half of the rows, at least, was predicted worse than by the constants that the models began as. */
  get isWorse(): boolean {
    const { compared, gain, squaredGain } = this.state;
    if (compared < FEWEST_COMPARED) return false;
    const mean = gain / compared;
    return mean < -2 * Math.sqrt(Math.max(0, squaredGain / compared - mean * mean) / compared);
  }

  private compare(training: (y: Float64Array) => TrainingRows, targets: readonly Float64Array[]): void {
    const { state, settings } = this;
    const { loss, bias } = settings;
    const { access, importances } = training(targets[0]);
    state.uncompared += access.storedEntries;
    if (state.uncompared < state.columns) return;
    state.uncompared = 0;
    if (state.seen >= 2 * state.comparedFrom)
      Object.assign(state, { comparedFrom: state.seen, compared: 0, gain: 0, squaredGain: 0 });
    const points = state.learners.map((learner) => learner.parameters());
    for (let i = 0; i < access.rows; i++) {
      let gain = 0;
      for (const [k, w] of points.entries()) {
        const s = access.dot(i, w) + (bias === "none" ? 0 : w[state.columns]);
        gain += loss.value(state.firstBiases[k], targets[k][i]) - loss.value(s, targets[k][i]);
      }
      if (importances !== undefined) gain *= importances[i];
      state.compared++;
      state.gain += gain;
      state.squaredGain += gain * gain;
    }
  }

  private begin(columns: number, ofModels: readonly TrainingRows[]): void {
    const { loss, lambda, bias, t0 } = this.settings;
    const [rows] = ofModels;
    const { access } = rows;
    const meanSquare = meanSquaredNorm(rows, access.rows, bias);
    Object.assign(this.state, {
      columns: columns + 1,
      t0: t0 ?? defaultT0(meanSquare, loss, lambda),
      skip: defaultSkip(access.rows, columns, access.storedEntries),
      averageStart: Math.max(AVERAGE_START * access.rows, AVERAGE_ROWS * Math.min(columns, MAX_AVERAGED)),
      biasGain: defaultBiasGain(meanSquare, columns),
      firstBiases: Float64Array.from(ofModels, ({ targets, importances }) =>
        firstBias(loss, bias, targets, importances),
      ),
      comparedFrom: access.rows,
    });
    this.state.learners = this.made(this.state);
  }

  private widen(columns: number): void {
    if (this.settings.solver === "olbfgs")
      throw new CurvatureError(
        "ERR_OPTION",
        `The solver olbfgs takes no new features on its way: a row has ${columns - 1} columns, the first had fewer. Name all by the columns of the first rows, or take another solver.`,
        { path: "solver", received: "olbfgs" },
      );
    const { state } = this;
    const snapshots = state.learners.map((learner) => saved("learner", learner.state));
    const learners = this.made({ ...state, columns });
    for (const [k, learner] of learners.entries()) {
      restore("learner", learner.state, widened(snapshots[k], state.columns, columns));
      learner.renew?.();
    }
    state.columns = columns;
    state.learners = learners;
  }

  private made(decided: Decided): RowLearner[] {
    const { solver } = this.settings;
    const { firstBiases } = this.state;
    return Array.from({ length: this.models }, (_, k) => {
      const initial = new Float64Array(decided.columns + (this.settings.bias === "none" ? 0 : 1));
      if (this.settings.bias !== "none") initial[decided.columns] = firstBiases[k];
      return createLearner(solver, { ...this.learning(decided), initial });
    });
  }

  private learning({ columns, t0, skip, averageStart, biasGain }: Decided): LearnerSettings {
    const { solver, loss, lambda, bias } = this.settings;
    const step = solver === "olbfgs" ? "explicit" : "implicit";
    const decided = { columns, t0, skip, averageStart, biasGain };
    return { loss, lambda, bias, ...decided, step, memory: MEMORY, initial: undefined };
  }

  /** The settings of the learners in a snapshot. */
  private learningAt(at: Place): LearnerSettings {
    return this.learning({
      columns: at.number("columns"),
      t0: at.number("t0"),
      skip: at.number("skip"),
      averageStart: at.number("averageStart"),
      biasGain: at.number("biasGain"),
    });
  }

  /** After its state was restored. */
  renew(): void {
    for (const learner of this.state.learners) learner.renew?.();
  }
}

/** The learner for a stream: as asked for, or for "auto" averaged SGD, and SVMSGD2 where there are many features. */
export function onlineSolver(solver: string, columns: number): StochasticSolverName {
  if (solver === "auto") return columns <= MAX_AVERAGED ? "asgd" : "svmsgd2";
  const found = stochasticSolverNames.find((name) => name === solver);
  if (found !== undefined) return found;
  throw new CurvatureError(
    "ERR_OPTION",
    `The solver ${solver} needs all rows at once. For streams and partialFit take one of ${stochasticSolverNames.join(", ")}.`,
    { path: "solver", expected: `one of ${stochasticSolverNames.join(", ")}`, received: solver },
  );
}

const MAX_AVERAGED = 2000;

/** The arrays of d + 1 entries (columns, then the bias) with more columns, all like the last one. */
function widened(snapshot: Snapshot, from: number, to: number): Snapshot {
  const wide = <A extends Float64Array | Float32Array>(array: A, longer: A): A => {
    longer.fill(array[from - 1]).set(array.subarray(0, from));
    longer[to] = array[from];
    return longer;
  };
  const state = Object.entries(Object(snapshot.state)).map(([key, value]) => {
    if (value instanceof Float64Array && value.length === from + 1)
      return [key, wide(value, new Float64Array(to + 1))];
    if (value instanceof Float32Array) return [key, wide(value, new Float32Array(to + 1))];
    return [key, value];
  });
  return { ...snapshot, state: Object.fromEntries(state) };
}
