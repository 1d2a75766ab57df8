/**
 * The work of `nomad` and `clusterPoints`, which is loaded when they are called: Gram operator → layers → run → geometry. Data and
 * settings → layers; the layers' solution → clusters, embedding, order, certificates; warnings.
 */
import { badOption, type DenseMatrix, type MatrixLike, optionName, toDense } from "@curvature/linalg";
import { dataWarnings } from "@curvature/linalg/tables";
import {
  FacadeRun,
  type FacadeSteps,
  fingerprintOf,
  maxIterations,
  type RunResult,
  reopened,
} from "@curvature/optim-core";
import { checkMemory, denseBytes } from "./arguments.js";
import { relativeGap } from "./bounds/certificate.js";
import { factoredValue, partitionPoint } from "./bounds/factored-point.js";
import { clustersOf, membershipsOf } from "./geometry/clusters.js";
import { OF_CLUSTERS } from "./geometry/components.js";
import { embeddingOfPoints, embeddingOfSolution } from "./geometry/embedding.js";
import { orderOf } from "./geometry/order.js";
import {
  DenseSolution,
  FactoredSolution,
  formed,
  rowSumErrorOf,
  type Solution,
} from "./geometry/solution.js";
import { type Gram, gramOfDistances, gramOfMatrix, gramOfPoints, isIndefinite } from "./gram.js";
import { bestSentence, costSentence, type LabelCost, morePatience } from "./labels/cost.js";
import { farRowsSentence } from "./labels/far-rows.js";
import { labelFigures } from "./labels/label-figures.js";
import type { LabelProof } from "./labels/label-proof.js";
import { LabelSearch, MOST_AT_ONCE } from "./labels/label-search.js";
import type { Links } from "./labels/links.js";
import { farRows, type Scores } from "./labels/noise.js";
import type { LayerPlan } from "./layer-plan.js";
import { Layers, type Solved } from "./layers.js";
import { type NomadDetails, type NomadSettings, nomadOptions } from "./nomad-options.js";
import type {
  NomadLayer,
  NomadResult,
  NomadUsedOptions,
  NomadWarningCode,
  UsedOption,
} from "./nomad-result.js";
import { checkClusters } from "./problem.js";
import { methodNamed } from "./solvers/method.js";
import { primalDualBytes, reasonForNone } from "./solvers/primal-dual.js";
import { partOf, type Steps } from "./steps.js";

/** Points up to which a run that ended without an upper bound gets one, as one eigendecomposition is little beside the run. */
const MAX_CERTIFIED = 2000;

/** Residual of the embedding's eigenpairs: what a picture shows. */
const EMBEDDING_TOLERANCE = 1e-6;
/** Share of the memory limit within which a factored Q is formed. */
const DENSE_SHARE = 1 / 8;

const names = { points: "points", gram: "matrix", distances: "distances" } as const;

const remedies = {
  "distances-as-points": `For distances set ${optionName("input", "distances")}.`,
} as const;

/** Of the time limit, for more starts after a run that has used all of it. */
const MORE_SHARE = 0.1;
/** Share of the tolerance of the labels' cost to which the relaxation is solved; the rest is for what the relaxation is not tight by. */
const RELAXATION_SHARE = 0.5;
/** A relaxation that is solved to less than this is no use for components and embedding, however good the labels are. */
const ROUGH = 1e-2;
/** Gap of labels that are proved best: 1e-9 and what rounding adds. */
const BEST = 1e-7;
/** Gap of the labels' cost for which the relaxation is solved where its own bound is all that there is, and leaves more than that mostly. */
const CLOSE = 5e-3;
/** And to less than this nothing is gained, where the labels have a bound of their own. */
const FINE = 1e-3;
/** Different points of which labels can be proved best. */
const MAX_EXACT = 1000;
/** Cost over Tr(D Q) below which double precision of all points together has no digits left for a proof. */
const FAR = 1e-4;
const NO_PROOF =
  "Rows so far from the others leave no digits for a proof of all rows together: leave them out, and the rest can be proved.";
/** n³ times steps of the bound with triangle inequalities that take some seconds, and steps before which it gains nothing. */
const SOME_SECONDS = 2e9;
const FEWEST_STEPS = 300;
/** Arrays of n × n float64 that it takes. */
const PROOF_ARRAYS = 16;

/** Of which gap the tolerance is: that of Tr(D Q), or that of the labels' cost; or that labels are to be proved best. */
type Target = "matrix" | "labels" | "best labels";

interface Fixed {
  /** Whether the matrix is the caller's, who may have taken it for one of inner products. */
  readonly isGiven?: boolean;
  /** That the labels respect. */
  readonly links?: Links | undefined;
  /** Labels of who has found them otherwise, of K clusters. */
  readonly given?: Int32Array | undefined;
  /** Whether the relaxation's own bound of the labels is enough. */
  readonly isRough?: boolean;
  /** Where labels are the target. */
  readonly parts?: LabelParts;
}

/** What only labels need, and is loaded where they need it. */
export interface LabelParts {
  labelled(): Promise<typeof import("./labels/labelled.js")>;
  proof(): Promise<typeof import("./labels/label-proof.js")>;
}

export async function* solved(
  data: MatrixLike,
  settings: NomadSettings,
  target: Target,
  { isGiven = false, links, given, isRough = false, parts }: Fixed = {},
): FacadeSteps<NomadDetails, NomadResult> {
  const matrix = checkedData(data, settings);
  const run = new FacadeRun<NomadDetails, "gram" | "geometry">(settings);
  if (settings.input === "points")
    run.warnings.push(...(await run.phase("gram", () => dataWarnings(matrix, { remedies }))));
  const gram = await run.phase("gram", () => gramOf(matrix, settings));
  if (isGiven && settings.input === "gram" && (await run.phase("gram", () => isIndefinite(gram)))) {
    const code: NomadWarningCode = "indefinite";
    run.warn(
      code,
      `The matrix has negative eigenvalues, also once it is centred: no points have these inner products, and rows of one cluster need not be near each other. The bounds are right all the same. Of distances take ${optionName("input", "distances")}.`,
    );
  }
  const found = target === "matrix" ? undefined : searchOf(matrix, gram, settings, links);
  if (found !== undefined && parts !== undefined) {
    await run.steps("gram", found.starts(true));
    const { isForLabelsAlone, labelled } = await parts.labelled();
    const isFar = found.pieces !== undefined && found.costOverValue < FAR;
    if (target === "labels" ? isForLabelsAlone(found, settings) : isFar || found.lower !== undefined) {
      const goal = target === "labels" ? settings : { ...settings, tolerance: BEST };
      const { scores, ...labels } = yield* labelled(gram, found, run, goal);
      warnOfCopies(run, found, settings);
      warnOfFarRows(run, found, scores, settings);
      return {
        ...labels,
        options: { ...labels.options, ...used(settings) },
        phases: run.phases("gram", "optimization", "geometry"),
        warnings: run.warnings,
        ...(target === "best labels" && labels.status === "stalled"
          ? { message: `${labels.message} ${NO_PROOF}` }
          : {}),
      };
    }
  }
  const isExact = target === "best labels";
  const provable =
    found !== undefined && !isRough && isProvable(found, gram, settings, isExact) ? found : undefined;
  const steps = provable === undefined ? 0 : proofSteps(provable, settings, isExact);
  const proved = steps > 0 ? provable : undefined;
  const isLeftOut = provable !== undefined && proved === undefined;
  const tolerance =
    found === undefined
      ? settings.tolerance
      : relaxationTolerance(
          found,
          isLeftOut ? Math.max(settings.tolerance, CLOSE) : settings.tolerance,
          proved !== undefined,
        );
  const layers = await run.phase("gram", () => layersOf(gram, settings, tolerance));
  const proof =
    proved === undefined || parts === undefined
      ? undefined
      : new (await parts.proof()).LabelProof(layers, proved, {
          ...settings,
          branches: isExact,
          maxSteps: steps,
        });
  const solver = proof ?? layers;
  const result = yield* run.optimize(solver, [maxIterations(settings.maxIterations)], {
    resume: settings.resume && reopened(settings.resume),
  });
  const { layer, search, scores, ...geometry } = await run.steps(
    "geometry",
    resultsOf(
      layers,
      settings,
      gram,
      found ?? searchOf(matrix, gram, settings),
      target === "matrix" ? "matrix" : "labels",
      result.status === "aborted" || proof?.isProved === true
        ? 0
        : Math.max(settings.maxSeconds - result.elapsedSeconds, MORE_SHARE * settings.maxSeconds),
      given,
    ),
  );
  warn(run, result, layers, layer, settings);
  warnOfCopies(run, search, settings);
  warnOfFarRows(run, search, scores, settings);
  return {
    ...result,
    ...geometry,
    ...ending(result, geometry, settings, target, proof, {
      isLeftOut,
    }),
    value: geometry.lower,
    options: { ...result.options, ...used(settings) },
    phases: run.phases("gram", "optimization", "geometry"),
    warnings: run.warnings,
  };
}

/** The settings as plain data. */
function used(settings: NomadSettings): Pick<NomadUsedOptions, UsedOption | "layers"> {
  const { input, scale, solver, tolerance, certify, seed, maxIterations, memoryLimit } = settings;
  const { clusters, layers, maxSeconds } = settings;
  return {
    ...{ input, scale, solver, tolerance, certify, seed, maxIterations, memoryLimit },
    clusters,
    layers: typeof layers === "string" ? layers : layers.join(","),
    maxSeconds,
  };
}

/** The data as numbers. @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE; ERR_OPTION for a K of more than n or less than 1 */
function checkedData(data: MatrixLike, settings: NomadSettings): DenseMatrix {
  const matrix = toDense(data, names[settings.input]);
  if (matrix.rows > 0) planOf(matrix.rows, settings);
  return matrix;
}

/** Labels of their own certificate: for points, and one layer of a whole K. */
function searchOf(
  matrix: DenseMatrix,
  gram: Gram,
  settings: NomadSettings,
  links?: Links,
): LabelSearch | undefined {
  const { layers, clusters, seed } = settings;
  const isOne = layers !== "auto" && layers.length === 1 && clusters !== undefined;
  if (gram.points === undefined || !isOne || !Number.isInteger(clusters)) return undefined;
  return new LabelSearch(matrix, gram.points, clusters, seed, links);
}

/** Whether the labels are to have the bound with triangle inequalities. @throws CurvatureError ERR_OPTION for `exact` where n is too large */
function isProvable(
  { different }: LabelSearch,
  { n }: Gram,
  { certify, memoryLimit }: NomadSettings,
  isExact: boolean,
): boolean {
  const fits = denseBytes(n, PROOF_ARRAYS) <= memoryLimit;
  if (!isExact) return certify !== false && different <= MOST_AT_ONCE && fits;
  if (different > MAX_EXACT)
    throw badOption(
      "clusterPoints",
      "exact",
      `false for ${different} different points: a proof is made of up to ${MAX_EXACT}`,
      true,
    );
  checkMemory("clusterPoints", `a proof for ${n} points`, denseBytes(n, PROOF_ARRAYS), memoryLimit);
  return true;
}

/**
 * Steps of the bound with triangle inequalities. Who sets a time limit, or asks for more than the usual tolerance, waits for it; others
 * have what comes in some seconds, and nothing is begun that would not come to cuts in these.
 */
function proofSteps(
  { different }: LabelSearch,
  { maxSeconds, tolerance }: NomadSettings,
  isExact: boolean,
): number {
  const isPatient = maxSeconds < Number.POSITIVE_INFINITY || tolerance < nomadOptions.defaults.tolerance;
  if (isExact || isPatient) return Number.POSITIVE_INFINITY;
  const steps = Math.floor(SOME_SECONDS / (different * different * different));
  return steps < FEWEST_STEPS ? 0 : steps;
}

/** The gap of Tr(D Q) that is worth reaching for this gap of the labels' cost. */
function relaxationTolerance({ costOverValue }: LabelSearch, tolerance: number, isProved: boolean): number {
  if (isProved) return Math.min(Math.max(tolerance, FINE), ROUGH); // labels have their own bound
  if (costOverValue === 0) return tolerance;
  return Math.min(Math.max(tolerance, ROUGH), RELAXATION_SHARE * costOverValue * tolerance);
}

/** @throws CurvatureError ERR_ARGUMENT, ERR_MEMORY */
function layersOf(gram: Gram, settings: NomadSettings, tolerance: number): Layers {
  const plan = planOf(gram.n, settings);
  const { solver, seed } = settings;
  const origin = fingerprintOf(solver, seed, JSON.stringify(plan), String(settings.certify));
  return new Layers(gram, { name: solver, tolerance, plan, make: methodNamed(settings), origin });
}

/** @throws CurvatureError ERR_OPTION for a K of more than n or less than 1 */
function planOf(n: number, { layers, clusters }: NomadSettings): LayerPlan {
  if (clusters !== undefined) checkClusters("nomad", clusters, n);
  if (layers === "auto") return { kind: "automatic", final: clusters };
  const wrong = layers.find((K) => !(K >= 1 && K <= n));
  if (wrong !== undefined)
    throw badOption("nomad", "layers", `numbers from 1 to ${n}, the number of points`, wrong);
  return { kind: "list", clusters: layers };
}

function gramOf(data: DenseMatrix, { input, scale, memoryLimit }: NomadSettings): Gram {
  switch (input) {
    case "points":
      return gramOfPoints(data, { scale, memoryLimit });
    case "gram":
      return gramOfMatrix(data, { memoryLimit });
    case "distances":
      return gramOfDistances(data, { memoryLimit });
  }
}

/**
 * Clusters, embedding, order and certificates of the solution, in steps whose shares are what their parts take about.
 *
 * @param search - of labels; where Tr(D Q) is the target it has made no start yet
 * @param secondsLeft - for more starts, where these may pay
 */
function* resultsOf(
  layers: Layers,
  { seed, memoryLimit, certify, tolerance, signal }: NomadSettings,
  gram: Gram,
  search: LabelSearch | undefined,
  target: "matrix" | "labels",
  secondsLeft: number,
  given: Int32Array | undefined,
) {
  const { n, stage } = layers;
  const isLittle = n <= MAX_CERTIFIED && primalDualBytes(n, stage.clusters) <= memoryLimit;
  if (certify === true || (certify === "auto" && isLittle)) yield* partOf(layers.certify(), 0, 0.3);
  yield 0.3;
  const solved = layers.solved();
  yield 0.35;
  if (search !== undefined && target === "matrix") {
    for (const share of search.starts(false)) {
      yield 0.35 + 0.1 * share;
      if (signal?.aborted === true) break;
    }
  }
  const k = Math.round(solved.layer.clusters);
  const rounded = yield* partOf(clustersOf(solved.solution, k, seed), 0.45, 0.6);
  search?.offerRounding(rounded.labels);
  const isOpen = target === "labels" && search?.certificate(layers.trace, solved.layer.upper);
  if (search !== undefined && isOpen && isOpen.costGap > tolerance && secondsLeft > 0) {
    const end = performance.now() + 1000 * secondsLeft;
    for (const share of search.moreStarts()) {
      yield 0.6 + 0.1 * share;
      if (performance.now() > end || signal?.aborted === true) break;
    }
  }
  yield 0.7;
  const labels = given ?? search?.labels ?? rounded.labels;
  const { layer, solution } =
    search === undefined ? solved : withLabels(solved, layers, gram, labels, target);
  const { lower, upper, gap, smallestEntry, rowSumError, rank, components } = layer;
  const memberships = labels === rounded.labels ? rounded.memberships : membershipsOf(solution, labels, k);
  yield 0.75;
  const areBlocks = solution !== solved.solution; // one dot for each cluster
  const { coordinates, varianceExplained } =
    areBlocks && gram.points !== undefined
      ? embeddingOfPoints(gram.points)
      : embeddingOfSolution(solution, 2, EMBEDDING_TOLERANCE);
  const certificate = search?.certificate(layers.trace, upper);
  const Q = yield* partOf(formedWithin(solution, memoryLimit), 0.8, 0.95);
  const x = arrayOf(solution);
  yield 0.95;
  const before = layers.layers.filter((each) => each !== solved.layer);
  return {
    layer,
    search,
    ...(certificate === undefined
      ? noCost
      : { ...certificate, ...labelFigures(labels, k, gram, certificate.cost) }),
    x,
    ...{ lower, upper, gap, smallestEntry, rowSumError, rank, components },
    Q,
    factored: solution instanceof FactoredSolution ? solution.point : undefined,
    ...{ labels, memberships, varianceExplained },
    order: orderOf(solution, components, labels),
    embedding: coordinates,
    layers: [...before, layer],
    attempts: [...layers.attempts],
  };
}

/**
 * The labels' own Q is feasible, too. Where no point that the solver has found is better, the components are the clusters, however
 * far the solver came; and where labels are the target, that Q is the result. Else the components are those of Q, for labels by
 * what joins the points of clusters, which overlap less than tiles of a manifold.
 */
function withLabels(
  solved: Solved,
  layers: Layers,
  gram: Gram,
  labels: Int32Array,
  target: "matrix" | "labels",
): Solved {
  const { layer, solution } = solved;
  const K = layer.clusters;
  const isWhole = K > 1 && K < gram.n && new Set(labels).size === K;
  const point = partitionPoint(labels, K);
  const lower = isWhole ? factoredValue(gram, point) : Number.NEGATIVE_INFINITY;
  if (lower >= layer.lower) {
    const components = { count: K, labels: labels.slice() };
    if (target === "matrix") return { layer: { ...layer, components }, solution };
    const own = new FactoredSolution(point);
    const gap = relativeGap(layer.upper, lower);
    const rowSumError = rowSumErrorOf(own);
    return { layer: { ...layer, lower, gap, smallestEntry: 0, rowSumError, components }, solution: own };
  }
  if (target === "matrix") return solved;
  return { layer: { ...layer, components: layers.components(OF_CLUSTERS) }, solution };
}

/** Of labels that are no clusters of points by their means. */
const noCost = {
  ...{ cost: undefined, costLower: undefined, costGap: undefined },
  ...{ bic: undefined, scores: undefined, outlierScore: undefined },
} as const;

/** How the run ended, in words of both certificates; where labels are the target it is their gap that counts. */
function ending(
  { status, message }: RunResult,
  { upper, cost, costLower, costGap }: { readonly [F in keyof LabelCost | "upper"]: number | undefined },
  { tolerance, clusters = 1 }: NomadSettings,
  target: Target,
  proof: LabelProof | undefined,
  { isLeftOut }: { readonly isLeftOut: boolean },
): Pick<RunResult, "status" | "message"> {
  if (cost === undefined || costLower === undefined || costGap === undefined) return { status, message };
  const sentence = costSentence({ cost, costLower, costGap }, clusters);
  if (target === "matrix") return { status, message: `${message} ${sentence}` };
  const isCut = status === "aborted" || status === "failed" || status === "diverged";
  if (costGap === 0 && !isCut) return { status: "converged", message: sentence };
  if (proof?.isProved === true && !isCut && costGap <= BEST)
    return { status: "converged", message: bestSentence(cost, clusters) };
  if (target === "best labels" && proof?.isProved === true && !isCut)
    return {
      status: "stalled",
      message: `The proof has come to its end, and rounding leaves a part of the gap open. ${sentence} ${NO_PROOF}`,
    };
  if (target === "best labels" && proof !== undefined)
    return { status: status === "converged" ? "stalled" : status, message: `${message} ${sentence}` };
  if (costGap <= tolerance && !isCut)
    return {
      status: "converged",
      message: `${sentence} The certified gap of the labels' cost is at most ${tolerance}.`,
    };
  if (proof !== undefined && status === "stalled")
    return {
      status,
      message: `${sentence} ${message} Better labels need not exist; an exact run goes on to a proof.`,
    };
  if (status !== "converged") return { status, message: `${message} ${sentence}` };
  if (upper === Number.POSITIVE_INFINITY) return { status: "stalled", message: `${message} ${sentence}` };
  return {
    status: "stalled",
    message: `${sentence} The relaxation is solved, and what is left of the gap of the labels' cost is its own: better labels need not exist.${isLeftOut ? ` Triangle inequalities may close it: ${morePatience()}` : ""}`,
  };
}

/** Undefined where it takes too much of the memory. */
function* formedWithin(solution: Solution, memoryLimit: number): Steps<DenseMatrix | undefined> {
  const fits = denseBytes(solution.n, 1) <= DENSE_SHARE * memoryLimit;
  return solution instanceof DenseSolution || fits ? yield* formed(solution) : undefined;
}

const arrayOf = (solution: Solution): Float64Array =>
  solution instanceof DenseSolution
    ? solution.Q.data
    : solution instanceof FactoredSolution
      ? solution.point.factor.data
      : new Float64Array(0);

/** What a user should know about the answer. */
function warn(
  run: Pick<FacadeRun<NomadDetails>, "warn">,
  { status }: RunResult,
  layers: Layers,
  shown: NomadLayer,
  settings: NomadSettings,
): void {
  const say = (code: NomadWarningCode, sentence: string): void => run.warn(code, sentence);
  const { layers: finished, attempts, stage } = layers;
  const isCut = status === "aborted" || status === "time-limit" || status === "max-iterations";
  if (isCut && (stage.layer > 1 || !stage.isLast))
    say(
      "stopped-in-layer",
      `The run was stopped in layer ${stage.layer}; the result is that of K = ${shown.clusters}.`,
    );
  if (shown.gap === Number.POSITIVE_INFINITY)
    say(
      "no-upper-bound",
      `There is no upper bound: the value is a lower bound, and how far it is from the best possible one is not known.${whyNone(layers.n, shown, settings)}`,
    );
  if (shown.clusters > 1 && shown.upper === 0 && shown.lower === 0)
    say(
      "equal-points",
      "All points are the same, or differ by less than double precision holds of their products: nothing tells clusters apart. Rescale the data if they are small.",
    );
  if (settings.layers === "auto" && !isCut && finished.length < 2 && attempts.length > 0)
    say(
      "components-unsettled",
      `No number of components settled in ${attempts.length} sequences of layers: the result is one layer of K = ${shown.clusters}, as it is. Noise may bridge what is apart, or split what is one: see attempts, or give the ${optionName("layers")}.`,
    );
}

/** Rows that clusters are spent on: typing errors, mostly. */
function warnOfCopies(
  run: Pick<FacadeRun<NomadDetails>, "warn">,
  search: LabelSearch | undefined,
  { clusters = 1 }: NomadSettings,
): void {
  if (search === undefined || search.different >= clusters || search.different < 2) return; // "equal-points" says it
  const code: NomadWarningCode = "fewer-different-points";
  const points = search.isLinked
    ? `points, those counted as one that ${optionName("mustLink")} joins`
    : "different points";
  run.warn(
    code,
    `There are ${search.different} ${points}, and copies of a point are in one cluster: the labels are of ${search.different} clusters, not of ${clusters}. Take ${optionName("clusters")} up to ${search.different}.`,
  );
}

/** Rows that draw middles, and clusters, to themselves: those that any good clustering sets apart, or else those beyond the fences. */
function warnOfFarRows(
  run: Pick<FacadeRun<NomadDetails>, "warn">,
  search: LabelSearch | undefined,
  scores: Scores | undefined,
  { clusters = 1 }: NomadSettings,
): void {
  if (search === undefined || scores === undefined) return;
  const { pieces, labels } = search;
  const apart = pieces && farRowsSentence(pieces, labels.length, clusters);
  if (apart !== undefined) {
    const code: NomadWarningCode = "far-rows";
    run.warn(code, apart);
    return;
  }
  const { alone, within } = farRows(scores, labels, clusters);
  const say = (code: NomadWarningCode, rows: readonly number[], what: string): void => {
    const one = rows.length === 1;
    if (rows.length > 0)
      run.warn(
        code,
        `${one ? "Row" : "Rows"} ${rowList(rows)} (counted from 0) ${one ? "lies" : "lie"} so far from the rest that ${one ? "it" : "they"} ${what} Check ${one ? "it" : "them"}; ${optionName("noiseLabel")} keeps such rows out of the clusters.`,
      );
  };
  say("single-row-clusters", alone, alone.length === 1 ? "is a cluster alone." : "are a cluster each.");
  say(
    "far-rows",
    within,
    `${within.length === 1 ? "moves" : "move"} the middle of ${within.length === 1 ? "its cluster" : "their clusters"}.`,
  );
}

const SHOWN_ROWS = 5;

function rowList(rows: readonly number[]): string {
  const shown = rows.slice(0, SHOWN_ROWS).join(", ");
  return rows.length > SHOWN_ROWS ? `${shown} and ${rows.length - SHOWN_ROWS} more` : shown;
}

/** Where a certificate was not asked for, or refused, the result says so itself. */
function whyNone(n: number, { clusters }: NomadLayer, { certify, memoryLimit }: NomadSettings): string {
  const reason = certify === "auto" ? reasonForNone(certify, n, clusters, memoryLimit) : undefined;
  return reason === undefined ? "" : ` ${reason}`;
}
