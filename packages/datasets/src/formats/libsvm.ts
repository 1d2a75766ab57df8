/**
 * Reader of LIBSVM text (also called SVMlight): sparse rows with labels, whole or in batches.
 *
 * The indices of a file are counted from 0 or from 1. Nothing in it says which: a file with an index 0 is of the first
 * kind, and one without is taken for the second.
 */
import {
  CurvatureError,
  integerFrom,
  type OptionsOf,
  oneOf,
  optionTable,
  type SettingsOf,
} from "@curvature/linalg";
import { type ByteSource, letGo } from "./bytes.js";
import { expanded } from "./gzip.js";
import { LibsvmScanner, overflowOfSingle, type ScannedBatch, type ScanSettings } from "./libsvm-scanner.js";
import { type LibsvmBatch, RowParts, type ValuesConstructor } from "./row-parts.js";
import { indexBase, inputSize } from "./shared-options.js";
import { withoutBom } from "./text.js";

export type { LibsvmBatch } from "./row-parts.js";

export const libsvmOptions = optionTable({
  /** Entries as float32 ("single") or float64. */
  precision: oneOf("single", "double").default("single"),
  indexBase,
  ...inputSize,
});
export type LibsvmOptions = OptionsOf<typeof libsvmOptions>;
type LibsvmSettings = SettingsOf<typeof libsvmOptions>;

export const libsvmStreamOptions = optionTable({
  ...libsvmOptions.entries,
  /** Rows of a batch at most. */
  batchRows: integerFrom(1).default(1 << 14),
  /** A batch ends with the row with which its entries reach so many bytes. */
  batchBytes: integerFrom(1).default(2 ** 22),
});
export type LibsvmStreamOptions = OptionsOf<typeof libsvmStreamOptions>;

/** The element type that a precision asks for. */
export type LibsvmValues<P extends "single" | "double"> = P extends "double" ? Float64Array : Float32Array;

/**
 * All rows of a LIBSVM text in UTF-8, plain or gzip. Entries of a row may come in any order; zeros that are written
 * down stay entries; comments (`#` to the line's end) and empty lines are skipped; a line with nothing but a label is
 * a row of zeros.
 *
 * @throws CurvatureError ERR_PARSE (line named, counted from 1), ERR_NON_FINITE for a missing or not finite value or
 *   label, or one beyond the precision, ERR_OPTION, ERR_MEMORY
 */
export async function readLibsvm<P extends "single" | "double" = "single">(
  source: ByteSource,
  options?: LibsvmOptions & { readonly precision?: P | undefined },
): Promise<LibsvmBatch<LibsvmValues<P>>>;
export async function readLibsvm(
  source: ByteSource,
  options?: LibsvmOptions,
): Promise<LibsvmBatch<Float32Array> | LibsvmBatch<Float64Array>> {
  const settings = libsvmOptions.resolve("readLibsvm", options);
  return settings.precision === "single"
    ? allRows(source, settings, Float32Array)
    : allRows(source, settings, Float64Array);
}

/**
 * The same rows batch by batch, in memory that does not depend on their number.
 *
 * @throws CurvatureError as `readLibsvm`, where the reading comes to it; ERR_PARSE for an index 0 behind a first batch
 *   without one, unless `indexBase` is stated
 */
export function streamLibsvm<P extends "single" | "double" = "single">(
  source: ByteSource,
  options?: LibsvmStreamOptions & { readonly precision?: P | undefined },
): AsyncGenerator<LibsvmBatch<LibsvmValues<P>>>;
export function streamLibsvm(
  source: ByteSource,
  options?: LibsvmStreamOptions,
): AsyncGenerator<LibsvmBatch<Float32Array>> | AsyncGenerator<LibsvmBatch<Float64Array>> {
  const settings = libsvmStreamOptions.resolve("streamLibsvm", options);
  return settings.precision === "single"
    ? batches(source, settings, Float32Array)
    : batches(source, settings, Float64Array);
}

const overflowOf = (precision: LibsvmSettings["precision"]): number =>
  precision === "single" ? overflowOfSingle : Number.POSITIVE_INFINITY;

async function* batches<T extends Float64Array | Float32Array>(
  source: ByteSource,
  settings: SettingsOf<typeof libsvmStreamOptions>,
  Values: ValuesConstructor<T>,
): AsyncGenerator<LibsvmBatch<T>> {
  const { indexBase, precision, batchRows, batchBytes, maxBytes } = settings;
  const batchEntries = batchBytes / (Int32Array.BYTES_PER_ELEMENT + Values.BYTES_PER_ELEMENT);
  const scan = { indexBase, overflow: overflowOf(precision), batchRows, batchEntries };
  let base = indexBase;
  for await (const batch of scanned(source, scan, maxBytes)) {
    if (base === "auto") base = batch.hasZero ? 0 : 1;
    const parts = new RowParts(Values);
    parts.append(batch);
    yield parts.finish(base);
  }
}

/** Entries of a part of the input: few enough to be small beside the whole, enough to be seldom changed. */
const partEntries = 1 << 18;

async function allRows<T extends Float64Array | Float32Array>(
  source: ByteSource,
  { indexBase, precision, maxBytes }: LibsvmSettings,
  Values: ValuesConstructor<T>,
): Promise<LibsvmBatch<T>> {
  const parts = new RowParts(Values);
  const scan: ScanSettings = {
    // "auto" would let the first part decide for the whole.
    indexBase: indexBase === "auto" ? 0 : indexBase,
    overflow: overflowOf(precision),
    batchRows: Number.POSITIVE_INFINITY,
    batchEntries: partEntries,
  };
  for await (const batch of scanned(source, scan, maxBytes)) parts.append(batch);
  return parts.finish(indexBase === "auto" ? (parts.hasZero ? 0 : 1) : indexBase);
}

async function* scanned(
  source: ByteSource,
  settings: ScanSettings,
  maxBytes: number,
): AsyncGenerator<ScannedBatch> {
  const input = expanded(source, maxBytes);
  try {
    const scanner = new LibsvmScanner(settings);
    let rows = 0;
    for await (const piece of await withoutBom(input)) {
      scanner.push(piece);
      for (const batch of scanner.ready.splice(0)) {
        rows += batch.rowEnds.length;
        yield batch;
      }
    }
    scanner.end();
    const rest = scanner.ready.splice(0);
    if (rows === 0 && rest.length === 0) throw noRows();
    yield* rest;
  } finally {
    letGo(input);
  }
}

function noRows(): CurvatureError {
  return new CurvatureError("ERR_PARSE", "The input is empty. Give at least one line with a label.", {
    expected: "at least one row",
  });
}
