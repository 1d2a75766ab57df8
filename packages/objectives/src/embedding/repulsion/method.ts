/** Which way of summing the repulsion of all pairs suits a map: what `gradient: "auto"` stands for. */
import { badOption } from "@curvature/linalg";
import type { KernelName } from "../kernels/pair-function.js";
import type { GradientMethod } from "../options.js";

/** Points above which a faster way than all pairs takes over, for maps as wide as the kernel makes them. */
const mostExact = {
  student: { plane: 2000, space: 1000 },
  gaussian: { plane: 1000, space: 2000 },
};

/**
 * The fastest way for a model whose repulsive weights are all the same. A map in the plane of the Gaussian kernel is small
 * in units of the kernel's width, which suits a grid; one of Student's kernel is large and mostly empty, which suits cells.
 *
 * @param kernel - of the repulsion
 * @param dimensions - of the map
 * @throws CurvatureError ERR_OPTION for a number of points that is none
 */
export function fastestGradient(kernel: KernelName, points: number, dimensions: number): GradientMethod {
  if (!(typeof points === "number" && points >= 0))
    throw badOption("fastestGradient", "points", "a number of at least 0", points);
  if ((kernel !== "student" && kernel !== "gaussian") || (dimensions !== 2 && dimensions !== 3))
    return "exact";
  const { plane, space } = mostExact[kernel];
  if (points <= (dimensions === 2 ? plane : space)) return "exact";
  return kernel === "gaussian" && dimensions === 2 ? "fft" : "barnes-hut";
}
