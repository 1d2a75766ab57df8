/** What `separateCurves` returns. */
import type { NomadPhases, NomadResult, NomadWarningCode } from "../nomad-result.js";
import type { CurveKernelName } from "./graph-kernels.js";
import type { CurveKernelCuts } from "./separation.js";

/**
 * What `nomad` returns for the graph of the kernel that decided, `Q` and `value` included, with the labels of the curves, and what
 * their cut in this graph costs.
 */
export interface SeparateCurvesResult extends Omit<NomadResult, "phases"> {
  /** Of each point its curve, numbered by their first points; copies of a point are on one curve. */
  readonly labels: Int32Array;
  /** K, found or given; the number of different points where that is smaller. */
  readonly clusters: number;
  /**
   * Other numbers of curves that stand out by a ratio of 4 in some kernel, by falling ratio: where curves lie in groups, or fall into
   * parts, these are the coarser and the finer answers. Empty for most sets.
   */
  readonly otherClusters: readonly number[];
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
