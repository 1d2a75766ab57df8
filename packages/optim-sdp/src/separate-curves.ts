/**
 * The façade for points on curves, or other shapes that are long rather than round: which points belong together, how many curves
 * there are, and a bound on the cut of any other answer. What it does is loaded when it is called.
 */
import { either, integerFrom, type MatrixLike, type OptionsOf, oneOf, optionTable } from "@curvature/linalg";
import { type FacadeSteps, facade, facadeEntries } from "@curvature/optim-core";
import type { CurveKernelName } from "./curves/graph-kernels.js";
import type { CurveKernelCuts } from "./curves/separation.js";
import { memoryOptions } from "./gram-options.js";
import { type NomadDetails, nomadOptions } from "./nomad-options.js";
import type { NomadPhases, NomadResult, NomadWarningCode } from "./nomad-result.js";

export const separateCurvesOptions = optionTable({
  /** How many curves there are, from 1 to the number of points; "auto" finds it out. */
  clusters: either(oneOf("auto"), integerFrom(1)).default("auto"),
  ...memoryOptions.entries,
  /** Of the relaxation that bounds the cut; the labels do not depend on it. */
  solver: nomadOptions.entries.solver,
  /** Gap of the cut, (cut − cutLower)/cut, at which the run has converged. */
  tolerance: nomadOptions.entries.tolerance,
  certify: nomadOptions.entries.certify,
  /** Of the relaxation. */
  seed: nomadOptions.entries.seed,
  /** Of the relaxation. */
  maxIterations: nomadOptions.entries.maxIterations,
  // `maxSeconds` limits the relaxation; what comes before it ends by the signal
  ...facadeEntries<NomadDetails, "curves" | "gram" | "geometry">(),
});
export type SeparateCurvesOptions = OptionsOf<typeof separateCurvesOptions>;

/**
 * What `nomad` returns for the graph of the kernel that decided, `Q` and `value` included, with the labels of the curves, and what
 * their cut in this graph costs.
 */
export interface SeparateCurvesResult extends Omit<NomadResult, "phases"> {
  /** Of each point its curve, numbered by their first points; copies of a point are on one curve. */
  readonly labels: Int32Array;
  /** K, found or given; the number of different points where that is smaller. */
  readonly clusters: number;
  /** Of each curve the share of its points' edges that lead to other curves, summed: from 0 to K. */
  readonly cut: number;
  /** No partition of this graph into K parts has a smaller cut, rounding included; 0 where nothing better is known. */
  readonly cutLower: number;
  /** (cut − cutLower)/cut, for cuts from 1e-9: smaller ones count as so much. */
  readonly cutGap: number;
  /** Which kernel's graph that is. */
  readonly kernel: CurveKernelName;
  /** Whether the labels are those of single linkage, which are taken for a given K if no part is small. */
  readonly isSingleLinkage: boolean;
  /** The sequences of cuts in all kernels, from which the count was read; none where all points are the same. */
  readonly kernels: readonly CurveKernelCuts[];
  readonly phases: NomadPhases & {
    /** Distances, paths, kernels and cuts; seconds. */
    readonly curves: number;
  };
}

/** What is said beside the warnings of `nomad`. */
export type SeparateCurvesWarningCode = NomadWarningCode | "cut-not-proved";

/**
 * Separates points on curves: rings, moons, spirals, knots, links, also at random places. Such points are no clusters by means of
 * theirs (`clusterPoints`), and too uneven for NOMAD's tiling by layers (`nomad` with `layers`).
 *
 * Three kernels of neighbourhood (Euclidean, and along paths) are cut to parts, each time at the least normalised cut. The count is
 * where the next cut is so much worse than all before it, by a factor of 4 or more; otherwise it is 1. A given count takes
 * single linkage where this leaves no small part. NOMAD of the kernel bounds the cut of any partition into as many parts: the
 * certificate proves the cut, not the truth. It ends as `converged` where the cut's gap is at most `tolerance`, or the gap less
 * than 1e-4 per curve; `stalled` where the relaxation is solved and leaves more. A cut of twice the bound and more is
 * a warning: the partition is then wrong more often than elsewhere.
 *
 * @example
 * const at = (radius: number, i: number) => [radius * Math.cos(i * i), radius * Math.sin(i * i)];
 * const points = Array.from({ length: 160 }, (_, i) => at(1 + (i % 2), i)); // two rings, at uneven places
 * const { labels, clusters, cut, cutLower } = await separateCurves(points);
 * console.log(clusters, labels, cut, cutLower); // 2, [0, 1, 0, 1, …]
 *
 * @param points - n × d, one per row. Of some thousand at most: 80 n² bytes
 * @throws CurvatureError (the promise rejects) ERR_OPTION; ERR_SHAPE or ERR_NON_FINITE for the points, ERR_MEMORY with how much is
 *   needed, ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`; the signal's reason if it is aborted before the relaxation begins
 */
export const separateCurves = facade(async function* (
  points: MatrixLike,
  options?: SeparateCurvesOptions,
): FacadeSteps<NomadDetails, SeparateCurvesResult> {
  const settings = separateCurvesOptions.resolve("separateCurves", options);
  const { separated } = await import("./curves/curves-run.js");
  return yield* separated(points, settings);
});
