/** Matrices as JSON documents, one row per line: `{ "columns": names, "labels": one per row, "data": rows }`. */
import { type MatrixLike, type OptionsOf, object, optionTable, toDense } from "@curvature/linalg";
import { checkLength, chunked, numberText } from "./csv-writer.js";

export const jsonWriteOptions = optionTable({
  /** The names of the matrix's columns. */
  columns: object<readonly string[]>("an array of names"),
  /** One label per row. */
  labels: object<ArrayLike<string | number>>("an array of labels"),
});
export type JsonWriteOptions = OptionsOf<typeof jsonWriteOptions>;

/**
 * The matrix as `{"columns":…,"labels":…,"data":…}` in pieces of about 64 KiB, one row per line.
 *
 * @throws CurvatureError ERR_NON_FINITE, ERR_SHAPE if there are not as many names as columns and labels as rows,
 *   ERR_OPTION
 */
export function writeJson(points: MatrixLike, options?: JsonWriteOptions): Generator<string> {
  const { columns: names, labels } = jsonWriteOptions.resolve("writeJson", options);
  const { rows, columns, data } = toDense(points, "points");
  checkLength("columns", names, columns, "column");
  checkLength("labels", labels, rows, "row");
  return chunked(documentParts(rows, columns, data, names, labels));
}

function* documentParts(
  rows: number,
  columns: number,
  data: Float64Array,
  names: readonly string[] | undefined,
  labels: ArrayLike<string | number> | undefined,
): Generator<string> {
  yield "{";
  if (names !== undefined) yield `"columns":${JSON.stringify(names)},`;
  if (labels !== undefined) yield `"labels":${JSON.stringify(Array.from(labels))},`;
  yield '"data":[';
  for (let i = 0; i < rows; i++) {
    const row = Array.from(data.subarray(i * columns, (i + 1) * columns), numberText);
    yield `${i > 0 ? "," : ""}\n[${row.join(",")}]`;
  }
  yield "\n]}\n";
}
