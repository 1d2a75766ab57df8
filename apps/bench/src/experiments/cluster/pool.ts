/**
 * A Redis of its own and workers as processes, for measurements: each worker has sums that are made from words alone, such as
 * `springs:1000:32:5` (dimension, subfunctions, milliseconds of waiting for each evaluation) or `digits`.
 *
 * As a program this file is a worker: node pool.ts <url>. It says how much processor time it took whenever it is asked.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { RemoteSum } from "@curvature/cluster";
import { connect, coordinate, serveSubfunctions } from "@curvature/cluster/redis";
import { loadDigits } from "@curvature/datasets/digits";
import { logisticRegression } from "@curvature/objectives/sums";
import type { SumOfFunctions } from "@curvature/optim-core";
import { startRedis } from "../../../../../packages/cluster/test/redis-server.ts";
import { cpuSeconds } from "../../processor.ts";
import { saying } from "./child-output.ts";

export interface Problem extends SumOfFunctions {
  readonly initial: Float64Array;
}

/** @param words - `digits`, or `springs:M:N:waiting milliseconds:computing milliseconds` */
export async function problemOf(words: string): Promise<Problem> {
  if (words === "digits") {
    const { points, labels } = await loadDigits();
    const classes = Array.from(labels, (digit) => (Number(digit) % 2 === 0 ? 1 : -1));
    return logisticRegression(points, Int32Array.from(classes));
  }
  const [dimension, count, waiting = 0, computing = 0] = words.split(":").slice(1).map(Number);
  return springs(dimension, count, waiting, computing);
}

/** fᵢ(x) = ½ ‖x − i‖²: nearly nothing to compute, so that what is measured is the way. */
function springs(dimension: number, count: number, waiting: number, computing: number): Problem {
  const evaluate = (index: number, x: Float64Array, gradient?: Float64Array): number => {
    let value = 0;
    for (let j = 0; j < dimension; j++) {
      const d = x[j] - index;
      value += d * d;
      if (gradient !== undefined) gradient[j] = d;
    }
    if (computing > 0) compute(computing);
    return value / 2;
  };
  const initial = new Float64Array(dimension).fill(0.5);
  if (waiting === 0) return { dimension, count, initial, evaluate };
  return {
    dimension,
    count,
    initial,
    evaluate: async (index, x, gradient) => {
      await new Promise((done) => setTimeout(done, waiting));
      return evaluate(index, x, gradient);
    },
  };
}

/** Takes so much of a processor's time, the system's for asking what time it is included; not of the wall clock's. */
function compute(milliseconds: number): void {
  const end = cpuSeconds() + milliseconds / 1000;
  while (cpuSeconds() < end) spin();
}

/** Takes some 50 microseconds, and is asked for its result, so that it is not optimised away. */
export function spin(): number {
  let sum = 0;
  for (let k = 1; k < 50_000; k++) sum += 1 / k;
  return sum;
}

export interface ProcessorTimes {
  readonly coordinator: number;
  readonly hub: number;
  /** All of them. */
  readonly workers: number;
}

export interface Pool {
  readonly url: string;
  /** A sum whose subfunctions are evaluated by these workers; waits until one takes part. */
  remote(words: string, name: string): Promise<{ readonly sum: RemoteSum; close(): Promise<void> }>;
  /** Processor seconds of each program so far. */
  processor(): Promise<ProcessorTimes>;
  /** Ends everything. */
  end(): Promise<void>;
}

export async function startPool(workers: number): Promise<Pool> {
  const redis = await startRedis();
  const { url } = redis;
  const children = Array.from({ length: workers }, () =>
    spawn(process.execPath, [fileURLToPath(import.meta.url), url], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    }),
  );
  await Promise.all(children.map((child) => saying(child, /ready/)));
  const control = await connect(url);
  return {
    url,
    remote: async (description, name) => {
      const connection = await connect(url);
      const problem = await problemOf(description);
      const sum = new RemoteSum(
        problem,
        await coordinate(connection, { name, description, version: "bench" }),
      );
      const gradient = new Float64Array(problem.dimension);
      // All workers have joined, have their code warm, and are counted.
      const until = performance.now() + 2500;
      while (performance.now() < until)
        await Promise.all(
          Array.from({ length: 2 * workers }, (_, k) => sum.evaluate(k % problem.count, problem.initial)),
        );
      await sum.evaluate(0, problem.initial, gradient);
      return {
        sum,
        close: async () => {
          await sum.close();
          await connection.close();
        },
      };
    },
    processor: async () => {
      const workers = await Promise.all(children.map(processorOf));
      const said = await control.client.info("cpu");
      const hub = ["user", "sys"].map((kind) =>
        Number(new RegExp(`used_cpu_${kind}:(\\S+)`).exec(said)?.[1]),
      );
      return {
        coordinator: cpuSeconds(),
        hub: hub[0] + hub[1],
        workers: workers.reduce((sum, seconds) => sum + seconds, 0),
      };
    },
    end: async () => {
      await control.close();
      await Promise.all(children.map((child) => ended(child, "SIGTERM")));
      await redis.remove();
    },
  };
}

function processorOf(child: ChildProcess): Promise<number> {
  return new Promise((done) => {
    child.once("message", (seconds) => done(Number(seconds)));
    child.send("processor");
  });
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.removeAllListeners("exit");
  const exit = new Promise((done) => child.once("exit", done));
  child.kill(signal);
  await exit;
}

async function work(url: string): Promise<void> {
  const connection = await connect(url);
  const controller = new AbortController();
  process.once("SIGTERM", () => controller.abort());
  process.on("message", () => process.send?.(cpuSeconds()));
  process.stdout.write("ready\n");
  await serveSubfunctions({
    connection,
    name: `bench:${process.pid}`,
    version: "bench",
    capacity: 1,
    build: (description) => problemOf(String(description)),
    signal: controller.signal,
  });
  await connection.close();
  process.disconnect();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await work(process.argv[2]);
