/** The options that every model takes, and those of the families, which leave the kernel open. */
import { between, checkOptions, nonNegative, oneOf, type Rule } from "@curvature/linalg";
import type { AttractionName } from "./kernels/kernels.js";
import type { KernelName } from "./kernels/pair-function.js";

export interface ModelOptions {
  /** d, the dimensions of the map, at least 1. Default 2. */
  readonly dimensions?: number;
  /** λ ≥ 0, the weight of the repulsion. Default 1 for normalised models, 100 for unnormalised ones. */
  readonly lambda?: number;
  /**
   * How the repulsion of all pairs is summed: "exact" in O(N²); "single", the same in single precision, for maps in the
   * plane: to 1e-5, in 0.4 to 0.7 of the time with SIMD and in four to six times it without, and for none who waits for the
   * last digits of E; "barnes-hut", by cells of points, for maps in the plane or in space; "fft", by interpolation on a grid, for maps in
   * the plane. The last three need repulsive weights that are all the same, and Student's or the Gaussian kernel. "auto" takes
   * the fastest of the others that there is for so many points. Default "exact".
   */
  readonly gradient?: GradientMethod | "auto";
  /**
   * θ, for "barnes-hut", from 0 to 1: how large cells may be beside their distance to be taken as a whole. Default 0.3:
   * forces to 1 % on usual maps. At 0 the sum is exact (the Gaussian's to 1e-9, its forces to 1e-7).
   */
  readonly theta?: number;
}

export type GradientMethod = "exact" | "single" | "barnes-hut" | "fft";

export interface FamilyOptions extends ModelOptions {
  /** K(t). Default "gaussian". */
  readonly kernel?: KernelName;
  /** A(t): t, or −log K, for which E is a divergence. Kernels of finite support need "quadratic", the default. */
  readonly attraction?: AttractionName;
}

export const normalizedDefaults: Readonly<Required<ModelOptions>> = Object.freeze({
  dimensions: 2,
  lambda: 1,
  gradient: "exact",
  theta: 0.3,
});
/** λ = 100 suits attractive and repulsive weights that each sum to 1. */
export const unnormalizedDefaults: Readonly<Required<ModelOptions>> = Object.freeze({
  dimensions: 2,
  lambda: 100,
  gradient: "exact",
  theta: 0.3,
});
export const familyDefaults: Readonly<Required<Omit<FamilyOptions, keyof ModelOptions>>> = Object.freeze({
  kernel: "gaussian",
  attraction: "quadratic",
});

const MOST_DIMENSIONS = 2 ** 20;
const dimensionsRule: Rule = {
  expected: `a whole number from 1 to ${MOST_DIMENSIONS}`,
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= MOST_DIMENSIONS,
};

const modelRules = {
  dimensions: dimensionsRule,
  lambda: nonNegative,
  gradient: oneOf("exact", "single", "barnes-hut", "fft", "auto"),
  theta: between(0, 1),
};
const familyRules = {
  ...modelRules,
  kernel: oneOf("gaussian", "student", "epanechnikov", "biweight"),
  attraction: oneOf("quadratic", "log-kernel"),
};

/** @throws CurvatureError ERR_OPTION */
export function checkedModel(
  where: string,
  given: ModelOptions | undefined,
  defaults: Required<ModelOptions>,
): Required<ModelOptions> {
  return checkOptions<Required<ModelOptions>>(where, given, defaults, modelRules);
}

/** @throws CurvatureError ERR_OPTION */
export function checkedFamily(
  where: string,
  given: FamilyOptions | undefined,
  defaults: Required<ModelOptions>,
): Required<FamilyOptions> {
  return checkOptions<Required<FamilyOptions>>(where, given, { ...defaults, ...familyDefaults }, familyRules);
}
