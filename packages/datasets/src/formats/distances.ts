/**
 * Reader of a matrix of distances between objects, with or without their names.
 */
import {
  CurvatureError,
  type DenseMatrix,
  flag,
  type OptionsOf,
  oneOf,
  optionName,
  optionTable,
  type SettingsOf,
  shown,
} from "@curvature/linalg";
import { type ByteSource, collected, peeked } from "./bytes.js";
import { isNumeric } from "./comparison-objects.js";
import type { CellSink } from "./csv-scanner.js";
import { isNpy } from "./first-bytes.js";
import { reading } from "./gzip.js";
import { readNpy } from "./npy.js";
import { parseNumber } from "./number.js";
import { commaDecimal, NumberColumn } from "./number-column.js";
import { cellText, isBlank, readRecords, recordEntries, scanCells } from "./records.js";
import { badCell, namesMissing, namesNonFinite, noData, ragged } from "./table.js";

export const matrixEntries = () => ({
  /** What becomes of two entries for one pair that differ by more than rounding: refused, or replaced by their mean. */
  asymmetry: oneOf("error", "mean").default("error"),
  /** What becomes of a matrix of which one triangle is empty: refused, or filled by the other one. */
  triangle: oneOf("error", "mirror").default("error"),
});

export const distancesOptions = optionTable({
  ...recordEntries,
  /** What the entries are: of similarities neither the sign nor the diagonal is checked. */
  values: oneOf("distances", "similarities").default("distances"),
  ...matrixEntries(),
  /** What becomes of empty entries: refused, or NaN for both entries of the pair. */
  missing: oneOf("error", "drop").default("error"),
  /**
   * Whether only the order matters: entries become their ranks from 0, those of similarities from the highest, which makes distances
   * of them.
   */
  ranks: flag.default(false),
});
export type DistancesOptions = OptionsOf<typeof distancesOptions>;

export interface DistanceTable {
  /** n × n, symmetric, with zeros on its diagonal. */
  readonly distances: DenseMatrix;
  /** From the first line or the first column; undefined if there are none. */
  readonly names: readonly string[] | undefined;
  /** Pairs without an entry, NaN in the matrix. */
  readonly gaps: number;
  /**
   * Whether what is given as distances looks like similarities: objects that are near to each other by it are far from different
   * objects. Of real distances the contrary holds.
   */
  readonly seemsTurned: boolean;
}

/**
 * A square, symmetric matrix of distances from delimited text (the objects' names in the first line, the first column,
 * or both) or NPY, plain or gzip. Entries that differ from their mirror by rounding (1e-6, relatively) become their mean.
 *
 * @throws CurvatureError ERR_PARSE, ERR_NON_FINITE (line and column named, counted from 1) for cells that are no numbers;
 *   ERR_SHAPE for a matrix that is not square; ERR_PARSE for a negative distance, a diagonal that is not 0, a matrix that is
 *   not symmetric, and names that differ or come twice
 */
export async function readDistances(source: ByteSource, options?: DistancesOptions): Promise<DistanceTable> {
  const settings = distancesOptions.resolve("readDistances", options);
  return reading(source, settings.maxBytes, async (input) => {
    const { head, all } = await peeked(input, 6);
    if (isNpy(head)) return checked((await readNpy(all)).points, undefined, settings);
    const bytes = await collected(all);
    const sink = new DistanceSink(await arrangement(bytes, settings), mayHaveGaps(settings));
    await scanCells("readDistances", bytes, settings, sink);
    const { columnNames, rowNames, points } = sink.finish();
    const names = columnNames ?? rowNames;
    checkSquare(points);
    if (columnNames !== undefined && rowNames !== undefined) checkAlike(columnNames, rowNames);
    if (names !== undefined) checkOnce(names);
    return checked(points, names, settings);
  });
}

type Settings = SettingsOf<typeof distancesOptions>;

const mayHaveGaps = ({ missing, triangle }: Settings): boolean => missing === "drop" || triangle === "mirror";

interface Arrangement {
  readonly header: boolean;
  readonly rowNames: boolean;
}

/** Whether the first line and the first column are names, judged by the first two lines. */
async function arrangement(bytes: Uint8Array, settings: Settings): Promise<Arrangement> {
  const lines: string[][] = [];
  await readRecords("readDistances", bytes, settings, (cells) => {
    lines.push([...cells]);
    return lines.length < 2;
  });
  const [first = [], second = []] = lines;
  const [corner = "", ...rest] = first;
  const header = (corner === "" && first.length > 1) || rest.some((cell) => !isEntry(cell));
  if (!header) return { header, rowNames: corner !== "" && !isNumeric(corner) };
  return { header, rowNames: corner === "" || (second.length > 0 && !isNumeric(second[0])) };
}

/** Takes names from the first line and the first column, where they are, and all other cells as numbers. */
class DistanceSink implements CellSink {
  private readonly columnNames: string[] = [];
  private readonly rowNames: string[] = [];
  private readonly values = new NumberColumn();
  private width = 0;
  private rows = 0;
  private column = 0;
  /** The line of a blank first cell, of which only the next cell tells that it is not a blank line. */
  private heldLine = 0;

  constructor(
    private readonly arrangement: Arrangement,
    private readonly mayHaveGaps: boolean,
  ) {}

  cell(bytes: Uint8Array, start: number, end: number, quoted: boolean, line: number): void {
    if (this.column === 0 && !quoted && isBlank(bytes, start, end)) {
      this.heldLine = line;
      this.column = 1;
      return;
    }
    this.takeHeld();
    const column = this.column++;
    if (this.isHeader) this.columnNames.push(cellText(bytes, start, end, quoted, line));
    else if (column === 0 && this.arrangement.rowNames)
      this.rowNames.push(cellText(bytes, start, end, quoted, line));
    else {
      const value = parseNumber(bytes, start, end);
      if (!Number.isFinite(value)) {
        const text = cellText(bytes, start, end, true, line);
        if (commaDecimal.test(text)) {
          this.values.append(text, `line ${line}, column ${column + 1}`);
          return;
        }
        const isGap = namesMissing(text) || text.trim().toLowerCase() === "nan";
        if (!isGap || !this.mayHaveGaps)
          throw withRemedy(badCell(`line ${line}, column ${column + 1}`, text, value), isGap);
      }
      this.values.push(Number.isFinite(value) ? value : Number.NaN);
    }
  }

  number(value: number): boolean {
    if (this.isHeader || this.heldLine > 0 || !Number.isFinite(value)) return false;
    if (this.column === 0 && this.arrangement.rowNames) return false;
    this.column++;
    this.values.push(value);
    return true;
  }

  endRecord(line: number): void {
    const isBlankLine = this.heldLine > 0;
    const { column } = this;
    this.heldLine = 0;
    this.column = 0;
    if (isBlankLine) return;
    if (this.width === 0) this.width = column;
    else if (column !== this.width) throw ragged(line, this.width, column);
    this.rows++;
  }

  private get isHeader(): boolean {
    return this.rows === 0 && this.arrangement.header;
  }

  private takeHeld(): void {
    const line = this.heldLine;
    if (line === 0) return;
    this.heldLine = 0;
    if (this.isHeader) this.columnNames.push("");
    else if (this.arrangement.rowNames) this.rowNames.push("");
    else if (this.mayHaveGaps) this.values.push(Number.NaN);
    else throw withRemedy(badCell(`line ${line}, column 1`, "", Number.NaN), true);
  }

  finish(): {
    readonly columnNames: readonly string[] | undefined;
    readonly rowNames: readonly string[] | undefined;
    readonly points: DenseMatrix;
  } {
    const { header, rowNames } = this.arrangement;
    const rows = this.rows - Number(header);
    if (this.rows === 0) throw noData("The input is empty.");
    if (rows === 0) throw noData("The input has a header and no rows.");
    const columns = this.width - Number(rowNames);
    return {
      columnNames: header ? this.columnNames.slice(Number(rowNames)) : undefined,
      rowNames: rowNames ? this.rowNames : undefined,
      points: { rows, columns, data: this.values.finish() },
    };
  }
}

/** Whether the cell is a distance, or a flaw in the place of one, and no name. */
const isEntry = (cell: string): boolean =>
  isNumeric(cell) || commaDecimal.test(cell) || namesMissing(cell) || namesNonFinite(cell);

function checkSquare({ rows, columns }: DenseMatrix): void {
  if (rows === columns) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `The distances have ${rows} rows and ${columns} columns (names not counted). Give a square matrix: one row and one column per object; where names are numbers, write words in their place, which numbers are not taken for.`,
    { expected: "a square matrix", received: `${rows} x ${columns}` },
  );
}

function checkAlike(columns: readonly string[], rows: readonly string[]): void {
  const at = rows.findIndex((name, k) => name !== columns[k]);
  if (at < 0) return;
  throw new CurvatureError(
    "ERR_PARSE",
    `Row ${at + 1} is named ${shown(rows[at])}, but column ${at + 1} is named ${shown(columns[at])}. Give rows and columns the same names in the same order.`,
    { path: `row ${at + 1}`, expected: columns[at], received: rows[at] },
  );
}

function checkOnce(names: readonly string[]): void {
  const seen = new Map<string, number>();
  for (const [k, name] of names.entries()) {
    const first = seen.get(name);
    if (first !== undefined) {
      throw new CurvatureError(
        "ERR_PARSE",
        `Objects ${first + 1} and ${k + 1} are both named ${shown(name)}. Give each its own name.`,
        { path: `object ${k + 1}`, received: name },
      );
    }
    seen.set(name, k);
  }
}

const rounding = 1e-6;

/** What is empty may be the other half of a matrix, or a pair that nobody compared. */
function withRemedy(error: CurvatureError, isGap: boolean): CurvatureError {
  if (!isGap) return error;
  const { code, path, expected, received } = error;
  return new CurvatureError(
    code,
    `${error.message} If one half of the matrix is empty, ${optionName("triangle", "mirror")}; if pairs are unknown, ${optionName("missing", "drop")}.`,
    { path, expected, received },
  );
}

function checked(
  distances: DenseMatrix,
  names: readonly string[] | undefined,
  settings: Settings,
): DistanceTable {
  checkSquare(distances);
  const { values, asymmetry, triangle, missing } = settings;
  const areDistances = values === "distances";
  const { rows, data } = distances;
  const name = (k: number): string => (names === undefined ? `object ${k + 1}` : shown(names[k]));
  if (triangle === "mirror") mirror(distances);
  let gaps = 0;
  for (let i = 0; i < rows; i++) {
    const self = data[i * rows + i];
    if (Number.isNaN(self) && mayHaveGaps(settings)) data[i * rows + i] = 0;
    else if (areDistances && self !== 0) {
      throw badDistance(
        `The distance of ${name(i)} to itself is ${self}, not 0. Give distances, not similarities.`,
        i,
        i,
      );
    }
    for (let j = 0; j < i; j++) {
      let lower = data[i * rows + j];
      let upper = data[j * rows + i];
      if (asymmetry === "mean" && Number.isNaN(lower) !== Number.isNaN(upper))
        lower = upper = Number.isNaN(lower) ? upper : lower;
      if (Number.isNaN(lower) || Number.isNaN(upper)) {
        if (missing === "error")
          throw badDistance(
            `There is no entry for ${name(i)} and ${name(j)}. Fill it, or have such pairs left out: ${optionName("missing", "drop")}.`,
            i,
            j,
          );
        gaps++;
        data[i * rows + j] = Number.NaN;
        data[j * rows + i] = Number.NaN;
        continue;
      }
      if (areDistances && (lower < 0 || upper < 0)) {
        throw badDistance(
          `The distance of ${name(i)} and ${name(j)} is ${Math.min(lower, upper)}. Give distances of at least 0.`,
          i,
          j,
        );
      }
      const isAsymmetric = Math.abs(lower - upper) > rounding * Math.max(Math.abs(lower), Math.abs(upper));
      if (isAsymmetric && asymmetry === "error") {
        if (lower === 0 || upper === 0) checkHalf(distances);
        throw badDistance(
          `The ${areDistances ? "distance" : "similarity"} from ${name(i)} to ${name(j)} is ${lower}, but back it is ${upper}. Give a symmetric matrix, or have the means taken: ${optionName("asymmetry", "mean")}.`,
          i,
          j,
        );
      }
      const mean = lower === upper ? lower : lower / 2 + upper / 2;
      data[i * rows + j] = mean;
      data[j * rows + i] = mean;
    }
  }
  const seemsTurned = areDistances && looksTurned(distances);
  if (settings.ranks) takeRanks(distances, !areDistances);
  return { distances, names, gaps, seemsTurned };
}

type Entry = (i: number, j: number) => number;

/** Where the half is that has all entries, and where the one that is empty or all zeros; undefined where both are there. */
function halves({ rows, data }: DenseMatrix): { readonly from: Entry; readonly to: Entry } | undefined {
  const isEmpty = (entry: Entry): boolean => {
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < i; j++) {
        const value = data[entry(i, j)];
        if (!Number.isNaN(value) && value !== 0) return false;
      }
    return true;
  };
  const lower = (i: number, j: number): number => i * rows + j;
  const upper = (i: number, j: number): number => j * rows + i;
  if (isEmpty(upper)) return { from: lower, to: upper };
  return isEmpty(lower) ? { from: upper, to: lower } : undefined;
}

/** @throws CurvatureError ERR_PARSE where one half of the matrix holds zeros only, as of a matrix that was not filled */
function checkHalf(distances: DenseMatrix): void {
  const half = halves(distances);
  if (half === undefined) return;
  const where = half.to(1, 0) === 1 ? "above" : "below";
  throw new CurvatureError(
    "ERR_PARSE",
    `All entries ${where} the diagonal are 0, and the others are not. If they were left out, have them filled: ${optionName("triangle", "mirror")}.`,
    { path: "triangle", expected: "a symmetric matrix" },
  );
}

/** Fills an empty triangle by the other one. */
function mirror(distances: DenseMatrix): void {
  const { rows, data } = distances;
  const half = halves(distances);
  if (half === undefined) return;
  const { from, to } = half;
  for (let i = 0; i < rows; i++) for (let j = 0; j < i; j++) data[to(i, j)] = data[from(i, j)];
}

/** Pairs by their rank, from 0; equal ones share it. */
function takeRanks({ rows, data }: DenseMatrix, fromHighest: boolean): void {
  const values: number[] = [];
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < i; j++) if (!Number.isNaN(data[i * rows + j])) values.push(data[i * rows + j]);
  const sorted = Float64Array.from(new Set(values)).sort();
  if (fromHighest) sorted.reverse();
  const rankOf = new Map(Array.from(sorted, (value, rank) => [value, rank]));
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < rows; j++) {
      const at = i * rows + j;
      data[at] = i === j ? 0 : (rankOf.get(data[at]) ?? Number.NaN);
    }
}

/** Fewer pairs say nothing. */
const leastPairs = 15;
/** So many objects suffice to see it. */
const mostProbed = 60;

/**
 * Whether near objects have different rows: the rank correlation of entries with the distances of their rows is clearly negative.
 * Of distances it is above 0 in any number of dimensions.
 */
function looksTurned({ rows: n, data }: DenseMatrix): boolean {
  const step = Math.max(1, Math.ceil(n / mostProbed));
  const entries: number[] = [];
  const profiles: number[] = [];
  for (let i = 0; i < n; i += step)
    for (let j = 0; j < i; j += step) {
      let sum = 0;
      let count = 0;
      for (let k = 0; k < n; k++) {
        const difference = data[i * n + k] - data[j * n + k];
        if (k === i || k === j || Number.isNaN(difference)) continue;
        sum += difference * difference;
        count++;
      }
      const entry = data[i * n + j];
      if (count === 0 || Number.isNaN(entry)) continue;
      entries.push(entry);
      profiles.push(sum / count);
    }
  if (entries.length < leastPairs) return false;
  return correlation(ranksOf(entries), ranksOf(profiles)) < -1 / Math.sqrt(entries.length);
}

/** Equal ones share the mean of theirs. */
function ranksOf(values: readonly number[]): Float64Array {
  const order = [...values.keys()].sort((a, b) => values[a] - values[b]);
  const ranks = new Float64Array(values.length);
  for (let first = 0; first < order.length; ) {
    let last = first;
    while (last + 1 < order.length && values[order[last + 1]] === values[order[first]]) last++;
    for (let at = first; at <= last; at++) ranks[order[at]] = (first + last) / 2;
    first = last + 1;
  }
  return ranks;
}

function correlation(a: Float64Array, b: Float64Array): number {
  const mean = (a.length - 1) / 2; // of ranks
  let [ab, aa, bb] = [0, 0, 0];
  for (let k = 0; k < a.length; k++) {
    ab += (a[k] - mean) * (b[k] - mean);
    aa += (a[k] - mean) ** 2;
    bb += (b[k] - mean) ** 2;
  }
  return aa === 0 || bb === 0 ? 0 : ab / Math.sqrt(aa * bb);
}

function badDistance(sentence: string, i: number, j: number): CurvatureError {
  return new CurvatureError("ERR_PARSE", sentence, { path: `row ${i + 1}, column ${j + 1}` });
}
