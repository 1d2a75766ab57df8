import { applyScaling, type DenseMatrix, fitScaling, type ScalingMethod } from "@curvature/linalg";
import type { Scaling } from "../conventions.js";

const scalings: Readonly<Record<Exclude<Scaling, "none">, ScalingMethod>> = {
  max: "max-abs",
  standard: "standard",
  unit: "unit-rows",
};

/** Points rescaled as `--scale` says. */
export function scaled(points: DenseMatrix, scale: Scaling): DenseMatrix {
  return scale === "none" ? points : applyScaling(fitScaling(points, scalings[scale]), points);
}
