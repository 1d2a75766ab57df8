/** The options that every model takes, and those of the families, which leave the kernel open. */
import {
  between,
  integerFrom,
  nonNegative,
  type OptionsOf,
  oneOf,
  optionTable,
  type SettingsOf,
} from "@curvature/linalg";

export const normalizedOptions = optionTable({
  /** d, the dimensions of the map. */
  dimensions: integerFrom(1, 2 ** 20).default(2),
  /** λ, the weight of the repulsion. */
  lambda: nonNegative.default(1),
  /**
   * How the repulsion of all pairs is summed: "exact" in O(N²); "single", the same in single precision, for maps in the
   * plane: to 1e-5, in 0.4 to 0.7 of the time with SIMD and in four to six times it without, and for none who waits for the
   * last digits of E; "barnes-hut", by cells of points, for maps in the plane or in space; "fft", by interpolation on a grid, for maps in
   * the plane. The last three need repulsive weights that are all the same, and Student's or the Gaussian kernel. "auto" takes
   * the fastest of the others that there is for so many points.
   */
  gradient: oneOf("exact", "single", "barnes-hut", "fft", "auto").default("exact"),
  /**
   * θ, for "barnes-hut", from 0 to 1: how large cells may be beside their distance to be taken as a whole. 0.3 gives forces
   * to 1 % on usual maps. At 0 the sum is exact (the Gaussian's to 1e-9, its forces to 1e-7).
   */
  theta: between(0, 1).default(0.3),
});
export const unnormalizedOptions = optionTable({
  ...normalizedOptions.entries,
  /** λ, the weight of the repulsion. 100 suits attractive and repulsive weights that each sum to 1. */
  lambda: nonNegative.default(100),
});
export type ModelOptions = OptionsOf<typeof normalizedOptions>;
export type ModelSettings = SettingsOf<typeof normalizedOptions>;
export type GradientMethod = Exclude<ModelSettings["gradient"], "auto">;

const familyEntries = {
  /** K(t). */
  kernel: oneOf("gaussian", "student", "epanechnikov", "biweight").default("gaussian"),
  /** A(t): t, or −log K, for which E is a divergence. Kernels of finite support need "quadratic". */
  attraction: oneOf("quadratic", "log-kernel").default("quadratic"),
};
export const normalizedFamilyOptions = optionTable({ ...normalizedOptions.entries, ...familyEntries });
export const unnormalizedFamilyOptions = optionTable({ ...unnormalizedOptions.entries, ...familyEntries });
export type FamilyOptions = OptionsOf<typeof normalizedFamilyOptions>;

/** How far points lie apart: see `affinity/metric.ts`. */
export const metricNames = [
  "euclidean",
  "cosine",
  "correlation",
  "manhattan",
  "chebyshev",
  "hamming",
  "jaccard",
  "canberra",
  "hellinger",
] as const;
export type MetricName = (typeof metricNames)[number];
