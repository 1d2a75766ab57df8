/** Questions "is i nearer to j or to k?": their numbers, and how some of them are drawn. */
import { CurvatureError, permutation, type RandomGenerator, shuffle } from "@curvature/linalg";
import { NumberSet } from "./number-set.js";

/**
 * All questions "is i nearer to j or to k?" of n objects, j < k, in one line of numbers:
 *
 *   number = i · M + (pair of j, k among the other n − 1 objects),   M = (n − 1)(n − 2)/2,   n M questions in all
 *
 * With j' and k' the places of j < k among the others, the pair (j', k') has the number k'(k' − 1)/2 + j'.
 */
export class TripletQuestions {
  /** How many there are. */
  readonly count: number;
  private readonly perAnchor: number;

  /** @param objects - n; below 2^17, so that all numbers are exact */
  constructor(readonly objects: number) {
    this.perAnchor = ((objects - 1) * (objects - 2)) / 2;
    this.count = objects * this.perAnchor;
  }

  /** i, j, k of a question into `out`. */
  write(number: number, out: Int32Array): void {
    const i = Math.floor(number / this.perAnchor);
    const pair = number - i * this.perAnchor;
    let k = Math.floor((1 + Math.sqrt(1 + 8 * pair)) / 2);
    while ((k * (k - 1)) / 2 > pair) k--; // the root may be rounded up
    while ((k * (k + 1)) / 2 <= pair) k++;
    const j = pair - (k * (k - 1)) / 2;
    out[0] = i;
    out[1] = j < i ? j : j + 1;
    out[2] = k < i ? k : k + 1;
  }

  /** The number of the question about i, j and k, in either order of these two. */
  numberOf(i: number, j: number, k: number): number {
    const a = j < i ? j : j - 1;
    const b = k < i ? k : k - 1;
    const high = Math.max(a, b);
    return i * this.perAnchor + (high * (high - 1)) / 2 + Math.min(a, b);
  }
}

/** So many questions can be listed, and put in a random order. */
const MAX_LISTED = 2 ** 27;

/**
 * Numbers of different questions in random order, as many as are taken; all of them if enough are taken. Few of many
 * are drawn one by one, many of few from a list, so that neither time nor memory grows with questions nobody takes.
 *
 * @param expected - how many are likely to be taken
 * @param others - what follows where more of them are taken than are drawn one by one, and there are too many to list
 * @throws CurvatureError ERR_MEMORY where that is missing
 */
export function* drawnQuestions(
  questions: TripletQuestions,
  expected: number,
  random: RandomGenerator,
  others?: () => Iterable<number>,
): Generator<number, void, void> {
  const { count } = questions;
  const isSparse = expected < count / 4;
  const singly = isSparse ? Math.min(Math.floor(count / 2), 2 * expected + 1000) : 0;
  const taken = new NumberSet(singly);
  for (let drawn = 0; drawn < singly; ) {
    const number = Math.floor(random.uniform() * count);
    if (!taken.add(number)) continue;
    drawn++;
    yield number;
  }
  const isListed = count <= MAX_LISTED;
  if (!isListed && others === undefined)
    throw new CurvatureError(
      "ERR_MEMORY",
      `There are ${count} questions of ${questions.objects} objects, too many to list. Ask for fewer of them.`,
      { path: "count", expected: `at most ${MAX_LISTED} questions in all`, received: count },
    );
  const rest = isListed || others === undefined ? permutation(random, count) : others();
  for (const number of rest) if (!taken.has(number)) yield number;
}

/**
 * Numbers of different questions with an answer, drawn at random among any number of ties: of the others in the order
 * of their distance from i, the one in place q is farther away than the first c_q of them, so that
 *
 *   A_i = Σ_q c_q   questions about i have an answer,   A = Σ_i A_i   in all
 *
 * O(n² log n) for n objects; memory for the questions that are drawn.
 *
 * @param most - how many, or all where there are fewer
 * @param squared - the squared distance of two objects
 */
export function answeredQuestions(
  questions: TripletQuestions,
  most: number,
  random: RandomGenerator,
  squared: (i: number, j: number) => number,
): Float64Array {
  const { objects } = questions;
  const ends = new Float64Array(objects);
  let count = 0;
  for (let i = 0; i < objects; i++) {
    for (const c of othersOf(i, objects, squared).nearer) count += c;
    ends[i] = count;
  }
  const drawn = sortedSample(Math.min(most, count), count, random);
  let d = 0;
  for (let i = 0; d < drawn.length; i++) {
    if (drawn[d] >= ends[i]) continue;
    const { others, nearer } = othersOf(i, objects, squared);
    let before = i === 0 ? 0 : ends[i - 1];
    for (const [q, c] of nearer.entries()) {
      for (; drawn[d] < before + c; d++)
        drawn[d] = questions.numberOf(i, others[drawn[d] - before], others[q]);
      before += c;
    }
  }
  shuffle(random, drawn);
  return drawn;
}

/** The other objects in the order of their distance from i, and c_q of each place. */
function othersOf(i: number, objects: number, squared: (i: number, j: number) => number) {
  const distances = Float64Array.from({ length: objects }, (_, j) => (j === i ? 0 : squared(i, j)));
  const others = Int32Array.from({ length: objects - 1 }, (_, place) => (place < i ? place : place + 1));
  others.sort((j, k) => distances[j] - distances[k]);
  const nearer = new Int32Array(objects - 1);
  for (let q = 1; q < nearer.length; q++)
    nearer[q] = distances[others[q]] > distances[others[q - 1]] ? q : nearer[q - 1];
  return { others, nearer };
}

/** Different numbers from 0 to n − 1, the least first; all choices are equally likely (Floyd's method). */
function sortedSample(count: number, n: number, random: RandomGenerator): Float64Array {
  const taken = new NumberSet(count);
  const sample = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const last = n - count + k;
    const number = Math.floor(random.uniform() * (last + 1));
    sample[k] = taken.add(number) ? number : last;
    taken.add(sample[k]);
  }
  return sample.sort();
}
