/** Which form of Σ_{n≠m} K a model gets, and which one `gradient: "auto"` stands for. */
import { badOption } from "@curvature/linalg";
import type { Kernel, KernelName } from "../kernels/pair-function.js";
import type { GradientMethod, ModelSettings } from "../options.js";
import type { EnergyTerm } from "../pair-sum.js";
import { checkThreads, type SumThreads } from "../threads/threads.js";
import { exactKernelSum, PlaneKernelSum } from "./exact.js";
import { InterpolatedKernelSum } from "./grid/interpolated.js";
import { radialKernel } from "./grid/radial-kernels.js";
import { TreeKernelSum } from "./tree/tree-sum.js";

/** Of the grid, in units of the map: forces to about 1 %, see `grid/interpolated.ts`. */
const SPACING = 0.5;

export interface KernelSum {
  readonly sum: EnergyTerm;
  /** Names the way of summing and its accuracy. */
  readonly label: string;
}

/**
 * @throws CurvatureError ERR_OPTION where the map has more dimensions than the way of summing serves, or the kernel has
 *   kinks that it does not resolve
 */
export function kernelSum(
  where: string,
  kernel: Kernel,
  points: number,
  { dimensions, gradient: asked, theta }: Pick<ModelSettings, "dimensions" | "gradient" | "theta">,
  threads?: SumThreads,
): KernelSum {
  checkThreads(threads, "elsewhere");
  const exact = exactKernelSum(kernel, points, dimensions);
  const gradient = asked === "auto" ? fastestGradient(kernel.name, points, dimensions) : asked;
  if (gradient === "exact") return { sum: exact, label: gradient };
  const radial = radialKernel(kernel.name);
  if (radial === undefined)
    throw badOption(where, "gradient", `"exact" where the kernel is "${kernel.name}"`, asked);
  if (dimensions !== 2 && (dimensions !== 3 || gradient !== "barnes-hut"))
    throw badOption(
      where,
      "gradient",
      dimensions === 3
        ? '"exact" or "barnes-hut" for maps in space'
        : `"exact" for maps of ${dimensions} dimensions`,
      asked,
    );
  if (gradient === "single")
    return { sum: new PlaneKernelSum(kernel, radial.name, points, gradient), label: gradient };
  const tree = new TreeKernelSum(radial.name, points, dimensions, exact, theta);
  const label = `${gradient} theta=${theta}`; // of the grid as well, which leaves wide maps to the tree
  const sum =
    gradient === "barnes-hut" ? tree : new InterpolatedKernelSum(radial, points, exact, tree, SPACING);
  return {
    sum: threads?.elsewhere({ kernel: radial.name, points, dimensions, gradient, theta }, sum) ?? sum,
    label,
  };
}

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
