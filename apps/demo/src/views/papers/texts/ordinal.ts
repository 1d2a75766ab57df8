import type { Paper } from "../paper.js";

export const ordinal: Paper = {
  id: "ordinal",
  short: "SVRG-SBB",
  title: "Stochastic non-convex ordinal embedding with stabilized Barzilai-Borwein step size",
  authors: "Ke Ma, Jinshan Zeng, Jiechao Xiong, Qianqian Xu, Xiaochun Cao, Wei Liu, Yuan Yao",
  venue: "AAAI 2018; longer form, IEEE TKDE 2019",
  view: "ordinal",
  viewName: "Ordinal",
  package: "optim-svrg",
  what: [
    "From answers to “which is more like this?” it makes a map in which distances answer in the same way. The loss is not convex and has a term for each answer, so that stochastic gradients suggest themselves; variance reduction (SVRG) makes them exact in the limit.",
    "What is new is the step: Barzilai and Borwein's, from the last two points and gradients, with ε in the denominator, since on such losses the plain one can be negative or without bound. Nobody has to tune it.",
  ],
  formulas: [
    {
      tex: String.raw`\min_{\mathbf X}\;\frac1{|\mathcal Q|}\sum_{(i,j,l,k)\in\mathcal Q}\!\!\ell\bigl(d_{ij}^2(\mathbf X),\,d_{lk}^2(\mathbf X)\bigr)`,
      words: "Every answer says that i and j are nearer to each other than l and k.",
    },
    {
      tex: String.raw`\eta_s=\frac1m\cdot\frac{\lVert\Delta\mathbf X\rVert^2}{\bigl|\langle\Delta\mathbf X,\Delta\mathbf G\rangle\bigr|+\epsilon\,\lVert\Delta\mathbf X\rVert^2}`,
      words:
        "The stabilised step of epoch s: ΔX and ΔG are the differences of the last two snapshots and of their gradients, m the length of an epoch.",
    },
    {
      tex: String.raw`\mathbf u=\nabla F(\tilde{\mathbf X})+\nabla f_q(\mathbf X)-\nabla f_q(\tilde{\mathbf X}),\qquad \mathbf X\leftarrow\mathbf X-\eta_s\,\mathbf u`,
      words: "The variance-reduced step of SVRG (F as the mean of the terms f).",
    },
  ],
  when: [
    "Where people cannot say how far apart two things are, but which of two is nearer.",
    "Many answers, and no wish to tune a step size.",
    "With active questions: in simulations a quarter to a half of the answers were saved at a test error of 0.1, and nothing at 0.2.",
  ],
  whenNot: [
    "Where distances themselves can be measured.",
    "With fewer than some 10 n p answers for n objects in p dimensions the map is mostly chance.",
    "To beat tuned rivals: with a step found on a grid, SGD, SVRG and gradient descent were as quick or quicker on every set compared. The package's default is a recipe of its own.",
  ],
  measured: [
    {
      caption:
        "Synthetic set of the paper, STE: effort to a test error of 0.15 (100 objects, 10,000 answers)",
      head: ["method", "reached", "epochs", "evaluations"],
      rows: [
        ["SGD", "0/50", "-", "-"],
        ["SVRG, fixed step", "0/50", "-", "-"],
        ["SVRG-SBB 0", "50/50", "6.3", "189,000"],
        ["SVRG-SBB ε, b = 1", "50/50", "17.2", "515,400"],
        ["SGD, tuned", "50/50", "1.0", "30,000"],
        ["SVRG, tuned", "50/50", "2.4", "72,600"],
        ["L-BFGS", "50/50", "4.0", "120,000"],
        ["SVRG-SBB, defaults", "50/50", "4.6", "144,320"],
      ],
      source: "docs/results/svrg/table-1.md",
      notes: [
        "The first four rows have the steps of the authors' scripts, which are far too short for SGD and fixed SVRG; the paper compares only these.",
      ],
    },
    {
      caption: "Music artists: 400 objects, 7,275 answers of people, SOE",
      head: ["", "test error", "passes", "seconds"],
      rows: [
        ["auto", "0.1572", "144", "0.218"],
        ["SVRG-SBB", "0.1822", "301", "0.313"],
        ["L-BFGS", "0.1948", "127", "0.189"],
        ["cblearn, recorded, 2 runs, 1 start", "0.2108", "", ""],
      ],
      source: "docs/results/svrg/time-to-error.md",
      notes: [
        "cblearn 0.3.0 was recorded on another day; its seconds, by the wall clock of a busy machine, are not compared.",
      ],
    },
  ],
};
