/**
 * Bytes of typed arrays, and their hash: MurmurHash3 (x86, 128 bits) over bytes, for fingerprints of data and checksums of files: arithmetic on 32-bit
 * words only, so the same on every engine. It finds accidents; it is no defence against forgery.
 *
 * Appleby: MurmurHash3, SMHasher (public domain). Its verification value 0xB3ECE62A is in the tests.
 */
import { CurvatureError, shown } from "@curvature/linalg";

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

/** The 128 bits as four words. @throws CurvatureError ERR_ARGUMENT for what are no bytes */
export function hash128(bytes: Uint8Array, seed = 0): Uint32Array {
  if (bytes?.[Symbol.toStringTag] !== "Uint8Array")
    // also of another realm
    throw new CurvatureError("ERR_ARGUMENT", `hash128 takes a Uint8Array; received ${shown(bytes)}.`, {
      path: "bytes",
      received: bytes,
    });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.byteLength;
  const end = length - (length % 16);
  let h1 = seed | 0;
  let h2 = h1;
  let h3 = h1;
  let h4 = h1;
  for (let at = 0; at < end; at += 16) {
    h1 = (h1 ^ mix(view.getInt32(at, true), C1, 15, C2)) | 0;
    h1 = (Math.imul((rotated(h1, 19) + h2) | 0, 5) + 0x561ccd1b) | 0;
    h2 = (h2 ^ mix(view.getInt32(at + 4, true), C2, 16, C3)) | 0;
    h2 = (Math.imul((rotated(h2, 17) + h3) | 0, 5) + 0x0bcaa747) | 0;
    h3 = (h3 ^ mix(view.getInt32(at + 8, true), C3, 17, C4)) | 0;
    h3 = (Math.imul((rotated(h3, 15) + h4) | 0, 5) + 0x96cd1c35) | 0;
    h4 = (h4 ^ mix(view.getInt32(at + 12, true), C4, 18, C1)) | 0;
    h4 = (Math.imul((rotated(h4, 13) + h1) | 0, 5) + 0x32ac3b17) | 0;
  }
  const tail = new DataView(new ArrayBuffer(16));
  for (let k = end; k < length; k++) tail.setUint8(k - end, bytes[k]);
  h1 ^= mix(tail.getInt32(0, true), C1, 15, C2) ^ length;
  h2 ^= mix(tail.getInt32(4, true), C2, 16, C3) ^ length;
  h3 ^= mix(tail.getInt32(8, true), C3, 17, C4) ^ length;
  h4 ^= mix(tail.getInt32(12, true), C4, 18, C1) ^ length;

  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = avalanche(h2 + h1);
  h3 = avalanche(h3 + h1);
  h4 = avalanche(h4 + h1);
  h1 = (avalanche(h1) + h2 + h3 + h4) | 0;
  return Uint32Array.of(h1, h2 + h1, h3 + h1, h4 + h1);
}

const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

const mix = (word: number, first: number, by: number, second: number): number =>
  Math.imul(rotated(Math.imul(word, first), by), second);

function avalanche(sum: number): number {
  let h = sum | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/**
 * 32 hexadecimal digits that name data: equal for equal parts in equal order, the same on every engine. The
 * arrays' kinds and lengths count, so that [1, 2], [3] and [1], [2, 3] differ.
 *
 * @throws CurvatureError ERR_ARGUMENT for anything but strings, numbers and typed arrays
 */
export function fingerprintOf(...parts: readonly (string | number | NumberArray)[]): string {
  const digests = new Uint32Array(5 * parts.length);
  parts.forEach((part, k) => {
    const [kind, bytes] = bytesOf(part);
    digests[5 * k] = kind;
    digests.set(hash128(bytes, bytes.byteLength), 5 * k + 1);
  });
  const words = hash128(littleEndianBytes(digests), parts.length);
  return Array.from(words, (word) => word.toString(16).padStart(8, "0")).join("");
}

function bytesOf(part: unknown): readonly [kind: number, bytes: Uint8Array] {
  if (typeof part === "string") return [1, new TextEncoder().encode(part)];
  if (typeof part === "number") return [2, littleEndianBytes(Float64Array.of(part))];
  if (part instanceof Float64Array) return [3, littleEndianBytes(part)];
  if (part instanceof Float32Array) return [4, littleEndianBytes(part)];
  if (part instanceof Int32Array) return [5, littleEndianBytes(part)];
  if (part instanceof Uint32Array) return [6, littleEndianBytes(part)];
  if (part instanceof Uint8Array) return [7, part];
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `fingerprintOf takes strings, numbers and typed arrays; received ${shown(part)}.`,
    { received: part },
  );
}

/**
 * The kinds of typed array that a snapshot may hold, and their bytes in little-endian order on any machine.
 */
export type NumberArray = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array;

/** Found once: in a checkpoint of many small arrays, asking took longer than their bytes. */
const isLittleEndian = /* @__PURE__ */ firstByteOf(1) === 1;

function firstByteOf(word: number): number {
  return new Uint8Array(Uint32Array.of(word).buffer)[0];
}

/** The array's bytes, least significant first: a view of it where the machine stores them so, else a copy. */
export function littleEndianBytes(array: NumberArray, machineIsLittle = isLittleEndian): Uint8Array {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return machineIsLittle ? bytes : swapped(bytes, array.BYTES_PER_ELEMENT);
}

/** The array with these bytes, in memory of its own. */
export function fromLittleEndian<A extends NumberArray>(
  make: new (buffer: ArrayBuffer) => A,
  bytes: Uint8Array,
  elementBytes: number,
  machineIsLittle = isLittleEndian,
): A {
  const own = machineIsLittle ? bytes.slice() : swapped(bytes, elementBytes);
  return new make(own.buffer);
}

function swapped(bytes: Uint8Array, elementBytes: number): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(bytes.length);
  for (let start = 0; start < bytes.length; start += elementBytes)
    for (let k = 0; k < elementBytes; k++) result[start + k] = bytes[start + elementBytes - 1 - k];
  return result;
}
