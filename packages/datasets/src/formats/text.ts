/** Bytes → text in UTF-8, of which nothing is guessed: what is not UTF-8 is refused. */
import { CurvatureError } from "@curvature/linalg";
import { peeked } from "./bytes.js";

/** The same bytes without a UTF-8 byte order mark. @throws CurvatureError ERR_PARSE for UTF-16 */
export async function withoutBom(source: AsyncGenerator<Uint8Array>): Promise<AsyncGenerator<Uint8Array>> {
  const { head, all } = await peeked(source, 3);
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) {
    throw new CurvatureError("ERR_PARSE", "The input is text in UTF-16. Save it in UTF-8.", {
      expected: "UTF-8",
      received: "UTF-16",
    });
  }
  const hasBom = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  return hasBom ? skipped(all, 3) : all;
}

async function* skipped(source: AsyncGenerator<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const piece of source) {
    if (piece.length > left) yield piece.subarray(left);
    left = Math.max(0, left - piece.length);
  }
}

const strict = (): TextDecoder => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const wholeText = strict();

/** @param where - the place, as the beginning of a sentence @throws CurvatureError ERR_PARSE */
export const strictText = (bytes: Uint8Array, where: string, remedy = saveIt): string =>
  inUtf8(where, remedy, () => wholeText.decode(bytes));

/** The same, where a letter may be cut at the end. */
export const cutText = (bytes: Uint8Array, where: string, remedy = saveIt): string =>
  inUtf8(where, remedy, () => strict().decode(bytes, { stream: true }));

export const saveIt = "Save the text in UTF-8.";

function inUtf8(where: string, remedy: string, decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    const message = `${where} is not valid UTF-8, or too long for one string. ${remedy}`;
    throw new CurvatureError("ERR_PARSE", message, { path: where, expected: "UTF-8", cause });
  }
}
