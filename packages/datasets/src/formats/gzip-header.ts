/**
 * The header of a gzip member, RFC 1952, section 2.3:
 *
 *   1f 8b 08, flags, time (4), extra flags, system   [extra: length (2), bytes] [name … 0] [comment … 0] [CRC-16 (2)]
 */
const fixedBytes = 10;
const DEFLATE = 8;
const HEADER_CRC = 2;
const EXTRA = 4;
const NAME = 8;
const COMMENT = 16;
const RESERVED = 0xe0;

/** How many bytes the header at the beginning of `bytes` has: undefined if they do not hold all of it, NaN if it is none. */
export function headerBytes(bytes: Uint8Array): number | undefined {
  if (bytes.length < fixedBytes) return undefined;
  const flags = bytes[3];
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== DEFLATE || (flags & RESERVED) !== 0)
    return Number.NaN;
  let end = fixedBytes;
  if ((flags & EXTRA) !== 0) {
    if (bytes.length < end + 2) return undefined;
    end += 2 + bytes[end] + 256 * bytes[end + 1];
  }
  for (const text of [NAME, COMMENT]) {
    if ((flags & text) === 0) continue;
    const zero = bytes.indexOf(0, end);
    if (zero < 0) return undefined;
    end = zero + 1;
  }
  if ((flags & HEADER_CRC) !== 0) end += 2;
  return end <= bytes.length ? end : undefined;
}
