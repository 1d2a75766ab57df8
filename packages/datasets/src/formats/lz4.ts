/**
 * LZ4 blocks, and frames, version 1.6.4 of the format:
 *
 *   04 22 4d 18, flags, block size, [content size (8)] [dictionary (4)] header check   blocks: size (4), data, [check (4)]   0 (4)
 *
 * A block is sequences: token, [more of the literals' length] literals, distance (2), [more of the match's length]. Blocks may look
 * back into those before. Checksums (xxHash) are not looked at.
 */
const BLOCK_CHECKS = 0x10;
const CONTENT_SIZE = 8;
const DICTIONARY = 1;
const PLAIN = 0x80000000;

const damaged = (): Error => new Error("damaged LZ4 data");

/** @param length - of the expanded data @throws Error for damaged data, and for another length */
export function lz4Frame(input: Uint8Array, length: number): Uint8Array {
  const view = new DataView(input.buffer, input.byteOffset, input.length);
  if (input.length < 11 || view.getUint32(0, true) !== 0x184d2204 || length > 255 * input.length)
    throw damaged();
  const flags = input[4];
  if ((flags & DICTIONARY) !== 0) throw damaged();
  const output = new Uint8Array(length);
  let at = 7 + ((flags & CONTENT_SIZE) !== 0 ? 8 : 0);
  let done = 0;
  for (;;) {
    if (at + 4 > input.length) throw damaged();
    const size = view.getUint32(at, true);
    at += 4;
    if (size === 0) break;
    const end = at + (size & ~PLAIN);
    if (end > input.length) throw damaged();
    if ((size & PLAIN) === 0) done = block(input.subarray(at, end), output, done);
    else {
      if (done + end - at > length) throw damaged();
      output.set(input.subarray(at, end), done);
      done += end - at;
    }
    at = end + ((flags & BLOCK_CHECKS) !== 0 ? 4 : 0);
  }
  if (done !== length) throw damaged();
  return output;
}

/** A block by itself, as Parquet has them. @throws Error as `lz4Frame` */
export function lz4Block(input: Uint8Array, length: number): Uint8Array {
  if (length > 255 * input.length) throw damaged();
  const output = new Uint8Array(length);
  if (block(input, output, 0) !== length) throw damaged();
  return output;
}

/** Expands one block to where `done` is, and gives where it ends. */
function block(input: Uint8Array, output: Uint8Array, done: number): number {
  let i = 0;
  let o = done;
  const lengthFrom = (nibble: number): number => {
    let sum = nibble;
    if (nibble === 15)
      for (let byte = 255; byte === 255; sum += byte) {
        if (i >= input.length) throw damaged();
        byte = input[i++];
      }
    return sum;
  };
  while (i < input.length) {
    const token = input[i++];
    const literals = lengthFrom(token >> 4);
    if (i + literals > input.length || o + literals > output.length) throw damaged();
    output.set(input.subarray(i, i + literals), o);
    i += literals;
    o += literals;
    if (i === input.length) return o;
    const distance = input[i] + 256 * input[i + 1];
    i += 2;
    const end = o + lengthFrom(token & 15) + 4;
    if (!(distance >= 1 && distance <= o) || end > output.length) throw damaged();
    for (; o < end; o++) output[o] = output[o - distance];
  }
  return o;
}
