/**
 * A first line of numbers is data: the reader takes a line for a header only if none of its cells is a number. Columns that are
 * called 0, 1, 2, … or 2019, 2020, … are so taken for a row, which a user should know of.
 */
import type { DenseMatrix } from "@curvature/linalg";

/** Of a shorter line anything is a sequence. */
const fewestColumns = 3;
const shownCells = 5;

/**
 * Undefined where the first row is no sequence, or not the only one that is.
 *
 * @param file - as it is shown
 * @param points - of a table without names of columns
 * @param hasLabelColumn - whether one more column was taken out as labels
 */
export function firstLineWarning(
  file: string,
  points: DenseMatrix,
  hasLabelColumn: boolean,
): string | undefined {
  const width = points.columns + Number(hasLabelColumn);
  if (width < fewestColumns || points.rows < 2) return undefined;
  const isSequence = (row: number): boolean => isEven(points, row, hasLabelColumn);
  if (!isSequence(0)) return undefined;
  for (let i = 1; i < points.rows; i++) if (isSequence(i)) return undefined;
  const cells = Array.from(points.data.subarray(0, Math.min(shownCells, points.columns)), String);
  const shown = [...cells, ...(points.columns > shownCells ? ["…"] : [])].join(", ");
  return `${file}: the first line (${shown}) looks like the names of the columns, but is taken as data, since its cells are numbers. If it names them, write words in their place, as x${cells[0]}, or remove it.`;
}

/** Whether a row's entries are whole and rise by equal steps; with one twice as long where a column was taken out. */
function isEven({ columns, data }: DenseMatrix, row: number, hasGap: boolean): boolean {
  const at = row * columns;
  let step = Number.POSITIVE_INFINITY;
  for (let j = 1; j < columns; j++) step = Math.min(step, data[at + j] - data[at + j - 1]);
  if (!(Number.isInteger(data[at]) && Number.isInteger(step) && step > 0)) return false;
  const excess = (data[at + columns - 1] - data[at]) / step - (columns - 1);
  return excess === 0 || (hasGap && excess === 1);
}
