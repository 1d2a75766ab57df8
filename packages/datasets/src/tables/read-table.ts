/** Any file of rows that people have: read as a table, with an account of what was decided. */
import {
  CurvatureError,
  integerFrom,
  type OptionsOf,
  oneOf,
  optionName,
  optionTable,
  type SettingsOf,
  text,
} from "@curvature/linalg";
import { type Column, type DataTable, type NumberView, numberAt } from "@curvature/linalg/tables";
import { allocate, type ByteSource, collected, peeked, pieces } from "../formats/bytes.js";
import { BLANKS, type CellSink, CsvScanner } from "../formats/csv-scanner.js";
import { delimiterByte } from "../formats/delimiter.js";
import { isGzip, reading } from "../formats/gzip.js";
import { idxMatrix, isIdx } from "../formats/idx.js";
import { type LibsvmBatch, libsvmOptions, readLibsvm } from "../formats/libsvm.js";
import { denseTable } from "../formats/libsvm-table.js";
import { isNpy } from "../formats/npy.js";
import { recordSizes } from "../formats/shared-options.js";
import { numbered, type Table } from "../formats/table.js";
import { arffRecords, isArff } from "./arff.js";
import { PLAIN } from "./cell.js";
import { areNumbers, gapsOf, matrixColumns, NumberCells, WordCells } from "./column-store.js";
import { type Dialect, delimiterName, dialectOf, isFooter } from "./dialect.js";
import { decoded } from "./encoding.js";
import { isArrow, isMatrixMarket, isNpz, isParquet } from "./first-bytes.js";
import { jsonRecords, withoutNaN } from "./json-table.js";
import type { Found } from "./typed-columns.js";
import { unreadable } from "./unreadable.js";

export const tableOptions = optionTable({
  /** The file's name, where it helps: `.gz`, `.svm`. */
  name: text,
  /** What the file is, if it does not tell by itself. */
  format: oneOf(
    ...(["auto", "csv", "tsv", "json", "jsonl", "arff", "npy", "npz"] as const),
    ...(["parquet", "arrow", "idx", "libsvm", "matrix-market"] as const),
  ).default("auto"),
  /** The mark between columns, `" "` for runs of blanks. Left out: decided. */
  delimiter: text.default("auto"),
  /** Whether the first line of the table names the columns. */
  header: oneOf("auto", "yes", "no").default("auto"),
  /** Lines before the table, its names included in what follows. Left out: decided. */
  skip: integerFrom(0),
  /** The decimal mark. */
  decimal: oneOf("auto", ".", ",").default("auto"),
  /** The mark between groups of three digits. */
  thousands: oneOf("auto", "none", ",", ".", "'", " ").default("auto"),
  /** Of text: a name that TextDecoder knows (`"utf-16le"`, `"windows-1252"`), or decided. */
  encoding: text.default("auto"),
  /** For LIBSVM text: see `LibsvmOptions`. */
  indexBase: libsvmOptions.entries.indexBase,
  ...recordSizes,
});
export type TableOptions = OptionsOf<typeof tableOptions>;
type Settings = SettingsOf<typeof tableOptions>;

export interface ReadTable extends DataTable {
  /** What rows and columns are, where they are no points. */
  readonly kind: "table" | "distances" | "edges";
  /** What was decided beside the plain case, in sentences. */
  readonly notes: readonly string[];
  /** How the file is written. */
  readonly form: {
    readonly format: "delimited" | Exclude<Settings["format"], "auto" | "csv" | "tsv">;
    /** Of text. */
    readonly encoding: string | undefined;
    readonly delimiter: string | undefined;
  };
}

/** LIBSVM's rows as they are, in single precision. */
export type SparseRows = { readonly kind: "sparse" } & LibsvmBatch<Float32Array>;

/** From so much of the beginning is decided how a text is written. */
const SAMPLE = 1 << 16;
const LONGEST_SAMPLE = 1 << 24;

/**
 * A table from delimited text, JSON, JSON Lines, ARFF, NPY, NPZ, Parquet, Arrow, IDX, LIBSVM or Matrix Market, plain, gzip or zstd.
 * Zeros of sparse formats are written out; LIBSVM's labels are the first column.
 *
 * @throws CurvatureError ERR_PARSE that names line and column and says what to do: for what is no table, what may be read in two ways
 *   (with the option that decides), and formats that are not read (with the command that converts them); ERR_OPTION; ERR_MEMORY
 */
export async function readTable(source: ByteSource, options?: TableOptions): Promise<ReadTable> {
  const settings = tableOptions.resolve("readTable", options);
  return detecting(source, settings, async (bytes) => {
    const { columns, points, labels } = denseTable(
      await readLibsvm(bytes, {
        precision: "double",
        indexBase: settings.indexBase,
        maxBytes: settings.maxBytes,
      }),
    );
    const features = matrixColumns(points, columns);
    const all = labels === undefined ? features : [labelColumn(labels), ...features];
    return {
      rows: points.rows,
      columns: all,
      isNamed: false,
      kind: "table",
      notes: [],
      form: { format: "libsvm", encoding: undefined, delimiter: undefined },
    };
  });
}

/**
 * The same, but LIBSVM's rows as they are: sparse, in single precision.
 *
 * @throws CurvatureError as `readTable`
 */
export async function readRows(source: ByteSource, options?: TableOptions): Promise<ReadTable | SparseRows> {
  const settings = tableOptions.resolve("readRows", options);
  const { indexBase, maxBytes } = settings;
  return detecting<ReadTable | SparseRows>(source, settings, async (bytes) => ({
    kind: "sparse",
    ...(await readLibsvm(bytes, { indexBase, maxBytes })),
  }));
}

/** By the stated format, the first bytes, and the text. */
async function detecting<T>(
  source: ByteSource,
  settings: Settings,
  sparse: (bytes: AsyncGenerator<Uint8Array>) => Promise<T>,
): Promise<T | ReadTable> {
  const name = (settings.name ?? "").toLowerCase();
  const outer = await peeked(pieces(source), 2);
  return reading<T | ReadTable>(outer.all, settings.maxBytes, async (bytes) => {
    const { head, all } = await peeked(bytes, 512);
    if (name.endsWith(".gz") && !isGzip(outer.head)) throw notGzip(settings.name);
    if (head.length === 0) throw noRows("The input is empty.");
    const { format } = settings;
    const is = (wanted: Settings["format"], holds: () => boolean): boolean =>
      format === "auto" ? holds() : format === wanted;
    if (is("idx", () => isIdx(head))) return found(matrixTable(idxMatrix(await collected(all))), "idx");
    if (is("npy", () => isNpy(head)))
      return found((await import("./numpy.js")).npyTable(await collected(all)), "npy");
    if (is("npz", () => isNpz(head)))
      return found(
        await (await import("./numpy.js")).npzTable(await collected(all), settings.maxBytes),
        "npz",
      );
    if (is("parquet", () => isParquet(head)))
      return found(await (await import("./parquet.js")).parquetTable(await collected(all)), "parquet");
    if (is("arrow", () => isArrow(head)))
      return found(await (await import("./arrow.js")).arrowTable(await collected(all)), "arrow");
    if (is("matrix-market", () => isMatrixMarket(head)))
      return found(
        matrixTable((await import("./matrix-market.js")).matrixMarket(await allText(all))),
        "matrix-market",
      );
    const refused = format === "auto" ? unreadable(head) : undefined;
    if (refused !== undefined)
      throw new CurvatureError(
        "ERR_PARSE",
        `The input is ${refused.name}, which is not read. ${refused.remedy}`,
        { path: "input" },
      );
    if (is("libsvm", () => /\.(svm|libsvm|svmlight)(\.(gz|zst))?$/.test(name))) return sparse(all);
    const { encoding, text: input } = await decoded(all, settings.encoding);
    const notes = encoding === "utf-8" ? [] : [`The text is read as ${encoding}.`];
    const sample = await sampleOf(input);
    const first = new TextDecoder().decode(sample.head);
    if (is("arff", () => isArff(first)))
      return whole(arffRecords(await allText(sample.all)), "arff", encoding, notes);
    const isJson = (): boolean => /^\s*[[{]/.test(first) && !/^\s*\[[A-Za-z]/.test(first);
    if (format === "json" || is("jsonl", isJson)) {
      const json = jsonDialect(await allText(sample.all));
      return whole(json.dialect, json.format, encoding, notes);
    }
    if (format === "auto" && isLibsvm(first)) return sparse(sample.all);
    return delimited(sample, settings, encoding, notes);
  }).catch((cause: unknown) => {
    throw cause instanceof RangeError && /call stack|string length/i.test(cause.message)
      ? tooDeep(cause)
      : cause;
  });
}

const tooDeep = (cause: unknown): CurvatureError =>
  new CurvatureError(
    "ERR_PARSE",
    "The input is nested too deep, or has a line that is too long. Check its brackets, quotes and line ends.",
    { path: "input", cause },
  );

function notGzip(name: string | undefined): CurvatureError {
  return new CurvatureError(
    "ERR_PARSE",
    "The name ends in .gz, but the content is not gzip. Rename or compress it.",
    { path: "name", received: name },
  );
}

const noRows = (sentence: string): CurvatureError =>
  new CurvatureError("ERR_PARSE", `${sentence} Give at least one row of data.`, {
    path: "input",
    expected: "at least one row of data",
  });

/** What a reader of another format than text found. */
function found({ rows, columns, isNamed }: Found, format: ReadTable["form"]["format"]): ReadTable {
  if (rows === 0) throw noRows("The input has no rows of data.");
  const notes: string[] = [];
  const kind = kindOf(columns, rows, notes);
  const form = { format, encoding: undefined, delimiter: undefined };
  return { rows, columns, isNamed, kind, notes, form };
}

/** Columns without names. */
const matrixTable = (points: Table["points"]): Found => ({
  rows: points.rows,
  columns: matrixColumns(points, numbered(points.columns)),
  isNamed: false,
});

/** Labels as LIBSVM text has them: words, or numbers if all of them are. */
function labelColumn(labels: readonly string[]): Column {
  const cells = new WordCells(PLAIN);
  for (const [row, label] of labels.entries()) cells.text(row, label, false);
  const column = cells.finish({ name: "label", unit: undefined, isNameless: false }, labels.length);
  return column.type === "id"
    ? { ...column, type: column.numbers === undefined ? "word" : "number" }
    : column;
}

/** The beginning of a text, with a few lines at least, however long they are. */
async function sampleOf(
  input: AsyncGenerator<Uint8Array>,
): Promise<Awaited<ReturnType<typeof peeked>> & { readonly isWhole: boolean }> {
  for (let all = input, size = SAMPLE; ; size *= 4) {
    const sample = await peeked(all, size);
    all = sample.all;
    const isWhole = sample.head.length < size;
    const lines = sample.head.reduce((count, byte) => (byte === 10 || byte === 13 ? count + 1 : count), 0);
    if (isWhole || lines > 3 || size > LONGEST_SAMPLE) return { ...sample, isWhole };
  }
}

/** A label and an entry, blanks between, in the first line that is no comment. */
const isLibsvm = (text: string): boolean =>
  /^(\s*#[^\n]*\n)*\s*[^\s:,;"]+[ \t]+(qid:\d+[ \t]+)?\d+:[-+.\d][^\s:,;]*(\s|$)/.test(text);

async function allText(input: AsyncGenerator<Uint8Array>): Promise<string> {
  return utf8(await collected(input), "The input");
}

function jsonDialect(text: string): { dialect: Dialect; format: "json" | "jsonl" } {
  const parsed = (part: string): ReturnType<typeof JSON.parse> => {
    try {
      return JSON.parse(part);
    } catch {
      return JSON.parse(withoutNaN(part));
    }
  };
  try {
    return { dialect: jsonRecords(parsed(text)), format: "json" };
  } catch (error) {
    if (error instanceof CurvatureError) throw error;
  }
  const lines = text.split(/\r?\n/).flatMap((line, i) => (line.trim() === "" ? [] : [{ line, i }]));
  const rows = lines.map(({ line, i }) => {
    try {
      return parsed(line);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message.replace(/\p{C}/gu, " ").slice(0, 200) : "";
      throw new CurvatureError("ERR_PARSE", `Line ${i + 1} is not valid JSON: ${reason}. Correct it there.`, {
        path: `line ${i + 1}`,
        cause,
      });
    }
  });
  return { dialect: jsonRecords(rows), format: "jsonl" };
}

/** A table whose records are all there. */
function whole(
  dialect: Dialect,
  format: ReadTable["form"]["format"],
  encoding: string,
  notes: readonly string[],
): ReadTable {
  const sink = new TableSink(dialect);
  for (const { cells, quoted, line } of dialect.rows) sink.record(cells, quoted, line);
  return sink.finish({ format, encoding, delimiter: undefined }, notes);
}

async function delimited(
  { head, all, isWhole }: Awaited<ReturnType<typeof sampleOf>>,
  { delimiter, format, header, skip, decimal, thousands, maxRecordBytes }: Settings,
  encoding: string,
  notes: readonly string[],
): Promise<ReadTable> {
  const end = isWhole ? head.length : Math.max(head.lastIndexOf(10), head.lastIndexOf(13)) + 1;
  const sample = utf8(head.subarray(0, end === 0 ? head.length : end), "The beginning of the input", true);
  if (sample.includes("\0"))
    throw new CurvatureError("ERR_PARSE", "The input has NUL bytes in its first lines. Give plain text.", {
      path: "input",
    });
  const mark = delimiter !== "auto" ? delimiter : format === "tsv" ? "\t" : undefined;
  if (mark !== undefined) delimiterByte("readTable", mark);
  const dialect = dialectOf(sample, { delimiter: mark, header, skip, decimal, thousands, isWhole });
  if (dialect.doubts.length > 0) {
    const more = dialect.doubts.length > 3 ? ` (and ${dialect.doubts.length - 3} more)` : "";
    throw new CurvatureError("ERR_PARSE", dialect.doubts.slice(0, 3).join(" ") + more, { path: "input" });
  }
  if (dialect.rows.length === 0)
    throw noRows(
      `The input has ${dialect.names === undefined ? "no rows of data" : "a header and no rows"}.`,
    );
  const sink = new TableSink(dialect);
  const scanner = new CsvScanner(
    dialect.delimiter === " " ? BLANKS : dialect.delimiter.charCodeAt(0),
    sink,
    maxRecordBytes,
    dialect.quote === "" ? 0 : dialect.quote.charCodeAt(0),
    dialect.rows[0]?.line ?? 1,
  );
  let left = new TextEncoder().encode(sample.slice(0, dialect.rows[0]?.at ?? 0)).length;
  for await (const piece of all) {
    if (left < piece.length) scanner.push(left > 0 ? piece.subarray(left) : piece);
    left = Math.max(0, left - piece.length);
  }
  scanner.end();
  return sink.finish({ format: "delimited", encoding, delimiter: delimiterName(dialect.delimiter) }, notes);
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** @param isCut - whether a letter at the end may be cut @throws CurvatureError ERR_PARSE for bytes that are no UTF-8 */
function utf8(bytes: Uint8Array, place: string, isCut = false): string {
  try {
    return isCut
      ? new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
      : decoder.decode(bytes);
  } catch (cause) {
    throw new CurvatureError(
      "ERR_PARSE",
      `${place} has bytes that are no UTF-8. Say in which encoding it is written, as ${optionName("encoding", "windows-1252")}, or save it as UTF-8.`,
      { path: place, expected: "UTF-8", cause },
    );
  }
}

const MAX_FOOTERS = 5;

/** Numbers per block: large enough that blocks are few, small enough that the last one wastes little. */
const BLOCK = 1 << 17;

/** Takes records into columns. Columns of numbers share one array, row by row, as the matrix has them. */
class TableSink implements CellSink {
  private readonly words: (WordCells | undefined)[] = [];
  private readonly numbers: (NumberCells | undefined)[] = [];
  /** Of each column of numbers its place in a row of the array; −1 for others. */
  private readonly places: Int32Array;
  /** The same, but −1 where the scanner's number is not the column's. */
  private readonly plain: Int32Array;
  private readonly stride: number;
  private readonly full: Float64Array[] = [];
  private block: Float64Array;
  /** Where the row begins in the block. */
  private at = 0;
  private rows = 0;
  private column = 0;
  private isEmpty = true;
  private isComment = false;
  /** How many rows there were before the last blank line. */
  private afterBlank = 0;
  /** The first record of another width: a remark, after which the table must end. */
  private misfit: { line: number; cells: number } | undefined;

  constructor(private readonly dialect: Dialect) {
    const { width, rows, form, vectors } = dialect;
    this.places = new Int32Array(width).fill(-1);
    let stride = 0;
    for (let j = 0; j < width; j++) {
      const isWord = j === 0 && vectors !== undefined;
      const isNumber =
        !isWord &&
        areNumbers(
          rows.map((row) => row.cells[j] ?? ""),
          form,
        );
      this.numbers.push(isNumber ? new NumberCells(form) : undefined);
      this.words.push(isNumber ? undefined : new WordCells(form, isWord));
      if (isNumber) this.places[j] = stride++;
    }
    this.stride = stride;
    this.plain = this.places.map((place, j) => (this.numbers[j]?.isPlain ? place : -1));
    this.block = new Float64Array(
      stride * Math.min(Math.max(rows.length, 16), Math.ceil(BLOCK / Math.max(1, stride))),
    );
  }

  number(value: number): boolean {
    const { column } = this;
    if (column >= this.plain.length) return false;
    const place = this.plain[column];
    if (place < 0) return false;
    this.block[this.at + place] = value;
    this.column = column + 1;
    this.isEmpty = false;
    return true;
  }

  cell(bytes: Uint8Array, start: number, end: number, quoted: boolean, line: number): void {
    const content = start === end ? "" : utf8(bytes.subarray(start, end), `Line ${line}`);
    this.text(quoted ? content : content.trim(), quoted, line);
  }

  record(cells: readonly string[], quoted: readonly boolean[], line: number): void {
    for (const [j, cell] of cells.entries()) this.text(cell, quoted[j], line);
    this.endRecord(line);
  }

  private text(content: string, quoted: boolean, line: number): void {
    const { comment } = this.dialect;
    const column = this.column++;
    if (column === 0) this.isComment = comment !== undefined && !quoted && content.startsWith(comment);
    if (content !== "") this.isEmpty = false;
    const numbers = this.numbers[column];
    if (numbers !== undefined)
      this.block[this.at + this.places[column]] = numbers.valueOf(this.rows, content, line);
    else this.words[column]?.text(this.rows, content, quoted);
  }

  endRecord(line: number): void {
    const { column, isEmpty, isComment } = this;
    this.column = 0;
    this.isEmpty = true;
    this.isComment = false;
    if (!isEmpty && !isComment && column === this.dialect.width) {
      if (this.misfit !== undefined) throw ragged(this.misfit.line, this.dialect.width, this.misfit.cells);
      this.rows++;
      this.at += this.stride;
      if (this.at + this.stride > this.block.length) this.nextBlock();
      return;
    }
    if (!isEmpty && !isComment) {
      const { width } = this.dialect;
      const isRemark = isFooter(this.firstCell(this.rows)) || (column === 1 && width > 2);
      if (!isRemark) throw ragged(line, width, column);
      this.misfit ??= { line, cells: column };
    }
    if (isEmpty) this.afterBlank = this.rows;
    for (const numbers of this.numbers) numbers?.takeBack(this.rows);
  }

  private nextBlock(): void {
    const { stride } = this;
    if (stride === 0) return;
    this.full.push(this.at === this.block.length ? this.block : this.block.slice(0, this.at));
    const rows = Math.max(16, Math.ceil(BLOCK / stride));
    this.block = allocate(() => new Float64Array(rows * stride), 8 * rows * stride);
    this.at = 0;
  }

  /** All blocks in one array; each is given up once it is copied. */
  private joined(): Float64Array {
    const data = allocate(() => new Float64Array(this.rows * this.stride), 8 * this.rows * this.stride);
    let at = 0;
    for (let block = this.full.shift(); block !== undefined && at < data.length; block = this.full.shift()) {
      data.set(block.length > data.length - at ? block.subarray(0, data.length - at) : block, at);
      at += block.length;
    }
    if (at < data.length) data.set(this.block.subarray(0, data.length - at), at);
    return data;
  }

  private firstCell(row: number): string {
    return (this.numbers[0] ?? this.words[0])?.textOf(row) ?? "";
  }

  /** How many last rows begin as sums and sources do, and are such: they have no numbers, or those of the rows above together. */
  private footersOf(data: Float64Array): number {
    const { stride } = this;
    let rows = this.rows;
    while (rows > 2 && this.rows - rows < MAX_FOOTERS && isFooter(this.firstCell(rows - 1))) rows--;
    const isTotal = (row: number): boolean => {
      if (this.numbers[0] !== undefined || row === this.afterBlank) return true;
      let isAlone = true;
      for (let j = 0; j < stride; j++) {
        const value = data[row * stride + j];
        if (Number.isNaN(value)) continue;
        isAlone = false;
        let sum = 0;
        for (let i = 0; i < rows; i++) sum += data[i * stride + j] || 0;
        const isClose = (to: number): boolean => Math.abs(value - to) <= 2e-3 * Math.abs(to);
        if (isClose(sum) || isClose(sum / rows)) return true;
      }
      return isAlone;
    };
    while (rows < this.rows && !isTotal(rows)) rows++;
    return this.rows - rows;
  }

  finish(form: ReadTable["form"], before: readonly string[]): ReadTable {
    const { dialect } = this;
    const notes = [...before, ...dialect.notes];
    const data = this.joined();
    const footers = dialect.vectors === undefined ? this.footersOf(data) : 0;
    if (footers > 0) {
      this.rows -= footers;
      for (const numbers of this.numbers) numbers?.takeBack(this.rows);
      notes.push(
        footers === 1
          ? "The last row is a total or a remark, and left out."
          : `The last ${footers} rows are totals or remarks, and left out.`,
      );
    }
    if (this.misfit !== undefined) notes.push(`The lines from line ${this.misfit.line} on are no rows.`);
    if (this.rows === 0) throw noRows("The input has no rows of data.");
    const count = dialect.vectors?.count ?? this.rows;
    if (count !== this.rows)
      throw new CurvatureError(
        "ERR_PARSE",
        `Line 1 counts ${count} vectors, and there are ${this.rows}. Correct it, or cut it off.`,
        { path: "line 1", expected: `${count} rows`, received: this.rows },
      );
    const isNamed = dialect.names !== undefined;
    const names = isNamed ? distinct(dialect.names) : numbered(dialect.width);
    const { gaps, sentinels } = gapsOf(data, this.rows, this.stride);
    const all = names.flatMap((name, j) => {
      const own = dialect.names?.[j] ?? "";
      const column = {
        name,
        unit: dialect.units?.[j] || undefined,
        isNameless: isNamed && own === "" && j === 0,
      };
      const view = { data, offset: this.places[j], stride: this.stride };
      const finished =
        this.numbers[j]?.finish(column, view, this.rows, gaps[this.places[j]]) ??
        this.words[j]?.finish(
          column,
          this.rows,
          j === 0 && dialect.vectors !== undefined ? "word" : undefined,
        );
      return finished === undefined ? [] : [{ own, column: finished }];
    });
    const isNothing = ({ own, column }: (typeof all)[number]): boolean =>
      isNamed && own === "" && column.missing === this.rows;
    const empty = all.filter(isNothing).length;
    if (empty > 0)
      notes.push(
        `${empty === 1 ? "A column that is empty and has no name is" : `${empty} columns that are empty and have no name are`} left out.`,
      );
    const columns = all.filter((each) => !isNothing(each)).map(({ column }) => column);
    for (const [place, value] of sentinels)
      notes.push(
        `${value} in column ${JSON.stringify(names[this.places.indexOf(place)])} is a missing value.`,
      );
    const kind = kindOf(columns, this.rows, notes);
    return { rows: this.rows, columns, isNamed, kind, notes, form };
  }
}

const ragged = (line: number, expected: number, found: number): CurvatureError =>
  new CurvatureError(
    "ERR_PARSE",
    `Line ${line} has ${found} ${found === 1 ? "cell" : "cells"}, the others have ${expected}. Give every line the same number of cells, or give the right ${optionName("delimiter")}.`,
    { path: `line ${line}`, expected: `${expected} cells`, received: found },
  );

/** x, x → x, x.1, as pandas and R do; or x.2 where another column is called x.1. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set(names);
  const counts = new Map<string, number>();
  return names.map((name) => {
    let count = counts.get(name) ?? 0;
    if (count === 0 || name === "") {
      counts.set(name, 1);
      return name;
    }
    while (taken.has(`${name}.${count}`)) count++;
    counts.set(name, count + 1);
    taken.add(`${name}.${count}`);
    return `${name}.${count}`;
  });
}

/** What rows and columns are, where they are no points. */
function kindOf(columns: readonly Column[], rows: number, notes: string[]): ReadTable["kind"] {
  const numbers = columns.flatMap(({ type, numbers: own }) =>
    type === "number" && own !== undefined ? [own] : [],
  );
  if (
    numbers.length > 2 &&
    columns.length - numbers.length <= 1 &&
    rows === numbers.length &&
    areDistances(numbers)
  ) {
    notes.push(`${rows} rows and as many columns, symmetric, 0 on the diagonal: a matrix of distances.`);
    return "distances";
  }
  const [from = "", to = "", third] = columns.map(({ name }) => name.toLowerCase());
  const areTriples = from === "i" && to === "j" && third === "k"; // comparisons of three
  const areEnds = columns.slice(0, 2).every((column) => isEnd(column, rows)); // wind has components u and v, too
  if (
    !areTriples &&
    areEnds &&
    columns.length <= 4 &&
    edgeNames.some(([a, b]) => a.test(from) && b.test(to))
  ) {
    notes.push(`Columns "${columns[0].name}" and "${columns[1].name}": a list of edges.`);
    return "edges";
  }
  return "table";
}

/** Names, or whole numbers. */
const isEnd = ({ numbers }: Column, rows: number): boolean =>
  numbers === undefined ||
  Array.from({ length: rows }, (_, i) => numberAt(numbers, i)).every(Number.isInteger);

const edgeNames = [
  [/^(source|src)(_?id)?$/, /^(target|dst|dest|destination)(_?id)?$/],
  [/^from(_?(id|node))?$/, /^to(_?(id|node))?$/],
  [/^(u|i|node1|head)$/, /^(v|j|node2|tail)$/],
] as const;

const areDistances = (columns: readonly NumberView[]): boolean =>
  columns.every((column, j) =>
    columns.every((other, i) => {
      const value = numberAt(column, i);
      return i === j ? value === 0 : value >= 0 && value === numberAt(other, j);
    }),
  );
