/** Maps from answers, computed in a worker; and the questions to ask next. */
import { loadEurodist } from "@curvature/datasets/eurodist";
import { type Comparisons, comparisonCount } from "@curvature/objectives/ordinal";
import { type OrdinalEmbeddingResult, ordinalEmbedding, tripletsFromDistances } from "@curvature/optim-svrg";
import type { Channel, Parcel, Task } from "../../worker/protocol.js";
import { aligned } from "./aligned.js";
import {
  type Answer,
  cityAnswers,
  divided,
  dividedByQuestion,
  type GroupedAnswers,
  mostAnswers,
} from "./answers.js";
import type { AnswerReading, DrawnName, FitOptions } from "./options.js";
import { type Question, questionAt } from "./question.js";
import { readAnswers } from "./reading.js";
import { drawnSets } from "./sets.js";

export type OrdinalSource =
  | {
      readonly kind: "drawn";
      readonly set: DrawnName;
      readonly answers: readonly Answer[];
      /** Answers that the set's rule gives after these. */
      readonly more: number;
      /** Whether somebody looks on: then the map after each of them is shown before the next. */
      readonly isWatched: boolean;
    }
  | { readonly kind: "cities"; readonly count: number }
  | {
      readonly kind: "file";
      readonly files: readonly File[];
      readonly reading: AnswerReading;
      readonly mostBytes: number;
    };

export interface OrdinalJob {
  readonly source: OrdinalSource;
  readonly options: FitOptions;
  readonly seed: number;
}

/** What is mapped, and what is said of it. */
export interface Material {
  /** Undefined for objects that are numbers. */
  readonly names: readonly string[] | undefined;
  readonly train: GroupedAnswers;
  /** Kept back. */
  readonly test: GroupedAnswers;
}

export interface Places {
  /** n × 2, as the fit gives it; NaN for objects that no answer mentions. */
  readonly map: Float64Array<ArrayBuffer>;
  /** The same, turned as it is shown. */
  readonly shown: Float64Array<ArrayBuffer>;
  /** Shares of answers that the map gets wrong. */
  readonly trainingError: number | undefined;
  /** Undefined where none is kept back. */
  readonly testError: number | undefined;
  /** Of the map and where the objects really are, where that is known. */
  readonly disparity: number | undefined;
}

export interface OrdinalProgress extends Places {
  /** About a drawn set, with those of the rule. */
  readonly answers: readonly Answer[];
  readonly names: readonly string[] | undefined;
  readonly trained: number;
  readonly tested: number;
  readonly iteration: number | undefined;
}

/** What is said of files. */
export interface Reading {
  readonly notes: readonly string[];
  /** Why they are not read, or "": with options marked, see `withOptionNames`. */
  readonly refusal: string;
}

export interface OrdinalAnswer {
  /** Undefined where no file was read. */
  readonly reading: Reading | undefined;
  readonly answers: readonly Answer[];
  readonly material: Material;
  /** Undefined before the first answer. */
  readonly places: Places | undefined;
  readonly fit: FitFigures | undefined;
  /** The question to ask now, and the one after it. */
  readonly questions: readonly [Question | undefined, Question | undefined];
}

export interface FitFigures {
  readonly ridge: number;
  readonly iterations: number;
  readonly seconds: number;
  readonly duplicates: number;
  readonly contradictions: number;
}

export const ordinalTask: Task<OrdinalJob, OrdinalProgress, OrdinalAnswer> = {
  async run(job, channel) {
    const { source } = job;
    if (source.kind === "drawn") return mapDrawnSet(job, source, channel);
    const loaded = await load(source, job.seed, channel);
    if ("refusal" in loaded) return answer({ ...nothing, reading: loaded });
    const { material, target, reading } = loaded;
    const mapped = await fit(material, target, job, channel, (places, iteration) =>
      channel.progress(parcel(material, places, [], iteration)),
    );
    return answer({ ...nothing, material, ...mapped, reading });
  },
};

const none: Comparisons = { objects: 0, quadruplets: new Int32Array(0), weights: undefined };

/** Of what could not be read. */
const nothing: OrdinalAnswer = {
  reading: undefined,
  answers: [],
  material: { names: undefined, train: none, test: none },
  places: undefined,
  fit: undefined,
  questions: [undefined, undefined],
};

/** The rule's answers, if there are to be some, then the map of all, and the next questions. */
async function mapDrawnSet(
  job: OrdinalJob,
  { set, answers: given, more, isWatched }: Extract<OrdinalSource, { kind: "drawn" }>,
  channel: Channel<OrdinalProgress>,
): Promise<Parcel<OrdinalAnswer>> {
  const { compass, distance, things } = drawnSets[set];
  const names = things.map(({ name }) => name);
  const { seed } = job;
  const materialOf = (list: readonly Answer[]): Material => ({ names, ...divided(list) });
  // Once the page has stopped it, what there is is mapped all the same: that takes a moment only.
  const asking = { seed, signal: new AbortController().signal };
  const answers = [...given];
  for (let k = 0; k < more && answers.length < mostAnswers && !channel.signal.aborted; k++) {
    const question = await questionAt(answers.length, answers, undefined, asking);
    if (question === undefined) break;
    answers.push(byRule(question, distance));
    if (isWatched) await drawn(channel);
    if (!isWatched || !channel.isWanted) continue;
    const material = materialOf(answers);
    const { places } = await fit(material, compass, job, undefined);
    if (places !== undefined) channel.progress(parcel(material, places, answers, undefined));
  }
  const material = materialOf(answers);
  const mapped = await fit(material, compass, job, undefined);
  if (mapped.places !== undefined && more === 0)
    channel.progress(parcel(material, mapped.places, answers, undefined));
  const now =
    answers.length < mostAnswers ? await questionAt(answers.length, answers, undefined, asking) : undefined;
  const next =
    now === undefined || answers.length + 1 >= mostAnswers
      ? undefined
      : await questionAt(answers.length + 1, answers, now, asking);
  for (const warning of mapped.warnings) channel.warning(warning);
  return answer({
    ...{ reading: undefined, answers, material, places: mapped.places, fit: mapped.fit },
    questions: [now, next],
  });
}

/** Milliseconds that an answer waits for the page to draw the last map; a page that is not in sight draws nothing. */
const longestWait = 40;

async function drawn(channel: Channel<unknown>): Promise<void> {
  const end = performance.now() + longestWait;
  while (!channel.isWanted && !channel.signal.aborted && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 2));
}

function byRule(
  { anchor, choices: [one, other] }: Question,
  distance: (i: number, j: number) => number,
): Answer {
  const isOne = distance(anchor, one) <= distance(anchor, other);
  return { anchor, near: isOne ? one : other, far: isOne ? other : one, byRule: true };
}

interface LoadedAnswers {
  readonly material: Material;
  readonly target: Float64Array | undefined;
  readonly reading: Reading | undefined;
}

async function load(
  source: Exclude<OrdinalSource, { kind: "drawn" }>,
  seed: number,
  channel: Channel<unknown>,
): Promise<LoadedAnswers | Reading> {
  if (source.kind === "cities") {
    const { distances, names, positions } = loadEurodist();
    const { train, test } = tripletsFromDistances(distances, cityAnswers(source.count, seed));
    return { material: { names, train, test }, target: positions.data, reading: undefined };
  }
  const { files, reading, mostBytes } = source;
  channel.phase(files.length === 1 ? `reading ${files[0].name}` : `reading ${files.length} files`);
  const read = await readAnswers(files, reading, mostBytes);
  if (typeof read === "string") return { notes: [], refusal: read };
  const { names, comparisons, notes, warnings } = read;
  for (const warning of warnings) channel.warning(warning);
  const material = { names, ...dividedByQuestion(comparisons) };
  return { material, target: undefined, reading: { notes, refusal: "" } };
}

interface Mapped {
  readonly places: Places | undefined;
  readonly fit: FitFigures | undefined;
  readonly warnings: readonly string[];
}

/**
 * @param channel - to stop by; its warnings are told where it is given
 * @param onPlaces - hears of the best map so far when the page wants it
 */
async function fit(
  { train, test }: Material,
  target: Float64Array | undefined,
  { options }: OrdinalJob,
  channel: Channel<OrdinalProgress> | undefined,
  onPlaces: (places: Places, iteration: number) => void = () => undefined,
): Promise<Mapped> {
  if (comparisonCount(train) === 0) return { places: undefined, fit: undefined, warnings: [] };
  channel?.phase("first map");
  const all = train.objects;
  const result = await ordinalEmbedding(train, {
    ...options,
    objects: all,
    test: comparisonCount(test) > 0 ? test : undefined,
    signal: channel?.signal,
    onIteration: (iteration, { best }) => {
      if (channel?.isWanted !== true) return;
      const { testError } = iteration.details;
      onPlaces(placesOf(spread(best.x, train), all, target, undefined, testError), iteration.index);
    },
  });
  const { embedding, trainingError, testError } = result;
  const warnings = result.warnings.filter(({ code }) => code !== "unplaced").map(({ message }) => message);
  for (const warning of warnings) channel?.warning(warning);
  return {
    places: placesOf(embedding.data, all, target, trainingError, testError),
    fit: figuresOf(result),
    warnings,
  };
}

/** While it is fitted, a map holds only the objects that answers mention, in their order. */
function spread(x: Float64Array, { objects, quadruplets, weights }: Comparisons): Float64Array {
  if (x.length === 2 * objects) return x;
  const mentioned = new Set<number>();
  quadruplets.forEach((object, at) => {
    if (weights?.[at >> 2] !== 0) mentioned.add(object);
  });
  const all = new Float64Array(2 * objects).fill(Number.NaN);
  [...mentioned]
    .sort((a, b) => a - b)
    .forEach((object, row) => {
      all.set(x.subarray(2 * row, 2 * row + 2), 2 * object);
    });
  return all;
}

function placesOf(
  x: Float64Array,
  objects: number,
  target: Float64Array | undefined,
  trainingError: number | undefined,
  testError: number | undefined,
): Places {
  const { positions, disparity } = aligned({ rows: objects, columns: 2, data: x }, target);
  return { map: Float64Array.from(x), shown: positions, trainingError, testError, disparity };
}

function figuresOf({ ridge, iterations, answers, phases }: OrdinalEmbeddingResult): FitFigures {
  const { duplicates, contradictions } = answers;
  const seconds = phases.answers + phases.initialization + phases.optimization;
  return { ridge, iterations, seconds, duplicates, contradictions };
}

const parcel = (
  { names, train, test }: Material,
  places: Places,
  answers: readonly Answer[],
  iteration: number | undefined,
): Parcel<OrdinalProgress> => ({
  content: {
    ...places,
    answers: [...answers],
    names,
    trained: comparisonCount(train),
    tested: comparisonCount(test),
    iteration,
  },
  transfer: [],
});

const answer = (content: OrdinalAnswer): Parcel<OrdinalAnswer> => ({ content, transfer: [] });
