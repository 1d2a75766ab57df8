/** Records → a table: columns of numbers share one array, row by row, as the matrix has them. */
import { CurvatureError } from "@curvature/linalg";
import { allocate } from "../formats/bytes.js";
import type { CellSink } from "../formats/csv-scanner.js";
import { unguarded } from "../formats/formula-guard.js";
import { IntegerStore } from "../formats/integer-store.js";
import { distinct, noData, numbered, ragged } from "../formats/table.js";
import { strictText } from "../formats/text.js";
import { areNumbers, LEAST_PLAIN, NumberCells, takeSentinels, WordCells } from "./column-store.js";
import { type Dialect, isFooter } from "./dialect.js";
import { otherEncoding } from "./encoding.js";
import type { ReadTable } from "./table-form.js";
import { kindOf } from "./table-kind.js";

const MAX_FOOTERS = 5;

/** Numbers per block: large enough that blocks are few, small enough that the last one wastes little. */
const BLOCK = 1 << 17;

/** Takes records into columns. Columns of numbers share one array, row by row, as the matrix has them. */
export class TableSink implements CellSink {
  private readonly words: (WordCells | undefined)[] = [];
  private readonly numbers: (NumberCells | undefined)[] = [];
  /** Of each column of numbers its place in a row of the array; −1 for others. */
  private readonly places: Int32Array;
  /** The same, but −1 where the scanner's number is not the column's. */
  private readonly plain: Int32Array;
  private readonly stride: number;
  /** Of each column of numbers how many cells hold none. */
  private readonly gaps: Int32Array;
  /** The places of such cells in the row that is being read. */
  private rowGaps: number[] = [];
  /** Whether a number may stand for no value. */
  private hasLow = false;
  private readonly full: Float64Array[] = [];
  private block: Float64Array;
  private readonly lines = new IntegerStore();
  /** Where the row begins in the block. */
  private at = 0;
  private rows = 0;
  private column = 0;
  private isEmpty = true;
  /** Lines of cells in which nothing is. */
  private empty = 0;
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
    this.gaps = new Int32Array(stride);
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
    if (value < LEAST_PLAIN) this.hasLow = true;
    this.isEmpty = false;
    return true;
  }

  cell(bytes: Uint8Array, start: number, end: number, quoted: boolean, line: number): void {
    const content =
      start === end ? "" : strictText(bytes.subarray(start, end), `Line ${line}`, otherEncoding);
    this.text(unguarded(quoted ? content : content.trim()), quoted);
  }

  record(cells: readonly string[], quoted: readonly boolean[], line: number): void {
    for (const [j, cell] of cells.entries()) this.text(cell, quoted[j]);
    this.isEmpty = false; // a row is stated here, whatever is in it
    this.endRecord(line);
  }

  private text(content: string, quoted: boolean): void {
    const { comment } = this.dialect;
    const column = this.column++;
    if (column === 0) this.isComment = comment !== undefined && !quoted && content.startsWith(comment);
    if (content !== "") this.isEmpty = false;
    const numbers = this.numbers[column];
    if (numbers === undefined) {
      this.words[column]?.text(this.rows, content, quoted);
      return;
    }
    const value = numbers.valueOf(this.rows, content);
    this.block[this.at + this.places[column]] = value;
    if (Number.isNaN(value)) this.rowGaps.push(this.places[column]);
    else if (value < LEAST_PLAIN) this.hasLow = true;
  }

  endRecord(line: number): void {
    const { column, isEmpty, isComment, rowGaps } = this;
    if (rowGaps.length > 0) this.rowGaps = [];
    this.column = 0;
    this.isEmpty = true;
    this.isComment = false;
    if (!isEmpty && !isComment && column === this.dialect.width) {
      if (this.misfit !== undefined) throw ragged(this.misfit.line, this.dialect.width, this.misfit.cells);
      for (const place of rowGaps) this.gaps[place]++;
      this.rows++;
      this.lines.append(line);
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
    if (isEmpty) {
      this.afterBlank = this.rows;
      if (column > 1) this.empty++;
    }
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
      for (let k = this.rows * this.stride; k < data.length; k++)
        if (Number.isNaN(data[k])) this.gaps[k % this.stride]--;
      for (const numbers of this.numbers) numbers?.takeBack(this.rows);
      notes.push(
        footers === 1
          ? "The last row is a total or a remark, and left out."
          : `The last ${footers} rows are totals or remarks, and left out.`,
      );
    }
    if (this.empty > 0)
      notes.push(
        this.empty === 1
          ? "A line of empty cells is left out."
          : `${this.empty} lines of empty cells are left out.`,
      );
    if (this.misfit !== undefined) notes.push(`The lines from line ${this.misfit.line} on are no rows.`);
    if (this.rows === 0) throw noData("The input has no rows of data.");
    const count = dialect.vectors?.count ?? this.rows;
    if (count !== this.rows)
      throw new CurvatureError(
        "ERR_PARSE",
        `Line 1 counts ${count} vectors, and there are ${this.rows}. Correct it, or cut it off.`,
        { path: "line 1", expected: `${count} rows`, received: this.rows },
      );
    const isNamed = dialect.names !== undefined;
    const names = isNamed ? distinct(dialect.names) : numbered(dialect.width);
    const { gaps } = this;
    const sentinels = this.hasLow ? takeSentinels(data, this.rows, this.stride, gaps) : [];
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
    const { labels } = dialect;
    const lines = this.lines.finish().subarray(0, this.rows);
    return {
      rows: this.rows,
      columns,
      isNamed,
      lines: lines[0] > 0 ? lines : undefined,
      kind,
      labels,
      notes,
      form,
    };
  }
}
