/**
 * Gzip by Node's zlib: expanded in a thread of its own, in pieces of 256 KiB, while what came out is
 * being read. Node's `DecompressionStream` gives the same bytes in smaller pieces, through a web stream, for twice the
 * time. Nothing is imported, so that browsers load no zlib.
 *
 *   member    header (`gzip-header.ts`), DEFLATE data, CRC-32 and length of what they hold, 4 bytes each (RFC 1952)
 *
 * zlib is given the DEFLATE data only: its own gunzip would go on with a second member as if it belonged to the first.
 */
import { ByteBuffer } from "./bytes.js";
import type { Decompressor } from "./gzip-engine.js";
import { headerBytes } from "./gzip-header.js";

const pieceBytes = 1 << 18;
const trailerBytes = 8;

type Zlib = Pick<ReturnType<typeof process.getBuiltinModule<"node:zlib">>, "createInflateRaw" | "crc32">;
type InflateRaw = ReturnType<Zlib["createInflateRaw"]>;

/** Undefined elsewhere than in Node, and before its version 20.16. */
export function nodeEngine(): Decompressor | undefined {
  if (typeof process === "undefined" || typeof process.getBuiltinModule !== "function") return undefined;
  if (!isNode() && typeof DecompressionStream === "function") return undefined;
  const zlib: Zlib | undefined = process.getBuiltinModule("node:zlib");
  const isComplete = typeof zlib?.createInflateRaw === "function" && typeof zlib.crc32 === "function";
  return isComplete ? new NodeEngine(zlib) : undefined;
}

/**
 * Whether this is Node itself. Other engines offer its modules too, and copy `process.versions`, but their zlib need not do
 * what Node's does: on Cloudflare's the iterator below never ends. All of them give their own name here; Node 20 gives none.
 */
function isNode(): boolean {
  const agent = globalThis.navigator?.userAgent;
  return agent === undefined || agent.startsWith("Node.js/");
}

class NodeEngine implements Decompressor {
  /** It stops expanding where nobody reads. */
  readonly writeBytes = pieceBytes;
  private readonly zlib: Zlib;
  private readonly inflate: InflateRaw;
  private readonly pieces: AsyncIterator<Uint8Array>;
  /** The bytes so far, until the header is whole. */
  private header: ByteBuffer | undefined = new ByteBuffer();
  /** Bytes behind the header: written here, and of these given to zlib. */
  private written = 0;
  private given = 0;
  private readonly tail = new Uint8Array(trailerBytes);
  /** CRC-32 and length of what has come out. */
  private crc = 0;
  private length = 0;
  /** Settled when there is nothing more to come from outside. */
  private readonly allWritten: Promise<void>;
  private settle: () => void = () => undefined;

  constructor(zlib: Zlib) {
    this.zlib = zlib;
    this.inflate = zlib.createInflateRaw({ chunkSize: pieceBytes });
    this.inflate.on("error", () => undefined); // `read` tells it
    this.pieces = this.inflate[Symbol.asyncIterator]();
    this.allWritten = new Promise((resolve) => {
      this.settle = resolve;
    });
  }

  async write(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const { header } = this;
    if (header === undefined) return this.data(bytes);
    header.append(bytes);
    const all = header.view();
    const end = headerBytes(all);
    if (end === undefined) return true;
    if (Number.isNaN(end)) {
      this.inflate.destroy(new Error("no gzip header"));
      return false;
    }
    this.header = undefined;
    return end === all.length || this.data(all.subarray(end));
  }

  private async data(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const kept = bytes.subarray(-trailerBytes);
    this.tail.copyWithin(0, kept.length);
    this.tail.set(kept, trailerBytes - kept.length);
    this.written += bytes.length;
    if (!this.isThrough) {
      this.given += bytes.length;
      const isTaken = await new Promise<boolean>((resolve) => {
        this.inflate.write(bytes, (error) => resolve(!error));
      });
      if (!isTaken) return false;
    }
    if (!this.isThrough || this.written <= this.inflate.bytesWritten + trailerBytes) return true;
    this.settle(); // more than a trailer follows
    return false;
  }

  /** Whether zlib has met the end of the data; what it has not taken lies behind it. */
  private get isThrough(): boolean {
    return this.inflate.bytesWritten < this.given;
  }

  async end(): Promise<void> {
    this.settle();
    if (this.header !== undefined) this.inflate.destroy(new Error("unexpected end of the gzip header"));
    else if (!this.isThrough) this.inflate.end();
  }

  async read(): Promise<Uint8Array | undefined> {
    const next = await this.pieces.next();
    if (next.done === true) {
      await this.allWritten;
      this.checkTrailer();
      return undefined;
    }
    const piece = new Uint8Array(next.value.buffer, next.value.byteOffset, next.value.length);
    this.crc = this.zlib.crc32(piece, this.crc);
    this.length += piece.length;
    return piece;
  }

  private checkTrailer(): void {
    const behind = this.written - this.inflate.bytesWritten;
    if (behind < trailerBytes) throw new Error("unexpected end of file");
    if (behind > trailerBytes) throw new Error("bytes after the end");
    const trailer = new DataView(this.tail.buffer);
    if (trailer.getUint32(0, true) !== this.crc) throw new Error("incorrect data check");
    if (trailer.getUint32(4, true) !== this.length % 2 ** 32) throw new Error("incorrect length check");
  }

  async cancel(cause?: unknown): Promise<void> {
    this.settle();
    this.inflate.destroy(cause instanceof Error ? cause : undefined);
  }
}
