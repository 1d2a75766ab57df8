/** The rows of `curvature train`: those that it is trained on, and those of a file to test on, with the columns of these. */
import type { ColumnChoice } from "@curvature/datasets";
import { CurvatureError } from "@curvature/linalg";
import { checkColumns, rowsByName } from "../read/column-names.js";
import { columnUse, type LabelSource } from "../read/column-use.js";
import { shownName } from "../read/file.js";
import { type LinearInput, labelsOf, readLinearInput, readRowsOf, targetsOf } from "../read/linear-input.js";
import type { IndexBase, RowsRead } from "../read/rows.js";
import type { Session } from "../run/session.js";
import type { LabeledData } from "../tasks/linear-model.js";
import { modelKindOf, type TrainFlags } from "./train-flags.js";

/** Its features are counted, or matched by their names, as those of the training rows are. */
export async function testData(
  flags: TrainFlags,
  trained: Pick<LinearInput, "indexBase" | "columns"> & { readonly features?: number },
  session: Session,
): Promise<{ readonly data: RowsRead & LabeledData; readonly warnings: readonly string[] }> {
  const path = String(flags.test);
  session.log.phase(`reading ${shownName(path)}`);
  const base: IndexBase = trained.indexBase ?? flags.indexBase;
  const { labels, ignore } = columnUse(flags);
  const { columns, features } = trained;
  const input = await readLinearInput(
    path,
    {
      labels: labels.kind === "column" ? labels : { kind: "none" },
      ignore: columns === undefined ? ignore : [], // columns that are known by their names are taken by them
    },
    base,
    session,
    features === undefined ? undefined : async () => ({ names: columns, count: features }),
  );
  if (columns !== undefined && ignore.length > 0) checkSameLayout(path, input, labels, columns, ignore);
  const { rows, warnings } = rowsByName(input.rows, path, input.columns, columns, ignore);
  if (features !== undefined) checkColumns(rows, path, features);
  const aligned = { ...input, rows };
  return {
    data: { ...readRowsOf(aligned, path, base), ...labeledData(aligned, path, flags) },
    warnings: [...input.warnings, ...warnings],
  };
}

/**
 * Of rows to test on, where columns that the training knows by name were left out of it.
 *
 * @throws CurvatureError ERR_SHAPE where it is unclear which columns are meant
 */
function checkSameLayout(
  path: string,
  input: LinearInput,
  labels: LabelSource,
  columns: readonly string[],
  ignore: readonly ColumnChoice[],
): void {
  const refuse = (sentence: string): never => {
    throw new CurvatureError("ERR_SHAPE", `${shownName(path)} ${sentence}`, { path });
  };
  const has = input.rows.columns;
  if (input.columns === undefined && has > columns.length)
    refuse(
      "does not name its columns, so that those of --ignore are not known in it. Give it the names of the training rows, or only the columns that these are trained on.",
    );
  const isCounted = labels.kind === "column" && typeof labels.column === "number";
  if (isCounted && input.columns !== undefined && has !== columns.length + ignore.length)
    refuse("has not as many columns as the training rows; give the column of --labels by its name.");
}

/** Rows with their labels. @throws CurvatureError ERR_PARSE */
export function labeledData(input: LinearInput, path: string, flags: TrainFlags): LabeledData {
  const { rows } = input;
  if (rows.columns === 0) {
    throw new CurvatureError("ERR_PARSE", `${shownName(path)} has labels only. Give rows with features.`, {
      path,
    });
  }
  return {
    rows,
    labels: modelKindOf(flags).kind === "regression" ? targetsOf(input, path) : labelsOf(input, path),
  };
}
