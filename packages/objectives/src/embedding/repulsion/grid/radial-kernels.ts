/** The kernels whose sums can be interpolated: smooth ones, which the grid's spacing resolves. */
import { exp } from "@curvature/linalg";
import type { KernelName } from "../../kernels/pair-function.js";

/** K(t) of the squared distance, with its derivatives. */
export interface RadialKernel {
  readonly name: "student" | "gaussian";
  value(t: number): number;
  slope(t: number): number;
  curvature(t: number): number;
  /** The distance beyond which K is 0 to rounding. */
  readonly reach: number;
}

const student: RadialKernel = {
  name: "student",
  value: (t) => 1 / (1 + t),
  slope: (t) => -1 / ((1 + t) * (1 + t)),
  curvature: (t) => 2 / ((1 + t) * (1 + t) * (1 + t)),
  reach: Number.POSITIVE_INFINITY,
};

const gaussian: RadialKernel = {
  name: "gaussian",
  value: (t) => exp(-t),
  slope: (t) => -exp(-t),
  curvature: (t) => exp(-t),
  reach: 6.1,
};

/** undefined for kernels of finite support, whose kinks no grid resolves. */
export function radialKernel(name: KernelName): RadialKernel | undefined {
  return name === "student" ? student : name === "gaussian" ? gaussian : undefined;
}
