/**
 * Parts of answers: those of some units (questions, trials or people), and those of the others; and bootstrap samples:
 * units drawn with replacement, each with all its answers.
 */
import { permutation, type RandomGenerator } from "@curvature/linalg";
import type { Comparisons } from "@curvature/objectives/ordinal";
import type { Units } from "./dependence.js";

/** The answers in this order (an answer may come several times). */
export function answersAt(
  { objects, quadruplets, weights }: Comparisons,
  order: ArrayLike<number>,
): Comparisons {
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
 * A part of every answer, from 0 to `parts` − 1, answers of one unit in one part; parts are as even as units
 * allow.
 */
export function evenParts({ count, unitOf }: Units, parts: number, random: RandomGenerator): Int32Array {
  const place = permutation(random, count);
  return unitOf.map((unit) => Math.floor((place[unit] * parts) / count));
}

/** The answers of one part, and the others, with their places among all. */
export function separated(
  comparisons: Comparisons,
  partOf: Int32Array,
  part: number,
): {
  readonly inside: Comparisons;
  readonly outside: Comparisons;
  readonly insideAt: Int32Array;
  readonly outsideAt: Int32Array;
} {
  const inside = partOf.filter((other) => other === part).length;
  const order = new Int32Array(partOf.length);
  for (let q = 0, toInside = 0, toOutside = inside; q < partOf.length; q++)
    order[partOf[q] === part ? toInside++ : toOutside++] = q;
  const insideAt = order.subarray(0, inside);
  const outsideAt = order.subarray(inside);
  return {
    ...{ inside: answersAt(comparisons, insideAt), insideAt },
    ...{ outside: answersAt(comparisons, outsideAt), outsideAt },
  };
}

export interface Held {
  readonly training: Comparisons;
  readonly validation: Comparisons;
  /** The places of both among all answers. */
  readonly trainingAt: Int32Array;
  readonly validationAt: Int32Array;
}

/**
 * `target` answers or a few more, drawn at random by their units, and the others; undefined where one side would be empty. Units
 * of more answers than that stay with the others, unless all are: then the smallest is held out.
 */
export function heldOut(
  comparisons: Comparisons,
  { count, unitOf }: Units,
  target: number,
  random: RandomGenerator,
): Held | undefined {
  const answersOf = new Int32Array(count);
  for (let q = 0; q < unitOf.length; q++) answersOf[unitOf[q]]++;
  const isHeld = new Int32Array(count);
  let held = 0;
  const order = permutation(random, count);
  for (const unit of order) {
    if (held >= target) break;
    if (answersOf[unit] > target) continue;
    isHeld[unit] = 1;
    held += answersOf[unit];
  }
  if (held === 0) {
    const smallest = order.reduce((least, unit) => (answersOf[unit] < answersOf[least] ? unit : least));
    isHeld[smallest] = 1;
    held = answersOf[smallest];
  }
  if (held === 0 || held === unitOf.length) return undefined;
  const { inside, outside, insideAt, outsideAt } = separated(
    comparisons,
    unitOf.map((unit) => isHeld[unit]),
    1,
  );
  return { training: outside, validation: inside, trainingAt: outsideAt, validationAt: insideAt };
}

/** By unit: where its answers begin in `order`; built once for many samples. */
export interface AnswersByUnit {
  readonly order: Int32Array;
  readonly begin: Int32Array;
}

export function byUnit({ count, unitOf }: Units): AnswersByUnit {
  const begin = new Int32Array(count + 1);
  for (let q = 0; q < unitOf.length; q++) begin[unitOf[q] + 1]++;
  for (let k = 0; k < count; k++) begin[k + 1] += begin[k];
  const next = begin.slice();
  const order = new Int32Array(unitOf.length);
  for (let q = 0; q < unitOf.length; q++) order[next[unitOf[q]]++] = q;
  return { order, begin };
}

/**
 * @param units - how many are drawn; by default as many as there are
 * @param isDrawn - becomes 1 for every unit that is
 */
export function resampled(
  comparisons: Comparisons,
  { order, begin }: AnswersByUnit,
  random: RandomGenerator,
  units = begin.length - 1,
  isDrawn?: Uint8Array,
): Comparisons {
  const drawn = new Int32Array(units);
  let size = 0;
  for (let k = 0; k < units; k++) {
    drawn[k] = random.integer(begin.length - 1);
    size += begin[drawn[k] + 1] - begin[drawn[k]];
    if (isDrawn !== undefined) isDrawn[drawn[k]] = 1;
  }
  const sample = new Int32Array(size);
  let to = 0;
  for (let k = 0; k < units; k++)
    for (let at = begin[drawn[k]]; at < begin[drawn[k] + 1]; at++) sample[to++] = order[at];
  return answersAt(comparisons, sample);
}
