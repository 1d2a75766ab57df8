/**
 * A first line of numbers is data: the reader takes a line for a header only if none of its cells is a number. Columns that are
 * called 0, 1, 2, … or 2022, 2020, … are so taken for a row, which a user should know of.
 */
import type { DenseMatrix } from "@curvature/linalg";

/** Of a shorter line anything is a sequence, but years. */
const minColumns = 3;
const [firstYear, lastYear] = [1500, 2500];
const shownCells = 5;

/**
 * Undefined where the first row is no sequence, or not the only one that is.
 *
 * @param file - as it is shown
 * @param points - of a table without names of columns
 * @param indices - which of the file's columns these are, counted from 0
 * @param hasLabelColumn - whether one more column was taken out as labels
 */
export function firstLineWarning(
  file: string,
  points: DenseMatrix,
  indices: readonly number[],
  hasLabelColumn: boolean,
): string | undefined {
  if (points.columns < 2 || points.rows < 2) return undefined;
  const canCount = points.columns + Number(hasLabelColumn) >= minColumns;
  const isSequence = (row: number): boolean => {
    const cells = points.data.subarray(row * points.columns, (row + 1) * points.columns);
    return isMonotone(cells) && (areYears(cells) || (canCount && isEven(cells, indices)));
  };
  if (!isSequence(0)) return undefined;
  for (let i = 1; i < points.rows; i++) if (isSequence(i)) return undefined;
  const cells = Array.from(points.data.subarray(0, Math.min(shownCells, points.columns)), String);
  const shown = [...cells, ...(points.columns > shownCells ? ["…"] : [])].join(", ");
  return `${file}: the first line (${shown}) looks like the names of the columns, but is taken as data, since its cells are numbers. If it names them, write words in their place, as x${cells[0]}, or remove it.`;
}

/** Whole numbers that rise, or fall. */
function isMonotone(cells: Float64Array): boolean {
  const sign = Math.sign(cells[1] - cells[0]);
  return cells.every((cell, j) => Number.isInteger(cell) && (j === 0 || sign * (cell - cells[j - 1]) > 0));
}

const areYears = (cells: Float64Array): boolean =>
  cells.every((cell) => cell >= firstYear && cell <= lastYear);

/** Whether each step is as long as its columns lie apart: between them some may have been taken out. */
function isEven(cells: Float64Array, indices: readonly number[]): boolean {
  const step = (cells[1] - cells[0]) / (indices[1] - indices[0]);
  return cells.every((cell, j) => cell - cells[0] === step * (indices[j] - indices[0]));
}
