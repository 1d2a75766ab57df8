/**
 * A sweep of embeddings on one worker and on two, behind a Redis, and on threads of this machine: how much faster, what a
 * run costs beside its own work, and whether the figures are the same.
 *
 * Usage: node sweep.ts [--quick] [--repeats 3] [--points 1797]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import {
  type Executor,
  inOrder,
  referenceTo,
  sweepUnits,
  threadExecutor,
  type UnitEnd,
  type UnitOfWork,
} from "@curvature/cluster";
import { bullmqExecutor } from "@curvature/cluster/redis";
import { loadDigits } from "@curvature/datasets/digits";
import { median } from "../../machine.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    repeats: { type: "string" },
    points: { type: "string" },
  },
});
const isQuick = values.quick;
const repeats = Number(values.repeats ?? (isQuick ? 1 : 3));
const rows = Number(values.points ?? (isQuick ? 300 : 1797));

const cli = fileURLToPath(new URL("../../../../cli/", import.meta.url));
const runThread = pathToFileURL(join(cli, "dist/run-thread.js"));
const version = "0.0.0-measured";
const folder = mkdtempSync(join(tmpdir(), "curvature-sweep-"));

/** 24 runs: four perplexities, two methods, three seeds. */
async function units(): Promise<UnitOfWork[]> {
  const { points } = await loadDigits();
  const lines = Array.from({ length: rows }, (_, i) =>
    points.data.subarray(i * points.columns, (i + 1) * points.columns).join(","),
  );
  writeFileSync(join(folder, "digits.csv"), `${lines.join("\n")}\n`);
  return sweepUnits({
    command: "embed",
    settings: { "<file>": { data: 0 }, init: "random" },
    grid: { perplexity: ["5", "10", "30", "50"], method: ["tsne", "ssne"] },
    restarts: 3,
    data: [await referenceTo(folder, "digits.csv")],
  });
}

interface Timed {
  /** From the first unit handed over to the last end heard. */
  readonly seconds: number;
  /** Of all runs, in their threads. */
  readonly work: number;
  readonly ends: readonly UnitEnd[];
}

async function timed(plan: readonly UnitOfWork[], executor: Executor): Promise<Timed> {
  const started = performance.now();
  const ends: UnitEnd[] = [];
  for await (const end of inOrder(plan, executor)) ends.push(end);
  const seconds = (performance.now() - started) / 1000;
  const work = ends.reduce((sum, end) => sum + (end.status === "done" ? end.seconds : Number.NaN), 0);
  return { seconds, work, ends };
}

/** What of the ends must be the same: everything but times. */
const figures = (ends: readonly UnitEnd[]): string =>
  JSON.stringify(ends, (key, value: unknown) => (/seconds|phases/i.test(key) ? undefined : value));

/** A worker as a process of this file; ready when it has joined. */
async function startWorker(url: string): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL("sweep-worker.ts", import.meta.url)), url, folder, version, runThread.href],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  await new Promise((done) => child.stdout?.once("data", done));
  return child;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function startRedis(): Promise<{ url: string; end(): void }> {
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
  const child = spawn(process.env["REDIS_SERVER"] ?? "redis-server", words, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((done) => {
    child.stdout.on("data", (piece: Buffer) => /Ready to accept/.test(piece.toString()) && done());
  });
  return { url: `redis://127.0.0.1:${port}`, end: () => void child.kill("SIGKILL") };
}

const ended = (child: ChildProcess): Promise<unknown> => new Promise((done) => child.once("close", done));

/** With so many workers; each has done a run before, so that its thread is there. */
async function onWorkers(url: string, count: number, plan: readonly UnitOfWork[]): Promise<Timed> {
  const workers = await Promise.all(Array.from({ length: count }, () => startWorker(url)));
  const executor = await bullmqExecutor(url, { version });
  try {
    await timed(
      plan
        .slice(0, 2 * count)
        .map((unit) => ({ ...unit, settings: { ...unit.settings, "max-evaluations": "1" } })),
      executor,
    );
    await executor.forget();
    await executor.close();
    const measured = await bullmqExecutor(url, { version });
    const result = await timed(plan, measured);
    await measured.forget();
    await measured.close();
    return result;
  } finally {
    for (const worker of workers) worker.kill("SIGTERM");
    await Promise.all(workers.map(ended));
  }
}

async function onThreads(count: number, plan: readonly UnitOfWork[]): Promise<Timed> {
  const executor = threadExecutor(runThread, { data: folder, concurrency: count });
  try {
    await timed(
      plan
        .slice(0, 2 * count)
        .map((unit) => ({ ...unit, settings: { ...unit.settings, "max-evaluations": "1" } })),
      executor,
    );
    return await timed(plan, executor);
  } finally {
    await executor.close();
  }
}

const plan = await units();
const redis = await startRedis();
try {
  const kinds = {
    "a thread": () => onThreads(1, plan),
    "two threads": () => onThreads(2, plan),
    "a worker": () => onWorkers(redis.url, 1, plan),
    "two workers": () => onWorkers(redis.url, 2, plan),
  };
  const found = new Map<string, Timed[]>(Object.keys(kinds).map((kind) => [kind, []]));
  for (let r = 0; r < repeats; r++) {
    for (const [kind, measure] of Object.entries(kinds)) {
      const one = await measure();
      found.get(kind)?.push(one);
      note(`${kind}, repeat ${r + 1}: ${one.seconds.toFixed(2)} s, work ${one.work.toFixed(2)} s`);
    }
  }
  const all = [...found.values()].flat();
  const isSame = all.every(({ ends }) => figures(ends) === figures(all[0].ends));
  const seconds = (kind: string): number => median((found.get(kind) ?? []).map((one) => one.seconds));
  /** Milliseconds a run takes beside its own work, on one worker: nothing hides behind another there. */
  const overhead = (kind: string): number =>
    median((found.get(kind) ?? []).map((one) => (1000 * (one.seconds - one.work)) / plan.length));
  const speedups = {
    threads: seconds("a thread") / seconds("two threads"),
    workers: seconds("a worker") / seconds("two workers"),
  };
  writeReport(
    {
      paper: "cluster",
      name: "sweep",
      title: "A sweep of 24 embeddings on one worker and on two",
      claim:
        "Not a paper's: two local workers are at least 1.8 times as fast as one, a run costs less than 50 ms beside its own work, and the figures are those of the sweep in one process.",
      data: `The first ${rows} of the 1,797 bundled digits; perplexities 5, 10, 30, 50, methods tsne and ssne, three seeds from random starts: 24 runs of curvature embed.`,
      method: `Wall clock from the first unit handed over to the last end heard, median of ${repeats}; kinds interleaved; workers are processes with one thread each behind a redis-server on this machine (append-only file), and have done two short runs before. Overhead: wall clock less the runs' own seconds, by run, where one works alone.`,
      findings: [
        `Two workers are ${speedups.workers.toFixed(2)} times as fast as one (${speedups.workers >= 1.8 ? "reached" : "not reached"}: 1.8), two threads ${speedups.threads.toFixed(2)} times. A run costs ${overhead("a worker").toFixed(1)} ms beside its work on a worker, ${overhead("a thread").toFixed(1)} ms on a thread (${overhead("a worker") < 50 ? "reached" : "not reached"}: 50). The figures of all ${all.length} sweeps are ${isSame ? "the same, digit for digit" : "NOT the same"}.`,
      ],
      tables: [
        {
          columns: ["who works", "seconds", "seconds of the runs", "overhead by run, ms"],
          rows: Object.keys(kinds).map((kind) => [
            kind,
            seconds(kind).toFixed(2),
            median((found.get(kind) ?? []).map((one) => one.work)).toFixed(2),
            /^a /.test(kind) ? overhead(kind).toFixed(1) : null,
          ]),
        },
      ],
    },
    isQuick,
  );
} finally {
  redis.end();
  rmSync(folder, { recursive: true, force: true });
}
