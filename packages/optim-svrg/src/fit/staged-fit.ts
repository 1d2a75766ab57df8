/**
 * A fit in stages, as one solver: a run of it can be watched, stopped and resumed at any iteration of any stage.
 *
 *   an opening:        minimise F + ridge on all answers, for each λ of the opening from where the last ended; as soon as
 *                      a map without a ridge satisfies all answers it is the result; where one is left with too many
 *                      errors the opening has failed, and is forgotten
 *   for every start:   without a path: minimise F on all answers; keep the end of least F
 *                      with a path: for every λ, minimise F + ridge on a part of the answers, from where the last λ
 *                      ended; keep the end with the least loss on the answers held out; two λ in a row that are no
 *                      better than the best of this start end its path
 *   with a path:       minimise F + ridge on all answers, with the λ that was kept and from there
 *
 * `value` is F on all answers, at the ridge of the stage; on the path it is not known.
 */
import { CurvatureError, norm2 } from "@curvature/linalg";
import type { OrdinalObjective } from "@curvature/objectives/ordinal";
import type { Iteration, Point, Solver } from "@curvature/optim-core";
import {
  DeclaredSolver,
  float64,
  iteration,
  madeInner,
  maybe,
  number,
  type Place,
  part,
  record,
  stateOf,
  whole,
  word,
} from "@curvature/optim-core/state";
import type { OrdinalEmbeddingDetails } from "../embedding-options.js";
import { StageMonitor } from "./stage-monitor.js";

const MAX_WORSE = 2;
/** F below as many times what it is where all objects stand in one place: losses of one's own may have no least value. */
const BOTTOMLESS = -1e12;
/** ‖X‖ of a map that may have fallen so far. */
const FAR = 1e4;

/** One minimisation. */
export interface Stage {
  /** "path": on the answers that are not held out; "opening" and "fit": on all of them. */
  readonly kind: "opening" | "path" | "fit";
  /** Which start it belongs to, from 0. */
  readonly start: number;
  /** λ */
  readonly ridge: number;
}

/** When the stages of a kind end, and what their passes count for. */
export interface StageLimits {
  readonly maxIterations: number;
  readonly maxPasses: number;
  /** Ends a stage when its value has fallen by less than this, relatively, in 5 iterations; 0 is off. */
  readonly slowest: number;
  /** Its answers as a share of all, for the count of passes. */
  readonly share: number;
}

/** A stage of an opening. */
export interface Opening {
  /** λ */
  readonly ridge: number;
  readonly limits: StageLimits;
  /** The share of unsatisfied answers from which on the opening has failed. */
  readonly mostErrors: number;
  /** Whether it begins where the opening began, and of its end and the last one that of less F is the result. */
  readonly isAnew: boolean;
  /** Whether a map that satisfies all answers is the result before F has come to its end, as where F has no minimum. */
  readonly isEnough: boolean;
}

/** Which stages there are, and what is made of their ends. */
export interface Plan {
  /** Tried before all others, for answers that a map may satisfy; empty where there is no such hope. */
  readonly opening: readonly Opening[];
  /** How many starts there are; each goes through the `path`, or without one through a stage "fit". */
  readonly starts: number;
  /** The λ that are tried, in this order, each from where the last one ended; empty without a search. */
  readonly path: readonly number[];
  /**
   * Whether a last stage without a ridge begins where the path did: maps that a ridge has drawn together are a slow start,
   * and not the way to the minimum that is found without one.
   */
  readonly isBegunAnew: boolean;
  /** λ without a search. */
  readonly ridge: number;
  readonly limits: Readonly<Record<"path" | "fit", StageLimits>>;
  /** The initial embedding of a start. */
  initial(start: number): Float64Array;
  /**
   * Where a stage of the opening begins that begins anew, if elsewhere than the first; it is then tried whatever became of
   * the others. On a line an order that is wrong stays, and another start may have a right one.
   */
  readonly anew: Float64Array | undefined;
  objective(stage: Stage): OrdinalObjective;
  solver(stage: Stage, from: Float64Array): Solver;
  /** The loss on the answers held out. */
  validate(x: Float64Array): number;
  /** The share of all answers that a map does not satisfy. */
  errorShare(x: Float64Array): number;
  /** Below this share without a ridge the path ends, and needs none; 0 is off. */
  readonly mostErrors: number;
  /** In units of N: what `validate` costs. */
  readonly validationPasses: number;
}

export interface StagedFitSettings {
  readonly name: string;
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: object;
  /** Ends a stage when value and point both change by no more than this, relatively, in one iteration; 0 is off. */
  readonly tolerance: number;
  /** The error on the test answers; undefined where there are none. */
  readonly testError: ((x: Float64Array) => number) | undefined;
}

const latestIteration = iteration({
  start: whole(),
  stage: word("fit", ["opening", "path", "fit"]),
  ridge: number(),
  objective: maybe(number()),
  testError: maybe(number()),
});

export class StagedFit extends DeclaredSolver implements Solver<OrdinalEmbeddingDetails> {
  readonly name: string;
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: object;
  readonly state;
  private readonly plan: Plan;
  private readonly tolerance: number;
  private readonly testError: ((x: Float64Array) => number) | undefined;
  private readonly monitor: StageMonitor;

  constructor(plan: Plan, settings: StagedFitSettings) {
    super();
    const { name, dimension, fingerprint, options, tolerance, testError } = settings;
    this.plan = plan;
    this.name = name;
    this.dimension = dimension;
    this.fingerprint = fingerprint;
    this.options = options;
    this.tolerance = tolerance;
    this.testError = testError;
    this.monitor = new StageMonitor(dimension, tolerance);
    const first = plan.initial(0);
    this.state = stateOf({
      /** Stages of the opening that are done; all of them once it has failed. */
      opened: whole(0, { to: plan.opening.length }),
      start: whole(0, { to: plan.starts - 1 }),
      /** Which λ of the path; its length for the last stage. */
      pathIndex: whole(0, { to: plan.path.length }),
      /** λ of the stage under way. */
      ridge: number(plan.opening[0]?.ridge ?? plan.path[0] ?? plan.ridge),
      /** Where the first stage began. */
      initial: float64(first),
      /** Where the stage under way began. */
      from: float64(first.slice()),
      solver: madeInner((at) => this.solverAt(at)),
      monitor: part(this.monitor),
      /** The best end of a stage so far. Its score is F, or with a path the loss on the answers held out. */
      kept: maybe(record({ x: float64(new Float64Array(dimension)), score: number(), ridge: number() })),
      /** The least loss on the answers held out of this start's λ, and how many λ in a row have not reached it. */
      least: number(Number.POSITIVE_INFINITY),
      worse: whole(),
      index: whole(),
      /** Of the stages that have ended. */
      evaluations: whole(),
      gradientEvaluations: whole(),
      monitoringEvaluations: whole(),
      passes: number(0),
      /** A further step after the end, also after a restore, says the last iteration again. */
      latest: latestIteration,
    });
    this.state.solver = plan.solver(this.stage, this.state.from);
  }

  /** That of a snapshot, before it is restored. */
  private solverAt(at: Place): Solver {
    const from = at.siblings.get("from");
    if (!(from instanceof Float64Array)) return at.refuse("preceded by the point from", from);
    const kind = this.kindAt(at.number("opened"), at.number("pathIndex"));
    return this.plan.solver({ kind, start: at.number("start"), ridge: at.number("ridge") }, from);
  }

  private kindAt(opened: number, pathIndex: number): Stage["kind"] {
    if (opened < this.plan.opening.length) return "opening";
    return pathIndex < this.plan.path.length ? "path" : "fit";
  }

  private get stage(): Stage {
    const { opened, pathIndex, start, ridge } = this.state;
    return { kind: this.kindAt(opened, pathIndex), start, ridge };
  }

  private limitsOf({ kind }: Stage): StageLimits {
    return kind === "opening" ? this.plan.opening[this.state.opened].limits : this.plan.limits[kind];
  }

  /** λ of `best`. */
  get bestRidge(): number {
    const { kind, ridge } = this.stage;
    return kind === "path" ? (this.state.kept?.ridge ?? ridge) : ridge;
  }

  /** F on all answers, and the ridge. */
  valueAt(x: Float64Array, ridge: number): number {
    return this.plan.objective({ kind: "fit", start: 0, ridge }).evaluate(x);
  }

  get best(): Point {
    const { kept, solver, from } = this.state;
    const now = solver?.best;
    const { kind } = this.stage;
    if (kind === "path") return { x: kept?.x ?? now?.x ?? from, value: undefined };
    const isRefit = kind === "fit" && this.plan.path.length > 0;
    if (now?.value === undefined)
      return { x: kept?.x ?? now?.x ?? from, value: isRefit ? undefined : kept?.score };
    const isKeptBetter = !isRefit && kept !== undefined && kept.score < now.value;
    return isKeptBetter ? { x: kept.x, value: kept.score } : now;
  }

  get last(): Point {
    const { solver, from } = this.state;
    const now = solver?.last;
    return { x: now?.x ?? from, value: this.stage.kind === "path" ? undefined : now?.value };
  }

  step(): Iteration<OrdinalEmbeddingDetails> {
    const { state, stage, monitor } = this;
    if (state.latest?.outcome !== undefined) return state.latest;
    state.solver ??= this.plan.solver(stage, state.from);
    const { solver } = state;
    const { share, maxIterations, maxPasses, slowest } = this.limitsOf(stage);
    const inner = immediate(solver.step());
    state.index++;
    monitor.state.iterations++;
    const isSettled = monitor.isSettled(inner.value, solver);
    const isOver =
      inner.outcome !== undefined ||
      isSettled ||
      monitor.isSlow(inner.value, slowest) ||
      monitor.state.iterations >= maxIterations ||
      inner.passes >= maxPasses;
    const bottomless = this.bottomless(inner.value, isOver ? solver.last.x : undefined);
    const passes = state.passes + inner.passes * share;
    const testError = this.isMeasured(inner, passes) ? this.testError?.(solver.last.x) : undefined;
    if (testError !== undefined) state.monitoringEvaluations++;
    const iteration: Iteration<OrdinalEmbeddingDetails> = {
      index: state.index,
      value: stage.kind === "path" ? undefined : inner.value,
      gradientNorm: stage.kind === "path" ? undefined : inner.gradientNorm,
      stepLength: inner.stepLength,
      evaluations: state.evaluations + inner.evaluations,
      gradientEvaluations: state.gradientEvaluations + inner.gradientEvaluations,
      monitoringEvaluations: state.monitoringEvaluations + inner.monitoringEvaluations,
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
    const ending = bottomless ?? (isOver ? this.endStage(stage, solver, inner, isSettled) : undefined);
    state.latest = { ...iteration, outcome: ending };
    return state.latest;
  }

  /** @param end - where a stage has ended, for solvers that do not know F */
  private bottomless(known: number | undefined, end: Float64Array | undefined): Iteration["outcome"] {
    const isFar = known === undefined && end !== undefined && norm2(end) > FAR;
    const value = isFar ? this.valueAt(end, 0) : known;
    if (value === undefined || !(value <= BOTTOMLESS)) return undefined;
    const together = Math.abs(this.valueAt(new Float64Array(this.dimension), 0));
    const limit = BOTTOMLESS * Math.max(1, together);
    if (value > limit) return undefined;
    return {
      status: "diverged",
      message: `The loss seems to be unbounded below: F has fallen to ${value.toExponential(2)}, and the map grows without end. Give a loss that has a least value.`,
      test: { name: "value", value, limit },
    };
  }

  /** Where the value is known, and else once a pass: a step may be a small part of one, and a test costs as much as many. */
  private isMeasured({ value, outcome }: Iteration, passes: number): boolean {
    const before = this.state.latest?.passes ?? 0;
    return value !== undefined || outcome !== undefined || Math.floor(passes) > Math.floor(before);
  }

  /**
   * Keeps the end if it is the best so far, and goes to the next stage. @returns how the fit ends, if that was the last
   * stage
   */
  private endStage(
    { kind, start, ridge }: Stage,
    solver: Solver,
    inner: Iteration,
    isSettled: boolean,
  ): Iteration["outcome"] {
    const { plan, state } = this;
    const { x, value } = solver.best;
    const limits = this.limitsOf({ kind, start, ridge });
    state.evaluations += inner.evaluations;
    state.gradientEvaluations += inner.gradientEvaluations;
    state.passes += inner.passes * limits.share;
    if (kind === "opening") {
      if (this.isOpeningOver(solver.best, ridge, isSettled || inner.outcome !== undefined))
        return inner.outcome ?? this.ending(isSettled, inner.passes >= limits.maxPasses);
      return undefined;
    }
    const isLast = kind === "fit" && (plan.path.length > 0 || start + 1 === plan.starts);
    if (isLast) return inner.outcome ?? this.ending(isSettled, inner.passes >= limits.maxPasses);
    if (kind === "path") {
      const loss = plan.validate(x);
      state.evaluations++;
      state.passes += plan.validationPasses;
      state.worse = loss < state.least ? 0 : state.worse + 1;
      state.least = Math.min(loss, state.least);
      this.keep(x, loss, ridge);
      if (ridge === 0 && plan.mostErrors > 0) this.endPathIfConsistent(x, loss);
    } else this.keep(x, value ?? Number.NaN, ridge);
    this.beginNext(x);
    return undefined;
  }

  private endPathIfConsistent(x: Float64Array, score: number): void {
    const { plan, state } = this;
    state.evaluations++; // of the errors
    state.passes++;
    if (plan.errorShare(x) >= plan.mostErrors) return;
    state.kept = { x: x.slice(), score, ridge: 0 };
    state.worse = MAX_WORSE;
  }

  private keep(x: Float64Array, score: number, ridge: number): void {
    const { kept } = this.state;
    if (!Number.isFinite(score) || (kept !== undefined && kept.score <= score)) return;
    this.state.kept = { x: x.slice(), score, ridge };
  }

  /** Goes to the next stage of the opening, or beyond it if it has failed. @returns whether its end is the result */
  private isOpeningOver({ x, value = Number.NaN }: Point, ridge: number, isMinimum: boolean): boolean {
    const { plan, state } = this;
    const { isAnew, isEnough, mostErrors } = plan.opening[state.opened];
    state.evaluations++; // of the errors
    state.passes++;
    if (isAnew || ridge === 0) this.keep(x, value, ridge);
    const errors = plan.errorShare(isAnew ? (state.kept?.x ?? x) : x);
    if (errors === 0 && ridge === 0 && (isMinimum || isEnough)) return true;
    const last = plan.opening.length - 1;
    if (errors < mostErrors && state.opened === last) return true;
    if (errors < mostErrors) state.opened++;
    else state.opened = plan.anew !== undefined && state.opened < last ? last : plan.opening.length;
    const next = plan.opening.at(state.opened);
    if (next !== undefined) this.beginStage(next.ridge, next.isAnew ? (plan.anew ?? state.initial) : x);
    else {
      state.kept = undefined;
      this.beginStage(plan.path[0] ?? plan.ridge, state.initial);
    }
    return false;
  }

  private beginStage(ridge: number, from: Float64Array): void {
    const { state } = this;
    state.solver = undefined;
    this.monitor.begin();
    state.ridge = ridge;
    state.from = from.slice();
  }

  private beginNext(x: Float64Array): void {
    const { plan, state } = this;
    const { path } = plan;
    state.solver = undefined;
    this.monitor.begin();
    const isPathOver = state.pathIndex + 1 >= path.length || state.worse === MAX_WORSE;
    if (!isPathOver) {
      state.pathIndex++;
      state.ridge = path[state.pathIndex];
      state.from = x.every(Number.isFinite) ? x.slice() : plan.initial(state.start);
      return;
    }
    if (state.start + 1 < plan.starts) {
      state.start++;
      state.pathIndex = 0;
      state.ridge = path.length > 0 ? path[0] : plan.ridge;
      state.from = plan.initial(state.start);
    } else {
      state.pathIndex = path.length;
      state.ridge = state.kept?.ridge ?? plan.ridge;
      const isNew = plan.isBegunAnew && state.ridge === 0;
      state.from = (isNew ? state.initial : (state.kept?.x ?? state.initial)).slice();
    }
    state.least = Number.POSITIVE_INFINITY;
    state.worse = 0;
  }

  private ending(isSettled: boolean, isOutOfPasses: boolean): Iteration["outcome"] {
    if (isSettled)
      return {
        status: "converged",
        message: `Value and map changed by no more than ${this.tolerance} of themselves.`,
      };
    return {
      status: isOutOfPasses ? "max-iterations" : "max-evaluations",
      message: `The schedule of ${this.name} has come to its end, with ${this.state.index} iterations and the ridge ${this.bestRidge}.`,
    };
  }
}

/** All solvers of ordinal objectives step at once. */
function immediate<T>(stepped: T | Promise<T>): T {
  if (!(stepped instanceof Promise)) return stepped;
  throw new CurvatureError("ERR_ARGUMENT", "A solver of an ordinal objective returned a promise.", {
    path: "solver",
  });
}
