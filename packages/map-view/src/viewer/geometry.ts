/** Which points lie inside a line, and which lie near to one. */

/**
 * The points inside a closed line, by the even-odd rule.
 *
 * @param places - N × 2
 * @param line - its corners, M × 2
 */
export function pointsInside(places: ArrayLike<number>, line: readonly number[]): number[] {
  const inside: number[] = [];
  if (line.length < 6) return inside;
  for (let n = 0; 2 * n < places.length; n++)
    if (isInside(places[2 * n], places[2 * n + 1], line)) inside.push(n);
  return inside;
}

function isInside(x: number, y: number, line: readonly number[]): boolean {
  let isOdd = false;
  for (let k = 0, last = line.length - 2; k < line.length; last = k, k += 2) {
    const [xa, ya, xb, yb] = [line[k], line[k + 1], line[last], line[last + 1]];
    if (ya > y !== yb > y && x < xa + ((y - ya) / (yb - ya)) * (xb - xa)) isOdd = !isOdd;
  }
  return isOdd;
}

/** The rows that lie nearest to `row`, nearest first, by all their coordinates; of those equally near the first. */
export function nearestRows(
  points: readonly number[],
  axes: number,
  row: number,
  count: number,
  isLeftOut: (row: number) => boolean = () => false,
): number[] {
  const rows = points.length / axes;
  const squares = new Float64Array(rows);
  const others: number[] = [];
  for (let n = 0; n < rows; n++) {
    for (let axis = 0; axis < axes; axis++)
      squares[n] += (points[n * axes + axis] - points[row * axes + axis]) ** 2;
    if (n !== row && !isLeftOut(n)) others.push(n);
  }
  return others.sort((a, b) => squares[a] - squares[b] || a - b).slice(0, count);
}
