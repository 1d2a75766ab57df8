/** Writer of delimited text; numbers in their shortest form that reads back as the same float64. */
import {
  CurvatureError,
  flag,
  type MatrixLike,
  type OptionsOf,
  object,
  optionTable,
  type SettingsOf,
  text,
  toDense,
} from "@curvature/linalg";
import { delimiterByte } from "./delimiter.js";
import { guarded } from "./formula-guard.js";

export const csvWriteOptions = optionTable({
  /**
   * The names of the matrix's columns; without them no header is written. Where one of them is a number, the line
   * reads back as a header only with `header: true`.
   */
  columns: object<readonly string[]>("an array of names"),
  /** One label per row, written as the last column. */
  labels: object<ArrayLike<string | number>>("an array of labels"),
  /** The label column's name in the header. */
  labelsName: text.default("label"),
  delimiter: text.default(","),
  /**
   * Text that a spreadsheet would run as a formula (it begins with `=`, `+`, `-`, `@`, tab or CR, and is neither a
   * number nor a lone sign) gets a `'` in front, which all readers take away. `true` writes it unchanged.
   */
  raw: flag.default(false),
});
export type CsvWriteOptions = OptionsOf<typeof csvWriteOptions>;

const chunkLength = 1 << 16;

/**
 * The matrix as text in pieces of about 64 KiB; lines end with LF.
 *
 * @throws CurvatureError ERR_NON_FINITE for a NaN or an infinity, ERR_SHAPE if there are not as many names as columns
 *   and labels as rows, ERR_OPTION
 */
export function writeCsv(points: MatrixLike, options?: CsvWriteOptions): Generator<string> {
  const settings = csvWriteOptions.resolve("writeCsv", options);
  delimiterByte("writeCsv", settings.delimiter);
  const { rows, columns, data } = toDense(points, "points");
  checkLength("columns", settings.columns, columns, "column");
  checkLength("labels", settings.labels, rows, "row");
  return chunked(lines(rows, columns, data, settings));
}

function* lines(
  rows: number,
  columns: number,
  data: Float64Array,
  settings: SettingsOf<typeof csvWriteOptions>,
): Generator<string> {
  const { columns: names, labels, labelsName, delimiter, raw } = settings;
  const textCell = cellWriter(delimiter, raw);
  if (names !== undefined) {
    yield `${[...names, ...(labels === undefined ? [] : [labelsName])].map(textCell).join(delimiter)}\n`;
  }
  for (let i = 0; i < rows; i++) {
    let line = "";
    for (let j = 0; j < columns; j++) line += (j > 0 ? delimiter : "") + numberText(data[i * columns + j]);
    yield labels === undefined ? `${line}\n` : `${line}${delimiter}${textCell(labels[i])}\n`;
  }
}

/** −0 keeps its sign, which `String` drops. */
export const numberText = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));

export function cellWriter(delimiter: string, raw: boolean): (value: string | number) => string {
  return (value) => {
    const safe = raw ? String(value) : guarded(String(value));
    // an apostrophe before a mark could be taken for the end of a quoted cell
    const plain = !/' *(?:$|[;,|])|["\r\n\t ]/.test(safe) && !safe.includes(delimiter) && safe !== "";
    return plain ? safe : `"${safe.replaceAll('"', '""')}"`;
  };
}

/** Short texts joined to long ones. */
export function* chunked(parts: Iterable<string>): Generator<string> {
  let chunk = "";
  for (const part of parts) {
    chunk += part;
    if (chunk.length >= chunkLength) {
      yield chunk;
      chunk = "";
    }
  }
  if (chunk !== "") yield chunk;
}

/** @throws CurvatureError ERR_SHAPE */
export function checkLength(name: string, values: unknown, expected: number, per: string): void {
  if (values === undefined) return;
  const length =
    typeof values === "object" && values !== null && "length" in values ? values.length : undefined;
  if (length === expected) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${name} must have one entry per ${per}: ${expected}; received ${length}.`,
    {
      path: name,
      expected: `${expected} entries`,
      received: length,
    },
  );
}
