/**
 * The experiments, in the order in which `all` runs them: what each checks, with which arguments, and what it needs that
 * is not in this repository. A new experiment is a file below `experiments/` and an entry here.
 */
import type { DataKind, Program } from "./needs.ts";

export type Paper = "spectral" | "sdp" | "sfo" | "svrg" | "sgdqn" | "all" | "cluster";

export interface DataOption {
  /** The experiment's option that takes the folder. */
  readonly option: string;
  readonly kind: DataKind;
  /** Whether a full run, or every run, cannot do without; else it measures less. */
  readonly isNeeded: "always" | "full" | "never";
}

export interface Experiment {
  /** `<paper>/<figure or table>`. */
  readonly name: `${Paper}/${string}`;
  /** Below `experiments/`. */
  readonly file: string;
  /** What the paper says, or this repository, in a line. */
  readonly claim: string;
  /** Beside `--quick`. */
  readonly quick?: readonly string[];
  /** Of the full run; the experiment's own defaults where left out. */
  readonly full?: readonly string[];
  readonly data?: readonly DataOption[];
  readonly programs?: readonly Program[];
  /** Of a full run, as it was measured, wall clock; undefined where none was. */
  readonly minutes?: number;
  /** Names of the results in `docs/results/<paper>/`, without ending; that of the experiment where left out. */
  readonly results?: readonly string[];
  /** Why there are no results. */
  readonly unmeasured?: string;
}

/** Papers in the order of the page, with the names that it has for them. */
export const papers: Readonly<Record<Paper, string>> = {
  spectral:
    "Partial-Hessian strategies for fast learning of nonlinear embeddings (Vladymyrov, Carreira-Perpiñán 2012)",
  sdp: "Clustering is semidefinitely not that hard: nonnegative SDP for manifold disentangling, NOMAD (Tepper, Sengupta, Chklovskii 2018)",
  sfo: "Sum of functions optimizer, SFO (Sohl-Dickstein, Poole, Ganguli 2014)",
  svrg: "Ordinal embedding by SVRG-SBB (Ma et al. 2019)",
  sgdqn: "SGD-QN (Bordes, Bottou, Gallinari 2009)",
  all: "All solvers of this repository",
  cluster: "Work past one process: sweeps and remote subfunctions",
};

export const experiments: readonly Experiment[] = [
  {
    name: "spectral/digits-peers",
    file: "spectral/digits-peers.ts",
    claim:
      "`embed` is at least five times faster than the fastest t-SNE of npm, to no more than its divergence",
    quick: ["--repeats", "1", "--contestants", "curvature,umap-js"],
  },
  {
    name: "spectral/map-peers",
    file: "spectral/map-peers.ts",
    claim: "`embed` beside scikit-learn, Rtsne and the packages of npm: seconds and quality of maps",
    quick: ["--sets", "tree", "--sizes", "500", "--repeats", "1", "--contestants", "curvature,umap-js,druid"],
    full: ["--sizes", "2000,5000", "--repeats", "1"],
    data: [
      { option: "--mnist", kind: "mnist", isNeeded: "full" },
      { option: "--tables", kind: "linear", isNeeded: "full" },
    ],
    programs: ["scikit-learn", "Rtsne"],
    results: ["map-peers", "map-peers-20000", "map-peers-70000"],
  },
  {
    name: "spectral/figure-1",
    file: "spectral/figure-1.ts",
    claim:
      "To one minimum: the more of the Hessian the fewer iterations, and SD and L-BFGS first in time (figure 1)",
  },
  {
    name: "spectral/figure-2",
    file: "spectral/figure-2.ts",
    claim: "From random maps SD and L-BFGS come lowest, SD with less scatter (figure 2)",
  },
  {
    name: "spectral/figure-3",
    file: "spectral/figure-3.ts",
    claim: "By homotopy in λ all methods but gradient descent come to one map, SD soonest (figure 3)",
  },
  {
    name: "spectral/figure-4",
    file: "spectral/figure-4.ts",
    claim: "On 20,000 images the spectral direction is one to two orders of magnitude faster than the others",
    data: [{ option: "--mnist", kind: "mnist", isNeeded: "full" }],
  },
  {
    name: "spectral/figure-peers",
    file: "spectral/figure-peers.ts",
    claim: "On the sets of figures 1 to 4 `embed` is faster than t-SNE of npm's packages",
    data: [{ option: "--mnist", kind: "mnist", isNeeded: "full" }],
    unmeasured: "it needs MNIST and a quiet machine; not run yet",
  },
  {
    name: "spectral/recipe",
    file: "spectral/recipe.ts",
    claim:
      "No change of one of the recipe's numbers makes maps better on data that had no part in their choice",
    full: ["--points", "1000"],
    data: [
      { option: "--mnist", kind: "mnist", isNeeded: "never" },
      { option: "--tables", kind: "linear", isNeeded: "never" },
    ],
  },
  {
    name: "spectral/neighbors",
    file: "spectral/neighbors.ts",
    claim:
      "The exact search for neighbours is fast enough for tens of thousands of points; beyond, lists of near points are the quicker way to most of them",
    quick: ["--sizes", "1000", "--neighbors", "30"],
    data: [{ option: "--mnist", kind: "mnist", isNeeded: "full" }],
  },
  {
    name: "sdp/figure-3",
    file: "sdp/figure-3.ts",
    claim:
      "On a ring the solution's band narrows to ⌈n/K⌉ on a side, and more eigenvalues become active (figure 3)",
  },
  {
    name: "sdp/figures-4-5-7",
    file: "sdp/figures-4-5-7.ts",
    claim:
      "On two manifolds the solution has two blocks, and closed manifolds come out closed (figures 4, 5, 7)",
  },
  {
    name: "sdp/figure-6",
    file: "sdp/figure-6.ts",
    claim: "The leading eigenvectors unfold views, light and digits (figures 1 (a), 6, 16)",
    data: [{ option: "--mnist", kind: "mnist", isNeeded: "never" }],
  },
  {
    name: "sdp/figure-8",
    file: "sdp/figure-8.ts",
    claim: "A grid in ten dimensions comes back, tiled by local patches (figure 8)",
  },
  {
    name: "sdp/figure-12",
    file: "sdp/figure-12.ts",
    claim:
      "A factor of K columns is a hard clustering far from the optimum, more columns come near it (figure 12)",
  },
  {
    name: "sdp/figures-13-14",
    file: "sdp/figures-13-14.ts",
    claim: "Conditional gradients settle in a few hundred steps, near the optimum (figures 13, 14)",
  },
  {
    name: "sdp/figure-15",
    file: "sdp/figure-15.ts",
    claim: "Burer and Monteiro's factor is fastest, conditional gradients next for large n (figure 15)",
  },
  {
    name: "sdp/figures-17-19",
    file: "sdp/figures-17-19.ts",
    claim:
      "Layers of NOMAD, each on the solution before it, part manifolds for many sequences of K (figures 9, 17 to 19)",
  },
  {
    name: "sdp/automatic-layers",
    file: "sdp/automatic-layers.ts",
    claim: '`layers: "auto"` finds how many manifolds there are',
  },
  {
    name: "sdp/bullseye",
    file: "sdp/bullseye.ts",
    claim: "NOMAD keeps the order of distances under noise better than embeddings do (figure 10)",
  },
  {
    name: "sdp/cp-rank",
    file: "sdp/cp-rank.ts",
    claim: "NOMAD's optimum is nearly completely positive, with few columns (figure 11)",
    full: ["--starts", "5", "--iterations", "300"],
  },
  {
    name: "sdp/speed",
    file: "sdp/speed.ts",
    claim: "Seconds to a certified gap, in units of one eigendecomposition, and their growth with n",
    quick: ["--sizes", "60,120", "--size", "60", "--seconds", "1"],
    full: ["--seconds", "15", "--repeats", "1"],
    data: [{ option: "--mnist", kind: "mnist", isNeeded: "never" }],
  },
  {
    name: "sdp/csdp",
    file: "sdp/csdp.ts",
    claim:
      "`auto` finds the optimum that CSDP, an interior-point method, finds, and sooner beyond some forty points",
    programs: ["csdp"],
  },
  {
    name: "sfo/figure-2",
    file: "sfo/figure-2.ts",
    claim: "SFO, untuned, is ahead of every tuned method after any number of passes (figures 2 and 3)",
    quick: ["--problems", "logistic,softmax,ica"],
    minutes: 49,
  },
  {
    name: "sfo/figure-3",
    file: "sfo/figure-3.ts",
    claim: "SFO is ahead on the twelve-layer autoencoder of figure 3",
    full: ["--images", "100"],
  },
  {
    name: "sfo/figure-a1",
    file: "sfo/figure-a1.ts",
    claim: "The overhead of SFO grows as M N² a pass, and few minibatches are enough (figure A.1)",
  },
  {
    name: "sfo/figure-d1",
    file: "sfo/figure-d1.ts",
    claim: "SFO is insensitive to single choices of its design (figure D.1)",
    full: ["--repeats", "3"],
  },
  {
    name: "sfo/overhead",
    file: "sfo/overhead.ts",
    claim:
      "Beside its subfunctions SFO costs at most twice its projections, 4 M K multiply-adds an evaluation",
    full: ["--runs", "100x10000,50x100000", "--passes", "5"],
  },
  {
    name: "sfo/reference-problems",
    file: "sfo/reference-problems.ts",
    claim: "On nine problems SFO is no worse than its authors' program, and ahead of tuned rivals",
  },
  {
    name: "svrg/figure-1",
    file: "svrg/figure-1.ts",
    claim: "Steps of SVRG-SBB settle; without ε they run away (figure 1)",
  },
  {
    name: "svrg/table-1",
    file: "svrg/table-1.ts",
    claim: "SVRG-SBB needs the fewest gradients to a test error of 0.15 (table I, figure 2)",
  },
  {
    name: "svrg/figure-3",
    file: "svrg/figure-3.ts",
    claim: "A map of Europe comes out of 2,000 answers (figure 3)",
  },
  {
    name: "svrg/figure-4",
    file: "svrg/figure-4.ts",
    claim: "SVRG-SBB is fastest on the music artists (figure 4)",
    data: [{ option: "--data", kind: "ordinal", isNeeded: "always" }],
    unmeasured: "the answers have no licence; the picture is not published with them",
  },
  {
    name: "svrg/table-2",
    file: "svrg/table-2.ts",
    claim: "Maps from partly wrong answers still retrieve by class (table II, figure 5)",
  },
  {
    name: "svrg/time-to-error",
    file: "svrg/time-to-error.ts",
    claim: "Test error and seconds beside cblearn, without tuning",
    data: [{ option: "--data", kind: "ordinal", isNeeded: "never" }],
  },
  {
    name: "sgdqn/table-4",
    file: "sgdqn/table-4.ts",
    claim:
      "Parameters of the sets: t₀ from a search, decays every 16 rows over the share of stored entries (table 4)",
    data: [{ option: "--data", kind: "linear", isNeeded: "never" }],
  },
  {
    name: "sgdqn/table-5",
    file: "sgdqn/table-5.ts",
    claim: "Seconds of a pass: SVMSGD2 180 times faster than SGD on RCV1, SGD-QN about two of it (table 5)",
  },
  {
    name: "sgdqn/table-6",
    file: "sgdqn/table-6.ts",
    claim: "Ranks of SGD-QN, under the hinge loss (in place of the challenge of table 6)",
    data: [{ option: "--data", kind: "linear", isNeeded: "never" }],
  },
  {
    name: "sgdqn/figure-3",
    file: "sgdqn/figure-3.ts",
    claim: "Primal cost by passes and by time: SGD-QN before SVMSGD2 and online L-BFGS (figure 3)",
  },
  {
    name: "sgdqn/figure-4",
    file: "sgdqn/figure-4.ts",
    claim: "Test error by passes and by time, beside LIBLINEAR's dual solver (figure 4)",
  },
  {
    name: "sgdqn/one-pass",
    file: "sgdqn/one-pass.ts",
    claim: "A pass of SGD-QN costs less than two of SVMSGD2 (table 5); the same passes in C++ beside it",
    data: [{ option: "--data", kind: "linear", isNeeded: "full" }],
    programs: ["g++"],
  },
  {
    name: "sgdqn/time-to-accuracy",
    file: "sgdqn/time-to-accuracy.ts",
    claim: "Time to 1, 0.1 and 0.01 % of the optimum beside LIBLINEAR's best setting",
    quick: ["--sets", "rcv1-like:1000"],
    data: [{ option: "--data", kind: "linear", isNeeded: "full" }],
    programs: ["liblinear"],
    results: [
      "time-to-accuracy",
      "time-to-accuracy-large",
      "time-to-accuracy-large-hinge",
      "time-to-accuracy-large-logistic",
      "time-to-accuracy-losses",
    ],
  },
  {
    name: "all/complexity",
    file: "all/complexity.ts",
    claim: "Time and memory of each solver grow as its operation counts say",
  },
  {
    name: "all/kernels",
    file: "all/kernels.ts",
    claim:
      "With SIMD one thread comes within a factor of two to three of native code, and up to it where memory sets the pace",
    programs: ["g++"],
    unmeasured: "it wants a quiet machine; not run yet",
  },
  {
    name: "all/threads",
    file: "all/threads.ts",
    claim: "Two threads sum over all pairs at least 1.7 times as fast as one, with the same bits",
  },
  {
    name: "all/all-solvers",
    file: "all/all-solvers.ts",
    claim: "Every finite-sum objective under every solver that applies, from the same start",
  },
  {
    name: "cluster/sweep",
    file: "cluster/sweep.ts",
    claim:
      "Two workers take a sweep of 24 embeddings 1.8 times as fast as one, with less than 50 ms beside each run",
    programs: ["redis-server"],
  },
  {
    name: "cluster/remote",
    file: "cluster/remote.ts",
    claim: "Subfunctions evaluated by other processes: the same bits, and what each evaluation costs",
  },
  {
    name: "cluster/simulator",
    file: "cluster/simulator.ts",
    claim: "The simulator of remote work predicts runs with 1, 2 and 4 workers within 25 %",
  },
];
