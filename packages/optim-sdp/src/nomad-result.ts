/**
 * What `nomad` returns: the run's result, the solution with its certificate, and what can be read from it.
 */
import type { Components, DenseMatrix, Warning } from "@curvature/linalg";
import type { DataWarningCode } from "@curvature/linalg/tables";
import type { RunResult } from "@curvature/optim-core";
import type { FactoredPoint } from "./bounds/factored-point.js";
import type { NomadDetails, NomadSettings } from "./nomad-options.js";

/** How far Tr(D Q) of the best feasible Q is from the best possible one, in the data's unit. */
export interface Bounds {
  /** Tr(D Q) of the feasible Q that was found. */
  readonly lower: number;
  /**
   * No feasible Q has more; Infinity if there was no bound before the end. Where `clusterPoints` bounds labels alone: no Q of a
   * clustering has more.
   */
  readonly upper: number;
  /** (upper − lower)/|upper|; Infinity without an upper bound. */
  readonly gap: number;
}

/** What a feasible Q is, as it stands in memory. */
export interface QSummary {
  /** min Q_ij: at least 0. */
  readonly smallestEntry: number;
  /** max_i |Σ_j Q_ij − 1| */
  readonly rowSumError: number;
  /**
   * Rank of the solver's own last point, before the repair that makes it feasible: Q itself has full rank where the repair needed
   * the identity. Undefined for the solvers that do not know it, `cg` and `bm`, and for `auto` before its dual iteration.
   */
  readonly rank: number | undefined;
}

/** One solved layer. */
export interface NomadLayer extends Bounds, QSummary {
  /** K */
  readonly clusters: number;
  readonly components: Components;
  readonly iterations: number;
}

/** An automatic sequence of layers that was tried and given up. */
export interface LayerAttempt {
  readonly layers: readonly LayerCount[];
}

/** What a solved layer shows of the manifolds. */
export interface LayerCount {
  /** K */
  readonly clusters: number;
  /** c, the components of Q's graph. */
  readonly components: number;
  /** Points of the smallest component. */
  readonly smallest: number;
}

export interface NomadPhases {
  /** Reading and checking the data, the Gram operator, and in `clusterPoints` the starts of the labels; seconds. */
  readonly gram: number;
  /** The run, of all layers; seconds. */
  readonly optimization: number;
  /** Labels, embedding, components; seconds. */
  readonly geometry: number;
}

/** `x` is Q by rows or, where n × n numbers do not fit, F of `factored`; `value` is Tr(D Q) of the last layer. */
export interface NomadResult extends RunResult<NomadDetails>, Bounds, QSummary {
  /** The feasible Q of the last layer, n × n; undefined where it does not fit, or labels of more than 2,000 points alone are bounded. */
  readonly Q: DenseMatrix | undefined;
  /** Q = F Fᵀ + diag + constant, if the solver made it so. */
  readonly factored: FactoredPoint | undefined;
  /**
   * Of each point its cluster, 0 … round(K) − 1, numbered by their first points. With points and one layer of a whole K: the
   * cheapest of 20 greedy starts and of Q's rounding, such that no move of one point lowers the cost; copies of a point are in one
   * cluster. Else k-means with Q as the kernel.
   */
  readonly labels: Int32Array;
  /**
   * Of the labels: the sum of squared distances of points from the means of their clusters, in the square of the data's unit,
   * whatever `scale` is. Undefined, like the two below, without points, with more than one layer, and where K is not whole.
   */
  readonly cost: number | undefined;
  /** No clustering of the points into K groups costs less; rounding is allowed for. 0 where nothing better is known. */
  readonly costLower: number | undefined;
  /** (cost − costLower)/cost: how far the labels are from the best ones, at the most. `gap` is that of Tr(D Q), which is another. */
  readonly costGap: number | undefined;
  /** Of the labels, where they have a cost: see `clusterPoints`. The less the better, between runs on the same rows; −Infinity for a cost of 0. */
  readonly bic: number | undefined;
  /**
   * How far each point lies outside of its cluster, where labels have a cost: (v − q3)/(q3 − q1), v its distance from the cluster's
   * mean, q1 and q3 the quartiles of these distances in the cluster; beyond 3 is Tukey's outer fence. A point in a cluster of less
   * than four is measured by the nearest one of more. 0 where the distances of a cluster do not differ.
   */
  readonly outlierScore: Float64Array | undefined;
  /** n × round(K): u_ic = Σ_j Q_ij over the points j of cluster c; rows sum to 1. */
  readonly memberships: DenseMatrix;
  /**
   * n × 2: the leading eigenvectors of Q beside the constant one, by the roots of their eigenvalues. Where `clusterPoints` bounds labels
   * alone, whose Q would show one dot for each cluster: the scores of the two leading principal components of the points.
   */
  readonly embedding: DenseMatrix;
  /** Share of the variance of Q, or of the points, that the embedding shows, 0 to 1. */
  readonly varianceExplained: number;
  /** Of the graph that joins i and j where Q_ij > 0, as far as the gap lets that be seen. */
  readonly components: Components;
  /** The points by component, cluster, and along each of them: the order in which Q shows its blocks and bands. */
  readonly order: Int32Array;
  /** Those that were solved, from the first, and one that was not brought to its end; the last one is the result. */
  readonly layers: readonly NomadLayer[];
  /** Automatic layers that were given up before these. */
  readonly attempts: readonly LayerAttempt[];
  readonly phases: NomadPhases;
  /** What a user should know about the data or the method, with a `NomadWarningCode` each; empty where all is well. */
  readonly warnings: readonly Warning[];
  readonly options: NomadUsedOptions;
}

export type NomadWarningCode =
  | Exclude<DataWarningCode, "distinct-labels">
  | "stopped-in-layer"
  | "no-upper-bound"
  | "equal-points"
  | "indefinite"
  | "fewer-different-points"
  | "components-unsettled"
  | "single-row-clusters"
  | "far-rows"
  | "largest-clusters";

/** The options as used, as plain data: with the solver's and the run's. */
export type NomadUsedOptions = RunResult["options"] &
  Pick<NomadSettings, UsedOption> & {
    /** "auto", or each layer's K with commas between them. */
    readonly layers: string;
  };

export type UsedOption =
  | "input"
  | "scale"
  | "solver"
  | "tolerance"
  | "certify"
  | "seed"
  | "maxIterations"
  | "memoryLimit"
  | "clusters"
  | "maxSeconds";
