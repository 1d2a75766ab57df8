/**
 * The façade: points in, clusters and disentangled manifolds out, with a certificate. Gram operator → layers → run → geometry.
 */
import { badOption, type DenseMatrix, type MatrixLike } from "@curvature/linalg";
import {
  anyOf,
  decodeCheckpoint,
  encodeCheckpoint,
  fingerprintOf,
  maxIterations,
  type RunOptions,
  run,
  type StoppingRule,
  timed,
  timeLimit,
} from "@curvature/optim-core";
import { clustersOf } from "./geometry/clusters.js";
import { embeddingOfSolution } from "./geometry/embedding.js";
import { orderOf } from "./geometry/order.js";
import { DenseSolution, denseOf, FactoredSolution, type Solution } from "./geometry/solution.js";
import { type Gram, gramOfDistances, gramOfMatrix, gramOfPoints } from "./gram.js";
import type { LayerPlan } from "./layer-plan.js";
import { Layers } from "./layers.js";
import { denseBytes } from "./memory.js";
import { type NomadDetails, type NomadOptions, type NomadSettings, nomadSettings } from "./nomad-options.js";
import type { NomadResult } from "./nomad-result.js";
import { nomadWarnings } from "./nomad-warnings.js";
import { checkClusters } from "./problem.js";
import { autoBytes } from "./solvers/auto-options.js";
import { methodNamed } from "./solvers/method.js";

/**
 * Clusters points, or disentangles the manifolds that they lie on, by the nonnegative semidefinite programme NOMAD, and says how far
 * the answer is from the best possible one.
 *
 *   maximise Tr(D Q)  s.t.  Q = Qᵀ, Q 1 = 1, Tr Q = K, Q ⪰ 0, Q ≥ 0
 *
 * Interrupted at any time it returns the best feasible Q with its gap. The event loop gets its turn between the phases, and
 * within the optimisation every `yieldEvery` milliseconds.
 *
 * @param data - n × d points, one per row; or with `input` an n × n Gram matrix or distances
 * @throws CurvatureError (the promise rejects) ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT for the data, ERR_OPTION, ERR_MEMORY
 *   with how much is needed, ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`; the signal's reason if it is aborted before the run
 */
export async function nomad(data: MatrixLike, options?: NomadOptions): Promise<NomadResult> {
  const settings = nomadSettings(options);
  const signal = options?.signal;
  const prepared = await timed(() => {
    const gram = gramOf(data, settings);
    const plan = checkedPlan(gram.n, settings);
    const { solver, tolerance, seed } = settings;
    const origin = fingerprintOf(solver, seed, JSON.stringify(plan), String(settings.certify));
    return new Layers(gram, { name: solver, tolerance, plan, make: methodNamed(settings), origin });
  }, signal);
  const layers = prepared.value;
  const result = await run(layers, { ...runOptions(options), stop: stoppingRule(settings) });
  const read = await timed(() => readings(layers, settings), undefined);
  const { solved, ...found } = read.value;
  return {
    ...result,
    ...found,
    x: arrayOf(solved.solution),
    value: found.lower,
    options: { ...result.options, ...reported(settings) },
    phases: {
      gram: prepared.seconds,
      optimization: result.elapsedSeconds,
      geometry: read.seconds,
    },
    warnings: nomadWarnings(result, layers, solved.layer, settings),
  };
}

/** @throws CurvatureError ERR_OPTION for a K of more than n or less than 1 */
function checkedPlan(n: number, { layers, clusters }: NomadSettings): LayerPlan {
  if (clusters !== undefined) checkClusters("nomad", clusters, n);
  if (layers === "auto") return { kind: "automatic", final: clusters };
  const wrong = layers.find((K) => !(K >= 1 && K <= n));
  if (wrong !== undefined)
    throw badOption("nomad", "layers", `numbers from 1 to ${n}, the number of points`, wrong);
  return { kind: "given", clusters: layers };
}

function gramOf(data: MatrixLike, { input, scale, memoryLimit }: NomadSettings): Gram {
  switch (input) {
    case "points":
      return gramOfPoints(data, { scale, memoryLimit });
    case "gram":
      return gramOfMatrix(data, { memoryLimit });
    case "distances":
      return gramOfDistances(data, { memoryLimit });
  }
}

/** What goes to `run` as it is. */
function runOptions(options: NomadOptions | undefined): RunOptions<NomadDetails> {
  const { signal, onIteration, yieldEvery, checkpoint, resume, history } = options ?? {};
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(onIteration === undefined ? {} : { onIteration }),
    ...(yieldEvery === undefined ? {} : { yieldEvery }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
    ...(resume === undefined ? {} : { resume: reopened(resume) }),
    ...(history === undefined ? {} : { history }),
  };
}

/** The checkpoint of a run that its solver has ended, as that of one that goes on: the solver is asked again, at the tolerance of now. */
function reopened(resume: Uint8Array): Uint8Array {
  if (!(resume instanceof Uint8Array)) return resume; // for `run` to refuse
  const checkpoint = decodeCheckpoint(resume);
  const { run: progress } = checkpoint;
  if (progress.ending?.by !== "solver") return resume;
  return encodeCheckpoint({ ...checkpoint, run: { ...progress, ending: undefined } });
}

function stoppingRule({ maxIterations: most, maxSeconds }: NomadSettings): StoppingRule {
  return anyOf(
    maxIterations(most),
    ...(maxSeconds === Number.POSITIVE_INFINITY ? [] : [timeLimit(maxSeconds)]),
  );
}

/** Points up to which a run that ended without an upper bound gets one, as one eigendecomposition is little beside the run. */
const MOST_CERTIFIED = 2000;

/** Residual of the embedding's eigenpairs: what a picture shows. */
const EMBEDDING_TOLERANCE = 1e-6;
/** Share of the memory limit within which a factored Q is formed. */
const DENSE_SHARE = 1 / 8;

/** All that is read from the solution. */
function readings(layers: Layers, { seed, memoryLimit, certify }: NomadSettings) {
  const { n, stage } = layers;
  const isLittle = n <= MOST_CERTIFIED && autoBytes(n, stage.clusters) <= memoryLimit;
  if (certify === true || (certify === "auto" && isLittle)) layers.certify();
  const solved = layers.solved();
  const { solution, layer } = solved;
  const { labels, memberships } = clustersOf(solution, Math.round(layer.clusters), seed);
  const { coordinates, varianceExplained } = embeddingOfSolution(solution, 2, EMBEDDING_TOLERANCE);
  const { lower, upper, gap, smallestEntry, rowSumError, rank, components } = layer;
  return {
    solved,
    ...{ lower, upper, gap, smallestEntry, rowSumError, rank, components },
    Q: formed(solution, memoryLimit),
    factored: solution instanceof FactoredSolution ? solution.point : undefined,
    ...{ labels, memberships, varianceExplained },
    order: orderOf(solution, components, labels),
    embedding: coordinates,
    layers: layers.layers.includes(layer) ? [...layers.layers] : [...layers.layers, layer],
    attempts: [...layers.attempts],
  };
}

function formed(solution: Solution, memoryLimit: number): DenseMatrix | undefined {
  const fits = denseBytes(solution.n, 1) <= DENSE_SHARE * memoryLimit;
  return solution instanceof DenseSolution || fits ? denseOf(solution) : undefined;
}

const arrayOf = (solution: Solution): Float64Array =>
  solution instanceof DenseSolution
    ? solution.Q.data
    : solution instanceof FactoredSolution
      ? solution.point.factor.data
      : new Float64Array(0);

/** The settings as plain data. */
function reported(settings: NomadSettings): Readonly<Record<string, unknown>> {
  const { layers } = settings;
  return { ...settings, layers: typeof layers === "string" ? layers : layers.join(",") };
}
