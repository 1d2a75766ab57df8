/** Procrustes alignment: a map turned, reflected and scaled towards given places; objects without a place stay without one. */
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import { procrustes } from "@curvature/optim-svrg";

interface Aligned {
  /** n × 2; NaN for objects without a place. */
  readonly positions: Float64Array<ArrayBuffer>;
  /** Of the objects with a place, from 0 (alike) to 1; undefined where the map could not be aligned. */
  readonly disparity: number | undefined;
}

export function aligned({ rows, data }: DenseMatrix, target: Float64Array | undefined): Aligned {
  const placed = Array.from({ length: rows }, (_, i) => i).filter((i) => Number.isFinite(data[2 * i]));
  if (target === undefined || placed.length < 3)
    return { positions: Float64Array.from(data), disparity: undefined };
  const part = (from: Float64Array): DenseMatrix => ({
    rows: placed.length,
    columns: 2,
    data: Float64Array.from(placed.flatMap((i) => [from[2 * i], from[2 * i + 1]])),
  });
  try {
    const { aligned: moved, disparity } = procrustes(part(target), part(data));
    const positions = new Float64Array(2 * rows).fill(Number.NaN);
    placed.forEach((i, k) => {
      positions.set(moved.data.subarray(2 * k, 2 * k + 2), 2 * i);
    });
    return { positions, disparity };
  } catch (error) {
    if (!(error instanceof CurvatureError)) throw error;
    return { positions: Float64Array.from(data), disparity: undefined }; // all in one place
  }
}
