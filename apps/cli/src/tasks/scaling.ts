/** Points rescaled before anything else is done with them. */
import {
  applyScaling,
  type DenseMatrix,
  type Scaling as FittedScaling,
  fitScaling,
  type ScalingMethod,
  type SparseMatrix,
} from "@curvature/linalg";

/** The words of `--scale`. */
export const scalings = ["none", "max", "standard", "unit"] as const;
export type Scaling = (typeof scalings)[number];

/** Where packages have other words. */
export const methods: Readonly<Record<Exclude<Scaling, "none">, ScalingMethod>> = {
  max: "max-abs",
  standard: "standard",
  unit: "unit-rows",
};

/** Points rescaled as `--scale` says, and by what. @throws CurvatureError ERR_OPTION for `standard` of sparse points */
export function scaled(
  points: DenseMatrix | SparseMatrix,
  scale: Scaling,
): { readonly points: DenseMatrix | SparseMatrix; readonly scaling: FittedScaling | undefined } {
  if (scale === "none") return { points, scaling: undefined };
  const scaling = fitScaling(points, methods[scale]);
  // An overload each, since the result is as sparse as the points.
  return {
    points: "data" in points ? applyScaling(scaling, points) : applyScaling(scaling, points),
    scaling,
  };
}
