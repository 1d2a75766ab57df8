/** Answers made from points or distances. */
import {
  badOption,
  between,
  CurvatureError,
  type DenseMatrix,
  either,
  exp,
  integerFrom,
  type MatrixLike,
  maxAbs,
  nonNegative,
  type OptionsOf,
  oneOf,
  optionTable,
  RandomGenerator,
  type SettingsOf,
  toDense,
} from "@curvature/linalg";
import type { Comparisons } from "@curvature/objectives/ordinal";
import { answeredQuestions, drawnQuestions, TripletQuestions } from "./triplet-questions.js";

export const tripletOptions = optionTable({
  /**
   * How many training answers: to different questions, drawn at random, fewer where ties leave no more; or "all" that
   * are left.
   */
  count: either(integerFrom(1), oneOf("all")).default("all"),
  /** How many test answers, to questions that are not in the training set. */
  test: integerFrom(0).default(0),
  /** The probability with which a training answer is turned around. */
  flip: between(0, 1).default(0),
  /**
   * Scale s of logistic noise, in the unit of squared distances: a training answer is right with the probability
   * 1/(1 + exp(−|d₁ − d₂|/s)). 0: no noise.
   */
  noise: nonNegative.default(0),
  seed: integerFrom(0).default(0),
});
export type TripletOptions = OptionsOf<typeof tripletOptions>;
type Settings = SettingsOf<typeof tripletOptions>;

export interface MadeTriplets {
  readonly train: Comparisons;
  /** Without noise; disjoint from the training questions. */
  readonly test: Comparisons;
  /** Questions that were met and have no answer, since both distances are equal: they are left out. */
  readonly ties: number;
  /** Training answers that the noise has turned around. */
  readonly flipped: number;
}

/** More points have more questions than numbers can count. */
const MAX_POINTS = 100_000;
/** So many answers fit into one array. */
const MAX_ANSWERS = 2 ** 26;

/**
 * Triplets "i is nearer to j than to k" of Euclidean distances.
 *
 * @param points - n × d, 3 to 100,000 rows
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION; ERR_MEMORY where more are asked for than fit
 */
export function tripletsFromPoints(points: MatrixLike, options?: TripletOptions): MadeTriplets {
  const { rows, columns, data } = toDense(points, "points");
  const unit = unitOf(data);
  return tripletsFrom("tripletsFromPoints", rows, options, unit, (i, j) => {
    let d = 0;
    for (let t = 0; t < columns; t++) {
      const u = data[i * columns + t] / unit - data[j * columns + t] / unit;
      d += u * u;
    }
    return d;
  });
}

/**
 * Triplets of distances of any kind.
 *
 * @param distances - n × n, n from 3 to 100,000: symmetric (to 12 digits), not negative, the diagonal 0
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT (with the entry), ERR_OPTION; ERR_MEMORY where more
 *   are asked for than fit
 */
export function tripletsFromDistances(distances: MatrixLike, options?: TripletOptions): MadeTriplets {
  const matrix = toDense(distances, "distances");
  checkDistances(matrix);
  const { rows: n, data } = matrix;
  const unit = unitOf(data);
  return tripletsFrom("tripletsFromDistances", n, options, unit, (i, j) => {
    const d = data[Math.max(i, j) * n + Math.min(i, j)] / unit;
    return d * d;
  });
}

/** 1, or the largest magnitude of numbers whose squares would leave the range of numbers. */
function unitOf(data: Float64Array): number {
  const largest = maxAbs(data);
  return largest > 1e100 || (largest > 0 && largest < 1e-100) ? largest : 1;
}

/** @param squared - the squared distance of two objects, in units squared */
function tripletsFrom(
  where: string,
  objects: number,
  options: TripletOptions | undefined,
  unit: number,
  squared: (i: number, j: number) => number,
): MadeTriplets {
  const settings = tripletOptions.resolve(where, options);
  if (objects < 3 || objects > MAX_POINTS)
    throw new CurvatureError(
      "ERR_SHAPE",
      `${where} needs from 3 to ${MAX_POINTS} objects; received ${objects}.`,
      { path: "points", expected: `3 to ${MAX_POINTS} rows`, received: objects },
    );
  const questions = new TripletQuestions(objects);
  const wanted = wantedOf(where, settings, questions);
  const random = new RandomGenerator(settings.seed);
  const isPlain = settings.count === "all" && settings.test === 0;
  const quadruplets = new Int32Array(4 * wanted);
  const margins = new Float64Array(wanted);
  const ask = new Int32Array(3);
  let ties = 0;
  let found = 0;
  const answered = () => answeredQuestions(questions, wanted, random, squared);
  for (const number of isPlain ? inOrder(questions) : drawnQuestions(questions, wanted, random, answered)) {
    questions.write(number, ask);
    const [i, j, k] = ask;
    const difference = squared(i, j) - squared(i, k);
    if (difference === 0) {
      ties++;
      continue;
    }
    quadruplets.set(difference < 0 ? [i, j, i, k] : [i, k, i, j], 4 * found);
    margins[found++] = Math.abs(difference) * unit * unit;
    if (found === wanted) break;
  }
  if (found === 0)
    throw new CurvatureError(
      "ERR_SHAPE",
      `all distances of an object to others are the same, so that no question has an answer. Give distances that differ.`,
      { where, path: "distances" },
    );
  if (found <= settings.test)
    throw badOption(where, "test", `below ${found}, the questions with an answer`, settings.test);
  const test = { objects, quadruplets: quadruplets.slice(0, 4 * settings.test) };
  const train = { objects, quadruplets: quadruplets.slice(4 * settings.test, 4 * found) };
  const flipped = addNoise(train.quadruplets, margins.subarray(settings.test, found), settings, random);
  return { train, test, ties, flipped };
}

/** How many answers are taken, if there are no ties. */
function wantedOf(where: string, { count, test }: Settings, questions: TripletQuestions): number {
  const wanted = count === "all" ? questions.count : count + test;
  if (wanted > questions.count || (count === "all" && test >= questions.count))
    throw badOption(
      where,
      "count",
      `with test at most ${questions.count}, the questions that there are`,
      count,
    );
  if (wanted > MAX_ANSWERS)
    throw new CurvatureError(
      "ERR_MEMORY",
      `${wanted} answers are too many for one array. Take a count of at most ${MAX_ANSWERS}.`,
      { where, path: "count", expected: `at most ${MAX_ANSWERS}`, received: wanted },
    );
  return wanted;
}

function* inOrder({ count }: TripletQuestions): Generator<number, void, void> {
  for (let number = 0; number < count; number++) yield number;
}

/** Turns answers around, each with its probability. @returns how many */
function addNoise(
  quadruplets: Int32Array,
  margins: Float64Array,
  { flip, noise }: Settings,
  random: RandomGenerator,
): number {
  if (flip === 0 && noise === 0) return 0;
  let flipped = 0;
  for (let q = 0; q < margins.length; q++) {
    const isFlipped = random.uniform() < flip;
    const isWrong = noise > 0 && random.uniform() < 1 - 1 / (1 + exp(-margins[q] / noise));
    if (isFlipped === isWrong) continue; // turned twice is as it was
    const j = quadruplets[4 * q + 1];
    quadruplets[4 * q + 1] = quadruplets[4 * q + 3];
    quadruplets[4 * q + 3] = j;
    flipped++;
  }
  return flipped;
}

function checkDistances({ rows: n, columns, data }: DenseMatrix): void {
  if (n !== columns)
    throw new CurvatureError("ERR_SHAPE", `distances must be square; received ${n} x ${columns}.`, {
      path: "distances",
      expected: "a square matrix",
      received: `${n} x ${columns}`,
    });
  for (let i = 0; i < n; i++) {
    if (data[i * n + i] !== 0) throw badDistance(i, i, data[i * n + i], "0, that of an object to itself");
    for (let j = 0; j < i; j++) {
      const d = data[i * n + j];
      const mirrored = data[j * n + i];
      if (d < 0) throw badDistance(i, j, d, "at least 0");
      if (!(Math.abs(d - mirrored) <= 1e-12 * d))
        throw badDistance(i, j, d, `the same as at row ${j}, column ${i}, which is ${mirrored}`);
    }
  }
}

function badDistance(row: number, column: number, received: number, expected: string): CurvatureError {
  return new CurvatureError(
    "ERR_ARGUMENT",
    `${received} at row ${row}, column ${column} (counted from 0) must be ${expected}.`,
    { where: "distances", path: `row ${row}, column ${column}`, expected, received },
  );
}
