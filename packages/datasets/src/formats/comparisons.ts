/**
 * Reader of comparisons: answers to "which two are nearer to each other?", one per line.
 *
 * A triplet i, j, k says that i is nearer to j than to k; a quadruplet i, j, l, k says that i, j are nearer to each
 * other than l, k are. Objects are whole numbers counted from 0, or names.
 */
import {
  badOption,
  CurvatureError,
  either,
  flag,
  integerFrom,
  type OptionsOf,
  oneOf,
  option,
  optionName,
  optionTable,
  type SettingsOf,
  shown,
} from "@curvature/linalg";
import type { ByteSource } from "./bytes.js";
import { type ComparisonColumns, namedColumns, positionalColumns } from "./comparison-columns.js";
import { isNumeric, mostObjects, objectsOf, type Word } from "./comparison-objects.js";
import { IntegerStore } from "./integer-store.js";
import { readRecords } from "./records.js";
import { countRepetitions } from "./repeated-comparisons.js";
import { delimiterEntry, recordSizes } from "./shared-options.js";
import { badCell, NumberStore, noData, ragged } from "./table.js";
import { doubtFirstLine, type FirstLine, repeatedHeader } from "./unknown-header.js";

const areNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === "string");
const count = integerFrom(1, mostObjects);

export const comparisonsOptions = optionTable({
  ...delimiterEntry,
  /**
   * Whether the first line names the columns; `"auto"`: if it names i, j, k or i, j, l, k, in any order
   * (or anchor, near, far; or head, winner, loser). Other columns are ignored, but `weight` or `count`. A first line of
   * other words that never come again is refused above numbers, and above ten answers and more that share their objects
   * (but one in 20); above others it is an answer, and doubted in `warnings`. `false` takes it for one, and so do `known`
   * objects.
   */
  header: either(flag, oneOf("auto")).default("auto"),
  /**
   * How the cells name objects: `"indices"` are whole numbers from 0; `"names"` is any text; `"auto"`: indices if every
   * cell is a number, else names.
   */
  objects: oneOf("auto", "indices", "names").default("auto"),
  /**
   * The objects there are: their names in their order, or their number. Others are then errors. Beside names that are
   * no numbers, cells that are all numbers are indices of them. Left out: all that appear.
   */
  known: option<readonly string[] | number>(
    "the objects' names, or their number",
    (value): value is readonly string[] | number => areNames(value) || count.accepts(value),
  ),
  /** What becomes of lines that compare an object's distance to itself, or a pair with itself. */
  degenerate: oneOf("error", "drop").default("error"),
  ...recordSizes,
});
export type ComparisonsOptions = OptionsOf<typeof comparisonsOptions>;

export interface ComparisonTable {
  readonly comparisons: {
    /** The number of objects, n. */
    readonly objects: number;
    /** i, j, l, k of each comparison, one after the other; a triplet i, j, k is i, j, i, k. */
    readonly quadruplets: Int32Array;
    /** One for each comparison, if the table has a column of them. */
    readonly weights: Float64Array | undefined;
  };
  /** Of the n objects, those given as known, or in the order in which they first appear; undefined for indices. */
  readonly names: readonly string[] | undefined;
  /** The line of each comparison, counted from 1. */
  readonly lines: Int32Array;
  /** Comparisons that say again what an earlier one said. */
  readonly duplicates: number;
  /** Questions that were answered both ways. */
  readonly contradictions: number;
  /** Lines that compared an object's distance to itself, or a pair with itself, and were dropped. */
  readonly dropped: number;
  /** Names of columns that were not used. */
  readonly ignored: readonly string[];
  /** Sentences on what may be an oversight. */
  readonly warnings: readonly string[];
}

/**
 * Comparisons from delimited text in UTF-8, plain or gzip.
 *
 * @throws CurvatureError ERR_PARSE (with the line) for text that is not such a table, for an object that is not among
 *   the known ones and for a comparison with itself; ERR_NON_FINITE for empty cells, NaN and infinities; ERR_OPTION,
 *   ERR_MEMORY
 */
export async function readComparisons(
  source: ByteSource,
  options?: ComparisonsOptions,
): Promise<ComparisonTable> {
  const settings = comparisonsOptions.resolve("readComparisons", options);
  if (typeof settings.known === "object") checkOnce(settings.known);
  const builder = new ComparisonBuilder(settings);
  await readRecords("readComparisons", source, settings, (cells, line) => {
    builder.take(cells, line);
    return undefined;
  });
  return builder.finish();
}

function checkOnce(known: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of known) {
    if (seen.has(name))
      throw badOption("readComparisons", "known", "names of which each is there once", name);
    seen.add(name);
  }
}

class ComparisonBuilder {
  private columns: ComparisonColumns | undefined;
  private width = 0;
  private header: FirstLine | undefined;
  /** The first line, if it may be a header whose names are not known. */
  private suspect: FirstLine | undefined;
  private readonly words: Word[] = [];
  private readonly wordOf = new Map<string, number>();
  private readonly entries = new IntegerStore();
  private readonly weights = new NumberStore();
  private readonly lines = new IntegerStore();

  constructor(private readonly settings: SettingsOf<typeof comparisonsOptions>) {}

  take(cells: readonly string[], line: number): void {
    if (this.columns === undefined) {
      this.width = cells.length;
      this.columns = this.columnsOf(cells, line);
      if (line === this.header?.line) return;
    }
    if (cells.length !== this.width) throw ragged(line, this.width, cells.length);
    if (this.header?.cells.every((cell, column) => cell === cells[column]))
      throw repeatedHeader(line, this.header);
    const { i, j, l, k, weight } = this.columns;
    for (const column of [i, j, l, k]) this.entries.append(this.word(cells[column], line, column));
    this.lines.append(line);
    if (weight !== undefined) this.weights.append(weightOf(cells[weight], line, weight));
  }

  private columnsOf(cells: readonly string[], line: number): ComparisonColumns {
    const { header, known } = this.settings;
    const named = header === false ? undefined : namedColumns(cells, line);
    if (named !== undefined || header === true) this.header = { line, cells: [...cells] };
    if (named !== undefined) return named;
    const mayName = !cells.some(isNumeric) && new Set(cells).size === cells.length;
    if (header === "auto" && known === undefined && mayName) this.suspect = { line, cells: [...cells] };
    return positionalColumns(cells.length, line);
  }

  private word(content: string, line: number, column: number): number {
    const known = this.wordOf.get(content);
    if (known !== undefined) return known;
    if (content.trim() === "") throw badCell(`line ${line}, column ${column + 1}`, "", Number.NaN);
    this.wordOf.set(content, this.words.length);
    return this.words.push({ text: content, line, column }) - 1;
  }

  finish(): ComparisonTable {
    if (this.columns === undefined) throw noComparisons("The input is empty.");
    if (this.lines.length === 0) throw noComparisons("The input has a header and no lines of data.");
    const { objects, names, indexOf, warnings } = objectsOf(this.words, this.settings);
    const quadruplets = this.entries.finish();
    const doubts = this.suspect === undefined ? [] : doubtFirstLine(this.suspect, this.words, quadruplets);
    for (let at = 0; at < quadruplets.length; at++) quadruplets[at] = indexOf[quadruplets[at]];
    const kept = this.kept(quadruplets, names);
    return {
      comparisons: { objects, quadruplets: kept.quadruplets, weights: kept.weights },
      names,
      lines: kept.lines,
      ...countRepetitions(kept.quadruplets),
      dropped: kept.dropped,
      ignored: this.columns.ignored,
      warnings: [...doubts, ...warnings],
    };
  }

  /** The comparisons without those that compare what is the same. */
  private kept(
    quadruplets: Int32Array,
    names: readonly string[] | undefined,
  ): { quadruplets: Int32Array; weights: Float64Array | undefined; lines: Int32Array; dropped: number } {
    const lines = this.lines.finish();
    const weights = this.columns?.weight === undefined ? undefined : this.weights.finish();
    let count = 0;
    for (let q = 0; q < lines.length; q++) {
      if (isDegenerate(quadruplets, q)) {
        if (this.settings.degenerate === "error")
          throw degenerate(quadruplets.subarray(4 * q, 4 * q + 4), lines[q], names);
        continue;
      }
      quadruplets.copyWithin(4 * count, 4 * q, 4 * q + 4);
      if (weights !== undefined) weights[count] = weights[q];
      lines[count++] = lines[q];
    }
    if (count === 0) throw noComparisons("All lines compare an object, or a pair, with itself.");
    if (weights?.subarray(0, count).every((weight) => weight === 0)) {
      throw new CurvatureError("ERR_PARSE", "All weights are 0. Give at least one that is above 0.", {
        path: "weight",
      });
    }
    const dropped = lines.length - count;
    if (dropped === 0) return { quadruplets, weights, lines, dropped };
    return {
      quadruplets: quadruplets.slice(0, 4 * count),
      weights: weights?.slice(0, count),
      lines: lines.slice(0, count),
      dropped,
    };
  }
}

function weightOf(content: string, line: number, column: number): number {
  const weight = isNumeric(content) ? Number(content) : Number.NaN;
  if (weight >= 0 && weight < Number.POSITIVE_INFINITY) return weight;
  const where = `line ${line}, column ${column + 1}`;
  if (!(weight < 0)) throw badCell(where, content, weight);
  throw new CurvatureError(
    "ERR_PARSE",
    `The weight at ${where} is ${content}. It must be a number of at least 0.`,
    { path: where, expected: "a number of at least 0", received: weight },
  );
}

function isDegenerate(quadruplets: Int32Array, q: number): boolean {
  const i = quadruplets[4 * q];
  const j = quadruplets[4 * q + 1];
  const l = quadruplets[4 * q + 2];
  const k = quadruplets[4 * q + 3];
  return i === j || l === k || (i === l && j === k) || (i === k && j === l);
}

function degenerate(
  [i, j, l, k]: Int32Array,
  line: number,
  names: readonly string[] | undefined,
): CurvatureError {
  const name = (object: number): string => (names === undefined ? String(object) : shown(names[object]));
  const what =
    i === j || l === k
      ? `compares the distance of ${name(i === j ? i : l)} to itself`
      : `compares the pair ${name(i)}, ${name(j)} with itself`;
  return new CurvatureError(
    "ERR_PARSE",
    `Line ${line} ${what}. Remove such lines, or have them left out: ${optionName("degenerate", "drop")}.`,
    { path: `line ${line}`, received: [i, j, l, k].join(", ") },
  );
}

function noComparisons(sentence: string): CurvatureError {
  return noData(sentence, "Give at least one comparison.");
}
