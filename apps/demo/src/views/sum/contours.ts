/**
 * Marching squares: where the values on a grid cross a level, by linear interpolation on the sides of every square.
 *
 * @param values - row by row, side × side
 * @param place - the point of the plane at grid coordinates (column, row)
 * @returns x0, y0, x1, y1 of every piece
 */
export function contourSegments(
  values: ArrayLike<number>,
  side: number,
  level: number,
  place: (column: number, row: number) => readonly [number, number],
): Float32Array<ArrayBuffer> {
  const pieces: number[] = [];
  for (let j = 0; j + 1 < side; j++) {
    for (let i = 0; i + 1 < side; i++) {
      const corners = [
        [i, j],
        [i + 1, j],
        [i + 1, j + 1],
        [i, j + 1],
      ] as const;
      const crossings: (readonly [number, number])[] = [];
      for (let k = 0; k < 4; k++) {
        const [from, to] = [corners[k], corners[(k + 1) % 4]];
        const a = values[from[1] * side + from[0]] - level;
        const b = values[to[1] * side + to[0]] - level;
        if (a >= 0 === b >= 0) continue;
        const share = a / (a - b);
        crossings.push(place(from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])));
      }
      // Two crossings are one piece; four, at a saddle, two.
      for (let k = 0; k + 1 < crossings.length; k += 2) pieces.push(...crossings[k], ...crossings[k + 1]);
    }
  }
  return Float32Array.from(pieces);
}
