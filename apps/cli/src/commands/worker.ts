/**
 * `curvature worker`: joins a pool behind a Redis, and does the runs of sweeps that are handed over there.
 */
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { WorkerEvent } from "@curvature/cluster/redis";
import type { Command } from "commander";
import { fileName, wholeNumber } from "../arguments.js";
import { addTalkOptions, type TalkFlags } from "../conventions.js";
import { exitCode } from "../exit-codes.js";
import { fileError, usageError } from "../failure.js";
import type { Talk } from "../progress.js";
import { inSession, type Session } from "../session.js";
import { loadRedis, runThread } from "../sweep/cluster.js";
import { removeRunFoldersAtExit } from "../sweep/run-folder.js";
import { serveRemoteSubfunctions } from "../tasks/remote-subfunctions.js";
import { programVersion } from "../version.js";
import { addRedisOption, redisAddress } from "./sweep-flags.js";

interface WorkerFlags extends TalkFlags {
  readonly redis?: string | true;
  readonly data: string;
  readonly concurrency: number;
  readonly name?: string;
}

export function addWorkerCommand(program: Command, ended: (code: number) => void): void {
  const command = program
    .command("worker")
    .summary("do the runs of sweeps, and evaluate for fits, that are handed over in a Redis")
    .description(
      "Joins the workers behind a Redis: does the runs of curvature sweep --redis and evaluates the subfunctions of\n" +
        "curvature fit --redis, until it is stopped.\n" +
        "It reads files of its data folder only, and takes no code from there.",
    )
    .optionsGroup("Pool:");
  addRedisOption(command)
    .requiredOption("--data <folder>", "the data: runs name their files from here", fileName)
    .option(
      "--concurrency <n>",
      "runs, and evaluations, at a time (default: the cores)",
      wholeNumber(1),
      availableParallelism(),
    )
    .option("--name <worker>", "what it is called in messages (default: host and process)");
  addTalkOptions(command)
    .addHelpText("after", `\n${help}`)
    .action(async (flags: WorkerFlags) => {
      const talk = { json: flags.json === true, quiet: flags.quiet === true, title: "worker", limits: {} };
      ended(await inSession(talk, (session) => work(flags, session)));
    });
}

async function work(flags: WorkerFlags, { talk, signal }: Session): Promise<number> {
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
  const shared = {
    data,
    concurrency: flags.concurrency,
    ...(flags.name !== undefined && { name: flags.name }),
  };
  const ending = new AbortController(); // what ends one of the two ends the other
  const both = AbortSignal.any([signal, ending.signal]);
  const end = (error: unknown): never => {
    ending.abort();
    throw error;
  };
  const units = serveUnits(url, {
    ...shared,
    module: runThread(),
    version: programVersion(),
    signal: both,
    onEvent: (event) => tell(event, talk),
  });
  const note = (sentence: string): void => talk.note(sentence);
  const subfunctions = serveRemoteSubfunctions({ ...shared, redis: url, signal: both, note });
  const [done] = await Promise.all([units.catch(end), subfunctions.catch(end)]);
  talk.summary([`The worker has left; it did ${done} runs.`], { runs: done, exitCode: exitCode.success });
  return exitCode.success;
}

function tell(event: WorkerEvent, talk: Talk): void {
  if (event.type === "joined") talk.note(`The worker ${event.name} has joined the pool at ${event.place}.`);
  else if (event.type === "started") talk.phase(`run ${event.unit}`);
  else if (event.type === "done") talk.note(`Done in ${event.seconds.toFixed(1)} s: ${event.unit}.`);
  else if (event.type === "failed") talk.warning(`A run failed (${event.unit}): ${event.reason}`);
  else if (event.type === "called-off") talk.note(`Stopped, since its sweep was: ${event.unit}.`);
  else talk.warning(`A run was given back (${event.unit}): ${event.reason}`);
}

const help = `A worker holds what it does by a lock that it renews: when it dies, another takes the run over after some seconds. A worker
that lacks a file of a run says so and gives the run back. All of a pool must have the same version of this program.

Exit codes:
  0    stopped by Ctrl-C or SIGTERM; runs under way were given back
  64   the command line is wrong
  74   the data folder cannot be read, Redis cannot be reached, or the pool has another version

Example:
  CURVATURE_REDIS=redis://:password@box:6379 npx @curvature/cli worker --redis --data /data --concurrency 4`;
