/** An argument of a package's that is the user's data here. */
import { CurvatureError } from "@curvature/linalg";
import { inFile } from "../read/file.js";
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
