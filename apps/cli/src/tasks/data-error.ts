/** An argument of a package's that is the user's data here. */
import { CurvatureError } from "@curvature/linalg";
import { inFile } from "../read/file.js";
import type { RowsRead } from "../read/rows.js";
import { inFlags } from "../run/flag-names.js";

interface Place {
  /** The data's file, where nobody else names it. */
  readonly path?: string;
  /** The row of the data that a row of the argument is. */
  readonly rowOf?: (row: number) => number;
}

/** Rows and columns of the data are counted from 1, as in a file. */
export function asDataError(error: unknown, { path, rowOf = (row) => row }: Place = {}): unknown {
  if (!(error instanceof CurvatureError) || error.code !== "ERR_ARGUMENT") return error;
  const ofData = new CurvatureError("ERR_PARSE", sentence(inFlags(error), rowOf), {
    path: error.path ?? "",
    cause: error,
  });
  return path === undefined ? ofData : inFile(path, ofData);
}

/** Below this no square overflows, nor a sum of as many as there may be. */
const squarable = 1e100;

/**
 * Numbers whose squares overflow, by their places in the file and as they stand there: what a package names has been scaled or
 * projected, and counts from 0.
 */
export function asSizeError(
  error: unknown,
  { path, rows, columns, fileRows }: Pick<RowsRead, "path" | "rows" | "columns" | "fileRows">,
): unknown {
  if (!(error instanceof CurvatureError) || error.code !== "ERR_NON_FINITE") return error;
  const values = "data" in rows ? rows.data : rows.values;
  let at = 0;
  for (let p = 1; p < values.length; p++) if (Math.abs(values[p]) > Math.abs(values[at])) at = p;
  if (!(Math.abs(values[at]) > squarable)) return error;
  let row = "data" in rows ? Math.floor(at / rows.columns) : 0;
  if (!("data" in rows)) while (rows.rowPointers[row + 1] <= at) row++;
  const j = "data" in rows ? at % rows.columns : rows.columnIndices[at];
  const name = columns?.[j];
  const column = name === undefined ? `column ${j + 1} of the numbers` : `column ${JSON.stringify(name)}`;
  return inFile(
    path,
    new CurvatureError(
      "ERR_NON_FINITE",
      `Row ${(fileRows?.[row] ?? row) + 1} of the data has ${values[at]} in ${column}: squared distances would overflow. Rescale the data, or leave the row out.`,
      { path: error.path ?? "", received: values[at], cause: error },
    ),
  );
}

const countedFromZero = / \(counted from 0\)| Rows(?: and columns)? are counted from 0\./g;

function sentence(message: string, rowOf: (row: number) => number): string {
  const rest = message.replace(countedFromZero, "");
  if (rest === message) return message;
  return rest
    .replace(
      /\b(row) (\d+)(?: of (?:newPoints|points|the data))?/gi,
      (_, word, i) => `${word} ${rowOf(Number(i)) + 1} of the data`,
    )
    .replace(/\b(column) (\d+)/gi, (_, word, j) => `${word} ${Number(j) + 1}`);
}
