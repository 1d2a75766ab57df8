/** The parsers of `datasets`. */
import {
  type ReadTable,
  readCells,
  readComparisons,
  readDistances,
  readIdx,
  readIdxLabels,
  readLibsvm,
  readNpy,
  readPoints,
  readRows,
  readTable,
  streamLibsvm,
} from "@curvature/datasets";
import { suggestedPreparation } from "@curvature/linalg/tables";
import {
  arff,
  arrow,
  csv,
  distances,
  encoded,
  everything,
  idx,
  json,
  jsonLines,
  libsvm,
  matrixMarket,
  npy,
  npz,
  numpy,
  parquet,
  triplets,
  vectors,
  zipped,
  zstd,
} from "./fuzz-samples.ts";
import { ensure, parser, type Reader } from "./fuzz-target.ts";
import { mutatedJson, pick } from "./mutations.ts";

interface DenseResult {
  readonly points: { readonly rows: number; readonly columns: number; readonly data: Float64Array };
  readonly columns: readonly string[];
  readonly labels: readonly string[] | undefined;
}

function checkTable({ points: { rows, columns, data }, columns: names, labels }: DenseResult): void {
  ensure(data.length === rows * columns, "the matrix has another size than it says");
  ensure(data.every(Number.isFinite), "an entry is not finite");
  ensure(names.length === columns, "columns have no names");
  ensure(labels === undefined || labels.length === rows, "labels are not one for each row");
}

function checkColumns({ rows, columns }: ReadTable): void {
  ensure(rows > 0 && columns.length > 0, "no rows or no columns");
  for (const { numbers, codes, levels, missing } of columns) {
    ensure(missing >= 0 && missing <= rows, "more cells are missing than there are");
    if (numbers === undefined)
      ensure(codes?.length === rows && codes.every((code) => code < levels.length), "codes are broken");
    else ensure(numbers.offset + (rows - 1) * numbers.stride < numbers.data.length, "a column ends too soon");
  }
}

/** Mostly what fits, since the wrong one ends most readings at the first line. */
const delimiters = ["auto", "auto", "auto", "auto", "auto", ",", ";", "\t"];
const labelColumns = [undefined, undefined, undefined, 0, "label"];

export const parsers: readonly Reader[] = [
  parser(
    "points of text",
    csv,
    (b, r) =>
      readPoints(b, {
        format: "csv",
        delimiter: pick(r, delimiters),
        labels: pick(r, labelColumns),
        words: pick(r, ["error", "one-hot", "drop"]),
        missing: pick(r, ["error", "mean", "drop"]),
      }),
    checkTable,
  ),
  parser("npy", npy, (b) => readNpy(b), checkTable),
  parser("idx", idx, (b) => readIdx(b), checkTable),
  parser(
    "idx-labels",
    idx,
    (b) => readIdxLabels(b),
    (labels) => ensure(Array.isArray(labels), "no list of labels"),
  ),
  parser(
    "libsvm",
    libsvm,
    (b, r) => readLibsvm(b, { precision: pick(r, ["single", "double"]) }),
    ({ rows }) =>
      ensure(
        rows.values.every(Number.isFinite) && rows.rowPointers.length === rows.rows + 1,
        "rows are broken",
      ),
  ),
  parser(
    "libsvm-stream",
    libsvm,
    async (b) => {
      for await (const { rows } of streamLibsvm(b, { batchRows: 2 }))
        ensure(rows.values.every(Number.isFinite), "an entry is not finite");
    },
    () => undefined,
  ),
  parser(
    "points of json",
    json,
    (b, r) => readPoints(b, { format: "json", labels: pick(r, [...labelColumns, "__proto__"]) }),
    checkTable,
    mutatedJson,
  ),
  parser(
    "points of json lines",
    jsonLines,
    (b, r) => readPoints(b, { format: "jsonl", labels: pick(r, labelColumns) }),
    checkTable,
  ),
  parser(
    "comparisons",
    triplets,
    (b, r) => readComparisons(b, { degenerate: pick(r, ["error", "drop"]) }),
    (table) =>
      ensure(
        table.comparisons.quadruplets.every((k) => k >= 0 && k < table.comparisons.objects),
        "an object is not in range",
      ),
  ),
  parser(
    "distances",
    distances,
    (b) => readDistances(b),
    ({ distances: { rows, columns, data } }) =>
      ensure(rows === columns && data.length === rows * rows && data.every(Number.isFinite), "no distances"),
  ),
  parser(
    "cells",
    csv,
    (b, r) => readCells(b, { delimiter: pick(r, delimiters) }),
    ({ cells, lines }) => ensure(cells.length === lines.length, "not one line for each row of cells"),
  ),
  parser(
    "gzip",
    zipped,
    (b) => readRows(b),
    () => undefined,
  ),
  parser(
    "zstd",
    zstd,
    (b) => readRows(b),
    () => undefined,
  ),
  ...Object.entries({
    numpy,
    npz,
    "matrix-market": matrixMarket,
    vectors,
    arff,
    "json shapes": json,
    encoded,
  }).map(([name, samples]) => parser(name, samples, (b) => readTable(b), checkColumns)),
  parser("parquet", parquet, (b) => readTable(b, { format: "parquet" }), checkColumns),
  parser("arrow", arrow, (b) => readTable(b, { format: "arrow" }), checkColumns),
  parser(
    "table",
    everything,
    (b, r) =>
      readTable(b, {
        name: pick(r, ["a", "a.csv", "a.json.gz", "a.svm"]),
        header: pick(r, ["auto", "yes", "no"]),
        skip: pick(r, [undefined, 0, 1]),
        decimal: pick(r, ["auto", ","]),
      }),
    (table) => {
      const options = suggestedPreparation(table);
      for (const { numbers, codes } of table.columns)
        ensure(numbers !== undefined || codes?.length === table.rows, "a column is not as long as its table");
      ensure(options.ignore !== undefined, "nothing is suggested");
    },
  ),
  parser(
    "points",
    everything,
    (b, r) =>
      readPoints(b, {
        name: pick(r, ["a", "a.csv", "a.npy", "a.json.gz", "a.jsonl", "a.idx", "a.svm", "a.gz"]),
      }),
    checkTable,
  ),
];
