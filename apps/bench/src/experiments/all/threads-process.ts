/** One number of threads at one task, for `threads.ts`: a turn is so many calls, timed by the clock. */
import { performance } from "node:perf_hooks";
import { PlanePairs } from "@curvature/linalg";
import { startThreads } from "@curvature/linalg/threads";
import { embed } from "@curvature/optim-spectral";
import { takeTurns } from "../../contestants/own-process.ts";
import { clusterTree } from "../spectral/sets.ts";
import { draws } from "./kernel-contest.ts";

export interface ThreadsTask {
  readonly work: "sum" | "forces" | "embed";
  readonly points: number;
  readonly threads: number;
}

export interface ThreadsFound {
  /** A call's. */
  readonly seconds: number;
  /** What every number of threads must agree on, bit by bit. */
  readonly value: number;
}

takeTurns(async (task: ThreadsTask) => {
  const call = task.work === "embed" ? await mapOf(task) : sumsOf(task);
  return async (calls: number): Promise<ThreadsFound> => {
    const started = performance.now();
    let value = 0;
    for (let k = 0; k < calls; k++) value = await call();
    return { seconds: (performance.now() - started) / 1000 / calls, value };
  };
});

function sumsOf({ work, points, threads }: ThreadsTask): () => number {
  const [x, y, fx, fy] = [
    draws(points, 1),
    draws(points, 2),
    new Float64Array(points),
    new Float64Array(points),
  ];
  startThreads(threads, points);
  const pairs = new PlanePairs("student", points);
  return work === "sum" ? () => pairs.sum(x, y) : () => pairs.forces(x, y, fx, fy);
}

async function mapOf({ points: N, threads }: ThreadsTask): Promise<() => Promise<number>> {
  const { points } = clusterTree(N);
  return async () => (await embed(points, { threads })).klDivergence ?? Number.NaN;
}
