/**
 * The road of `clusterPoints` on which no relaxation of all points is solved: where there are many of them, or rows so far away that
 * the relaxation has no digits left for the others, or where the points are numbers, whose best labels are known. The labels come first, then the bound of their cost, step by step; Q is that of
 * the labels, Q_l = Σ_c 1_C 1_Cᵀ/|C|.
 */
import { zeros } from "@curvature/linalg";
import {
  asTask,
  type FacadeRun,
  type FacadeSteps,
  fingerprintOf,
  type Iteration,
  maxIterations,
  type Outcome,
  type Point,
  type RunResult,
  reopened,
} from "@curvature/optim-core";
import { DeclaredSolver, number, stateOf, whole } from "@curvature/optim-core/state";
import { checkMemory } from "../arguments.js";
import { relativeGap } from "../bounds/certificate.js";
import { type FactoredPoint, factoredValue } from "../bounds/factored-point.js";
import { embeddingOfPoints } from "../geometry/embedding.js";
import { denseOf, FactoredSolution, rowSumErrorOf } from "../geometry/solution.js";
import type { Gram } from "../gram.js";
import type { NomadDetails, NomadSettings } from "../nomad-options.js";
import type { NomadLayer, NomadResult } from "../nomad-result.js";
import {
  bestSentence,
  type CostBound,
  costSentence,
  type LabelCost,
  lowerCost,
  roundingShare,
} from "./cost.js";
import { costBound } from "./cost-bound.js";
import { farRowsSentence } from "./far-rows.js";
import { type LabelFigures, labelFigures } from "./label-figures.js";
import { type LabelSearch, MOST_AT_ONCE } from "./label-search.js";

/** Cost over what lies between the clusters, below which the relaxation of all points has few digits left for the cost. */
const FAR = 1e-2;
const ANY = Number.POSITIVE_INFINITY;
/** Gap of labels that are said to be best. */
const BEST = 1e-9;
/** Points up to which Q is formed. */
const MAX_FORMED = 2000;

/** Whether labels are to be bounded here. */
export function isForLabelsAlone(search: LabelSearch, { solver }: NomadSettings): boolean {
  if (solver !== "auto") return false;
  const { pieces, different, labels, k, costOverValue, lower } = search;
  if (different > MOST_AT_ONCE || lower !== undefined) return true;
  return (
    pieces !== undefined && (costOverValue < FAR || farRowsSentence(pieces, labels.length, k) !== undefined)
  );
}

/** The result, without what the façade adds itself. */
export async function* labelled(
  gram: Gram,
  search: LabelSearch,
  run: FacadeRun<NomadDetails, "gram" | "geometry">,
  settings: NomadSettings,
): FacadeSteps<
  NomadDetails,
  Omit<NomadResult, "options" | "phases" | "warnings"> & Pick<RunResult, "options"> & LabelFigures
> {
  const { resume, tolerance, memoryLimit } = settings;
  const { rows: n, columns: d } = search.points;
  checkMemory("clusterPoints", `clusters of ${n} points`, 8 * n * (3 * d + 2 * search.k), memoryLimit);
  const solver = await run.phase("gram", () => new LabelBounds(gram, search, settings));
  const result = yield* run.optimize(solver, [maxIterations(settings.maxIterations)], {
    resume: resume && reopened(resume),
  });
  const certificate = solver.certificate();
  const isBest = certificate.cost > 0 && certificate.costGap <= BEST;
  const sentence = isBest ? bestSentence(certificate.cost, search.k) : costSentence(certificate, search.k);
  const isProved = certificate.costGap <= tolerance;
  const message =
    isProved && result.status === "converged"
      ? isBest
        ? sentence
        : `${sentence} The certified gap of the labels' cost is at most ${tolerance}.`
      : result.status === "stalled"
        ? `${sentence} ${result.message}`
        : [result.message, sentence, solver.standing].filter((part) => part !== undefined).join(" ");
  return {
    ...result,
    message,
    ...certificate,
    ...(await run.phase("geometry", () => geometryOf(gram, search, solver, result.iterations))),
  };
}

/** Steps of a bound, as a solver: the point stands still. */
class LabelBounds extends DeclaredSolver {
  readonly name = "labels";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly point: FactoredPoint;
  /** Tr(D Q_l) */
  private readonly value: number;
  private readonly bound: CostBound | undefined;
  /** Steps that the bound has made: fewer than the run's until a checkpoint is caught up with. */
  private made = 0;
  /** `lower` in the unit of the labels' cost. */
  protected readonly state = stateOf({ index: whole(), lower: number(0) });

  constructor(
    private readonly gram: Gram,
    private readonly search: LabelSearch,
    private readonly settings: NomadSettings,
  ) {
    super();
    this.dimension = gram.n;
    this.fingerprint = fingerprintOf("labels", gram.fingerprint, search.k, settings.seed);
    this.point = pointOf(search.labels, search.k);
    this.value = factoredValue(gram, this.point);
    if (settings.certify !== false) this.bound = costBound(search, settings);
  }

  get best(): Point {
    return { x: this.point.factor.data, value: this.value };
  }

  get last(): Point {
    return this.best;
  }

  get options(): object {
    return { tolerance: this.settings.tolerance };
  }

  step(): Iteration<NomadDetails> | Promise<Iteration<NomadDetails>> {
    return this.made < this.state.index ? this.caughtUp() : this.stepped();
  }

  /** The steps before the checkpoint once more: they take what they took, and come to the same. */
  private async caughtUp(): Promise<Iteration<NomadDetails>> {
    for (; this.made < this.state.index; this.made++) {
      await asTask(() => this.bound?.step(), this.settings.signal);
    }
    return this.stepped();
  }

  private stepped(): Iteration<NomadDetails> {
    const { state, bound } = this;
    if (this.outcome === undefined || state.index === 0) {
      bound?.step();
      state.index++;
      this.made++;
      state.lower = Math.max(state.lower, bound?.lower ?? 0);
    }
    const { index } = state;
    return {
      index,
      value: this.value,
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations: index,
      gradientEvaluations: 0,
      monitoringEvaluations: 0,
      passes: index,
      phase: "bound",
      details: {
        ...this.bounds(),
        layer: 1,
        clusters: this.search.k,
        rank: this.search.k,
      },
      outcome: this.outcome,
    };
  }

  private get outcome(): Outcome | undefined {
    const { bound, settings, search } = this;
    const { costGap } = this.certificate();
    if (costGap <= settings.tolerance) return { status: "converged", message: "The labels are certified." };
    if (bound === undefined) return { status: "stalled", message: "A bound was not asked for." };
    if (!bound.settled) return undefined;
    const way = search.pieces === undefined ? "bounds of the groups of points" : "bounds of the pieces";
    return {
      status: "stalled",
      message: `The ${way} have come to their end, and what is left of the gap is theirs: better labels need not exist.`,
    };
  }

  get standing(): string | undefined {
    return this.bound?.standing;
  }

  certificate(): LabelCost {
    return lowerCost(this.search.own, this.state.lower);
  }

  /** Those of Tr(D Q_l): no clustering has more than `upper`. */
  bounds(): Pick<NomadDetails, "lower" | "upper" | "gap"> {
    const { gram, search, value, bound } = this;
    const { n, trace, points } = gram;
    if (bound === undefined) return { lower: value, upper: ANY, gap: ANY };
    const share = search.shareOfTotal(this.state.lower);
    const rounding = roundingShare(n, points?.columns ?? 0, search.k);
    const upper = Math.max(value, trace * (1 - share + rounding));
    return { lower: value, upper, gap: relativeGap(upper, value) };
  }
}

/** F of Q_l: 1/√|C| in the column of the own cluster. */
function pointOf(labels: Int32Array, K: number): FactoredPoint {
  const n = labels.length;
  const sizes = new Float64Array(K);
  for (const label of labels) sizes[label]++;
  const factor = zeros(n, K);
  for (let i = 0; i < n; i++) factor.data[i * K + labels[i]] = 1 / Math.sqrt(sizes[labels[i]]);
  return { factor, diagonal: new Float64Array(n), constant: 0, sweeps: 0 };
}

function geometryOf(gram: Gram, search: LabelSearch, solver: LabelBounds, iterations: number) {
  const { labels, k, points } = search;
  const n = labels.length;
  const bounds = solver.bounds();
  const count = 1 + labels.reduce((a, b) => Math.max(a, b), 0);
  const memberships = zeros(n, k);
  for (let i = 0; i < n; i++) memberships.data[i * k + labels[i]] = 1;
  const shape = {
    smallestEntry: count === 1 ? 1 / n : 0,
    rowSumError: rowSumErrorOf(new FactoredSolution(solver.point)),
    rank: count,
    components: { count, labels },
  };
  const layer: NomadLayer = { clusters: k, ...bounds, ...shape, iterations };
  const { coordinates, varianceExplained } = embeddingOfPoints(points);
  return {
    ...bounds,
    ...shape,
    value: bounds.lower,
    Q: n > MAX_FORMED ? undefined : denseOf(new FactoredSolution(solver.point)),
    factored: solver.point,
    labels,
    memberships,
    ...labelFigures(labels, k, gram, solver.certificate().cost),
    embedding: coordinates,
    varianceExplained,
    order: orderBy(labels, coordinates.data),
    layers: [layer],
    attempts: [],
  };
}

/** The clusters, the largest first; the points of each along the first principal component. */
function orderBy(labels: Int32Array, scores: Float64Array): Int32Array {
  const sizes = new Map<number, number>();
  for (const label of labels) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  const size = (i: number): number => sizes.get(labels[i]) ?? 0;
  return Int32Array.from(labels.keys()).sort(
    (i, j) => size(j) - size(i) || labels[i] - labels[j] || scores[2 * i] - scores[2 * j] || i - j,
  );
}
