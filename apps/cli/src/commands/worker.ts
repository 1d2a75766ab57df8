/**
 * `curvature worker`: joins a pool behind a Redis, and does the runs of sweeps that are handed over there.
 */
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { WorkerEvent } from "@curvature/cluster/redis";
import { integerFrom } from "@curvature/linalg";
import type { Command } from "commander";
import { by, fileName } from "../arguments.js";
import { loadRedis, runThread } from "../run/cluster.js";
import { exitCode } from "../run/exit-codes.js";
import { fileError, usageError } from "../run/failure.js";
import type { Log } from "../run/log.js";
import type { RunCommand, Session } from "../run/session.js";
import { removeRunFoldersAtExit } from "../sweep/run-folder.js";
import { serveRemoteSubfunctions } from "../tasks/remote-subfunctions.js";
import { buildVersion } from "../version.js";
import { addLogOptions, addRedisOption, type LogFlags, redisAddress } from "./common-options.js";
import { addExplanations } from "./explanations.js";

interface WorkerFlags extends LogFlags {
  readonly redis?: string | true;
  readonly data: string;
  readonly concurrency?: number;
  readonly name?: string;
}

export function addWorkerCommand(program: Command, run: RunCommand): void {
  const command = program
    .command("worker")
    .summary("do the runs of sweeps, and evaluate for fits, that are handed over in a Redis")
    .description(
      "Joins the workers behind a Redis: does the runs of curvature sweep --redis and evaluates the subfunctions of " +
        "curvature fit --redis, until it is stopped.\n" +
        "It reads files of its data folder only, and takes no code from there.",
    )
    .optionsGroup("Pool:");
  addRedisOption(command)
    .requiredOption("--data <folder>", "the data: runs name their files from here", fileName)
    .option("--concurrency <n>", "runs, and evaluations, at a time (default: the cores)", by(integerFrom(1)))
    .option("--name <worker>", "what it is called in messages (default: host and process)");
  addExplanations(addLogOptions(command), help, example).action(async (flags: WorkerFlags) => {
    const log = { json: flags.json === true, quiet: flags.quiet === true, title: "worker", limits: {} };
    await run(log, (session) => work(flags, session));
  });
}

async function work(flags: WorkerFlags, { log, signal }: Session): Promise<number> {
  if (flags.redis === undefined) throw usageError("--redis <url> names the pool; give it.", "redis");
  const url = redisAddress(flags.redis);
  const data = resolve(flags.data);
  try {
    if (!statSync(data).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" });
  } catch (error) {
    throw fileError("read", flags.data, error);
  }
  const { serveUnits } = await loadRedis("worker");
  removeRunFoldersAtExit();
  const shared = { data, concurrency: flags.concurrency ?? availableParallelism(), name: flags.name };
  const ending = new AbortController(); // what ends one of the two ends the other
  const both = AbortSignal.any([signal, ending.signal]);
  const end = (error: unknown): never => {
    ending.abort();
    throw error;
  };
  const units = serveUnits(url, {
    ...shared,
    module: runThread(),
    version: buildVersion(),
    signal: both,
    onEvent: (event) => logEvent(event, log),
  });
  const note = (sentence: string): void => log.note(sentence);
  const subfunctions = serveRemoteSubfunctions({ ...shared, redis: url, signal: both, note });
  const [done] = await Promise.all([units.catch(end), subfunctions.catch(end)]);
  log.summary([`The worker has left; it did ${done} runs.`], { runs: done, exitCode: exitCode.success });
  return exitCode.success;
}

function logEvent(event: WorkerEvent, log: Log): void {
  if (event.type === "joined") log.note(`The worker ${event.name} has joined the pool at ${event.place}.`);
  else if (event.type === "started") log.note(`Started: ${event.unit}.`);
  else if (event.type === "done") log.note(`Done in ${event.seconds.toFixed(1)} s: ${event.unit}.`);
  else if (event.type === "failed") log.warning(`A run failed (${event.unit}): ${event.reason}`);
  else if (event.type === "called-off") log.note(`Stopped, since its sweep was: ${event.unit}.`);
  else log.warning(`A run was given back (${event.unit}): ${event.reason}`);
}

const help = `A worker holds what it does by a lock that it renews: when it dies, another takes the run over after some seconds. \
A worker that lacks a file of a run says so and gives the run back. \
All of a pool must have the same version of this program.

Exit codes:
  0    stopped by Ctrl-C or SIGTERM; runs under way were given back
  64   the command line is wrong
  74   the data folder cannot be read, Redis cannot be reached, or the pool has another version`;

const example = {
  verbatim: `Example:
  CURVATURE_REDIS=redis://:password@box:6379 npx @curvature/cli worker --redis --data /data --concurrency 4`,
};
