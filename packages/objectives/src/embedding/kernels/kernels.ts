/** The kernels by name, and which attraction goes with which. */
import { badOption } from "@curvature/linalg";
import { logarithmic, quadratic } from "./attraction.js";
import { biweight } from "./biweight.js";
import { epanechnikov } from "./epanechnikov.js";
import { gaussian } from "./gaussian.js";
import type { Kernel, KernelName, PairFunction } from "./pair-function.js";
import { student } from "./student.js";

export const kernels: Readonly<Record<KernelName, Kernel>> = Object.freeze({
  gaussian,
  student,
  epanechnikov,
  biweight,
});

/** A = t, or A = −log K, which for the Gaussian kernel is the same. */
export type AttractionName = "quadratic" | "log-kernel";

/**
 * A(t) for a kernel.
 *
 * @throws CurvatureError ERR_OPTION for "log-kernel" with a kernel of finite support, whose −log K is infinite as soon
 *   as two points that attract each other are at distance 1
 */
export function attractionFor(where: string, kernel: Kernel, attraction: AttractionName): PairFunction {
  if (attraction === "quadratic" || kernel === gaussian) return quadratic;
  if (kernel === student) return logarithmic;
  throw badOption(where, "attraction", `"quadratic" where the kernel is "${kernel.name}"`, attraction);
}

/** Whether A = −log K. */
export function isLogKernel(attraction: PairFunction, kernel: Kernel): boolean {
  return attraction === (kernel === gaussian ? quadratic : kernel === student ? logarithmic : undefined);
}
