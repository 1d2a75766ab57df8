/**
 * Images of random smooth curves, like the CURVES set of Hinton and Salakhutdinov (Reducing the dimensionality of data with
 * neural networks. Science 313 (2006), supporting material): each image depends on six numbers, the places of three
 * points, though it has 784 pixels.
 *
 * Recipe     p_0, p_1, p_2 uniform on the square of pixels' centres, less a margin of 2 pixels;
 *            c(t) = (1 − t)² p_0 + 2 t (1 − t) p_1 + t² p_2,   0 ≤ t ≤ 1        (a quadratic Bézier curve)
 *            drawn as a line through c(0), c(1/32), …, c(1) with a round pen of radius r, smooth over one pixel:
 *            grey = min(1, max(0, r + ½ − d)),   d the distance of the pixel's centre to the line
 *
 * These are not the original images, so that no published figure can be compared with theirs to the digit.
 */
import {
  between,
  type DenseMatrix,
  integerFrom,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  zeros,
} from "@curvature/linalg";

export const curvesOptions = optionTable({
  /** Images. */
  count: integerFrom(1).default(1000),
  /** Height and width of an image in pixels, at least 8. */
  side: integerFrom(8).default(28),
  /** r, in pixels. */
  penRadius: between(0, 1e3).default(0.8),
  /** Of the random numbers. */
  seed: integerFrom(0).default(0),
});
export type CurvesOptions = OptionsOf<typeof curvesOptions>;

export interface Curves {
  /** A row of side² grey values from 0 to 1 for each image, row by row of it. */
  readonly points: DenseMatrix;
  /** A row x_0, y_0, x_1, y_1, x_2, y_2 for each image, in pixels from the centre of the first one: p_0, p_1, p_2. */
  readonly controls: DenseMatrix;
}

const MARGIN = 2;
const SEGMENTS = 32;

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function curves(options?: CurvesOptions): Curves {
  const { count, side, penRadius, seed } = curvesOptions.resolve("curves", options);
  const random = new RandomGenerator(seed);
  const points = zeros(count, side * side);
  const controls = zeros(count, 6);
  const line = new Float64Array(2 * (SEGMENTS + 1));
  for (let i = 0; i < count; i++) {
    const p = controls.data.subarray(6 * i, 6 * i + 6);
    for (let k = 0; k < 6; k++) p[k] = MARGIN + (side - 1 - 2 * MARGIN) * random.uniform();
    trace(p, line);
    draw(line, penRadius, side, points.data.subarray(i * side * side, (i + 1) * side * side));
  }
  return { points, controls };
}

/** The line's corners c(0), c(1/32), …, c(1). */
function trace(p: Float64Array, line: Float64Array): void {
  for (let k = 0; k <= SEGMENTS; k++) {
    const t = k / SEGMENTS;
    const [a, b, c] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
    line[2 * k] = a * p[0] + b * p[2] + c * p[4];
    line[2 * k + 1] = a * p[1] + b * p[3] + c * p[5];
  }
}

/** Segment by segment, on the pixels that the pen may reach. */
function draw(line: Float64Array, radius: number, side: number, image: Float64Array): void {
  const reach = radius + 0.5;
  const from = (a: number, b: number): number => Math.max(0, Math.floor(Math.min(a, b) - reach));
  const to = (a: number, b: number): number => Math.min(side - 1, Math.ceil(Math.max(a, b) + reach));
  for (let k = 0; k < 2 * SEGMENTS; k += 2) {
    const [ax, ay, bx, by] = line.subarray(k, k + 4);
    const [firstColumn, lastColumn] = [from(ax, bx), to(ax, bx)];
    for (let row = from(ay, by); row <= to(ay, by); row++)
      for (let column = firstColumn; column <= lastColumn; column++) {
        const grey = Math.min(1, reach - distanceToSegment(ax, ay, bx - ax, by - ay, column, row));
        const at = row * side + column;
        if (grey > image[at]) image[at] = grey;
      }
  }
}

/** From (x, y) to the segment from a to a + u. */
function distanceToSegment(ax: number, ay: number, ux: number, uy: number, x: number, y: number): number {
  const [vx, vy] = [x - ax, y - ay];
  const length2 = ux * ux + uy * uy;
  const along = length2 === 0 ? 0 : Math.min(1, Math.max(0, (ux * vx + uy * vy) / length2));
  const [dx, dy] = [vx - along * ux, vy - along * uy];
  return Math.sqrt(dx * dx + dy * dy);
}
