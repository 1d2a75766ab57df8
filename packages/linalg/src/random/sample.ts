/** Random orders and samples, by the exchanges of Fisher and Yates. Durstenfeld, CACM 7 (1964) 420. */
import { badArgument } from "../options.js";
import { checkRandom, type RandomGenerator } from "./generator.js";

/** What can be put in another order: arrays and typed arrays. */
export interface Indexable<T> {
  readonly length: number;
  [index: number]: T;
}

/** Puts the elements in random order, in place, all orders equally likely. @throws CurvatureError ERR_ARGUMENT */
export function shuffle<T>(random: RandomGenerator, items: Indexable<T>): void {
  checkRandom("shuffle", random);
  if (!(typeof items === "object" && Number.isSafeInteger(items?.length) && items.length >= 0))
    throw badArgument("shuffle", "items", "an array", items);
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    const item = items[i];
    items[i] = items[j];
    items[j] = item;
  }
}

/** 0 … n − 1 in random order. @param n - up to 2^31 − 1. @throws CurvatureError ERR_ARGUMENT */
export function permutation(random: RandomGenerator, n: number): Int32Array {
  checkRandom("permutation", random);
  checkCount("permutation(random, n)", "n", n, 2 ** 31 - 1);
  const order = new Int32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  shuffle(random, order);
  return order;
}

/**
 * `count` different numbers of 0 … n − 1 in random order, all choices and orders equally likely. Time and memory
 * grow with `count` alone: only the places that were exchanged are remembered.
 *
 * @throws CurvatureError ERR_ARGUMENT
 */
export function sampleWithoutReplacement(random: RandomGenerator, count: number, n: number): Int32Array {
  checkRandom("sampleWithoutReplacement", random);
  checkCount("sampleWithoutReplacement(random, count, n)", "n", n, 2 ** 31 - 1);
  checkCount("sampleWithoutReplacement(random, count, n)", "count", count, n);
  const sample = new Int32Array(count);
  const moved = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const j = i + random.integer(n - i);
    sample[i] = moved.get(j) ?? j;
    moved.set(j, moved.get(i) ?? i);
  }
  return sample;
}

function checkCount(where: string, name: string, value: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= 0 && value <= most) return;
  throw badArgument(where, name, `a whole number from 0 to ${most}`, value);
}
