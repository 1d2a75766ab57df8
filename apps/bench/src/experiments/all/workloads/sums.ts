/** SFO beside its subfunctions. */
import { secondsOutside } from "../../sfo/outside.ts";
import type { Workload } from "./workload.ts";

const common = {
  solver: "SFO",
  unit: "a pass, outside the subfunctions",
} as const;
const words = "M N² projections; a basis of M N";

export const sumWorkloads: readonly Workload[] = [
  {
    ...common,
    key: "sfo-parameters",
    variable: "M parameters, N = 20",
    sizes: [10_000, 30_000, 100_000, 300_000],
    theory: { time: 1, memory: 1, words },
    work: (M) => secondsOutside(20, M),
  },
  {
    ...common,
    key: "sfo-subfunctions",
    variable: "N subfunctions, M = 30,000",
    sizes: [10, 20, 40, 80],
    theory: { time: 2, memory: 1, words },
    work: (N) => secondsOutside(N, 30_000),
  },
];
