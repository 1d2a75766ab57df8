/**
 * A fit in stages, as one solver: a run of it can be watched, stopped and resumed at any iteration of any stage.
 *
 *   for every start:   without a path: minimise F on all answers; keep the end of least F
 *                      with a path: for every λ, minimise F + ridge on a part of the answers, from where the last λ
 *                      ended; keep the end with the least loss on the answers held out; two λ in a row that are no
 *                      better than the best of this start end its path
 *   with a path:       minimise F + ridge on all answers, with the λ that was kept and from there
 *
 * `value` is F on all answers, at the ridge of the stage "fit"; on the path it is not known.
 */
import { CurvatureError } from "@curvature/linalg";
import {
  type Iteration,
  type Outcome,
  openSnapshot,
  type Point,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import type { OrdinalEmbeddingDetails } from "../embedding-options.js";
import { counters, type Kept, readIteration, readKept, savedIteration } from "./saved.js";
import type { Plan, Stage, StageWork } from "./stage.js";
import { StageWatch } from "./stage-watch.js";

const VERSION = 2;
const MOST_WORSE = 2;

export interface StagedFitOptions {
  readonly name: string;
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: object;
  /** Ends a stage when value and point both change by no more than this, relatively, in one iteration; 0 is off. */
  readonly tolerance: number;
  /** The error on the test answers; undefined where there are none. */
  readonly testError: ((x: Float64Array) => number) | undefined;
}

export class StagedFit implements Solver<OrdinalEmbeddingDetails> {
  readonly name: string;
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: object;
  private readonly plan: Plan;
  private readonly tolerance: number;
  private readonly testError: ((x: Float64Array) => number) | undefined;

  private start = 0;
  /** The place on the path; its length for the last stage. */
  private place = 0;
  /** Where the stage under way began. */
  private from: Float64Array;
  private work: StageWork | undefined;
  private readonly watch: StageWatch;
  private kept: Kept | undefined;
  /** The least loss on the answers held out of this start's λ, and how many λ in a row have not reached it. */
  private least = Number.POSITIVE_INFINITY;
  private worse = 0;
  private index = 0;
  /** Of the stages that have ended. */
  private evaluations = 0;
  private gradientEvaluations = 0;
  private monitoringEvaluations = 0;
  private passes = 0;
  private outcome: Outcome | undefined;
  private latest: Iteration<OrdinalEmbeddingDetails> | undefined;

  constructor(plan: Plan, options: StagedFitOptions) {
    this.plan = plan;
    this.name = options.name;
    this.dimension = options.dimension;
    this.fingerprint = options.fingerprint;
    this.options = options.options;
    this.tolerance = options.tolerance;
    this.testError = options.testError;
    this.from = plan.first(0);
    this.watch = new StageWatch(options.dimension, options.tolerance);
  }

  /** λ of `best`. */
  get bestRidge(): number {
    const { stage, kept } = this;
    return stage.kind === "path" && kept !== undefined ? kept.ridge : stage.ridge;
  }

  /** F on all answers, and the ridge. */
  valueAt(x: Float64Array, ridge: number): number {
    return this.plan.work({ kind: "fit", start: 0, ridge }, x).objective.evaluate(x);
  }

  get best(): Point {
    const { kept, stage } = this;
    const now = this.work?.solver.best;
    if (stage.kind === "path") return { x: kept?.x ?? now?.x ?? this.from, value: undefined };
    const isRefit = this.plan.path.length > 0;
    if (now?.value === undefined)
      return { x: kept?.x ?? now?.x ?? this.from, value: isRefit ? undefined : kept?.score };
    const isKeptBetter = !isRefit && kept !== undefined && kept.score < now.value;
    return isKeptBetter ? { x: kept.x, value: kept.score } : now;
  }

  get last(): Point {
    const { stage } = this;
    const now = this.work?.solver.last;
    return { x: now?.x ?? this.from, value: stage.kind === "fit" ? now?.value : undefined };
  }

  private get stage(): Stage {
    return this.stageAt(this.place, this.start, this.kept);
  }

  private stageAt(place: number, start: number, kept: Kept | undefined): Stage {
    const { path, ridge } = this.plan;
    if (place < path.length) return { kind: "path", start, ridge: path[place] };
    return { kind: "fit", start, ridge: path.length > 0 ? (kept?.ridge ?? ridge) : ridge };
  }

  step(): Iteration<OrdinalEmbeddingDetails> {
    if (this.outcome !== undefined && this.latest !== undefined) return this.latest;
    const { stage } = this;
    this.work ??= this.plan.work(stage, this.from);
    const { solver, share, maxIterations, maxPasses, slowest } = this.work;
    const inner = immediate(solver.step());
    this.index++;
    this.watch.iterations++;
    const isSettled = this.watch.isSettled(inner.value, solver);
    const isOver =
      inner.outcome !== undefined ||
      isSettled ||
      this.watch.isSlow(inner.value, slowest) ||
      this.watch.iterations >= maxIterations ||
      inner.passes >= maxPasses;
    const passes = this.passes + inner.passes * share;
    const testError = this.isMeasured(inner, passes) ? this.testError?.(solver.last.x) : undefined;
    if (testError !== undefined) this.monitoringEvaluations++;
    const told: Iteration<OrdinalEmbeddingDetails> = {
      index: this.index,
      value: stage.kind === "fit" ? inner.value : undefined,
      gradientNorm: stage.kind === "fit" ? inner.gradientNorm : undefined,
      stepLength: inner.stepLength,
      evaluations: this.evaluations + inner.evaluations,
      gradientEvaluations: this.gradientEvaluations + inner.gradientEvaluations,
      monitoringEvaluations: this.monitoringEvaluations + inner.monitoringEvaluations,
      passes,
      phase: stage.kind === "path" ? "ridge path" : inner.phase,
      details: {
        start: stage.start,
        stage: stage.kind,
        ridge: stage.ridge,
        objective: inner.value,
        testError,
      },
      outcome: undefined,
    };
    if (isOver) this.endStage(inner, isSettled);
    this.latest = { ...told, outcome: this.outcome };
    return this.latest;
  }

  /** Where the value is known, and else once a pass: a step may be a small part of one, and a test costs as much as many. */
  private isMeasured({ value, outcome }: Iteration, passes: number): boolean {
    const before = this.latest?.passes ?? 0;
    return value !== undefined || outcome !== undefined || Math.floor(passes) > Math.floor(before);
  }

  /** Keeps the end if it is the best so far, and goes to the next stage, or ends. */
  private endStage(inner: Iteration, isSettled: boolean): void {
    const { plan, work, stage } = this;
    if (work === undefined) return;
    const { x, value } = work.solver.best;
    this.evaluations += inner.evaluations;
    this.gradientEvaluations += inner.gradientEvaluations;
    this.passes += inner.passes * work.share;
    const hasPath = plan.path.length > 0;
    const isLast = hasPath ? stage.kind === "fit" : this.start + 1 === plan.starts;
    if (stage.kind === "path") {
      const score = plan.validate(x);
      this.evaluations++;
      this.passes += plan.validationPasses;
      this.worse = score < this.least ? 0 : this.worse + 1;
      this.least = Math.min(score, this.least);
      if (Number.isFinite(score) && !(this.kept !== undefined && this.kept.score <= score))
        this.kept = { x: x.slice(), score, ridge: stage.ridge };
    } else if (!isLast && value !== undefined && Number.isFinite(value)) {
      if (!(this.kept !== undefined && this.kept.score <= value))
        this.kept = { x: x.slice(), score: value, ridge: stage.ridge };
    }
    if (isLast) {
      this.outcome = inner.outcome ?? this.ending(isSettled);
      return;
    }
    this.advance(x);
  }

  private advance(x: Float64Array): void {
    const { plan } = this;
    const isPathOver = this.place + 1 >= plan.path.length || this.worse === MOST_WORSE;
    if (!isPathOver) {
      this.place++;
      this.from = x.every(Number.isFinite) ? x.slice() : plan.first(this.start);
    } else if (this.start + 1 < plan.starts) {
      this.start++;
      this.place = 0;
      this.from = plan.first(this.start);
    } else {
      this.place = plan.path.length;
      this.from = this.kept?.x.slice() ?? plan.first(0);
    }
    this.work = undefined;
    this.watch.begin();
    if (!isPathOver) return;
    this.least = Number.POSITIVE_INFINITY;
    this.worse = 0;
  }

  private ending(isSettled: boolean): Outcome {
    if (isSettled)
      return {
        status: "converged",
        message: `Value and map changed by no more than ${this.tolerance} of themselves.`,
      };
    return {
      status: "max-evaluations",
      message: `The schedule of ${this.name} has come to its end, with ${this.index} iterations and the ridge ${this.bestRidge}.`,
    };
  }

  save(): Snapshot {
    return {
      solver: this.name,
      version: VERSION,
      state: {
        start: this.start,
        place: this.place,
        begin: this.from.slice(),
        inner: this.work === undefined ? null : { ...this.work.solver.save() },
        ...this.watch.save(),
        least: this.least,
        worse: this.worse,
        kept: this.kept === undefined ? null : { ...this.kept, x: this.kept.x.slice() },
        index: this.index,
        evaluations: this.evaluations,
        gradientEvaluations: this.gradientEvaluations,
        monitoringEvaluations: this.monitoringEvaluations,
        passes: this.passes,
        latest: savedIteration(this.latest),
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const { plan, dimension } = this;
    const state = openSnapshot(snapshot, this.name, VERSION);
    const start = state.integer("start", 0, plan.starts - 1);
    const place = state.integer("place", 0, plan.path.length);
    const from = state.float64("begin", dimension);
    const takeWatch = this.watch.read(state);
    const kept = state.has("kept") ? readKept(state.object("kept"), dimension) : undefined;
    const counts = counters.map((name) => state.integer(name));
    const passes = state.number("passes");
    const least = state.number("least");
    const worse = state.integer("worse");
    const latest = readIteration(state);
    const inner = state.has("inner") ? state.snapshot("inner") : undefined;
    const work = inner === undefined ? undefined : plan.work(this.stageAt(place, start, kept), from);
    if (inner !== undefined) work?.solver.restore(inner);
    [this.start, this.place, this.from] = [start, place, from.slice()];
    [this.index, this.evaluations, this.gradientEvaluations, this.monitoringEvaluations] = counts;
    [this.kept, this.passes, this.work] = [kept, passes, work];
    [this.least, this.worse] = [least, worse];
    takeWatch();
    this.latest = latest;
    this.outcome = latest?.outcome;
  }
}

/** All solvers of ordinal objectives step at once. */
function immediate<T>(stepped: T | Promise<T>): T {
  if (!(stepped instanceof Promise)) return stepped;
  throw new CurvatureError("ERR_ARGUMENT", "A solver of an ordinal objective returned a promise.", {
    path: "solver",
  });
}
