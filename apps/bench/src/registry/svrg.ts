/** The experiments of ordinal embedding. */
import type { Experiment } from "./experiment.ts";

export const svrg: readonly Experiment[] = [
  {
    name: "svrg/figure-1",
    claim: "Steps of SVRG-SBB settle; without ε they run away (figure 1)",
  },
  {
    name: "svrg/table-1",
    claim: "SVRG-SBB needs the fewest gradients to a test error of 0.15 (table I, figure 2)",
    full: { "table-1": ["--starts", "50"] },
  },
  {
    name: "svrg/figure-3",
    claim: "A map of Europe comes out of 2,000 answers (figure 3)",
  },
  {
    name: "svrg/figure-4",
    claim: "SVRG-SBB is fastest on the music artists (figure 4)",
    data: [{ option: "--data", kind: "ordinal", isNeeded: "always" }],
  },
  {
    name: "svrg/table-2",
    claim: "Maps from partly wrong answers still retrieve by class, best by SVRG-SBB (table II, figure 5)",
  },
  {
    name: "svrg/truth",
    claim:
      "95 % regions hold the true places in 0.90 to 0.98 of cases, for independent answers, people who differ and trials of many answers; coin flips are flagged, weak maps are not",
    pictures: [
      {
        name: "coverage",
        title: "coverage of 95 % regions",
        names: ["answers"],
        marks: { mean: "coverage", "least of a draw": "least of a draw" },
        axis: "share of objects whose true place is in its region",
        isLinear: true,
      },
    ],
  },
  {
    name: "svrg/said-error",
    claim:
      "The test error that is reported is the error on new trials and on new people, within 10 %, for triplets, odd one out and choices",
    pictures: [
      {
        name: "errors",
        title: "error on new answers",
        panel: "error on",
        names: ["answers"],
        marks: { reported: "test error", true: "true" },
        axis: "share of new answers that the map does not satisfy",
        isLinear: true,
      },
    ],
  },
  {
    name: "svrg/questions",
    claim:
      "Chosen questions are not behind random ones at any size, and what is said of their answers is true: log loss below a coin's, right within 0.05 from 10 answers for each object on",
    pictures: [
      {
        name: "errors",
        title: "error on new answers",
        panel: "design",
        names: ["answers"],
        marks: { chosen: "error, chosen", random: "error, random" },
        axis: "share of new answers that the map does not satisfy",
        isLinear: true,
      },
    ],
  },
  {
    name: "svrg/dimension",
    claim:
      "The dimension in which people see is found where it matters, in 90 % of draws, and hardly ever a larger one",
    pictures: [
      {
        name: "chosen",
        title: "dimension chosen",
        panel: "p",
        names: ["answers", "turned round"],
        marks: { chosen: "mean" },
        axis: "mean of the dimensions chosen",
        isLinear: true,
      },
    ],
  },
  {
    name: "svrg/consistent",
    claim:
      "Of consistent answers, and nearly consistent ones, the default ends where L-BFGS ends: F, error on new answers, at most twice the time",
    pictures: [
      {
        name: "errors",
        title: "error on new answers",
        panel: "p",
        names: ["answers", "wrong"],
        marks: { auto: "error, auto", "L-BFGS": "error, L-BFGS" },
        axis: "share of new answers that the map does not satisfy",
        isLinear: true,
      },
    ],
  },
  {
    name: "svrg/rates",
    claim:
      "The gradient falls as 1/T, and under the Polyak-Łojasiewicz inequality F at a linear rate (theorems 2 and 3)",
  },
  {
    name: "svrg/time-to-error",
    claim:
      "Without tuning, maps from answers have no larger a test error, within its standard error, than cblearn's record, tuned SVRG and SGD, SVRG-SBB and L-BFGS",
    data: [{ option: "--data", kind: "ordinal", isNeeded: "never" }],
    pictures: [
      {
        name: "seconds",
        title: "seconds of a run",
        tables: "all",
        names: ["loss", "contestant"],
        marks: { seconds: "seconds: mean (min-max)" },
        axis: "seconds",
      },
    ],
  },
];
