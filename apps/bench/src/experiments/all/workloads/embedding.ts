/** Maps: the search for neighbours, the three gradients of t-SNE, the spectral direction. */
import { type DenseMatrix, fillNormal, RandomGenerator } from "@curvature/linalg";
import {
  type EmbeddingObjective,
  entropicAffinities,
  jointAffinities,
  neighborSearch,
  tsne,
} from "@curvature/objectives/embedding";
import {
  type AttractiveGraph,
  attractiveGraph,
  type Direction,
  type ImmediateSolver,
  PartialHessian,
  spectralDirection,
  spectralLbfgs,
  spectralMinusDirection,
  spectralSolve,
} from "@curvature/optim-spectral";
import { clusterTree } from "../../spectral/sets.ts";
import { normals } from "./drawn.ts";
import { secondsOf, stepOf, type Workload } from "./workload.ts";

function affinities(N: number, neighbors = 60) {
  const options = { perplexity: neighbors / 3, neighbors };
  return jointAffinities(entropicAffinities(clusterTree(N).points, options).conditional);
}

function gradient(method: "exact" | "barnes-hut" | "fft") {
  return (N: number): number => {
    const E = tsne(affinities(N), { gradient: method });
    const [X, G] = [normals(2 * N, 10), new Float64Array(2 * N)];
    return secondsOf(() => E.evaluate(X, G));
  };
}

function noise(rows: number, columns: number): DenseMatrix {
  const data = new Float64Array(rows * columns);
  fillNormal(new RandomGenerator(5), data);
  return { rows, columns, data };
}

function exactSearch(points: DenseMatrix): number {
  return secondsOf(() => {
    const steps = neighborSearch(points, 30, { search: "exact" });
    while (steps.next().done !== true);
  });
}

type Maker = (E: EmbeddingObjective, X: Float64Array) => ImmediateSolver;

const withDirection =
  (direction: (graph: AttractiveGraph) => Direction): Maker =>
  (E, X) =>
    new PartialHessian(E, X, direction(attractiveGraph(E.attractiveWeights())));

/** Seconds of ten steps and of what comes before the first. */
const tenSteps =
  (make: Maker, gradient: "exact" | "fft" = "fft") =>
  (N: number): number => {
    const E = tsne(affinities(N), { gradient });
    return secondsOf(() => {
      const solver = make(E, normals(2 * N, 1e-3));
      for (let k = 0; k < 10; k++) stepOf(solver);
    });
  };

export const embeddingWorkloads: readonly Workload[] = [
  {
    key: "neighbors-points",
    solver: "search for neighbours, exact",
    unit: "the whole",
    variable: "N points, D = 64",
    sizes: [4000, 8000, 16_000, 32_000],
    theory: { time: 2, memory: 1, words: "N² D / 2 multiplications; N neighbours" },
    work: (N) => exactSearch(noise(N, 64)),
  },
  {
    key: "neighbors-columns",
    solver: "search for neighbours, exact",
    unit: "the whole",
    variable: "D columns, 4,000 points",
    sizes: [128, 256, 512, 1024, 2048],
    theory: { time: 1, memory: 1, words: "N² D / 2 multiplications; the points" },
    work: (D) => exactSearch(noise(4000, D)),
  },
  {
    key: "gradient-exact",
    solver: "t-SNE gradient, exact",
    unit: "an evaluation",
    variable: "N points",
    sizes: [4000, 8000, 16_000, 32_000],
    theory: { time: 2, memory: 1, words: "N² pairs; N neighbours" },
    work: gradient("exact"),
  },
  {
    key: "gradient-barnes-hut",
    solver: "t-SNE gradient, Barnes-Hut",
    unit: "an evaluation",
    variable: "N points",
    sizes: [4000, 8000, 16_000, 32_000],
    theory: { time: 1, memory: 1, words: "N log N; N neighbours" },
    work: gradient("barnes-hut"),
  },
  {
    key: "gradient-fft",
    solver: "t-SNE gradient, fft",
    unit: "an evaluation",
    variable: "N points",
    sizes: [8000, 16_000, 32_000, 64_000],
    theory: { time: 1, memory: 1, words: "N and a grid that does not grow with it; N neighbours" },
    work: gradient("fft"),
  },
  {
    key: "spectral-direction",
    solver: "spectral direction (SD)",
    unit: "10 iterations with the factorisation, gradients by fft",
    variable: "N points",
    sizes: [4000, 8000, 16_000, 32_000],
    theory: {
      time: undefined,
      memory: undefined,
      words: "N and what the fill of the factor takes, between N and N²",
    },
    work: tenSteps(withDirection((graph) => spectralDirection(graph, 7))),
  },
  {
    key: "sd-lbfgs",
    solver: "SD-LBFGS",
    unit: "10 iterations with the factorisation, gradients by fft",
    variable: "N points",
    sizes: [4000, 8000, 16_000, 32_000],
    theory: { time: undefined, memory: undefined, words: "as SD" },
    work: tenSteps((E, X) =>
      spectralLbfgs(E, X, spectralSolve(attractiveGraph(E.attractiveWeights()), 7).solve),
    ),
  },
  {
    key: "sd-minus",
    solver: "SD−",
    unit: "10 iterations, exact gradients",
    variable: "N points",
    sizes: [500, 1000, 2000, 4000],
    theory: {
      time: 2,
      memory: 2,
      words: "N² for each product of the inner conjugate gradients; the dense weights",
    },
    work: tenSteps(withDirection(spectralMinusDirection), "exact"),
  },
  {
    key: "spectral-neighbors",
    solver: "spectral direction (SD)",
    unit: "10 iterations with the factorisation, gradients by fft",
    variable: "κ neighbours kept of a point, 8,000 points",
    sizes: [4, 8, 16, 32],
    theory: { time: undefined, memory: undefined, words: "what the fill of the factor takes" },
    work: (kappa) => tenSteps(withDirection((graph) => spectralDirection(graph, kappa)))(8000),
  },
  {
    key: "gradient-neighbors",
    solver: "t-SNE gradient, fft",
    unit: "an evaluation",
    variable: "neighbours of a point, 16,000 points",
    sizes: [15, 30, 60, 120, 240],
    theory: { time: 1, memory: 1, words: "at most N k beside the grid; N k" },
    work: (k) => {
      const E = tsne(affinities(16_000, k), { gradient: "fft" });
      const [X, G] = [normals(2 * 16_000, 10), new Float64Array(2 * 16_000)];
      return secondsOf(() => E.evaluate(X, G));
    },
  },
];
