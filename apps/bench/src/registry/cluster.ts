/** The experiments past one process. */
import type { Experiment } from "./experiment.ts";

export const cluster: readonly Experiment[] = [
  {
    name: "cluster/sweep",
    claim:
      "Two workers take a sweep of 24 embeddings 1.8 times as fast as one, with less than 50 ms beside each run",
    programs: ["redis-server"],
  },
  {
    name: "cluster/remote",
    claim: "Subfunctions evaluated by other processes: the same bits, and what each evaluation costs",
    programs: ["redis-server"],
  },
  {
    name: "cluster/simulator",
    claim: "The simulator of remote work predicts runs with 1, 2 and 4 workers within 25 %",
    programs: ["redis-server"],
  },
];
