/**
 * Plain data ⇄ bytes, exactly: numbers with their sign of zero and their NaNs, undefined, typed arrays.
 *
 *   0      8 bytes     magic
 *   8      uint32      version of the form
 *   12     uint32      length of the header in bytes
 *   16     header      JSON (UTF-8): the tree, with typed arrays as [kind, offset, length]
 *   …      zeros       up to a multiple of 8
 *   …      arrays      raw, little-endian, each at a multiple of 8
 *   −16    16 bytes    MurmurHash3 (x86, 128 bits) of all that stands before
 *
 * In the JSON there are no objects, only tagged arrays, so no key of a hostile file can reach a prototype. Every
 * size is checked against the bytes that are there before anything is allocated.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import { fromLittleEndian, hash128, littleEndianBytes, type NumberArray } from "./hash.js";

const FORM_VERSION = 1;
const HEADER_AT = 16;
const CHECKSUM_BYTES = 16;
const MAX_DEPTH = 64;

type Json = number | string | boolean | null | readonly Json[];

/**
 * @param magic - eight ASCII characters that name the kind of file
 * @throws CurvatureError ERR_ARGUMENT for a magic that is no string, ERR_CHECKPOINT for a value that is not plain data,
 *   its path named
 */
export function encode(magic: string, value: unknown): Uint8Array {
  const writer = new TreeWriter();
  const header = new TextEncoder().encode(JSON.stringify(writer.write(value, "", 0)));
  const arraysAt = aligned(HEADER_AT + header.length);
  const bytes = new Uint8Array(arraysAt + writer.arrayBytes + CHECKSUM_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(magicBytes(magic));
  view.setUint32(8, FORM_VERSION, true);
  view.setUint32(12, header.length, true);
  bytes.set(header, HEADER_AT);
  let at = arraysAt;
  for (const array of writer.arrays) {
    bytes.set(littleEndianBytes(array), at);
    at = aligned(at + array.byteLength);
  }
  bytes.set(checksum(bytes.subarray(0, at)), at);
  return bytes;
}

/** @throws CurvatureError ERR_ARGUMENT for a magic that is no string, ERR_CHECKPOINT for bytes that `encode` did not write under it */
export function decode(magic: string, given: Uint8Array): unknown {
  if (!(given instanceof Uint8Array)) throw damaged("is not a Uint8Array", shown(given));
  // a plain view: the `slice` of Node's Buffer does not copy
  const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  if (bytes.length < HEADER_AT + CHECKSUM_BYTES) throw damaged("is too short", `${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (magicBytes(magic).some((byte, k) => byte !== bytes[k]))
    throw damaged("does not begin with its mark", "");
  const version = view.getUint32(8, true);
  if (version !== FORM_VERSION)
    throw damaged(`is of version ${version} of the form; this library reads ${FORM_VERSION}`, "");
  const headerBytes = view.getUint32(12, true);
  const end = bytes.length - CHECKSUM_BYTES;
  const arraysAt = aligned(HEADER_AT + headerBytes);
  if (arraysAt > end) throw damaged("is cut short", `${bytes.length} bytes`);
  if (checksum(bytes.subarray(0, end)).some((byte, k) => byte !== bytes[end + k]))
    throw damaged("does not agree with its checksum: it was cut short or changed", "");
  const arrays = { bytes: bytes.subarray(arraysAt, end), at: 0 };
  const value = readTree(parsed(bytes.subarray(HEADER_AT, HEADER_AT + headerBytes)), arrays, 0);
  if (arrays.at !== arrays.bytes.length)
    throw damaged("has arrays that its header does not name", `${arrays.bytes.length - arrays.at} bytes`);
  return value;
}

/** The arrays' bytes, and where the next array must begin: none is read twice, so what is read is no more than was there. */
interface Arrays {
  readonly bytes: Uint8Array;
  at: number;
}

class TreeWriter {
  readonly arrays: NumberArray[] = [];
  arrayBytes = 0;

  write(value: unknown, path: string, depth: number): Json {
    if (depth > MAX_DEPTH) throw unplain(path, `nested deeper than ${MAX_DEPTH}`);
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (value === undefined) return ["u"];
    if (typeof value === "number")
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : ["n", Object.is(value, -0) ? "-0" : `${value}`];
    const kind = kindOf(value);
    if (kind !== undefined) return this.array(kind.tag, kind.array);
    if (Array.isArray(value)) {
      const numbers = asNumbers(value);
      if (numbers !== undefined) return this.array("l", numbers);
      return ["a", ...Array.from(value, (item, k) => this.write(item, `${path}[${k}]`, depth + 1))];
    }
    return this.object(value, path, depth);
  }

  private array(tag: string, array: NumberArray): Json {
    const offset = this.arrayBytes;
    this.arrays.push(array);
    this.arrayBytes = aligned(offset + array.byteLength);
    return [tag, offset, array.length];
  }

  private object(value: unknown, path: string, depth: number): Json {
    if (typeof value !== "object" || value === null) throw unplain(path, shown(value));
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) throw unplain(path, shown(value));
    const entries: Json[] = ["o"];
    for (const [key, item] of Object.entries(value)) {
      if (key === "__proto__") throw unplain(path, 'a key "__proto__"');
      entries.push(key, this.write(item, path === "" ? key : `${path}.${key}`, depth + 1));
    }
    return entries;
  }
}

/** An array of numbers alone goes as raw float64: exact, and free of the limits of JSON. */
function asNumbers(items: readonly unknown[]): Float64Array | undefined {
  if (items.length === 0) return undefined;
  const numbers = new Float64Array(items.length);
  for (let k = 0; k < items.length; k++) {
    const item = items[k];
    if (typeof item !== "number") return undefined;
    numbers[k] = item;
  }
  return numbers;
}

function kindOf(value: unknown): { readonly tag: string; readonly array: NumberArray } | undefined {
  if (value instanceof Float64Array) return { tag: "f64", array: value };
  if (value instanceof Float32Array) return { tag: "f32", array: value };
  if (value instanceof Int32Array) return { tag: "i32", array: value };
  if (value instanceof Uint32Array) return { tag: "u32", array: value };
  if (value instanceof Uint8Array) return { tag: "u8", array: value };
  return undefined;
}

function readTree(node: unknown, arrays: Arrays, depth: number): unknown {
  if (node === null || typeof node === "number" || typeof node === "string" || typeof node === "boolean")
    return node;
  if (!Array.isArray(node) || depth > MAX_DEPTH)
    throw damaged("has a header that it cannot have", shown(node));
  switch (node[0]) {
    case "u":
      return undefined;
    case "n":
      return special(node[1]);
    case "a":
      return node.slice(1).map((item) => readTree(item, arrays, depth + 1));
    case "o":
      return readObject(node, arrays, depth);
    case "l":
      return Array.from(fromLittleEndian(Float64Array, span(node, arrays, 8), 8));
    case "f64":
      return fromLittleEndian(Float64Array, span(node, arrays, 8), 8);
    case "f32":
      return fromLittleEndian(Float32Array, span(node, arrays, 4), 4);
    case "i32":
      return fromLittleEndian(Int32Array, span(node, arrays, 4), 4);
    case "u32":
      return fromLittleEndian(Uint32Array, span(node, arrays, 4), 4);
    case "u8":
      return span(node, arrays, 1).slice();
    default:
      throw damaged("has a header with an unknown tag", shown(node[0]));
  }
}

function readObject(node: readonly unknown[], arrays: Arrays, depth: number): unknown {
  const result: Record<string, unknown> = {};
  for (let k = 1; k < node.length; k += 2) {
    const key = node[k];
    if (typeof key !== "string" || key === "__proto__" || k + 1 === node.length)
      throw damaged("has a header with a key that it cannot have", shown(key));
    result[key] = readTree(node[k + 1], arrays, depth + 1);
  }
  return result;
}

/** The bytes of [kind, offset, length], or an error if they are not there. */
function span([, offset, length]: readonly unknown[], arrays: Arrays, elementBytes: number): Uint8Array {
  const { bytes, at } = arrays;
  const isInside =
    offset === at &&
    typeof length === "number" &&
    Number.isSafeInteger(length) &&
    length >= 0 &&
    at + length * elementBytes <= bytes.length;
  if (!isInside) throw damaged("names an array that is not in it", `${shown(offset)}, ${shown(length)}`);
  const end = at + length * elementBytes;
  arrays.at = aligned(end);
  return bytes.subarray(at, end);
}

function special(text: unknown): number {
  if (text === "-0") return -0;
  if (text === "NaN") return Number.NaN;
  if (text === "Infinity") return Number.POSITIVE_INFINITY;
  if (text === "-Infinity") return Number.NEGATIVE_INFINITY;
  throw damaged("has a header with an unknown number", shown(text));
}

function parsed(header: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(header));
  } catch (cause) {
    throw damaged("has a header that is not JSON", "", cause);
  }
}

function checksum(bytes: Uint8Array): Uint8Array {
  return littleEndianBytes(hash128(bytes));
}

function magicBytes(magic: unknown): Uint8Array {
  if (typeof magic !== "string")
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `The mark of a file must be a string of eight characters; received ${shown(magic)}.`,
      { path: "magic", received: magic },
    );
  return new TextEncoder().encode(magic.padEnd(8).slice(0, 8));
}

const aligned = (offset: number): number => Math.ceil(offset / 8) * 8;

function unplain(path: string, what: string): CurvatureError {
  return new CurvatureError(
    "ERR_CHECKPOINT",
    `A checkpoint holds plain data (numbers, strings, booleans, null, typed arrays, arrays and objects of these); found ${what} at ${path || "its root"}.`,
    { path, received: what },
  );
}

function damaged(what: string, received: string, cause?: unknown): CurvatureError {
  const seen = received === "" ? "" : ` (${received})`;
  return new CurvatureError(
    "ERR_CHECKPOINT",
    `The checkpoint ${what}${seen}. Use an earlier one, or start anew.`,
    {
      received,
      cause,
    },
  );
}
