/** What stands beside the rows (labels, weights, names, colours): a column of the table, or a file; a column comes before a file. */
import { statSync } from "node:fs";
import type { ReadTable } from "@curvature/datasets";
import { CurvatureError } from "@curvature/linalg";
import { columnIndex } from "@curvature/linalg/tables";
import { inFlags } from "../run/flag-names.js";
import { shownName } from "./file.js";

const isExistingFile = (word: string): boolean =>
  statSync(word, { throwIfNoEntry: false })?.isFile() ?? false;
export const isFile = (word: string): boolean => word === "-" || /[\\/]/.test(word) || isExistingFile(word);

/** Where it is from. */
export interface Source {
  readonly column?: number;
  readonly file?: string;
  readonly notes: readonly string[];
}

/** @throws CurvatureError ERR_OPTION for what is neither */
export function sourceOf(
  path: string,
  table: ReadTable,
  option: "labels" | "weights" | "names" | "color",
  word: string,
): Source {
  try {
    const column = columnIndex(table, word, option);
    const isBoth = isExistingFile(word);
    return {
      column,
      notes: isBoth
        ? [`--${option} is the column ${JSON.stringify(word)}; the file of this name is ./${word}.`]
        : [],
    };
  } catch (error) {
    if (!(error instanceof CurvatureError)) throw error;
    if (isFile(word)) return { file: word, notes: [] };
    throw new CurvatureError(
      "ERR_OPTION",
      `${inFlags(error)} (Looked for in ${shownName(path)}; there is no file of this name either.)`,
      { path: option },
    );
  }
}
