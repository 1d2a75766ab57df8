/**
 * Parts of answers: those to some questions, and those to the others; and bootstrap samples: questions drawn with
 * replacement, each with all its answers.
 */
import { permutation, type RandomGenerator } from "@curvature/linalg";
import type { Comparisons } from "@curvature/objectives/ordinal";
import type { QuestionsAsked } from "./questions.js";

/** The answers in this order (an answer may come several times). */
function answersAt({ objects, quadruplets, weights }: Comparisons, order: ArrayLike<number>): Comparisons {
  const some = new Int32Array(4 * order.length);
  const weight = new Float64Array(weights === undefined ? 0 : order.length);
  for (let to = 0; to < order.length; to++) {
    const q = order[to];
    some[4 * to] = quadruplets[4 * q];
    some[4 * to + 1] = quadruplets[4 * q + 1];
    some[4 * to + 2] = quadruplets[4 * q + 2];
    some[4 * to + 3] = quadruplets[4 * q + 3];
    if (weights !== undefined) weight[to] = weights[q];
  }
  return { objects, quadruplets: some, weights: weights && weight };
}

/**
 * A part of every answer, from 0 to `parts` − 1, answers to one question in one part; parts are as even as questions
 * allow.
 */
export function evenParts(
  { count, questionOf }: QuestionsAsked,
  parts: number,
  random: RandomGenerator,
): Int32Array {
  const place = permutation(random, count);
  return questionOf.map((question) => Math.floor((place[question] * parts) / count));
}

/** The answers of one part, and the others. */
export function separated(
  comparisons: Comparisons,
  partOf: Int32Array,
  part: number,
): { readonly inside: Comparisons; readonly outside: Comparisons } {
  const inside = partOf.filter((other) => other === part).length;
  const order = new Int32Array(partOf.length);
  for (let q = 0, toInside = 0, toOutside = inside; q < partOf.length; q++)
    order[partOf[q] === part ? toInside++ : toOutside++] = q;
  return {
    inside: answersAt(comparisons, order.subarray(0, inside)),
    outside: answersAt(comparisons, order.subarray(inside)),
  };
}

/** `target` answers or a few more, drawn at random by their questions, and the others; undefined where one side would be empty. */
export function heldOut(
  comparisons: Comparisons,
  { count, questionOf }: QuestionsAsked,
  target: number,
  random: RandomGenerator,
): { readonly training: Comparisons; readonly validation: Comparisons } | undefined {
  const answersOf = new Int32Array(count);
  for (let q = 0; q < questionOf.length; q++) answersOf[questionOf[q]]++;
  const isHeld = new Int32Array(count);
  let held = 0;
  for (const question of permutation(random, count)) {
    if (held >= target) break;
    isHeld[question] = 1;
    held += answersOf[question];
  }
  if (held === 0 || held === questionOf.length) return undefined;
  const { inside, outside } = separated(
    comparisons,
    questionOf.map((question) => isHeld[question]),
    1,
  );
  return { training: outside, validation: inside };
}

/** By question: where its answers begin in `order`; built once for many samples. */
export interface AnswersByQuestion {
  readonly order: Int32Array;
  readonly begin: Int32Array;
}

export function byQuestion({ count, questionOf }: QuestionsAsked): AnswersByQuestion {
  const begin = new Int32Array(count + 1);
  for (let q = 0; q < questionOf.length; q++) begin[questionOf[q] + 1]++;
  for (let k = 0; k < count; k++) begin[k + 1] += begin[k];
  const next = begin.slice();
  const order = new Int32Array(questionOf.length);
  for (let q = 0; q < questionOf.length; q++) order[next[questionOf[q]]++] = q;
  return { order, begin };
}

/** @param questions - how many are drawn; by default as many as there are */
export function resampled(
  comparisons: Comparisons,
  { order, begin }: AnswersByQuestion,
  random: RandomGenerator,
  questions = begin.length - 1,
): Comparisons {
  const drawn = new Int32Array(questions);
  let size = 0;
  for (let k = 0; k < questions; k++) {
    drawn[k] = random.integer(begin.length - 1);
    size += begin[drawn[k] + 1] - begin[drawn[k]];
  }
  const sample = new Int32Array(size);
  let to = 0;
  for (let k = 0; k < questions; k++)
    for (let at = begin[drawn[k]]; at < begin[drawn[k] + 1]; at++) sample[to++] = order[at];
  return answersAt(comparisons, sample);
}
