/**
 * Valid inputs made invalid: of bytes (flipped bits, cuts, splices, repeated blocks, huge numbers, deep nesting) and
 * of plain data (lost fields, arrays of another length, foreign kinds, numbers at the edge). All of it follows from a
 * seeded generator, so an input is known by its seed and its index.
 */
import type { RandomGenerator } from "@curvature/linalg";

/** Pieces of text that parsers may not expect where they land. */
const pieces = [
  "NaN",
  "Infinity",
  "-Infinity",
  "-0",
  "1e308",
  "1e309",
  "5e-324",
  "2147483648",
  "9007199254740993",
  "99999999999999999999999",
  "0x10",
  "1e",
  "--1",
  "",
  "null",
  "true",
  "{}",
  "[]",
  '"',
  '""',
  "\\u0000",
  "\\ud800",
  "\u0000",
  "\ufeff",
  "\r",
  "\r\n",
  "\n\n",
  "\t",
  ",",
  ";",
  ":",
  " ",
  "#",
  "'",
  "__proto__",
  "constructor",
  "label",
  "i,j,k",
  "(2147483648, 2147483648)",
  "'<f8'",
  "é",
].map((text) => new TextEncoder().encode(text));
const brackets = ["[", "{", '{"a":', "(", '"', "[[", '[{"a":'].map((text) => new TextEncoder().encode(text));
const words = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];
const longest = 1 << 16;

export function pick<T>(random: RandomGenerator, items: readonly T[]): T {
  return items[random.integer(items.length)];
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function repeated(part: Uint8Array, times: number): Uint8Array {
  const whole = new Uint8Array(part.length * times);
  for (let at = 0; at < whole.length; at += part.length) whole.set(part, at);
  return whole;
}

function randomBytes(random: RandomGenerator, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let k = 0; k < length; k++) bytes[k] = random.next() & 255;
  return bytes;
}

/** Few inputs are long, since a million of them are to be read; the largest count of a repetition is one in 64. */
const times = (random: RandomGenerator, most: number, largest: number): number =>
  1 + random.integer(random.integer(64) === 0 ? largest : most);

type ByteMutation = (random: RandomGenerator, bytes: Uint8Array, other: Uint8Array) => Uint8Array;

const place = (random: RandomGenerator, bytes: Uint8Array): number => random.integer(bytes.length + 1);

function setBytes(random: RandomGenerator, bytes: Uint8Array, piece: Uint8Array): Uint8Array {
  const result = bytes.slice();
  const at = random.integer(Math.max(1, result.length - piece.length));
  result.set(piece.subarray(0, result.length - at), at);
  return result;
}

const byteMutations: readonly ByteMutation[] = [
  // a bit
  (random, bytes) => {
    const result = bytes.slice();
    if (result.length > 0) result[random.integer(result.length)] ^= 1 << random.integer(8);
    return result;
  },
  // a byte
  (random, bytes) => {
    const result = bytes.slice();
    if (result.length > 0) result[random.integer(result.length)] = random.next() & 255;
    return result;
  },
  // cut at the end, or at the start
  (random, bytes) => bytes.slice(0, place(random, bytes)),
  (random, bytes) => bytes.slice(place(random, bytes)),
  // lost from the middle
  (random, bytes) => {
    const from = place(random, bytes);
    return joined(bytes.subarray(0, from), bytes.subarray(from + 1 + random.integer(16)));
  },
  // the head of one and the tail of another
  (random, bytes, other) =>
    joined(bytes.subarray(0, place(random, bytes)), other.subarray(place(random, other))),
  // a foreign piece in between
  (random, bytes) => {
    const at = place(random, bytes);
    return joined(bytes.subarray(0, at), pick(random, pieces), bytes.subarray(at));
  },
  // a number replaced
  (random, bytes) => {
    const from = place(random, bytes);
    const found = bytes.subarray(from).findIndex((byte) => byte >= 48 && byte <= 57);
    if (found < 0) return bytes;
    const at = from + found;
    return joined(bytes.subarray(0, at), pick(random, pieces), bytes.subarray(at + 1));
  },
  // a block repeated
  (random, bytes) => {
    const from = place(random, bytes);
    const block = bytes.subarray(from, from + 1 + random.integer(64));
    return joined(bytes.subarray(0, from), repeated(block, times(random, 8, 500)), bytes.subarray(from));
  },
  // deep nesting
  (random, bytes) => {
    const at = place(random, bytes);
    const depth = times(random, 20, 10_000);
    return joined(bytes.subarray(0, at), repeated(pick(random, brackets), depth), bytes.subarray(at));
  },
  // a word of a binary head
  (random, bytes) => {
    const word = new Uint8Array(4);
    new DataView(word.buffer).setUint32(0, pick(random, words), random.integer(2) === 0);
    return setBytes(random, bytes, word);
  },
  // bytes in the order of another machine
  (random, bytes) => {
    const at = random.integer(Math.max(1, bytes.length - 8));
    return setBytes(random, bytes, bytes.slice(at, at + 8).reverse());
  },
];

/** One of the samples after one to four mutations; one time in twenty, random bytes. */
export function mutatedBytes(random: RandomGenerator, samples: readonly Uint8Array[]): Uint8Array {
  if (random.integer(20) === 0) return randomBytes(random, random.integer(200));
  let bytes = pick(random, samples);
  const mutations = random.integer(2) === 0 ? 1 : 1 + random.integer(4);
  for (let k = 0; k < mutations; k++) {
    const mutate = pick(random, byteMutations);
    bytes = mutate(random, bytes, pick(random, samples)).subarray(0, longest);
  }
  return bytes;
}

/** Every other input is JSON still, with values in it that nobody expects. */
export function mutatedJson(random: RandomGenerator, samples: readonly Uint8Array[]): Uint8Array {
  if (random.integer(2) === 0) return mutatedBytes(random, samples);
  const value: unknown = JSON.parse(new TextDecoder().decode(pick(random, samples)));
  return new TextEncoder().encode(JSON.stringify(mutatedData(random, value)));
}

export const edgeNumbers: readonly number[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -0,
  0,
  1,
  -1,
  0.5,
  5e-324,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
];

/** Plain data with one place changed; what is not on the way to it is shared with the original. */
export function mutatedData(random: RandomGenerator, value: unknown, deeper = true): unknown {
  if (deeper && random.integer(12) !== 0) {
    if (Array.isArray(value) && value.length > 0) {
      const at = random.integer(value.length);
      return value.map((item, k) => (k === at ? mutatedData(random, item) : item));
    }
    if (isRecord(value)) return withMutatedField(random, value);
    if (isNumbers(value)) return mutatedNumbers(random, value);
  }
  return foreign(random, value);
}

function withMutatedField(random: RandomGenerator, value: object): unknown {
  const entries = Object.entries(value);
  if (entries.length === 0) return foreign(random, value);
  const at = random.integer(entries.length);
  const [key, inner] = entries[at];
  const kind = random.integer(16);
  if (kind === 0) entries.splice(at, 1);
  else if (kind === 1) entries[at] = [key, entries[random.integer(entries.length)][1]];
  else if (kind === 2) entries.push([`${key}x`, inner]);
  else entries[at] = [key, mutatedData(random, inner)];
  return Object.fromEntries(entries);
}

type Numbers = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array;

function mutatedNumbers(random: RandomGenerator, value: Numbers): unknown {
  const copy = value.slice();
  switch (random.integer(6)) {
    case 0:
      return copy.subarray(0, random.integer(copy.length + 1)).slice();
    case 1:
      return Float64Array.from({ length: copy.length + 1 }, () => 0);
    case 2:
      return copy.fill(pick(random, edgeNumbers));
    case 3: {
      const bytes = new Uint8Array(copy.buffer);
      if (bytes.length > 0) bytes[random.integer(bytes.length)] ^= 1 << random.integer(8);
      return copy;
    }
    case 4:
      return Array.from(copy);
    default:
      if (copy.length > 0) copy[random.integer(copy.length)] = pick(random, edgeNumbers);
      return copy;
  }
}

function foreign(random: RandomGenerator, value: unknown): unknown {
  if (typeof value === "number" && random.integer(4) !== 0) return pick(random, edgeNumbers);
  if (typeof value === "boolean" && random.integer(2) === 0) return !value;
  switch (random.integer(9)) {
    case 0:
      return null;
    case 1:
      return pick(random, edgeNumbers);
    case 2:
      return pick(random, ["", "x", "sd", "__proto__", "converged", "NaN"]);
    case 3:
      return random.integer(2) === 0;
    case 4:
      return [];
    case 5:
      return {};
    case 6:
      return new Float64Array(random.integer(4));
    case 7:
      return new Int32Array(random.integer(4)).fill(2 ** 31 - 1);
    default:
      return nested(random.integer(60));
  }
}

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let k = 0; k < depth; k++) value = k % 2 === 0 ? [value] : { a: value };
  return value;
}

const isNumbers = (value: unknown): value is Numbers =>
  value instanceof Float64Array ||
  value instanceof Float32Array ||
  value instanceof Int32Array ||
  value instanceof Uint32Array ||
  value instanceof Uint8Array;

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
