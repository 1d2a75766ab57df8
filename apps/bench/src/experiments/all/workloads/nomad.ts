/** NOMAD's solvers: on the bundled digits, and where there are not enough of them on a tree of clusters. */
import type { DenseMatrix } from "@curvature/linalg";
import { Admm, BurerMonteiro, gramOfPoints, Multipliers, nomad } from "@curvature/optim-sdp";
import { cpuSeconds } from "../../../processor.ts";
import { digits } from "../../sdp/sets.ts";
import { clusterTree } from "../../spectral/sets.ts";
import { type Cost, costOfSteps, secondsOfIteration, type Workload } from "./workload.ts";

/** Inner iterations, after the start: 4 d operations for each place of the factor. */
function burerMonteiro(n: number, clusters: number): Cost {
  const { points } = clusterTree(n);
  const solver = new BurerMonteiro({ gram: gramOfPoints(points), clusters });
  return costOfSteps(solver, 150, 200, ({ phase, details }) =>
    phase === "inner" ? 4 * points.columns * details.support : undefined,
  );
}

/** The first iterations take all eigenpairs, later ones those that are active, unless they lose them. */
async function admm(n: number, complete: boolean): Promise<Cost> {
  const cost = async (points: number, warm: number, counted: number): Promise<Cost> =>
    costOfSteps(
      new Admm({ gram: gramOfPoints((await digits(points)).points), clusters: 16 }),
      warm,
      counted,
      ({ details }) =>
        details.complete === complete ? (complete ? 10 * n ** 3 : 6 * details.rank * n * n) : undefined,
    );
  if (!complete) return cost(n, 10, 10);
  await cost(200, 0, 8); // compiles
  return cost(n, 1, 2);
}

/** Seconds of a whole call. */
async function whole(points: DenseMatrix, clusters: number): Promise<number> {
  const began = cpuSeconds();
  await nomad(points, { clusters, tolerance: 1e-2 });
  return cpuSeconds() - began;
}

export const nomadWorkloads: readonly Workload[] = [
  {
    key: "nomad-admm-points",
    solver: "NOMAD, admm",
    unit: "an iteration with all eigenpairs",
    variable: "n points, K = 16",
    sizes: [200, 400, 800, 1600],
    theory: { time: 3, memory: 2, words: "an eigendecomposition, 10 n³; nine n × n arrays" },
    work: (n) => admm(n, true),
  },
  {
    key: "nomad-admm-few",
    solver: "NOMAD, admm",
    unit: "an iteration with the active eigenpairs alone, after the 10th",
    variable: "n points, K = 16",
    sizes: [400, 800, 1600],
    theory: { time: "counted", memory: 2, words: "6 k n², k the rank; nine n × n arrays" },
    work: (n) => admm(n, false),
  },
  {
    key: "nomad-cg-points",
    solver: "NOMAD, cg",
    unit: "an inner step",
    variable: "n points, K = 16",
    sizes: [200, 400, 800, 1600],
    theory: { time: 2, memory: 2, words: "some 20 products of 2 n²; four n × n arrays" },
    work: async (n) => {
      const { points } = await digits(n);
      return secondsOfIteration(new Multipliers({ gram: gramOfPoints(points), clusters: 16 }), 15, 60);
    },
  },
  {
    key: "nomad-bm-points",
    solver: "NOMAD, bm",
    unit: "an inner iteration",
    variable: "n points, K = 16",
    sizes: [1000, 2000, 4000, 8000, 16_000],
    theory: { time: "counted", memory: 1, words: "4 d for each place of the factor; n (r + d), r = 4 K" },
    work: (n) => burerMonteiro(n, 16),
  },
  {
    key: "nomad-bm-clusters",
    solver: "NOMAD, bm",
    unit: "an inner iteration",
    variable: "K, n = 2,000",
    sizes: [8, 16, 32, 64, 128],
    theory: {
      time: "counted",
      memory: 1,
      words: "4 d for each place of the factor, of which a row has few for any r; n (r + d), r = 4 K",
    },
    work: (K) => burerMonteiro(2000, K),
  },
  {
    key: "nomad-auto-points",
    solver: "NOMAD, auto",
    unit: "the whole, to a gap of 1e-2",
    variable: "n points, K = 16",
    sizes: [225, 450, 900, 1797],
    theory: { time: 2, memory: 2, words: "k n² a dual step, 4/3 n³ a certificate; 72 n² bytes" },
    work: async (n) => whole((await digits(n)).points, 16),
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
    work: async (K) => whole((await digits(400)).points, K),
  },
];
