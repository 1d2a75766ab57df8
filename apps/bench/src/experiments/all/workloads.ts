/**
 * What the growth of cost is measured on: for each solver a quantity that grows, the sizes, the exponents that its
 * operation counts promise, and the work of one size: an uncounted part first (compiling), then a counted one.
 */
import {
  type DenseMatrix,
  exp,
  fillNormal,
  log,
  RandomGenerator,
  type SparseMatrix,
} from "@curvature/linalg";
import { entropicAffinities, jointAffinities, tsne } from "@curvature/objectives/embedding";
import { type LinearProblem, linearLoss } from "@curvature/objectives/linear";
import { type Comparisons, ordinalObjective } from "@curvature/objectives/ordinal";
import type { Iteration, Solver } from "@curvature/optim-core";
import { Admm, BurerMonteiro, gramOfPoints, nomad } from "@curvature/optim-sdp";
import { chooseStorage, createLinearSolver, type LinearSolverOptions } from "@curvature/optim-sgdqn";
import { attractiveGraph, PartialHessian, spectralDirection } from "@curvature/optim-spectral";
import { createOrdinalSolver } from "@curvature/optim-svrg";
import { cpuSeconds } from "../../processor.ts";
import { digits } from "../sdp/sets.ts";
import { secondsOutside } from "../sfo/outside.ts";
import { clusterTree } from "../spectral/sets.ts";

export interface Workload {
  readonly key: string;
  readonly solver: string;
  /** What is timed. */
  readonly unit: string;
  /** What grows, and what stands still. */
  readonly variable: string;
  readonly sizes: readonly number[];
  /** Of time and of memory, with the operation counts in words; undefined where nothing is promised. */
  readonly theory: {
    readonly time: number | undefined;
    readonly memory: number | undefined;
    readonly words: string;
  };
  /** Processor seconds of a unit. */
  work(size: number): Promise<number> | number;
}

/** Seconds of a call of `one`, after a call that does not count, of at least so many seconds in all. */
function secondsOf(one: () => unknown, least = 0.3): number {
  one();
  const began = cpuSeconds();
  let calls = 0;
  do {
    one();
    calls++;
  } while (cpuSeconds() - began < least);
  return (cpuSeconds() - began) / calls;
}

function stepOf<D>(solver: Solver<D>): Iteration<D> {
  const iteration = solver.step();
  if ("then" in iteration) throw new Error("evaluates at once");
  return iteration;
}

/** Seconds of a pass, after `warm` passes, over `counted` of them or to the solver's end. */
function secondsOfPass<D>(solver: Solver<D>, warm: number, counted: number): number {
  let [done, isEnded] = [0, false];
  const advance = (until: number): void => {
    while (done < until && !isEnded) {
      const { passes, outcome } = stepOf(solver);
      done = passes;
      isEnded = outcome !== undefined;
    }
  };
  advance(warm);
  const [before, began] = [done, cpuSeconds()];
  advance(before + counted);
  return (cpuSeconds() - began) / (done - before);
}

function affinities(N: number) {
  return jointAffinities(
    entropicAffinities(clusterTree(N).points, { perplexity: 20, neighbors: 60 }).conditional,
  );
}

function normals(length: number, scale: number): Float64Array {
  const out = new Float64Array(length);
  fillNormal(new RandomGenerator(0), out);
  return out.map((x) => scale * x);
}

function gradient(method: "exact" | "barnes-hut" | "fft") {
  return (N: number): number => {
    const E = tsne(affinities(N), { gradient: method });
    const [X, G] = [normals(2 * N, 10), new Float64Array(2 * N)];
    return secondsOf(() => E.evaluate(X, G));
  };
}

/** Answers from points drawn in p dimensions. */
function answers(count: number, objects: number, p: number): Comparisons {
  const random = new RandomGenerator(1);
  const X = normals(objects * p, 1);
  const distance = (i: number, j: number): number => {
    let sum = 0;
    for (let t = 0; t < p; t++) sum += (X[i * p + t] - X[j * p + t]) ** 2;
    return sum;
  };
  const quadruplets = new Int32Array(4 * count);
  for (let q = 0; q < count; ) {
    const [i, j, k] = [0, 0, 0].map(() => random.integer(objects));
    if (i === j || i === k || j === k) continue;
    quadruplets.set(distance(i, j) < distance(i, k) ? [i, j, i, k] : [i, k, i, j], 4 * q++);
  }
  return { objects, quadruplets };
}

function svrg(count: number, p: number): number {
  const objective = ordinalObjective(answers(count, 500, p), "ste", p);
  const solver = createOrdinalSolver(objective, normals(500 * p, 0.1), { solver: "svrg-sbb" });
  return secondsOfPass(solver, 3, 9);
}

/** Rows of so many entries each at random columns, labels of a drawn direction. */
function linear(rows: number, columns: number, entries: number): LinearProblem {
  const random = new RandomGenerator(2);
  const w = normals(columns, 1);
  const targets = new Float64Array(rows);
  const columnIndices = new Int32Array(rows * entries);
  const values = new Float32Array(rows * entries);
  const stride = Math.floor(columns / entries);
  for (let i = 0; i < rows; i++) {
    let score = 0;
    for (let k = 0; k < entries; k++) {
      const at = i * entries + k;
      columnIndices[at] = stride * k + random.integer(stride);
      values[at] = (random.uniform() - 0.5) / Math.sqrt(entries / 12);
      score += values[at] * w[columnIndices[at]];
    }
    targets[i] = score > 0 ? 1 : -1;
  }
  const matrix: SparseMatrix<Float32Array> = {
    rows,
    columns,
    rowPointers: Int32Array.from({ length: rows + 1 }, (_, i) => i * entries),
    columnIndices,
    values,
  };
  return {
    rows: chooseStorage(matrix),
    targets,
    loss: linearLoss("squared-hinge"),
    lambda: 1e-4,
    bias: "none",
  };
}

function linearPass(problem: LinearProblem, options: LinearSolverOptions): number {
  return secondsOfPass(createLinearSolver(problem, options), 2, 8);
}

const FEATURES = 20_000;
const linearSolvers: readonly { readonly name: string; readonly options: LinearSolverOptions }[] = [
  { name: "SGD-QN", options: { solver: "sgdqn", maxPasses: 1000 } },
  { name: "dual coordinate descent", options: { solver: "dcd", tolerance: 1e-12, maxPasses: 1000 } },
  { name: "Newton, conjugate gradients", options: { solver: "newton", tolerance: 1e-12, maxPasses: 1000 } },
];

async function problemOf(n: number, clusters: number) {
  const { points } = await digits(n);
  return { gram: gramOfPoints(points), clusters };
}

/** Seconds of an iteration. */
function iterations<D>(solver: Solver<D>, warm: number, counted: number): number {
  for (let k = 0; k < warm; k++) stepOf(solver);
  const began = cpuSeconds();
  let done = 0;
  while (done < counted && stepOf(solver).outcome === undefined) done++;
  return (cpuSeconds() - began) / Math.max(1, done);
}

async function wholeNomad(points: DenseMatrix, clusters: number): Promise<number> {
  const began = cpuSeconds();
  await nomad(points, { clusters, tolerance: 1e-2 });
  return cpuSeconds() - began;
}

const geometric = (from: number, to: number, count: number): number[] =>
  Array.from({ length: count }, (_, k) => Math.round(from * exp((k / (count - 1)) * log(to / from))));

export const workloads: readonly Workload[] = [
  {
    key: "gradient-exact",
    solver: "t-SNE gradient, exact",
    unit: "an evaluation",
    variable: "N points",
    sizes: [500, 1000, 2000, 4000],
    theory: { time: 2, memory: 1, words: "N² pairs; N neighbours" },
    work: gradient("exact"),
  },
  {
    key: "gradient-barnes-hut",
    solver: "t-SNE gradient, Barnes-Hut",
    unit: "an evaluation",
    variable: "N points",
    sizes: [1000, 2000, 4000, 8000, 16_000],
    theory: { time: 1, memory: 1, words: "N log N; N neighbours" },
    work: gradient("barnes-hut"),
  },
  {
    key: "gradient-fft",
    solver: "t-SNE gradient, fft",
    unit: "an evaluation",
    variable: "N points",
    sizes: [1000, 2000, 4000, 8000, 16_000],
    theory: { time: 1, memory: 1, words: "N and a grid that does not grow with it; N neighbours" },
    work: gradient("fft"),
  },
  {
    key: "spectral-direction",
    solver: "spectral direction (SD)",
    unit: "10 iterations with the factorisation, gradients by fft",
    variable: "N points",
    sizes: [1000, 2000, 4000, 8000, 16_000],
    theory: {
      time: undefined,
      memory: undefined,
      words: "N and what the fill of the factor takes, between N and N²",
    },
    work: (N) => {
      const E = tsne(affinities(N), { gradient: "fft" });
      const ten = (): void => {
        const direction = spectralDirection(attractiveGraph(E.attractiveWeights()), 7);
        const solver = new PartialHessian(E, normals(2 * N, 1e-3), direction);
        for (let k = 0; k < 10; k++) stepOf(solver);
      };
      return secondsOf(ten);
    },
  },
  {
    key: "sfo-parameters",
    solver: "SFO",
    unit: "a pass, outside the subfunctions",
    variable: "M parameters, N = 20",
    sizes: [3000, 10_000, 30_000, 100_000, 300_000],
    theory: { time: 1, memory: 1, words: "M N² projections; a basis of M N" },
    work: (M) => secondsOutside(20, M),
  },
  {
    key: "sfo-subfunctions",
    solver: "SFO",
    unit: "a pass, outside the subfunctions",
    variable: "N subfunctions, M = 30,000",
    sizes: [10, 20, 40, 80],
    theory: { time: 2, memory: 1, words: "M N² projections; a basis of M N" },
    work: (N) => secondsOutside(N, 30_000),
  },
  {
    key: "svrg-answers",
    solver: "SVRG-SBB",
    unit: "a pass",
    variable: "N answers, 500 objects, p = 5",
    sizes: geometric(10_000, 640_000, 4),
    theory: { time: 1, memory: 1, words: "N p; N" },
    work: (count) => svrg(count, 5),
  },
  {
    key: "svrg-dimensions",
    solver: "SVRG-SBB",
    unit: "a pass",
    variable: "p dimensions, 50,000 answers",
    sizes: [4, 8, 16, 32, 64],
    theory: { time: 1, memory: undefined, words: "N p; N + n p" },
    work: (p) => svrg(50_000, p),
  },
  ...linearSolvers.flatMap(({ name, options }): Workload[] => [
    {
      key: `${options.solver}-rows`,
      solver: name,
      unit: "a pass",
      variable: `n rows of 80 entries, ${FEATURES.toLocaleString("en-US")} features`,
      sizes: [10_000, 20_000, 40_000, 80_000],
      theory: { time: 1, memory: 1, words: "n entries; the rows" },
      work: (n) => linearPass(linear(n, FEATURES, 80), options),
    },
    {
      key: `${options.solver}-entries`,
      solver: name,
      unit: "a pass",
      variable: `entries of a row, 20,000 rows, ${FEATURES.toLocaleString("en-US")} features`,
      sizes: [20, 40, 80, 160, 320],
      theory: { time: 1, memory: 1, words: "n entries; the rows" },
      work: (entries) => linearPass(linear(20_000, FEATURES, entries), options),
    },
  ]),
  {
    key: "nomad-admm-points",
    solver: "NOMAD, admm",
    unit: "an iteration",
    variable: "n points, K = 16",
    sizes: [100, 150, 225, 340],
    theory: { time: 3, memory: 2, words: "an eigendecomposition, 10 n³; nine n × n arrays" },
    work: async (n) => iterations(new Admm(await problemOf(n, 16)), 5, 15),
  },
  {
    key: "nomad-bm-points",
    solver: "NOMAD, bm",
    unit: "an iteration",
    variable: "n points, K = 16",
    sizes: [200, 400, 800, 1600],
    theory: { time: 1, memory: 1, words: "n r d; n (r + d)" },
    work: async (n) => iterations(new BurerMonteiro(await problemOf(n, 16)), 10, 60),
  },
  {
    key: "nomad-bm-clusters",
    solver: "NOMAD, bm",
    unit: "an iteration",
    variable: "K, n = 600",
    sizes: [4, 8, 16, 32],
    theory: { time: 1, memory: 1, words: "n r d with r = 4 K; n (r + d)" },
    work: async (K) => iterations(new BurerMonteiro(await problemOf(600, K)), 10, 60),
  },
  {
    key: "nomad-auto-points",
    solver: "NOMAD, auto",
    unit: "the whole, to a gap of 1e-2",
    variable: "n points, K = 16",
    sizes: [150, 300, 600, 1200],
    theory: { time: 2, memory: 2, words: "k n² a dual step, 4/3 n³ a certificate; 72 n² bytes" },
    work: async (n) => wholeNomad((await digits(n)).points, 16),
  },
  {
    key: "nomad-auto-clusters",
    solver: "NOMAD, auto",
    unit: "the whole, to a gap of 1e-2",
    variable: "K, n = 400",
    sizes: [4, 8, 16, 32],
    theory: {
      time: undefined,
      memory: undefined,
      words: "the rank of Q, which grows with K and with n/K, decides",
    },
    work: async (K) => wholeNomad((await digits(400)).points, K),
  },
];
