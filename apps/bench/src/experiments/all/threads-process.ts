/** One number of threads at one task, for `threads.ts`: a turn is so many calls, timed by the clock. */
import { performance } from "node:perf_hooks";
import { type DenseMatrix, PlanePairs, principalComponents } from "@curvature/linalg";
import { principalThreads, startThreads } from "@curvature/linalg/threads";
import { embed } from "@curvature/optim-spectral";
import { takeTurns } from "../../contestants/own-process.ts";
import { clusterTree } from "../spectral/sets.ts";
import { draws } from "./kernel-contest.ts";

export interface ThreadsTask {
  readonly work: "sum" | "forces" | "components" | "embed";
  readonly points: number;
  /** Of points whose components are asked for. */
  readonly columns?: number;
  readonly threads: number;
}

export interface ThreadsFound {
  /** A call's. */
  readonly seconds: number;
  /** What every number of threads must agree on, bit by bit. */
  readonly value: number;
}

const COMPONENTS = 50;
/** Of the largest direction's deviation. */
const NOISE = 0.1;

takeTurns(async (task: ThreadsTask) => {
  const call = callOf(task);
  return async (calls: number): Promise<ThreadsFound> => {
    const started = performance.now();
    let value = 0;
    for (let k = 0; k < calls; k++) value = await call();
    return { seconds: (performance.now() - started) / 1000 / calls, value };
  };
});

function callOf(task: ThreadsTask): () => number | Promise<number> {
  if (task.work === "embed") return mapOf(task);
  return task.work === "components" ? componentsOf(task) : sumsOf(task);
}

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

/** 50 components of directions with deviations that fall like 1/k, and noise. Threads are started for each call. */
function componentsOf({ points: N, columns: D = 1, threads }: ThreadsTask): () => number {
  const X = fallingPoints(N, D);
  return () => {
    const { scores } = principalComponents(X, { count: COMPONENTS, threads: principalThreads(threads) });
    return scores.data.reduce((sum, score, k) => sum + score * Math.sin(k), 0);
  };
}

function fallingPoints(N: number, D: number): DenseMatrix {
  const directions = 80;
  const data = draws(N * D, 1);
  const [places, along] = [draws(N * directions, 2), draws(directions * D, 3)];
  for (let k = 0; k < data.length; k++) data[k] *= NOISE;
  for (let i = 0; i < N; i++)
    for (let a = 0; a < directions; a++) {
      const place = places[i * directions + a] / (1 + a);
      for (let j = 0; j < D; j++) data[i * D + j] += place * along[a * D + j];
    }
  return { rows: N, columns: D, data };
}

function mapOf({ points: N, threads }: ThreadsTask): () => Promise<number> {
  const { points } = clusterTree(N);
  return async () => (await embed(points, { threads })).klDivergence ?? Number.NaN;
}
