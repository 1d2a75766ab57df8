/** LIBSVM's rows as a table, zeros written out: the labels are the first column. */
import type { SettingsOf } from "@curvature/linalg";
import type { Column } from "@curvature/linalg/tables";
import { denseZeros } from "../formats/dense-zeros.js";
import { type LibsvmBatch, type libsvmOptions, readLibsvm } from "../formats/libsvm.js";
import { noData, numbered } from "../formats/table.js";
import { PLAIN } from "./cell.js";
import { matrixColumns, WordCells } from "./column-store.js";
import type { Found } from "./table-form.js";

type Settings = Pick<SettingsOf<typeof libsvmOptions>, "indexBase" | "maxBytes">;

/** @throws CurvatureError as `readLibsvm`; ERR_MEMORY for a table of more than 2 GiB, ERR_PARSE for rows without any entry */
export async function libsvmColumns(
  bytes: AsyncGenerator<Uint8Array>,
  { indexBase, maxBytes }: Settings,
): Promise<Found> {
  const batch = await readLibsvm(bytes, { precision: "double", indexBase, maxBytes });
  const { rows, columns, rowPointers, columnIndices, values } = batch.rows;
  if (columns === 0) throw noData("The input has labels only.", "Give at least one row with a number.");
  const data = denseZeros(rows, columns);
  for (let i = 0; i < rows; i++)
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++)
      data[i * columns + columnIndices[p]] = values[p];
  const features = matrixColumns({ rows, columns, data }, numbered(columns));
  return { rows, columns: [labelColumn(batch.labels), ...features], isNamed: false, labels: 0 };
}

/** Words, or numbers if all of them are. */
function labelColumn(labels: Float64Array | readonly string[]): Column {
  const cells = new WordCells(PLAIN);
  for (const [row, label] of labels.entries()) cells.text(row, String(label), false);
  const column = cells.finish({ name: "label", unit: undefined, isNameless: false }, labels.length);
  return column.type === "id"
    ? { ...column, type: column.numbers === undefined ? "word" : "number" }
    : column;
}

/** The rows as they are. */
export const sparseRows = (
  bytes: AsyncGenerator<Uint8Array>,
  { indexBase, maxBytes }: Settings,
): Promise<LibsvmBatch<Float32Array>> => readLibsvm(bytes, { indexBase, maxBytes });
