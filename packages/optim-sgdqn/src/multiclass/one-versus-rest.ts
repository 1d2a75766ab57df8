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
import { CurvatureError, shown } from "@curvature/linalg";
import {
  fingerprintOf,
  type Iteration,
  type Outcome,
  openSnapshot,
  type Point,
  type Snapshot,
  type SnapshotReader,
  type Solver,
} from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";
import { standing } from "../standing.js";
import { readIteration, savedIteration } from "./saved-iteration.js";

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

const VERSION = 1;
/** The outcomes, the worst first: that of all is the worst of theirs. */
const severity: readonly Outcome["status"][] = [
  "failed",
  "diverged",
  "stalled",
  "max-evaluations",
  "converged",
];

export class OneVersusRestSolver implements Solver<OneVersusRestDetails> {
  readonly name: string;
  readonly dimension: number;
  readonly options: object;
  private readonly parts: readonly Solver<LinearDetails>[];
  private readonly labels: Int32Array;
  /** The last iteration of each part, as far as it made one. */
  private readonly latest: (Iteration<LinearDetails> | undefined)[];
  private index = 0;
  private turn = 0;
  /** The passes of the solver whose turn it is, when that began. */
  private passesBefore = 0;
  private outcome: Outcome | undefined;
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
    const dimension = Array.isArray(parts) ? parts.at(0)?.dimension : undefined;
    if (dimension === undefined || parts.some((part) => part?.dimension !== dimension))
      throw new CurvatureError(
        "ERR_ARGUMENT",
        "OneVersusRestSolver: there must be a solver for each class, all of one dimension.",
        { path: "parts", received: parts },
      );
    this.parts = parts;
    this.labels = labels;
    this.name = `one-versus-rest ${parts[0].name}`;
    this.options = parts[0].options ?? {};
    this.dimension = parts.length * dimension;
    this.latest = parts.map(() => undefined);
    this.bestX = new Float64Array(this.dimension);
    this.lastX = new Float64Array(this.dimension);
    this.isStale = new Uint8Array(parts.length).fill(1);
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
    if (this.outcome !== undefined) return this.iteration();
    const stepped = this.parts[this.turn].step();
    return stepped instanceof Promise ? stepped.then((made) => this.take(made)) : this.take(stepped);
  }

  private take(made: Iteration<LinearDetails>): Iteration<OneVersusRestDetails> {
    const { latest, turn, parts } = this;
    if (made.index !== latest[turn]?.index) this.index++; // one that had ended makes no step
    latest[turn] = made;
    this.isStale[turn] = 1;
    if (this.ended === parts.length) this.outcome = this.combined();
    const iteration = this.iteration();
    if (this.outcome === undefined && (made.outcome !== undefined || made.passes - this.passesBefore >= 1))
      this.next();
    return iteration;
  }

  private next(): void {
    const { latest, parts } = this;
    do this.turn = (this.turn + 1) % parts.length;
    while (latest[this.turn]?.outcome !== undefined);
    this.passesBefore = latest[this.turn]?.passes ?? 0;
  }

  /** Parts that have ended may be allowed more passes now, or be asked for a smaller gap: they say so when it is their turn. */
  private askAgain(): void {
    // Parts count passes each in its own way; while others are under way, those that had none left have none.
    const maxPasses = this.outcome === undefined ? 0 : Number.POSITIVE_INFINITY;
    for (const [k, made] of this.latest.entries()) {
      if (made?.outcome === undefined) continue;
      const { passes, details } = made;
      const asked = { maxPasses, tolerance: toleranceOf(this.parts[k]) };
      if (standing(made.outcome, { passes, gap: details.gap }, asked) !== undefined) continue;
      this.latest[k] = { ...made, outcome: undefined };
      this.outcome = undefined;
    }
    if (this.outcome === undefined && this.latest[this.turn]?.outcome !== undefined) this.next();
  }

  private get ended(): number {
    return this.latest.filter((iteration) => iteration?.outcome !== undefined).length;
  }

  private combined(): Outcome {
    const outcomes = this.latest.flatMap((made) => made?.outcome ?? []);
    const rank = ({ status }: Outcome) => severity.indexOf(status);
    const worst = outcomes.reduce((a, b) => (rank(b) < rank(a) ? b : a));
    const alike = outcomes.filter(({ status }) => status === worst.status).length;
    const which = `${alike} of ${outcomes.length} classes ended as ${worst.status}`;
    return { status: worst.status, message: `${which}; class ${outcomes.indexOf(worst)}: ${worst.message}` };
  }

  /** By class: its solver's best value, and its last iteration if it made one. */
  get classes(): readonly ClassState[] {
    return this.parts.map((part, k) => ({ value: part.best.value, iteration: this.latest[k] }));
  }

  private iteration(): Iteration<OneVersusRestDetails> {
    const { latest, turn } = this;
    const made = latest[turn];
    return {
      index: this.index,
      value: this.total((part) => part.last.value),
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations: this.sum((iteration) => iteration.evaluations),
      gradientEvaluations: this.sum((iteration) => iteration.gradientEvaluations),
      monitoringEvaluations: this.sum((iteration) => iteration.monitoringEvaluations),
      passes: this.sum((iteration) => iteration.passes) / latest.length,
      phase: made?.phase ?? "pass",
      details: {
        gap: this.gap(),
        certificate: made?.details.certificate,
        t0: made?.details.t0,
        classIndex: turn,
        ended: this.ended,
      },
      outcome: this.outcome,
    };
  }

  private sum(countOf: (iteration: Iteration<LinearDetails>) => number): number {
    return this.latest.reduce((sum, made) => sum + (made === undefined ? 0 : countOf(made)), 0);
  }

  /** Of Σ_k P_k: the mean of the parts' gaps, weighted by their values; undefined until all have both. */
  private gap(): number | undefined {
    let difference = 0;
    let value = 0;
    for (const made of this.latest) {
      if (made?.details.gap === undefined || made.value === undefined) return undefined;
      difference += made.details.gap * made.value;
      value += made.value;
    }
    return difference === 0 ? 0 : difference / value;
  }

  save(): Snapshot {
    return {
      solver: this.name,
      version: VERSION,
      state: {
        index: this.index,
        turn: this.turn,
        passesBefore: this.passesBefore,
        outcome: this.outcome === undefined ? null : { ...this.outcome },
        parts: this.parts.map((part) => ({ ...part.save() })),
        latest: this.latest.map((made) => (made === undefined ? null : savedIteration(made))),
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const { parts } = this;
    const state = openSnapshot(snapshot, this.name, VERSION);
    const index = state.integer("index");
    const turn = state.integer("turn", 0, parts.length - 1);
    const passesBefore = state.number("passesBefore");
    const outcome = state.outcome("outcome");
    const saved = listOf(state, "parts", parts.length).map(snapshotIn);
    const latest = listOf(state, "latest", parts.length).map((made) =>
      made === null ? undefined : readIteration(this.name, made),
    );
    const before = parts.map((part) => part.save());
    try {
      for (const [k, part] of parts.entries()) part.restore(saved[k]);
    } catch (error) {
      for (const [k, part] of parts.entries()) part.restore(before[k]); // all of them or none
      throw error;
    }
    this.index = index;
    this.turn = turn;
    this.passesBefore = passesBefore;
    this.outcome = outcome;
    for (const [k, made] of latest.entries()) this.latest[k] = made;
    this.askAgain();
    this.isStale.fill(1);
  }
}

/** Undefined for a part that has none. */
const toleranceOf = ({ options = {} }: Solver<LinearDetails>): number | undefined =>
  "tolerance" in options && typeof options.tolerance === "number" ? options.tolerance : undefined;

function listOf(state: SnapshotReader, key: string, length: number): readonly unknown[] {
  const list = state.list(key);
  if (list.length === length) return list;
  throw new CurvatureError(
    "ERR_SNAPSHOT",
    `The snapshot is of ${list.length} classes, these are ${length}. Restore it with the solver of its own problem.`,
    { path: key, expected: `a list of ${length}`, received: list.length },
  );
}

/** What a part wrote; the part checks the state. */
function snapshotIn(value: unknown): Snapshot {
  if (isSnapshot(value)) return value;
  throw new CurvatureError("ERR_SNAPSHOT", `The snapshot of a class is ${shown(value)}. It is damaged.`, {
    path: "parts",
    received: value,
  });
}

const isSnapshot = (value: unknown): value is Snapshot =>
  typeof value === "object" &&
  value !== null &&
  "solver" in value &&
  typeof value.solver === "string" &&
  "version" in value &&
  typeof value.version === "number" &&
  "state" in value;
