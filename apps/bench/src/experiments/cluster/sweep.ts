/**
 * A sweep of embeddings on one worker and on two, behind a Redis, and on threads of this machine: how much faster, what a
 * run costs beside its own work, and whether the figures are the same. Workers stay from the first round to the last and
 * take turns. The first sweep is told apart, since code is compiled on the way in it, by each of them for itself: before
 * the rounds each worker has made 24 runs, so that two have made a second sweep. Beside it stands what two processes of
 * pure arithmetic gain, which is what the machine gives, and the same workers with V8's helper threads, which the command
 * does without (`apps/cli/src/run/garbage-collection.ts`).
 *
 * Usage: node sweep.ts [--quick] [--repeats 7] [--points 1797]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
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
import { startRedis } from "../../../../../packages/cluster/test/redis-server.ts";
import { restart, restartArguments, singleThreadedGc } from "../../../../cli/src/run/garbage-collection.ts";
import { experimentArguments, whole } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { decimals, median, type Spread, spreadOf, spreadText } from "../../spread.ts";
import { verdict } from "../../words.ts";
import { arithmeticSeconds } from "./arithmetic.ts";
import { redisVersion } from "./redis-version.ts";

const again = restartArguments(["sweep"]);
if (again !== undefined) restart(again);

const {
  isQuick,
  repeats,
  points: rows,
} = experimentArguments({
  repeats: whole(7, 1),
  points: whole(1797, 300, 160),
});

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
async function startWorker(url: string, flags: readonly string[]): Promise<ChildProcess> {
  const script = fileURLToPath(new URL("sweep-worker.ts", import.meta.url));
  const child = spawn(process.execPath, [...flags, script, url, folder, version, runThread.href], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((done) => child.stdout?.once("data", done));
  return child;
}

const ended = (child: ChildProcess): Promise<unknown> => new Promise((done) => child.once("close", done));

/** The first run of a thread loads its program; that is no part of the measurement. */
const short = (plan: readonly UnitOfWork[], count: number): UnitOfWork[] =>
  plan
    .slice(0, 2 * count)
    .map((unit) => ({ ...unit, settings: { ...unit.settings, "max-evaluations": "1" } }));

/** Somebody who makes sweeps, with the same workers or threads each time. */
interface Team {
  /** How many there are. */
  readonly count: number;
  sweep(plan: readonly UnitOfWork[]): Promise<Timed>;
  end(): Promise<void>;
}

async function workers(count: number, flags: readonly string[] = [singleThreadedGc]): Promise<Team> {
  const redis = await startRedis();
  const children = await Promise.all(Array.from({ length: count }, () => startWorker(redis.url, flags)));
  return {
    count,
    sweep: async (plan) => {
      const executor = await bullmqExecutor(redis.url, { version });
      const result = await timed(plan, executor);
      await executor.forget();
      await executor.close();
      return result;
    },
    end: async () => {
      for (const child of children) child.kill("SIGTERM");
      await Promise.all(children.map(ended));
      await redis.remove();
    },
  };
}

async function threads(count: number): Promise<Team> {
  const executor = threadExecutor(runThread, { data: folder, concurrency: count });
  return { count, sweep: (plan) => timed(plan, executor), end: () => executor.close() };
}

const reached = (isSo: boolean): string => (isSo ? "reached" : "**not** reached");

/** Some seconds of it. */
const arithmeticUnits = isQuick ? 10_000 : 100_000;

const plan = await units();
const kinds: Readonly<Record<string, () => Promise<Team>>> = {
  "a thread": () => threads(1),
  "two threads": () => threads(2),
  "a worker": () => workers(1),
  "two workers": () => workers(2),
  "a worker with V8's helpers": () => workers(1, []),
  "two workers with V8's helpers": () => workers(2, []),
};
const teams = new Map<string, Team>();
try {
  const firsts = new Map<string, Timed>();
  for (const [kind, start] of Object.entries(kinds)) {
    const team = await start();
    teams.set(kind, team);
    await team.sweep(short(plan, 2));
    firsts.set(kind, await team.sweep(plan));
    for (let k = 1; k < team.count; k++) await team.sweep(plan);
    note(`${kind}, first sweep: ${firsts.get(kind)?.seconds.toFixed(2)} s`);
  }
  const found = new Map<string, Timed[]>(Object.keys(kinds).map((kind) => [kind, []]));
  const machine: number[] = [];
  for (let r = 0; r < repeats; r++) {
    const alone = await arithmeticSeconds(1, arithmeticUnits);
    machine.push((2 * alone) / (await arithmeticSeconds(2, arithmeticUnits)));
    for (const [kind, team] of teams) {
      const sweep = await team.sweep(plan);
      found.get(kind)?.push(sweep);
      note(`${kind}, sweep ${r + 1}: ${sweep.seconds.toFixed(2)} s, of the runs ${sweep.work.toFixed(2)}`);
    }
  }
  const all = [...firsts.values(), ...[...found.values()].flat()];
  const isSame = all.every(({ ends }) => figures(ends) === figures(all[0].ends));
  const sweepsOf = (kind: string): readonly Timed[] => found.get(kind) ?? [];
  const first = (kind: string): number => firsts.get(kind)?.seconds ?? Number.NaN;
  const firstGain = (who: string): number => first(`a ${who}`) / first(`two ${who}s`);
  const over = (kind: string, of: (sweep: Timed) => number): Spread => spreadOf(sweepsOf(kind).map(of));
  /** Milliseconds a run takes beside its own work, on one worker: nothing hides behind another there. */
  const overhead = (kind: string): Spread =>
    over(kind, (sweep) => (1000 * (sweep.seconds - sweep.work)) / plan.length);
  /** One against two in the same round: the machine is not as fast in every minute. */
  const gains = (one: string, two: string): number[] =>
    sweepsOf(one).map(({ seconds }, r) => seconds / sweepsOf(two)[r].seconds);
  const gain = (one: string, two: string): number => median(gains(one, two));
  const range = (one: string, two: string): string => {
    const all = gains(one, two);
    return `${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)}`;
  };
  const speedup = gain("a worker", "two workers");
  const cost = overhead("a worker").median;
  const helped = " with V8's helpers";
  /** How much longer the sweep takes with V8's helper threads. */
  const longer = (kind: string): string => gain(`${kind}${helped}`, kind).toFixed(2);
  const heldUp = median(sweepsOf("two workers").map((two, r) => two.work / sweepsOf("a worker")[r].work - 1));
  writeReport(
    {
      paper: "cluster",
      name: "sweep",
      title: "A sweep of 24 embeddings on one worker and on two",
      claim:
        "Not a paper's: two local workers are at least 1.8 times as fast as one, a run costs less than 50 ms beside its own work, and the figures are those of the sweep in one process.",
      data: `The first ${rows} of the 1,797 bundled digits; perplexities 5, 10, 30, 50, methods tsne and ssne, three seeds from random starts: 24 runs of curvature embed.`,
      method: `Time is from the first unit handed over to the last end heard. A first sweep of every kind is told apart: code is compiled in it (two make a second one, so that each of them has made 24 runs before the rounds, as one alone has). Workers are processes with one thread each behind a redis-server ${redisVersion()} on this machine (append-only file). Overhead: wall clock less the runs' own seconds, by run, where one works alone. Arithmetic: divisions and additions in one process, and as many in each of two at once, in each round.`,
      repeats: `${repeats === 1 ? "One round" : `Medians of ${repeats} rounds, in brackets the least and the most`}, in each of which every kind makes the sweep; the first sweep is one. A gain is that of one round, since the machine is not as fast in every minute. The runs of every sweep have the seeds 0 to 2.`,
      clock: "wall",
      findings: [
        `${verdict({ "two workers": speedup >= 1.8, "what a run costs": cost < 50, "the figures": isSame })} Two workers are ${speedup.toFixed(2)} times as fast as one (${reached(speedup >= 1.8)}: 1.8; the rounds: ${range("a worker", "two workers")}), two threads ${gain("a thread", "two threads").toFixed(2)} times (${range("a thread", "two threads")}); in their first sweep ${firstGain("worker").toFixed(2)} and ${firstGain("thread").toFixed(2)} times. Two processes of pure arithmetic do ${median(machine).toFixed(2)} times as much as one.`,
        `Runs take ${(100 * heldUp).toFixed(0)} % longer with another worker beside them. With V8's helper threads, which mark garbage on another core beside a run, a worker takes ${longer("a worker")} times and two workers ${longer("two workers")} times as long, and two are ${gain(`a worker${helped}`, `two workers${helped}`).toFixed(2)} times as fast as one: the command does without.`,
        `A run costs ${cost.toFixed(1)} ms beside its work on a worker, ${overhead("a thread").median.toFixed(1)} ms on a thread (${reached(cost < 50)}: 50). The figures of all ${all.length} sweeps are ${isSame ? "the same, digit for digit" : "**not** the same"}.`,
      ],
      tables: [
        {
          columns: [
            "who works",
            "seconds, first sweep",
            "seconds, later sweeps",
            "seconds of its runs",
            "overhead by run, ms",
          ],
          rows: Object.keys(kinds).map((kind) => [
            kind,
            first(kind).toFixed(2),
            spreadText(
              over(kind, (sweep) => sweep.seconds),
              decimals(2),
            ),
            spreadText(
              over(kind, (sweep) => sweep.work),
              decimals(2),
            ),
            /^a /.test(kind) ? spreadText(overhead(kind), decimals(1)) : null,
          ]),
        },
      ],
    },
    isQuick,
  );
} finally {
  for (const team of teams.values()) await team.end();
  rmSync(folder, { recursive: true, force: true });
}
