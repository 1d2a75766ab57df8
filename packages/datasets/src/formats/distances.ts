/**
 * Reader of a matrix of distances between objects, with or without their names.
 */
import {
  CurvatureError,
  type DenseMatrix,
  type OptionsOf,
  oneOf,
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
import { cellText, isBlank, readRecords, recordEntries, scanCells } from "./records.js";
import { badCell, NumberStore, namesMissing, namesNonFinite, noData, ragged } from "./table.js";

export const distancesOptions = optionTable({
  ...recordEntries,
  /** What the entries are: of similarities neither the sign nor the diagonal is checked. */
  values: oneOf("distances", "similarities").default("distances"),
});
export type DistancesOptions = OptionsOf<typeof distancesOptions>;

export interface DistanceTable {
  /** n × n, symmetric, with zeros on its diagonal. */
  readonly distances: DenseMatrix;
  /** From the first line or the first column; undefined if there are none. */
  readonly names: readonly string[] | undefined;
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
    if (isNpy(head)) return checked((await readNpy(all)).points, undefined, settings.values);
    const bytes = await collected(all);
    const sink = new DistanceSink(await arrangement(bytes, settings));
    await scanCells("readDistances", bytes, settings, sink);
    const { columnNames, rowNames, points } = sink.finish();
    const names = columnNames ?? rowNames;
    checkSquare(points);
    if (columnNames !== undefined && rowNames !== undefined) checkAlike(columnNames, rowNames);
    if (names !== undefined) checkOnce(names);
    return checked(points, names, settings.values);
  });
}

interface Arrangement {
  readonly header: boolean;
  readonly rowNames: boolean;
}

/** Whether the first line and the first column are names, judged by the first two lines. */
async function arrangement(
  bytes: Uint8Array,
  settings: SettingsOf<typeof distancesOptions>,
): Promise<Arrangement> {
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
  private readonly values = new NumberStore();
  private width = 0;
  private rows = 0;
  private column = 0;
  /** The line of a blank first cell, of which only the next cell tells that it is not a blank line. */
  private heldLine = 0;

  constructor(private readonly arrangement: Arrangement) {}

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
      if (!Number.isFinite(value))
        throw badCell(`line ${line}, column ${column + 1}`, cellText(bytes, start, end, true, line), value);
      this.values.append(value);
    }
  }

  number(value: number): boolean {
    if (this.isHeader || this.heldLine > 0 || !Number.isFinite(value)) return false;
    if (this.column === 0 && this.arrangement.rowNames) return false;
    this.column++;
    this.values.append(value);
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
    else throw badCell(`line ${line}, column 1`, "", Number.NaN);
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
const isEntry = (cell: string): boolean => isNumeric(cell) || namesMissing(cell) || namesNonFinite(cell);

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

function checked(
  distances: DenseMatrix,
  names: readonly string[] | undefined,
  values: "distances" | "similarities",
): DistanceTable {
  checkSquare(distances);
  const areDistances = values === "distances";
  const { rows, data } = distances;
  const name = (k: number): string => (names === undefined ? `object ${k + 1}` : shown(names[k]));
  for (let i = 0; i < rows; i++) {
    if (areDistances && data[i * rows + i] !== 0) {
      throw badDistance(
        `The distance of ${name(i)} to itself is ${data[i * rows + i]}, not 0. Give distances, not similarities.`,
        i,
        i,
      );
    }
    for (let j = 0; j < i; j++) {
      const lower = data[i * rows + j];
      const upper = data[j * rows + i];
      if (areDistances && (lower < 0 || upper < 0)) {
        throw badDistance(
          `The distance of ${name(i)} and ${name(j)} is ${Math.min(lower, upper)}. Give distances of at least 0.`,
          i,
          j,
        );
      }
      if (Math.abs(lower - upper) > rounding * Math.max(Math.abs(lower), Math.abs(upper))) {
        throw badDistance(
          `The ${areDistances ? "distance" : "similarity"} from ${name(i)} to ${name(j)} is ${lower}, but back it is ${upper}. Give a symmetric matrix.`,
          i,
          j,
        );
      }
      const mean = lower === upper ? lower : lower / 2 + upper / 2;
      data[i * rows + j] = mean;
      data[j * rows + i] = mean;
    }
  }
  return { distances, names };
}

function badDistance(sentence: string, i: number, j: number): CurvatureError {
  return new CurvatureError("ERR_PARSE", sentence, { path: `row ${i + 1}, column ${j + 1}` });
}
