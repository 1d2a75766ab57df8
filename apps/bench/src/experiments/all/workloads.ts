/** What the growth of cost is measured on: for each solver a quantity that grows, and what its operation counts promise. */
import { embeddingWorkloads } from "./workloads/embedding.ts";
import { linearWorkloads } from "./workloads/linear.ts";
import { nomadWorkloads } from "./workloads/nomad.ts";
import { ordinalWorkloads } from "./workloads/ordinal.ts";
import { sumWorkloads } from "./workloads/sums.ts";
import type { Workload } from "./workloads/workload.ts";

export const workloads: readonly Workload[] = [
  ...embeddingWorkloads,
  ...sumWorkloads,
  ...ordinalWorkloads,
  ...linearWorkloads,
  ...nomadWorkloads,
];
