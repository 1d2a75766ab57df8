/** Maps: the search for neighbours, the three gradients of t-SNE, the spectral direction. */
import { type DenseMatrix, fillNormal, RandomGenerator } from "@curvature/linalg";
import { entropicAffinities, jointAffinities, neighborSearch, tsne } from "@curvature/objectives/embedding";
import { attractiveGraph, PartialHessian, spectralDirection } from "@curvature/optim-spectral";
import { clusterTree } from "../../spectral/sets.ts";
import { normals } from "./drawn.ts";
import { secondsOf, stepOf, type Workload } from "./workload.ts";

function affinities(N: number) {
  return jointAffinities(
    entropicAffinities(clusterTree(N).points, { perplexity: 20, neighbors: 60 }).conditional,
  );
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

export const embeddingWorkloads: readonly Workload[] = [
  {
    key: "neighbors-points",
    solver: "search for neighbours, exact",
    unit: "the whole",
    variable: "N points, D = 64",
    sizes: [2000, 4000, 8000, 16_000],
    theory: { time: 2, memory: 1, words: "N² D / 2 multiplications; N neighbours" },
    work: (N) => exactSearch(noise(N, 64)),
  },
  {
    key: "neighbors-columns",
    solver: "search for neighbours, exact",
    unit: "the whole",
    variable: "D columns, 4,000 points",
    sizes: [64, 128, 256, 512, 1024],
    theory: { time: 1, memory: 1, words: "N² D / 2 multiplications; the points" },
    work: (D) => exactSearch(noise(4000, D)),
  },
  {
    key: "gradient-exact",
    solver: "t-SNE gradient, exact",
    unit: "an evaluation",
    variable: "N points",
    sizes: [2000, 4000, 8000, 16_000],
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
    work: (N) => {
      const E = tsne(affinities(N), { gradient: "fft" });
      return secondsOf(() => {
        const direction = spectralDirection(attractiveGraph(E.attractiveWeights()), 7);
        const solver = new PartialHessian(E, normals(2 * N, 1e-3), direction);
        for (let k = 0; k < 10; k++) stepOf(solver);
      });
    },
  },
];
