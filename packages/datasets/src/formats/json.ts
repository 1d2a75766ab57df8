/**
 * JSON documents: an array of rows (arrays of numbers or flat objects), or
 * `{ "columns": names, "data": rows, "labels": one per row }`, of which columns and labels may be left out.
 */
import {
  CurvatureError,
  type MatrixLike,
  type OptionsOf,
  object,
  optionName,
  optionTable,
  shown,
  toDense,
} from "@curvature/linalg";
import { type ByteSource, collected } from "./bytes.js";
import { checkLength, chunked, numberText } from "./csv-writer.js";
import { reading } from "./gzip.js";
import { JsonRows, labelText } from "./json-rows.js";
import { columnEntries, inputSize } from "./shared-options.js";
import type { Table } from "./table.js";
import { parsedJson, strictText, withoutBom } from "./text.js";

/** Engines hold no string over 512 MiB or so, whatever `maxBytes` says. */
export const jsonOptions = optionTable({ ...columnEntries, ...inputSize });
export type JsonOptions = OptionsOf<typeof jsonOptions>;

/**
 * A table from one JSON document in UTF-8, plain or gzip. It is held in memory whole; JSON Lines are not.
 *
 * @throws CurvatureError ERR_PARSE (row counted from 0, key or column named), ERR_NON_FINITE for null or a number
 *   beyond float64, ERR_OPTION for options, chosen columns that are not there included, ERR_MEMORY
 */
export async function readJson(source: ByteSource, options?: JsonOptions): Promise<Table> {
  const settings = jsonOptions.resolve("readJson", options);
  const bytes = await reading(source, settings.maxBytes, async (input) => collected(await withoutBom(input)));
  const { columns, data, labels } = parts(parsedJson(strictText(bytes, "The input"), "The input"));
  const rows = new JsonRows(settings, columns);
  data.forEach((row, i) => {
    rows.add(row, `Row ${i}`);
  });
  const table = rows.finish();
  if (labels === undefined) return table;
  checkLength("labels", labels, table.points.rows, "row");
  if (settings.labels !== undefined) {
    throw documentError("has labels of its own", `Leave ${optionName("labels")} out.`);
  }
  return { ...table, labels: labels.map((label, i) => labelText(label, `Label ${i}`)) };
}

interface Parts {
  readonly columns: readonly string[] | undefined;
  readonly data: readonly unknown[];
  readonly labels: readonly unknown[] | undefined;
}

const noParts: Parts = { columns: undefined, data: [], labels: undefined };
const known = ["columns", "data", "labels"];

function parts(document: unknown): Parts {
  if (Array.isArray(document)) return { ...noParts, data: document };
  if (typeof document !== "object" || document === null) {
    throw documentError(`is ${shown(document)}`, "Write an array of rows.");
  }
  const entries = new Map<string, unknown>(Object.entries(document));
  for (const key of entries.keys()) {
    if (!known.includes(key))
      throw documentError(`has the key ${shown(key)}`, `Known keys: ${known.join(", ")}.`);
  }
  const data = entries.get("data");
  if (!Array.isArray(data))
    throw documentError("has no array of rows as its data", 'Write { "data": rows }.');
  const columns = optionalArray(entries, "columns");
  if (columns !== undefined && !columns.every((name) => typeof name === "string")) {
    throw documentError("has column names that are not strings", "Write strings.");
  }
  return { columns, data, labels: optionalArray(entries, "labels") };
}

function optionalArray(entries: ReadonlyMap<string, unknown>, key: string): readonly unknown[] | undefined {
  const value = entries.get(key);
  if (value === undefined || Array.isArray(value)) return value;
  throw documentError(`has ${shown(value)} as its ${key}`, "Write an array.");
}

function documentError(what: string, remedy: string): CurvatureError {
  return new CurvatureError("ERR_PARSE", `The JSON document ${what}. ${remedy}`, { path: "json" });
}

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
