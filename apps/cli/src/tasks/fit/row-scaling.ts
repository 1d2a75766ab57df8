/** How the rows of `curvature fit` are rescaled: for the objective, and later for new rows of its model. */
import { applyScaling, type DenseMatrix, type Scaling as FittedScaling, fitScaling } from "@curvature/linalg";
import { methods, type Scaling } from "../scaling.js";
import { type ObjectiveName, objectives } from "./objectives.js";

/** The word for `auto`: models of labels have their columns standardised, as `train` does. */
export const resolvedScale = (objective: ObjectiveName, scale: Scaling | "auto"): Scaling => {
  if (scale !== "auto") return scale;
  return objectives[objective].classes === undefined ? "none" : "standard";
};

/** @throws CurvatureError as `fitScaling` */
export function rescaled(
  objective: ObjectiveName,
  points: DenseMatrix,
  scale: Scaling,
): { readonly points: DenseMatrix; readonly scaling: FittedScaling | undefined } {
  if (scale === "none") return { points, scaling: undefined };
  const scaling =
    objective === "convnet" && scale !== "unit" ? alike(points, scale) : fitScaling(points, methods[scale]);
  return { points: applyScaling(scaling, points), scaling };
}

/** All pixels alike, as the filters see them: a pixel that is dark in all images but one would be noise otherwise. */
function alike(points: DenseMatrix, scale: "max" | "standard"): FittedScaling {
  const { rows, columns, data } = points;
  const method = methods[scale];
  const { offsets, scales } = fitScaling({ rows: rows * columns, columns: 1, data }, method);
  return {
    method,
    offsets: new Float64Array(columns).fill(offsets[0]),
    scales: new Float64Array(columns).fill(scales[0]),
  };
}
