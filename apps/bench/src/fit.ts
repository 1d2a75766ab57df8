/** The exponent of a power law from measurements: log y = a + b log x by least squares. */

export interface PowerLaw {
  /** b */
  readonly exponent: number;
  /** Its standard error; NaN of fewer than three points. */
  readonly error: number;
}

/** @param points - at least two, x and y above 0 */
export function powerLaw(points: readonly (readonly [x: number, y: number])[]): PowerLaw {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (axis: 0 | 1): number => logs.reduce((sum, each) => sum + each[axis], 0) / logs.length;
  const [mx, my] = [mean(0), mean(1)];
  const squares = logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  const exponent = logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / squares;
  const rest = logs.reduce((sum, [x, y]) => sum + (y - my - exponent * (x - mx)) ** 2, 0);
  return { exponent, error: Math.sqrt(rest / (logs.length - 2) / squares) };
}
