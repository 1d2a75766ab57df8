/** Points in coordinates of their own: about their mean, in a unit near their extent. */
import { type DenseMatrix, norm2, powerOfTwoBelow, zeros } from "@curvature/linalg";

export interface OwnCoordinates {
  /** n × d: (points − means)/unit. */
  readonly X: DenseMatrix;
  /** A power of two; 1 where the points are equal. */
  readonly unit: number;
}

/** Differences from the first point come first, so that what is far from 0 keeps its digits. */
export function ownCoordinates(points: DenseMatrix): OwnCoordinates {
  const { rows: n, columns: d } = points;
  const X = zeros(n, d);
  const size = powerOfTwoBelow(longest(points));
  for (let at = 0; at < X.data.length; at++) X.data[at] = points.data[at] / size - points.data[at % d] / size;
  const extent = longest(X);
  if (extent === 0) return { X, unit: 1 };
  const scale = powerOfTwoBelow(extent);
  for (let at = 0; at < X.data.length; at++) X.data[at] /= scale;
  for (let j = 0; j < d; j++) {
    for (let round = 0; round < 2; round++) {
      let mean = 0; // the second time what rounding has left
      for (let i = 0; i < n; i++) mean += X.data[i * d + j] / n;
      for (let i = 0; i < n; i++) X.data[i * d + j] -= mean;
    }
  }
  return { X, unit: size * scale };
}

/** The largest norm of a row; the largest number where it overflows. */
function longest({ rows, columns, data }: DenseMatrix): number {
  let most = 0;
  for (let i = 0; i < rows; i++) most = Math.max(most, norm2(data.subarray(i * columns, (i + 1) * columns)));
  return Math.min(most, Number.MAX_VALUE);
}
