/** The experiments of SFO. */
import type { Experiment } from "./experiment.ts";

export const sfo: readonly Experiment[] = [
  {
    name: "sfo/figure-2",
    claim: "SFO, untuned, is ahead of every tuned method after any number of passes (figures 2 and 3)",
    quick: ["--problems", "logistic,softmax,ica"],
  },
  {
    name: "sfo/figure-3",
    claim:
      "SFO, untuned, is ahead of SGD, L-BFGS and Hessian-free on the autoencoder of twelve layers (figure 3)",
    full: { "figure-3": ["--images", "100"] },
  },
  {
    name: "sfo/figure-a1",
    claim: "The overhead of SFO grows as M N² a pass, and few minibatches are enough (figure A.1)",
  },
  {
    name: "sfo/figure-d1",
    claim: "SFO is insensitive to single choices of its design (figure D.1)",
    full: { "figure-d1": ["--repeats", "3"] },
  },
  {
    name: "sfo/overhead",
    claim:
      "Beside its subfunctions SFO costs at most twice its projections, 4 M K multiply-adds an evaluation",
    full: { overhead: ["--runs", "100x10000,50x100000", "--passes", "5"] },
    pictures: [
      {
        name: "seconds",
        title: "seconds beside the subfunctions",
        names: ["N x M"],
        marks: { SFO: "seconds outside", "plain loop": "plain loop" },
        axis: "seconds",
        isLinear: true,
      },
    ],
  },
  {
    name: "sfo/reference-problems",
    claim: "On nine problems SFO is no worse than its authors' program, and ahead of tuned rivals",
    pictures: [
      {
        name: "rivals",
        title: "after 20 passes",
        tables: 1,
        names: ["problem"],
        marks: {
          "SFO here": "SFO here",
          "SFO, program": "SFO, program",
          "SGD + momentum": "SGD + momentum",
          AdaGrad: "AdaGrad",
          Adam: "Adam",
          SAG: "SAG",
        },
        axis: "objective",
      },
    ],
  },
];
