/** The experiments of maps. */
import type { Experiment, TablePicture } from "./experiment.ts";

const peers: readonly TablePicture[] = [
  {
    name: "seconds",
    title: "seconds from data to map",
    panel: "data",
    names: ["contestant"],
    marks: { seconds: "seconds" },
    axis: "seconds",
  },
  {
    name: "divergence",
    title: "KL divergence",
    panel: "data",
    names: ["contestant"],
    marks: { "as it is": "KL", "at its best size": "KL, best size" },
    axis: "KL divergence",
    isLinear: true,
  },
];

export const spectral: readonly Experiment[] = [
  {
    name: "spectral/digits-peers",
    claim:
      "`embed` is at least five times faster than the fastest t-SNE of npm, to no more than its divergence",
    quick: ["--repeats", "1", "--contestants", "curvature,umap-js"],
    pictures: peers,
  },
  {
    name: "spectral/map-peers",
    claim: "`embed` with its defaults is faster than t-SNE of other tools, to a divergence no larger",
    quick: ["--sets", "tree", "--sizes", "500", "--repeats", "1", "--contestants", "curvature,umap-js,druid"],
    full: {
      "map-peers": ["--sizes", "2000,5000"],
      "map-peers-20000": [
        "--sizes",
        "20000",
        "--repeats",
        "1",
        "--contestants",
        "curvature,scikit-learn,Rtsne",
      ],
      "map-peers-70000": [
        "--sizes",
        "70000",
        "--sets",
        "mnist",
        "--repeats",
        "1",
        "--contestants",
        "curvature,Rtsne",
      ],
    },
    data: [
      { option: "--mnist", kind: "mnist", isNeeded: "full" },
      { option: "--tables", kind: "linear", isNeeded: "full" },
    ],
    programs: ["scikit-learn", "Rtsne"],
    pictures: peers,
  },
  {
    name: "spectral/figure-1",
    claim:
      "To one minimum: SD− in the fewest iterations, SD and L-BFGS ten times before FP and DiagH in time, these before gradient descent (figure 1)",
    full: { "figure-1": [], "figure-1-coil": ["--set", "coil", "--seconds", "4"] },
  },
  {
    name: "spectral/figure-2",
    claim: "From random maps SD and L-BFGS come lowest, SD with less scatter (figure 2)",
    full: {
      "figure-2": [],
      "figure-2-coil": ["--set", "coil", "--objects", "10", "--starts", "50", "--seconds", "0.6"],
    },
  },
  {
    name: "spectral/figure-3",
    claim:
      "By homotopy in λ all methods but gradient descent come to one deeper map, SD far sooner than FP and gradient descent (figure 3)",
    full: {
      "figure-3": [],
      "figure-3-coil": ["--set", "coil", "--objects", "10", "--starts", "2", "--seconds", "16"],
    },
  },
  {
    name: "spectral/figure-4",
    claim:
      "On 20,000 images the spectral direction is one to two orders of magnitude faster than gradient descent, the fixed point and L-BFGS (figure 4)",
    full: {
      "figure-4": ["--methods", "ee", "--seconds", "15"],
      "figure-4-ssne": ["--methods", "ssne", "--seconds", "30"],
      "figure-4-tsne": ["--methods", "tsne", "--seconds", "60"],
      "figure-4-sdminus": [
        ...["--methods", "ee,tsne", "--points", "5000", "--perplexity", "50", "--sdminus"],
        ...["--seconds", "20", "--starts", "1"],
      ],
    },
    data: [{ option: "--mnist", kind: "mnist", isNeeded: "full" }],
  },
  {
    name: "spectral/gradients",
    claim: '`gradient: "auto"` takes the quickest of "exact", "barnes-hut" and "fft" at every size',
    data: [{ option: "--mnist", kind: "mnist", isNeeded: "never" }],
    pictures: [
      {
        name: "milliseconds",
        title: "an evaluation and its gradient",
        panel: "map",
        names: ["points", "gradient"],
        marks: { milliseconds: "milliseconds" },
        axis: "milliseconds",
      },
    ],
  },
  {
    name: "spectral/figure-peers",
    claim:
      "On the sets of figures 1 to 4 `embed` is faster than t-SNE of npm's packages, to a divergence no larger",
    data: [{ option: "--mnist", kind: "mnist", isNeeded: "full" }],
    pictures: peers,
  },
  {
    name: "spectral/recipe",
    claim:
      "No change of the recipe's last size penalty or first λ makes maps better on all data that had no part in their choice",
    full: { recipe: ["--points", "1000"] },
    data: [
      { option: "--mnist", kind: "mnist", isNeeded: "never" },
      { option: "--tables", kind: "linear", isNeeded: "never" },
    ],
    pictures: [
      {
        name: "penalty",
        title: "KL divergence by size penalty",
        panel: "data",
        names: ["perplexity", "r"],
        marks: { KL: "KL" },
        axis: "KL divergence",
        isLinear: true,
      },
    ],
  },
  {
    name: "spectral/neighbors",
    claim:
      "The exact search for neighbours with SIMD takes less time than the approximate ones of npm's packages, lists of near points still less where there are most points",
    quick: ["--sizes", "1000", "--neighbors", "30"],
    data: [{ option: "--mnist", kind: "mnist", isNeeded: "full" }],
    pictures: [
      {
        name: "seconds",
        title: "seconds of a search",
        panel: "set",
        names: ["search"],
        marks: { seconds: "seconds" },
        axis: "seconds",
      },
    ],
  },
  {
    name: "spectral/neighbor-graph-peers",
    claim:
      "From a given graph of neighbours `embed` is faster than umap-js, and than DruidJS from all distances, and keeps neighbourhoods no worse",
    quick: ["--contestants", "curvature-15,umap-js-15,druid"],
    full: {
      "neighbor-graph-peers": [],
      "neighbor-graph-peers-5000": ["--sizes", "5000"],
      "neighbor-graph-peers-10000": [
        ...["--sets", "pendigits,letter", "--sizes", "10000", "--repeats", "2"],
        ...["--contestants", "curvature-15,umap-js-15,curvature-90"],
      ],
      "neighbor-graph-peers-100000": [
        ...["--sets", "tree", "--sizes", "100000", "--contestants", "curvature-15,umap-js-15"],
      ],
    },
    data: [{ option: "--tables", kind: "linear", isNeeded: "full" }],
    pictures: [
      {
        name: "seconds",
        title: "seconds from neighbours to map",
        panel: "data",
        names: ["contestant, neighbours"],
        marks: { seconds: "seconds" },
        axis: "seconds",
      },
    ],
  },
  {
    name: "spectral/trust",
    claim:
      "Regional trust finds points among strangers with an area under the curve of 0.9, and shuffled copies are known in 95 of 100 draws",
    data: [{ option: "--tables", kind: "linear", isNeeded: "full" }],
    pictures: [
      {
        name: "areas",
        title: "area under the curve",
        tables: 0,
        names: ["manifold", "noise"],
        marks: {
          regional: "regional",
          trust: "trust",
          kept: "kept",
          agreement: "agreement",
          distortion: "distortion",
        },
        axis: "area under the curve",
        isLinear: true,
      },
    ],
  },
  {
    name: "spectral/default-model",
    claim: "t-EE is a better default than t-SNE: by trustworthiness, neighbours kept, triplets, classes",
    data: [
      { option: "--mnist", kind: "mnist", isNeeded: "full" },
      { option: "--tables", kind: "linear", isNeeded: "full" },
    ],
    pictures: [
      {
        name: "distances",
        title: "Spearman's ρ of distances",
        tables: 1,
        panel: "data",
        names: ["perplexity", "model"],
        marks: { ρ: "ρ of distances" },
        axis: "Spearman's ρ of distances",
        isLinear: true,
      },
      {
        name: "kept",
        title: "share of the 10 nearest kept",
        tables: 1,
        panel: "data",
        names: ["perplexity", "model"],
        marks: { kept: "kept of 10" },
        axis: "share of the 10 nearest kept",
        isLinear: true,
      },
    ],
  },
  {
    name: "spectral/graph-perplexity",
    claim: "From a graph of k neighbours a perplexity of 0.8 k makes better maps than one of k/3",
    data: [{ option: "--tables", kind: "linear", isNeeded: "full" }],
    pictures: [
      {
        name: "kept",
        title: "share of neighbours kept",
        panel: "data",
        names: ["neighbours", "perplexity / k"],
        marks: { "of 5": "kept of 5", "of 10": "kept of 10", "of 200": "kept of 200" },
        axis: "share kept",
        isLinear: true,
      },
    ],
  },
  {
    name: "spectral/extend",
    claim:
      "A map that grows keeps old points within 10 % of its radius, at 3 % above the divergence of a fresh one",
    data: [
      { option: "--mnist", kind: "mnist", isNeeded: "full" },
      { option: "--tables", kind: "linear", isNeeded: "full" },
    ],
  },
];
