/** When squared distances tie: where they differ by no more than the rounding of the coordinates that they are between. */

/** Of the distance: of the squares and their sum. */
const RELATIVE = 1e-12;
/** Of the largest coordinate: a turned or shifted copy of the points has each rounded. */
const COORDINATES = 16 * Number.EPSILON;

/**
 * How much squared distances from a point may differ from D, and tie with it:
 *
 *   τ = 1e-12 D + 16 ε √d ‖x‖_∞ √D
 *
 * @param points - rows of `columns` numbers
 * @param row - the point's
 * @param distance - D, squared
 */
export const tieTolerance = (points: Float64Array, row: number, columns: number, distance: number): number =>
  tieRule(points, row, columns)(distance);

/** The same of one point for many D. */
export function tieRule(points: Float64Array, row: number, columns: number): (distance: number) => number {
  let largest = 0;
  for (let p = row * columns; p < (row + 1) * columns; p++) largest = Math.max(largest, Math.abs(points[p]));
  const ofRoot = COORDINATES * Math.sqrt(columns) * largest;
  return (distance) => RELATIVE * distance + ofRoot * Math.sqrt(distance);
}
