/**
 * Learners of rows without an end: one for each model, all on the same rows, with parameters that grow with the features.
 *
 * What depends on the data is fixed by the first rows: t₀ = max(2, c R²/λ), the rows between two decays, and where
 * averaging begins (after a tenth of them). Steps are implicit, since later rows may be of any size.
 *
 * The learners always have at least one column more than any row so far. That column is in the state that a feature never
 * seen would be in, whatever the method keeps (0 for weights, the gain of SGD-QN after all its decays), and new columns
 * take its state: so a feature that comes late is learned as if there had been zeros for it from the start. Room is
 * doubled when it is used up.
 */
import { CurvatureError, permutation, RandomGenerator } from "@curvature/linalg";
import { type Bias, type LinearLoss, type Rows, rowAccess } from "@curvature/objectives/linear";
import { SnapshotReader, type SnapshotValue } from "@curvature/optim-core";
import type { LearnerSettings, RowLearner, TrainingRows } from "../learner.js";
import {
  createLearner,
  type StochasticSolverName,
  stochasticSolverNames,
} from "../learners/create-learner.js";
import { defaultSkip, defaultT0, meanSquaredNorm } from "../learning-rate.js";

const AVERAGE_START = 0.1;
const MEMORY = 10;

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

type State = { readonly [key: string]: SnapshotValue };

export class OnlineModels {
  /** d so far. */
  features = 0;
  /** Rows so far. */
  seen = 0;
  private readonly settings: OnlineSettings;
  private readonly random: RandomGenerator;
  private readonly models: number;
  private learning: LearnerSettings | undefined;
  private learners: readonly RowLearner[] = [];

  constructor(settings: OnlineSettings, models: number) {
    this.settings = settings;
    this.models = models;
    this.random = new RandomGenerator(settings.seed);
  }

  get t0(): number | undefined {
    return this.learning?.t0;
  }

  get evaluations(): number {
    return this.learners.reduce((sum, learner) => sum + learner.evaluations, 0);
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
    const order = this.settings.shuffle ? permutation(this.random, n) : undefined;
    const squaredNorms = Float64Array.from({ length: n }, (_, i) => access.squaredNorm(i));
    const training = (y: Float64Array): TrainingRows => ({
      access,
      targets: y,
      importances,
      order,
      squaredNorms,
    });
    this.makeRoom(rows.columns, training(targets[0]));
    for (let k = 0; k < this.models; k++) this.learners[k].visit(training(targets[k]), 0, n);
    this.seen += n;
  }

  /** Model after model: w on the features so far, then b if there is one. A copy. */
  parameters(): Float64Array {
    const { features, learners, learning } = this;
    const hasBias = this.settings.bias !== "none";
    const length = features + (hasBias ? 1 : 0);
    const out = new Float64Array(learners.length * length);
    for (const [k, learner] of learners.entries()) {
      const x = learner.parameters();
      out.set(x.subarray(0, features), k * length);
      if (hasBias) out[k * length + features] = x[learning?.columns ?? 0];
    }
    if (out.every(Number.isFinite)) return out;
    throw new CurvatureError(
      "ERR_NON_FINITE",
      `The parameters ran away with t0 = ${learning?.t0}. Begin anew with a t0 ten times as large, or take another solver than olbfgs.`,
      { path: "t0", received: learning?.t0 },
    );
  }

  private makeRoom(columns: number, first: TrainingRows): void {
    const before = this.learning;
    if (before === undefined) this.begin(columns, first);
    else if (columns >= before.columns) this.widen(before, Math.max(2 * before.columns, columns + 1));
    this.features = Math.max(this.features, columns);
  }

  private begin(columns: number, rows: TrainingRows): void {
    const { solver, loss, lambda, bias, t0 } = this.settings;
    const { access } = rows;
    this.learning = {
      loss,
      lambda,
      columns: columns + 1,
      bias,
      t0: t0 ?? defaultT0(meanSquaredNorm(rows, access.rows, bias), loss, lambda),
      skip: defaultSkip(access.rows, columns, access.storedEntries),
      step: solver === "olbfgs" ? "explicit" : "implicit",
      averageStart: AVERAGE_START * access.rows,
      memory: MEMORY,
      initial: undefined,
    };
    this.learners = this.made(this.learning);
  }

  private widen(before: LearnerSettings, columns: number): void {
    if (this.settings.solver === "olbfgs")
      throw new CurvatureError(
        "ERR_OPTION",
        `The solver olbfgs takes no new features on its way: a row has ${columns - 1} columns, the first had fewer. Name all by the columns of the first rows, or take another solver.`,
        { path: "solver", received: "olbfgs" },
      );
    const states = this.learners.map((learner) => widened(learner.save(), before.columns, columns));
    const learning = { ...before, columns };
    const learners = this.made(learning);
    for (const [k, learner] of learners.entries())
      learner.restore(new SnapshotReader("new features", states[k]));
    this.learning = learning;
    this.learners = learners;
  }

  private made(learning: LearnerSettings): RowLearner[] {
    return Array.from({ length: this.models }, () => createLearner(this.settings.solver, learning));
  }

  save(): State {
    const { learning, features, seen } = this;
    return {
      features,
      seen,
      random: this.random.save(),
      learning:
        learning === undefined
          ? null
          : {
              columns: learning.columns,
              t0: learning.t0,
              skip: learning.skip,
              averageStart: learning.averageStart,
            },
      learners: this.learners.map((learner) => learner.save()),
    };
  }

  /** Goes on from a saved state bit for bit. @throws CurvatureError ERR_SNAPSHOT, and is then as it was before */
  restore(state: SnapshotReader): void {
    const [features, seen, random] = [
      state.integer("features"),
      state.integer("seen"),
      state.uint32("random", 4),
    ];
    if (!state.has("learning")) {
      this.random.restore(random);
      [this.features, this.seen, this.learning, this.learners] = [features, seen, undefined, []];
      return;
    }
    const { solver, loss, lambda, bias } = this.settings;
    const saved = state.object("learning");
    const learning: LearnerSettings = {
      loss,
      lambda,
      bias,
      columns: saved.integer("columns", features + 1, 2 ** 31),
      t0: saved.number("t0"),
      skip: saved.integer("skip", 1),
      averageStart: saved.number("averageStart"),
      step: solver === "olbfgs" ? "explicit" : "implicit",
      memory: MEMORY,
      initial: undefined,
    };
    const states = state.list("learners");
    const learners = this.made(learning);
    for (const [k, learner] of learners.entries()) learner.restore(new SnapshotReader("learner", states[k]));
    this.random.restore(random);
    [this.features, this.seen, this.learning, this.learners] = [features, seen, learning, learners];
  }
}

/** The learner for a stream: as asked for, or for "auto" averaged SGD, and SVMSGD2 where there are many features. */
export function onlineSolver(solver: string, columns: number): StochasticSolverName {
  if (solver === "auto") return columns <= MOST_AVERAGED ? "asgd" : "svmsgd2";
  const found = stochasticSolverNames.find((name) => name === solver);
  if (found !== undefined) return found;
  throw new CurvatureError(
    "ERR_OPTION",
    `The solver ${solver} needs all rows at once. For streams and partialFit take one of ${stochasticSolverNames.join(", ")}.`,
    { path: "solver", expected: `one of ${stochasticSolverNames.join(", ")}`, received: solver },
  );
}

const MOST_AVERAGED = 2000;

/** The arrays of d + 1 entries (columns, then the bias) with more columns, all like the last one. */
function widened(state: State, from: number, to: number): State {
  return Object.fromEntries(
    Object.entries(state).map(([key, value]) => {
      if (!(value instanceof Float64Array) || value.length !== from + 1) return [key, value];
      const wide = new Float64Array(to + 1).fill(value[from - 1]);
      wide.set(value.subarray(0, from));
      wide[to] = value[from];
      return [key, wide];
    }),
  );
}
