/** The experiments past one process. */
import type { Experiment } from "./experiment.ts";

export const cluster: readonly Experiment[] = [
  {
    name: "cluster/sweep",
    claim:
      "Two workers take a sweep of 24 embeddings 1.8 times as fast as one, with less than 50 ms beside each run",
    programs: ["redis-server"],
    pictures: [
      {
        name: "seconds",
        title: "seconds of a sweep",
        names: ["who works"],
        marks: { "first sweep": "seconds, first sweep", "later sweeps": "seconds, later sweeps" },
        axis: "seconds",
        isLinear: true,
      },
    ],
  },
  {
    name: "cluster/remote",
    claim: "Subfunctions evaluated by other processes: the same bits, and what each evaluation costs",
    programs: ["redis-server"],
    pictures: [
      {
        name: "evaluation",
        title: "milliseconds of an evaluation, by M",
        names: ["M"],
        marks: {
          "one at a time": "ms, one at a time",
          "eight at once, a point each": "ms, eight at once, a point each",
          "batches of 32 at a point": "ms, batches of 32 at a point",
        },
        axis: "milliseconds",
      },
    ],
  },
  {
    name: "cluster/simulator",
    claim: "The simulator of remote work predicts runs with 1, 2 and 4 workers within 25 %",
    programs: ["redis-server"],
    pictures: [
      {
        name: "prediction",
        title: "seconds, predicted and real",
        panel: "evaluation",
        names: ["M", "workers"],
        marks: { real: "s, real", predicted: "s, predicted" },
        axis: "seconds",
      },
    ],
  },
];
