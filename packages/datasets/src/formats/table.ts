/** A matrix of points with named columns and labels, and what all readers say of cells. */
import { CurvatureError, type DenseMatrix, optionName, shown } from "@curvature/linalg";
import { allocate } from "./bytes.js";

export interface Table {
  /** The names of the matrix's columns; `column 1`, `column 2`, … where the input names none. */
  readonly columns: readonly string[];
  /** One row per point. Every entry is finite. */
  readonly points: DenseMatrix;
  /** One label per point, or undefined if there are none. */
  readonly labels: readonly string[] | undefined;
}

const mostColumns = 1e6;

/** Names for columns that have none. @throws CurvatureError ERR_PARSE for too many */
export function numbered(count: number): string[] {
  checkWidth("The input", count);
  return Array.from({ length: count }, (_, j) => `column ${j + 1}`);
}

/** x, x → x, x.1, as pandas and R do; or x.2 where another column is called x.1. */
export function distinct(names: readonly string[]): string[] {
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

/** @throws CurvatureError ERR_PARSE for more than a million columns, each of which has a name */
export function checkWidth(where: string, count: number): void {
  if (count <= mostColumns) return;
  throw new CurvatureError(
    "ERR_PARSE",
    `${where} has more than ${mostColumns} columns. Check its line ends or its shape.`,
    { path: where, expected: `at most ${mostColumns} columns`, received: count },
  );
}

const firstBlock = 1 << 12;
const largestBlock = 1 << 20;

/** Numbers appended one by one, in blocks, so that growing copies nothing. */
export class NumberStore {
  private readonly full: Float64Array[] = [];
  private block = new Float64Array(firstBlock);
  private used = 0;
  private before = 0;

  get length(): number {
    return this.before + this.used;
  }

  append(value: number): void {
    if (this.used === this.block.length) this.grow();
    this.block[this.used++] = value;
  }

  private grow(): void {
    this.full.push(this.block);
    this.before += this.used;
    const size = Math.min(this.block.length * 2, largestBlock);
    this.block = allocate(() => new Float64Array(size), size * 8);
    this.used = 0;
  }

  /** All numbers in one array; the blocks are given up. */
  finish(): Float64Array {
    const all = allocate(() => new Float64Array(this.length), this.length * 8);
    let position = 0;
    for (let block = this.full.shift(); block !== undefined; block = this.full.shift()) {
      all.set(block, position);
      position += block.length;
    }
    all.set(this.block.subarray(0, this.used), position);
    return all;
  }
}

export function noData(sentence: string, remedy = "Give at least one row of data."): CurvatureError {
  return new CurvatureError("ERR_PARSE", `${sentence} ${remedy}`, { expected: "at least one row of data" });
}

export const ragged = (line: number, expected: number, found: number): CurvatureError =>
  new CurvatureError(
    "ERR_PARSE",
    `Line ${line} has ${found} ${found === 1 ? "cell" : "cells"}, the others have ${expected}. Give every line the same number of cells, or give the right ${optionName("delimiter")}.`,
    { path: `line ${line}`, expected: `${expected} cells`, received: found },
  );

const missing = new Set(["", "na", "n/a", "null", "none", "?", "-"]);
const nonFinite = /^[+-]?(nan|inf|infinity)$/;

/** Whether text stands for a cell without a value. */
export const namesMissing = (cell: string): boolean => missing.has(cell.trim().toLowerCase());

/** Whether text that is not a decimal number stands for one (`NaN`, `inf`). */
export const namesNonFinite = (cell: string): boolean => nonFinite.test(cell.trim().toLowerCase());

/**
 * Why a cell cannot be in the matrix.
 *
 * @param where - its line and column, in words
 */
export function badCell(where: string, cell: string, value: number): CurvatureError {
  const word = cell.trim().toLowerCase();
  const details = { path: where, received: cell.slice(0, 60) };
  if (namesMissing(cell)) {
    const what = word === "" ? "is empty" : `is ${shown(cell)}, a missing value`;
    return new CurvatureError("ERR_NON_FINITE", `The cell at ${where} ${what}. Fill or remove such cells.`, {
      ...details,
      expected: "a finite number",
    });
  }
  if (nonFinite.test(word) || Math.abs(value) === Number.POSITIVE_INFINITY) {
    return new CurvatureError(
      "ERR_NON_FINITE",
      `The cell at ${where} is ${shown(cell)}, which is not a finite number. Fill or remove such cells.`,
      { ...details, expected: "a finite number" },
    );
  }
  const decimalComma = /^[+-]?\d+,\d+$/.test(word.slice(0, 60));
  const hint = decimalComma ? "Write decimals with a point." : "Correct the cell.";
  return new CurvatureError(
    "ERR_PARSE",
    `The cell at ${where} is ${shown(cell)}, which is not a number. ${hint}`,
    {
      ...details,
      expected: "a number",
    },
  );
}
