/**
 * `curvature sweep <command> <file>`: the same command many times, over a grid of settings and with restarts, on the cores
 * of this machine or on workers behind a Redis.
 */
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import type { Executor, UnitEnd } from "@curvature/cluster";
import { writeCells } from "@curvature/datasets";
import type { Command } from "commander";
import { exitCode } from "../exit-codes.js";
import { failureOf, usageError } from "../failure.js";
import { labelSource, readInput } from "../input.js";
import { type Delivery, deliver } from "../outputs.js";
import { inSession, type Session } from "../session.js";
import { loadCluster, loadRedis, runThread } from "../sweep/cluster.js";
import { axesOf } from "../sweep/grid.js";
import { type PictureLabels, svgOfSweep } from "../sweep/picture.js";
import { checkRequest, enterPlan, type Plan, planOf, type SweepRequest } from "../sweep/plan.js";
import { outcomeOf, readRun, runFile, writeRun } from "../sweep/run-files.js";
import { removeRunFoldersAtExit } from "../sweep/run-folder.js";
import {
  bestRun,
  bestSentence,
  figureOf,
  type Metric,
  type Run,
  summaryText,
  tableOf,
  usualMetric,
} from "../sweep/summary.js";
import { optionsOf, type Sweepable, sweepable } from "../sweep/sweepable.js";
import { programVersion } from "../version.js";
import {
  addRunWords,
  addSweepOptions,
  givenSettings,
  redisAddress,
  type SweepFlags,
  sweepExamples,
  sweepHelp,
} from "./sweep-flags.js";

export function addSweepCommand(program: Command, ended: (code: number) => void): void {
  const sweep = program
    .command("sweep")
    .summary("run a command many times, over a grid of settings")
    .description(
      "Runs a command many times, over a grid of settings and with restarts, on the cores of this machine or on\n" +
        "workers behind a Redis; writes a report of each run, a table, and names the best.",
    )
    .addHelpText("after", `\n${sweepExamples}`);
  for (const [name, kind] of Object.entries(sweepable)) {
    const command = sweep
      .command(name)
      .summary(kind.summary)
      .description(`Runs curvature ${name} many times, over a grid of settings and with restarts.`)
      .argument(kind.argument.words, kind.argument.description);
    addRunWords(addSweepOptions(command, kind), kind)
      .addHelpText("after", `\n${sweepHelp}\n\n${sweepExamples}`)
      .action(async (file: string | undefined) => {
        const flags = command.opts<SweepFlags>();
        checkFlags(flags);
        const request: SweepRequest = {
          command: name,
          file,
          settings: givenSettings(command, kind),
          axes: axesOf(flags.grid, optionsOf(kind)),
          restarts: flags.restarts,
          seed: flags.seed,
        };
        checkRequest(request);
        const talk = {
          json: flags.json === true,
          quiet: flags.quiet === true,
          title: `sweep of ${name}`,
          limits: {},
        };
        ended(await inSession(talk, (session) => sweepOver(request, kind, flags, session)));
      });
  }
}

function checkFlags(flags: SweepFlags): void {
  for (const name of ["data", "name", "discard"] as const) {
    if (flags[name] === undefined || flags.redis !== undefined) continue;
    throw usageError(`--${name} is for a sweep with --redis; leave it out, or give --redis.`, name);
  }
  if (flags.redis !== undefined && flags.concurrency !== undefined) {
    throw usageError(
      "--concurrency is for this machine; with --redis, each worker has its own.",
      "concurrency",
    );
  }
}

async function sweepOver(
  request: SweepRequest,
  kind: Sweepable,
  flags: SweepFlags,
  session: Session,
): Promise<number> {
  const { talk, signal } = session;
  talk.phase("looking at the data");
  const plan = await planOf(request, flags.redis === undefined ? undefined : (flags.data ?? "."));
  const total = plan.runs.length;
  const executor = await executorOf(plan, flags, session);
  const places = new Map(
    plan.runs.map((run, k) => [run.unit.id, { run, path: runFile(flags.out, k, run, total) }]),
  );
  const ends = new Map<string, UnitEnd>();
  const failures: unknown[] = [];
  try {
    enterPlan(flags.out, request, plan);
    const { inOrder } = await loadCluster("sweep");
    const known = flags.resume ? knownEnds(places, plan) : new Map<string, UnitEnd>();
    if (known.size > 0) talk.note(`${known.size} of ${total} runs are there already.`);
    talk.phase(`${total - known.size} runs`);
    const onEnd = (end: UnitEnd, { ended }: { readonly ended: number }): void => {
      ends.set(end.id, end);
      const place = places.get(end.id);
      const outcome = end.status === "done" ? outcomeOf(end.result) : undefined;
      if (place !== undefined && outcome !== undefined && !known.has(end.id)) {
        writeRun(place.path, place.run, plan, outcome);
      }
      if (end.status === "failed") talk.warning(`A run failed ${end.tries} times (${end.id}): ${end.reason}`);
      talk.phase(`${ended} of ${total} runs`, ended / total);
    };
    const units = plan.runs.map(({ unit }) => unit);
    for await (const _ of inOrder(units, executor, { signal, known, onEnd }));
  } catch (error) {
    if (ends.size === 0) {
      await executor.close();
      throw error;
    }
    if (!signal.aborted) failures.push(error); // what there is gets written all the same
  }
  try {
    const code = await conclude(request, kind, flags, plan, ends, failures, session);
    if (ends.size === total && code !== exitCode.io) await executor.forget();
    return code;
  } finally {
    await executor.close();
  }
}

async function executorOf(plan: Plan, flags: SweepFlags, { talk }: Session): Promise<Executor> {
  if (flags.redis === undefined) {
    const { threadExecutor } = await loadCluster("sweep");
    const concurrency = Math.min(flags.concurrency ?? availableParallelism(), plan.runs.length);
    removeRunFoldersAtExit();
    return threadExecutor(runThread(), { data: plan.data, concurrency });
  }
  const { bullmqExecutor } = await loadRedis("sweep");
  return bullmqExecutor(redisAddress(flags.redis), {
    version: programVersion(),
    ...(flags.name !== undefined && { name: flags.name }),
    ...(flags.discard && { discard: true }),
    onNotice: (sentence) => talk.warning(sentence),
  });
}

type Places = ReadonlyMap<string, { readonly run: Plan["runs"][number]; readonly path: string }>;

function knownEnds(places: Places, plan: Plan): ReadonlyMap<string, UnitEnd> {
  const known = new Map<string, UnitEnd>();
  for (const { run, path } of places.values()) {
    const end = readRun(path, run, plan);
    if (end !== undefined) known.set(end.id, end);
  }
  return known;
}

/** Writes the table and the picture, names the best, and says how it ended. */
async function conclude(
  request: SweepRequest,
  { metrics }: Sweepable,
  flags: SweepFlags,
  plan: Plan,
  ends: ReadonlyMap<string, UnitEnd>,
  errors: readonly unknown[],
  { talk, signal }: Session,
): Promise<number> {
  const { axes } = request;
  const runs = plan.runs.map(({ unit, values }, k) =>
    runOf(k + 1, unit.id, values, unit.seed, ends.get(unit.id)),
  );
  const metric: Metric | undefined =
    flags.metric === undefined
      ? usualMetric(runs, metrics)
      : { name: flags.metric, best: metrics[flags.metric] };
  const title =
    `curvature ${request.command} ${request.file === undefined ? "" : basename(request.file)}`.trim();
  const labels = await labelsOf(request, signal);
  const svg = svgOfSweep({ title, runs, axes, metric, labels });
  const lines = [`${plan.runs.length} runs, plan ${plan.hash.slice(0, 12)}, version ${programVersion()}`];
  const picture = svg === undefined ? undefined : "picture.svg";
  const deliveries: Delivery[] = [
    { option: "--out", path: join(flags.out, "summary.csv"), content: () => writeCells(tableOf(runs, axes)) },
    {
      option: "--out",
      path: join(flags.out, "summary.md"),
      content: () => summaryText(runs, axes, metric, { title, lines, picture }),
    },
  ];
  if (svg !== undefined)
    deliveries.push({ option: "--out", path: join(flags.out, "picture.svg"), content: () => svg });
  const undelivered = await deliver(deliveries);
  const failures = [...errors, ...undelivered.map(({ error }) => error)].map(failureOf);
  const done = runs.filter(({ end }) => end.kind === "done").length;
  const code = failures[0]?.exitCode ?? codeOf(done, runs.length, ends.size < runs.length && signal.aborted);
  const best = metric === undefined ? undefined : bestRun(runs, metric);
  const missing = new Set(undelivered.map(({ path }) => path));
  const written = deliveries.filter(({ path }) => !missing.has(path)).map(({ path }) => `  -> ${path}`);
  talk.summary([`${title}: ${bestSentence(runs, best, axes, metric)}`, ...written], {
    runs: runs.length,
    done,
    metric: metric?.name,
    best: best && {
      run: best.number,
      settings: Object.fromEntries(axes.map(({ name }, k) => [name, best.values[k]])),
      seed: best.seed,
      figure: metric && figureOf(best, metric.name),
    },
    exitCode: code,
  });
  for (const failure of failures) talk.failure(failure);
  return code;
}

function runOf(
  number: number,
  id: string,
  values: readonly string[],
  seed: number,
  end: UnitEnd | undefined,
): Run {
  const common = { number, id, values, seed };
  if (end === undefined) return { ...common, end: { kind: "missing" } };
  if (end.status === "failed") return { ...common, end: { kind: "failed", reason: end.reason } };
  const outcome = outcomeOf(end.result);
  if (outcome === undefined) return { ...common, end: { kind: "failed", reason: "The run left no report." } };
  return { ...common, end: { kind: "done", outcome } };
}

function codeOf(done: number, total: number, aborted: boolean): number {
  if (aborted) return exitCode.aborted;
  if (done === total) return exitCode.success;
  return done > 0 ? exitCode.limit : exitCode.failed;
}

/** For the picture's colours; a picture without them is one too. */
async function labelsOf(
  { file, settings }: SweepRequest,
  signal: AbortSignal,
): Promise<PictureLabels | undefined> {
  const word = settings["labels"];
  if (file === undefined || typeof word !== "string" || signal.aborted) return undefined;
  return readInput(file, labelSource(word), signal)
    .then(({ table, labelName }) => table.labels && { name: labelName, words: table.labels })
    .catch(() => undefined);
}
