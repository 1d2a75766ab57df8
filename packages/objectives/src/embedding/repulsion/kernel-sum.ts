/** Which form of Σ_{n≠m} K a model gets. */
import { badOption } from "@curvature/linalg";
import type { Kernel } from "../kernels/pair-function.js";
import type { GradientMethod } from "../options.js";
import type { EnergyTerm } from "../pair-sum.js";
import { exactKernelSum } from "./exact.js";
import { InterpolatedKernelSum } from "./grid/interpolated.js";
import { radialKernel } from "./grid/radial-kernels.js";

/** Of the grid, in units of the map: forces to about 1 %, see `grid/interpolated.ts`. */
const SPACING = 0.5;

/** @throws CurvatureError ERR_OPTION where the map is not in the plane, or the kernel has kinks that no grid resolves */
export function kernelSum(
  where: string,
  kernel: Kernel,
  points: number,
  dimensions: number,
  gradient: GradientMethod,
): EnergyTerm {
  const exact = exactKernelSum(kernel, points, dimensions);
  if (gradient === "exact") return exact;
  if (dimensions !== 2) throw badOption(where, "gradient", '"exact" for maps not in the plane', gradient);
  const radial = radialKernel(kernel.name);
  if (radial === undefined)
    throw badOption(where, "gradient", `"exact" where the kernel is "${kernel.name}"`, gradient);
  return new InterpolatedKernelSum(radial, points, exact, SPACING);
}
