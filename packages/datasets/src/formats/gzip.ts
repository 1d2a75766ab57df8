/**
 * Gzip input is expanded on the way in, whatever format it holds; it is known by its first two bytes.
 *
 * The platform's own decompressor checks header, data and checksum. What it leaves open differs between engines,
 * so this also holds: the last four bytes must be the expanded length (RFC 1952, ISIZE), which refuses anything
 * after the end and files of several members; gzip inside gzip is refused; and what comes out may not exceed
 * `maxBytes`, nor 200 times what went in once 64 MiB are out.
 */
import { CurvatureError } from "@curvature/linalg";
import { type ByteSource, letGo, peeked, pieces } from "./bytes.js";
import type { GzipEngine } from "./gzip-engine.js";
import { nodeEngine } from "./gzip-node.js";
import { webEngine } from "./gzip-web.js";

const floorBytes = 64 * 2 ** 20;
const largestRatio = 200;

export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;

/**
 * What `read` makes of the input's bytes, expanded if they are gzip. The source is let go at the end, also where
 * `read` fails before it has begun to take pieces.
 *
 * @throws CurvatureError ERR_PARSE for damaged, truncated, nested or bomb-like gzip and for input over `maxBytes`
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

/** The bytes of the source, out of gzip if they are in it; as `reading`. */
export async function* expanded(source: ByteSource, maxBytes: number): AsyncGenerator<Uint8Array> {
  const all = pieces(source);
  try {
    const peek = await peeked(all, 2);
    let total = 0;
    for await (const piece of isGzip(peek.head) ? gunzipped(peek.all) : peek.all) {
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

async function* gunzipped(source: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const engine = nodeEngine() ?? webEngine();
  const feeder = new Feeder(source, engine);
  const head = new Uint8Array(2);
  let bytes = 0;
  try {
    const finished = feeder.run();
    for (;;) {
      const piece = await engine
        .read()
        .catch((cause: unknown) =>
          Promise.reject(
            feeder.sourceError ?? damaged("is damaged or cut off, or goes on after its end", cause),
          ),
        );
      if (piece === undefined) break;
      for (let i = 0; bytes + i < 2 && i < piece.length; i++) head[bytes + i] = piece[i];
      bytes += piece.length;
      if (isGzip(head)) throw damaged("holds another gzip file");
      if (bytes > Math.max(floorBytes, largestRatio * feeder.bytes)) {
        throw damaged(`expands to more than ${largestRatio} times its size`);
      }
      yield piece;
    }
    await finished;
    if (feeder.trailer() !== bytes % 2 ** 32) throw damaged("has several members, or bytes after its end");
  } finally {
    feeder.stopped = true;
    await engine.cancel();
  }
}

/** Writes the compressed bytes to the decompressor while its output is being read. */
class Feeder {
  bytes = 0;
  stopped = false;
  sourceError: unknown;
  private readonly tail = new Uint8Array(4);

  constructor(
    private readonly source: AsyncGenerator<Uint8Array>,
    private readonly engine: GzipEngine,
  ) {}

  /** Never rejects: the decompressor's errors come out at its readable end. */
  async run(): Promise<void> {
    const { writeBytes } = this.engine;
    try {
      for await (const piece of this.source) {
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

function damaged(what: string, cause?: unknown): CurvatureError {
  return new CurvatureError(
    "ERR_PARSE",
    `The gzip input ${what}. Compress the data again, once, with gzip.`,
    {
      expected: "one whole gzip member",
      cause,
    },
  );
}
