/**
 * What neighbours and affinities share: the distance of two rows, and the checks of distances.
 */
import { CurvatureError, type DenseMatrix, toDense } from "@curvature/linalg";
import { placeOf } from "./check-points.js";

/**
 * ‖a_i − b_j‖² of row i of `a` and row j of `b`, both with D columns, by direct differences: symmetric to the bit,
 * exactly 0 for equal rows, never negative.
 */
export function squaredRowDistance(
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  D: number,
): number {
  const end = i * D + D;
  let p = i * D;
  let q = j * D;
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (; p + 3 < end; p += 4, q += 4) {
    const t0 = a[p] - b[q];
    const t1 = a[p + 1] - b[q + 1];
    const t2 = a[p + 2] - b[q + 2];
    const t3 = a[p + 3] - b[q + 3];
    s0 += t0 * t0;
    s1 += t1 * t1;
    s2 += t2 * t2;
    s3 += t3 * t3;
  }
  for (; p < end; p++, q++) {
    const t = a[p] - b[q];
    s0 += t * t;
  }
  return s0 + s1 + (s2 + s3);
}

/** ȳ, length D. */
export function columnMeans({ rows, columns, data }: DenseMatrix): Float64Array {
  const means = new Float64Array(columns);
  for (let i = 0, p = 0; i < rows; i++) for (let j = 0; j < columns; j++) means[j] += data[p++] / rows;
  return means;
}

/** @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT for a negative one (row and column named) */
export function checkDistances(distances: DenseMatrix): void {
  const matrix = toDense(distances, "distances");
  const { data } = matrix;
  let at = 0;
  while (at < data.length && !(data[at] < 0)) at++;
  if (at === data.length) return;
  const place = placeOf(matrix, at);
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `distances has ${data[at]} at ${place} (counted from 0); squared distances are not negative.`,
    { path: place, expected: "at least 0", received: data[at] },
  );
}

/**
 * Σ D, by which distances become weights.
 *
 * @throws CurvatureError ERR_ARGUMENT where it is 0, ERR_NON_FINITE where it overflows
 */
export function checkedTotal(sum: number, what: "points" | "known points"): number {
  if (sum > Number.MAX_VALUE) {
    throw new CurvatureError(
      "ERR_NON_FINITE",
      `The sum of the squared distances of all ${what} overflows. Rescale the data.`,
      { path: "points", expected: `at most ${Number.MAX_VALUE}`, received: sum },
    );
  }
  if (sum > 0) return sum;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `All ${what} are equal, so their distances give no repulsive weights. Use constant ones.`,
    { path: "points", expected: "at least two different points", received: sum },
  );
}
