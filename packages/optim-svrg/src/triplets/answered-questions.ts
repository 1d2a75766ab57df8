/**
 * Questions that have an answer, found among any number of ties: of the others in the order of their distance from i,
 * the one in place q is farther away than the first c_q of them, so that
 *
 *   A_i = Σ_q c_q   questions about i have an answer,   A = Σ_i A_i   in all
 *
 * O(n² log n) for n objects; memory for the questions that are drawn.
 */
import { type RandomGenerator, shuffle } from "@curvature/linalg";
import { NumberSet } from "./number-set.js";
import type { TripletQuestions } from "./questions.js";

/**
 * Numbers of different questions with an answer, drawn at random.
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
