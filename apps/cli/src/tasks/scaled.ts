import {
  applyScaling,
  type DenseMatrix,
  fitScaling,
  type ScalingMethod,
  type SparseMatrix,
} from "@curvature/linalg";
import type { Scaling } from "../conventions.js";

const scalings: Readonly<Record<Exclude<Scaling, "none">, ScalingMethod>> = {
  max: "max-abs",
  standard: "standard",
  unit: "unit-rows",
};

/** Points rescaled as `--scale` says. @throws CurvatureError ERR_OPTION for `standard` of sparse points */
export function scaled(points: DenseMatrix, scale: Scaling): DenseMatrix;
export function scaled(points: DenseMatrix | SparseMatrix, scale: Scaling): DenseMatrix | SparseMatrix;
export function scaled(points: DenseMatrix | SparseMatrix, scale: Scaling): DenseMatrix | SparseMatrix {
  if (scale === "none") return points;
  const scaling = fitScaling(points, scalings[scale]);
  // An overload each, since the result is as sparse as the points.
  return "data" in points ? applyScaling(scaling, points) : applyScaling(scaling, points);
}
