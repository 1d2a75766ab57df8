/**
 * A Redis of its own and workers as processes, for measurements: each worker has sums that are made from words alone, such as
 * `springs:1000:32:5` (dimension, subfunctions, milliseconds of waiting for each evaluation) or `digits`.
 *
 * As a program this file is a worker: node pool.ts <url>. When it is ended it says how much processor time it took.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { RemoteSum } from "@curvature/cluster";
import { connect, coordinate, serveSubfunctions } from "@curvature/cluster/redis";
import { loadDigits } from "@curvature/datasets/digits";
import { logisticRegression } from "@curvature/objectives/sums";
import type { SumOfFunctions } from "@curvature/optim-core";

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

/** Takes so much of a processor's time, not of the wall clock's. */
function compute(milliseconds: number): void {
  const { user } = process.cpuUsage();
  while (process.cpuUsage().user - user < 1000 * milliseconds) for (let k = 0; k < 2000; k++) Math.sqrt(k);
}

export interface Pool {
  readonly url: string;
  /** A sum whose subfunctions are evaluated by these workers; waits until one takes part. */
  remote(words: string, name: string): Promise<{ readonly sum: RemoteSum; close(): Promise<void> }>;
  /** Ends everything. @returns processor seconds of each worker since it was ready */
  end(): Promise<readonly number[]>;
}

export async function startPool(workers: number): Promise<Pool> {
  const folder = mkdtempSync(join(tmpdir(), "curvature-pool-"));
  const port = await freePort();
  const words = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--dir",
    folder,
    "--save",
    "",
    "--appendonly",
    "yes",
  ];
  const redis = spawn("redis-server", words, { stdio: ["ignore", "pipe", "inherit"] });
  await saying(redis, /Ready to accept connections/);
  const url = `redis://127.0.0.1:${port}`;
  const children = Array.from({ length: workers }, () =>
    spawn(process.execPath, [fileURLToPath(import.meta.url), url], { stdio: ["ignore", "pipe", "inherit"] }),
  );
  await Promise.all(children.map((child) => saying(child, /ready/)));
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
    end: async () => {
      const seconds = await Promise.all(
        children.map(async (child) => {
          const said = saying(child, /seconds (\S+)/);
          child.kill("SIGTERM");
          return Number(await said);
        }),
      );
      const ended = new Promise((done) => redis.once("exit", done));
      redis.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
      return seconds;
    },
  };
}

function saying(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((done, fail) => {
    let said = "";
    const hear = (piece: Buffer): void => {
      said += piece.toString();
      const found = pattern.exec(said);
      if (found === null) return;
      child.stdout?.off("data", hear);
      done(found[1] ?? "");
    };
    child.stdout?.on("data", hear);
    child.once("error", fail);
    child.once("exit", (code) => fail(new Error(`a process of the pool ended with ${code}: ${said}`)));
  });
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address !== null ? done(address.port) : fail(new Error("no port")),
      );
    });
  });
}

async function work(url: string): Promise<void> {
  const connection = await connect(url);
  const controller = new AbortController();
  process.once("SIGTERM", () => controller.abort());
  const before = process.cpuUsage();
  process.stdout.write("ready\n");
  await serveSubfunctions({
    connection,
    name: `bench:${process.pid}`,
    version: "bench",
    capacity: 1,
    build: (description) => problemOf(String(description)),
    signal: controller.signal,
  });
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`seconds ${(user + system) / 1e6}\n`);
  await connection.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await work(process.argv[2]);
