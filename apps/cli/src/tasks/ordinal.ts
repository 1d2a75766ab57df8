/**
 * The work of `curvature ordinal`: a map from answers, or from distances by way of the answers they give.
 */
import { CurvatureError, type DenseMatrix, RandomGenerator } from "@curvature/linalg";
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
      /** Whether they are made of ratings or distances of pairs, which many of them share. */
      readonly isOfPairs: boolean;
      /** Of each answer 1 if it is the test's, where the file says so. */
      readonly held: Uint8Array | undefined;
    }
  /** `count`: how many questions to make answers to, drawn at random, or all. */
  | { readonly kind: "distances"; readonly distances: DenseMatrix; readonly count: number | "all" };

export interface OrdinalTaskInput {
  readonly source: OrdinalSource;
  /** Answers to measure the error with: a share of those given, or others. */
  readonly test: number | Answers | undefined;
  /** What a share holds out as a whole. */
  readonly testBy: "trial" | "participant";
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
  const isOfPairs = input.source.kind === "distances" || input.source.isOfPairs;
  const { trainingError, testError, testEstimate, chance, noise, ridge } = result;
  const { count, duplicates, contradictions, unplaced, components } = result.answers;
  return {
    map: result.embedding,
    result: { value, gradientNorm, iterations, evaluations, passes, elapsedSeconds, status, usable, message },
    // Numbers of pairs that many answers share are no answers of their own: neither counts them as such.
    metrics: isOfPairs
      ? { trainingError, testError, testEstimate: undefined, chance: undefined, noise: undefined, ridge }
      : { trainingError, testError, testEstimate, chance, noise, ridge },
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
    warnings: isOfPairs
      ? result.warnings.filter(({ code }) => code !== "grouped" && code !== "chance")
      : result.warnings,
    checkpointFailure: file?.failure,
  };
}

interface Divided {
  readonly train: Answers;
  readonly test: Answers | undefined;
  readonly ties: number | undefined;
}

function divided({ source, test, testBy, options }: OrdinalTaskInput): Divided {
  const seed = options.seed ?? 0;
  if (source.kind === "distances") {
    const { train, ties } = tripletsFromDistances(source.distances, { count: source.count, seed });
    return { ...partedByPairs({ weights: undefined, ...train }, test, seed), ties };
  }
  if (source.held !== undefined) return { ...byMarks(source.answers, source.held), ties: undefined };
  const parts = source.isOfPairs
    ? partedByPairs(source.answers, test, seed)
    : parted(source.answers, test, testBy, seed);
  return { ...parts, ties: undefined };
}

function byMarks(
  { objects, quadruplets, weights, groups }: Answers,
  held: Uint8Array,
): { readonly train: Answers; readonly test: Answers } {
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

/**
 * Answers that follow from numbers of pairs: a share of the pairs is held out. The test is of answers of which neither number is known;
 * those of which one is are left out.
 */
function partedByPairs(
  answers: Answers,
  test: OrdinalTaskInput["test"],
  seed: number,
): Omit<Divided, "ties"> {
  if (typeof test !== "number") return { train: answers, test };
  const { objects, quadruplets } = answers;
  const random = new RandomGenerator(seed);
  const heldOut = new Map<number, boolean>();
  const isHeldOut = (at: number): boolean => {
    const [i, j] = [quadruplets[at], quadruplets[at + 1]];
    const pair = Math.min(i, j) * objects + Math.max(i, j);
    const known = heldOut.get(pair) ?? random.uniform() < test;
    heldOut.set(pair, known);
    return known;
  };
  const marks = new Uint8Array(quadruplets.length / 4);
  for (let q = 0; q < marks.length; q++) {
    const count = Number(isHeldOut(4 * q)) + Number(isHeldOut(4 * q + 2));
    marks[q] = count === 2 ? 1 : count === 1 ? 2 : 0;
  }
  const parts = byMarks(answers, marks);
  if (parts.test.quadruplets.length > 0 && parts.train.quadruplets.length > 0) return parts;
  throw new CurvatureError(
    "ERR_OPTION",
    `--test ${test} of so few pairs holds out no answer, or all. Give another share.`,
    { path: "test", received: test },
  );
}

function parted(
  answers: Answers,
  test: OrdinalTaskInput["test"],
  testBy: OrdinalTaskInput["testBy"],
  seed: number,
): Omit<Divided, "ties"> {
  if (typeof test !== "number") return { train: answers, test };
  const parts = splitAnswers(answers, { test, seed, by: testBy });
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
