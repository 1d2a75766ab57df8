/**
 * `curvature sweep <command> <file>`: the same command many times, over a grid of settings and with restarts, on the cores
 * of this machine or on workers behind a Redis.
 */
import { availableParallelism } from "node:os";
import type { Executor, UnitEnd } from "@curvature/cluster";
import type { Command } from "commander";
import { fileArgument } from "../arguments.js";
import { loadCluster, loadRedis, runThread } from "../run/cluster.js";
import { exitCode } from "../run/exit-codes.js";
import { usageError } from "../run/failure.js";
import type { RunCommand, Session } from "../run/session.js";
import { conclude, concludeShard } from "../sweep/conclusion.js";
import { axesOf } from "../sweep/grid.js";
import { checkRequest, type Plan, planOf, type SweepRequest } from "../sweep/plan.js";
import { type Refusal, refusalOf, refusalOfAll } from "../sweep/refusal.js";
import { enterPlan } from "../sweep/results-folder.js";
import {
  type FailedRun,
  missingFile,
  outcomeOf,
  readRun,
  runFile,
  stemOf,
  writeRun,
} from "../sweep/run-files.js";
import { removeRunFoldersAtExit } from "../sweep/run-folder.js";
import { isOf, mergedEnds } from "../sweep/shards.js";
import { optionsOf, type Sweepable, sweepable } from "../sweep/sweepable.js";
import { buildVersion } from "../version.js";
import { redisAddress } from "./common-options.js";
import { addExplanations } from "./explanations.js";
import {
  addForwardedOptions,
  addSweepOptions,
  type SweepFlags,
  settingsIn,
  sweepExamples,
  sweepHelp,
} from "./sweep-flags.js";

export function addSweepCommand(program: Command, run: RunCommand): void {
  const sweep = program
    .command("sweep")
    .summary("run a command many times, over a grid of settings")
    .description(
      "Runs a command many times, over a grid of settings and with restarts, on the cores of this machine or on " +
        "workers behind a Redis; writes a report of each run, a table, and names the best.",
    );
  addExplanations(sweep, sweepExamples);
  for (const [name, kind] of Object.entries(sweepable)) {
    const command = sweep
      .command(name)
      .summary(kind.summary)
      .description(`Runs curvature ${name} many times, over a grid of settings and with restarts.`)
      .argument(kind.argument.words, kind.argument.description, fileArgument);
    addForwardedOptions(addSweepOptions(command, kind), kind);
    addExplanations(command, sweepHelp, sweepExamples).action(async (file: string | undefined) => {
      const flags = command.opts<SweepFlags>();
      checkFlags(flags);
      const request: SweepRequest = {
        command: name,
        file,
        settings: settingsIn(command, kind),
        axes: axesOf(flags.grid, optionsOf(kind)),
        restarts: flags.restarts,
        seed: flags.seed,
      };
      checkRequest(request);
      const log = {
        json: flags.json === true,
        quiet: flags.quiet === true,
        title: `sweep of ${name}`,
        limits: {},
      };
      await run(log, (session) => sweepOver(request, kind, flags, session));
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
  if (flags.save === "all" && flags.redis !== undefined)
    throw usageError(
      "--save all is for a sweep without --redis, whose workers send figures alone; take --save best, or --shard.",
      "save",
    );
  const alone = flags.shard === undefined ? "merge" : "shard";
  if (flags[alone] !== undefined && flags.redis !== undefined)
    throw usageError(`--${alone} is for a sweep without --redis; leave one of them out.`, alone);
  if (flags.shard !== undefined && flags.merge !== undefined)
    throw usageError("--merge is for when all shards have ended; leave out --shard.", "merge");
}

async function sweepOver(
  request: SweepRequest,
  kind: Sweepable,
  flags: SweepFlags,
  session: Session,
): Promise<number> {
  const { log, signal } = session;
  log.phase("looking at the data");
  const plan = await planOf(request, flags.redis === undefined ? undefined : (flags.data ?? "."));
  const { shard } = flags;
  const places: Places = new Map(
    plan.runs
      .map((run, k) => ({ run, path: runFile(flags.out, k, run, plan.runs.length) }))
      .filter((_, k) => shard === undefined || isOf(shard, k))
      .map((place) => [place.run.unit.id, place]),
  );
  const units = [...places.values()].map(({ run }) => run.unit);
  const total = units.length;
  const stems =
    flags.save === "all"
      ? new Map(Array.from(places, ([id, { path }]) => [id, stemOf(path)] as const))
      : undefined;
  const executor = await executorOf(plan, flags, stems, session);
  const ends = new Map<string, UnitEnd>();
  const failures: unknown[] = [];
  const reported = new Set<string>();
  let takeBack = (): void => undefined;
  try {
    const undo = enterPlan(flags.out, request, plan);
    if (shard === undefined) takeBack = undo; // the folder may be that of other shards too
    const { inOrder } = await loadCluster("sweep");
    const known = knownEnds(flags, request, kind, plan, places);
    if (known.size > 0) log.note(`${known.size} of ${total} runs are there already.`);
    log.phase(`${total - known.size} runs`);
    const onEnd = (end: UnitEnd, { ended }: { readonly ended: number }): void => {
      ends.set(end.id, end);
      const place = places.get(end.id);
      const outcome = end.status === "done" ? outcomeOf(end.result) : undefined;
      const refusal = refusalOf(end);
      // a merge must know of those without a result, too
      const answer = outcome ?? (shard && withoutResult(end, refusal));
      if (place !== undefined && answer !== undefined && !known.has(end.id)) {
        writeRun(place.path, place.run, plan, answer);
      }
      if (end.status === "failed") log.warning(`A run failed ${end.tries} times (${end.id}): ${end.reason}`);
      const refused = refusal?.message;
      if (refused !== undefined && !reported.has(refused)) {
        reported.add(refused);
        log.warning(`A run was refused (${end.id}): ${refused}`);
      }
      log.phase(`${ended} of ${total} runs`, ended / total);
    };
    for await (const _ of inOrder(units, executor, { signal, known, onEnd }));
  } catch (error) {
    if (ends.size === 0) {
      takeBack();
      await executor.close();
      throw error;
    }
    if (!signal.aborted) failures.push(error); // what there is gets written all the same
  }
  try {
    const refused = refusalOfAll(units.map(({ id }) => ends.get(id)));
    if (refused !== undefined) {
      takeBack();
      await executor.forget();
      throw refused;
    }
    const code =
      shard === undefined
        ? await conclude(request, kind, flags, plan, ends, failures, session)
        : await concludeShard(request, shard, units, ends, failures, session);
    if (ends.size === total && code !== exitCode.io) await executor.forget();
    return code;
  } finally {
    await executor.close();
  }
}

/** @param stems - where runs save what they find, by their units */
async function executorOf(
  plan: Plan,
  flags: SweepFlags,
  stems: ReadonlyMap<string, string> | undefined,
  { log }: Session,
): Promise<Executor> {
  if (flags.redis === undefined) {
    const { threadExecutor } = await loadCluster("sweep");
    const concurrency = Math.min(flags.concurrency ?? availableParallelism(), plan.runs.length);
    removeRunFoldersAtExit();
    return threadExecutor(runThread(), { data: plan.data, concurrency, threadData: stems });
  }
  const { bullmqExecutor } = await loadRedis("sweep");
  return bullmqExecutor(redisAddress(flags.redis), {
    version: buildVersion(),
    name: flags.name,
    discard: flags.discard,
    onNotice: (sentence) => log.warning(sentence),
  });
}

type Places = ReadonlyMap<string, { readonly run: Plan["runs"][number]; readonly path: string }>;

function withoutResult(
  end: UnitEnd,
  refusal: Refusal["refusal"] | undefined,
): Refusal | FailedRun | undefined {
  if (end.status === "failed") return { failed: { reason: end.reason, tries: end.tries } };
  return refusal && { refusal };
}

/** Of the shards that are merged, and, to go on, of the folder itself. */
function knownEnds(
  { out, merge, resume, save }: SweepFlags,
  request: SweepRequest,
  kind: Sweepable,
  plan: Plan,
  places: Places,
): ReadonlyMap<string, UnitEnd> {
  const saving = save === "all" ? kind : undefined;
  const known = new Map(
    merge === undefined ? [] : mergedEnds(merge, out, request, plan, resume === true, saving),
  );
  if (resume !== true) return known;
  for (const [id, { run, path }] of places) {
    const end = known.has(id) ? undefined : readRun(path, run, plan);
    if (end?.status !== "done") continue; // what has failed is tried again
    if (saving === undefined || missingFile(path, end, saving) === undefined) known.set(id, end);
  }
  return known;
}
