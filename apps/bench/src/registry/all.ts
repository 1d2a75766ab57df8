/** The experiments over all solvers. */
import type { Experiment } from "./experiment.ts";

export const all: readonly Experiment[] = [
  {
    name: "all/complexity",
    claim: "Time and memory of each solver grow no faster than its operation counts say",
  },
  {
    name: "all/kernels",
    claim:
      "No kernel takes more than three times as long in one thread as native code that goes the same way",
    programs: ["g++"],
  },
  {
    name: "all/threads",
    claim: "Two threads sum over all pairs at least 1.7 times as fast as one, with the same bits",
  },
  {
    name: "all/all-solvers",
    claim: "Every finite-sum objective under every solver that applies, from the same start",
  },
];
