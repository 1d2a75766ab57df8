/**
 * NOMAD in layers: the solution of a layer is the Gram matrix of the next one.
 *
 * D_1 = D,  Q_l = NOMAD(D_l, K_l),  D_{l+1} = Q_l,   K_1 ≥ K_2 ≥ …
 *
 * | symbol | variable        | shape   |
 * |--------|-----------------|---------|
 * | D_l    | gram            | n × n   |
 * | K_l    | stage.clusters  | numbers |
 * | Q_l    | method.solution | n × n   |
 *
 * Tepper, Sengupta, Chklovskii, J. Mach. Learn. Res. 19 (2018), section 3.3. A large K_1 sees what is near, and later layers see
 * what is connected: along each manifold Q_l becomes a constant block. Each layer is certified in its own unit. Layers before
 * the last one end at a gap of 1e-2, or after 1000 iterations: neither components nor the next layers gain from more.
 *
 * Which layers there are is the plan's to say (`layer-plan.ts`); it may give up what it began, and start again with another K_1.
 */
import {
  fingerprintOf,
  type Iteration,
  type Outcome,
  openSnapshot,
  type Point,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import { rowSumErrorOf, type Solution } from "./geometry/solution.js";
import type { Gram } from "./gram/gram.js";
import { checkNextLayer, methodOf } from "./layer-method.js";
import { countOf, decide, type Stage } from "./layer-plan.js";
import {
  listOf,
  readAttempt,
  readDetails,
  readLayer,
  readSolution,
  readStage,
  savedLayer,
  savedSolution,
} from "./layer-snapshot.js";
import type { LayersOptions } from "./layers-options.js";
import type { NomadDetails } from "./nomad-options.js";
import type { LayerAttempt, NomadLayer } from "./nomad-result.js";
import type { Method } from "./solvers/method.js";

const VERSION = 1;
const ROUGH_ITERATIONS = 1000;
const enough: Outcome = { status: "stalled", message: "The layers before the last one need no more." };

/** A layer with its solution. */
export interface Solved {
  readonly layer: NomadLayer;
  readonly solution: Solution;
}

export class Layers implements Solver<NomadDetails> {
  readonly name: string;
  /** Of the first layer: what later ones keep their point in may be smaller. */
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: { readonly tolerance: number };
  private readonly gram: Gram;
  private readonly settings: LayersOptions;
  private readonly finished: NomadLayer[] = [];
  private readonly givenUp: LayerAttempt[] = [];
  stage: Stage;
  private method: Method;
  /** The solution of the layer before, of which this one's Gram matrix is made. */
  private source: Solution | undefined;
  private readonly before = { index: 0, evaluations: 0, monitoring: 0, passes: 0 };
  private index = 0;
  private details: NomadDetails | undefined;
  private outcome: Outcome | undefined;

  /** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
  constructor(gram: Gram, settings: LayersOptions) {
    this.gram = gram;
    this.settings = settings;
    this.name = settings.name;
    this.fingerprint = fingerprintOf("layers", gram.fingerprint, settings.origin);
    this.options = { tolerance: settings.tolerance };
    this.stage = this.nextStage();
    if (!this.stage.isLast) checkNextLayer(gram);
    this.method = this.methodFor(this.stage, this.source);
    this.dimension = this.method.solver.dimension;
  }

  /** How many points there are. */
  get n(): number {
    return this.gram.n;
  }

  get layers(): readonly NomadLayer[] {
    return this.finished;
  }

  /** Automatic sequences that were given up. */
  get attempts(): readonly LayerAttempt[] {
    return this.givenUp;
  }

  /** The best feasible point of the layer at hand. */
  get best(): Point {
    return this.method.solver.best;
  }

  get last(): Point {
    return this.method.solver.last;
  }

  /**
   * The layer that is to be shown: the last finished one if all are or if the next one has no bound yet, else the one at hand
   * with what is known of it.
   */
  solved(): Solved {
    const { source, finished, details } = this;
    const isBounded = details !== undefined && details.gap < Number.POSITIVE_INFINITY;
    const last = finished[finished.length - 1];
    if (this.outcome !== undefined && last !== undefined)
      return { layer: last, solution: this.method.solution() };
    if (source !== undefined && last !== undefined && !isBounded) return { layer: last, solution: source };
    return { layer: this.summary(), solution: this.method.solution() };
  }

  /**
   * An upper bound for the layer that is to be shown, where it has none yet: for who stops before the end. In snapshots and steps
   * it does not show.
   */
  certify(): void {
    const { details, method, outcome, finished, stage, source } = this;
    if (details === undefined || details.upper < Number.POSITIVE_INFINITY) return;
    if (outcome === undefined && source !== undefined) return; // the layer before is shown
    const upper = method.upperNow();
    const lower = method.solver.best.value ?? details.lower;
    const gap = Math.max(0, upper - lower) / Math.max(Math.abs(upper), 1e-300);
    this.details = { ...details, lower, upper, gap };
    const last = finished[finished.length - 1];
    if (outcome !== undefined && last.clusters === stage.clusters)
      finished[finished.length - 1] = { ...last, lower, upper, gap };
  }

  step(): Iteration<NomadDetails> {
    const inner = this.method.solver.step();
    const { stage, before } = this;
    const { gap, lower, upper, rank } = inner.details;
    this.details = {
      ...{ gap, lower, upper },
      layer: stage.layer,
      clusters: stage.clusters,
      rank: rank === undefined ? undefined : rank + 1,
    };
    this.index = before.index + inner.index;
    const iteration = {
      ...inner,
      index: this.index,
      evaluations: before.evaluations + inner.evaluations,
      monitoringEvaluations: before.monitoring + inner.monitoringEvaluations,
      passes: before.passes + inner.passes,
      details: this.details,
      outcome: this.outcome,
    };
    const isEnough = !stage.isLast && inner.index >= ROUGH_ITERATIONS;
    const ending = inner.outcome ?? (isEnough ? enough : undefined);
    if (ending === undefined || this.outcome !== undefined) return iteration;
    return { ...iteration, outcome: this.concluded(ending, iteration) };
  }

  /** Takes a finished layer into the books, and goes on to the next one if there is one. */
  private concluded(outcome: Outcome, iteration: Iteration<NomadDetails>): Outcome | undefined {
    const { stage, finished, before, method } = this;
    finished.push(this.summary());
    if (stage.isLast || outcome.status === "diverged" || outcome.status === "failed") {
      const message = stage.layer > 1 ? `Layer ${stage.layer}: ${outcome.message}` : outcome.message;
      this.outcome = { status: outcome.status, message };
      return this.outcome;
    }
    this.goOn(method.solution());
    before.index = iteration.index;
    before.evaluations = iteration.evaluations;
    before.monitoring = iteration.monitoringEvaluations;
    before.passes = iteration.passes;
    this.details = undefined;
    return undefined;
  }

  /** To the layer after the one that was just taken into the books; where there is no memory for it, all is as before that. */
  private goOn(solution: Solution): void {
    const { stage, source, finished, givenUp } = this;
    const kept = { finished: finished.slice(0, -1), givenUp: givenUp.length };
    try {
      this.source = solution;
      this.stage = this.nextStage();
      this.method = this.methodFor(this.stage, this.source);
    } catch (error) {
      this.stage = stage;
      this.source = source;
      finished.splice(0, finished.length, ...kept.finished);
      givenUp.length = kept.givenUp;
      throw error;
    }
  }

  private nextStage(): Stage {
    const { settings, gram, finished, givenUp } = this;
    const decision = decide(settings.plan, gram.n, finished.map(countOf), givenUp.length);
    if (decision.kind === "layer") {
      const { clusters, isLast } = decision;
      return { layer: finished.length + 1, clusters, isLast };
    }
    givenUp.push({ layers: finished.splice(0).map(countOf) });
    this.source = undefined;
    return this.nextStage();
  }

  private methodFor(stage: Stage, source: Solution | undefined, finished = this.finished): Method {
    const components = finished[stage.layer - 2]?.components;
    return methodOf(stage, this.gram, source && { solution: source, components }, this.settings);
  }

  /** The layer at hand as it stands. */
  private summary(): NomadLayer {
    const { stage, details, before, method } = this;
    const solution = method.solution();
    const { gap, lower, upper, rank } = details ?? { ...nothingKnown, lower: this.best.value ?? 0 };
    return {
      clusters: stage.clusters,
      ...{ lower, upper, gap, rank },
      smallestEntry: solution.smallestEntry(),
      rowSumError: rowSumErrorOf(solution),
      components: method.components(),
      iterations: Math.max(0, this.index - before.index),
    };
  }

  save(): Snapshot {
    const { stage, finished, givenUp, source, before, method, details, index, outcome } = this;
    return {
      solver: this.name,
      version: VERSION,
      state: {
        stage: { ...stage },
        finished: finished.map(savedLayer),
        givenUp: givenUp.map(({ layers }) => layers.map((layer) => ({ ...layer }))),
        source: source === undefined ? null : savedSolution(source),
        before: { ...before },
        method: { ...method.solver.save() },
        details: details === undefined ? null : { ...details, rank: details.rank ?? null },
        index,
        tolerance: this.settings.tolerance,
        outcome: outcome === undefined ? null : { ...outcome },
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, VERSION);
    const n = this.gram.n;
    const stage = readStage(state.object("stage"));
    const finished = listOf(state, "finished").map((layer) => readLayer(layer, n));
    const givenUp = state.list("givenUp").map(readAttempt);
    const source = state.has("source") ? readSolution(state.object("source"), n) : undefined;
    const before = state.object("before");
    const counters = {
      index: before.integer("index"),
      evaluations: before.number("evaluations"),
      monitoring: before.number("monitoring"),
      passes: before.number("passes"),
    };
    const details = state.has("details") ? readDetails(state.object("details")) : undefined;
    const index = state.integer("index");
    const outcome = state.outcome("outcome");
    const isOther = state.number("tolerance") !== this.settings.tolerance;
    // Blocks of the components may do for one tolerance and not for another: then the layer begins anew.
    const saved = state.snapshot("method");
    const solved = outcome === undefined ? finished : finished.slice(0, -1);
    const method = this.methodFor(stage, source, solved);
    const isAnew = isOther && saved.solver !== method.solver.name;
    if (isAnew) counters.index = index;
    else method.solver.restore(saved);
    const isGoingOn = isAnew || (isOther && outcome?.status === "converged" && !method.solver.isOver);
    this.finished.splice(0, this.finished.length, ...(isGoingOn ? solved : finished));
    this.givenUp.splice(0, this.givenUp.length, ...givenUp);
    Object.assign(this.before, counters);
    this.stage = stage;
    this.source = source;
    this.method = method;
    this.details = isAnew ? undefined : details;
    this.index = index;
    this.outcome = isGoingOn ? undefined : outcome;
  }
}

const nothingKnown = {
  upper: Number.POSITIVE_INFINITY,
  gap: Number.POSITIVE_INFINITY,
  rank: undefined,
} as const;
