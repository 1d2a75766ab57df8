/**
 * K solvers as one: they take turns of one pass over the rows each, until all have ended; a step is a step of the one
 * whose turn it is.
 *
 * Turns of a pass let a run that is stopped early leave models that are all trained, if not to the end. Turns of a
 * step would bring the same rows to the next solver while they are in the cache, but each solver's own vectors would
 * have left it: dual coordinate descent then took 1.2 to 1.6 times as long (16 to 47,000 columns, 4 to 26 classes).
 *
 * The point is the K parameter vectors one after the other; the value is Σ_k P_k where all are known.
 */
import { CurvatureError } from "@curvature/linalg";
import { fingerprintOf, type Iteration, type Outcome, type Point, type Solver } from "@curvature/optim-core";
import {
  DeclaredSolver,
  inner,
  list,
  number,
  outcome,
  record,
  stateOf,
  uint8,
  whole,
} from "@curvature/optim-core/state";
import { endedIteration, type LinearDetails } from "../details.js";
import { standing } from "../standing.js";

export interface OneVersusRestDetails extends LinearDetails {
  /** The class whose solver made the step. */
  readonly classIndex: number;
  /** How many of the solvers have ended. */
  readonly ended: number;
}

/** Where the solver of one class stands. */
export interface ClassState {
  readonly value: number | undefined;
  readonly iteration: Iteration<LinearDetails> | undefined;
}

/** The outcomes, the worst first: that of all is the worst of theirs. */
const severity: readonly Outcome["status"][] = [
  "failed",
  "diverged",
  "stalled",
  "max-iterations",
  "converged",
];

export class OneVersusRestSolver extends DeclaredSolver implements Solver<OneVersusRestDetails> {
  readonly name: string;
  readonly dimension: number;
  readonly options: object;
  readonly state;
  private readonly parts: readonly Solver<LinearDetails>[];
  private readonly labels: Int32Array;
  private readonly bestX: Float64Array;
  private readonly lastX: Float64Array;
  private readonly isStale: Uint8Array;
  private hash: string | undefined;

  /**
   * @param parts - one fresh solver for each class, that ends by itself
   * @param labels - for the fingerprint
   * @throws CurvatureError ERR_ARGUMENT for no parts, or parts of different dimensions
   */
  constructor(parts: readonly Solver<LinearDetails>[], labels: Int32Array) {
    super();
    const dimension = Array.isArray(parts) ? parts.at(0)?.dimension : undefined;
    if (dimension === undefined || parts.some((part) => part?.dimension !== dimension))
      throw new CurvatureError(
        "ERR_ARGUMENT",
        "there must be a solver for each class, all of one dimension.",
        { where: "OneVersusRestSolver", path: "parts", received: parts },
      );
    this.parts = parts;
    this.labels = labels;
    this.name = `one-versus-rest ${parts[0].name}`;
    this.options = parts[0].options ?? {};
    this.dimension = parts.length * dimension;
    this.bestX = new Float64Array(this.dimension);
    this.lastX = new Float64Array(this.dimension);
    this.isStale = new Uint8Array(parts.length).fill(1);
    this.state = stateOf({
      index: whole(),
      turn: whole(0, { to: parts.length - 1 }),
      /** The passes of the solver whose turn it is, when that began. */
      passesBefore: number(0),
      /** 1 for a part that found no t₀, and for one whose start is its result. */
      isSearchLost: uint8(new Uint8Array(parts.length)),
      isStart: uint8(new Uint8Array(parts.length)),
      outcome: outcome(),
      parts: record(Object.fromEntries(parts.map((part, k) => [k, inner(part)]))),
      /** The last iteration of each part, as far as it made one. */
      latest: list(
        endedIteration(),
        parts.map(() => undefined),
        parts.length,
      ),
    });
  }

  /** Costs what the fingerprint of one part does, the first time. */
  get fingerprint(): string {
    this.hash ??= fingerprintOf(this.parts.length, this.labels, this.parts[0].fingerprint);
    return this.hash;
  }

  /** The best points of the parts. */
  get best(): Point {
    this.refresh();
    return { x: this.bestX, value: this.total((part) => part.best.value) };
  }

  get last(): Point {
    this.refresh();
    return { x: this.lastX, value: this.total((part) => part.last.value) };
  }

  private refresh(): void {
    const { parts, bestX, lastX, isStale } = this;
    for (let k = 0; k < parts.length; k++) {
      if (isStale[k] === 0) continue;
      bestX.set(parts[k].best.x, k * parts[k].dimension);
      lastX.set(parts[k].last.x, k * parts[k].dimension);
      isStale[k] = 0;
    }
  }

  private total(measured: (part: Solver<LinearDetails>) => number | undefined): number | undefined {
    let sum = 0;
    for (const part of this.parts) {
      const value = measured(part);
      if (value === undefined) return undefined;
      sum += value;
    }
    return sum;
  }

  step(): Iteration<OneVersusRestDetails> | Promise<Iteration<OneVersusRestDetails>> {
    const { outcome, turn } = this.state;
    if (outcome !== undefined) return this.iteration();
    const stepped = this.parts[turn].step();
    return stepped instanceof Promise ? stepped.then((made) => this.take(made)) : this.take(stepped);
  }

  private take(made: Iteration<LinearDetails>): Iteration<OneVersusRestDetails> {
    const { state, parts } = this;
    const { latest, turn } = state;
    if (made.index !== latest[turn]?.index) state.index++; // one that had ended makes no step
    state.latest = latest.with(turn, made);
    state.isSearchLost[turn] = Number(made.details.isSearchLost === true);
    state.isStart[turn] = Number(made.details.isStart === true);
    this.isStale[turn] = 1;
    if (this.ended === parts.length) state.outcome = this.combined();
    const taken = this.iteration();
    if (state.outcome === undefined && (made.outcome !== undefined || made.passes - state.passesBefore >= 1))
      this.next();
    return taken;
  }

  private next(): void {
    const { state, parts } = this;
    do state.turn = (state.turn + 1) % parts.length;
    while (state.latest[state.turn]?.outcome !== undefined);
    state.passesBefore = state.latest[state.turn]?.passes ?? 0;
  }

  /** Parts that have ended may be allowed more passes now, or be asked for a smaller gap: they say so when it is their turn. */
  private askAgain(): void {
    // Parts count passes each in its own way; while others are under way, those that had none left have none.
    const { state } = this;
    const maxPasses = state.outcome === undefined ? 0 : Number.POSITIVE_INFINITY;
    state.latest = state.latest.map((made, k) => {
      if (made?.outcome === undefined) return made;
      const { passes, details } = made;
      const asked = { maxPasses, tolerance: toleranceOf(this.parts[k]) };
      if (standing(made.outcome, { passes, gap: details.gap }, asked) !== undefined) return made;
      state.outcome = undefined;
      return { ...made, outcome: undefined };
    });
    if (state.outcome === undefined && state.latest[state.turn]?.outcome !== undefined) this.next();
  }

  private get ended(): number {
    return this.state.latest.filter((made) => made?.outcome !== undefined).length;
  }

  private combined(): Outcome {
    const outcomes = this.state.latest.flatMap((made) => made?.outcome ?? []);
    const rank = ({ status }: Outcome) => severity.indexOf(status);
    const worst = outcomes.reduce((a, b) => (rank(b) < rank(a) ? b : a));
    const alike = outcomes.filter(({ status }) => status === worst.status).length;
    const which = `${alike} of ${outcomes.length} classes ended as ${worst.status}`;
    return { status: worst.status, message: `${which}; class ${outcomes.indexOf(worst)}: ${worst.message}` };
  }

  /** By class: its solver's best value, and its last iteration if it made one. */
  get classes(): readonly ClassState[] {
    return this.parts.map((part, k) => ({ value: part.best.value, iteration: this.state.latest[k] }));
  }

  private iteration(): Iteration<OneVersusRestDetails> {
    const { latest, turn, index, outcome } = this.state;
    const made = latest[turn];
    return {
      index,
      value: this.total((part) => part.last.value),
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations: this.sum(({ evaluations }) => evaluations),
      gradientEvaluations: this.sum(({ gradientEvaluations }) => gradientEvaluations),
      monitoringEvaluations: this.sum(({ monitoringEvaluations }) => monitoringEvaluations),
      passes: this.sum(({ passes }) => passes) / latest.length,
      phase: made?.phase ?? "pass",
      details: {
        gap: this.gap(),
        certificate: made?.details.certificate,
        t0: made?.details.t0,
        isSearchLost: this.state.isSearchLost.includes(1),
        isStart: this.state.isStart.includes(1),
        classIndex: turn,
        ended: this.ended,
      },
      outcome,
    };
  }

  private sum(countOf: (iteration: Iteration<LinearDetails>) => number): number {
    return this.state.latest.reduce((sum, made) => sum + (made === undefined ? 0 : countOf(made)), 0);
  }

  /** Of Σ_k P_k: the mean of the parts' gaps, weighted by their values; undefined until all have both. */
  private gap(): number | undefined {
    let difference = 0;
    let value = 0;
    for (const made of this.state.latest) {
      if (made?.details.gap === undefined || made.value === undefined) return undefined;
      difference += made.details.gap * made.value;
      value += made.value;
    }
    return difference === 0 ? 0 : difference / value;
  }

  protected override restored(): void {
    this.askAgain();
    this.isStale.fill(1);
  }
}

/** Undefined for a part that has none. */
const toleranceOf = ({ options = {} }: Solver<LinearDetails>): number | undefined =>
  "tolerance" in options && typeof options.tolerance === "number" ? options.tolerance : undefined;
