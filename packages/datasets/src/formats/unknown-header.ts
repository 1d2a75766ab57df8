/**
 * Lines of comparisons that are no answers: a header that comes again, as where files were joined, and one that names the
 * columns by words of its own. Both are refused. As answers they would be about objects that no other line knows, and to pass
 * over the latter would be to guess which of its columns is which.
 *
 * It shows in its words, which come in no other line, above numbers or above many answers that share objects with others. Above
 * few answers an answer may look like that, too: there it is taken for one, and doubted.
 */
import { CurvatureError, optionName, shown } from "@curvature/linalg";
import { isNumeric, type Word } from "./comparison-objects.js";
import { columnsExpected } from "./comparison-roles.js";

/** A line of words, all different, above all others: it may be a header, or an answer. */
export interface FirstLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Other answers that are many, and the share of them that may stand alone. */
const MANY = 10;
const ALONE = 0.05;

/**
 * @param words - each once
 * @param objects - the words of each line by their places in `words`, −1 for none; those of the first line before others
 * @param width - words of a line
 * @returns what is to be doubted
 * @throws CurvatureError ERR_PARSE if the first line is a header
 */
export function doubtFirstLine(
  first: FirstLine,
  words: readonly Word[],
  objects: Int32Array,
  width: number,
): readonly string[] {
  const sides = width === 4 ? sidesIn(objects) : [];
  if (sides.length > 0)
    throw headerOfSides(
      first,
      sides.map((word) => words[word].text),
    );
  const others = otherAnswers(objects, width);
  if (others.length === 0) return [];
  const isAboveNumbers = words.every(({ text, line }) => line === first.line || isNumeric(text));
  if (isAboveNumbers || (others.length >= MANY && countAlone(others, words.length) <= ALONE * others.length))
    throw unknownHeader(first);
  return [
    `${called(first)} is taken for an answer, but may name the columns: its words never come again. If it does, name them ${columnsExpected}.`,
  ];
}

/** The one or two words that are all that the fourth column holds, where both stand in the first line: sides, and no objects. */
function sidesIn(objects: Int32Array): readonly number[] {
  const first = objects.subarray(0, 4);
  const chosen = new Set<number>();
  for (let at = 4; at < objects.length; at += 4) chosen.add(objects[at + 3]);
  const areSides = chosen.size <= 2 && [...chosen].every((word) => first.includes(word));
  return objects.length >= 4 * MANY && areSides ? [...chosen] : [];
}

/** The answers but the first one, which may come again as it is; none where a word of it stands in another. */
function otherAnswers(objects: Int32Array, width: number): readonly Int32Array[] {
  const first = objects.subarray(0, width);
  const others: Int32Array[] = [];
  for (let at = width; at < objects.length; at += width) {
    const answer = objects.subarray(at, at + width).filter((word) => word >= 0);
    if (answer.every((word, k) => word === first[k])) continue;
    if (answer.some((word) => first.includes(word))) return [];
    others.push(answer);
  }
  return others;
}

/** Answers no word of which stands in another. */
function countAlone(answers: readonly Int32Array[], words: number): number {
  const [nowhere, inSeveral] = [-1, -2];
  const answerOf = new Int32Array(words).fill(nowhere);
  for (const [q, answer] of answers.entries())
    for (const word of answer)
      answerOf[word] = answerOf[word] === nowhere || answerOf[word] === q ? q : inSeveral;
  return answers.filter((answer, q) => answer.every((word) => answerOf[word] === q)).length;
}

/** What to say of a line that is the header's, cell by cell. */
export function repeatedHeader(line: number, header: FirstLine): CurvatureError {
  return new CurvatureError(
    "ERR_PARSE",
    `Line ${line} repeats the header of line ${header.line}. Remove it; if it is an answer, name the columns otherwise in the header: ${columnsExpected}.`,
    { path: `line ${line}` },
  );
}

const called = ({ line, cells }: FirstLine): string => `Line ${line} (${cells.map(shown).join(", ")})`;

function headerOfSides(first: FirstLine, sides: readonly string[]): CurvatureError {
  const [anchor, left, right, answer] = first.cells.map((cell) => cell.trim());
  return new CurvatureError(
    "ERR_PARSE",
    `${called(first)} seems to name the columns: the last one holds ${sides.map(shown).join(" and ")} on the lines below. Say which is which: ${optionName("roles", `anchor=${anchor},left=${left},right=${right},answer=${answer}`)}. If it is an answer about four objects, put a header above it: i, j, l, k.`,
    { path: `line ${first.line}`, expected: columnsExpected },
  );
}

function unknownHeader(first: FirstLine): CurvatureError {
  return new CurvatureError(
    "ERR_PARSE",
    `${called(first)} seems to name the columns, but not as ${columnsExpected}: its words never come again. Rename them, or say which is which: ${optionName("roles", "anchor=...,near=...,far=...")}. If the line is an answer, put a header above it: ${first.cells.length === 3 ? "i, j, k" : "i, j, l, k"}.`,
    { path: `line ${first.line}`, expected: columnsExpected },
  );
}
