/**
 * What every reader takes: bytes at once, bytes in pieces, or text. Pieces may be cut anywhere; a reader's result
 * and its errors do not depend on where (of damaged gzip, the error may). What the source itself throws goes on to
 * the caller as it is.
 */
import { CurvatureError, shown } from "@curvature/linalg";

export type ByteSource = string | Uint8Array | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

const sliceBytes = 1 << 20;

/**
 * The source as a sequence of non-empty pieces. Whole arrays are cut, so that no single step takes long. All are views of
 * one class, never Node's Buffer: loops over bytes that meet two classes are slower.
 */
export async function* pieces(source: ByteSource): AsyncGenerator<Uint8Array> {
  if (typeof source === "string") yield* slices(new TextEncoder().encode(source));
  else if (source instanceof Uint8Array) yield* slices(source);
  else {
    for await (const piece of iterable(source)) {
      if (!(piece instanceof Uint8Array)) throw notBytes("Every piece of the input", "a Uint8Array", piece);
      yield* slices(piece);
    }
  }
}

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    yield new Uint8Array(bytes.buffer, bytes.byteOffset + start, Math.min(sliceBytes, bytes.length - start));
  }
}

function iterable(source: Exclude<ByteSource, string | Uint8Array>): AsyncIterable<unknown> {
  if (typeof source === "object" && source !== null) {
    if (Symbol.asyncIterator in source) return source;
    if (isStream(source)) return fromStream(source);
  }
  throw notBytes(
    "The input",
    "a string, a Uint8Array, an async iterable of Uint8Arrays, or a ReadableStream",
    source,
  );
}

function isStream(source: object): source is ReadableStream<Uint8Array> {
  return "getReader" in source && typeof source.getReader === "function";
}

/** Not every browser iterates over streams. */
async function* fromStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    ended = true;
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}

function notBytes(what: string, expected: string, received: unknown): CurvatureError {
  return new CurvatureError("ERR_ARGUMENT", `${what} must be ${expected}; received ${shown(received)}.`, {
    expected,
    received,
  });
}

/** A byte buffer that grows by doubling. */
export class ByteBuffer {
  private store = new Uint8Array(256);
  length = 0;

  append(bytes: Uint8Array, start = 0, end = bytes.length): void {
    if (start === end) return;
    const needed = this.length + (end - start);
    if (needed > this.store.length) {
      const grown = allocate(() => new Uint8Array(Math.max(needed, this.store.length * 2)), needed);
      grown.set(this.store.subarray(0, this.length));
      this.store = grown;
    }
    this.store.set(bytes.subarray(start, end), this.length);
    this.length = needed;
  }

  /** The bytes so far, valid until the next `append`. */
  view(): Uint8Array<ArrayBuffer> {
    return this.store.subarray(0, this.length);
  }
}

/** All pieces in one array. */
export async function collected(source: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const buffer = new ByteBuffer();
  for await (const piece of source) buffer.append(piece);
  return buffer.view();
}

/** @throws CurvatureError ERR_MEMORY in place of the engine's RangeError */
export function allocate<T>(make: () => T, bytes: number): T {
  try {
    return make();
  } catch (cause) {
    throw new CurvatureError(
      "ERR_MEMORY",
      `${bytes} bytes of memory could not be had at once. Read a smaller part of the data.`,
      { expected: `${bytes} bytes`, cause },
    );
  }
}

/** The first `count` bytes (fewer if there are no more), and the same sequence with them still in it. */
export async function peeked(
  source: AsyncGenerator<Uint8Array>,
  count: number,
): Promise<{ readonly head: Uint8Array; readonly all: AsyncGenerator<Uint8Array> }> {
  const head = new ByteBuffer();
  while (head.length < count) {
    const next = await source.next();
    if (next.done) break;
    head.append(next.value);
  }
  const first = head.view();
  return { head: first.subarray(0, count), all: resumed(first, source) };
}

async function* resumed(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (first.length > 0) yield first;
    yield* rest;
  } finally {
    letGo(rest);
  }
}

/** Not awaited: a source that gives nothing any more must not hold back an error. */
export function letGo(source: AsyncGenerator<Uint8Array>): void {
  source.return(undefined).catch(() => undefined);
}
