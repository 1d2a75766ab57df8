/** Any table that people have: read, with an account of what was decided. */
import { CurvatureError, type OptionsOf, oneOf, optionTable, type SettingsOf, text } from "@curvature/linalg";
import { type ByteSource, collected, peeked } from "../formats/bytes.js";
import { type CellSink, CsvScanner } from "../formats/csv-scanner.js";
import { reading } from "../formats/gzip.js";
import { readLibsvm } from "../formats/libsvm.js";
import { denseTable } from "../formats/libsvm-table.js";
import { isNpy, readNpy } from "../formats/npy.js";
import { recordSizes } from "../formats/shared-options.js";
import type { Table } from "../formats/table.js";
import { arffRecords, isArff } from "./arff.js";
import { areNumbers, type Column, ColumnStore } from "./column-store.js";
import { type Dialect, delimiterName, dialectOf, isFooter } from "./dialect.js";
import { decoded } from "./encoding.js";
import { jsonRecords, withoutNaN } from "./json-table.js";
import { unreadable } from "./unreadable.js";

export const tableOptions = optionTable({
  /** The file's name, for messages. */
  name: text,
  /** The mark between columns, or " " for runs of blanks. Left out: decided. */
  delimiter: text,
  /** Whether the first line of the table names the columns. */
  header: oneOf("auto", "yes", "no").default("auto"),
  ...recordSizes,
});
export type TableOptions = OptionsOf<typeof tableOptions>;

export interface DataTable {
  readonly rows: number;
  readonly columns: readonly Column[];
  readonly kind: "table" | "distances" | "edges";
  /** What was decided beside the plain case, in sentences. */
  readonly notes: readonly string[];
  /** How the file is written. */
  readonly form: {
    readonly format: "delimited" | "json" | "jsonl" | "arff" | "npy" | "libsvm";
    readonly encoding: string;
    readonly delimiter: string | undefined;
    readonly hasNames: boolean;
  };
}

/** From so much of the beginning is decided how a text is written. */
const SAMPLE = 1 << 18;

export async function readTable(source: ByteSource, options?: TableOptions): Promise<DataTable> {
  const settings = tableOptions.resolve("readTable", options);
  return reading(source, settings.maxBytes, async (bytes) => {
    const { head, all } = await peeked(bytes, 512);
    if (head.length === 0) throw new CurvatureError("ERR_PARSE", "The input is empty. Give a table with at least one row.", { path: "input" });
    if (isNpy(head)) return arrays(await readNpy(await collected(all)), "npy");
    const refused = unreadable(head);
    if (refused !== undefined)
      throw new CurvatureError("ERR_PARSE", `The input is ${refused.name}, which is not read. ${refused.remedy}`, { path: "input" });
    const { encoding, text: input } = await decoded(all);
    const notes: string[] = [];
    if (encoding !== "utf-8") notes.push(`The text is read as ${encoding}.`);
    const sample = await peeked(input, SAMPLE);
    const first = new TextDecoder().decode(sample.head);
    if (isArff(first)) return whole(arffRecords(await allText(sample.all)), "arff", encoding, notes);
    if (/^\s*[[{]/.test(first) && !/^\s*\[[A-Za-z]/.test(first)) {
      const { dialect, format } = jsonDialect(await allText(sample.all));
      return whole(dialect, format, encoding, notes);
    }
    if (isLibsvm(first)) {
      const { columns, points, labels } = denseTable(await readLibsvm(await collected(sample.all), { precision: "double" }));
      return arrays({ columns, points, labels }, "libsvm");
    }
    return delimited(sample.head, sample.all, settings, encoding, notes);
  });
}

/** Columns of a matrix, and labels before them. */
function arrays({ columns, points, labels }: Table, format: "npy" | "libsvm"): DataTable {
  const plain = { unit: undefined, codes: undefined, levels: [], odd: [], missing: 0 } as const;
  const isBits = points.data.every((value) => value === 0 || value === 1);
  const all = columns.map((name, j): Column => {
    const numbers = Float64Array.from({ length: points.rows }, (_, i) => points.data[i * points.columns + j]);
    return { ...plain, name, type: "number", numbers };
  });
  void isBits;
  const target = labels?.map(Number);
  if (target !== undefined) all.unshift({ ...plain, name: "label", type: "number", numbers: Float64Array.from(target) });
  return {
    rows: points.rows,
    columns: all,
    kind: "table",
    notes: [],
    form: { format, encoding: "binary", delimiter: undefined, hasNames: false },
  };
}

/** A label and an entry, blanks between, in the first line that is no comment. */
const isLibsvm = (text: string): boolean =>
  /^(\s*#[^\n]*\n)*\s*[^\s:,;"]+[ \t]+(qid:\d+[ \t]+)?\d+:[-+.\d][^\s:,;]*(\s|$)/.test(text);

async function allText(input: AsyncGenerator<Uint8Array>): Promise<string> {
  return new TextDecoder().decode(await collected(input));
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
      throw new CurvatureError("ERR_PARSE", `Line ${i + 1} is not valid JSON: ${reason}. Correct it there.`, { path: `line ${i + 1}`, cause });
    }
  });
  return { dialect: jsonRecords(rows), format: "jsonl" };
}

/** A table whose records are all there. */
function whole(dialect: Dialect, format: DataTable["form"]["format"], encoding: string, notes: readonly string[]): DataTable {
  const sink = new TableSink(dialect);
  for (const { cells, quoted, line } of dialect.rows) sink.record(cells, quoted, line);
  return sink.finish({ format, encoding, delimiter: undefined, hasNames: dialect.names !== undefined }, notes);
}

async function delimited(
  head: Uint8Array,
  input: AsyncGenerator<Uint8Array>,
  { delimiter, header, maxRecordBytes }: SettingsOf<typeof tableOptions>,
  encoding: string,
  notes: readonly string[],
): Promise<DataTable> {
  const isWhole = head.length < SAMPLE;
  const end = isWhole ? head.length : Math.max(head.lastIndexOf(10), head.lastIndexOf(13)) + 1;
  const sample = new TextDecoder().decode(head.subarray(0, end === 0 ? head.length : end));
  const dialect = dialectOf(sample, { delimiter, header, isWhole });
  if (dialect.doubts.length > 0) {
    const more = dialect.doubts.length > 3 ? ` (and ${dialect.doubts.length - 3} more)` : "";
    throw new CurvatureError("ERR_PARSE", dialect.doubts.slice(0, 3).join(" ") + more, { path: "input" });
  }
  const form = { format: "delimited", encoding, delimiter: delimiterName(dialect.delimiter), hasNames: dialect.names !== undefined } as const;
  const sink = new TableSink(dialect);
  const start = new TextEncoder().encode(sample.slice(0, dialect.rows[0]?.at ?? 0)).length;
  const line = dialect.rows[0]?.line ?? 1;
  const scanner = new CsvScanner(dialect.delimiter.charCodeAt(0), sink, maxRecordBytes, dialect.quote === "" ? 0 : dialect.quote.charCodeAt(0), line);
  let left = start;
  for await (const piece of input) {
    if (left < piece.length) scanner.push(left > 0 ? piece.subarray(left) : piece);
    left = Math.max(0, left - piece.length);
  }
  scanner.end();
  return sink.finish(form, notes);
}

const decoder = new TextDecoder();

class TableSink implements CellSink {
  private readonly stores: readonly ColumnStore[];
  /** Of columns whose plain numbers need no second look: where they go. */
  private readonly plain: (Float64Array | undefined)[] = [];
  private rows = 0;
  private capacity = 0;
  private column = 0;
  private isEmpty = true;
  private isComment = false;
  /** The first record of another width, which an end of the table must follow. */
  private misfit: { line: number; cells: number } | undefined;

  constructor(private readonly dialect: Dialect) {
    const { width, rows, form } = dialect;
    this.stores = Array.from({ length: width }, (_, j) => {
      const cells = rows.map((row) => row.cells[j] ?? "");
      return new ColumnStore(areNumbers(cells, form), form, dialect.sentinels.get(j));
    });
    this.reserve();
  }

  number(value: number): boolean {
    const column = this.plain[this.column];
    if (column === undefined) return false;
    column[this.rows] = value;
    this.column++;
    this.isEmpty = false;
    return true;
  }

  cell(bytes: Uint8Array, start: number, end: number, quoted: boolean, line: number): void {
    const content = decoder.decode(bytes.subarray(start, end));
    this.text(quoted ? content : content.trim(), quoted, line);
  }

  record(cells: readonly string[], quoted: readonly boolean[], line: number): void {
    for (const [j, cell] of cells.entries()) this.text(cell, quoted[j], line);
    this.endRecord(line);
  }

  private text(content: string, quoted: boolean, line: number): void {
    const { comment } = this.dialect;
    if (this.column === 0) this.isComment = comment !== undefined && !quoted && content.startsWith(comment);
    if (content !== "") this.isEmpty = false;
    this.stores[this.column]?.text(this.rows, content, quoted, line);
    this.column++;
  }

  endRecord(line: number): void {
    const { column, isEmpty, isComment } = this;
    this.column = 0;
    this.isEmpty = true;
    this.isComment = false;
    if (!isEmpty && !isComment && column === this.dialect.width) {
      if (this.misfit !== undefined) throw ragged(this.misfit.line, this.dialect.width, this.misfit.cells);
      if (++this.rows === this.capacity) this.reserve();
      return;
    }
    for (const store of this.stores) store.takeBack(this.rows);
    if (!isEmpty && !isComment) this.misfit ??= { line, cells: column };
  }

  finish(form: DataTable["form"], before: readonly string[]): DataTable {
    const { dialect } = this;
    const notes = [...before, ...dialect.notes];
    const [first] = this.stores;
    while (this.rows > 1 && first !== undefined && isFooter(first.firstOf(this.rows - 1))) {
      this.rows--;
      for (const store of this.stores) store.takeBack(this.rows);
      notes.push("The last row is a total or a remark, and left out.");
    }
    if (this.misfit !== undefined) notes.push(`The lines from line ${this.misfit.line} on are no rows.`);
    if (this.rows === 0) throw new CurvatureError("ERR_PARSE", "The input has no rows of data. Give at least one.", { path: "input" });
    const names = dialect.names === undefined ? undefined : distinct(dialect.names);
    const all = this.stores.map((store, j) => {
      const own = dialect.names?.[j] ?? "";
      const name = names === undefined ? `column ${j + 1}` : names[j];
      return { own, column: store.finish(name, dialect.units?.[j] || undefined, this.rows, own === "" && names !== undefined && j === 0) };
    });
    const isNothing = ({ own, column }: (typeof all)[number]): boolean =>
      names !== undefined && own === "" && column.missing === this.rows;
    const empty = all.filter(isNothing).length;
    if (empty > 0) notes.push(`${empty === 1 ? "A column that is empty and has no name is" : `${empty} columns that are empty and have no name are`} left out.`);
    const columns = all.filter((each) => !isNothing(each)).map(({ column }) => column);
    for (const [j, value] of dialect.sentinels) notes.push(`${value} in column ${JSON.stringify(names?.[j] ?? j + 1)} is a missing value.`);
    return { rows: this.rows, columns, kind: kindOf(columns, this.rows, notes), notes, form };
  }

  private reserve(): void {
    this.capacity = Math.max(1024, 2 * this.capacity);
    for (const [j, store] of this.stores.entries()) this.plain[j] = store.reserve(this.capacity);
  }
}

const ragged = (line: number, expected: number, found: number): CurvatureError =>
  new CurvatureError(
    "ERR_PARSE",
    `Line ${line} has ${found} ${found === 1 ? "cell" : "cells"}, the others have ${expected}. Give every line the same number of cells, or name the right --delimiter.`,
    { path: `line ${line}`, expected: `${expected} cells`, received: found },
  );

/** x, x → x, x.1, as pandas and R do. */
function distinct(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return count === 0 || name === "" ? name : `${name}.${count}`;
  });
}

/** What rows and columns are, where they are no points. */
function kindOf(columns: readonly Column[], rows: number, notes: string[]): DataTable["kind"] {
  const numbers = columns.flatMap((column) => (column.type === "number" && column.numbers !== undefined ? [column.numbers] : []));
  if (numbers.length > 2 && columns.length - numbers.length <= 1 && rows === numbers.length && areDistances(numbers)) {
    notes.push(`${rows} rows and as many columns, symmetric, 0 on the diagonal: a matrix of distances.`);
    return "distances";
  }
  const [from = "", to = ""] = columns.map(({ name }) => name.toLowerCase());
  if (columns.length <= 4 && edgeNames.some(([a, b]) => a.test(from) && b.test(to))) {
    notes.push(`Columns "${columns[0].name}" and "${columns[1].name}": a list of edges.`);
    return "edges";
  }
  return "table";
}

const edgeNames = [
  [/^(source|src)(_?id)?$/, /^(target|dst|dest|destination)(_?id)?$/],
  [/^from(_?(id|node))?$/, /^to(_?(id|node))?$/],
  [/^(u|i|node1|head)$/, /^(v|j|node2|tail)$/],
] as const;

const areDistances = (columns: readonly Float64Array[]): boolean =>
  columns.every((column, j) =>
    column.every((value, i) => (i === j ? value === 0 : value >= 0 && value === columns[i][j])),
  );
