/**
 * A header of comparisons that names the columns by words of its own. It is refused: as an answer it would be one about
 * objects that no other line knows, and to pass over it would be to guess which of its columns is which.
 *
 * It shows in its words, which never come again, above numbers or above answers that all share objects with others.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import { columnsExpected } from "./comparison-columns.js";
import { isNumeric, type Word } from "./comparison-objects.js";

/** A line of words, all different, above all others: it may be a header, or an answer. */
export interface FirstLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * @param words - each once
 * @param quadruplets - the words of each answer by their places in `words`, four each; those of the first line before others
 * @throws CurvatureError ERR_PARSE if the first line is a header
 */
export function refuseHeader(first: FirstLine, words: readonly Word[], quadruplets: Int32Array): void {
  const count = quadruplets.length / 4;
  if (count === 1) return;
  const isAlone = lonely(quadruplets, words.length);
  if (!isAlone(0)) return;
  if (words.every(({ text, line }) => line === first.line || isNumeric(text))) throw unknownHeader(first);
  for (let q = 1; q < count; q++) if (isAlone(q)) return;
  throw unknownHeader(first);
}

/** Whether no word of an answer stands in another. */
function lonely(quadruplets: Int32Array, words: number): (q: number) => boolean {
  const [nowhere, inSeveral] = [-1, -2];
  const answerOf = new Int32Array(words).fill(nowhere);
  quadruplets.forEach((word, at) => {
    const q = at >>> 2;
    answerOf[word] = answerOf[word] === nowhere || answerOf[word] === q ? q : inSeveral;
  });
  return (q) => quadruplets.subarray(4 * q, 4 * q + 4).every((word) => answerOf[word] === q);
}

function unknownHeader({ line, cells }: FirstLine): CurvatureError {
  return new CurvatureError(
    "ERR_PARSE",
    `Line ${line} (${cells.map(shown).join(", ")}) seems to name the columns, but not as ${columnsExpected}: its words never come again. Rename them. If the line is an answer, put a header above it: ${cells.length === 3 ? "i, j, k" : "i, j, l, k"}.`,
    { path: `line ${line}`, expected: columnsExpected },
  );
}
