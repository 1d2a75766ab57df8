/** The kernels by name, and which attraction goes with which. */
import { badOption } from "@curvature/linalg";
import { logarithmic, quadratic } from "./attraction.js";
import { gaussian } from "./gaussian.js";
import type { Kernel, KernelName, PairFunction } from "./pair-function.js";
import { student } from "./student.js";

/**
 * The Epanechnikov kernel, of finite support. Its slope jumps at t = 1, where sums of it are not differentiable.
 *
 *   K(t) = max(0, 1 − t),   K′ = −1 for t < 1, else 0,   K″ = 0
 */
const epanechnikov: Kernel = {
  name: "epanechnikov",
  values(t, count, f) {
    for (let j = 0; j < count; j++) f[j] = Math.max(0, 1 - t[j]);
  },
  sum(t, w, start, count) {
    let sum = 0;
    for (let j = 0; j < count; j++) sum += w[start + j] * Math.max(0, 1 - t[j]);
    return sum;
  },
  slopes(t, w, start, count, a) {
    let sum = 0;
    for (let j = 0; j < count; j++) {
      const weight = w[start + j];
      sum += weight * Math.max(0, 1 - t[j]);
      a[j] = t[j] < 1 ? -weight : 0;
    }
    return sum;
  },
  curvatures(t, w, start, count, a, b) {
    for (let j = 0; j < count; j++) a[j] = t[j] < 1 ? -w[start + j] : 0;
    b.fill(0, 0, count);
  },
};

/**
 * The biweight kernel, of finite support and once continuously differentiable.
 *
 *   K(t) = max(0, 1 − t)²,   K′ = −2 max(0, 1 − t),   K″ = 2 for t < 1, else 0
 */
const biweight: Kernel = {
  name: "biweight",
  values(t, count, f) {
    for (let j = 0; j < count; j++) {
      const u = Math.max(0, 1 - t[j]);
      f[j] = u * u;
    }
  },
  sum(t, w, start, count) {
    let sum = 0;
    for (let j = 0; j < count; j++) {
      const u = Math.max(0, 1 - t[j]);
      sum += w[start + j] * u * u;
    }
    return sum;
  },
  slopes(t, w, start, count, a) {
    let sum = 0;
    for (let j = 0; j < count; j++) {
      const u = Math.max(0, 1 - t[j]);
      const wu = w[start + j] * u;
      sum += wu * u;
      a[j] = -2 * wu;
    }
    return sum;
  },
  curvatures(t, w, start, count, a, b) {
    for (let j = 0; j < count; j++) {
      const weight = w[start + j];
      a[j] = -2 * weight * Math.max(0, 1 - t[j]);
      b[j] = t[j] < 1 ? 2 * weight : 0;
    }
  },
};

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
