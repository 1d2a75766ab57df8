/**
 * Labels in a file of their own: text with one label per line (a first line more than there are points is a heading),
 * or an IDX or npy array of numbers; any of them as .gz. As in a table of points, a number is no heading.
 */
import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import { readIdxLabels, readNpy } from "@curvature/datasets";
import { CurvatureError } from "@curvature/linalg";
import { inFlags } from "../run/flag-names.js";

export interface Labels {
  readonly labels: readonly string[];
  /** What they are called: by their heading, or by their file. */
  readonly name: string;
}

const maxBytes = 2 ** 28;

/**
 * @param path - for the name and the messages
 * @param rows - the number of points
 * @param entry - what one of them is called
 * @throws CurvatureError ERR_SHAPE if there are not as many, ERR_PARSE; what the source throws
 */
export async function readLabels(
  path: string,
  source: AsyncIterable<Uint8Array>,
  rows: number,
  entry = "label",
): Promise<Labels> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  const bytes = expanded(path, Buffer.concat(pieces));
  const found = await labelsIn(path, bytes);
  const hasHeading = found.length === rows + 1 && !isNumber(found[0]);
  const labels = hasHeading ? found.slice(1) : found;
  if (labels.length !== rows) {
    const shown = path === "-" ? "Standard input" : path;
    throw new CurvatureError(
      "ERR_SHAPE",
      `${shown} has ${found.length} ${entry}s, but there are ${rows} points. Give one ${entry} per point, in their order.`,
      { path, expected: `${rows} ${entry}s`, received: found.length },
    );
  }
  return { labels, name: hasHeading ? found[0] : nameOf(path) };
}

const isNumber = (label: string): boolean => label !== "" && Number.isFinite(Number(label));

const nameOf = (path: string): string => (path === "-" ? "" : basename(path).split(".", 1)[0]) || "label";

function expanded(path: string, bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    throw new CurvatureError(
      "ERR_PARSE",
      `${path}: the gzip content is damaged or too long for labels. Compress the labels again.`,
      {
        path,
        cause,
      },
    );
  }
}

async function labelsIn(path: string, bytes: Buffer): Promise<string[]> {
  try {
    if (bytes[0] === 0 && bytes[1] === 0) return await readIdxLabels(bytes);
    if (bytes[0] === 0x93) {
      const { data } = (await readNpy(bytes)).points;
      return Array.from(data, String);
    }
  } catch (error) {
    if (!(error instanceof CurvatureError)) throw error;
    throw new CurvatureError(error.code, `${path}: ${inFlags(error)}`, { path, cause: error });
  }
  const text = new TextDecoder().decode(bytes);
  const lines = text.split(/\r\n|\n|\r/).map(unquoted);
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

function unquoted(line: string): string {
  const cell = line.trim();
  const isQuoted = cell.length >= 2 && cell.startsWith('"') && cell.endsWith('"');
  return isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}
