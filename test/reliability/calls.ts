/**
 * A valid call of the public functions and classes of every package, small enough to be made a thousand times. The
 * harness in `extremes-worker.ts` replaces one of their arguments, options or entries at a time. Kernels, which take
 * what their callers have checked (`dot`, `gemm`, `PlanePairs`, products and triangles of matrices …), are not called,
 * nor is the error class.
 */
import * as cluster from "@curvature/cluster";
import * as datasets from "@curvature/datasets";
import * as digits from "@curvature/datasets/digits";
import * as eurodist from "@curvature/datasets/eurodist";
import * as linalg from "@curvature/linalg";
import * as ml from "@curvature/linalg/ml";
import * as simd from "@curvature/linalg/simd";
import * as threads from "@curvature/linalg/threads";
import * as embedding from "@curvature/objectives/embedding";
import * as embeddingThreads from "@curvature/objectives/embedding/threads";
import * as linear from "@curvature/objectives/linear";
import * as networks from "@curvature/objectives/networks";
import * as ordinal from "@curvature/objectives/ordinal";
import * as sums from "@curvature/objectives/sums";
import * as core from "@curvature/optim-core";
import * as sdp from "@curvature/optim-sdp";
import * as sfo from "@curvature/optim-sfo";
import * as sgdqn from "@curvature/optim-sgdqn";
import * as spectral from "@curvature/optim-spectral";
import * as svrg from "@curvature/optim-svrg";
import {
  affinities,
  answers,
  bowl,
  classLabels,
  denseRows,
  distancesOf,
  linearProblem,
  mapStart,
  noise,
  nomadProblem,
  points,
  solvers,
  start,
  terms,
} from "./problems.ts";

export interface Call {
  make(): readonly unknown[];
  /** Makes the call with these arguments, and uses what it gives. */
  readonly apply: (...given: never[]) => unknown;
  /** The options that there are, by their defaults; they are the last argument. */
  readonly options?: object | undefined;
  /** It is documented to pass on a NaN that a function of the caller's gives. */
  readonly passesOn?: true;
}

function call<A extends unknown[] | []>(
  make: () => A,
  apply: (...given: A) => unknown,
  options?: object,
): Call {
  return { make, apply, options };
}

const passingOn = (made: Call): Call => ({ ...made, passesOn: true });

/** Three steps of a solver. */
const stepped = (solver: core.Solver): unknown =>
  core.runSync(solver, { stop: core.maxIterations(3), history: true });
const driven = (solver: core.AskTellSolver): unknown => stepped(core.driveSum(solver, terms));
/** Ends what the limits given do not end. */
const soon = () => ({ signal: AbortSignal.timeout(400) });
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const drained = (pieces: Iterable<unknown>): unknown => Array.from(pieces);
async function drainedStream(pieces: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of pieces) count++;
  return count;
}
const square = () => ({ rows: 3, columns: 3, data: Float64Array.of(4, 1, 0, 1, 3, 1, 0, 1, 2) });
const sparse = () => linalg.toSparse(square());
const data = () => points(12);
const distances = () => distancesOf(points(9));
const dense = (rows: readonly (readonly number[])[]) => linalg.toDense(rows.map((row) => [...row]));
const conditional = () => embedding.entropicAffinities(data(), { perplexity: 3 }).conditional;
const gram = () => sdp.gramOfPoints(points(9));
const graph = () => spectral.attractiveGraph(affinities());
const central = () => sdp.centralPoint(9, 3);
const factored = () => sdp.repairFactor(3, { rows: 9, columns: 4, data: noise(36, 2).map(Math.abs) });
const weights = () => ({ attraction: affinities(), repulsion: "constant" as const });
const multiclass = () => ({
  rows: denseRows(),
  labels: Int32Array.from({ length: 12 }, (_, i) => i % 3),
  classes: 3,
  loss: linear.linearLoss("squared-hinge"),
  lambda: 0.01,
  bias: "regularized" as const,
});
const createSolver: sgdqn.CreateLinearSolver = (problem, { shared }) =>
  new sgdqn.DualCoordinateDescent(problem, { shared, tolerance: 0.1 });
const objectiveOfAnswers = () => ordinal.ordinalObjective(answers, "ste", 2);
const generated = (
  make: (options: object) => unknown,
  options: object,
  given: Record<string, number> = {},
): Call => call(() => [given], make, options);
const read = (
  reader: (source: Uint8Array, options: object) => unknown,
  text: string,
  options: object,
): Call => call(() => [bytesOf(text), {}], reader, options);

const linalgCalls = {
  DenseCholesky: call(
    () => [square()],
    (A) => linalg.inverse(new linalg.DenseCholesky(A)),
  ),
  squaredDistances: call(() => [data()], linalg.squaredDistances),
  principalComponents: call(
    () => [data(), {}],
    linalg.principalComponents,
    linalg.principalComponentsDefaults,
  ),
  toDense: call(() => [data(), "points"], linalg.toDense),
  checkFinite: call(() => [square(), "A"], linalg.checkFinite),
  zeros: call(() => [2, 3], linalg.zeros),
  toSparse: call(() => [square(), "A"], linalg.toSparse),
  fromTriplets: call(
    () => [2, 2, { rows: [0, 1], columns: [1, 0], values: [1, 2] }, "A"],
    linalg.fromTriplets,
  ),
  fitScaling: call(() => [data(), "standard" as const], linalg.fitScaling),
  applyScaling: call(
    () => [linalg.fitScaling(data(), "standard"), data()],
    (s, X) => linalg.applyScaling(s, X),
  ),
  lanczos: call(
    () => [
      (v: Float64Array, out: Float64Array) => linalg.matrixTimesVector(square(), v, out),
      3,
      { count: 1 },
    ],
    linalg.lanczos,
    linalg.lanczosDefaults,
  ),
  blockEigen: call(
    () => [
      (v: Float64Array, out: Float64Array) => linalg.matrixTimesVector(square(), v, out),
      3,
      { count: 1 },
    ],
    linalg.blockEigen,
    linalg.blockEigenDefaults,
  ),
  symmetricEigen: call(() => [square()], linalg.symmetricEigen),
  symmetricEigenvalues: call(() => [square()], linalg.symmetricEigenvalues),
  SparseCholesky: call(
    () => [sparse(), {}],
    (...given) => new linalg.SparseCholesky(...given),
    linalg.choleskyDefaults,
  ),
  analyzeCholesky: call(() => [sparse(), {}], linalg.analyzeCholesky, linalg.choleskyAnalysisDefaults),
  IncompleteCholesky: call(
    () => [sparse()],
    (A) => new linalg.IncompleteCholesky(A),
  ),
  ConjugateGradient: call(
    () => [3],
    (size) => new linalg.ConjugateGradient(size),
  ),
  RandomGenerator: call(
    () => [7],
    (seed) => new linalg.RandomGenerator(seed).uniform(),
  ),
  permutation: call(() => [new linalg.RandomGenerator(1), 5], linalg.permutation),
  sampleWithoutReplacement: call(
    () => [new linalg.RandomGenerator(1), 2, 5],
    linalg.sampleWithoutReplacement,
  ),
  fillNormal: call(() => [new linalg.RandomGenerator(1), new Float64Array(3)], linalg.fillNormal),
  DisjointSets: call(
    () => [4],
    (size) => new linalg.DisjointSets(size),
  ),
  fastLength: call(() => [10], linalg.fastLength),
  Fft: call(
    () => [4, 1],
    (...given) => new linalg.Fft(...given),
  ),
};

const mlCalls = {
  choleskyDecomposition: call(() => [square()], ml.choleskyDecomposition),
  eigenvalueDecomposition: call(() => [square()], ml.eigenvalueDecomposition),
  luDecomposition: call(() => [square()], ml.luDecomposition),
  qrDecomposition: call(() => [square()], ml.qrDecomposition),
  singularValueDecomposition: call(() => [square()], ml.singularValueDecomposition),
  // a view shows the numbers as they are
  toMl: call(
    () => [square()],
    (A) => ml.toMl(A).rows,
  ),
  fromMl: call(() => [ml.toMl(square()), "A"], ml.fromMl),
};

const threadCalls = {
  startThreads: call(
    () => [1, 10],
    (...given) => threads.startThreads(...given).close(),
  ),
  Crew: call(
    () => [1, "a crew"],
    (...given) => threads.Crew.of(...given).count,
  ),
  SharedUnits: call(
    () => [new Int32Array(new SharedArrayBuffer(24))],
    (...given) => new threads.SharedUnits(...given).claim(),
  ),
  SharedLocks: call(
    () => [new Int32Array(new SharedArrayBuffer(24))],
    (...given) => new threads.SharedLocks(...given).words.length,
  ),
};

const datasetCalls = {
  readCsv: read(datasets.readCsv, "a,b\n1,2\n3,4\n", datasets.csvDefaults),
  readCells: read(datasets.readCells, "a,b\n1,2\n", datasets.cellsDefaults),
  readComparisons: read(datasets.readComparisons, "0,1,2\n1,2,0\n", datasets.comparisonsDefaults),
  readDistances: read(datasets.readDistances, "0,1\n1,0\n", datasets.distancesDefaults),
  readJson: read(datasets.readJson, "[[1,2],[3,4]]", datasets.jsonDefaults),
  readJsonLines: read(datasets.readJsonLines, "[1,2]\n[3,4]\n", datasets.jsonLinesDefaults),
  readLibsvm: read(datasets.readLibsvm, "1 1:2\n-1 2:3\n", datasets.libsvmDefaults),
  streamLibsvm: read(
    (source, options) => drainedStream(datasets.streamLibsvm(source, options)),
    "1 1:2\n-1 2:3\n",
    datasets.libsvmStreamDefaults,
  ),
  readPoints: read(datasets.readPoints, "1,2\n3,4\n", datasets.readDefaults),
  readRows: read(datasets.readRows, "1,2\n3,4\n", datasets.readDefaults),
  readNpy: call(() => [datasets.writeNpy(square()), {}], datasets.readNpy, datasets.npyDefaults),
  readIdx: call(
    () => [Uint8Array.of(0, 0, 8, 2, 0, 0, 0, 1, 0, 0, 0, 1, 9), {}],
    datasets.readIdx,
    datasets.idxDefaults,
  ),
  readIdxLabels: call(
    () => [Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 1, 9), {}],
    datasets.readIdxLabels,
    datasets.idxDefaults,
  ),
  writeCsv: call(
    () => [square(), {}],
    (...given) => drained(datasets.writeCsv(...given)),
    datasets.csvWriteDefaults,
  ),
  writeCells: call(
    () => [[["a", 1]], {}],
    (...given) => drained(datasets.writeCells(...given)),
    datasets.cellsWriteDefaults,
  ),
  writeJson: call(
    () => [square(), {}],
    (...given) => drained(datasets.writeJson(...given)),
    datasets.jsonWriteDefaults,
  ),
  writeLibsvm: call(
    () => [square(), [1, 2, 3], {}],
    (...given) => drained(datasets.writeLibsvm(...given)),
    datasets.libsvmWriteDefaults,
  ),
  writeNpy: call(() => [square()], datasets.writeNpy),
  closedLoops: generated(datasets.closedLoops, datasets.closedLoopsDefaults, { loops: 2, pointsPerLoop: 4 }),
  curves: generated(datasets.curves, datasets.curvesDefaults, { count: 2, side: 8 }),
  doubleSwissRoll: generated(datasets.doubleSwissRoll, datasets.doubleSwissRollDefaults),
  gaussianBlobs: generated(datasets.gaussianBlobs, datasets.gaussianBlobsDefaults),
  moons: generated(datasets.moons, datasets.moonsDefaults),
  noisyGrid: generated(datasets.noisyGrid, datasets.noisyGridDefaults, { side: 3 }),
  ring: generated(datasets.ring, datasets.ringDefaults),
  halfRing: generated(datasets.halfRing, datasets.ringDefaults),
  rings: generated(datasets.rings, datasets.ringsDefaults),
  sCurve: generated(datasets.sCurve, datasets.sCurveDefaults),
  swissRoll: generated(datasets.swissRoll, datasets.swissRollDefaults),
  trefoilKnot: generated(datasets.trefoilKnot, datasets.trefoilKnotDefaults),
  turntable: generated(datasets.turntable, datasets.turntableDefaults, { count: 3 }),
  twoRings: generated(datasets.twoRings, datasets.twoRingsDefaults),
};

const used = (objective: embedding.EmbeddingObjective): number => {
  const X = noise(objective.dimension, 1);
  return objective.evaluate(X, new Float64Array(X.length));
};
const usedSum = (sum: core.SumOfFunctions): unknown => {
  const x = new Float64Array(sum.dimension);
  return sum.evaluate(0, x, new Float64Array(sum.dimension));
};

const embeddingCalls = {
  entropicAffinities: call(
    () => [data(), { perplexity: 3 }],
    embedding.entropicAffinities,
    embedding.entropicDefaults,
  ),
  affinitiesOfDistances: call(() => [dense(distancesOf(points(12))), 3], embedding.affinitiesOfDistances),
  affinitiesOfNeighbors: call(
    () => [embedding.nearestNeighbors(data(), 6), 2],
    embedding.affinitiesOfNeighbors,
  ),
  jointAffinities: call(
    () => [conditional()],
    (P) => embedding.jointAffinities(P),
  ),
  neighborSearch: call(
    () => [data(), 3, {}],
    (...given) => drained(embedding.neighborSearch(...given)),
    embedding.neighborSearchDefaults,
  ),
  nearestNeighbors: call(() => [data(), 3], embedding.nearestNeighbors),
  nearestNeighborsOf: call(() => [points(2), data(), 3], embedding.nearestNeighborsOf),
  outOfSampleAffinities: call(
    () => [points(2), data(), { perplexity: 3 }],
    embedding.outOfSampleAffinities,
    embedding.entropicDefaults,
  ),
  outOfSampleDistanceWeights: call(() => [points(2), data()], embedding.outOfSampleDistanceWeights),
  distanceWeights: call(() => [data()], embedding.distanceWeights),
  distanceWeightsOf: call(() => [dense(distances())], embedding.distanceWeightsOf),
  elasticEmbedding: call(
    () => [weights(), {}],
    (...given) => used(embedding.elasticEmbedding(...given)),
    embedding.unnormalizedDefaults,
  ),
  tElasticEmbedding: call(
    () => [weights(), {}],
    (...given) => used(embedding.tElasticEmbedding(...given)),
    embedding.unnormalizedDefaults,
  ),
  unnormalizedEmbedding: call(
    () => [weights(), {}],
    (...given) => used(embedding.unnormalizedEmbedding(...given)),
    {
      ...embedding.unnormalizedDefaults,
      ...embedding.familyDefaults,
    },
  ),
  normalizedEmbedding: call(
    () => [affinities(), {}],
    (...given) => used(embedding.normalizedEmbedding(...given)),
    {
      ...embedding.normalizedDefaults,
      ...embedding.familyDefaults,
    },
  ),
  nonsymmetricEmbedding: call(
    () => [conditional(), {}],
    (...given) => used(embedding.nonsymmetricEmbedding(...given)),
    {
      ...embedding.normalizedDefaults,
      ...embedding.familyDefaults,
    },
  ),
  laplacianEigenmaps: call(
    () => [affinities(), {}],
    embedding.laplacianEigenmaps,
    embedding.laplacianEigenmapsDefaults,
  ),
  outOfSampleObjective: call(
    () => [
      "tsne" as const,
      mapStart(),
      embedding.outOfSampleAffinities(points(2), data(), { perplexity: 3 }).affinities,
      {},
    ],
    embedding.outOfSampleObjective,
    { lambda: 1 },
  ),
  fastestGradient: call(() => ["student" as const, 10, 2], embedding.fastestGradient),
  sne: call(
    () => [conditional(), {}],
    (...given) => used(embedding.sne(...given)),
    embedding.normalizedDefaults,
  ),
  symmetricSne: call(
    () => [affinities(), {}],
    (...given) => used(embedding.symmetricSne(...given)),
    embedding.normalizedDefaults,
  ),
  tsne: call(
    () => [affinities(), {}],
    (...given) => used(embedding.tsne(...given)),
    embedding.normalizedDefaults,
  ),
  nonsymmetricTsne: call(
    () => [conditional(), {}],
    (...given) => used(embedding.nonsymmetricTsne(...given)),
    embedding.normalizedDefaults,
  ),
};

const linearCalls = {
  checkLinearProblem: call(() => [linearProblem(), "test"], linear.checkLinearProblem),
  checkRows: call(() => [denseRows(), "test"], linear.checkRows),
  checkRowShape: call(() => [denseRows(), "test"], linear.checkRowShape),
  linearLoss: call(() => ["huber" as const, {}], linear.linearLoss, linear.linearLossDefaults),
  linearObjective: passingOn(
    call(
      () => [linearProblem()],
      (p) => used0(linear.linearObjective(p)),
    ),
  ),
  linearSum: passingOn(
    call(
      () => [linearProblem()],
      (p) => usedSum(linear.linearSum(p)),
    ),
  ),
};
function used0(objective: core.Objective): number {
  return objective.evaluate(new Float64Array(objective.dimension), new Float64Array(objective.dimension));
}

const ordinalCalls = {
  checkComparisons: call(() => [answers], ordinal.checkComparisons),
  comparisonCount: call(() => [answers], ordinal.comparisonCount),
  ordinalLoss: call(() => ["tste" as const, {}], ordinal.ordinalLoss, ordinal.ordinalLossDefaults),
  ordinalObjective: call(
    () => [answers, "ste" as const, 2, {}],
    (...given) => used0(ordinal.ordinalObjective(...given)),
    ordinal.ordinalObjectiveDefaults,
  ),
  errorShare: call(() => [answers, noise(12, 1)], ordinal.errorShare),
};

const classNumbers = (n = 12) => Array.from({ length: n }, (_, i) => i % 3);
const images = () => points(4, 784);
const shape = () => ({ height: 28, width: 28, channels: 1 });
const networkCalls = {
  autoencoder: call(
    () => [data(), { hidden: 2 }],
    (X, o) => usedSum(Reflect.apply(networks.autoencoder, undefined, [X, o])),
    networks.autoencoderDefaults,
  ),
  deepAutoencoder: call(
    () => [zeroOne(), {}],
    (...given) => usedSum(networks.deepAutoencoder(...given)),
    networks.deepAutoencoderDefaults,
  ),
  multilayerPerceptron: call(
    () => [data(), classNumbers(), {}],
    (...given) => usedSum(networks.multilayerPerceptron(...given)),
    networks.multilayerPerceptronDefaults,
  ),
  convolutionalNetwork: call(
    () => [images(), shape(), classNumbers(4), {}],
    (X, s, l, o) => usedSum(Reflect.apply(networks.convolutionalNetwork, undefined, [X, s, l, o])),
    networks.convolutionalNetworkDefaults,
  ),
};

const zeroOne = () => points(12).map((row) => row.map((x) => (x > 0 ? 1 : 0)));
const sumCalls = {
  independentComponents: call(
    () => [data(), {}],
    (...given) => usedSum(sums.independentComponents(...given)),
    sums.icaDefaults,
  ),
  isingModel: call(
    () => [zeroOne(), {}],
    (...given) => usedSum(sums.isingModel(...given)),
    sums.isingDefaults,
  ),
  logisticRegression: call(
    () => [data(), classLabels().map((label) => (label === "a" ? 1 : -1)), {}],
    (...given) => usedSum(sums.logisticRegression(...given)),
    sums.logisticDefaults,
  ),
  softmaxRegression: call(
    () => [data(), classNumbers(), {}],
    (...given) => usedSum(sums.softmaxRegression(...given)),
    sums.softmaxDefaults,
  ),
  defaultMinibatchCount: call(() => [100], sums.defaultMinibatchCount),
};

const onTerms = (
  make: (sum: typeof terms, x: Float64Array, options: object) => core.AskTellSolver,
  options: object,
): Call =>
  call(
    () => [terms, start(), {}],
    (...given) => driven(make(...given)),
    options,
  );
const onBowl = (
  make: (objective: typeof bowl, x: Float64Array, options: object) => core.Solver,
  options: object,
): Call =>
  call(
    () => [bowl, start(), {}],
    (...given) => stepped(make(...given)),
    options,
  );

const coreCalls = {
  checkGradient: call(() => [bowl, start(), {}], core.checkGradient, core.checkDefaults),
  checkHessianVector: call(() => [bowl, start(), {}], core.checkHessianVector, core.checkDefaults),
  encode: call(() => ["MAGIC", { a: [1, 2] }], core.encode),
  decode: call(() => ["MAGIC", core.encode("MAGIC", { a: [1, 2] })], core.decode),
  encodeCheckpoint: call(
    () => [
      {
        solver: { solver: "x", version: 1, state: 0 },
        dimension: 1,
        fingerprint: "",
        run: {
          elapsedSeconds: 0,
          gradientNorm: undefined,
          latest: undefined,
          history: [],
          tests: {},
          ending: undefined,
        },
      },
    ],
    core.encodeCheckpoint,
  ),
  decodeCheckpoint: call(
    () => [core.encode("CURVRUN", {})],
    (bytes) => {
      try {
        return core.decodeCheckpoint(bytes);
      } catch (error) {
        if (error instanceof core.CurvatureError && error.code === "ERR_CHECKPOINT") return undefined; // it is incomplete
        throw error;
      }
    },
  ),
  driveSum: call(
    () => [new core.Adam(terms, start()), terms, {}],
    (...given) => core.run(core.driveSum(...given), { stop: core.maxIterations(3) }),
    core.driveDefaults,
  ),
  defaultMinibatchCount: call(() => [100], core.defaultMinibatchCount),
  maxIterations: call(() => [3], core.maxIterations),
  maxEvaluations: call(() => [3], core.maxEvaluations),
  maxPasses: call(() => [3], core.maxPasses),
  timeLimit: call(() => [3], core.timeLimit),
  targetValue: call(() => [3, "minimize" as const], core.targetValue),
  gradientNormBelow: call(() => [1e-3, {}], core.gradientNormBelow, { relative: true }),
  valueDecreaseBelow: call(() => [1e-3, {}], core.valueDecreaseBelow, { consecutive: 2 }),
  pointChangeBelow: call(() => [1e-3, {}], core.pointChangeBelow, { consecutive: 2 }),
  anyOf: call(() => [core.maxIterations(3), core.maxPasses(3)], core.anyOf),
  allOf: call(() => [core.maxIterations(3), core.maxPasses(3)], core.allOf),
  rule: call(() => ["never", () => undefined], core.rule),
  run: call(
    () => [
      new core.Lbfgs(bowl, start()),
      { ...soon(), stop: core.maxIterations(4), checkpoint: { everySeconds: 0, write: () => undefined } },
    ],
    (...given) => core.run(...given),
    { ...core.runDefaults, resume: undefined, onIteration: undefined },
  ),
  iterate: call(
    () => [new core.Lbfgs(bowl, start()), { ...soon(), stop: core.maxIterations(4) }],
    (...given) => drainedStream(core.iterate(...given)),
    { ...core.runDefaults, resume: undefined, onIteration: undefined },
  ),
  runSync: call(
    () => [new core.Lbfgs(bowl, start()), { ...soon(), stop: core.maxIterations(4) }],
    (...given) => core.runSync(...given),
    { ...core.runDefaults, resume: undefined, onIteration: undefined },
  ),
  asObjective: passingOn(
    call(
      () => [terms],
      (sum) => used0(core.asObjective(sum)),
    ),
  ),
  checkSum: call(() => ["test", terms], core.checkSum),
  checkStart: call(() => ["test", bowl, start()], core.checkStart),
  checkPoint: call(() => ["test", start(), 3], core.checkPoint),
  openSnapshot: call(() => [{ solver: "x", version: 1, state: {} }, "x", 1], core.openSnapshot),
  parseSumSolverName: call(() => ["sgd"], core.parseSumSolverName),
  createSumSolver: call(
    () => ["adam", terms, start(), {}],
    (...given) => stepped(core.createSumSolver(...given)),
    core.sumSolverDefaults,
  ),
  Adagrad: onTerms((...given) => new core.Adagrad(...given), core.adagradDefaults),
  Adam: onTerms((...given) => new core.Adam(...given), core.adamDefaults),
  Momentum: onTerms((...given) => new core.Momentum(...given), core.momentumDefaults),
  Sag: onTerms((...given) => new core.Sag(...given), core.sagDefaults),
  Sgd: onTerms((...given) => new core.Sgd(...given), core.sgdDefaults),
  sgd: call(
    () => [terms, start(), {}],
    (...given) => stepped(core.sgd(...given)),
    core.sgdDefaults,
  ),
  SparseSgd: call(
    () => [terms, start(), {}],
    (...given) => stepped(new core.SparseSgd(...given)),
    core.sgdDefaults,
  ),
  MinibatchLbfgs: call(
    () => [terms, start(), {}],
    (...given) => stepped(new core.MinibatchLbfgs(...given)),
    core.minibatchLbfgsDefaults,
  ),
  ConjugateGradient: onBowl(
    (...given) => new core.ConjugateGradient(...given),
    core.conjugateGradientDefaults,
  ),
  GradientDescent: onBowl((...given) => new core.GradientDescent(...given), core.gradientDescentDefaults),
  HessianFree: onBowl((...given) => new core.HessianFree(...given), core.hessianFreeDefaults),
  Lbfgs: onBowl((...given) => new core.Lbfgs(...given), core.lbfgsDefaults),
  Lbfgsb: onBowl((...given) => new core.Lbfgsb(...given), core.lbfgsbDefaults),
};

const spectralCalls = {
  embed: call(
    () => [data(), { perplexity: 3, maxEvaluations: 5, ...soon() }],
    spectral.embed,
    spectral.embedDefaults,
  ),
  mapQuality: call(
    () => [data(), mapStart(), { neighbors: 2 }],
    (X, Y, o) => Reflect.apply(spectral.mapQuality, undefined, [X, Y, o]),
    spectral.mapQualityDefaults,
  ),
  knnPreservation: call(
    () => [data(), mapStart(), { neighbors: 2 }],
    (X, Y, o) => Reflect.apply(spectral.knnPreservation, undefined, [X, Y, o]),
    spectral.mapQualityDefaults,
  ),
  trustworthiness: call(
    () => [data(), mapStart(), { neighbors: 2 }],
    (X, Y, o) => Reflect.apply(spectral.trustworthiness, undefined, [X, Y, o]),
    spectral.mapQualityDefaults,
  ),
  attractiveGraph: call(() => [affinities()], spectral.attractiveGraph),
  spectralSolve: call(() => [graph(), "all" as const, spectral.spectralLimits], spectral.spectralSolve),
  spectralDirection: call(() => [graph(), "all" as const], spectral.spectralDirection),
  Homotopy: call(
    () => [
      embedding.tsne(affinities()),
      mapStart(),
      (o: embedding.EmbeddingObjective, X: Float64Array) =>
        new spectral.PartialHessian(o, X, spectral.gradientDirection()),
      {},
    ],
    (...given) => stepped(new spectral.Homotopy(...given)),
    spectral.homotopyDefaults,
  ),
  HomotopyLbfgs: call(
    () => [embedding.tsne(affinities()), mapStart(), {}],
    (...given) => stepped(new spectral.HomotopyLbfgs(...given)),
    spectral.homotopyLbfgsDefaults,
  ),
  PartialHessian: call(
    () => [embedding.tsne(affinities()), mapStart(), spectral.gradientDirection(), {}],
    (...given) => stepped(new spectral.PartialHessian(...given)),
    spectral.partialHessianDefaults,
  ),
};

const nomadOptions = { clusters: 3, maxIterations: 4 };
const sdpCalls = {
  nomad: call(() => [points(9), { ...nomadOptions, ...soon() }], sdp.nomad, sdp.nomadDefaults),
  gramOfPoints: call(() => [points(9), {}], sdp.gramOfPoints, sdp.gramDefaults),
  gramOfMatrix: call(() => [square(), {}], sdp.gramOfMatrix, { memoryLimit: 1e9 }),
  gramOfDistances: call(() => [distances(), {}], sdp.gramOfDistances, { memoryLimit: 1e9 }),
  checkProblem: call(() => ["test", nomadProblem()], sdp.checkProblem),
  centralPoint: call(() => [9, 3], sdp.centralPoint),
  centralValue: call(() => [nomadProblem()], sdp.centralValue),
  upperBounds: call(() => [nomadProblem(), linalg.zeros(9, 9)], sdp.upperBounds),
  solveRing: call(() => [8, 2], sdp.solveRing),
  Admm: call(
    () => [nomadProblem(), {}],
    (...given) => stepped(new sdp.Admm(...given)),
    sdp.admmDefaults,
  ),
  Auto: call(
    () => [nomadProblem(), {}],
    (...given) => stepped(new sdp.Auto(...given)),
    sdp.autoDefaults,
  ),
  BurerMonteiro: call(
    () => [nomadProblem(), {}],
    (...given) => stepped(new sdp.BurerMonteiro(...given)),
    sdp.burerMonteiroDefaults,
  ),
  Multipliers: call(
    () => [nomadProblem(), {}],
    (...given) => stepped(new sdp.Multipliers(...given)),
    sdp.multipliersDefaults,
  ),
  symmetricNmf: call(() => [square(), 2, {}], sdp.symmetricNmf, sdp.symmetricNmfDefaults),
  cpRankErrors: call(() => [square(), 2, { starts: 5 }], sdp.cpRankErrors, sdp.cpRankDefaults),
  assignmentsOf: call(() => [central(), 3, {}], sdp.assignmentsOf, sdp.assignmentDefaults),
  neighborDistances: call(() => [points(9), 3], sdp.neighborDistances),
  componentsOf: call(() => [central(), 0.1], sdp.componentsOf),
  embeddingOf: call(() => [central(), 2], sdp.embeddingOf),
  geodesicDistances: call(() => [central(), 0.01], sdp.geodesicDistances),
  checkMemory: call(() => ["test", "a matrix", 10, 100], sdp.checkMemory),
  repairFactor: call(
    () => [3, { rows: 9, columns: 4, data: noise(36, 2).map(Math.abs) }, 10],
    sdp.repairFactor,
  ),
  factoredValue: call(() => [gram(), factored()], sdp.factoredValue),
  factoredDense: call(() => [factored()], sdp.factoredDense),
};

const sfoCalls = {
  minimizeSum: call(
    () => [
      { ...terms, initial: start() },
      { maxPasses: 2, ...soon() },
    ],
    (...given) => sfo.minimizeSum(...given),
    sfo.minimizeSumDefaults,
  ),
  Sfo: call(
    () => [terms, start(), {}],
    (...given) => driven(new sfo.Sfo(...given)),
    sfo.sfoDefaults,
  ),
  splitIntoMinibatches: call(
    () => [square(), { dimension: 3, evaluate: () => 0 }, { count: 2 }],
    (D, o, options) => Reflect.apply(sfo.splitIntoMinibatches, undefined, [D, o, options]),
    { seed: 1 },
  ),
  defaultMinibatchCount: call(() => [100], sfo.defaultMinibatchCount),
};

const svrgCalls = {
  ordinalEmbedding: call(
    () => [answers, { maxPasses: 3, ...soon() }],
    (...given) => svrg.ordinalEmbedding(...given),
    svrg.ordinalEmbeddingDefaults,
  ),
  bootstrapEmbedding: call(
    () => [answers, { samples: 2, ...soon() }],
    async (...given) => {
      const { result } = await svrg.bootstrapEmbedding(...given);
      return result; // covariances and spreads are documented to be NaN for objects of which few samples speak
    },
    { ...svrg.ordinalEmbeddingDefaults, samples: 2 },
  ),
  chooseDimension: call(
    () => [answers, { candidates: [1, 2], folds: 2, ...soon() }],
    (...given) => svrg.chooseDimension(...given),
    svrg.dimensionDefaults,
  ),
  selectQuestions: call(
    () => [answers, { count: 2, ...soon() }],
    (...given) => svrg.selectQuestions(...given),
    svrg.questionDefaults,
  ),
  splitAnswers: call(() => [answers, {}], svrg.splitAnswers, svrg.splitDefaults),
  createOrdinalSolver: call(
    () => [objectiveOfAnswers(), noise(12, 5), {}],
    (...given) => stepped(svrg.createOrdinalSolver(...given)),
    svrg.ordinalSolverDefaults,
  ),
  coordinatesFromGram: call(() => [square(), 2], svrg.coordinatesFromGram),
  GramDescent: call(
    () => [objectiveOfAnswers(), noise(12, 5), {}],
    (...given) => stepped(new svrg.GramDescent(...given)),
    svrg.gramDefaults,
  ),
  Svrg: call(
    () => [terms, start(), {}],
    (...given) => stepped(new svrg.Svrg(...given)),
    svrg.svrgDefaults,
  ),
  modularSvrg: call(
    () => [terms, start(), {}],
    (...given) => stepped(svrg.modularSvrg(...given)),
    svrg.modularDefaults,
  ),
  kernelRidge: call(
    () => [data(), mapStart(), {}],
    (...given) => svrg.kernelRidge(...given).predict(points(2)),
    svrg.kernelRidgeDefaults,
  ),
  generalizationError: call(() => [answers, linalg.zeros(6, 2)], svrg.generalizationError),
  neighborLabelError: call(() => [mapStart(), classLabels()], svrg.neighborLabelError),
  procrustes: call(() => [mapStart(), mapStart(), {}], svrg.procrustes, svrg.procrustesDefaults),
  retrieval: call(
    () => [
      { places: mapStart(), labels: classLabels() },
      { places: mapStart(), labels: classLabels() },
      { at: [2] },
    ],
    svrg.retrieval,
    { at: [2] },
  ),
  tripletsFromPoints: call(
    () => [points(6), { count: 10 }],
    (...given) => svrg.tripletsFromPoints(...given),
    svrg.tripletDefaults,
  ),
  tripletsFromDistances: call(
    () => [distances(), { count: 10 }],
    (...given) => svrg.tripletsFromDistances(...given),
    svrg.tripletDefaults,
  ),
};

const fitted = lazily(async () => {
  const model = new sgdqn.LinearClassifier({ loss: "logistic" });
  await model.fit(data(), classLabels());
  return model;
});
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
const numbers = () => Array.from({ length: 12 }, (_, i) => i / 4);
const sgdqnCalls = {
  LinearClassifier: call(
    () => [{ maxPasses: 3, ...{} }],
    async (options) => {
      const model = new sgdqn.LinearClassifier(options);
      await model.fit(data(), classLabels(), soon());
      return model.predict(data());
    },
    sgdqn.linearClassifierDefaults,
  ),
  "LinearClassifier.fit": call(
    () => [
      data(),
      classLabels(),
      {
        ...soon(),
        sampleWeights: new Float64Array(12).fill(1),
        checkpoint: { everySeconds: 0, write: () => undefined },
      },
    ],
    (...given) => new sgdqn.LinearClassifier().fit(...given),
    { yieldEvery: 16, resume: undefined, history: false, onIteration: undefined },
  ),
  "LinearClassifier.partialFit": call(
    () => [data(), classLabels(), ["a", "b", "c"]],
    (...given) => new sgdqn.LinearClassifier().partialFit(...given),
  ),
  "LinearClassifier.predict": call(
    () => [data()],
    async (X) => (await fitted()).predict(X),
  ),
  "LinearClassifier.predictProbabilities": call(
    () => [data()],
    async (X) => (await fitted()).predictProbabilities(X),
  ),
  "LinearClassifier.score": call(
    () => [data(), classLabels()],
    async (...given) => (await fitted()).score(...given),
  ),
  LinearRegressor: call(
    () => [{ maxPasses: 3, ...{} }],
    async (options) => {
      const model = new sgdqn.LinearRegressor(options);
      await model.fit(data(), numbers(), soon());
      return model.predict(data());
    },
    sgdqn.linearRegressorDefaults,
  ),
  "LinearRegressor.fit": call(
    () => [data(), numbers(), soon()],
    (...given) => new sgdqn.LinearRegressor().fit(...given),
    { yieldEvery: 16, history: false },
  ),
  "LinearRegressor.partialFit": call(
    () => [data(), numbers()],
    (...given) => new sgdqn.LinearRegressor().partialFit(...given),
  ),
  Auto: call(
    () => [linearProblem(), {}],
    (...given) => stepped(new sgdqn.Auto(...given)),
    sgdqn.autoDefaults,
  ),
  DualCoordinateDescent: call(
    () => [linearProblem(), {}],
    (...given) => stepped(new sgdqn.DualCoordinateDescent(...given)),
    sgdqn.dualCoordinateDescentDefaults,
  ),
  LinearLbfgs: call(
    () => [linearProblem(), {}],
    (...given) => stepped(new sgdqn.LinearLbfgs(...given)),
    sgdqn.linearLbfgsDefaults,
  ),
  Newton: call(
    () => [linearProblem(), {}],
    (...given) => stepped(new sgdqn.Newton(...given)),
    sgdqn.newtonDefaults,
  ),
  createLinearSolver: call(
    () => [linearProblem(), {}],
    (...given) => stepped(sgdqn.createLinearSolver(...given)),
    sgdqn.linearSolverDefaults,
  ),
  createStochasticSolver: call(
    () => [linearProblem(), {}],
    (...given) => stepped(sgdqn.createStochasticSolver(...given)),
    sgdqn.stochasticDefaults,
  ),
  "createStochasticSolver, olbfgs": call(
    () => [linearProblem(), { solver: "olbfgs" as const }],
    (...given) => stepped(sgdqn.createStochasticSolver(...given)),
    sgdqn.stochasticDefaults,
  ),
  oneVersusRestSolver: call(
    () => [multiclass(), createSolver],
    (...given) => stepped(sgdqn.oneVersusRestSolver(...given)),
  ),
  trainOneVersusRest: call(
    () => [multiclass(), createSolver, soon()],
    (...given) => sgdqn.trainOneVersusRest(...given),
    { yieldEvery: 16 },
  ),
  chooseLambda: call(() => [linearProblem(), { createSolver, ...soon() }], sgdqn.chooseLambda, {
    share: 0.2,
    maxRows: 100,
    patience: 2,
    seed: 0,
  }),
  crossValidate: call(
    () => [linearProblem(), { createSolver, count: 2, folds: 2, ...soon() }],
    sgdqn.crossValidate,
    { lambdas: [0.1], count: 2, largest: 1, ratio: 0.1, folds: 2, seed: 0 },
  ),
  lambdaPath: call(() => [linearProblem(), { createSolver, count: 2, ...soon() }], sgdqn.lambdaPath, {
    lambdas: [0.1],
    count: 2,
    largest: 1,
    ratio: 0.1,
  }),
  defaultLambda: call(() => [denseRows()], sgdqn.defaultLambda),
  chooseStorage: call(() => [denseRows()], sgdqn.chooseStorage),
  confusionMatrix: call(() => [classLabels(), classLabels()], sgdqn.confusionMatrix),
  errorRate: call(() => [classLabels(), classLabels()], sgdqn.errorRate),
  classificationReport: call(() => [classLabels(), classLabels()], sgdqn.classificationReport),
  areaUnderCurve: call(() => [classLabels(), numbers(), "a"], sgdqn.areaUnderCurve),
  logLoss: call(
    () => [["a", "b"], { rows: 2, columns: 2, data: Float64Array.of(0.5, 0.5, 0.1, 0.9) }, ["a", "b"]],
    sgdqn.logLoss,
  ),
  regressionReport: call(() => [numbers(), numbers()], sgdqn.regressionReport),
  saveModel: call(
    () => [new sgdqn.LinearClassifier()],
    (model) => {
      try {
        return sgdqn.saveModel(model);
      } catch (error) {
        if (error instanceof core.CurvatureError) return undefined; // it is not fitted
        throw error;
      }
    },
  ),
  loadModel: call(
    () => ["{}"],
    (text) => {
      try {
        return sgdqn.loadModel(text);
      } catch (error) {
        if (error instanceof core.CurvatureError && error.code === "ERR_PARSE") return undefined; // it is no model
        throw error;
      }
    },
  ),
  classScores: call(
    () => [denseRows(), linalg.zeros(3, 4), "regularized" as const],
    (...given) => sgdqn.classScores(...given).rows, // the numbers are not looked at
  ),
  warmStartFrom: call(() => [new sgdqn.DualCoordinateDescent(linearProblem())], sgdqn.warmStartFrom),
};

/** Every solver takes snapshots from outside. */
const restoreCalls = Object.fromEntries(
  Object.entries(solvers).map(([name, create]): [string, Call] => [
    `restore ${name}`,
    call(
      () => [create().save()],
      (snapshot) => create().restore(snapshot),
    ),
  ]),
);

interface Package {
  readonly exports: object;
  readonly calls: Readonly<Record<string, Call>>;
}

export const packages: Readonly<Record<string, Package>> = {
  linalg: { exports: linalg, calls: linalgCalls },
  "linalg/ml": { exports: ml, calls: mlCalls },
  "linalg/simd": { exports: simd, calls: {} },
  "linalg/threads": { exports: threads, calls: threadCalls },
  datasets: { exports: datasets, calls: datasetCalls },
  "datasets/digits": { exports: digits, calls: {} },
  "datasets/eurodist": { exports: eurodist, calls: {} },
  "objectives/embedding": { exports: embedding, calls: embeddingCalls },
  "objectives/embedding/threads": {
    exports: embeddingThreads,
    calls: {
      embeddingThreads: call(
        () => [1],
        (...given) => embeddingThreads.embeddingThreads(...given).close(),
      ),
    },
  },
  "objectives/linear": { exports: linear, calls: linearCalls },
  "objectives/ordinal": { exports: ordinal, calls: ordinalCalls },
  "objectives/networks": { exports: networks, calls: networkCalls },
  "objectives/sums": { exports: sums, calls: sumCalls },
  "optim-core": { exports: core, calls: coreCalls },
  "optim-spectral": { exports: spectral, calls: spectralCalls },
  "optim-sdp": { exports: sdp, calls: sdpCalls },
  "optim-sfo": { exports: sfo, calls: sfoCalls },
  "optim-svrg": { exports: svrg, calls: svrgCalls },
  "optim-sgdqn": { exports: sgdqn, calls: sgdqnCalls },
  cluster: { exports: cluster, calls: {} },
  "all solvers": { exports: {}, calls: restoreCalls },
};
