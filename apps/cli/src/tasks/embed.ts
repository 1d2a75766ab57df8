/**
 * The work of `curvature embed`: map and figures from points and options.
 */

import {
  type DenseMatrix,
  type PrincipalThreads,
  type SparseMatrix,
  toSparse,
  type Warning,
} from "@curvature/linalg";
import type { Preparation } from "@curvature/linalg/tables";
import type { DataNeighbors } from "@curvature/map-view";
import type { Iteration } from "@curvature/optim-core";
import {
  type EmbeddingDetails,
  type EmbedOptions,
  type EmbedPhase,
  embed,
  type GivenInput,
  globalStructure,
  mapQuality,
  type StepsBefore,
  saveMap,
} from "@curvature/optim-spectral";
import { runWarnings } from "../read/data-warnings.js";
import type { FeatureMatrix } from "../read/rows.js";
import type { Step } from "../run/log.js";
import { CheckpointFile, type CheckpointRequest, checkpointError } from "../write/checkpoint-file.js";
import type { ReportedResult } from "../write/report.js";
import { plainOptions } from "../write/report.js";
import type { Channel } from "./channel.js";
import { asDataError } from "./data-error.js";
import { dataNeighbors } from "./data-neighbors.js";
import {
  type MapTrustFound,
  type PointColumns,
  type TrustFigures,
  type TrustRequest,
  trustOf,
} from "./map-trust.js";
import { measured } from "./measured.js";
import { principalScores, principalThreadsFor } from "./principal-scores.js";
import type { Scaling } from "./scaling.js";
import { scaled } from "./scaling.js";

export interface EmbedTaskInput {
  /** The data's file. */
  readonly path: string;
  /** Sparse ones with `pca` only. */
  readonly points: FeatureMatrix;
  /** What a map is made of in the place of points, which have rows and no columns then. */
  readonly given: GivenInput | undefined;
  readonly scale: Scaling;
  /** Principal components to take in place of the scaled data; affinities and metrics use nothing else. */
  readonly pca: number | undefined;
  /** Plain data only: no signal, no callbacks. */
  readonly options: EmbedOptions;
  /** Whether the map is to be saved for later rows, and how the table became the points. */
  readonly wantsModel: boolean;
  /** Whether a picture shows each point's nearest in the data. */
  readonly wantsNeighbors: boolean;
  readonly preparation: Preparation | undefined;
  readonly checkpoint: CheckpointRequest | undefined;
  readonly trust: TrustRequest;
}

export interface EmbedTaskOutput {
  readonly map: DenseMatrix;
  /** The bytes of the map for later rows, where that was asked for. */
  readonly model: Uint8Array | undefined;
  /** Each point's nearest in the data, where they are wanted and found within a moment. */
  readonly neighbors: DataNeighbors | undefined;
  readonly result: ReportedResult & { readonly usable: boolean };
  readonly metrics: EmbedMetrics;
  readonly options: Readonly<Record<string, unknown>>;
  readonly phases: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  /** Of every point, where they were asked for. */
  readonly columns: PointColumns | undefined;
  /** Why the last checkpoint could not be written. */
  readonly checkpointFailure: string | undefined;
}

interface EmbedMetrics {
  /** On the affinities used, at λ = 1; undefined for models that are not normalised. */
  readonly klDivergence: number | undefined;
  /** Shares, from 0 to 1; undefined where there are too few points. */
  readonly knnPreservation: number | undefined;
  readonly trustworthiness: number | undefined;
  /** The share of random triplets whose order by distance the map keeps; a half is chance. */
  readonly tripletAccuracy: number | undefined;
  /** Spearman's rho of the distances in data and map. */
  readonly distanceCorrelation: number | undefined;
  /** The share of the true neighbours that an approximate search found; 1 for an exact one, undefined for all pairs. */
  readonly neighborRecall: number | undefined;
  /** The number of neighbours of the first two. */
  readonly neighbors: number;
  /** From so many points, drawn at random, if not from all. */
  readonly sample: number | undefined;
  /** Where they were asked for. */
  readonly trust?: TrustFigures | undefined;
  readonly shuffled?: MapTrustFound["shuffled"];
}

export const phaseNames = {
  neighbors: "neighbours",
  affinities: "affinities",
  initialization: "initial embedding",
  optimization: "solver",
} as const satisfies Record<EmbedPhase, string>;

export async function embedTask(input: EmbedTaskInput, channel: Channel): Promise<EmbedTaskOutput> {
  const { options, checkpoint, path } = input;
  const file = checkpoint && new CheckpointFile(checkpoint, channel.warning);
  const resume = checkpoint?.resume ? file?.read() : undefined;
  const started = performance.now();
  // Sparse points in double from here on: a scaled count is no number of single precision.
  const read = "data" in input.points ? input.points : toSparse(input.points);
  if (input.pca !== undefined) channel.phase("principal components");
  const threads = input.pca === undefined ? undefined : await principalThreadsFor(options.threads);
  const {
    points,
    scaled,
    scaling,
    components,
    warnings: lost,
  }: Prepared = input.given === undefined
    ? prepared(read, input, threads)
    : { points: input.given, warnings: [] };
  const projection = (performance.now() - started) / 1000;
  const embedding = performance.now();
  const result = await embed(points, {
    ...options,
    checkpoint: file?.options,
    resume,
    signal: channel.signal,
    onPhase: (phase, share) => channel.phase(phaseNames[phase], share),
    onIteration: (iteration, { elapsedSeconds }) => channel.step(stepOf(iteration, elapsedSeconds)),
  }).catch((error: unknown) => {
    throw asDataError(checkpoint === undefined ? error : checkpointError(checkpoint.path, error), { path });
  });
  channel.phase("measuring the map");
  const warnings = [
    ...new Set([...lost, ...(threads?.warnings ?? []), ...warningsOn(points, result.warnings)]),
  ];
  const measuring = performance.now();
  const quality = qualityOf(points, result.embedding, options, channel.signal, warnings);
  const warn = (sentence: string): unknown => warnings.push(sentence);
  const find = () => dataNeighbors(points, options.metric ?? "euclidean");
  const neighbors = input.wantsNeighbors ? measured("Who is near in the data", find, warn) : undefined;
  const metrics = (performance.now() - measuring) / 1000;
  const seconds = (measuring - embedding) / 1000;
  const found = await trustOf({ points, scaled, options, result, seconds }, input.trust, channel);
  warnings.push(...found.warnings);
  const { value, gradientNorm, iterations, evaluations, passes, elapsedSeconds, status, message, usable } =
    result;
  const { preparation } = input;
  return {
    map: result.embedding,
    model: input.wantsModel ? saveMap(result, { preparation, scaling, components }) : undefined,
    neighbors,
    result: { value, gradientNorm, iterations, evaluations, passes, elapsedSeconds, status, usable, message },
    metrics: {
      klDivergence: finite(result.klDivergence),
      neighborRecall: result.neighborRecall,
      ...quality,
      ...(found.figures && { trust: found.figures }),
      ...(found.shuffled && { shuffled: found.shuffled }),
    },
    columns: found.columns,
    options: { ...plainOptions(result.options), scale: input.scale, pca: input.pca },
    phases: {
      projection,
      ...result.phases,
      metrics,
      ...(Object.values(input.trust).some(Boolean) && {
        trust: (performance.now() - measuring) / 1000 - metrics,
      }),
    },
    warnings,
    checkpointFailure: file?.failure,
  };
}

/** What the package says of neighbours that are all as near is said of all points where they are the same. */
function warningsOn(points: Mapped, warnings: readonly Warning[]): readonly string[] {
  if (!("data" in points && points.rows > 1 && areSame(points))) return runWarnings(warnings);
  return [
    `All ${points.rows} points are the same: where they lie in the map means nothing. Check the columns that were read.`,
    ...runWarnings(warnings.filter(({ code }) => code !== "perplexity")),
  ];
}

const areSame = ({ data, columns }: DenseMatrix): boolean =>
  data.every((entry, k) => entry === data[k % columns]);

/** What is mapped, and what the map is measured by; and what does the same to new rows. */
interface Prepared extends Pick<StepsBefore, "scaling" | "components"> {
  readonly points: Mapped;
  /** Before the projection. */
  readonly scaled?: DenseMatrix | SparseMatrix;
  readonly warnings: readonly string[];
}

function prepared(
  read: DenseMatrix | SparseMatrix,
  { scale, pca }: EmbedTaskInput,
  threads: PrincipalThreads | undefined,
): Prepared {
  const { points, scaling } = scaled(read, scale);
  if (pca === undefined) return { points, scaled: points, scaling, warnings: [] };
  const { scores, components, warnings } = principalScores(points, pca, "give --scale", threads);
  return { points: scores, scaled: points, scaling, components, warnings };
}

/** What `embed` is given. */
type Mapped = DenseMatrix | SparseMatrix | GivenInput;

/** Multiplications that measuring the map may cost: a few seconds. More points than these allow are sampled. */
const qualityBudget = 5e9;
/** The same after a request to stop. */
const hurriedBudget = 2e8;

const finite = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isFinite(value) ? value : undefined;

type Quality = Omit<EmbedMetrics, "klDivergence" | "neighborRecall" | "trust" | "shuffled">;

const unmeasured: Quality = {
  knnPreservation: undefined,
  trustworthiness: undefined,
  tripletAccuracy: undefined,
  distanceCorrelation: undefined,
  neighbors: 0,
  sample: undefined,
};

/** A map that cannot be measured (its distances overflow, say) is still a map. */
function qualityOf(
  points: Mapped,
  map: DenseMatrix,
  { metric }: EmbedOptions,
  signal: AbortSignal,
  warnings: string[],
): Quality {
  const budget = signal.aborted ? hurriedBudget : qualityBudget;
  const affordable = Math.floor(budget / (map.rows * entriesOfRow(points)));
  const maxRows = Math.min(5000, Math.max(200, affordable));
  const measure = () => ({
    ...mapQuality(points, map, { maxRows, metric }),
    ...("data" in points && (metric ?? "euclidean") === "euclidean" ? globalStructure(points, map) : {}),
  });
  const quality = measured("The map", measure, (sentence) => warnings.push(sentence));
  if (quality === undefined) return unmeasured;
  const { k, sampled, ...figures } = quality;
  return {
    ...unmeasured,
    ...figures,
    neighbors: k,
    sample: sampled === false ? undefined : sampled,
  };
}

/** What a row costs to compare: a look and a sort for what is given. */
function entriesOfRow(points: Mapped): number {
  if ("data" in points) return points.columns;
  if ("values" in points) return Math.max(1, points.values.length / points.rows);
  return 100;
}

/** An iteration as the command shows it; on the way to λ its value is E at the λ of that moment. */
export function stepOf(iteration: Iteration<EmbeddingDetails>, elapsedSeconds: number): Step {
  const { index, value, gradientNorm, stepLength, evaluations, passes, phase, details } = iteration;
  const { lambda, energy, klDivergence } = details;
  return {
    iteration: index,
    value: value ?? energy,
    gradientNorm,
    stepLength,
    evaluations,
    passes,
    elapsedSeconds,
    phase,
    details: { lambda, klDivergence },
  };
}
