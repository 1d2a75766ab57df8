/**
 * A sweep of embeddings on one worker and on two, behind a Redis, and on threads of this machine: how much faster, what a
 * run costs beside its own work, and whether the figures are the same. Each sweep is made twice by the same workers: at
 * first their code is compiled on the way, by each of them for itself, the second time it is there. Beside it stands what
 * two processes of pure arithmetic gain, which is what the machine gives.
 *
 * Usage: node sweep.ts [--quick] [--repeats 3] [--points 1797]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
import { cpuSeconds, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { arithmeticSeconds } from "./arithmetic.ts";
import { startRedis } from "./redis.ts";

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
  /** Of this process, all its threads: where the runs are in it, theirs and those of V8's helpers. */
  readonly processor: number;
  readonly ends: readonly UnitEnd[];
}

async function timed(plan: readonly UnitOfWork[], executor: Executor): Promise<Timed> {
  const started = performance.now();
  const before = cpuSeconds();
  const ends: UnitEnd[] = [];
  for await (const end of inOrder(plan, executor)) ends.push(end);
  const seconds = (performance.now() - started) / 1000;
  const work = ends.reduce((sum, end) => sum + (end.status === "done" ? end.seconds : Number.NaN), 0);
  return { seconds, work, processor: cpuSeconds() - before, ends };
}

/** A sweep made twice by the same workers. */
interface Twice {
  readonly first: Timed;
  readonly again: Timed;
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

const ended = (child: ChildProcess): Promise<unknown> => new Promise((done) => child.once("close", done));

/** The first run of a thread loads its program; that is no part of the measurement. */
const short = (plan: readonly UnitOfWork[], count: number): UnitOfWork[] =>
  plan
    .slice(0, 2 * count)
    .map((unit) => ({ ...unit, settings: { ...unit.settings, "max-evaluations": "1" } }));

async function onWorkers(url: string, count: number, plan: readonly UnitOfWork[]): Promise<Twice> {
  const workers = await Promise.all(Array.from({ length: count }, () => startWorker(url)));
  const sweep = async (units: readonly UnitOfWork[]): Promise<Timed> => {
    const executor = await bullmqExecutor(url, { version });
    const result = await timed(units, executor);
    await executor.forget();
    await executor.close();
    return result;
  };
  try {
    await sweep(short(plan, count));
    return { first: await sweep(plan), again: await sweep(plan) };
  } finally {
    for (const worker of workers) worker.kill("SIGTERM");
    await Promise.all(workers.map(ended));
  }
}

async function onThreads(count: number, plan: readonly UnitOfWork[]): Promise<Twice> {
  const executor = threadExecutor(runThread, { data: folder, concurrency: count });
  try {
    await timed(short(plan, count), executor);
    return { first: await timed(plan, executor), again: await timed(plan, executor) };
  } finally {
    await executor.close();
  }
}

/** Some seconds of it. */
const arithmeticUnits = isQuick ? 10_000 : 100_000;

const plan = await units();
const redis = await startRedis();
try {
  const kinds = {
    "a thread": () => onThreads(1, plan),
    "two threads": () => onThreads(2, plan),
    "a worker": () => onWorkers(redis.url, 1, plan),
    "two workers": () => onWorkers(redis.url, 2, plan),
  };
  const found = new Map<string, Twice[]>(Object.keys(kinds).map((kind) => [kind, []]));
  const machine: { readonly one: number; readonly two: number }[] = [];
  for (let r = 0; r < repeats; r++) {
    machine.push({
      one: await arithmeticSeconds(1, arithmeticUnits),
      two: await arithmeticSeconds(2, arithmeticUnits),
    });
    for (const [kind, measure] of Object.entries(kinds)) {
      const twice = await measure();
      found.get(kind)?.push(twice);
      const told = [twice.first, twice.again].map(
        ({ seconds, work }) => `${seconds.toFixed(2)} (${work.toFixed(2)})`,
      );
      note(`${kind}, repeat ${r + 1}: seconds (of the runs) ${told.join(", then ")}`);
    }
  }
  const all = [...found.values()].flat().flatMap(({ first, again }) => [first, again]);
  const isSame = all.every(({ ends }) => figures(ends) === figures(all[0].ends));
  const middle = (kind: string, of: (twice: Twice) => number): number =>
    median((found.get(kind) ?? []).map(of));
  const seconds = (kind: string): number => middle(kind, ({ again }) => again.seconds);
  const firstSeconds = (kind: string): number => middle(kind, ({ first }) => first.seconds);
  const work = (kind: string): number => middle(kind, ({ again }) => again.work);
  /** Milliseconds a run takes beside its own work, on one worker: nothing hides behind another there. */
  const overhead = (kind: string): number =>
    middle(kind, ({ again }) => (1000 * (again.seconds - again.work)) / plan.length);
  const gain = (of: (kind: string) => number, many: string): string =>
    (of(`a ${many}`) / of(`two ${many}s`)).toFixed(2);
  const speedup = seconds("a worker") / seconds("two workers");
  // Two processes do twice as much.
  const [one, two] = [median(machine.map((each) => each.one)), median(machine.map((each) => each.two))];
  /** A thread alone has V8's helper threads (garbage, compiling) on the other core; two have no core left for them. */
  const processor = middle("a thread", ({ again }) => again.processor);
  const firstHeldUp =
    middle("two workers", ({ first }) => first.work) / middle("a worker", ({ first }) => first.work) - 1;
  const heldUp = work("two workers") / work("a worker") - 1;
  writeReport(
    {
      paper: "cluster",
      name: "sweep",
      title: "A sweep of 24 embeddings on one worker and on two",
      claim:
        "Not a paper's: two local workers are at least 1.8 times as fast as one, a run costs less than 50 ms beside its own work, and the figures are those of the sweep in one process.",
      data: `The first ${rows} of the 1,797 bundled digits; perplexities 5, 10, 30, 50, methods tsne and ssne, three seeds from random starts: 24 runs of curvature embed.`,
      method: `Wall clock from the first unit handed over to the last end heard, median of ${repeats}; kinds interleaved; workers are processes with one thread each behind a redis-server on this machine (append-only file). Each makes the sweep twice, after two runs of one evaluation: the first time their code is compiled on the way. Overhead: wall clock less the runs' own seconds, by run, where one works alone. Arithmetic: divisions and additions, ${one.toFixed(1)} s in one process, twice as many in two at once.`,
      findings: [
        `With compiled code two workers are ${speedup.toFixed(2)} times as fast as one (${speedup >= 1.8 ? "reached" : "not reached"}: 1.8), two threads ${gain(seconds, "thread")} times; in their first sweep ${gain(firstSeconds, "worker")} and ${gain(firstSeconds, "thread")} times. Two processes of pure arithmetic do ${((2 * one) / two).toFixed(2)} times as much as one.`,
        `On two workers side by side the runs take ${(100 * firstHeldUp).toFixed(0)} % longer in the first sweep, where each compiles for itself, and ${(100 * heldUp).toFixed(0)} % in the second. The second sweep of a thread alone takes ${processor.toFixed(1)} s of processor for ${work("a thread").toFixed(1)} s of runs: what is more is V8's helper threads on the other core, which two workers do not have.`,
        `A run costs ${overhead("a worker").toFixed(1)} ms beside its work on a worker, ${overhead("a thread").toFixed(1)} ms on a thread (${overhead("a worker") < 50 ? "reached" : "not reached"}: 50). The figures of all ${all.length} sweeps are ${isSame ? "the same, digit for digit" : "NOT the same"}.`,
      ],
      tables: [
        {
          columns: [
            "who works",
            "seconds, first sweep",
            "seconds, second sweep",
            "seconds of its runs",
            "overhead by run, ms",
          ],
          rows: Object.keys(kinds).map((kind) => [
            kind,
            firstSeconds(kind).toFixed(2),
            seconds(kind).toFixed(2),
            work(kind).toFixed(2),
            /^a /.test(kind) ? overhead(kind).toFixed(1) : null,
          ]),
        },
      ],
    },
    isQuick,
  );
} finally {
  await redis.end();
  rmSync(folder, { recursive: true, force: true });
}
