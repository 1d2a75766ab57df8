/**
 * Gzip and zstd input is expanded on the way in, whatever format it holds; it is known by its first bytes.
 *
 * The platform's own decompressor checks header, data and checksum. What it leaves open differs between engines,
 * so this also holds: the last four bytes of a member of gzip must be the expanded length (RFC 1952, ISIZE), which refuses
 * anything after the end; gzip inside gzip is refused; and what comes out may not exceed `maxBytes`, nor 200 times what
 * went in once 64 MiB are out.
 */
import { CurvatureError } from "@curvature/linalg";
import { type ByteSource, letGo, peeked, pieces } from "./bytes.js";
import type { Decompressor } from "./gzip-engine.js";
import { nodeEngine } from "./gzip-node.js";
import { webEngine } from "./gzip-web.js";

const largestRatio = 200;

/** What so many bytes may expand to. */
export const mostExpanded = (bytes: number): number => Math.max(64 * 2 ** 20, largestRatio * bytes);

/** How a member of gzip begins: its mark, DEFLATE, flags without the reserved ones, time, how hard it was compressed, system. */
const headerBytes = 10;
const beginsMember = (bytes: Uint8Array, at: number): boolean =>
  bytes[at + 1] === 0x8b &&
  bytes[at + 2] === 8 &&
  bytes[at + 3] < 0x20 &&
  (bytes[at + 8] === 0 || bytes[at + 8] === 2 || bytes[at + 8] === 4) &&
  (bytes[at + 9] < 20 || bytes[at + 9] === 255);

export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;
const isZstd = (head: Uint8Array): boolean =>
  head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd;

/**
 * What `read` makes of the input's bytes, expanded if they are gzip or zstd. The source is let go at the end, also where
 * `read` fails before it has begun to take pieces.
 *
 * @throws CurvatureError ERR_PARSE for damaged, truncated, nested or bomb-like gzip and zstd and for input over `maxBytes`
 */
export async function reading<T>(
  source: ByteSource,
  maxBytes: number,
  read: (input: AsyncGenerator<Uint8Array>) => Promise<T>,
): Promise<T> {
  const input = expanded(source, maxBytes);
  try {
    return await read(input);
  } finally {
    letGo(input);
  }
}

/** The bytes of the source, out of gzip or zstd if they are in it; as `reading`. */
export async function* expanded(source: ByteSource, maxBytes: number): AsyncGenerator<Uint8Array> {
  const all = pieces(source);
  try {
    const { head, all: rest } = await peeked(all, 4);
    const format = isGzip(head) ? "gzip" : isZstd(head) ? "zstd" : undefined;
    let total = 0;
    for await (const piece of format === undefined ? rest : decompressed(rest, format)) {
      total += piece.length;
      if (total > maxBytes) throw tooLong(maxBytes);
      yield piece;
    }
  } finally {
    letGo(all);
  }
}

function tooLong(maxBytes: number): CurvatureError {
  return new CurvatureError(
    "ERR_PARSE",
    `The input is longer than ${maxBytes} bytes. Raise maxBytes to read it.`,
    {
      path: "maxBytes",
      expected: `at most ${maxBytes} bytes`,
    },
  );
}

/** A decompressor for each member of gzip, each frame of zstd. */
async function* decompressed(
  source: AsyncGenerator<Uint8Array>,
  format: "gzip" | "zstd",
): AsyncGenerator<Uint8Array> {
  const isGzipped = format === "gzip";
  const fail = (what: string, cause?: unknown): CurvatureError => damaged(format, what, cause);
  const zstd = isGzipped ? undefined : await import("./zstd.js");
  const parts = zstd === undefined ? members(source) : zstd.zstdFrames(source);
  const head = new Uint8Array(4);
  let taken = 0;
  let bytes = 0;
  let isMore = true;
  for (let count = 1; isMore; count++) {
    const engine = zstd?.zstdEngine() ?? nodeEngine() ?? webEngine();
    const feeder = new Feeder(parts, engine);
    const before = bytes;
    try {
      const finished = feeder.run();
      for (;;) {
        const piece = await engine
          .read()
          .catch((cause: unknown) =>
            Promise.reject(
              feeder.sourceError ?? fail("is damaged or cut off, or goes on after its end", cause),
            ),
          );
        if (piece === undefined) break;
        for (let i = 0; bytes + i < 4 && i < piece.length; i++) head[bytes + i] = piece[i];
        bytes += piece.length;
        if (isGzip(head)) throw fail("holds another gzip file");
        if (isZstd(head)) throw fail("holds a file of zstd");
        if (bytes > mostExpanded(taken + feeder.bytes)) throw bomb(`${format} input`);
        yield piece;
      }
      await finished;
      taken += feeder.bytes;
      if (isGzipped && feeder.trailer() !== (bytes - before) % 2 ** 32) throw fail("has bytes after its end");
      if (count > 1000 && taken < 100 * count)
        throw fail("has more than a thousand members of nearly nothing");
      isMore = feeder.isMore;
    } finally {
      feeder.stopped = true;
      await engine.cancel();
    }
  }
}

/**
 * The pieces, and undefined where another member begins. No decompressor of the web tells where a member ends, so one begins where
 * the bytes of a header stand: by chance they do once in a hundred GiB, and then what is before them is refused as cut off.
 */
async function* members(source: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array | undefined> {
  let held = new Uint8Array(0);
  let from = 1; // the first begins the file
  for await (const piece of source) {
    const bytes = new Uint8Array(held.length + piece.length);
    bytes.set(held);
    bytes.set(piece, held.length);
    const end = Math.max(0, bytes.length - headerBytes + 1);
    let start = 0;
    for (let at = bytes.indexOf(0x1f, from); at >= 0 && at < end; at = bytes.indexOf(0x1f, at + 1)) {
      if (!beginsMember(bytes, at)) continue;
      if (at > start) yield bytes.subarray(start, at);
      yield undefined;
      start = at;
    }
    if (start < end) yield bytes.subarray(start, end);
    held = bytes.slice(end);
    from = Math.max(0, from - end);
  }
  if (held.length > 0) yield held;
}

/** Writes the compressed bytes of one member or frame to its decompressor while its output is being read. */
class Feeder {
  bytes = 0;
  stopped = false;
  /** Whether another follows. */
  isMore = false;
  sourceError: unknown;
  private readonly tail = new Uint8Array(4);

  constructor(
    private readonly source: AsyncGenerator<Uint8Array | undefined>,
    private readonly engine: Decompressor,
  ) {}

  /** Never rejects: the decompressor's errors come out at its readable end. */
  async run(): Promise<void> {
    const { writeBytes } = this.engine;
    try {
      for (let next = await this.source.next(); !next.done; next = await this.source.next()) {
        const piece = next.value;
        if (piece === undefined) {
          this.isMore = true;
          break;
        }
        for (let start = 0; start < piece.length && !this.stopped; start += writeBytes) {
          if (!(await this.write(piece.slice(start, start + writeBytes)))) this.stopped = true;
        }
        if (this.stopped) return;
      }
    } catch (error) {
      this.sourceError = error;
      await this.engine.cancel(error);
      return;
    }
    await this.engine.end();
  }

  private write(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const kept = bytes.subarray(-4);
    this.tail.copyWithin(0, kept.length);
    this.tail.set(kept, 4 - kept.length);
    this.bytes += bytes.length;
    return this.engine.write(bytes);
  }

  /** The last four bytes, little-endian. */
  trailer(): number {
    return new DataView(this.tail.buffer).getUint32(0, true);
  }
}

/** @param what - it is, as the end of a sentence's subject */
export function bomb(what: string): CurvatureError {
  return new CurvatureError(
    "ERR_PARSE",
    `The ${what} expands to more than ${largestRatio} times its size. If you trust it, expand it first, and give what was in it.`,
    { path: "input", expected: `at most ${largestRatio} times its size` },
  );
}

function damaged(format: "gzip" | "zstd", what: string, cause?: unknown): CurvatureError {
  return new CurvatureError(
    "ERR_PARSE",
    `The ${format} input ${what}. Compress the data again, once, with ${format}.`,
    { expected: `whole ${format} data`, cause },
  );
}
