/**
 * The work of `curvature ordinal`: a map from answers, or from distances by way of the answers they give.
 */
import type { DenseMatrix } from "@curvature/linalg";
import type { Iteration } from "@curvature/optim-core";
import {
  type OrdinalEmbeddingDetails,
  type OrdinalEmbeddingOptions,
  type OrdinalEmbeddingResult,
  ordinalEmbedding,
  splitAnswers,
  tripletsFromDistances,
} from "@curvature/optim-svrg";
import type { Answers } from "../read/answers.js";
import type { Step } from "../run/log.js";
import { CheckpointFile, type CheckpointRequest, checkpointError } from "../write/checkpoint-file.js";
import type { ReportedResult } from "../write/report.js";
import { plainOptions } from "../write/report.js";
import type { Channel } from "./channel.js";

export type OrdinalSource =
  | {
      readonly kind: "answers";
      readonly answers: Answers;
      /** Of each answer 1 if it is the test's, where the file says so. */
      readonly held: Uint8Array | undefined;
    }
  /** `count`: how many questions to make answers to, drawn at random, or all. */
  | { readonly kind: "distances"; readonly distances: DenseMatrix; readonly count: number | "all" };

export interface OrdinalTaskInput {
  readonly source: OrdinalSource;
  /** Answers to measure the error with: a share of those given, or others. */
  readonly test: number | Answers | undefined;
  /** Plain data only: no signal, no callbacks. */
  readonly options: OrdinalEmbeddingOptions;
  readonly checkpoint: CheckpointRequest | undefined;
}

export interface OrdinalTaskOutput {
  /** Rows of objects that no answer mentions are NaN. */
  readonly map: DenseMatrix;
  readonly result: ReportedResult & { readonly usable: boolean };
  readonly metrics: OrdinalMetrics;
  readonly answers: OrdinalAnswers;
  readonly options: Readonly<Record<string, unknown>>;
  readonly phases: Readonly<Record<string, number>>;
  readonly warnings: OrdinalEmbeddingResult["warnings"];
  /** Why the last checkpoint could not be written. */
  readonly checkpointFailure: string | undefined;
}

interface OrdinalMetrics {
  /** Shares of the answers that the map does not satisfy, from 0 to 1. */
  readonly trainingError: number;
  readonly testError: number | undefined;
  /** Of new trials of the same people, and of new people. */
  readonly testEstimate: OrdinalEmbeddingResult["testEstimate"];
  /** Whether the map knows more than a coin. */
  readonly chance: OrdinalEmbeddingResult["chance"];
  /** What repeated questions say of the least error that a map can have. */
  readonly noise: OrdinalEmbeddingResult["noise"];
  /** λ as chosen or given. */
  readonly ridge: number;
}

interface OrdinalAnswers {
  /** Answers of the fit, and of the test. */
  readonly training: number;
  readonly test: number;
  readonly duplicates: number;
  readonly contradictions: number;
  /** Questions on the distances that both of them answer alike; they are left out. */
  readonly ties: number | undefined;
  /** Objects that no answer of the fit mentions. */
  readonly unplaced: readonly number[];
  readonly components: number;
}

export async function ordinalTask(input: OrdinalTaskInput, channel: Channel): Promise<OrdinalTaskOutput> {
  const { checkpoint } = input;
  const file = checkpoint && new CheckpointFile(checkpoint, channel.warning);
  const resume = checkpoint?.resume ? file?.read() : undefined;
  channel.phase("answers");
  const made = performance.now();
  const { train, test, ties } = divided(input);
  const making = (performance.now() - made) / 1000;
  channel.phase("initial embedding");
  const result = await ordinalEmbedding(train, {
    ...input.options,
    test,
    checkpoint: file?.options,
    resume,
    signal: channel.signal,
    onIteration: (iteration, { elapsedSeconds }) => channel.step(stepOf(iteration, elapsedSeconds)),
  }).catch((error: unknown) => {
    throw checkpoint === undefined ? error : checkpointError(checkpoint.path, error);
  });
  const { value, gradientNorm, iterations, evaluations, passes, elapsedSeconds, status, message, usable } =
    result;
  const { trainingError, testError, testEstimate, chance, noise, ridge } = result;
  const { count, duplicates, contradictions, unplaced, components } = result.answers;
  return {
    map: result.embedding,
    result: { value, gradientNorm, iterations, evaluations, passes, elapsedSeconds, status, usable, message },
    metrics: { trainingError, testError, testEstimate, chance, noise, ridge },
    answers: {
      training: count,
      test: test === undefined ? 0 : test.quadruplets.length / 4,
      duplicates,
      contradictions,
      ties,
      unplaced,
      components,
    },
    options: plainOptions(result.options),
    phases: { ...result.phases, answers: making + result.phases.answers },
    warnings: result.warnings,
    checkpointFailure: file?.failure,
  };
}

interface Divided {
  readonly train: Answers;
  readonly test: Answers | undefined;
  readonly ties: number | undefined;
}

function divided({ source, test, options }: OrdinalTaskInput): Divided {
  const seed = options.seed ?? 0;
  if (source.kind === "distances") {
    const { train, ties } = tripletsFromDistances(source.distances, { count: source.count, seed });
    return { ...parted({ weights: undefined, ...train }, test, seed), ties };
  }
  if (source.held !== undefined) return { ...byMarks(source.answers, source.held), ties: undefined };
  return { ...parted(source.answers, test, seed), ties: undefined };
}

function byMarks(
  { objects, quadruplets, weights, groups }: Answers,
  held: Uint8Array,
): Omit<Divided, "ties"> {
  const some = (mark: number): Answers => {
    const kept = [...held.keys()].filter((q) => held[q] === mark);
    return {
      objects,
      quadruplets: Int32Array.from(kept.flatMap((q) => [...quadruplets.subarray(4 * q, 4 * q + 4)])),
      weights: weights && Float64Array.from(kept, (q) => weights[q]),
      groups: groups && { trial: partOf(groups.trial, kept), participant: partOf(groups.participant, kept) },
    };
  };
  return { train: some(0), test: some(1) };
}

const partOf = (labels: ArrayLike<number | string> | undefined, kept: readonly number[]) =>
  labels && kept.map((q) => labels[q]);

function parted(answers: Answers, test: OrdinalTaskInput["test"], seed: number): Omit<Divided, "ties"> {
  if (typeof test !== "number") return { train: answers, test };
  const parts = splitAnswers(answers, { test, seed });
  return { train: { weights: undefined, ...parts.train }, test: { weights: undefined, ...parts.test } };
}

function stepOf(iteration: Iteration<OrdinalEmbeddingDetails>, elapsedSeconds: number): Step {
  const { index, value, gradientNorm, stepLength, evaluations, passes, phase, details } = iteration;
  const { objective, ridge, testError } = details;
  return {
    iteration: index,
    value: value ?? objective,
    gradientNorm,
    stepLength,
    evaluations,
    passes,
    elapsedSeconds,
    phase,
    details: { lambda: ridge, testError },
  };
}
