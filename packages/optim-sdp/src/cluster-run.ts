/**
 * The work of `clusterPoints`, which is loaded when it is called: how many clusters there are and which rows are noise, where that
 * is asked for; then labels and their certificate, of the rows that are no noise.
 */
import {
  badOption,
  type DenseMatrix,
  type MatrixLike,
  optionName,
  toDense,
  warning,
} from "@curvature/linalg";
import { FacadeRun, type FacadeSteps } from "@curvature/optim-core";
import type { ClusterPointsResult } from "./cluster-result.js";
import { gramOfPoints } from "./gram.js";
import {
  bicOf,
  CLOSED,
  type ClusterChoice,
  type ClusterCount,
  effectiveDimension,
  noiseShare,
  silhouettesOf,
  spectralBounds,
} from "./labels/choose-clusters.js";
import { type LabelCost, labelCost, scaledCost } from "./labels/cost.js";
import { LabelSearch } from "./labels/label-search.js";
import type { Link } from "./labels/link-list.js";
import { type Noise, noiseOf, rowsOf } from "./labels/noise.js";
import type { NomadDetails, NomadSettings } from "./nomad-options.js";
import type { NomadResult, NomadWarningCode } from "./nomad-result.js";
import { type LabelParts, solved } from "./nomad-run.js";
import { checkClusters } from "./problem.js";

interface ClusterSettings extends Omit<NomadSettings, "clusters" | "layers" | "input"> {
  readonly clusters: number | "auto" | undefined;
  readonly maxClusters: number;
  readonly noiseLabel: boolean;
  readonly exact: boolean;
  readonly mustLink: readonly Link[] | undefined;
  readonly cannotLink: readonly Link[] | undefined;
}

/** Of noise for a K and a K for the rest, until both agree. */
const MAX_ROUNDS = 6;
/** Rows up to which every K of a choice has a bound from its own relaxation, and how long that is worked at. */
const MAX_BOUNDED = 500;
const BOUND_ITERATIONS = 600;

export async function* clustered(
  data: MatrixLike,
  settings: ClusterSettings,
): FacadeSteps<NomadDetails, ClusterPointsResult> {
  const points = toDense(data, "points");
  const { clusters, maxClusters, noiseLabel } = settings;
  if (clusters === undefined)
    throw badOption(
      "clusterPoints",
      "clusters",
      'a whole number from 1 to the number of points, or "auto"',
      clusters,
    );
  if (clusters !== "auto" && points.rows > 0) checkClusters("clusterPoints", clusters, points.rows);
  checkLinks(settings);
  if (clusters !== "auto" && !noiseLabel)
    return complete(yield* labelled(points, settings, clusters), points.rows, settings);
  const run = new FacadeRun<NomadDetails, "gram" | "geometry">(settings);
  const { scale, memoryLimit } = settings;
  const X = await run.phase("gram", () => centredPoints(points, { scale, memoryLimit }));
  const most =
    clusters === "auto" ? Math.max(1, Math.min(maxClusters, Math.floor(points.rows / 2))) : clusters;
  const tried = noiseLabel ? await run.steps("gram", noiseFor(points, X, settings, most)) : undefined;
  const triedRows = rowsOf(points, keptRows(tried?.noise, points.rows, most));
  const choice = clusters === "auto" ? await chosen(run, triedRows, most, settings) : undefined;
  const K = choice?.clusters ?? most;
  // the fence of the K that is chosen, if that of another one was taken to choose among
  const found =
    tried === undefined || tried.K === K
      ? tried?.noise
      : await run.steps("gram", noiseOf(X, K, settings.seed));
  const rows = keptRows(found, points.rows, K);
  const inner = yield* labelled(rowsOf(points, rows), settings, K);
  const result =
    found === undefined
      ? complete(inner, points.rows, settings)
      : withNoise(inner, points, rows, found, settings);
  const phases = { ...result.phases, gram: result.phases.gram + run.phases("gram").gram };
  if (choice === undefined) return { ...result, phases };
  return { ...result, phases, ...withChoice(result, choice, most, maxClusters) };
}

/** @throws CurvatureError ERR_OPTION where links are given with what knows nothing of them */
function checkLinks(settings: ClusterSettings): void {
  if (!isLinked(settings)) return;
  const refused = (name: string, expected: string, value: unknown) =>
    badOption("clusterPoints", name, `${expected} where labels are to respect links`, value);
  if (settings.clusters === "auto") throw refused("clusters", "a number", settings.clusters);
  if (settings.noiseLabel) throw refused("noiseLabel", "false", true);
}

const isLinked = ({ mustLink = [], cannotLink = [] }: ClusterSettings): boolean =>
  mustLink.length + cannotLink.length > 0;

const parts: LabelParts = {
  labelled: () => import("./labels/labelled.js"),
  proof: () => import("./labels/label-proof.js"),
};

/** @param isRough - whether the relaxation's own bound is enough */
const labelled = (
  points: DenseMatrix,
  settings: ClusterSettings,
  clusters: number,
  isRough = false,
): FacadeSteps<NomadDetails, NomadResult> => {
  const { maxClusters: _, noiseLabel: __, exact, mustLink = [], cannotLink = [], ...others } = settings;
  return solved(
    points,
    { ...others, clusters, input: "points", layers: [clusters] },
    exact && !isRough ? "best labels" : "labels",
    { links: isLinked(settings) ? { mustLink, cannotLink } : undefined, isRough, parts },
  );
};

/** @throws CurvatureError as `gramOfPoints` */
function centredPoints(
  points: DenseMatrix,
  options: Pick<ClusterSettings, "scale" | "memoryLimit">,
): DenseMatrix {
  return gramOfPoints(points, options).points ?? points;
}

/** All rows where as many as there are clusters would not be left. */
function keptRows(noise: Noise | undefined, n: number, K: number): Int32Array {
  const all = Int32Array.from({ length: n }, (_, i) => i);
  const kept = noise === undefined ? all : all.filter((i) => noise.isNoise[i] === 0);
  return kept.length < K ? all : kept;
}

/**
 * Noise of K clusters; where K is to be chosen, that of the K of least BIC among the rows that are no noise for the largest one, and
 * once more among those that are then none.
 */
function* noiseFor(
  points: DenseMatrix,
  X: DenseMatrix,
  { clusters, seed }: ClusterSettings,
  most: number,
): Generator<number, { readonly noise: Noise; readonly K: number }> {
  let noise = yield* noiseOf(X, most, seed);
  let K = most;
  for (let round = 0; clusters === "auto" && round < MAX_ROUNDS; round++) {
    const rows = keptRows(noise, X.rows, most);
    const least = yield* leastBic(rowsOf(points, rows), rowsOf(X, rows), most, seed);
    if (least === K) break;
    K = least;
    noise = yield* noiseOf(X, K, seed);
  }
  return { noise, K };
}

/** The K of least BIC, without bounds. */
function* leastBic(
  points: DenseMatrix,
  X: DenseMatrix,
  most: number,
  seed: number,
): Generator<number, number> {
  const d = effectiveDimension(X);
  let [best, least] = [1, Number.POSITIVE_INFINITY];
  for (let K = 1; K <= most; K++) {
    const search = new LabelSearch(points, X, K, seed);
    for (const share of search.starts(true)) yield (K - 1 + share) / most;
    const bic = bicOf(search.labels, K, search.certificate(0, Number.POSITIVE_INFINITY).cost, d);
    if (bic < least) [best, least] = [K, bic];
  }
  return best;
}

/** Labels of each K from 1, by the same search as those of the result; the relaxations are solved roughly, and only where they are small. */
async function chosen(
  run: FacadeRun<NomadDetails, "gram" | "geometry">,
  points: DenseMatrix,
  most: number,
  settings: ClusterSettings,
): Promise<ClusterChoice> {
  const { scale, memoryLimit, seed, maxSeconds } = settings;
  const isSmall = points.rows <= MAX_BOUNDED;
  const rough: ClusterSettings = {
    ...settings,
    ...{
      onIteration: undefined,
      onPhase: undefined,
      checkpoint: undefined,
      resume: undefined,
      solver: "auto",
    },
    maxSeconds: maxSeconds / (2 * most),
    tolerance: Math.max(CLOSED, settings.tolerance),
    certify: isSmall,
    maxIterations: isSmall ? BOUND_ITERATIONS : 1,
  };
  const X = centredPoints(points, { scale, memoryLimit });
  const counts = Array.from({ length: most }, (_, at) => at + 1);
  const spectral = spectralBounds(X, counts);
  const trace = X.data.reduce((sum, x) => sum + x * x, 0);
  const total = scaledCost(points, new Int32Array(points.rows), 1);
  const tried: { K: number; labels: Int32Array; bic: number; cheap: LabelCost; result: NomadResult }[] = [];
  for (const K of counts) {
    const result = await run.phase("gram", () => toEndOf(labelled(points, rough, K, true)));
    const own = scaledCost(points, result.labels, K);
    const cheap = labelCost(
      own,
      total,
      { trace, n: points.rows, columns: points.columns },
      spectral[K - 1],
      K,
    );
    tried.push({ K, labels: result.labels, bic: result.bic ?? Number.POSITIVE_INFINITY, cheap, result });
  }
  const silhouettes = await run.phase("gram", () =>
    silhouettesOf(
      X,
      tried.map(({ labels, K }) => ({ labels, k: K })),
      seed,
    ),
  );
  const bounded = tried.map(({ K, bic, cheap, result }, at): ClusterCount => {
    const { cost = 0, costLower = 0, costGap = 1 } = result;
    const best = cheap.costGap < costGap ? cheap : { cost, costLower, costGap };
    return { clusters: K, ...best, bic, silhouette: silhouettes[at], isClosed: best.costGap <= CLOSED };
  });
  // What is no less for K + 1 clusters is no less for K.
  const table = [...bounded];
  for (let at = table.length - 2; at >= 0; at--) {
    const { cost, costLower } = table[at];
    const lower = Math.min(cost, Math.max(costLower, table[at + 1].costLower));
    if (!(lower > costLower)) continue;
    const costGap = (cost - lower) / cost;
    table[at] = { ...table[at], costLower: lower, costGap, isClosed: costGap <= CLOSED };
  }
  const least = table.reduce((best, each) => (each.bic < best.bic ? each : best));
  return { clusters: least.clusters, table };
}

async function toEndOf<R>(steps: AsyncGenerator<unknown, R, void>): Promise<R> {
  for (;;) {
    const next = await steps.next();
    if (next.done === true) return next.value;
  }
}

/** What labels of points always have. */
function complete(result: NomadResult, n: number, settings: ClusterSettings): ClusterPointsResult {
  const { cost = 0, costLower = 0, costGap = 0, bic = 0, outlierScore = new Float64Array(n) } = result;
  const kept = Int32Array.from({ length: n }, (_, i) => i);
  const message = isLinked(settings)
    ? `${result.message} Labels and bound are of clusterings that respect the links.`
    : result.message;
  const options = { ...result.options, exact: settings.exact };
  const figures = { cost, costLower, costGap, bic, outlierScore, kept };
  return { ...result, ...figures, message, options, choice: undefined };
}

/** The result of the rows kept, with the rows of noise among them. */
function withNoise(
  inner: NomadResult,
  points: DenseMatrix,
  kept: Int32Array,
  { clusterOf, scores, isNoise }: Noise,
  settings: ClusterSettings,
): ClusterPointsResult {
  const n = scores.length;
  const { components, memberships, embedding } = inner;
  const spread = (values: Int32Array): Int32Array => {
    const all = new Int32Array(n).fill(-1);
    for (let at = 0; at < kept.length; at++) all[kept[at]] = values[at];
    return all;
  };
  const rowsAmong = ({ columns, data }: DenseMatrix): DenseMatrix => {
    const all = { rows: n, columns, data: new Float64Array(n * columns) };
    for (let at = 0; at < kept.length; at++)
      all.data.set(data.subarray(at * columns, (at + 1) * columns), kept[at] * columns);
    return all;
  };
  const noise = n - kept.length;
  const outside = Int32Array.from({ length: n }, (_, i) => i).filter((i) => noise > 0 && isNoise[i] === 1);
  const own: readonly NomadWarningCode[] = ["far-rows", "single-row-clusters"];
  const sentence =
    noise === 0
      ? "No row is noise."
      : `${noise} of ${n} rows ${noise === 1 ? "is" : "are"} noise, label -1: cost and bounds are those of the other ${kept.length}.`;
  return {
    ...complete(inner, kept.length, settings),
    labels: spread(inner.labels),
    components: { count: components.count, labels: spread(components.labels) },
    memberships: rowsAmong(memberships),
    embedding: placed(rowsAmong(embedding), kept, outside, clusterOf),
    order: Int32Array.from([...inner.order.map((at) => kept[at]), ...outside]),
    ...(noise === 0 ? {} : { bic: bicWithNoise(inner, points, noise) }),
    outlierScore: scores,
    kept,
    message: `${inner.message} ${sentence}`,
    warnings: inner.warnings.filter(({ code }) => noise === 0 || !own.some((each) => each === code)),
  };
}

/** That of all rows, as runs with other rows of noise, or none, have it. */
function bicWithNoise(
  { labels, cost = 0, options }: NomadResult,
  points: DenseMatrix,
  noise: number,
): number {
  const d = effectiveDimension(points);
  return bicOf(labels, options.clusters ?? 1, cost, d, noiseShare(points, noise, d));
}

/** Rows of noise at the mean of the cluster that is nearest to them: Q says nothing of them. */
function placed(
  embedding: DenseMatrix,
  kept: Int32Array,
  outside: Int32Array,
  clusterOf: Int32Array,
): DenseMatrix {
  const { columns, data } = embedding;
  for (const i of outside) {
    const near = kept.filter((row) => clusterOf[row] === clusterOf[i]);
    for (let j = 0; j < columns; j++)
      for (const row of near) data[i * columns + j] += data[row * columns + j] / near.length;
  }
  return embedding;
}

function withChoice(
  { message, warnings, cost, costLower, costGap }: ClusterPointsResult,
  { clusters, table }: ClusterChoice,
  most: number,
  maxClusters: number,
): Pick<ClusterPointsResult, "choice" | "message" | "warnings"> {
  const own = { cost, costLower, costGap, isClosed: costGap <= CLOSED };
  const choice = {
    clusters,
    table: table.map((row) => (row.clusters === clusters ? { ...row, ...own } : row)),
  };
  const tried = `of K = 1 to ${most}`;
  const words =
    clusters === 1
      ? `BIC is least for one cluster ${tried}: no structure of clusters was found`
      : `BIC is least for K = ${clusters} ${tried}`;
  const isLargest = clusters === maxClusters && maxClusters > 1;
  const code: NomadWarningCode = "largest-clusters";
  const largest = warning(
    code,
    `K = ${clusters} is the largest that was tried, and BIC may be less beyond it: raise ${optionName("maxClusters")}. Where it goes on falling, the rows are no round clusters.`,
  );
  return {
    choice,
    message: `${words}; a finding, not a fact. ${message}`,
    warnings: isLargest ? [...warnings, largest] : warnings,
  };
}
