/** NOMAD in a worker: `nomad` as it is, with Q, its components and its embedding whenever a better Q was found. */
import type { DenseMatrix } from "@curvature/linalg";
import type { Point } from "@curvature/optim-core";
import {
  type ClusterChoice,
  type ClusterPointsResult,
  clusterPoints,
  componentsOf,
  embeddingOf,
  gramOfPoints,
  type NomadDetails,
  type NomadOptions,
  type NomadResult,
  nomad,
  upperBounds,
} from "@curvature/optim-sdp";
import type { Channel, Task } from "../../worker/protocol.js";
import { apart } from "./apart.js";
import type { DisentangleState, PlainNomadOptions } from "./options.js";

export interface DisentangleJob {
  readonly points: DenseMatrix;
  readonly options: PlainNomadOptions;
  readonly target: DisentangleState["target"];
}

/** Where a run stands: a layer of one of the sequences that are tried, counted from 0. */
export interface BoundsPoint {
  readonly iteration: number;
  readonly stage: number;
  /** K */
  readonly clusters: number;
  readonly lower: number;
  /** Infinity before there is one. */
  readonly upper: number;
  readonly phase: string;
}

/** A picture of the run: Q in 256 levels, and what it shows. */
export interface Still extends BoundsPoint {
  /** n × n: the root of the share of the largest entry, 0 … 255. */
  readonly levels: Uint8Array<ArrayBuffer>;
  /** The largest entry of Q. */
  readonly top: number;
  readonly components: number;
  /** Of each point. */
  readonly componentOf: Int32Array<ArrayBuffer>;
  /** x0, y0, x1, y1, …: by the leading eigenvectors of Q. */
  readonly embedding: Float64Array<ArrayBuffer>;
  /** The same with each component by itself, side by side; undefined where there is one, or too many. */
  readonly apart: Float64Array<ArrayBuffer> | undefined;
}

export interface DisentangleProgress {
  /** Those since the last progress. */
  readonly bounds: readonly BoundsPoint[];
  /** A bound that holds from the beginning, by the largest eigenvalues of D; of the first layer. */
  readonly spectralBound: number;
  /** Where a better Q was found, or a better bound. */
  readonly found: Found | undefined;
}

export interface Found {
  readonly still: Still;
  /** n × n, in full precision. */
  readonly Q: Float64Array<ArrayBuffer>;
}

/** What can be said of the end; all of it, unless the worker had to be ended. */
export interface DisentangleAnswer {
  readonly still: Still;
  readonly Q: Float64Array<ArrayBuffer>;
  readonly bounds: readonly BoundsPoint[];
  /** Of each point its cluster, and how far it belongs there, 0 to 1. */
  readonly labels: Int32Array;
  /** What the labels cost; undefined after layers. */
  readonly labelCost: LabelCost | undefined;
  /** Of every K that was tried, where it was to be chosen. */
  readonly choice: ClusterChoice | undefined;
  readonly membership: Float64Array;
  readonly order: Int32Array;
  /** Layers of the sequences that were given up. */
  readonly givenUp: number;
  readonly iterations: number;
  readonly elapsedSeconds: number;
  readonly message: string;
}

/** Of labels of K clusters: what they cost, and what no others cost less than. */
export interface LabelCost {
  readonly clusters: number;
  readonly cost: number;
  readonly costLower: number;
  readonly costGap: number;
}

/** Entries below this share of the largest do not join points, as for `nomad` itself. */
const joined = 1e-2;

export const disentangleTask: Task<DisentangleJob, DisentangleProgress, DisentangleAnswer> = {
  async run({ points, options, target }, channel) {
    channel.phase("the first bound");
    const reporter = new Reporter(channel, points.rows, spectralBound(points, options));
    const { clusters, layers, ...rest } = options;
    const settings: NomadOptions = {
      ...rest,
      signal: channel.signal,
      onIteration: ({ index, phase, details }, { best }) => reporter.take(index, phase ?? "", details, best),
    };
    const result: NomadResult & Partial<Pick<ClusterPointsResult, "choice">> =
      target === "labels"
        ? await clusterPoints(points, { ...settings, clusters })
        : await nomad(points, { ...settings, layers, clusters: clusters === "auto" ? undefined : clusters });
    for (const { message } of result.warnings) channel.warning(message);
    const answer = reporter.answer(result);
    const arrays = [answer.Q, ...arraysOf(answer.still)];
    return { content: answer, transfer: arrays.map(({ buffer }) => buffer) };
  },
};

/** UB of S = 0: for K clusters the K largest eigenvalues of D; Infinity where K is not known beforehand. */
function spectralBound(points: DenseMatrix, { clusters, layers }: PlainNomadOptions): number {
  const K = typeof layers === "object" ? layers[0] : clusters;
  const n = points.rows;
  if (typeof K !== "number" || !(K <= n)) return Number.POSITIVE_INFINITY;
  const nothing = { rows: n, columns: n, data: new Float64Array(n * n) };
  return upperBounds({ gram: gramOfPoints(points), clusters: K }, nothing).fantope;
}

/** Stills may take a quarter of the time. */
const patience = 3;
/** Milliseconds between two progresses that have nothing but numbers. */
const pace = 100;

class Reporter {
  private bounds: BoundsPoint[] = [];
  private stage = -1;
  private latest: { readonly layer: number; readonly clusters: number } | undefined;
  private before: BoundsPoint | undefined;
  /** The best Q of the layer at hand. */
  private own: Point | undefined;
  /** The same with its bounds, until the page has it. */
  private held: { readonly best: Point; readonly point: BoundsPoint } | undefined;
  /** Of `performance.now()`: when the next still may be made. */
  private freeAt = 0;
  /** When the page was last told. */
  private told = 0;

  constructor(
    private readonly channel: Channel<DisentangleProgress>,
    private readonly n: number,
    private readonly spectralBound: number,
  ) {}

  take(iteration: number, phase: string, details: NomadDetails, best: Point): void {
    const { layer, clusters, lower, upper } = details;
    const { before } = this;
    const isNewLayer = this.latest?.layer !== layer || this.latest.clusters !== clusters;
    if (isNewLayer) {
      this.show(); // what the layer before has come to
      this.own = undefined;
      this.stage++;
      this.latest = { layer, clusters };
    }
    if (before?.phase !== phase) this.channel.phase(phase);
    const point = { iteration, stage: this.stage, clusters, lower, upper, phase };
    this.bounds.push(point);
    this.before = point;
    // At the end of a layer `best` is the next one's already.
    if (best.value === lower) this.own = best;
    const isNews = isNewLayer || before?.lower !== lower || before.upper !== upper;
    if (this.own !== undefined && (isNews || this.held !== undefined)) this.held = { best: this.own, point };
    if (!this.channel.isWanted) return;
    const now = performance.now();
    if (this.held !== undefined && now >= this.freeAt) this.show();
    else if (now - this.told > pace) {
      this.post(undefined);
      this.told = now;
    }
  }

  private show(): void {
    const { held, n } = this;
    this.held = undefined;
    if (held === undefined) return;
    const Q = held.best.x;
    if (Q.length !== n * n) return;
    const now = performance.now();
    this.post({ still: stillOf({ rows: n, columns: n, data: Q }, held.point), Q: Float64Array.from(Q) });
    this.told = performance.now();
    this.freeAt = this.told + patience * (this.told - now);
  }

  private post(found: Found | undefined): void {
    const { spectralBound } = this;
    const arrays = found === undefined ? [] : [found.Q, ...arraysOf(found.still)];
    this.channel.progress({
      content: { bounds: this.bounds.splice(0), spectralBound, found },
      transfer: arrays.map(({ buffer }) => buffer),
    });
  }

  answer(result: NomadResult & Partial<Pick<ClusterPointsResult, "choice">>): DisentangleAnswer {
    const { Q, embedding, components, memberships, labels, lower, upper, cost, costLower, costGap } = result;
    if (Q === undefined) throw new Error("There is no Q of so many points.");
    const data = Float64Array.from(Q.data);
    const clusters = memberships.columns;
    // A run that is stopped early in a layer gives the one before.
    const stage = clusters === this.latest?.clusters ? this.stage : this.stage - 1;
    const point: BoundsPoint = {
      iteration: result.iterations,
      stage: Math.max(0, stage),
      clusters,
      lower,
      upper,
      phase: "done",
    };
    return {
      still: stillOf({ ...Q, data }, point, components, embedding),
      Q: data,
      bounds: [...this.bounds, point],
      labels,
      labelCost:
        cost === undefined || costLower === undefined || costGap === undefined
          ? undefined
          : { clusters, cost, costLower, costGap },
      choice: result.choice,
      membership: Float64Array.from(labels, (c, i) => memberships.data[i * memberships.columns + c]),
      order: result.order,
      givenUp: result.attempts.reduce((count, { layers }) => count + layers.length, 0),
      iterations: result.iterations,
      elapsedSeconds: result.elapsedSeconds,
      message: result.message,
    };
  }
}

function stillOf(
  Q: DenseMatrix,
  point: BoundsPoint,
  components = componentsOf(Q, joined),
  embedding: DenseMatrix = embeddingOf(Q).coordinates,
): Still {
  return {
    ...point,
    ...levelsOf(Q.data),
    components: components.count,
    componentOf: Int32Array.from(components.labels),
    embedding: Float64Array.from(embedding.data),
    apart: apart(Q, components),
  };
}

const arraysOf = ({ levels, componentOf, embedding, apart: each }: Still) => [
  levels,
  componentOf,
  embedding,
  ...(each === undefined ? [] : [each]),
];

function levelsOf(Q: Float64Array): Pick<Still, "levels" | "top"> {
  let top = 0;
  for (let k = 0; k < Q.length; k++) if (Q[k] > top) top = Q[k];
  const levels = new Uint8Array(Q.length);
  if (top > 0)
    for (let k = 0; k < Q.length; k++) levels[k] = Math.round(255 * Math.sqrt(Math.max(0, Q[k]) / top));
  return { levels, top };
}
