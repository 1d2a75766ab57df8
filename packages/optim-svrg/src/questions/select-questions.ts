/**
 * Which questions to ask next. The first 2n answers are asked at random; then questions are drawn at random among the
 * fifth of all (or of a random pool of them) that is expected to teach most. Always taking the very best was measured
 * to be no better, and depends on the maps being right.
 *
 * The maps: STE with a ridge of 0.03, and five of bootstrap samples, by L-BFGS.
 *
 * Of a great many answers N, a map is fitted to m questions drawn from them, where m is enough for a good map. Maps of
 * m answers vary √(N/m) times as much as maps of all would, and are drawn together by as much, about their mean.
 */
import {
  anything,
  CurvatureError,
  callback,
  checkOptions,
  flag,
  integerFrom,
  type MatrixLike,
  optional,
  RandomGenerator,
  shuffle,
} from "@curvature/linalg";
import { type Comparisons, comparisonCount } from "@curvature/objectives/ordinal";
import { timed } from "@curvature/optim-core";
import type { GivenAnswers } from "../answers/given-answers.js";
import { type PreparedAnswers, prepareAnswers } from "../answers/prepared.js";
import { readAnswers } from "../answers/read-answers.js";
import { byQuestion, resampled } from "../answers/resampled.js";
import { quickFit } from "../auto/quick-fit.js";
import { checkDimensions } from "../embedding-options.js";
import { placedMap } from "../gaps.js";
import { drawnQuestions } from "../triplets/drawn-questions.js";
import { NumberSet } from "../triplets/number-set.js";
import { TripletQuestions } from "../triplets/questions.js";
import { expectationOf, type SampledMaps } from "./information-gain.js";

export interface QuestionOptions {
  /** How many questions. Default max(10, n/3, N/10), after which the answers should be fitted anew. */
  readonly count?: number;
  /** n. Default: that of the answers, or their largest number and 1. Needed where there are no answers yet. */
  readonly objects?: number;
  /** p of the maps that judge the questions. Default 2. */
  readonly dimensions?: number;
  /** A map of the answers so far, n × p, where the fits begin; rows of NaN are objects without a place. */
  readonly embedding?: MatrixLike;
  /** Answers before which questions are drawn at random. Default 2n. */
  readonly randomFirst?: number;
  /** Whether questions that were answered already may come again (to average over noise). Default false. */
  readonly repeat?: boolean;
  /** Default 0. Use another one for every batch. */
  readonly seed?: number;
  readonly signal?: AbortSignal;
  /** Hears of every map that is fitted, counted from 1, before the fit; there are none for questions drawn at random. */
  readonly onMap?: (map: number, maps: number) => void;
}

/** "Is `anchor` nearer to `first` or to `second`?" */
export interface NextQuestion {
  readonly anchor: number;
  readonly first: number;
  readonly second: number;
  /** The information expected from the answer, in bits (0 to 1); undefined for questions drawn at random. */
  readonly gain: number | undefined;
  /** The probability of the answer `first`, as the maps so far expect it; undefined for questions drawn at random. */
  readonly probability: number | undefined;
}

export interface QuestionSelection {
  /** Fewer than asked for only where there are no more that were not answered. */
  readonly questions: readonly NextQuestion[];
  /** How they were chosen. */
  readonly strategy: "random" | "information-gain";
}

interface Settings {
  readonly count: number | undefined;
  readonly objects: number | undefined;
  readonly dimensions: number;
  readonly embedding: MatrixLike | undefined;
  readonly randomFirst: number | undefined;
  readonly repeat: boolean;
  readonly seed: number;
  readonly signal: AbortSignal | undefined;
  readonly onMap: ((map: number, maps: number) => void) | undefined;
}

export const questionDefaults: Settings = Object.freeze({
  count: undefined,
  objects: undefined,
  dimensions: 2,
  embedding: undefined,
  randomFirst: undefined,
  repeat: false,
  seed: 0,
  signal: undefined,
  onMap: undefined,
});

const FIT = { loss: "ste", ridge: 0.03, iterations: 40 } as const;
const BOOTSTRAPS = 5;
/** Of more questions, so many are drawn for a map: 10 for each coordinate, but this at least. */
const LEAST_SAMPLE = 100_000;
const SAMPLE_PER_COORDINATE = 10;
/** Fits to samples end when F falls by less in 5 iterations: they are long, and begin near their end. */
const SLOW = 1e-3;
const TOP_SHARE = 0.2;
/** Questions that are judged, at least; 10 for each that is wanted. */
const LEAST_POOL = 5000;
const MOST_OBJECTS = 100_000;

/**
 * The questions whose answers teach most, of the form "is i nearer to j or to k?".
 *
 * @param answers - so far; may be empty if `objects` is given
 * @throws CurvatureError (the promise rejects) as `ordinalEmbedding`; the signal's reason if it is aborted
 */
export async function selectQuestions(
  answers: GivenAnswers,
  options: QuestionOptions = {},
): Promise<QuestionSelection> {
  const settings = checkOptions<Settings>("selectQuestions", options, questionDefaults, {
    count: optional(integerFrom(1)),
    objects: optional(integerFrom(1)),
    dimensions: integerFrom(1),
    embedding: anything,
    randomFirst: optional(integerFrom(0)),
    repeat: flag,
    seed: integerFrom(0),
    signal: anything,
    onMap: optional(callback),
  });
  const { signal, seed } = settings;
  const read = readAnswers(answers, {
    where: "selectQuestions",
    objects: settings.objects,
    degenerate: "drop",
    mayBeEmpty: settings.objects !== undefined,
  });
  const { objects } = read.comparisons;
  if (objects < 3 || objects > MOST_OBJECTS)
    throw new CurvatureError(
      "ERR_SHAPE",
      `selectQuestions needs from 3 to ${MOST_OBJECTS} objects; received ${objects}.`,
      { path: "objects", expected: `3 to ${MOST_OBJECTS}`, received: objects },
    );
  const N = comparisonCount(read.comparisons);
  const questions = new TripletQuestions(objects);
  const count = settings.count ?? Math.ceil(Math.max(10, objects / 3, N / 10));
  const random = new RandomGenerator(seed);
  const asked = settings.repeat ? new NumberSet(0) : askedBefore(read.comparisons.quadruplets, questions);
  if (N === 0 || N < (settings.randomFirst ?? 2 * objects)) {
    const drawn = pool(questions, asked, N, count, random);
    return { strategy: "random", questions: drawn.map((number) => asQuestion(questions, number)) };
  }
  const prepared = prepareAnswers(read);
  checkDimensions("selectQuestions", settings.dimensions, prepared.comparisons.objects);
  const maps = await sampledMaps(prepared, objects, settings, random);
  const judging = await timed(() => {
    const drawn = pool(questions, asked, N, Math.max(LEAST_POOL, 10 * count), random);
    return drawn.map((number) => judged(asQuestion(questions, number), maps));
  }, signal);
  const best = judging.value.sort((a, b) => b.gain - a.gain); // stable: ties stay in random order
  const top = best.slice(0, Math.max(count, Math.ceil(TOP_SHARE * best.length)));
  shuffle(random, top);
  return { strategy: "information-gain", questions: top.slice(0, count) };
}

/** Up to `size` different questions that were not asked, in random order. */
function pool(
  questions: TripletQuestions,
  asked: NumberSet,
  askedCount: number,
  size: number,
  random: RandomGenerator,
): number[] {
  const found: number[] = [];
  for (const number of drawnQuestions(questions, size + askedCount, random)) {
    if (!asked.has(number)) found.push(number);
    if (found.length === size) break;
  }
  return found;
}

/** The numbers of the answers that are to triplets: whose two pairs share an object. */
function askedBefore(quadruplets: Int32Array, questions: TripletQuestions): NumberSet {
  const asked = new NumberSet(quadruplets.length / 4);
  for (let at = 0; at < quadruplets.length; at += 4) {
    const i = quadruplets[at];
    const j = quadruplets[at + 1];
    const l = quadruplets[at + 2];
    const k = quadruplets[at + 3];
    if (i === l) asked.add(questions.numberOf(i, j, k));
    else if (i === k) asked.add(questions.numberOf(i, j, l));
    else if (j === l) asked.add(questions.numberOf(j, i, k));
    else if (j === k) asked.add(questions.numberOf(j, i, l));
  }
  return asked;
}

async function sampledMaps(
  { comparisons, questions, placed }: PreparedAnswers,
  objects: number,
  { dimensions, embedding, seed, signal, onMap }: Settings,
  random: RandomGenerator,
): Promise<SampledMaps> {
  const begun =
    embedding === undefined ? undefined : placedMap(embedding, "embedding", objects, dimensions, placed).data;
  const coordinates = comparisons.objects * dimensions;
  const enough = Math.max(LEAST_SAMPLE, SAMPLE_PER_COORDINATE * coordinates);
  const size = Math.min(questions.count, enough);
  const isSampled = size < questions.count;
  const fit = { ...FIT, dimensions, seed, slowest: isSampled ? SLOW : 0 };
  const groups = byQuestion(questions);
  const fitted = async (answers: () => Comparisons, from: Float64Array | undefined, map: number) => {
    onMap?.(map, 1 + BOOTSTRAPS);
    return (await timed(() => quickFit(answers(), { ...fit, from }), signal)).value;
  };
  const sample = () => resampled(comparisons, groups, random, size);
  const from = await fitted(isSampled ? sample : () => comparisons, begun, 1);
  const maps: Float64Array[] = [];
  for (let b = 0; b < BOOTSTRAPS; b++) maps.push(await fitted(sample, from, 2 + b));
  if (isSampled) drawTogether(maps, Math.sqrt(size / questions.count));
  const rowOf = new Int32Array(objects).fill(placed === undefined ? 0 : -1);
  if (placed === undefined)
    rowOf.forEach((_, object) => {
      rowOf[object] = object;
    });
  else
    placed.forEach((object, r) => {
      rowOf[object] = r;
    });
  return { maps, dimensions, rowOf };
}

/** Every map so much nearer to the mean of all; they have a common start, and none is turned. */
function drawTogether(maps: readonly Float64Array[], factor: number): void {
  for (let at = 0; at < maps[0].length; at++) {
    const mean = maps.reduce((sum, map) => sum + map[at] / maps.length, 0);
    for (const map of maps) map[at] = mean + factor * (map[at] - mean);
  }
}

function asQuestion(questions: TripletQuestions, number: number): NextQuestion {
  const ask = new Int32Array(3);
  questions.write(number, ask);
  const [anchor, first, second] = ask;
  return { anchor, first, second, gain: undefined, probability: undefined };
}

function judged(question: NextQuestion, maps: SampledMaps): NextQuestion & { readonly gain: number } {
  const { anchor, first, second } = question;
  return { ...question, ...expectationOf(maps, anchor, first, second) };
}
