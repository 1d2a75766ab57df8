/**
 * A square grid in a space of more dimensions: a manifold of two dimensions under noise in the others.
 *
 * x = (row, column, ε_3, …, ε_dimensions),   row, column = 0 … side − 1,   ε normal
 *
 * Tepper, Sengupta, Chklovskii, J. Mach. Learn. Res. 19 (2018), figure 8.
 */
import {
  between,
  type DenseMatrix,
  fillNormal,
  integerFrom,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  zeros,
} from "@curvature/linalg";

export const noisyGridOptions = optionTable({
  /** Points along a side. */
  side: integerFrom(1).default(14),
  /** At least 2. */
  dimensions: integerFrom(2).default(10),
  /** Standard deviation of the noise in the dimensions beyond the grid's, whose neighbours lie at 1. */
  noise: between(0, 1e100).default(0.5),
  /** Of the random numbers. */
  seed: integerFrom(0).default(0),
});
export type NoisyGridOptions = OptionsOf<typeof noisyGridOptions>;

export interface NoisyGrid {
  /** side² × dimensions, row by row of the grid. */
  readonly points: DenseMatrix;
  /** The row and the column of each point in the grid. */
  readonly row: Uint32Array;
  readonly column: Uint32Array;
}

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function noisyGrid(options?: NoisyGridOptions): NoisyGrid {
  const { side, dimensions, noise, seed } = noisyGridOptions.resolve("noisyGrid", options);
  const random = new RandomGenerator(seed);
  const points = zeros(side * side, dimensions);
  const [row, column] = [new Uint32Array(points.rows), new Uint32Array(points.rows)];
  const rest = new Float64Array(dimensions - 2);
  for (let i = 0; i < points.rows; i++) {
    row[i] = Math.floor(i / side);
    column[i] = i % side;
    fillNormal(random, rest);
    for (let j = 0; j < rest.length; j++) points.data[i * dimensions + 2 + j] = noise * rest[j];
    points.data.set([row[i], column[i]], i * dimensions);
  }
  return { points, row, column };
}
