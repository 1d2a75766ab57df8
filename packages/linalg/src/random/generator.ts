/**
 * Seeded random numbers, normal ones, orders and samples: xoshiro128++ on 32-bit words, the same on every engine.
 *
 * State      s = (s0, s1, s2, s3), 32 bits each, not all zero
 * Output     rotl(s0 + s3, 7) + s0
 * Transition linear over GF(2), period 2^128 − 1; the seed is spread over the state by splitmix32, its low 32 bits over all
 *            words; what is above them changes the last three.
 *
 * Blackman, Vigna: Scrambled linear pseudorandom number generators. ACM TOMS 47 (2021). doi:10.1145/3460772.
 */
import { CurvatureError } from "../errors.js";
import { badArgument, badOption } from "../options.js";
import { log } from "../portable/log.js";

export class RandomGenerator {
  private readonly s = new Uint32Array(4);

  /** @param seed - a whole number from 0 to 2^53 − 1 */
  constructor(seed: number) {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      throw badOption("RandomGenerator", "seed", "a whole number from 0 to 2^53 - 1", seed);
    }
    let h = seed | 0;
    for (let k = 0; k < 4; k++) {
      h = (h + 0x9e3779b9) | 0;
      this.s[k] = mixed(h);
    }
    const high = Math.floor(seed / 2 ** 32);
    // one to one in each word: the first shows the low bits, the last the high ones
    if (high > 0) for (let k = 1; k < 4; k++) this.s[k] = mixed(this.s[k] ^ mixed(high + k * 0x9e3779b9));
    if (this.s.every((word) => word === 0)) this.s[0] = 1;
  }

  /** A uniform 32-bit word. */
  next(): number {
    const s = this.s;
    // read once and written once, as whole numbers of 32 bits
    let s0 = s[0] | 0;
    let s1 = s[1] | 0;
    let s2 = s[2] | 0;
    let s3 = s[3] | 0;
    const sum = (s0 + s3) | 0;
    const output = ((((sum << 7) | (sum >>> 25)) + s0) | 0) >>> 0;
    const t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >>> 21);
    s[0] = s0;
    s[1] = s1;
    s[2] = s2;
    s[3] = s3;
    return output;
  }

  /** Uniform on [0, 1), 53 random bits. */
  uniform(): number {
    const high = this.next() >>> 5;
    const low = this.next() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }

  /** A whole number, uniform on 0 … bound − 1 without bias (rejection). @param bound - from 1 to 2^32 */
  integer(bound: number): number {
    if (!Number.isSafeInteger(bound) || bound < 1 || bound > 2 ** 32) {
      throw badArgument("integer(bound)", "bound", "from 1 to 2^32", bound);
    }
    if (bound === 2 ** 32) return this.next();
    const divisor = bound >>> 0; // known to be 32 bits wide, it is divided by as integers are, not as doubles
    let word = this.next();
    // of the words that could lie beyond the last whole multiple of the bound
    if (word > 2 ** 32 - divisor) {
      const limit = 2 ** 32 - (2 ** 32 % divisor);
      while (word >= limit) word = this.next();
    }
    return word % divisor;
  }

  /** The four words of the state, for a snapshot. */
  save(): Uint32Array {
    return this.s.slice();
  }

  /** Takes up a saved state. @throws CurvatureError ERR_SNAPSHOT */
  restore(words: ArrayLike<number>): void {
    const given = Array.from(words ?? []);
    if (given.length !== 4 || !given.every(isWord) || given.every((word) => word === 0)) {
      throw new CurvatureError("ERR_SNAPSHOT", "A generator's state is four 32-bit words, not all zero.", {
        path: "random",
        received: words,
      });
    }
    this.s.set(given);
  }
}

/** The last step of splitmix32, one to one on words of 32 bits. */
function mixed(word: number): number {
  let z = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return z ^ (z >>> 15);
}

const isWord = (value: number): boolean => Number.isSafeInteger(value) && value >= 0 && value < 2 ** 32;

/** @throws CurvatureError ERR_ARGUMENT unless it draws numbers as a RandomGenerator does */
function checkRandom(where: string, random: RandomGenerator): void {
  const draws = typeof random?.uniform === "function" && typeof random.integer === "function";
  if (!draws) throw badArgument(where, "random", "a RandomGenerator", random);
}

/**
 * A standard normal number by the polar method, with the portable logarithm: the same on every engine. It costs two uniform ones
 * and a quarter more; `fillNormal` wastes none.
 *
 * Draw (u, v) uniform on the unit disc, s = u² + v²; then u √(−2 log s / s) and v √(−2 log s / s) are independent
 * standard normal. Nothing is kept between calls, so that the generator's four words are the whole state.
 *
 * Marsaglia, Bray: A convenient method for generating normal variables. SIAM Review 6 (1964) 260-264.
 *
 * @throws CurvatureError ERR_ARGUMENT
 */
export function normal(random: RandomGenerator): number {
  checkRandom("normal", random);
  let u: number;
  let s: number;
  do {
    u = 2 * random.uniform() - 1;
    const v = 2 * random.uniform() - 1;
    s = u * u + v * v;
  } while (s >= 1 || s === 0);
  return u * Math.sqrt((-2 * log(s)) / s);
}

/** Fills `out` with independent standard normal numbers. @throws CurvatureError ERR_ARGUMENT, ERR_OPTION */
export function fillNormal(random: RandomGenerator, out: Float64Array): void {
  checkRandom("fillNormal", random);
  if (!(out instanceof Float64Array)) throw badOption("fillNormal", "out", "a Float64Array", out);
  for (let k = 0; k < out.length; ) {
    const u = 2 * random.uniform() - 1;
    const v = 2 * random.uniform() - 1;
    const s = u * u + v * v;
    if (s >= 1 || s === 0) continue;
    const length = Math.sqrt((-2 * log(s)) / s);
    out[k++] = u * length;
    if (k < out.length) out[k++] = v * length;
  }
}

/** What can be put in another order: arrays and typed arrays. */
export interface Indexable<T> {
  readonly length: number;
  [index: number]: T;
}

/**
 * Puts the elements in random order, in place, all orders equally likely, by the exchanges of Fisher and Yates. Durstenfeld, CACM 7
 * (1964) 420.
 *
 * @throws CurvatureError ERR_ARGUMENT
 */
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
