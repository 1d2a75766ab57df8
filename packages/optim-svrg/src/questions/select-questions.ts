/**
 * Which questions to ask next. The first 2n answers are asked at random; then half of the questions are drawn at random,
 * and half at random among the fifth of all (or of a random pool of them) that is expected to teach most. Always taking
 * the very best was measured to be no better, and depends on the maps being right: where people see a dimension more than
 * the maps have, none but the most telling questions ended behind questions drawn at random.
 *
 * The maps: STE with a ridge of 0.03, and five of bootstrap samples, by L-BFGS; and ten of all but a tenth of the
 * answers each, which say how sure one may be. Samples and tenths are of people, where there are four or more, else of trials.
 *
 * Of a great many answers N, a map is fitted to m questions drawn from them, where m is enough for a good map. Maps of
 * m answers vary √(N/m) times as much as maps of all would, and are drawn together by as much, about their mean.
 */
import {
  CurvatureError,
  callable,
  flag,
  integerFrom,
  type MatrixLike,
  type OptionsOf,
  object,
  optionTable,
  RandomGenerator,
  type SettingsOf,
  shuffle,
} from "@curvature/linalg";
import { type Comparisons, comparisonCount } from "@curvature/objectives/ordinal";
import { asTask, facadeEntries, throwIfAborted } from "@curvature/optim-core";
import { type AnalyzedAnswers, analyzeAnswers } from "../answers/analyze-answers.js";
import { byUnit, evenParts, resampled, separated } from "../answers/parts.js";
import { placedRows } from "../answers/placed.js";
import { type AnswersLike, answerEntries, readAnswers } from "../answers/read-answers.js";
import { checkDimensions, fitEntries } from "../embedding-options.js";
import { quickFit } from "../fit/quick-fit.js";
import { NumberSet } from "../triplets/number-set.js";
import { drawnQuestions, TripletQuestions } from "../triplets/triplet-questions.js";
import {
  type Differences,
  differenceOf,
  expectationOf,
  type SampledMaps,
  sharpnessOf,
} from "./information-gain.js";

export const questionOptions = optionTable({
  /** How many questions. Left out: max(10, n/3, N/10), after which the answers should be fitted anew. */
  count: integerFrom(1),
  /** n. Left out: that of the answers, or their largest number and 1. Needed where there are no answers yet. */
  objects: answerEntries.objects,
  groups: answerEntries.groups,
  /** p of the maps that judge the questions; fewer than objects. */
  dimensions: fitEntries.dimensions,
  /** A map of the answers so far, n × p, where the fits begin; rows of NaN are objects without a place. */
  embedding: object<MatrixLike>("a map"),
  /** Answers before which questions are drawn at random. Left out: 2n. */
  randomFirst: integerFrom(0),
  /** Whether questions that were answered already may come again (to average over noise). */
  repeat: flag.default(false),
  /** Use another one for every batch. */
  seed: integerFrom(0).default(0),
  signal: facadeEntries().signal,
  /** Called with every map that is fitted, counted from 1, before the fit; there are none for questions drawn at random. */
  onMap: callable<(map: number, maps: number) => void>(),
});
export type QuestionOptions = OptionsOf<typeof questionOptions>;

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

const FIT = { loss: "ste", ridge: 0.03, iterations: 40 } as const;
const BOOTSTRAPS = 5;
/** Parts of the answers, each judged by a map of the others; of answers that are sampled, maps of a part judge the others. */
const FOLDS = 10;
const SAMPLED_FOLDS = 3;
/** For each object: up to so many answers the maps of samples say all, and of more the less. */
const SHARED_ANSWERS = 2;
/** So many answers are enough to judge how sure a map may be. */
const MAX_JUDGED = 5000;
/** Of more questions, so many are drawn for a map: 10 for each coordinate, but this at least. */
const MIN_SAMPLE = 100_000;
const SAMPLE_PER_COORDINATE = 10;
/** Fits to samples end when F falls by less in 5 iterations: they are long, and begin near their end. */
const SLOW = 1e-3;
const TOP_SHARE = 0.2;
/** Of a batch, drawn from all questions: where the maps are of another kind than people's minds, gains mislead. */
const RANDOM_SHARE = 0.5;
/** Questions that are judged, at least; 10 for each that is wanted. */
const MIN_POOL = 5000;
const MAX_OBJECTS = 100_000;

/**
 * The questions whose answers teach most, of the form "is i nearer to j or to k?".
 *
 * @param answers - so far; may be empty if `objects` is given
 * @throws CurvatureError (the promise rejects) as `ordinalEmbedding`; the signal's reason if it is aborted
 */
export async function selectQuestions(
  answers: AnswersLike,
  options?: QuestionOptions,
): Promise<QuestionSelection> {
  const settings = questionOptions.resolve("selectQuestions", options);
  const { signal, seed } = settings;
  const read = readAnswers(answers, {
    where: "selectQuestions",
    objects: settings.objects,
    groups: settings.groups,
    degenerate: "drop",
    mayBeEmpty: settings.objects !== undefined,
  });
  const { objects } = read.comparisons;
  if (objects < 3 || objects > MAX_OBJECTS)
    throw new CurvatureError(
      "ERR_SHAPE",
      `selectQuestions needs from 3 to ${MAX_OBJECTS} objects; received ${objects}.`,
      { path: "objects", expected: `3 to ${MAX_OBJECTS}`, received: objects },
    );
  throwIfAborted(signal);
  const N = comparisonCount(read.comparisons);
  const questions = new TripletQuestions(objects);
  const count = settings.count ?? Math.ceil(Math.max(10, objects / 3, N / 10));
  const random = new RandomGenerator(seed);
  const asked = settings.repeat ? new NumberSet(0) : askedBefore(read.comparisons.quadruplets, questions);
  if (N === 0 || N < (settings.randomFirst ?? 2 * objects)) {
    const drawn = pool(questions, asked, N, count, random);
    return { strategy: "random", questions: drawn.map((number) => asQuestion(questions, number)) };
  }
  const analyzed = analyzeAnswers(read);
  checkDimensions("selectQuestions", settings.dimensions, analyzed.comparisons.objects);
  const maps = await sampledMaps(analyzed, objects, settings, random);
  const candidates = await asTask(() => {
    const drawn = pool(questions, asked, N, Math.max(MIN_POOL, 10 * count), random);
    return drawn.map((number) => judged(asQuestion(questions, number), maps));
  }, signal);
  const any = candidates.splice(0, Math.floor(RANDOM_SHARE * count));
  const best = candidates.sort((a, b) => b.gain - a.gain); // stable: ties stay in random order
  const top = best.slice(0, Math.max(count - any.length, Math.ceil(TOP_SHARE * best.length)));
  shuffle(random, top);
  const chosen = [...any, ...top.slice(0, count - any.length)];
  shuffle(random, chosen);
  return { strategy: "information-gain", questions: chosen };
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
  { comparisons, dependence, placed }: AnalyzedAnswers,
  objects: number,
  { dimensions, embedding, seed, signal, onMap }: SettingsOf<typeof questionOptions>,
  random: RandomGenerator,
): Promise<SampledMaps> {
  const begun =
    embedding === undefined
      ? undefined
      : placedRows(embedding, "embedding", objects, dimensions, placed).data;
  const coordinates = comparisons.objects * dimensions;
  const enough = Math.max(MIN_SAMPLE, SAMPLE_PER_COORDINATE * coordinates);
  const units = dependence.coarsest;
  const count = comparisonCount(comparisons);
  const isSampled = count > enough;
  const size = isSampled ? Math.ceil((units.count * enough) / count) : units.count;
  const fit = { ...FIT, dimensions, seed, slowest: isSampled ? SLOW : 0 };
  const groups = byUnit(units);
  const parts = isSampled ? Math.ceil(count / enough) : Math.min(FOLDS, units.count);
  const judges = units.count < 2 ? 0 : isSampled ? Math.min(SAMPLED_FOLDS, parts) : parts;
  const fitted = async (answers: () => Comparisons, from: Float64Array | undefined, map: number) => {
    onMap?.(map, 1 + BOOTSTRAPS + judges);
    return asTask(() => quickFit(answers(), { ...fit, from }), signal);
  };
  const isDrawn: Uint8Array[] = [];
  const sample = () => {
    const drawn = new Uint8Array(units.count);
    isDrawn.push(drawn);
    return resampled(comparisons, groups, random, size, drawn);
  };
  const map = await fitted(isSampled ? sample : () => comparisons, begun, 1);
  isDrawn.length = 0;
  const samples: Float64Array[] = [];
  for (let b = 0; b < BOOTSTRAPS; b++) samples.push(await fitted(sample, unremembered(map), 2 + b));
  if (isSampled) drawTogether(samples, Math.sqrt(size / units.count));
  const folds: Float64Array[] = [];
  const differences: Differences[] = [];
  const partOf = evenParts(units, Math.max(1, parts), random);
  for (let fold = 0; fold < judges; fold++) {
    const { inside, outside, insideAt, outsideAt } = separated(comparisons, partOf, fold);
    const [known, heldAt] = isSampled ? [inside, outsideAt] : [outside, insideAt];
    const X = await fitted(() => known, unremembered(map), 2 + BOOTSTRAPS + fold);
    folds.push(X);
    const step = Math.ceil((judges * heldAt.length) / MAX_JUDGED);
    for (let at = 0; at < heldAt.length; at += step) {
      const q = heldAt[at];
      const strangers = samples.filter((_, b) => isDrawn[b][units.unitOf[q]] === 0);
      const of = (Y: Float64Array): number => differenceOf(comparisons, q, Y, dimensions);
      differences.push({ ofFolds: [of(X)], ofSamples: strangers.map(of) });
    }
  }
  if (folds.length === 0) folds.push(map);
  const rowOf = new Int32Array(objects).fill(placed === undefined ? 0 : -1);
  if (placed === undefined)
    rowOf.forEach((_, object) => {
      rowOf[object] = object;
    });
  else
    placed.forEach((object, r) => {
      rowOf[object] = r;
    });
  const sampleShare = Math.min(1, (SHARED_ANSWERS * comparisons.objects) / count);
  return { folds, samples, sampleShare, dimensions, rowOf, sharpness: sharpnessOf(differences, sampleShare) };
}

/** Maps begin a tenth as large: from where the map of all answers is, a few iterations would remember its chance. */
const unremembered = (map: Float64Array): Float64Array => map.map((x) => 0.1 * x);

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
