/** Zstd by Node's zlib, from its version 22.15 on: no browser has it. */
import { CurvatureError } from "@curvature/linalg";
import type { Decompressor } from "./gzip-engine.js";

const pieceBytes = 1 << 18;

/**
 * The pieces, and undefined where another frame begins: zlib would leave out what follows the first. Frames to be skipped are left
 * out; what is no frame comes as one, and is refused.
 *
 *   frame    28 b5 2f fd, descriptor, [window (1)] [dictionary (0, 1, 2, 4)] [length (0, 1, 2, 4, 8)]   blocks   [check (4)]
 *   block    last (1 bit), kind (2), size (21), little-endian; data, of kind 1 a single byte
 *   skipped  5? 2a 4d 18, size (4), anything                                                     RFC 8878, section 3.1
 */
export async function* zstdFrames(
  source: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array | undefined> {
  let bytes = new Uint8Array(0);
  const isThere = async (count: number): Promise<boolean> => {
    while (bytes.length < count) {
      const next = await source.next();
      if (next.done) return false;
      const all = new Uint8Array(bytes.length + next.value.length);
      all.set(bytes);
      all.set(next.value, bytes.length);
      bytes = all;
    }
    return true;
  };
  /** So many bytes, or as many as there are. */
  async function* passed(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0 && (await isThere(1)); ) {
      const piece = bytes.subarray(0, left);
      bytes = bytes.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }
  for (let isFirst = true; await isThere(1); ) {
    await isThere(8);
    const isSkipped = bytes[0] >> 4 === 5 && bytes[1] === 0x2a && bytes[2] === 0x4d && bytes[3] === 0x18;
    if (isSkipped && bytes.length >= 8) {
      const size = bytes[4] + 256 * bytes[5] + 65_536 * bytes[6] + 16_777_216 * bytes[7];
      for await (const _ of passed(8 + size));
      continue;
    }
    if (!isFirst) yield undefined;
    isFirst = false;
    const descriptor = bytes[4];
    const isSingle = (descriptor & 0x20) !== 0;
    const dictionary = [0, 1, 2, 4][descriptor & 3];
    const length = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6];
    yield* passed(
      bytes[0] === 0x28 ? 5 + (isSingle ? 0 : 1) + dictionary + length : Number.POSITIVE_INFINITY,
    );
    for (let isLast = false; !isLast && (await isThere(3)); ) {
      isLast = (bytes[0] & 1) === 1;
      const isRepeated = ((bytes[0] >> 1) & 3) === 1;
      const size = (bytes[0] + 256 * bytes[1] + 65_536 * bytes[2]) >> 3;
      yield* passed(3 + (isRepeated ? 1 : size));
    }
    if ((descriptor & 4) !== 0) yield* passed(4);
  }
}

/** So much a block may expand to. */
const BLOCK = 2 ** 17;

/**
 * What frames may take when they are expanded, by their headers: the length that they state, or window and blocks. Of what is no frame
 * nothing is known.
 */
export function zstdRoom(bytes: Uint8Array): number {
  let room = 0;
  for (let at = 0; bytes[at] === 0x28 && at + 6 < bytes.length; ) {
    const descriptor = bytes[at + 4];
    const isSingle = (descriptor & 0x20) !== 0;
    const exponent = bytes[at + 5] >> 3;
    const window = isSingle ? 0 : 2 ** (10 + exponent) * (1 + (bytes[at + 5] & 7) / 8);
    at += 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][descriptor & 3];
    const size = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6];
    let length = size === 2 ? 256 : 0;
    for (let k = 0, factor = 1; k < size; k++, factor *= 256) length += (bytes[at++] ?? 0) * factor;
    room += size > 0 ? length : window;
    for (let isLast = false; !isLast && at + 3 <= bytes.length; ) {
      isLast = (bytes[at] & 1) === 1;
      const isRepeated = ((bytes[at] >> 1) & 3) === 1;
      at += 3 + (isRepeated ? 1 : (bytes[at] + 256 * bytes[at + 1] + 65_536 * bytes[at + 2]) >> 3);
      if (size === 0) room += BLOCK;
    }
    if ((descriptor & 4) !== 0) at += 4;
  }
  return room;
}

/** @throws CurvatureError ERR_PARSE where the runtime has none */
export function zstdEngine(): Decompressor {
  const zlib = globalThis.process?.getBuiltinModule?.("node:zlib");
  if (typeof zlib?.createZstdDecompress !== "function")
    throw new CurvatureError(
      "ERR_PARSE",
      "The input is compressed by zstd, which Node expands from version 22.15 on. Expand it first: zstd -d file.zst",
      { path: "input" },
    );
  const stream = zlib.createZstdDecompress({ chunkSize: pieceBytes });
  stream.on("error", () => undefined); // `read` tells it
  const pieces: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  return {
    writeBytes: pieceBytes,
    write: (bytes) => new Promise((resolve) => stream.write(bytes, (error) => resolve(!error))),
    end: async () => {
      stream.end();
    },
    read: async () => {
      const next = await pieces.next();
      return next.done === true
        ? undefined
        : new Uint8Array(next.value.buffer, next.value.byteOffset, next.value.length);
    },
    cancel: async (cause) => {
      stream.destroy(cause instanceof Error ? cause : undefined);
    },
  };
}
