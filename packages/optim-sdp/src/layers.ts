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
import type { Components } from "@curvature/linalg";
import {
  fingerprintOf,
  type Iteration,
  type Outcome,
  type Point,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import {
  boolean,
  heldSnapshot,
  int32,
  type Kind,
  list,
  matrix,
  maybe,
  number,
  outcome,
  record,
  restore,
  saved,
  stateOf,
  whole,
} from "@curvature/optim-core/state";
import { checkMemory, denseBytes } from "./arguments.js";
import { factoredPoint } from "./bounds/factored-point.js";
import { OF_TILINGS } from "./geometry/components.js";
import {
  DenseSolution,
  denseOf,
  FactoredSolution,
  rowSumErrorOf,
  type Solution,
} from "./geometry/solution.js";
import { type Gram, gramOfMatrix } from "./gram.js";
import { countOf, decide, type LayerPlan, type Stage } from "./layer-plan.js";
import type { NomadDetails } from "./nomad-options.js";
import type { LayerAttempt, NomadLayer } from "./nomad-result.js";
import { blocksOf } from "./solvers/closed.js";
import { closedMethod, type MakeMethod, type Method } from "./solvers/method.js";
import type { Steps } from "./steps.js";

export interface LayersOptions {
  /** Of the solver that solves each layer. */
  readonly name: string;
  readonly tolerance: number;
  readonly plan: LayerPlan;
  readonly make: MakeMethod;
  /** Names what is not in the Gram matrix: the plan, the seed. */
  readonly origin: string;
}

/** The gap and the iterations at which layers before the last one end, unless the tolerance is larger. */
const ROUGH = 1e-2;
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
  /** What solves the layer at hand. */
  private method: Method;
  private state: ReturnType<Layers["freshState"]>;

  /** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
  constructor(gram: Gram, settings: LayersOptions) {
    this.gram = gram;
    this.settings = settings;
    this.name = settings.name;
    this.fingerprint = fingerprintOf("layers", gram.fingerprint, settings.origin);
    this.options = { tolerance: settings.tolerance };
    this.state = this.freshState();
    this.state.stage = this.nextStage();
    if (!this.state.stage.isLast) checkNextLayer(gram);
    this.method = this.methodFor(this.state.stage, undefined, []);
    this.dimension = this.method.solver.dimension;
  }

  /** How many points there are. */
  get n(): number {
    return this.gram.n;
  }

  /** Tr D of the first layer. */
  get trace(): number {
    return this.gram.trace;
  }

  get layers(): readonly NomadLayer[] {
    return this.state.finished;
  }

  /** Automatic sequences that were given up. */
  get attempts(): readonly LayerAttempt[] {
    return this.state.givenUp;
  }

  /** The layer at hand. */
  get stage(): Stage {
    return this.state.stage;
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
    const { source, finished, details, outcome } = this.state;
    const isBounded = details !== undefined && details.gap < Number.POSITIVE_INFINITY;
    const last = finished[finished.length - 1];
    if (outcome !== undefined && last !== undefined) return { layer: last, solution: this.method.solution() };
    if (source !== undefined && last !== undefined && !isBounded) return { layer: last, solution: source };
    return { layer: this.summary(), solution: this.method.solution() };
  }

  /** Of the layer at hand, by another threshold. */
  components(threshold: number): Components {
    return this.method.components(threshold);
  }

  /**
   * An upper bound for the layer that is to be shown, where it has none yet: for who stops before the end. In snapshots and steps
   * it does not show.
   */
  *certify(): Steps<void> {
    const { method, state } = this;
    const { details, outcome, finished, stage, source } = state;
    if (details === undefined || details.upper < Number.POSITIVE_INFINITY) return;
    if (outcome === undefined && source !== undefined) return; // the layer before is shown
    const upper = yield* method.upperNow();
    const lower = method.solver.best.value ?? details.lower;
    const gap = Math.max(0, upper - lower) / Math.max(Math.abs(upper), 1e-300);
    state.details = { ...details, lower, upper, gap };
    const last = finished[finished.length - 1];
    if (outcome !== undefined && last.clusters === stage.clusters)
      state.finished = [...finished.slice(0, -1), { ...last, lower, upper, gap }];
  }

  step(): Iteration<NomadDetails> {
    const inner = this.method.solver.step();
    const { state } = this;
    const { stage, before } = state;
    const { gap, lower, upper, rank } = inner.details;
    state.details = {
      ...{ gap, lower, upper },
      layer: stage.layer,
      clusters: stage.clusters,
      rank: rank === undefined ? undefined : rank + 1,
    };
    state.index = before.index + inner.index;
    const iteration = {
      ...inner,
      index: state.index,
      evaluations: before.evaluations + inner.evaluations,
      monitoringEvaluations: before.monitoring + inner.monitoringEvaluations,
      passes: before.passes + inner.passes,
      details: state.details,
      outcome: state.outcome,
    };
    const isEnough = !stage.isLast && inner.index >= ROUGH_ITERATIONS;
    const ending = inner.outcome ?? (isEnough ? enough : undefined);
    if (ending === undefined || state.outcome !== undefined) return iteration;
    return { ...iteration, outcome: this.concluded(ending, iteration) };
  }

  /** Keeps a finished layer, and goes on to the next one if there is one. */
  private concluded(outcome: Outcome, iteration: Iteration<NomadDetails>): Outcome | undefined {
    const { state, method } = this;
    const { stage } = state;
    const layer = this.summary();
    if (stage.isLast || outcome.status === "diverged" || outcome.status === "failed") {
      const message = stage.layer > 1 ? `Layer ${stage.layer}: ${outcome.message}` : outcome.message;
      state.finished = [...state.finished, layer];
      state.outcome = { status: outcome.status, message };
      return state.outcome;
    }
    this.goOn(layer, method.solution());
    state.before = {
      index: iteration.index,
      evaluations: iteration.evaluations,
      monitoring: iteration.monitoringEvaluations,
      passes: iteration.passes,
    };
    state.details = undefined;
    return undefined;
  }

  /** To the layer after this finished one; where there is no memory for it, all is as before that. */
  private goOn(layer: NomadLayer, solution: Solution): void {
    const { state } = this;
    const { stage, source, finished, givenUp } = state;
    try {
      state.finished = [...finished, layer];
      state.source = solution;
      state.stage = this.nextStage();
      this.method = this.methodFor(state.stage, state.source, state.finished);
    } catch (error) {
      Object.assign(state, { stage, source, finished, givenUp });
      throw error;
    }
  }

  private nextStage(): Stage {
    const { settings, gram, state } = this;
    const counts = state.finished.map(countOf);
    const decision = decide(settings.plan, gram.n, counts, state.givenUp.length);
    if (decision.kind === "layer") {
      const { clusters, isLast } = decision;
      return { layer: counts.length + 1, clusters, isLast };
    }
    state.givenUp = [...state.givenUp, { layers: counts }];
    state.finished = [];
    state.source = undefined;
    return this.nextStage();
  }

  /**
   * What solves a layer: the blocks of the components that the layer before came to, where they are within the tolerance
   * (see `solvers/closed.ts`), and the solver of the options where not.
   *
   * @param source - the solution of the layer before, of which this one's Gram matrix is made; undefined for the first one
   */
  private methodFor(
    { layer, clusters, isLast }: Stage,
    source: Solution | undefined,
    finished: readonly NomadLayer[],
  ): Method {
    const { gram, settings } = this;
    const tolerance = isLast ? settings.tolerance : Math.max(settings.tolerance, ROUGH);
    if (source === undefined) return settings.make({ gram, clusters }, tolerance);
    checkNextLayer(gram);
    const { memoryLimit } = gram;
    const problem = { gram: gramOfMatrix(denseOf(source), { memoryLimit }), clusters };
    const components: Components | undefined = finished[layer - 2]?.components;
    const blocks = components?.count === clusters ? blocksOf(problem, components, tolerance) : undefined;
    return blocks === undefined ? settings.make(problem, tolerance) : closedMethod(blocks);
  }

  /** The layer at hand as it stands. */
  private summary(): NomadLayer {
    const { method } = this;
    const { stage, details, before, index } = this.state;
    const solution = method.solution();
    const { gap, lower, upper, rank } = details ?? { ...nothingKnown, lower: this.best.value ?? 0 };
    return {
      clusters: stage.clusters,
      ...{ lower, upper, gap, rank },
      smallestEntry: solution.smallestEntry(),
      rowSumError: rowSumErrorOf(solution),
      components: method.components(OF_TILINGS),
      iterations: Math.max(0, index - before.index),
    };
  }

  private freshState() {
    const { n } = this.gram;
    const counts = { clusters: number(), components: whole(1, { from: 1 }), smallest: whole(1, { from: 1 }) };
    const bounds = { gap: number(), lower: number(), upper: number(), rank: maybe(number()) };
    const components = {
      count: whole(1, { from: 1, to: n }),
      labels: int32(new Int32Array(n), { from: 0, to: n - 1 }),
    };
    const layer = {
      clusters: number(),
      ...bounds,
      smallestEntry: number(),
      rowSumError: number(),
      components: record(components),
      iterations: whole(),
    };
    return stateOf({
      stage: record({ layer: whole(1, { from: 1 }), clusters: number(), isLast: boolean() }),
      finished: list(record(layer)),
      givenUp: list(record({ layers: list(record(counts)) })),
      /** The solution of the layer before, of which this one's Gram matrix is made. */
      source: solutionOf(n),
      before: record({ index: whole(), evaluations: number(0), monitoring: number(0), passes: number(0) }),
      index: whole(),
      details: maybe(record({ ...bounds, layer: whole(1, { from: 1 }), clusters: number() })),
      tolerance: number(this.settings.tolerance),
      outcome: outcome(),
      method: heldSnapshot(() => this.method.solver.save()),
    });
  }

  save(): Snapshot {
    return saved(this.name, this.state);
  }

  restore(snapshot: Snapshot): void {
    const { tolerance } = this.settings;
    const state = this.freshState();
    restore(this.name, state, snapshot);
    const { stage, source, finished, method: inner } = state;
    const isOther = state.tolerance !== tolerance;
    const solved = state.outcome === undefined ? finished : finished.slice(0, -1);
    const method = this.methodFor(stage, source, solved);
    // Blocks of the components may do for one tolerance and not for another: then the layer begins anew.
    const isAnew = isOther && inner?.solver !== method.solver.name;
    if (!isAnew && inner !== undefined) method.solver.restore(inner);
    if (isAnew) {
      state.before = { ...state.before, index: state.index };
      state.details = undefined;
    }
    if (isAnew || (isOther && state.outcome?.status === "converged" && !method.solver.isOver)) {
      state.finished = solved;
      state.outcome = undefined;
    }
    state.tolerance = tolerance;
    state.method = undefined;
    this.state = state;
    this.method = method;
  }
}

/** Whether there is room for the Gram matrix of a layer after the first one, n × n. @throws CurvatureError ERR_MEMORY */
function checkNextLayer({ n, memoryLimit }: Gram): void {
  checkMemory("nomad", `a second layer of ${n} points`, denseBytes(n, 1), memoryLimit);
}

/** A solution of n points in a state, where there is one: as n × n numbers, or as a factor. */
function solutionOf(n: number): Kind<Solution | undefined> {
  const none = { rows: n, columns: 0, data: new Float64Array(0) };
  const point = { factor: none, diagonal: new Float64Array(n), constant: 0, sweeps: 0 };
  const form = maybe(
    record({ Q: maybe(matrix(none, { rows: n, columns: n })), point: maybe(factoredPoint(point)) }),
  );
  return {
    shape: form.shape,
    initial: undefined,
    save(solution, fields) {
      const Q = solution instanceof DenseSolution ? solution.Q : undefined;
      const factored = solution instanceof FactoredSolution ? solution.point : undefined;
      return form.save(solution && { Q, point: factored }, fields);
    },
    open(at, value) {
      const saved = form.open(at, value, undefined)();
      if (saved === undefined) return () => undefined;
      const { Q, point: factored } = saved;
      const solution = Q === undefined ? factored && new FactoredSolution(factored) : new DenseSolution(Q);
      return solution === undefined ? at.refuse("a matrix or a factor", value) : () => solution;
    },
  };
}

const nothingKnown = {
  upper: Number.POSITIVE_INFINITY,
  gap: Number.POSITIVE_INFINITY,
  rank: undefined,
} as const;
