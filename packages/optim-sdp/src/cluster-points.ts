/**
 * The façade for groups of points: labels, and how far their cost is from the least possible one. What it does is loaded when it is
 * called.
 */
import {
  badOption,
  either,
  flag,
  integerFrom,
  type MatrixLike,
  type OptionsOf,
  oneOf,
  option,
  optionName,
  optionTable,
} from "@curvature/linalg";
import { type FacadeSteps, facade, facadeEntries } from "@curvature/optim-core";
import type { ClusterPointsResult } from "./cluster-result.js";
import { gramMatrixOptions } from "./gram-options.js";
import { isLinkList } from "./labels/link-list.js";
import { type NomadDetails, nomadOptions } from "./nomad-options.js";

const linkList = option("an array of pairs of different rows, counted from 0", isLinkList);

export const clusterPointsOptions = optionTable({
  /** K, a whole number from 1 to the number of points; "auto" chooses it by BIC, see `choice`. Required. */
  clusters: either(oneOf("auto"), integerFrom(1)),
  /** The largest K that "auto" tries, of those up to half the number of points; refused beside a number of clusters. */
  maxClusters: integerFrom(1).default(10),
  /** Whether rows far outside of all clusters are noise: label −1, and no part of any cluster, of the cost and of its bound. */
  noiseLabel: flag.default(false),
  ...gramMatrixOptions.entries,
  solver: nomadOptions.entries.solver,
  /** Gap of the labels' cost, (cost − costLower)/cost, at which the run has converged; 0 never, but for labels that are proved best. */
  tolerance: nomadOptions.entries.tolerance,
  /**
   * Whether to go on until the labels are proved best, by branch and bound: no clustering is cheaper by more than 1e-9 of the cost.
   * `tolerance` does not end it then. For up to 1000 different points; it may take long where clusters are none: see `maxSeconds`.
   */
  exact: flag.default(false),
  certify: nomadOptions.entries.certify,
  /** Pairs of rows, counted from 0, that are in one cluster. */
  mustLink: linkList,
  /** Pairs of rows that are in different clusters. */
  cannotLink: linkList,
  seed: nomadOptions.entries.seed,
  maxIterations: nomadOptions.entries.maxIterations,
  ...facadeEntries<NomadDetails, "gram" | "geometry">(),
});
export type ClusterPointsOptions = OptionsOf<typeof clusterPointsOptions>;

/**
 * Clusters points into K groups of least sum of squares (the k-means problem), and says how far the labels are from the best
 * possible ones: no clustering into K groups costs less than `costLower`; this one costs `cost`.
 *
 * The labels are the cheapest of 20 greedy starts and of a rounding of NOMAD's relaxation, none of which a move of one point
 * improves; the bound is the relaxation's, and for up to 600 different points that of the relaxation with triangle inequalities,
 * which clusterings keep and Q need not: Q, `lower`, `upper` and `gap` are those without them. It ends when `costGap` is at most
 * `tolerance`, or `stalled` where the bound stands still and leaves more, which may be whether or not the labels are the best
 * ones; `exact` goes on from there. The bound with triangle inequalities takes as long as it needs where `maxSeconds` is given, or
 * a tolerance below 1e-3; else it is given some seconds, which is enough up to some 180 different points, and is not begun for more
 * of them, whose labels and the relaxation's own bound take a second or two.
 * `nomad` has the same fields, and ends by the gap of Tr(D Q). A run that is resumed begins the triangle inequalities anew.
 *
 * With more than 600 different points, or rows so far away that no clustering as good as this one joins them with others, no
 * relaxation of all points is solved (`solver: "auto"`): the bound is the sum of those of groups of some 200 points, each a picture
 * of the whole, or of the pieces that the points fall into, and it gets better as long as time allows. `factored` (and `Q`, up to 2,000 points) is then that
 * of the labels, `lower` its Tr(D Q) and `upper` a bound of that of every clustering; `components` are the clusters, and the
 * embedding is that of the two leading principal components. Rows that take a cluster for themselves are named in `warnings`
 * (`far-rows`).
 *
 * Where one column alone is not constant, the labels are the best ones, by a dynamic programme, and `costLower` is their cost but for
 * rounding; no relaxation is solved then, either.
 *
 * With `mustLink` and `cannotLink` the labels respect these pairs, and no move of a point, or of points that must be together, that
 * respects them lowers the cost; no clustering that respects them costs less than `costLower`, though one that does not may. `lower`,
 * `upper` and `gap` are those of the relaxation without links. Links that contradict are refused with the chain that does.
 *
 * Every row has an `outlierScore`: (v − q3)/(q3 − q1), v its distance from the middle of its cluster, q1 and q3 the quartiles of
 * these distances. With `noiseLabel` rows beyond the fence have the label −1; it is 3.5, and more where a cluster has few rows (4.4
 * for 20). With `clusters: "auto"` K is the one of least BIC of 1 to `maxClusters`, in about as many fits: a finding, not a fact, and
 * K = 1 says that there is no structure of clusters.
 *
 * @example
 * const { labels, cost, costLower } = await clusterPoints([[0], [1], [10], [11]], { clusters: 2 });
 * console.log(labels, cost, costLower); // [0, 0, 1, 1], 1, a little below 1
 *
 * @param points - n × d, one per row
 * @throws CurvatureError (the promise rejects) ERR_OPTION; ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT for the points, ERR_MEMORY
 *   with how much is needed, ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`; the signal's reason if it is aborted before the run
 */
export const clusterPoints = facade(async function* (
  points: MatrixLike,
  options?: ClusterPointsOptions,
): FacadeSteps<NomadDetails, ClusterPointsResult> {
  const settings = clusterPointsOptions.resolve("clusterPoints", options);
  const { clusters, maxClusters } = settings;
  if (typeof clusters === "number" && maxClusters !== clusterPointsOptions.defaults.maxClusters)
    throw badOption(
      "clusterPoints",
      "maxClusters",
      `left out where ${optionName("clusters")} is a number: it is the largest one that "auto" tries`,
      maxClusters,
    );
  const { clustered } = await import("./cluster-run.js");
  return yield* clustered(points, settings);
});
