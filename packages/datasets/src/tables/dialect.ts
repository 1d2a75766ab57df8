/**
 * How a delimited text is written, by all evidence of its first part: delimiter, quote, comments, lines before the table, names,
 * lines under the names, lines under the rows, decimal mark and groups of thousands. Where the evidence is thin, a doubt says
 * what both interpretations are, and nothing is guessed that would change the data.
 */
import { optionName } from "@curvature/linalg";
import { unguarded } from "../formats/formula-guard.js";
import { checkWidth } from "../formats/table.js";
import { isBoolean, isDate, isMissing, type NumberForm, numberOf, PLAIN } from "./cell.js";
import { afterLine, lineEnd, recordsOf, type TextRecord } from "./records.js";

export interface Dialect {
  readonly delimiter: string;
  readonly quote: string;
  readonly comment: string | undefined;
  readonly width: number;
  readonly names: readonly string[] | undefined;
  readonly units: readonly string[] | undefined;
  readonly form: NumberForm;
  /** The rows of data, as far as the text goes. */
  readonly rows: readonly TextRecord[];
  /** Whether these are vectors of words: every first cell is one, whatever it looks like. And how many there must be. */
  readonly vectors?: { readonly count: number | undefined };
  /** The index of the column that the text says holds labels. */
  readonly labels?: number | undefined;
  /** Everything decided beside the plain case, in words. */
  readonly notes: readonly string[];
  /** What cannot be decided; each names the options that do. */
  readonly doubts: readonly string[];
}

const delimiters = ["\t", ";", ",", "|", " "] as const;
const wordsFor: Readonly<Record<string, string>> = {
  "\t": "tab",
  ";": "semicolon",
  ",": "comma",
  "|": "bar",
  " ": "blanks",
};
export const delimiterName = (mark: string): string => wordsFor[mark] ?? mark;

/** A number in any way of writing. */
const looksNumeric = (text: string): boolean =>
  /^\(?[-+−]?[$€£¥]?\s*(\d[\d.,'_]*|\d{1,3}([ \u00a0\u202f]\d{3})+(,\d+)?|[.,]\d+)([eEdD][+-]?\d+)?\s*[%€$£¥]?\)?$/.test(
    text.trim(),
  ) || !Number.isNaN(numberOf(text));

const isTyped = (text: string): boolean =>
  isMissing(text) || looksNumeric(text) || isDate(text) || isBoolean(text);

interface Division {
  readonly delimiter: string;
  readonly quote: string;
  readonly records: readonly TextRecord[];
  readonly width: number;
  readonly score: number;
}

/** The widths' mode, and how well the records fit it. */
function divide(
  text: string,
  delimiter: string,
  quote: string,
  isComment: (line: string) => boolean,
): Division {
  const records = recordsOf(text, delimiter, quote, isComment).filter(({ cells }) => cells.length > 0);
  const counts = new Map<number, number>();
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const [width = 0, count = 0] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [];
  const rows = records.filter(({ cells }) => cells.length === width);
  const cells = rows.slice(rows.length > 4 ? 4 : 1, 400).flatMap((row) => row.cells);
  const typed = cells.length === 0 ? 0 : cells.filter(isTyped).length / cells.length;
  const coverage = records.length === 0 ? 0 : count / records.length;
  const score = coverage * (width > 1 ? 1 : 0.35) * (0.3 + 0.7 * typed);
  return { delimiter, quote, records, width, score };
}

/** Lines that begin so, where the text begins with one, are comments. */
const commentMarks = ["#", "%", "//", "!", ";"] as const;

function commentOf(text: string): string | undefined {
  const first = /^\s*(\S[^\r\n]*)/.exec(text)?.[1] ?? "";
  const mark = commentMarks.find((each) => first.startsWith(each));
  // one line that begins so may be the names: "#,x,y" and "%,x,y" begin with a cell
  return mark !== undefined && !/^(#|%|;)\s*[,;\t|]/.test(first) ? mark : undefined;
}

/** What is known beforehand. */
interface Stated {
  readonly delimiter: string | undefined;
  readonly header: "auto" | "yes" | "no";
  /** Lines before the table. */
  readonly skip: number | undefined;
  readonly decimal: "auto" | NumberForm["decimal"];
  readonly thousands: "auto" | "none" | NumberForm["thousands"];
  /** Whether the text ends where the file does. */
  readonly isWhole: boolean;
}

export function dialectOf(whole: string, stated: Stated): Dialect {
  const notes: string[] = [];
  const doubts: string[] = [];
  let text = withoutLines(whole, stated.skip ?? 0);
  let separator = stated.delimiter;
  const sep = /^\s*"?sep=(.)"?[^\S\r\n]*\r?\n?/.exec(text);
  if (sep !== null) {
    separator ??= sep[1];
    text = `#${text.slice(1)}`;
    notes.push(`The first line says that columns are divided by ${delimiterName(sep[1])}.`);
  }
  const block = /^\s*\/\*[\s\S]*?\*\//.exec(text);
  if (block !== null) {
    text = block[0].replace(/[^\r\n]/g, " ") + text.slice(block[0].length);
    notes.push("A block /* … */ before the table is a comment.");
  }
  const comment = sep === null ? commentOf(text) : "#";
  const isComment = (line: string): boolean => comment !== undefined && line.trimStart().startsWith(comment);
  const vectors = vectorsOf(text);
  if (vectors !== undefined) return vectors;
  const quotes =
    /(^|[\t;,|]) *'[^'\r\n]*' *([\t;,|]|\r?\n)/m.test(text) && !/(^|[\t;,|]) *"/m.test(text)
      ? ["'", '"'] // the first where both divide alike; an apostrophe may be a cell
      : ['"'];
  const candidates = (separator === undefined ? delimiters : [separator]).flatMap((delimiter) =>
    quotes.map((quote) => ({ delimiter, quote })),
  );
  const part = beginning(text);
  const [{ delimiter, quote, least }] = candidates
    .map((each) => {
      const { score, width: least } = divide(part, each.delimiter, each.quote, isComment);
      return { ...each, score, least };
    })
    .sort((a, b) => b.score - a.score);
  checkWidth("The input", least); // before millions of cells are made of all the text
  const { records: division, width } = divide(text, delimiter, quote, isComment);
  checkWidth("The input", width);

  if (division.length === 0)
    return {
      delimiter,
      quote,
      comment,
      width: 0,
      names: undefined,
      units: undefined,
      form: PLAIN,
      rows: [],
      notes,
      doubts,
    };

  // From the first record on from which nearly all have the width.
  const fits = ({ cells }: TextRecord): boolean => cells.length === width;
  let end = division.length;
  while (end > 1 && !fits(division[end - 1])) end--;
  let start = end - 1;
  while (start > 0 && (fits(division[start - 1]) || (start > 1 && fits(division[start - 2])))) start--;
  while (start < end - 1 && !fits(division[start])) start++;
  if (stated.skip !== undefined) start = fits(division[0]) ? 0 : Math.min(start, 1);
  if (end - start < 0.5 * division.length && end - start < 10)
    doubts.push(
      `Lines have between ${division.reduce((least, { cells }) => Math.min(least, cells.length), width)} and ${division.reduce((most, { cells }) => Math.max(most, cells.length), width)} cells. If the columns have fixed widths, write them with a delimiter; else give ${optionName("delimiter")}, or the number of lines before the table as ${optionName("skip")}.`,
    );
  const isOverNumbers = division.slice(start + 1, start + 20).some(({ cells }) =>
    cells.some((cell, j) => {
      const above = division[start].cells[j] ?? "";
      return looksNumeric(cell) && !looksNumeric(above) && !isMissing(above);
    }),
  );
  const hasShortNames =
    start > 0 && division[start - 1].cells.length === width - 1 && width > 1 && !isOverNumbers;
  let body = division.slice(hasShortNames ? start - 1 : start, end);
  const isEmpty = ({ cells }: TextRecord): boolean => cells.every((cell) => cell === "");
  body = body.filter((record) => !isEmpty(record));
  // A title fills one cell of many.
  while (
    !hasShortNames &&
    width > 2 &&
    body.length > 2 &&
    stated.skip === undefined &&
    body[0].cells.filter((cell) => cell !== "").length === 1 &&
    body.slice(1, 8).some(({ cells }) => cells.filter((cell) => cell !== "").length > 1)
  )
    body = body.slice(1);
  const skipped = (body[0]?.line ?? 1) - 1;
  if (skipped > 0 && comment === undefined && block === null)
    notes.push(`The table begins on line ${skipped + 1}.`);
  if (comment !== undefined && sep === null) notes.push(`Lines that begin with ${comment} are comments.`);

  const named = namesOf(body, width, hasShortNames, text, comment, delimiter, stated.header, notes, doubts);
  let { rows } = named;
  while (stated.isWhole && rows.length > 1 && isFooter(rows[rows.length - 1].cells[0] ?? ""))
    rows = rows.slice(0, -1);
  for (const { line, cells } of rows)
    if (cells.length !== width)
      doubts.push(
        `Line ${line} has ${cells.length} ${cells.length === 1 ? "cell" : "cells"}, the others have ${width}. Correct it, or give the right ${optionName("delimiter")}.`,
      );
  const form = formOf(rows, stated, notes, doubts);
  return {
    delimiter,
    quote,
    comment,
    width,
    names: named.names?.map(unguarded),
    units: named.units,
    form,
    rows,
    notes,
    doubts,
  };
}

/**
 * Vectors of words: a word and its numbers in each line, single blanks between. word2vec counts both in a line before them,
 * GloVe writes none. Any mark may be a word.
 */
function vectorsOf(text: string): Dialect | undefined {
  const [line = "", count, size] = /^(\d+) (\d+)\r?\n/.exec(text) ?? [];
  const areWords = isVectorsOfWords(text.slice(line.length));
  const isCounted = count !== undefined && (areWords || Number(size) > 1); // "4 1" may be a row of two numbers
  if (!isCounted && !areWords) return undefined;
  const rows = recordsOf(text, " ", "")
    .slice(line === "" ? 0 : 1)
    .filter(({ cells }) => cells.length > 0);
  const width = isCounted && !areWords ? Number(size) + 1 : rows[0].cells.length;
  if (!rows.slice(0, 20).every(({ cells }) => cells.length === width && cells.slice(1).every(looksNumeric)))
    return undefined;
  const isLying = isCounted && width !== Number(size) + 1;
  const doubts = isLying
    ? [
        `Line 1 states vectors of ${size} numbers, and line 2 has ${width - 1}. Correct it, or leave it out with ${optionName("skip")} 1.`,
      ]
    : [];
  const notes = [
    isCounted
      ? "Vectors of words, as word2vec writes them: the first line counts them."
      : "Vectors of words, as GloVe writes them.",
  ];
  return {
    delimiter: " ",
    quote: "",
    comment: undefined,
    width,
    names: undefined,
    units: undefined,
    form: PLAIN,
    rows,
    vectors: { count: isCounted ? Number(count) : undefined },
    notes,
    doubts,
  };
}

const vector = /^\S+( [-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?){3,} ?$/;

/** Different words, few of them numbers and some of them not in quotes, each with three numbers or more. */
function isVectorsOfWords(text: string): boolean {
  const lines = text.split(/\r?\n/, 51).slice(0, -1);
  if (lines.length < 2 || !lines.every((line) => vector.test(line))) return false;
  const words = lines.map((line) => line.slice(0, line.indexOf(" ")));
  return (
    new Set(words).size === words.length &&
    words.filter(looksNumeric).length < words.length / 2 &&
    !words.every((word) => /^(["']).*\1$/.test(word))
  );
}

const totals =
  /^(grand )?(total|sum|average|mean|median|std|summe|gesamt|mittelwert|moyenne|somme|source|quelle|note)\b/i;

/** A first cell that begins a sum or a source under the rows. */
export const isFooter = (first: string): boolean => totals.test(first);

interface Named {
  readonly names: readonly string[] | undefined;
  readonly units: readonly string[] | undefined;
  readonly rows: readonly TextRecord[];
}

function namesOf(
  body: readonly TextRecord[],
  width: number,
  hasShortNames: boolean,
  text: string,
  comment: string | undefined,
  delimiter: string,
  header: "auto" | "yes" | "no",
  notes: string[],
  doubts: string[],
): Named {
  if (body.length === 0) return { names: undefined, units: undefined, rows: body };
  const [first] = body;
  const rest = body.slice(Math.max(1, Math.min(4, body.length >> 1)), 1000);
  const column = (j: number): string[] =>
    rest.map(({ cells }) => cells[j] ?? "").filter((cell) => !isMissing(cell));
  const kinds = Array.from({ length: width }, (_, j) => {
    const cells = column(j);
    if (cells.length === 0) return "empty";
    const share = (is: (text: string) => boolean): number => cells.filter(is).length / cells.length;
    if (share(looksNumeric) > 0.7) return "number";
    return share(isDate) > 0.7 || share(isBoolean) > 0.7 ? "other" : "word";
  });
  const own = hasShortNames ? ["", ...first.cells] : first.cells;
  if (own.length !== width)
    doubts.push(
      `Line ${first.line} has ${own.length} ${own.length === 1 ? "cell" : "cells"}, the others have ${width}. Correct it, or give the right ${optionName("delimiter")} or ${optionName("skip")}.`,
    );
  const head = Array.from({ length: width }, (_, j) => own[j] ?? "");

  // Rows under the first in which no column of numbers has one: units, kinds, a rule, more names.
  const typed = kinds.flatMap((kind, j) => (kind === "number" ? [j] : []));
  const isUnder = ({ cells }: TextRecord): boolean =>
    typed.length > 0 &&
    typed.every((j) => !looksNumeric(cells[j] ?? "")) &&
    (typed.some((j) => !isMissing(cells[j] ?? "")) || cells.some((cell) => /^[-=]{2,}$/.test(cell)));
  const wordsOverNumbers = typed.filter((j) => !isMissing(head[j]) && !looksNumeric(head[j])).length;
  const numbersOverNumbers = typed.filter((j) => looksNumeric(head[j]) && !isMissing(head[j])).length;
  const most = Math.min(body.length - 1, MAX_HEADER_ROWS);
  let under = 1;
  while (under < most && isUnder(body[under])) under++;
  // Above a row of words numbers are names, too; as are those behind a word in a column of numbers, in two rows and more.
  const areLevels = header !== "no" && numbersOverNumbers > 0 && typed.length > 1;
  if (areLevels) {
    const last = body.slice(0, most).findLastIndex((row, i) => i > 0 && isUnder(row));
    const words = typed.map((j) => body.slice(0, most).map(({ cells }) => cells[j] ?? ""));
    const levels = words.map((cells) => cells.findIndex((cell) => !/^\p{L}/u.test(cell)));
    under = Math.max(1, last + 1, hasRuns(head) ? Math.max(...levels) : 0);
  }
  const isSeveral = under > 1 && (hasRuns(head) || continues(head, body[1].cells));
  // pandas writes the name of the index below, alone in its line
  if (isSeveral && under < body.length - 1 && isAlone(body[under])) under++;
  const count = body.findIndex((row, i) => i > 0 && !isUnder(row));
  if (count > MAX_HEADER_ROWS && header !== "no")
    doubts.push(
      `The table begins with ${count} header rows, lines ${first.line} to ${body[count - 1].line}. Say ${optionName("skip")} ${body[count - 1].line - 1} to take the last as the names, or correct the file.`,
    );
  const rowsUnder = body.slice(1);
  const isNames = (): boolean | undefined => {
    if (header !== "auto") return header === "yes";
    if (hasShortNames || (areLevels && under > 1)) return true;
    if (wordsOverNumbers > 0 && numbersOverNumbers === 0) return true;
    const others = kinds.flatMap((kind, j) => (kind === "number" || kind === "empty" ? [] : [j]));
    const isOver = (j: number): boolean =>
      kinds[j] === "other" ? !isMissing(head[j]) && !isDate(head[j]) && !isBoolean(head[j]) : false;
    if (numbersOverNumbers === 0 && others.some(isOver)) return true;
    const repeated = others.some((j) => rowsUnder.some(({ cells }) => cells[j] === head[j]));
    const isNew = others.length > 0 && !repeated && others.every((j) => !isMissing(head[j]));
    const isCategory = others.some((j) => {
      const words = rowsUnder.slice(0, 1000).map(({ cells }) => cells[j] ?? "");
      return new Set(words).size <= words.length / 2;
    });
    if (numbersOverNumbers > 0) {
      const firsts = rowsUnder.slice(0, 1000).map(({ cells }) => cells[0]);
      const isCorner =
        head[0] === "" &&
        firsts.length > 1 &&
        firsts.every((cell) => !isMissing(cell)) &&
        new Set(firsts).size === firsts.length;
      if (isCorner) return true;
      const numbers = typed.map((j) => numberOf(head[j])).filter((value) => !Number.isNaN(value));
      // that m numbers rise or fall by chance has probability 2 / m!
      const rising = rowsUnder
        .slice(0, 50)
        .filter(({ cells }) => rises(typed.map((j) => numberOf(cells[j] ?? ""))));
      const isSeries = rises(numbers) && rising.length <= 0.1 * Math.min(50, rowsUnder.length);
      const isOtherForm =
        numbers.every(Number.isInteger) &&
        typed.some((j) => column(j).every((cell) => !/^[+-]?\d+$/.test(cell)));
      const isLike = isNew || wordsOverNumbers > 0;
      if (isSeries && (evenly(numbers) || (isLike && (numbers.length > 4 || isOtherForm)))) return true;
      const steps = (cells: readonly string[]): readonly number[] =>
        typed.map((j) => numberOf(cells[j] ?? ""));
      const isCounting =
        typed.length > 2 &&
        rowsUnder.length + 1 !== width && // a matrix of distances begins with 0, 1, 2, too
        evenly(steps(head), 3) &&
        !rowsUnder.slice(0, 1000).some(({ cells }) => evenly(steps(cells), 3));
      const isThin =
        isCounting ||
        wordsOverNumbers > 0 ||
        (isNew && isCategory) ||
        (isSeries && (numbers.length > 4 || (numbers.length > 1 && isOtherForm))) ||
        liesFar(typed.map((j) => [numberOf(head[j]), column(j).map((cell) => numberOf(cell))]));
      return isThin ? undefined : false;
    }
    if (typed.length > 0 || repeated) return false;
    if (isNew && isCategory) return true;
    if (body.length === 1) return !head.some(looksNumeric); // a header without rows, or one row
    return rest.length < 2 ? false : undefined;
  };

  const counts = head.map((cell) => numberOf(cell));
  if (counts[0] === body.length - 1 && numbersOverNumbers > 0 && wordsOverNumbers > 0) {
    notes.push(`Line ${first.line} counts the rows (${counts[0]}) and is not one.`);
    return { names: undefined, units: undefined, rows: body.slice(1) };
  }
  const decided = isNames();
  if (decided === undefined)
    doubts.push(
      `Line ${first.line} may hold the columns' names or a row (${head.slice(0, 4).join(", ")}). Say ${optionName("header", "yes")} or ${optionName("header", "no")}.`,
    );
  const [second] = rowsUnder;
  if (decided === true && header === "auto" && typed.length === 0 && under === 1 && areQuestions(rowsUnder))
    doubts.push(
      `Line ${second.line} may be a second row of names (${second.cells.slice(0, 3).join(", ")}): its words never come again. Say ${optionName("skip")} ${second.line - 1} if it holds the names, or ${optionName("header", "yes")} if it is a row.`,
    );
  if (decided === true) {
    const more = body.slice(1, under);
    if (more.length > 0)
      notes.push(
        isSeveral
          ? `Lines ${first.line} to ${more[more.length - 1].line} hold the names together.`
          : `Line ${more.map(({ line }) => line).join(" and line ")} under the names ${more.length > 1 ? "hold" : "holds"} units or remarks and no row.`,
      );
    const names = isSeveral ? joinedNames([head, ...more.map(({ cells }) => cells)]) : head;
    return { names, units: isSeveral ? undefined : more[0]?.cells, rows: body.slice(under) };
  }
  const inComment =
    comment === undefined ? undefined : commentNames(text, comment, delimiter, width, first.line);
  if (inComment !== undefined) notes.push("The columns' names stand in the comment above the rows.");
  return { names: inComment, units: undefined, rows: body };
}

/** Whether most of the first line's numbers lie far beyond those under them, as years over counts do. */
function liesFar(columns: readonly (readonly [first: number, rest: readonly number[]])[]): boolean {
  const far = columns.filter(([first, rest]) => {
    const there = rest.filter(Number.isFinite);
    if (there.length < 5) return false;
    const low = there.reduce((a, b) => Math.min(a, b));
    const high = there.reduce((a, b) => Math.max(a, b));
    return first > high + 3 * (high - low) || first < low - 3 * (high - low);
  });
  return far.length > 1 && far.length > columns.length / 2;
}

const rises = (numbers: readonly number[]): boolean =>
  numbers.every((value, k) => k === 0 || value > numbers[k - 1]) ||
  numbers.every((value, k) => k === 0 || value < numbers[k - 1]);

/** Years, wavelengths, hours: steps of one size. */
function evenly(numbers: readonly number[], least = 4): boolean {
  const step = numbers[1] - numbers[0];
  return (
    numbers.length >= least &&
    step !== 0 &&
    (least > 3 || numbers.every(Number.isInteger)) &&
    numbers.every((value, k) => k === 0 || Math.abs(value - numbers[k - 1] - step) <= 1e-6 * Math.abs(step))
  );
}

/** More header rows than these are asked for. */
const MAX_HEADER_ROWS = 6;

/** Whether the first of rows of categories has none of theirs: what survey programs write under the names. */
function areQuestions(rows: readonly TextRecord[]): boolean {
  const [first, ...rest] = rows.slice(0, 1000);
  return (
    rest.length > 19 &&
    first.cells.length > 1 &&
    first.cells.every((question, j) => {
      const words = rest.map(({ cells }) => cells[j]);
      return !isMissing(question) && !words.includes(question) && new Set(words).size <= words.length / 4;
    })
  );
}

const isAlone = ({ cells }: Pick<TextRecord, "cells">): boolean =>
  !isMissing(cells[0]) && !looksNumeric(cells[0]) && cells.slice(1).every((cell) => cell === "");

/** Whether a name stands over several columns, in the first of them only, as in merged cells of a spreadsheet. */
const continues = (head: readonly string[], below: readonly string[]): boolean =>
  head.some((name, j) => j > 1 && name === "" && head[j - 1] !== "" && !isMissing(below[j] ?? ""));

/** The names of several rows, from the top down; one that stands over several columns is each one's. */
function joinedNames(rows: readonly (readonly string[])[]): string[] {
  const last = rows[rows.length - 1];
  const filled = rows.map((row) => {
    let name = "";
    return row.map((own, j) => {
      name = own !== "" || row === last ? own : j > 1 ? name : "";
      return name;
    });
  });
  return rows[0].map((_, j) => {
    if (j === 0 && isAlone({ cells: last })) return last[0];
    const parts = filled.map((row) => row[j] ?? "").filter((part) => part !== "");
    return parts.every((part) => part === parts[0] && !looksNumeric(part))
      ? (parts[0] ?? "")
      : parts.join(" ");
  });
}

const hasRuns = (head: readonly string[]): boolean =>
  head.some((name, j) => j > 0 && name !== "" && name === head[j - 1]);

/** numpy's and MATLAB's: the last comment above the rows has as many words as a row has cells. */
function commentNames(
  text: string,
  comment: string,
  delimiter: string,
  width: number,
  line: number,
): readonly string[] | undefined {
  const above = text
    .split(/\r\n|\r|\n/)
    .slice(0, line - 1)
    .filter((each) => each.trimStart().startsWith(comment))
    .at(-1);
  if (above === undefined) return undefined;
  const names = recordsOf(above.trimStart().replace(/^[#%/!;]+/, ""), delimiter, '"')[0]?.cells ?? [];
  return names.length === width && names.every((name) => name !== "" && Number.isNaN(numberOf(name)))
    ? names
    : undefined;
}

/** Enough whole lines to compare delimiters by, three at least; of very long ones a part. */
function beginning(text: string): string {
  let end = text.length > MAX_COMPARED ? text.lastIndexOf("\n", MAX_COMPARED) + 1 : text.length;
  for (let lines = 0; end < MAX_COMPARED && lines < 3 && end < text.length; lines++)
    end = text.indexOf("\n", end) + 1 || text.length;
  return text.slice(0, Math.min(end, LONGEST_COMPARED));
}
const MAX_COMPARED = 1 << 14;
const LONGEST_COMPARED = 1 << 22;

/** The text with its first lines blank, so that all others keep their numbers. */
function withoutLines(text: string, count: number): string {
  let at = 0;
  for (let line = 0; line < count && at < text.length; line++) at = afterLine(text, lineEnd(text, at));
  return text.slice(0, at).replace(/[^\r\n]/g, " ") + text.slice(at);
}

/** Decimal mark and groups: as stated, else as all cells of the first rows have them. */
function formOf(rows: readonly TextRecord[], stated: Stated, notes: string[], doubts: string[]): NumberForm {
  const { decimal, thousands } = stated;
  if (decimal !== "auto" || thousands !== "auto") {
    const mark = decimal !== "auto" ? decimal : thousands === "." ? "," : ".";
    const groups = thousands === "auto" || thousands === "none" ? "" : thousands;
    if (mark === groups)
      doubts.push(`${optionName("decimal")} and ${optionName("thousands")} are the same mark. Change one.`);
    return mark === "." && groups === "" ? PLAIN : { decimal: mark, thousands: groups };
  }
  const form = likelyForm(rows, doubts);
  if (form.decimal === ",") notes.push("Decimals are written with a comma.");
  if (form.thousands !== "") notes.push(`"${form.thousands}" stands between groups of thousands.`);
  return form;
}

/** What most cells are: of groups of thousands it is none. */
const plainDecimal = /^-?\d*\.(\d{1,2}|\d{4,})$/;

function likelyForm(rows: readonly TextRecord[], doubts: string[]): NumberForm {
  let point = 0;
  let comma = 0;
  let groupedComma = 0;
  let groupedPoint = 0;
  let pointThenComma = 0;
  let commaThenPoint = 0;
  let grouped: { cell: string; line: number } | undefined;
  for (const { cells, line } of rows.slice(0, 500))
    for (const raw of cells) {
      if (!/[.,]/.test(raw)) continue;
      if (plainDecimal.test(raw)) {
        point++;
        continue;
      }
      const cell = raw
        .replace(/[%€$£¥\s\u00a0\u202f]/g, "")
        .replace(/^[-+−]/, "")
        .replace(/[eE][-+]?\d+$/, "");
      if (!/^[\d.,]+$/.test(cell)) continue;
      if (/^\d{1,3}(\.\d{3})+,\d+$/.test(cell)) pointThenComma++;
      else if (/^\d{1,3}(,\d{3})+\.\d+$/.test(cell)) commaThenPoint++;
      else if (/^[1-9]\d{0,2}(,\d{3})+$/.test(cell)) {
        groupedComma++;
        grouped ??= { cell, line };
      } else if (/^\d*,\d+$/.test(cell)) comma++;
      else if (/^[1-9]\d{0,2}(\.\d{3}){2,}$/.test(cell)) pointThenComma++;
      else if (/^[1-9]\d{0,2}\.\d{3}$/.test(cell)) groupedPoint++;
      else if (/^\d*\.\d+$/.test(cell)) point++;
    }
  if (commaThenPoint > 0 || (groupedComma > 0 && comma === 0 && point > 0))
    return { decimal: ".", thousands: "," };
  if (pointThenComma > 0 || (comma > 0 && groupedPoint > 0 && point === 0))
    return { decimal: ",", thousands: "." };
  if (comma > 0 && point === 0) return { decimal: ",", thousands: "" };
  if (groupedComma > 0 && grouped !== undefined)
    doubts.push(
      `Line ${grouped.line} has "${grouped.cell}", which may be a decimal or thousands. Say ${optionName("decimal", ",")} or ${optionName("thousands", ",")}.`,
    );
  return PLAIN;
}
