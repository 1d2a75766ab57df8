/**
 * The work of `curvature disentangle`: clusters, components, embedding and bounds from points, a Gram matrix or distances.
 */
import { CurvatureError, type DenseMatrix, principalComponents } from "@curvature/linalg";
import type { Iteration } from "@curvature/optim-core";
import {
  blockMeans,
  type LayerAttempt,
  type NomadDetails,
  type NomadOptions,
  type NomadResult,
  nomad,
} from "@curvature/optim-sdp";
import type { Step } from "../progress.js";
import type { ReportedResult } from "../report.js";
import type { Channel } from "./channel.js";
import { CheckpointFile, type CheckpointRequest, checkpointError } from "./checkpoint-file.js";
import { plainOptions } from "./plain-options.js";

export interface DisentangleTaskInput {
  readonly data: DenseMatrix;
  /** Principal components to take in place of the points. */
  readonly pca: number | undefined;
  /** Plain data only: no signal, no callbacks. */
  readonly options: NomadOptions;
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
  /** Of each point that of its cluster. */
  readonly membership: Float64Array;
  readonly components: Int32Array;
  readonly embedding: DenseMatrix;
  readonly varianceExplained: number;
  readonly layers: readonly LayerFigures[];
  readonly attempts: readonly LayerAttempt[];
  readonly result: ReportedResult & { readonly usable: boolean };
  readonly metrics: DisentangleMetrics;
  readonly options: Readonly<Record<string, unknown>>;
  readonly phases: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  /** Why the last checkpoint could not be written. */
  readonly checkpointFailure: string | undefined;
}

interface DisentangleMetrics {
  readonly upperBound: number;
  readonly lowerBound: number;
  /** (upperBound − lowerBound)/|upperBound| */
  readonly gap: number;
  readonly smallestEntry: number;
  readonly rowSumError: number;
  readonly rank: number | undefined;
  readonly components: number;
}

export async function disentangleTask(
  input: DisentangleTaskInput,
  channel: Channel,
): Promise<DisentangleTaskOutput> {
  const { options, checkpoint, pca } = input;
  const file = checkpoint && new CheckpointFile(checkpoint, channel.warning);
  const resume = checkpoint?.resume ? file?.read() : undefined;
  const started = performance.now();
  const data = pca === undefined ? input.data : principalComponents(input.data, { count: pca }).scores;
  const projection = (performance.now() - started) / 1000;
  channel.phase("Gram matrix");
  const result = await nomad(data, {
    ...options,
    ...(file === undefined ? {} : { checkpoint: file.options }),
    ...(resume === undefined ? {} : { resume }),
    signal: channel.signal,
    onIteration: (iteration, { elapsedSeconds }) => channel.step(stepOf(iteration, elapsedSeconds)),
  }).catch((error: unknown) => {
    throw checkpoint === undefined ? inWords(error) : checkpointError(checkpoint.path, inWords(error));
  });
  const { Q, factored, order, labels, memberships, components } = result;
  const { value, gradientNorm, iterations, evaluations, passes, elapsedSeconds, status, message, usable } =
    result;
  const drawn = Q ?? factored;
  return {
    Q: input.wantsQ ? Q : undefined,
    cells:
      input.cells === undefined || drawn === undefined ? undefined : blockMeans(drawn, order, input.cells),
    order,
    labels,
    membership: Float64Array.from(labels, (c, i) => memberships.data[i * memberships.columns + c]),
    components: components.labels,
    embedding: result.embedding,
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
    result: { value, gradientNorm, iterations, evaluations, passes, elapsedSeconds, status, message, usable },
    metrics: metricsOf(result),
    options: { ...plainOptions(result.options), pca },
    phases: { projection, ...result.phases },
    warnings: result.warnings,
    checkpointFailure: file?.failure,
  };
}

function metricsOf(result: NomadResult): DisentangleMetrics {
  const { upper, lower, gap, smallestEntry, rowSumError, rank, components } = result;
  return {
    upperBound: upper,
    lowerBound: lower,
    gap,
    smallestEntry,
    rowSumError,
    rank,
    components: components.count,
  };
}

/** What the package says of its options and of its argument, which is the user's file here, in the command's words. */
function inWords(error: unknown): unknown {
  if (!(error instanceof CurvatureError)) return error;
  const { code, path } = error;
  const message = inputNames.reduce((words, [name, flag]) => words.replace(name, flag), error.message);
  if (code === "ERR_MEMORY")
    return new CurvatureError(
      code,
      message.replaceAll("memoryLimit", "--memory-limit").replace("certify: false", "--no-certify"),
      { path: "memory-limit", cause: error },
    );
  if (message === error.message) return error;
  const ofData = code === "ERR_ARGUMENT" ? "ERR_PARSE" : code;
  return new CurvatureError(ofData, message, { ...(path !== undefined && { path }), cause: error });
}

const inputNames = [
  [/^gramOfPoints: /, "--input points: "],
  [/^gramOfMatrix: /, "--input gram: "],
  [/^gramOfDistances: /, "--input distances: "],
] as const;

/** Before there is an upper bound the gap is left out. */
function stepOf(iteration: Iteration<NomadDetails>, elapsedSeconds: number): Step {
  const { index, value, gradientNorm, stepLength, evaluations, passes, phase, details } = iteration;
  const { gap, lower, layer, clusters } = details;
  return {
    iteration: index,
    value,
    gradientNorm,
    stepLength,
    evaluations,
    passes,
    elapsedSeconds,
    phase,
    details: { ...(Number.isFinite(gap) && { gap }), lowerBound: lower, layer, clusters },
  };
}
