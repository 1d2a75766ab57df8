/**
 * A model ⇄ bytes, exactly: a description in words, and a row of numbers.
 *
 * The file is a JSON text in UTF-8 of the lines
 *
 *   {"format":"curvature-linear-model","version":3, …, "numbers":N,"data":[
 *   "base64 of 6144 numbers",
 *   …
 *   "base64 of the rest"
 *   ],"checksum":"32 hexadecimal digits"}
 *
 * where the numbers are float64, little-endian, and the checksum is the MurmurHash3 (x86, 128 bits) of all bytes before its line.
 * Any JSON reader takes the file. This one takes it line by line, so that a model may be larger than the longest string; a file
 * that was formatted anew is refused. Every size is checked against the bytes that are there before anything is allocated.
 */
import { badArgument, CurvatureError, shown } from "@curvature/linalg";
import { decodeBase64, encodeBase64, encodedLength } from "./base64.js";
import { hash128 } from "./hash.js";

/** What kind of model a file holds, as its first line says. */
export interface ModelFormat {
  readonly format: string;
  readonly version: number;
}

/** A multiple of 3, for base64, and of 8. */
const CHUNK_BYTES = 8 * 6144;
const HEADER_END = '"data":[';
const TAIL_START = '],"checksum":"';
const TAIL_END = '"}\n';
const TAIL_LENGTH = TAIL_START.length + 32 + TAIL_END.length;
const NEWLINE = 10;
const QUOTE = 34;
const COMMA = 44;

/**
 * @param description - plain data, which JSON keeps
 * @throws CurvatureError ERR_ARGUMENT, ERR_MEMORY
 */
export function encodeModel(kind: ModelFormat, description: object, numbers: Float64Array): Uint8Array {
  if (!(numbers instanceof Float64Array))
    throw badArgument("encodeModel", "numbers", "a Float64Array", numbers);
  const { format, version } = kind;
  const header = JSON.stringify({ format, version, ...description, numbers: numbers.length });
  const head = new TextEncoder().encode(`${header.slice(0, -1)},${HEADER_END}\n`);
  const bytes = allocated(head.length + dataLength(numbers.length) + TAIL_LENGTH);
  bytes.set(head);
  const dataEnd = writeData(numbers, bytes, head.length);
  bytes.set(tailOf(bytes.subarray(0, dataEnd)), dataEnd);
  return bytes;
}

/**
 * What `encodeModel` wrote: the description's fields, unchecked, and the numbers.
 *
 * @throws CurvatureError ERR_PARSE for anything else: a foreign, cut or changed file, or one of another version
 */
export function decodeModel(
  format: ModelFormat,
  file: Uint8Array | string,
): { readonly fields: ReadonlyMap<string, unknown>; readonly numbers: Float64Array } {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  if (!(bytes instanceof Uint8Array)) throw damagedModel("is neither bytes nor a text", file);
  const headEnd = bytes.indexOf(NEWLINE);
  const fields = headerOf(format, bytes.subarray(0, Math.max(headEnd, 0)), bytes);
  const tailStart = bytes.length - TAIL_LENGTH;
  if (tailStart <= headEnd) throw damagedModel("is cut short", bytes.length);
  const tail = tailOf(bytes.subarray(0, tailStart));
  if (tail.some((byte, k) => byte !== bytes[tailStart + k]))
    throw damagedModel("does not agree with its checksum: it was cut short, changed or formatted anew");
  const count = fields.get("numbers");
  const lines = bytes.subarray(headEnd + 1, tailStart);
  if (!isSize(count) || dataLength(count) !== lines.length)
    throw damagedModel("has another number of numbers than it says", count);
  return { fields, numbers: readData(lines, count) };
}

/** That a file is no model of ours. */
export function damagedModel(what: string, received?: unknown, cause?: unknown): CurvatureError {
  const seen = received === undefined ? "" : ` (${shown(received)})`;
  return new CurvatureError(
    "ERR_PARSE",
    `The model file ${what}${seen}. Take the file of a trained model as it was written, or train the model again.`,
    { path: "model file", received, cause },
  );
}

/** How a model's text begins that an editor or a formatter has written. */
const anotherText = /^\uFEFF?\s*\{\s*"format"\s*:\s*"curvature-/;

function headerOf(format: ModelFormat, line: Uint8Array, file: Uint8Array): ReadonlyMap<string, unknown> {
  let header: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
    header = JSON.parse(`${text}]}`);
  } catch (cause) {
    const isModel = anotherText.test(
      new TextDecoder("utf-8", { ignoreBOM: true }).decode(file.subarray(0, 200)),
    );
    throw damagedModel(
      isModel
        ? "was formatted anew or edited, and it is read only byte for byte"
        : "does not begin with the header of a model",
      undefined,
      cause,
    );
  }
  const fields = new Map<string, unknown>(
    typeof header === "object" && header !== null ? Object.entries(header) : [],
  );
  if (fields.get("format") !== format.format) throw damagedModel("is not of this kind", fields.get("format"));
  const version = fields.get("version");
  if (version !== format.version)
    throw new CurvatureError(
      "ERR_PARSE",
      `The model file is of version ${shown(version)}; this library reads version ${format.version}. Use the release that wrote it.`,
      { path: "version", expected: String(format.version), received: version },
    );
  return fields;
}

/** All lines between the header's and the checksum's. */
function dataLength(numbers: number): number {
  const bytes = 8 * numbers;
  const full = Math.floor(bytes / CHUNK_BYTES);
  const rest = bytes - full * CHUNK_BYTES;
  const chunks = full + (rest > 0 ? 1 : 0);
  const punctuation = chunks === 0 ? 0 : 4 * chunks - 1; // quotes and newline each, commas between
  return full * encodedLength(CHUNK_BYTES) + encodedLength(rest) + punctuation;
}

/** Writes the lines and returns where they end. */
function writeData(numbers: Float64Array, bytes: Uint8Array, start: number): number {
  const chunk = new Uint8Array(CHUNK_BYTES);
  const view = new DataView(chunk.buffer);
  const most = CHUNK_BYTES / 8;
  let at = start;
  for (let first = 0; first < numbers.length; first += most) {
    const count = Math.min(most, numbers.length - first);
    for (let k = 0; k < count; k++) view.setFloat64(8 * k, numbers[first + k], true);
    if (first > 0) {
      bytes.set([COMMA, NEWLINE], at - 1); // over the newline
      at++;
    }
    bytes[at++] = QUOTE;
    encodeBase64(chunk.subarray(0, 8 * count), bytes, at);
    at += encodedLength(8 * count);
    bytes[at++] = QUOTE;
    bytes[at++] = NEWLINE;
  }
  return at;
}

/** `lines` has the length for so many numbers. */
function readData(lines: Uint8Array, count: number): Float64Array {
  const numbers = new Float64Array(count);
  const chunk = new Uint8Array(CHUNK_BYTES);
  const view = new DataView(chunk.buffer);
  const most = CHUNK_BYTES / 8;
  let at = 0;
  for (let first = 0; first < count; first += most) {
    const here = Math.min(most, count - first);
    const end = at + 1 + encodedLength(8 * here);
    const isLast = first + here === count;
    const isFramed =
      lines[at] === QUOTE &&
      lines[end] === QUOTE &&
      (isLast ? lines[end + 1] === NEWLINE : lines[end + 1] === COMMA && lines[end + 2] === NEWLINE);
    if (!isFramed || decodeBase64(lines.subarray(at + 1, end), chunk, 0) !== 8 * here)
      throw damagedModel("has numbers that are not as it writes them");
    for (let k = 0; k < here; k++) numbers[first + k] = view.getFloat64(8 * k, true);
    at = end + (isLast ? 2 : 3);
  }
  return numbers;
}

function tailOf(before: Uint8Array): Uint8Array {
  const digits = Array.from(hash128(before), (word) => word.toString(16).padStart(8, "0")).join("");
  return new TextEncoder().encode(`${TAIL_START}${digits}${TAIL_END}`);
}

function allocated(length: number): Uint8Array {
  try {
    return new Uint8Array(length);
  } catch (cause) {
    throw new CurvatureError("ERR_MEMORY", `There is no memory for a model file of ${length} bytes.`, {
      received: length,
      cause,
    });
  }
}

const isSize = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
