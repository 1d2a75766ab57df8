/** Writer of LIBSVM text; numbers in their shortest form that reads back as the same float64, or float32. */
import {
  badOption,
  CurvatureError,
  type OptionsOf,
  optionTable,
  type SparseMatrix,
  type SparseMatrixLike,
  shown,
  toSparse,
} from "@curvature/linalg";
import { checkLength, chunked, numberText } from "./csv-writer.js";
import { zeroOrOne } from "./shared-options.js";

export const libsvmWriteOptions = optionTable({
  /** The number of column 0. */
  indexBase: zeroOrOne.default(1),
});
export type LibsvmWriteOptions = OptionsOf<typeof libsvmWriteOptions>;

/**
 * The rows as LIBSVM text, in pieces of about 64 KiB of UTF-8; lines end with LF. Stored zeros are written, so that
 * `readLibsvm` of the same precision gives back the same matrix. A column 0 without entries needs the `indexBase`
 * stated to its reader if it is 0.
 *
 * @param labels - one per row: numbers, or words without blanks, `:`, `,` and `#`
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT for a label that could not be read back, ERR_OPTION
 */
export function writeLibsvm(
  rows: SparseMatrixLike,
  labels: ArrayLike<number | string>,
  options?: LibsvmWriteOptions,
): Generator<Uint8Array> {
  const { indexBase } = libsvmWriteOptions.resolve("writeLibsvm", options);
  const A = toSparse(rows, "rows");
  if (labels === undefined) throw badOption("writeLibsvm", "labels", "one label per row", labels);
  checkLength("labels", labels, A.rows, "row");
  const isSingle = "values" in rows && rows.values instanceof Float32Array;
  return encodedPieces(chunked(lines(A, labels, indexBase, isSingle ? singleText : numberText)));
}

function* encodedPieces(texts: Iterable<string>): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const text of texts) yield encoder.encode(text);
}

function* lines(
  { rows, rowPointers, columnIndices, values }: SparseMatrix,
  labels: ArrayLike<number | string>,
  indexBase: 0 | 1,
  textOf: (value: number) => string,
): Generator<string> {
  const areNumbers = rows > 0 && decimal.test(labelText(labels[0], 0));
  for (let i = 0; i < rows; i++) {
    let line = labelText(labels[i], i);
    // The first label decides what a reader takes them for.
    if (areNumbers && !decimal.test(line))
      throw badLabel(labels[i], i, "the first label is a number, so all must be");
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) {
      line += ` ${columnIndices[p] + indexBase}:${textOf(values[p])}`;
    }
    yield `${line}\n`;
  }
}

function labelText(label: number | string, row: number): string {
  if (typeof label === "number" && Number.isFinite(label)) return numberText(label);
  const isWord = typeof label === "string" && /^[^\s:,#\p{C}]+$/u.test(label) && !notFinite.test(label);
  if (isWord) return label;
  throw badLabel(label, row, 'LIBSVM text takes finite numbers, and words without blanks, ":", "," and "#"');
}

function badLabel(label: unknown, row: number, reason: string): CurvatureError {
  return new CurvatureError(
    "ERR_ARGUMENT",
    `labels: the label of row ${row} is ${shown(label)}; ${reason}.`,
    { path: "labels", expected: "a finite number or a word", received: label },
  );
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const notFinite = /^[+-]?(nan|inf|infinity)$/i;

/** Six digits tell most short decimals apart, nine all float32. */
function singleText(value: number): string {
  if (value === 0) return numberText(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return numberText(short);
  }
  return numberText(Number(value.toPrecision(9)));
}
