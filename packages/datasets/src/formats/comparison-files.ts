/** Answers in several files, as one for each person, read as one table. */
import { badOption, CurvatureError, shown } from "@curvature/linalg";
import { answerRecords } from "./answer-records.js";
import type { ByteSource } from "./bytes.js";
import { type ComparisonsOptions, comparisonsOptions } from "./comparison-options.js";
import type { ComparisonTable } from "./comparison-table.js";
import { ComparisonBuilder } from "./comparisons.js";
import { ragged } from "./table.js";

export interface AnswerFile {
  /** For notes and errors; and of the person, where no column says whose answers they are. */
  readonly name: string;
  readonly source: ByteSource;
}

/** A file, and the lines of those before it. */
interface Part {
  readonly name: string;
  readonly before: number;
}

/**
 * The answers of several files as one table: filters, names and counts are of all of them together. The files have the columns
 * that are used, in any order, whatever others some of them have; a file without answers is named in `warnings`. Where no column names people, each file is one person's; a trial never reaches from one file into the
 * next.
 *
 * @returns as `readComparisons`; `lines` are counted through all files
 *
 * @example
 * const { participants } = await readComparisonFiles([
 *   { name: "ann.csv", source: "anchor,near,far\nfig,pear,nail\n" },
 *   { name: "bob.csv", source: "far,near,anchor\nnail,fig,pear\n" },
 * ]);
 * // ["ann.csv", "bob.csv"]
 *
 * @throws CurvatureError as `readComparisons`, with the file and the line in it; ERR_PARSE for files of other columns,
 *   ERR_OPTION for matrices
 */
export async function readComparisonFiles(
  files: readonly AnswerFile[],
  options?: ComparisonsOptions,
): Promise<ComparisonTable> {
  const settings = comparisonsOptions.resolve("readComparisonFiles", options);
  checkFiles(files);
  if (settings.kind === "distances" || settings.kind === "similarities")
    throw badOption(
      "readComparisonFiles",
      "kind",
      "a kind of trials, since a matrix is one file",
      settings.kind,
    );
  const builder = new ComparisonBuilder(settings);
  const parts: Part[] = [];
  const notes: string[] = [];
  const empty: string[] = [];
  let header: readonly string[] | undefined;
  let end = 0;
  const names = differently(files.map(({ name }) => name));
  for (const [place, { source }] of files.entries()) {
    const name = names[place];
    const part = { name, before: end };
    parts.push(part);
    if (files.length > 1) builder.begin(name);
    let isFirst = true;
    let own = 0;
    let answers = 0;
    let order: readonly number[] | undefined;
    let ofTake: unknown;
    const take = (cells: readonly string[], line: number): undefined => {
      end = part.before + line;
      try {
        if (isFirst && header !== undefined)
          order = orderOf(cells, header, parts, (column) => builder.uses(column));
        else if (order !== undefined && cells.length !== own) throw ragged(end, own, cells.length);
        else builder.take(order?.map((column) => cells[column] ?? "") ?? cells, end);
        if (isFirst) own = cells.length;
        else answers++;
        if (isFirst && header === undefined && builder.hasHeader) header = [...cells];
        isFirst = false;
      } catch (error) {
        ofTake = error;
        throw error;
      }
    };
    try {
      const read = await answerRecords("readComparisonFiles", source, settings, take);
      notes.push(...read.notes.map((note) => `${name}: ${note}`));
      if (answers === 0 && (isFirst || builder.hasHeader)) empty.push(name);
    } catch (error) {
      throw error === ofTake ? inParts(error, parts) : inPart(error, name);
    }
  }
  try {
    const table = builder.finish(notes);
    const warnings = empty.map((name) => `${name} has no answers. Is it the right file?`);
    return { ...table, warnings: [...table.warnings, ...warnings] };
  } catch (error) {
    throw inParts(error, parts);
  }
}

function checkFiles(files: unknown): void {
  const isFile = (file: unknown): boolean =>
    typeof file === "object" &&
    file !== null &&
    "name" in file &&
    "source" in file &&
    typeof file.name === "string";
  if (Array.isArray(files) && files.length > 0 && files.every(isFile)) return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `The files must be an array of { name, source }, of at least one; received ${shown(files)}.`,
    {
      where: "readComparisonFiles",
      path: "files",
      expected: "an array of { name, source }",
      received: files,
    },
  );
}

/** Files of one name, from different folders, are not one. */
function differently(names: readonly string[]): readonly string[] {
  const found = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let k = 2; found.has(own); k++) own = `${name} (${k})`;
    found.add(own);
    return own;
  });
}

/** Where in this file the columns of the first one are; −1 for one that nobody uses and this file lacks. */
function orderOf(
  cells: readonly string[],
  header: readonly string[],
  parts: readonly Part[],
  isUsed: (column: number) => boolean,
): readonly number[] | undefined {
  const names = cells.map((cell) => cell.trim());
  const order = header.map((name) => names.indexOf(name.trim()));
  const there = order.filter((column) => column >= 0);
  if (new Set(there).size === there.length && order.every((at, column) => at >= 0 || !isUsed(column)))
    return cells.length === header.length && order.every((column, k) => column === k) ? undefined : order;
  const listed = (of: readonly string[]): string => of.map(shown).join(", ");
  throw new CurvatureError(
    "ERR_PARSE",
    `${parts[parts.length - 1].name} begins with ${listed(cells)}, and ${parts[0].name} has the columns ${listed(header)}. Give files that have the columns that are used, called alike, or read them one by one.`,
    { path: parts[parts.length - 1].name, expected: listed(header), received: listed(cells) },
  );
}

const inPart = (error: unknown, name: string): unknown =>
  error instanceof CurvatureError && error.code !== "ERR_OPTION"
    ? again(error, `${name}: ${error.sentence}`, name)
    : error;

/** "Line 812" in "line 3 of b.csv", but in what a file itself says. */
function inParts(error: unknown, parts: readonly Part[]): unknown {
  if (!(error instanceof CurvatureError)) return error;
  const local = (text: string): string =>
    text.replace(/\b([Ll])ine (\d+)/g, (_, letter: string, digits: string) => {
      const line = Number(digits);
      const part = parts.findLast(({ before }) => before < line) ?? parts[0];
      return `${letter}ine ${line - part.before} of ${part.name}`;
    });
  const sentence = error.sentence
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((text, k) => (k % 2 === 0 ? local(text) : text))
    .join("");
  return sentence === error.sentence ? error : again(error, sentence, error.path && local(error.path));
}

const again = (error: CurvatureError, sentence: string, path: string | undefined): CurvatureError =>
  new CurvatureError(error.code, sentence, {
    path,
    expected: error.expected,
    received: error.received,
    where: error.where,
    cause: error,
  });
