/** The experiments of NOMAD. */
import type { Experiment } from "./experiment.ts";

export const sdp: readonly Experiment[] = [
  {
    name: "sdp/figure-3",
    claim:
      "On a ring the solution's band narrows to ⌈n/K⌉ on a side, and more eigenvalues become active (figure 3)",
  },
  {
    name: "sdp/figures-4-5-7",
    claim:
      "On two manifolds the solution has two blocks, and closed manifolds come out closed (figures 4, 5, 7)",
  },
  {
    name: "sdp/figure-6",
    claim: "The leading eigenvectors unfold views, light and digits (figures 1 (a), 6, 16)",
    data: [{ option: "--mnist", kind: "mnist", isNeeded: "never" }],
  },
  {
    name: "sdp/figure-8",
    claim: "A grid in ten dimensions comes back, tiled by local patches (figure 8)",
  },
  {
    name: "sdp/figure-12",
    claim:
      "A factor of K columns is a hard clustering far from the optimum, more columns come near it (figure 12)",
  },
  {
    name: "sdp/figures-13-14",
    claim: "Conditional gradients settle in a few hundred steps, near the optimum (figures 13, 14)",
  },
  {
    name: "sdp/figure-15",
    claim: "Burer and Monteiro's factor is fastest, conditional gradients next for large n (figure 15)",
  },
  {
    name: "sdp/figures-17-19",
    claim:
      "Layers of NOMAD, each on the solution before it, part manifolds for many sequences of K (figures 9, 17 to 19)",
  },
  {
    name: "sdp/automatic-layers",
    claim: '`layers: "auto"` finds how many manifolds there are',
    pictures: [
      { name: "seconds", title: "seconds", names: ["set"], marks: { seconds: "seconds" }, axis: "seconds" },
    ],
  },
  {
    name: "sdp/layers-random",
    claim:
      "`separateCurves` finds curves whose points lie at random places, and how many there are, where automatic layers do not",
    pictures: [
      {
        name: "right",
        title: "right of 20 draws of 200 points",
        names: ["set"],
        marks: { "number found": "200: found", given: "200: given", "single linkage": "200: single linkage" },
        axis: "right draws",
        isLinear: true,
      },
    ],
  },
  {
    name: "sdp/labels",
    claim:
      "k-means labels that cost at most 1.001 times the best known ones, certified to 1 % on three of four tables",
    pictures: [
      {
        name: "gaps",
        title: "gap of the labels' cost, %",
        names: ["table"],
        marks: { "without cuts": "gap without cuts, %", "with cuts": "gap, %" },
        axis: "%",
      },
    ],
  },
  {
    name: "sdp/large",
    claim:
      "Labels of 3,000 to 100,000 points beside scikit-learn's, with a rigorous gap in 10, 35 and 60 seconds",
    pictures: [
      {
        name: "seconds",
        title: "seconds for the labels",
        names: ["points"],
        marks: { clusterPoints: "seconds for the labels", "scikit-learn": "scikit-learn's" },
        axis: "seconds",
      },
    ],
  },
  {
    name: "sdp/bullseye",
    claim: "NOMAD keeps the order of distances under noise better than embeddings do (figure 10)",
  },
  {
    name: "sdp/cp-rank",
    claim: "NOMAD's optimum is nearly completely positive, with few columns (figure 11)",
    full: { "cp-rank": ["--starts", "5", "--iterations", "300"] },
  },
  {
    name: "sdp/speed",
    claim:
      "`auto` certifies a gap of 1e-3 sooner than ADMM and conditional gradients alone, in less than 100 eigendecompositions",
    quick: ["--sizes", "60,120", "--size", "60", "--seconds", "1"],
    full: { speed: ["--seconds", "15"] },
    data: [{ option: "--mnist", kind: "mnist", isNeeded: "never" }],
    pictures: [
      {
        name: "seconds",
        title: "seconds to a gap of 1e-3",
        panel: "n",
        names: ["solver"],
        marks: { seconds: "seconds" },
        axis: "seconds",
      },
    ],
  },
  {
    name: "sdp/csdp",
    claim:
      "`auto` finds the optimum that CSDP, an interior-point method, finds, and sooner beyond some forty points",
    programs: ["csdp"],
    pictures: [
      {
        name: "seconds",
        title: "seconds to the optimum",
        names: ["set"],
        marks: {
          "to 1e-3": 7,
          "CSDP to 1e-3": "CSDP to 1e-3, seconds",
          "to 1e-5": 10,
          "CSDP to 1e-5": "CSDP to 1e-5, seconds",
        },
        axis: "seconds",
      },
    ],
  },
  {
    name: "sdp/noise",
    claim:
      "With `noiseLabel` `clusterPoints` finds clusters whatever the noise, and flags 1 % of their rows at most",
    pictures: [
      {
        name: "agreement",
        title: "adjusted Rand index of the clean rows",
        names: ["clusters", "noise", "share of noise, %"],
        marks: { "noise label": "ARI, noise label", "k-means": "ARI, k-means" },
        axis: "adjusted Rand index",
        isLinear: true,
      },
    ],
  },
  {
    name: "sdp/choose-k",
    claim: '`clusters: "auto"` is right about the number of round clusters in at least 85 % of the draws',
    pictures: [
      {
        name: "right",
        title: "right draws",
        names: ["K"],
        marks: { BIC: "BIC", silhouette: "silhouette", "Calinski-Harabasz": "Calinski-Harabasz" },
        axis: "right draws",
        isLinear: true,
      },
    ],
  },
];
