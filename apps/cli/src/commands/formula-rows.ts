/** The rows of a table for the model of a formula. */
import type { DenseMatrix } from "@curvature/linalg";
import { columnIndex } from "@curvature/linalg/tables";
import { checkNumbers, PI } from "../formula/names.js";
import type { Formula } from "../formula/parse-formula.js";
import { type Data, readData } from "../read/data.js";
import type { Session } from "../run/session.js";
import { type DataFlags, dataUse } from "./data-flags.js";

/** @param columns - the names of the columns that are read, in this order */
export async function formulaRowsIn(
  file: string,
  columns: readonly string[],
  flags: DataFlags,
  session: Session,
  weights?: string,
): Promise<Data<DenseMatrix>> {
  const data = await readData(file, dataUse(flags), session, {
    weights,
    choose: (table) => {
      const indices = columns.map((name) => columnIndex(table, name, "formula"));
      checkNumbers(table, columns, flags.missing === "drop");
      return indices;
    },
  });
  for (const note of data.notes) session.log.note(note);
  for (const warning of data.warnings) session.log.warning(warning);
  return data;
}

/** What stands left of ~: its text, its columns, and whether it is more than one of them. */
export function leftSide({ text, response }: Formula): {
  readonly text: string;
  readonly columns: readonly string[];
  readonly isExpression: boolean;
} {
  const [left = ""] = text.split("~");
  const names = response.flatMap((node) => (node.kind === "name" && node.name !== PI ? [node.name] : []));
  return { text: left.trim(), columns: [...new Set(names)], isExpression: response.length > 1 };
}
