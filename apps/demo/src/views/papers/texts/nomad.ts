import type { Paper } from "../paper.js";

export const nomad: Paper = {
  id: "nomad",
  short: "NOMAD",
  title: "Clustering is semidefinitely not that hard: nonnegative SDP for manifold disentangling",
  authors: "Mariano Tepper, Anirvan M. Sengupta, Dmitri Chklovskii",
  venue: "Journal of Machine Learning Research 19, 2018",
  view: "disentangle",
  viewName: "Disentangle",
  package: "optim-sdp",
  what: [
    "K-means, relaxed to a convex programme over matrices Q that are nonnegative and positive semidefinite. Where there are clusters, Q becomes blocks; where the data lie on manifolds, it becomes bands along each of them, and different manifolds fall apart into components. Nobody has to choose a neighbourhood.",
    "The programme is convex, so that a bound from its dual says how far an answer is from the best possible one. Solved again and again with Q as the data, in layers, each manifold becomes one block.",
  ],
  formulas: [
    {
      tex: String.raw`\max_{\mathbf Q}\;\operatorname{Tr}(\mathbf D\mathbf Q)\quad\text{s.t.}\quad \mathbf Q\mathbf 1=\mathbf 1,\;\operatorname{Tr}\mathbf Q=K,\;\mathbf Q\succeq 0,\;\mathbf Q\ge 0`,
      words: "NOMAD: D is the Gram matrix of the centred points, K the number of clusters.",
    },
    {
      tex: String.raw`\operatorname{Tr}(\mathbf D\mathbf Q)\;\le\;\tfrac1n\,\mathbf 1^{\!\top}\!\mathbf A\mathbf 1+\sum_{i=1}^{K-1}\ell_i(\mathbf A),\qquad \mathbf A=\mathbf D+\mathbf S,\;\mathbf S\ge 0`,
      words:
        "The certificate, for whole K: any nonnegative S bounds all feasible Q, by the largest eigenvalues ℓ of A on the complement of 1. This bound is ours; the paper's has (K − 1) ℓ₁ for the sum.",
    },
  ],
  when: [
    "To find out whether data lie on separate manifolds, and which point is on which.",
    "For clusters with a proof of how good they are.",
    "Some thousand points: the n × n matrix Q must fit.",
  ],
  whenNot: [
    "For tens of thousands of points: take k-means, or a sample.",
    "Where noise bridges the manifolds: a K that is too small joins them, one that is too large splits them (see the table).",
    "For the finest order of points along one manifold: Isomap was better on the ring and the turntable with every noise measured, on the half ring without noise, and on two half rings up to a noise of 0.02 (bullseye.md).",
  ],
  measured: [
    {
      caption: "Layers, 200 points: components that each layer finds, and whether the last are the manifolds",
      head: ["set", "spacing", "K asked for", "components", "separated", "leakage", "seconds"],
      rows: [
        ["two rings", "even", "16, 8, 4, 2", "16: 2*, 8: 2*, 4: 2*, 2: 2*", "yes", "6.7e-5", "3.7"],
        ["two rings", "even", "8, 4, 2", "8: 1, 4: 1, 2: 1", "no", "5.0e-1", "3.2"],
        ["two half rings", "even", "16, 8, 4, 2", "16: 2*, 8: 2*, 4: 2*, 2: 2*", "yes", "3.0e-5", "0.7"],
        [
          "two half rings",
          "even",
          "16, 12, 8, 6, 4, 2",
          "16: 2*, 12: 2*, 8: 2*, 6: 2*, 4: 2*, 2: 1",
          "no",
          "8.0e-3",
          "1.0",
        ],
        [
          "two half rings",
          "even",
          "32, 16, 8, 4, 2",
          "32: 5*, 16: 8*, 8: 8*, 4: 1, 2: 1",
          "no",
          "3.8e-1",
          "1.1",
        ],
        ["double Swiss roll", "even", "64, 16, 4, 2", "64: 2*, 16: 2*, 4: 2*, 2: 2*", "yes", "8.5e-5", "1.5"],
        ["two rings", "random", "16, 8, 4, 2", "16: 2*, 8: 3*, 4: 3*, 2: 1", "no", "1.3e-1", "0.7"],
        ["two half rings", "random", "12, 6, 2", "12: 2*, 6: 2*, 2: 2*", "yes", "7.4e-6", "0.5"],
        ["double Swiss roll", "random", "64, 16, 4, 2", "64: 42*, 16: 1, 4: 2, 2: 2", "no", "4.9e-1", "1.5"],
      ],
      source: "docs/results/sdp/figures-17-19.md",
      notes: [
        "A star: every component holds points of one manifold only. Leakage: the share of the last Q that joins the two. Of evenly spaced points 11 of the 14 sequences that were measured separate the manifolds; the three that do not are here. Of points at random places 2 of 14 do: separateCurves is for those.",
      ],
    },
    {
      caption:
        "How well the order of distances along the manifold is kept (bullseye score; 1 is best, chance 0.2)",
      head: ["set", "noise", "NOMAD", "no embedding", "Laplacian eigenmaps", "Isomap", "LLE"],
      rows: [
        ["one half ring", "0", "0.947", "1.000", "0.931", "0.999", "0.978"],
        ["one ring", "0.1", "0.877", "0.843", "0.880", "0.876", "0.829"],
        ["turntable", "0", "0.970", "1.000", "0.952", "0.991", "0.733"],
        ["two rings", "0.1", "0.924", "0.898", "0.556", "0.745", "0.559"],
        ["two half rings", "0.1", "0.910", "0.866", "0.661", "0.891", "0.636"],
      ],
      source: "docs/results/sdp/bullseye.md",
      notes: ["Medians of three draws of the noise."],
    },
  ],
};
