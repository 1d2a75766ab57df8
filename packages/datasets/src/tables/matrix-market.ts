/**
 * Matrix Market's exchange format.
 *
 *   %%MatrixMarket matrix coordinate|array  real|integer|pattern  general|symmetric|skew-symmetric
 *   % comments
 *   rows columns entries     coordinate: then "row column value" in each line, counted from 1, a pattern without value
 *   rows columns             array: then one value in each line, column by column
 *
 * Of a symmetric matrix only the lower triangle is there. Entries that come twice are summed.
 *
 * Boisvert, Pozo, Remington: The Matrix Market exchange formats. NISTIR 5935, 1996.
 */
import { CurvatureError, type DenseMatrix, type SparseMatrix, shown } from "@curvature/linalg";
import { allocate } from "../formats/bytes.js";
import { denseZeros } from "../formats/dense-zeros.js";
import { numberOf } from "./cell.js";
import { matrixTable } from "./column-store.js";
import type { Found } from "./table-form.js";
import { checkCount } from "./typed-columns.js";

function marketError(line: number, what: string, remedy = "Correct it there."): CurvatureError {
  return new CurvatureError("ERR_PARSE", `Line ${line} of the Matrix Market file ${what}. ${remedy}`, {
    path: `line ${line}`,
  });
}

/** @throws CurvatureError ERR_PARSE naming the line; ERR_MEMORY for more than 2 GiB and for far more zeros than text */
export const marketTable = (text: string): Found => matrixTable(matrixMarket(text));

/** As it is stored. */
export function marketMatrix(text: string): SparseMatrix {
  const stored = new Map<number, Map<number, number>>();
  const { rows, columns } = scan(text, (_, __, isArray) => (i, j, value, line) => {
    if (!Number.isFinite(value)) throw marketError(line, `has ${value}, which is no finite number`);
    if (isArray && value === 0) return;
    const row = stored.get(i) ?? new Map<number, number>();
    stored.set(i, row.set(j, (row.get(j) ?? 0) + value));
  });
  const rowPointers = allocate(() => new Int32Array(rows + 1), 4 * (rows + 1));
  for (let i = 0; i < rows; i++) rowPointers[i + 1] = rowPointers[i] + (stored.get(i)?.size ?? 0);
  const columnIndices = new Int32Array(rowPointers[rows]);
  const values = new Float64Array(rowPointers[rows]);
  for (let i = 0, p = 0; i < rows; i++)
    for (const [j, value] of [...(stored.get(i) ?? [])].sort(([a], [b]) => a - b)) {
      columnIndices[p] = j;
      values[p++] = value;
    }
  return { rows, columns, rowPointers, columnIndices, values };
}

function matrixMarket(text: string): DenseMatrix {
  let data: Float64Array = new Float64Array(0);
  const { rows, columns } = scan(text, (rows, columns) => {
    data = denseZeros(rows, columns, {
      bytes: text.length,
      python: "from scipy.io import mmread; A = mmread('file.mtx').tocsr()",
    });
    return (i, j, value) => {
      data[i * columns + j] += value;
    };
  });
  return { rows, columns, data };
}

/** @param begin - is given the size, and takes the entries, those above the diagonal of a symmetric matrix too */
function scan(
  text: string,
  begin: (
    rows: number,
    columns: number,
    isArray: boolean,
  ) => (i: number, j: number, value: number, line: number) => void,
): { readonly rows: number; readonly columns: number } {
  const lines = new Lines(text);
  const banner = lines.next()?.join(" ").toLowerCase() ?? "";
  const [form, field, symmetry] =
    /^%%matrixmarket matrix (coordinate|array) (real|double|integer|pattern) (general|symmetric|skew-symmetric)$/
      .exec(banner)
      ?.slice(1) ?? [];
  const isArray = form === "array";
  if (form === undefined || (isArray && field === "pattern"))
    throw marketError(
      1,
      `is ${shown(banner.slice(0, 80))}`,
      'Known are "%%MatrixMarket matrix", then "coordinate" or "array", then "real", "integer" or (of coordinates) "pattern", then "general", "symmetric" or "skew-symmetric".',
    );
  const sizes = lines.data()?.map((word) => wholeNumber(word, Number.MAX_SAFE_INTEGER, lines)) ?? [];
  const [rows = 0, columns = 0] = sizes;
  if (sizes.length !== (isArray ? 2 : 3) || rows * columns === 0)
    throw marketError(
      lines.line,
      `must hold ${isArray ? "rows and columns" : "rows, columns and entries"} and no zero`,
    );
  const isHalf = symmetry !== "general";
  const isSkew = symmetry === "skew-symmetric";
  if (isHalf && rows !== columns)
    throw marketError(lines.line, `makes a ${symmetry} matrix of ${rows} x ${columns}`);
  if (isArray) checkCount(rows * columns, text.length);
  const take = begin(rows, columns, isArray);
  const add = (i: number, j: number, value: number): void => {
    take(i, j, value, lines.line);
    if (isHalf && i !== j) take(j, i, isSkew ? -value : value, lines.line);
  };
  let count = 0;
  if (isArray) {
    for (let j = 0; j < columns; j++)
      for (let i = isHalf ? j + (isSkew ? 1 : 0) : 0; i < rows; i++) {
        const words = lines.data();
        if (words === undefined)
          throw marketError(
            lines.line,
            `is the last, after ${count} numbers; there must be more for ${rows} x ${columns}`,
          );
        add(i, j, numberIn(words, 0, lines));
        count++;
      }
    if (lines.data() !== undefined)
      throw marketError(lines.line, `comes after the ${count} numbers of ${rows} x ${columns}`);
    return { rows, columns };
  }
  const [, , entries] = sizes;
  for (let words = lines.data(); words !== undefined; words = lines.data()) {
    if (++count > entries)
      throw marketError(lines.line, `is one more than the ${entries} entries that are promised`);
    const [i, j] = [wholeNumber(words[0], rows, lines), wholeNumber(words[1] ?? "", columns, lines)];
    if (i === 0 || j === 0) throw marketError(lines.line, "has the index 0; indices are counted from 1");
    if (isHalf && j > i) throw marketError(lines.line, `is above the diagonal of a ${symmetry} matrix`);
    if (isSkew && i === j) throw marketError(lines.line, "is on the diagonal of a skew-symmetric matrix");
    add(i - 1, j - 1, field === "pattern" ? 1 : numberIn(words, 2, lines));
  }
  if (count < entries)
    throw marketError(lines.line, `is the last, after ${count} entries; ${entries} are promised`);
  return { rows, columns };
}

function wholeNumber(word: string, most: number, { line }: Lines): number {
  const value = /^\d+$/.test(word) ? Number(word) : Number.NaN;
  if (value <= most) return value;
  throw marketError(
    line,
    `has ${shown(word.slice(0, 40))} in place of a whole number${most < Number.MAX_SAFE_INTEGER ? ` up to ${most}` : ""}`,
  );
}

/** The number that is the last word. */
function numberIn(words: readonly string[], place: number, { line }: Lines): number {
  const word = words[place] ?? "";
  const value = /^[-+]?nan$/i.test(word) ? 0 : numberOf(word);
  if (words.length !== place + 1 || Number.isNaN(value))
    throw marketError(
      line,
      `has ${shown(words.join(" ").slice(0, 60))} in place of ${place === 0 ? "a number" : "row, column and number"}`,
    );
  return /^[-+]?nan$/i.test(word) ? Number.NaN : value;
}

/** Line by line, each as its words. */
class Lines {
  /** Of the one given last, from 1. */
  line = 0;
  private at = 0;

  constructor(private readonly text: string) {}

  next(): string[] | undefined {
    if (this.at >= this.text.length) return undefined;
    const end = this.text.indexOf("\n", this.at);
    const line = this.text.slice(this.at, end < 0 ? undefined : end).trim();
    this.at = end < 0 ? this.text.length : end + 1;
    this.line++;
    return line === "" ? [] : line.split(/\s+/);
  }

  /** The next that is neither empty nor a comment. */
  data(): string[] | undefined {
    let words = this.next();
    while (words !== undefined && (words.length === 0 || words[0].startsWith("%"))) words = this.next();
    return words;
  }
}
