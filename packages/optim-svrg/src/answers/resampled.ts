/** Bootstrap samples of answers: questions drawn with replacement, each with all its answers. */
import type { RandomGenerator } from "@curvature/linalg";
import type { Comparisons } from "@curvature/objectives/ordinal";
import { answersAt } from "./parts.js";
import type { QuestionsAsked } from "./questions-asked.js";

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
