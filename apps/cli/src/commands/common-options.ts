/**
 * The options that commands have in common, with one meaning, and the help that goes with them.
 */
import { nonNegative, type OptionEntries, oneOf } from "@curvature/linalg";
import type { Command } from "commander";
import { by, fileName } from "../arguments.js";
import { usageError } from "../run/failure.js";
import { type Scaling, scalings } from "../tasks/scaling.js";
import type { CheckpointRequest } from "../write/checkpoint-file.js";
import type { TableFlags } from "./table-flags.js";

/** How a command logs. */
export interface LogFlags {
  readonly json?: true;
  readonly quiet?: true;
}

/** What a run leaves behind to go on from. */
export interface CheckpointFlags extends LogFlags {
  readonly checkpoint?: string;
  readonly checkpointEvery: number;
  readonly resume?: true;
}

/** Of data that are rescaled before anything else is done with them. */
export interface ScaleFlags {
  readonly scale: Scaling;
}

export const addScaleOption = (command: Command): Command =>
  command.option(
    "--scale <how>",
    `rescale the data first: ${scalings.join(", ")}`,
    by(oneOf(...scalings)),
    "none",
  );

/** What ends a run. */
const limits = {
  maxIterations: "iterations",
  maxEvaluations: "evaluations of the objective",
  maxPasses: "passes over the data",
  maxSeconds: "seconds in the solver",
  tolerance: "relative change, see below; 0 switches this rule off",
};

/**
 * The limits that the table knows, seed, checkpoints and log.
 *
 * @param said - of limits that mean something else here
 */
export function addRunOptions<E extends OptionEntries & { readonly seed: OptionEntries[string] }>(
  command: Command,
  flags: TableFlags<E>,
  said: Partial<typeof limits> = {},
): Command {
  command.optionsGroup("Stopping (the first rule that holds):");
  for (const [name, help] of Object.entries({ ...limits, ...said }))
    if (flags.knows(name)) command.addOption(flags.flag(name, "<n>", help));
  command.optionsGroup("Run:").addOption(flags.flag("seed", "<n>", seedHelp));
  command
    .option("--checkpoint <file>", "keep the state of the run in this file", fileName)
    .option("--checkpoint-every <s>", "seconds between two checkpoints", by(nonNegative), 30)
    .option("--resume", "go on from the checkpoint, with the same data and options");
  return addLogOptions(command);
}

export const checkpointOf = ({
  checkpoint,
  checkpointEvery,
  resume,
}: CheckpointFlags): CheckpointRequest | undefined =>
  checkpoint === undefined
    ? undefined
    : { path: checkpoint, everySeconds: checkpointEvery, resume: resume === true };

export const seedHelp = "seed of all random numbers";

export const addLogOptions = (command: Command): Command =>
  command
    .optionsGroup("Log (on standard error):")
    .option("--json", "progress, result and errors as JSON lines")
    .option("-q, --quiet", "errors only");

/** @throws CurvatureError ERR_OPTION for options that make no sense together */
export function checkRunFlags(flags: CheckpointFlags): void {
  if (flags.resume && flags.checkpoint === undefined) {
    throw usageError("--resume needs --checkpoint <file>, the file to go on from.", "resume");
  }
  if (flags.checkpoint === "-") {
    throw usageError("--checkpoint needs a file; it cannot be a standard stream.", "checkpoint");
  }
}

export const exitCodeHelp = `Exit codes:
  0    converged, or a method's schedule ran to its end: --solver auto, the passes of fit and of methods that visit rows
  2    stopped at a limit, or stalled, with a usable result
  3    aborted by Ctrl-C or SIGTERM; what there was has been written
  4    diverged or failed; the best finite point has been written if there was one
  64   the command line is wrong
  65   the data, or a checkpoint, is wrong, or too large for the memory
  69   no GPU, where one was asked for (embed --device gpu)
  74   a file could not be read or written
  130  stopped at once by a second Ctrl-C (143: by a second SIGTERM)`;

/** @param words - what is done there */
export const addRedisOption = (
  command: Command,
  words = "hand the runs to the workers there: redis://host:6379 (without a url: that in CURVATURE_REDIS)",
): Command => command.option("--redis [url]", words);

/** The address, from the command line or the environment, where no list of processes shows it. */
export function redisAddress(option: string | true): string {
  const url = option === true ? process.env["CURVATURE_REDIS"] : option;
  if (url !== undefined && url !== "") return url;
  throw usageError(
    "--redis needs the address of a Redis, here or in CURVATURE_REDIS: redis://host:6379.",
    "redis",
  );
}
