/**
 * Seeded random numbers: xoshiro128++ on 32-bit words, the same on every engine.
 *
 * State      s = (s0, s1, s2, s3), 32 bits each, not all zero
 * Output     rotl(s0 + s3, 7) + s0
 * Transition linear over GF(2), period 2^128 − 1; the seed is spread over the state by splitmix32.
 *
 * Blackman, Vigna: Scrambled linear pseudorandom number generators. ACM TOMS 47 (2021). doi:10.1145/3460772.
 */
import { CurvatureError } from "../errors.js";
import { badArgument, badOption } from "../options.js";

export class RandomGenerator {
  private readonly s = new Uint32Array(4);

  /** @param seed - a whole number from 0 to 2^53 − 1 */
  constructor(seed: number) {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      throw badOption("RandomGenerator", "seed", "a whole number from 0 to 2^53 - 1", seed);
    }
    let h = (seed ^ Math.imul(Math.floor(seed / 2 ** 32), 0x85ebca6b)) | 0;
    for (let k = 0; k < 4; k++) {
      h = (h + 0x9e3779b9) | 0;
      let z = h;
      z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      this.s[k] = z ^ (z >>> 15);
    }
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

const isWord = (value: number): boolean => Number.isSafeInteger(value) && value >= 0 && value < 2 ** 32;

/** @throws CurvatureError ERR_ARGUMENT unless it draws numbers as a RandomGenerator does */
export function checkRandom(where: string, random: RandomGenerator): void {
  const draws = typeof random?.uniform === "function" && typeof random.integer === "function";
  if (!draws) throw badArgument(where, "random", "a RandomGenerator", random);
}
