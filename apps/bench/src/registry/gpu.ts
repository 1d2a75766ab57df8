/** The experiments on a GPU, for machines that have one. */
import type { Experiment } from "./experiment.ts";

export const gpu: readonly Experiment[] = [
  {
    name: "gpu/maps",
    claim:
      "A GPU maps 20,000 images in 0.6 s, 70,000 points in 1.5 s, 300,000 in 5 s and 1,000,000 in 30 s, to a divergence no larger than the processor's by more than 0.006, with the same bits twice",
    unmeasured: "no machine with a GPU has run it yet",
    data: [{ option: "--mnist", kind: "mnist", isNeeded: "never" }],
    pictures: [
      {
        name: "seconds",
        title: "seconds from points to map",
        panel: "data",
        names: ["where"],
        marks: { seconds: "seconds" },
        axis: "seconds",
      },
      {
        name: "kernels",
        title: "milliseconds of a kernel",
        tables: 1,
        names: ["kernel", "points"],
        marks: { milliseconds: "milliseconds" },
        axis: "milliseconds",
      },
    ],
  },
];
