/** Bytes in any encoding → UTF-8 without a byte order mark. */
import { badOption, optionName } from "@curvature/linalg";
import { peeked } from "../formats/bytes.js";

interface Decoded {
  readonly encoding: string;
  readonly text: AsyncGenerator<Uint8Array>;
}

/** So many bytes decide whether text is UTF-8. */
const LOOKED_AT = 1 << 18;

/** @param stated - "auto", or a name that TextDecoder knows. @throws CurvatureError ERR_OPTION for another */
export async function decoded(
  where: string,
  source: AsyncGenerator<Uint8Array>,
  stated: string,
): Promise<Decoded> {
  const { head, all } = await peeked(source, LOOKED_AT);
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf)
    return { encoding: "utf-8", text: skipped(all, 3) };
  const encoding =
    stated === "auto"
      ? (wideEncoding(head) ?? (isUtf8(head) ? "utf-8" : "windows-1252"))
      : known(where, stated);
  return { encoding, text: encoding === "utf-8" ? all : transcoded(all, encoding) };
}

/** What to do about bytes that are no UTF-8, far from the beginning. */
export const otherEncoding = `Save the text in UTF-8, or say how it is encoded, as with ${optionName("encoding", "windows-1252")}.`;

function known(where: string, name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw badOption(
      where,
      "encoding",
      'a name that TextDecoder knows, as "utf-16le" or "windows-1252"',
      name,
    );
  }
}

/** By its mark, or by the zeros between the letters. */
function wideEncoding(head: Uint8Array): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  const length = Math.min(head.length, 256) & ~1;
  if (length < 8) return undefined;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < length; i += 2) {
    if (head[i] === 0) even++;
    if (head[i + 1] === 0) odd++;
  }
  if (odd > 0.35 * length && even === 0) return "utf-16le";
  return even > 0.35 * length && odd === 0 ? "utf-16be" : undefined;
}

/** A letter that the end cuts is no fault. */
function isUtf8(head: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

async function* transcoded(source: AsyncGenerator<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const piece of source) {
    const bytes = encoder.encode(decoder.decode(piece, { stream: true }));
    if (bytes.length > 0) yield bytes;
  }
  const rest = encoder.encode(decoder.decode());
  if (rest.length > 0) yield rest;
}

async function* skipped(source: AsyncGenerator<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const piece of source) {
    if (piece.length > left) yield piece.subarray(left);
    left = Math.max(0, left - piece.length);
  }
}
