/** Points from any file of rows: the table, and the matrix that is made of it. */
import { type OptionsOf, optionTable } from "@curvature/linalg";
import {
  columnIndex,
  type Preparation,
  type PreparedRows,
  preparationOptions,
  prepare,
  textAt,
} from "@curvature/linalg/tables";
import type { ByteSource } from "../formats/bytes.js";
import { tableOf } from "./read-table.js";
import { tableOptions } from "./table-form.js";

export const pointsOptions = optionTable({
  ...tableOptions.entries,
  columns: preparationOptions.entries.columns,
  ignore: preparationOptions.entries.ignore,
  /** The column of labels. Left out: the one that the file itself says, if it does. */
  labels: preparationOptions.entries.labels,
  areTargets: preparationOptions.entries.areTargets,
  words: preparationOptions.entries.words,
  missing: preparationOptions.entries.missing,
});
export type PointsOptions = OptionsOf<typeof pointsOptions>;

export interface ReadPoints extends PreparedRows {
  /** One for each point, "" where there is none; undefined if no column was chosen. */
  readonly labels: readonly string[] | undefined;
  /** What was made of the table: for later rows, by `applyPreparation`. */
  readonly preparation: Preparation;
}

/**
 * `readTable`, then `prepare`: a matrix without gaps.
 *
 * @throws CurvatureError as both
 */
export async function readPoints(source: ByteSource, options?: PointsOptions): Promise<ReadPoints> {
  const settings = pointsOptions.resolve("readPoints", options);
  const table = await tableOf("readPoints", source, settings);
  const { columns, ignore, labels = table.labels, areTargets, words, missing } = settings;
  const prepared = prepare(table, { columns, ignore, labels, areTargets, words, missing });
  const { points, kept, notes } = prepared;
  const column = labels === undefined ? undefined : table.columns[columnIndex(table, labels, "labels")];
  return {
    ...prepared,
    labels:
      column &&
      Array.from({ length: points.rows }, (_, i) => textAt(column, kept === undefined ? i : kept[i])),
    notes: [...table.notes, ...notes],
  };
}
