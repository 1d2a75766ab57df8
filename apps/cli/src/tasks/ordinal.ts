/**
 * The work of `curvature ordinal`: a map from answers, or from distances by way of the answers they give.
 */
import {
  CurvatureError,
  type DenseMatrix,
  optionName,
  RandomGenerator,
  type Warning,
} from "@curvature/linalg";
import type { OrdinalLossName } from "@curvature/objectives/ordinal";
import type { Iteration } from "@curvature/optim-core";
import {
  type BootstrapOptions,
  bootstrapOptions,
  chooseDimension,
  type DimensionChoice,
  dimensionOptions,
  type OrdinalEmbeddingDetails,
  type OrdinalEmbeddingOptions,
  type OrdinalEmbeddingResult,
  ordinalEmbedding,
  type SplitOptions,
  splitAnswers,
  splitOptions,
  tripletsFromDistances,
} from "@curvature/optim-svrg";
import type { Answers } from "../read/answers.js";
import { outcomeInFlags } from "../run/flag-names.js";
import type { Step } from "../run/log.js";
import { CheckpointFile, type CheckpointRequest, checkpointError } from "../write/checkpoint-file.js";
import type { ReportedResult } from "../write/report.js";
import { plainOptions } from "../write/report.js";
import type { Channel } from "./channel.js";
import { type FeaturesRequest, type PlacedByFeatures, placedByFeatures } from "./ordinal-features.js";
import { type Individuals, individualMaps, type PersonFigures, peopleFigures } from "./ordinal-people.js";
import { type RegionFigures, type RegionsRequest, regionFigures } from "./ordinal-regions.js";

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
  readonly testBy: SplitOptions["by"];
  /** Plain data only: no signal, no callbacks. */
  readonly options: OrdinalEmbeddingOptions;
  /** Where the number of dimensions is chosen: those that are tried; undefined: the usual ones. */
  readonly choice: { readonly candidates: readonly number[] | undefined } | undefined;
  readonly regions: RegionsRequest | undefined;
  readonly features: FeaturesRequest | undefined;
  readonly wantsIndividuals: boolean;
  readonly lossName: OrdinalLossName;
  readonly checkpoint: CheckpointRequest | undefined;
}

export interface OrdinalTaskOutput {
  /** Rows of objects that no answer mentions are NaN. */
  readonly map: DenseMatrix;
  readonly result: ReportedResult & { readonly usable: boolean };
  readonly metrics: OrdinalMetrics;
  readonly answers: OrdinalAnswers;
  readonly choice: DimensionChoice | undefined;
  readonly regions: RegionFigures | undefined;
  /** In their order in the file; none where nobody is named. */
  readonly people: readonly PersonFigures[];
  readonly individuals: Individuals | undefined;
  readonly placed: PlacedByFeatures | undefined;
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
  const chosen = performance.now();
  const choice = input.choice && (await choiceOf(train, input, channel));
  const choosing = (performance.now() - chosen) / 1000;
  const options = choice === undefined ? input.options : { ...input.options, dimensions: choice.dimensions };
  channel.phase("initial embedding");
  const result = await ordinalEmbedding(train, {
    ...options,
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
  const further = await furtherFigures(input, options, result, train, channel);
  return {
    map: result.embedding,
    choice,
    people: peopleFigures(result.embedding, train, test),
    placed: input.features && placedByFeatures(result.embedding, input.features),
    regions: further.regions,
    individuals: further.individuals,
    result: {
      ...{ value, gradientNorm, iterations, evaluations, passes, elapsedSeconds, status, usable },
      message: outcomeInFlags(message),
    },
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
    phases: {
      ...(choice === undefined ? {} : { choice: choosing }),
      ...result.phases,
      answers: making + result.phases.answers,
      ...further.phases,
    },
    warnings: [
      ...(isOfPairs
        ? result.warnings.filter(({ code }) => code !== "grouped" && code !== "chance")
        : result.warnings),
      ...further.warnings,
    ],
    checkpointFailure: file?.failure,
  };
}

async function choiceOf(
  train: Answers,
  { choice, options }: OrdinalTaskInput,
  channel: Channel,
): Promise<DimensionChoice> {
  const candidates = choice?.candidates;
  const many = candidates?.length ?? 0;
  let tried = 0;
  channel.phase("choosing the dimensions");
  return chooseDimension(train, {
    ...{ candidates, loss: options.loss, seed: options.seed, degenerate: options.degenerate },
    signal: channel.signal,
    onCandidate: ({ dimensions, error }) =>
      channel.phase(
        `choosing: dimensions ${dimensions}, error ${(100 * error).toFixed(1)} % on answers held out`,
        many > 0 ? ++tried / many : undefined,
      ),
  }).catch((error: unknown) => {
    // Whoever types a command has no folds.
    if (!(error instanceof CurvatureError) || error.path !== "folds") throw error;
    throw new CurvatureError(
      "ERR_SHAPE",
      `There are too few answers for --dim auto, which holds some out: their different questions, or trials, must be at least ${dimensionOptions.defaults.folds}. Give more, or the dimensions: --dim 2.`,
      { path: "dimensions", cause: error },
    );
  });
}

interface Further {
  readonly regions: RegionFigures | undefined;
  readonly individuals: Individuals | undefined;
  readonly phases: Readonly<Record<string, number>>;
  readonly warnings: OrdinalEmbeddingResult["warnings"];
}

/** What is made of a map that there is already: whoever stops it keeps the map. */
async function furtherFigures(
  { regions: request, wantsIndividuals, lossName, options: { mu } }: OrdinalTaskInput,
  options: OrdinalEmbeddingOptions,
  result: OrdinalEmbeddingResult,
  train: Answers,
  channel: Channel,
): Promise<Further> {
  let regions: RegionFigures | undefined;
  let individuals: Individuals | undefined;
  const phases: Record<string, number> = {};
  const warnings: Warning[] = [];
  const timed = async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
    const started = performance.now();
    const made = await work();
    phases[name] = (performance.now() - started) / 1000;
    return made;
  };
  try {
    const { alpha } = options;
    if (request !== undefined) {
      const fit = bootstrapFit(options);
      regions = await timed("regions", () => regionFigures(train, request, { ...fit, result }, channel));
    }
    if (wantsIndividuals) {
      const fit = { loss: lossName, mu, alpha, ridge: result.ridge, seed: options.seed ?? 0 };
      individuals = await timed("individuals", () => individualMaps(result.embedding, train, fit, channel));
    }
  } catch (error) {
    if (!channel.signal.aborted) throw error;
    warnings.push({
      code: "cut-short",
      message: "Stopped while regions or individual maps were made: what was not ready is missing.",
    });
  }
  return { regions, individuals, phases, warnings };
}

/** Those of the options that a bootstrap has, too. */
function bootstrapFit(options: OrdinalEmbeddingOptions): BootstrapOptions {
  const entries = Object.entries(options).filter(([name]) => Object.hasOwn(bootstrapOptions.entries, name));
  return Object.fromEntries(entries);
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
  if (source.isOfPairs && testBy !== splitOptions.defaults.by)
    throw new CurvatureError(
      "ERR_OPTION",
      "--test-by says what of answers is held out, and those made of pairs are held out by pairs. Leave it out.",
      { path: "by", received: testBy },
    );
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
  if (testBy === "participant" && answers.groups?.participant === undefined)
    throw new CurvatureError(
      "ERR_OPTION",
      `--test-by participant holds out people, and no column names them. Name it with ${optionName("participant")}.`,
      { path: "by", received: testBy },
    );
  const parts = splitAnswers(answers, { test, seed, by: testBy });
  const people = answers.groups?.participant;
  // The division numbers people anew, in the order in which they come.
  const original = people && [...new Set(Array.from(people))];
  const restored = ({ groups, ...others }: typeof parts.train): Answers => ({
    weights: undefined,
    ...others,
    groups: groups && {
      trial: groups.trial,
      participant:
        groups.participant && Array.from(groups.participant, (unit) => original?.[Number(unit)] ?? unit),
    },
  });
  return { train: restored(parts.train), test: restored(parts.test) };
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
