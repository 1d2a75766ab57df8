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
    full: {
      kernels: [],
      "kernels-wide": ["--wide"],
      "kernels-intel": [],
      "kernels-intel-wide": ["--wide"],
    },
    programs: ["g++"],
    pictures: [
      {
        name: "ratios",
        title: "time to that of native code",
        names: ["kernel", "size"],
        marks: {
          "beside AVX2": "time to native, AVX2",
          "beside all instructions": "time to native, all",
          goal: "goal",
        },
        axis: "times native code's time",
      },
    ],
  },
  {
    name: "all/evaluations",
    claim:
      "Functions with the same bits on every engine take at most 1.5 times as long as Math's, gradients of minibatches at most 4 times as long as values",
    pictures: [
      {
        name: "milliseconds",
        title: "a minibatch",
        tables: 1,
        names: ["sum"],
        marks: { value: "value, ms", "with its gradient": "with its gradient, ms" },
        axis: "milliseconds",
      },
    ],
  },
  {
    name: "all/tables",
    claim: "Tables of numbers are read at least twice as fast as by npm's packages",
    pictures: [
      {
        name: "rates",
        title: "reading",
        panel: "text",
        names: ["reader"],
        marks: { read: "MB/s" },
        axis: "MB/s",
      },
    ],
  },
  {
    name: "all/threads",
    claim: "Two threads sum over all pairs at least 1.7 times as fast as one, with the same bits",
    pictures: [
      {
        name: "gain",
        title: "gain of a second thread",
        names: ["work", "points (times columns)"],
        marks: { measured: "times as fast", "of the machine itself": "gain of the machine" },
        axis: "times as fast",
        isLinear: true,
      },
    ],
  },
  {
    name: "all/all-solvers",
    claim: "Every finite-sum objective under every solver that applies, from the same start",
    pictures: [
      {
        name: "passes",
        title: "passes to 1e-3",
        tables: "all",
        names: ["solver"],
        marks: { passes: "passes to 1e-3" },
        axis: "passes",
      },
    ],
  },
];
