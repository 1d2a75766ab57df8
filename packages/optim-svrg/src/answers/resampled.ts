/** A bootstrap sample of answers: as many questions as there are, drawn with replacement, each with all its answers. */
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
  for (const question of questionOf) begin[question + 1]++;
  for (let k = 0; k < count; k++) begin[k + 1] += begin[k];
  const next = begin.slice();
  const order = new Int32Array(questionOf.length);
  questionOf.forEach((question, q) => {
    order[next[question]++] = q;
  });
  return { order, begin };
}

export function resampled(
  comparisons: Comparisons,
  { order, begin }: AnswersByQuestion,
  random: RandomGenerator,
): Comparisons {
  const count = begin.length - 1;
  const drawn = new Int32Array(count);
  let size = 0;
  for (let k = 0; k < count; k++) {
    drawn[k] = random.integer(count);
    size += begin[drawn[k] + 1] - begin[drawn[k]];
  }
  const sample = new Int32Array(size);
  let to = 0;
  for (const question of drawn)
    for (let at = begin[question]; at < begin[question + 1]; at++) sample[to++] = order[at];
  return answersAt(comparisons, sample);
}
