/**
 * What no map can do better: answers to one question that contradict each other. With π the share of one of a question's
 * two answers, two answers disagree with the probability 2π(1 − π), and the best map errs with min(π, 1 − π). Over all
 * questions, with D the share of disagreeing pairs of answers, the least error E lies in
 *
 *   (1 − √(1 − 2D)) / 2  ≤  E  ≤  D
 *
 * by the lower bound if all questions are equally hard (Jensen), and by the upper one if each is sure or a toss-up.
 */
import type { Comparisons } from "@curvature/objectives/ordinal";
import type { QuestionsAsked } from "./questions.js";

export interface AnswerNoise {
  /** Questions that were answered more than once. */
  readonly repeated: number;
  /** D above: how often two answers to one question disagree; the mean over repeated questions. */
  readonly disagreement: number;
  /** Of `disagreement`, over the repeated questions. */
  readonly standardError: number;
  /**
   * Between which the least error of any map lies on these questions, two standard errors allowed for; others may be easier.
   */
  readonly leastError: readonly [number, number];
}

/** Fewer repeated questions say too little. */
const MIN_REPEATED = 20;

export function noiseOf(
  { quadruplets, weights }: Comparisons,
  { count, questionOf }: QuestionsAsked,
): AnswerNoise | undefined {
  const answers = new Int32Array(count);
  const alike = new Int32Array(count); // as the question's first answer
  const first = new Int32Array(count).fill(-1);
  for (let q = 0; q < questionOf.length; q++) {
    // A tie is half an answer each way, and no contradiction.
    if (weights !== undefined && weights[q] < 1) continue;
    const question = questionOf[q];
    answers[question]++;
    if (first[question] < 0) first[question] = q;
    if (isSameWay(quadruplets, first[question], q)) alike[question]++;
  }
  let repeated = 0;
  let sum = 0;
  let squares = 0;
  for (let question = 0; question < count; question++) {
    const m = answers[question];
    if (m < 2) continue;
    const share = (2 * alike[question] * (m - alike[question])) / (m * (m - 1));
    repeated++;
    sum += share;
    squares += share * share;
  }
  if (repeated < MIN_REPEATED) return undefined;
  const disagreement = sum / repeated;
  const variance = Math.max(0, squares / repeated - disagreement * disagreement);
  const standardError = Math.sqrt(variance / (repeated - 1));
  const low = Math.max(0, disagreement - 2 * standardError);
  const even = (1 - Math.sqrt(Math.max(0, 1 - 2 * low))) / 2;
  // No disagreement seen in r questions leaves 3/r possible, with 95 %.
  const high = Math.max(disagreement + 2 * standardError, 3 / repeated);
  return { repeated, disagreement, standardError, leastError: [even, Math.min(0.5, high)] };
}

/** Whether both answers, to one question, say that the same pair is nearer. */
function isSameWay(quadruplets: Int32Array, a: number, b: number): boolean {
  const low = (q: number): number => Math.min(quadruplets[4 * q], quadruplets[4 * q + 1]);
  const high = (q: number): number => Math.max(quadruplets[4 * q], quadruplets[4 * q + 1]);
  return low(a) === low(b) && high(a) === high(b);
}
