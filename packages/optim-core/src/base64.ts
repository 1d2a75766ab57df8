/** Base64 (RFC 4648, section 4) from bytes to bytes, so that no text of the whole is ever made. */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const PAD = 61; // "="

/** The number of characters for so many bytes. */
export const encodedLength = (bytes: number): number => 4 * Math.ceil(bytes / 3);

/** Writes the characters of `bytes` to `out` from `at` on. */
export function encodeBase64(bytes: Uint8Array, out: Uint8Array, at: number): void {
  let o = at;
  for (let k = 0; k < bytes.length; k += 3) {
    const left = bytes.length - k;
    const word = (bytes[k] << 16) | ((left > 1 ? bytes[k + 1] : 0) << 8) | (left > 2 ? bytes[k + 2] : 0);
    out[o++] = ALPHABET.charCodeAt(word >> 18);
    out[o++] = ALPHABET.charCodeAt((word >> 12) & 63);
    out[o++] = left > 1 ? ALPHABET.charCodeAt((word >> 6) & 63) : PAD;
    out[o++] = left > 2 ? ALPHABET.charCodeAt(word & 63) : PAD;
  }
}

/** Writes the bytes of `text` to `out` from `at` on and returns how many; undefined if it is no base64 or does not fit. */
export function decodeBase64(text: Uint8Array, out: Uint8Array, at: number): number | undefined {
  const { length } = text;
  if (length % 4 !== 0) return undefined;
  const pads = length === 0 || text[length - 1] !== PAD ? 0 : text[length - 2] !== PAD ? 1 : 2;
  const bytes = (length / 4) * 3 - pads;
  if (at + bytes > out.length) return undefined;
  const last = length - pads;
  let o = at;
  for (let k = 0; k < length; k += 4) {
    let word = 0;
    for (let c = 0; c < 4; c++) {
      const digit = k + c < last ? digitOf(text[k + c]) : 0;
      if (digit < 0) return undefined;
      word = (word << 6) | digit;
    }
    for (let c = 2; c >= 0 && o < at + bytes; c--) out[o++] = (word >> (8 * c)) & 255;
  }
  return bytes;
}

function digitOf(character: number): number {
  if (character >= 65 && character <= 90) return character - 65;
  if (character >= 97 && character <= 122) return character - 71;
  if (character >= 48 && character <= 57) return character + 4;
  if (character === 43) return 62;
  return character === 47 ? 63 : -1;
}
