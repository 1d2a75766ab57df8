/**
 * The work of `curvature disentangle`: clusters, components, embedding and bounds from points, a Gram matrix or distances.
 */
import { CurvatureError, type DenseMatrix, principalComponents } from "@curvature/linalg";
import type { Preparation } from "@curvature/linalg/tables";
import type { Iteration } from "@curvature/optim-core";
import {
  blockMeans,
  type ClusterChoice,
  clusterPoints,
  embeddingByComponent,
  type LayerAttempt,
  type NomadDetails,
  type NomadOptions,
  type NomadResult,
  nomad,
  type SeparateCurvesResult,
  type Sphere,
  separateCurves,
} from "@curvature/optim-sdp";
import { runWarnings } from "../read/data-warnings.js";
import type { RowLinks } from "../read/links.js";
import { inFlags, outcomeInFlags } from "../run/flag-names.js";
import type { Step } from "../run/log.js";
import { CheckpointFile, type CheckpointRequest, checkpointError } from "../write/checkpoint-file.js";
import type { ReportedResult } from "../write/report.js";
import { plainOptions } from "../write/report.js";
import type { Channel } from "./channel.js";
import {
  type Agreement,
  agreementOf,
  type ClusterAccount,
  type ClusterTree,
  clustersOf,
  modelBytes,
  scaledPoints,
  treeOf,
} from "./clusters.js";
import { principalScores } from "./principal-scores.js";

export interface DisentangleTaskInput {
  readonly data: DenseMatrix;
  /** What is done to points first. */
  readonly scaling: "none" | "standard" | "unit" | Sphere;
  /** That the clusters respect. */
  readonly links: RowLinks | undefined;
  /** Of the rows, to compare the clusters with; "" for rows without one. */
  readonly classes: readonly string[] | undefined;
  readonly preparation: Preparation | undefined;
  readonly wantsModel: boolean;
  readonly wantsTree: boolean;
  /** Principal components to take in place of the points. */
  readonly pca: number | undefined;
  /** Plain data only: no signal, no callbacks. */
  readonly options: Omit<NomadOptions, "clusters">;
  readonly clusters: number | "auto" | undefined;
  /** Of labels. */
  readonly maxClusters: number;
  readonly noiseLabel: boolean;
  /** Whether labels are to be proved best. */
  readonly exact: boolean;
  /** What the tolerance is of: the cost of the labels, Tr(D Q), or the cut between curves. */
  readonly target: "labels" | "matrix" | "curves";
  /** Whether Q itself is to come back, and how many cells of its picture on a side. */
  readonly wantsQ: boolean;
  readonly cells: number | undefined;
  readonly checkpoint: CheckpointRequest | undefined;
}

/** One solved layer, for the report. */
interface LayerFigures {
  readonly clusters: number;
  readonly upperBound: number;
  readonly lowerBound: number;
  readonly gap: number;
  readonly components: number;
  readonly iterations: number;
}

export interface DisentangleTaskOutput {
  readonly Q: DenseMatrix | undefined;
  /** The means of Q over the cells of its picture, in `order`. */
  readonly cells: DenseMatrix | undefined;
  readonly order: Int32Array;
  readonly labels: Int32Array;
  readonly clusters: ClusterAccount;
  readonly agreement: Agreement | undefined;
  /** For later rows, as a file. */
  readonly model: Uint8Array | undefined;
  readonly tree: ClusterTree | undefined;
  /** Columns that are the same in all rows and were standardised. */
  readonly constant: readonly number[];
  /** Of each point that of its cluster. */
  readonly membership: Float64Array;
  readonly components: Int32Array;
  /** Of each point, where it has a label of its own. */
  readonly outlierScore: Float64Array | undefined;
  /** What --clusters auto has tried. */
  readonly choice: ClusterChoice | undefined;
  readonly embedding: DenseMatrix;
  /** What the picture shows beside Q. */
  readonly scene: Scene;
  readonly varianceExplained: number;
  readonly layers: readonly LayerFigures[];
  readonly attempts: readonly LayerAttempt[];
  readonly result: ReportedResult & { readonly usable: boolean };
  readonly metrics: DisentangleMetrics;
  /** How many curves there are, and what their cut is; undefined for other targets. */
  readonly curves: CurveFigures | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  readonly phases: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  /** Why the last checkpoint could not be written. */
  readonly checkpointFailure: string | undefined;
}

/** The points by Q's leading eigenvectors; each component by those of its block; or where the blocks are constant the points themselves. */
interface Scene {
  readonly kind: "together" | "apart" | "points";
  /** n × 2, or n × 1 of points on a line */
  readonly map: DenseMatrix;
}

type CurveFigures = Pick<
  SeparateCurvesResult,
  "clusters" | "otherClusters" | "cut" | "cutLower" | "cutGap" | "kernel" | "isSingleLinkage" | "kernels"
>;

interface DisentangleMetrics {
  readonly upperBound: number;
  readonly lowerBound: number;
  /** (upperBound − lowerBound)/|upperBound| */
  readonly gap: number;
  /** Of the labels, where they are clusters of points; undefined for layers, matrices and a K that is not whole. */
  readonly cost: number | undefined;
  readonly costLower: number | undefined;
  /** (cost − costLower)/cost */
  readonly costGap: number | undefined;
  /** Of K round clusters of the points, where they have a cost: the less the better. */
  readonly bic: number | undefined;
  /** Points of the label −1. */
  readonly noise: number;
  readonly smallestEntry: number;
  readonly rowSumError: number;
  readonly rank: number | undefined;
  readonly components: number;
}

export async function disentangleTask(
  input: DisentangleTaskInput,
  channel: Channel,
): Promise<DisentangleTaskOutput> {
  const { options, checkpoint, pca, target, classes, preparation } = input;
  const file = checkpoint && new CheckpointFile(checkpoint, channel.warning);
  const resume = checkpoint?.resume ? file?.read() : undefined;
  const started = performance.now();
  const { points, scaling, constant } = scaledPoints(input.data, input.scaling);
  const { scores: data, warnings: lost } =
    pca === undefined
      ? { scores: points, warnings: [] }
      : principalScores(points, pca, "bring the columns to one scale with --standardize");
  const projection = (performance.now() - started) / 1000;
  const { input: _, layers: __, ...ofPoints } = options;
  const { scale: ___, ...ofCurves } = ofPoints;
  const { clusters, maxClusters, noiseLabel, exact } = input;
  const ofMatrix = { ...options, clusters: clusters === "auto" ? undefined : clusters };
  const work = {
    checkpoint: file?.options,
    resume,
    signal: channel.signal,
    onIteration: (
      iteration: Iteration<NomadDetails>,
      { elapsedSeconds }: { readonly elapsedSeconds: number },
    ) => channel.step(stepOf(iteration, elapsedSeconds)),
    onPhase: (phase: keyof typeof phaseNames, share: number | undefined) =>
      channel.phase(phaseNames[phase], share),
  };
  const solve = (): Promise<ResultOfTask> => {
    if (target === "curves")
      return withCurves(
        separateCurves(data, {
          ...ofCurves,
          clusters: clusters ?? "auto",
          ...work,
        }),
      );
    return target === "labels"
      ? clusterPoints(data, {
          ...ofPoints,
          clusters,
          maxClusters,
          noiseLabel,
          exact,
          ...input.links,
          ...work,
        })
      : nomad(data, { ...ofMatrix, ...work });
  };
  const result = await solve().catch((error: unknown) => {
    throw checkpoint === undefined
      ? asDataError(error, options)
      : checkpointError(checkpoint.path, ofOtherMemory(asDataError(error, options), options));
  });
  const { Q, factored, order, labels, memberships, components, outlierScore } = result;
  const { value, gradientNorm, iterations, evaluations, passes, elapsedSeconds, status, message, usable } =
    result;
  const drawn = Q ?? factored;
  const { account, model } = clustersOf(
    (options.input ?? "points") === "points" ? input.data : undefined,
    result,
    pca === undefined ? scaling : undefined,
    preparation,
  );
  return {
    Q: input.wantsQ ? Q : undefined,
    cells:
      input.cells === undefined || drawn === undefined
        ? undefined
        : blockMeans(drawn, orderOfKept(order, labels), input.cells),
    order,
    labels,
    clusters: account,
    agreement: agreementOf(labels, classes),
    model: input.wantsModel ? modelBytes(model) : undefined,
    tree: input.wantsTree ? treeOf(data, labels) : undefined,
    constant,
    membership: Float64Array.from(labels, (c, i) =>
      c < 0 ? 0 : memberships.data[i * memberships.columns + c],
    ),
    components: components.labels,
    outlierScore,
    choice: result.choice,
    embedding: result.embedding,
    scene:
      input.cells === undefined || drawn === undefined
        ? { kind: "together", map: result.embedding }
        : target === "curves"
          ? planeOf(data)
          : sceneOf(result, drawn, data, options.input ?? "points"),
    varianceExplained: result.varianceExplained,
    layers: result.layers.map((layer) => ({
      clusters: layer.clusters,
      upperBound: layer.upper,
      lowerBound: layer.lower,
      gap: layer.gap,
      components: layer.components.count,
      iterations: layer.iterations,
    })),
    attempts: result.attempts,
    result: {
      ...{ value, gradientNorm, iterations, evaluations, passes, elapsedSeconds, status, usable },
      message: outcomeInFlags(message),
    },
    metrics: metricsOf(result),
    curves: result.curves,
    options: {
      ...plainOptions(result.options),
      pca,
      target,
      scaling: typeof input.scaling === "object" ? input.scaling.method : input.scaling,
    },
    phases: { projection, ...result.phases },
    warnings: [...lost, ...runWarnings(result.warnings)],
    checkpointFailure: file?.failure,
  };
}

/** The points that are no noise, numbered among themselves, as Q has them. */
function orderOfKept(order: Int32Array, labels: Int32Array): Int32Array {
  const places = new Int32Array(labels.length);
  let kept = 0;
  for (let i = 0; i < labels.length; i++) if (labels[i] >= 0) places[i] = kept++;
  return order.filter((i) => labels[i] >= 0).map((i) => places[i]);
}

/** More components than these have no room for a panel each. */
const maxPanels = 30;
/** Of a component's largest distance from its middle times the root of its size: what is left of a constant block. */
const dot = 0.1;

const phaseNames = {
  curves: "distances, paths and cuts",
  gram: "Gram matrix",
  optimization: "solver",
  geometry: "clusters and bounds",
} as const;

type CurvesOfTask = SeparateCurvesResult & { readonly curves: CurveFigures };
type ResultOfTask = NomadResult & {
  readonly curves?: CurveFigures;
  readonly choice?: ClusterChoice | undefined;
};

async function withCurves(solving: Promise<SeparateCurvesResult>): Promise<CurvesOfTask> {
  const result = await solving;
  const { clusters, otherClusters, cut, cutLower, cutGap, kernel, isSingleLinkage, kernels } = result;
  return {
    ...result,
    curves: { clusters, otherClusters, cut, cutLower, cutGap, kernel, isSingleLinkage, kernels },
  };
}

/** The points by their first two principal components. */
function planeOf(data: DenseMatrix): Scene {
  const axes = Math.min(2, data.rows, data.columns);
  return { kind: "points", map: principalComponents(data, { count: axes }).scores };
}

function sceneOf(
  { components, embedding, labels: clusterOf }: Pick<NomadResult, "components" | "embedding" | "labels">,
  Q: Parameters<typeof embeddingByComponent>[0],
  data: DenseMatrix,
  input: NonNullable<NomadOptions["input"]>,
): Scene {
  const { count, labels } = components;
  if (clusterOf.some((c) => c < 0)) return { kind: "points", map: planeWithNoise(data, clusterOf) };
  if (count < 2 || count > maxPanels) return { kind: "together", map: embedding };
  const map = embeddingByComponent(Q, labels);
  const extents = new Float64Array(count);
  const sizes = new Float64Array(count);
  for (const [i, c] of labels.entries()) {
    extents[c] = Math.max(extents[c], Math.hypot(map.data[2 * i], map.data[2 * i + 1]));
    sizes[c]++;
  }
  const hasForm = extents.some((extent, c) => extent * Math.sqrt(sizes[c]) > dot);
  if (hasForm || input !== "points") return { kind: "apart", map };
  return planeOf(data);
}

/** How far beyond the other points noise is drawn, of their span; what lies farther lies at the edge. */
const rim = 0.15;

/** The principal plane of the points that are no noise, with the noise in it. */
function planeWithNoise({ rows, columns: d, data }: DenseMatrix, labels: Int32Array): DenseMatrix {
  const kept = [...labels.keys()].filter((i) => labels[i] >= 0);
  const axes = Math.min(2, kept.length, d);
  const part = new Float64Array(kept.length * d);
  for (const [at, i] of kept.entries()) part.set(data.subarray(i * d, (i + 1) * d), at * d);
  const { components, means } = principalComponents(
    { rows: kept.length, columns: d, data: part },
    { count: axes },
  );
  const map = { rows, columns: axes, data: new Float64Array(rows * axes) };
  for (let i = 0; i < rows; i++)
    for (let a = 0; a < axes; a++)
      for (let j = 0; j < d; j++)
        map.data[i * axes + a] += (data[i * d + j] - means[j]) * components.data[a * d + j];
  for (let a = 0; a < axes; a++) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const i of kept) {
      low = Math.min(low, map.data[i * axes + a]);
      high = Math.max(high, map.data[i * axes + a]);
    }
    const more = rim * (high - low);
    for (let i = 0; i < rows; i++)
      map.data[i * axes + a] = Math.max(low - more, Math.min(high + more, map.data[i * axes + a]));
  }
  return map;
}

function metricsOf(result: Omit<NomadResult, "phases">): DisentangleMetrics {
  const { upper, lower, gap, cost, costLower, costGap, bic } = result;
  const { smallestEntry, rowSumError, rank, components } = result;
  return {
    upperBound: upper,
    lowerBound: lower,
    gap,
    ...{ cost, costLower, costGap, bic },
    noise: result.labels.reduce((sum, c) => (c < 0 ? sum + 1 : sum), 0),
    smallestEntry,
    rowSumError,
    rank,
    components: components.count,
  };
}

/** The argument of a function that makes the Gram matrix is the user's file here. */
function asDataError(error: unknown, { input }: NomadOptions): unknown {
  if (!(error instanceof CurvatureError) || !error.where?.startsWith("gramOf")) return error;
  const code = error.code === "ERR_ARGUMENT" ? "ERR_PARSE" : error.code;
  return new CurvatureError(code, `--input ${input}: ${inFlags(error)}`, { path: error.path, cause: error });
}

/** The memory that is free decides on a certificate where nobody else does, and so on what a checkpoint holds. */
function ofOtherMemory(error: unknown, { certify }: NomadOptions): unknown {
  if (!(error instanceof CurvatureError) || error.code !== "ERR_CHECKPOINT") return error;
  if (error.path !== "dimension" || certify !== "auto") return error;
  return new CurvatureError(
    error.code,
    `${inFlags(error)} If more memory was free when the run began, or less, which decides whether a certificate is made, say so with --certify or --no-certify.`,
    { path: error.path, received: error.received, cause: error },
  );
}

/** Before there is an upper bound the gap is left out. */
function stepOf(iteration: Iteration<NomadDetails>, elapsedSeconds: number): Step {
  const { index, value, gradientNorm, stepLength, evaluations, passes, phase, details } = iteration;
  const { gap, lower, layer, clusters, costGap } = details;
  const known = { gap: Number.isFinite(gap) ? gap : undefined, lowerBound: lower, layer, clusters };
  return {
    iteration: index,
    value,
    gradientNorm,
    stepLength,
    evaluations,
    passes,
    elapsedSeconds,
    phase,
    details: costGap === undefined ? known : { costGap, ...known },
  };
}
