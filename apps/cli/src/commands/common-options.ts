/**
 * The options that commands have in common, with one meaning, and the help that goes with them.
 */
import { type Command, Option } from "commander";
import { fileName, nonNegativeNumber, numberAbove, oneOf, wholeNumber } from "../arguments.js";
import { usageError } from "../run/failure.js";
import { type Scaling, scalings } from "../tasks/scaling.js";

/** How a command logs. */
export interface LogFlags {
  readonly json?: true;
  readonly quiet?: true;
}

/** When a run ends, and what it leaves behind; what is undefined was not given. */
export interface SolverFlags extends LogFlags {
  readonly seed: number;
  readonly maxIterations?: number;
  readonly maxEvaluations?: number;
  readonly maxPasses?: number;
  readonly maxSeconds?: number;
  readonly tolerance?: number;
  readonly checkpoint?: string;
  readonly checkpointEvery: number;
  readonly resume?: true;
}

/** What is common to all commands that learn from a table of points. */
export interface RunFlags extends SolverFlags {
  readonly scale: Scaling;
}

export function addRunOptions(command: Command): Command {
  command
    .optionsGroup("Data:")
    .addOption(
      new Option("--scale <how>", `rescale the data first: ${scalings.join(", ")}`)
        .default("none")
        .argParser(oneOf(scalings)),
    );
  return addSolverOptions(command);
}

/** @param work - what the method's work is counted in: evaluations of a whole, or passes over a sum */
export function addSolverOptions(command: Command, work: "evaluations" | "passes" = "evaluations"): Command {
  command
    .optionsGroup("Stopping (the first rule that holds):")
    .option("--max-iterations <n>", "iterations", wholeNumber(1))
    .addOption(
      work === "evaluations"
        ? new Option("--max-evaluations <n>", "evaluations of the objective").argParser(wholeNumber(1))
        : new Option("--max-passes <n>", "passes over the data").argParser(numberAbove(0)),
    )
    .option("--max-seconds <s>", "seconds in the solver", numberAbove(0))
    .option("--tolerance <t>", "relative change, see below; 0 switches this rule off", nonNegativeNumber);
  return addCheckpointOptions(command);
}

/** Seed, checkpoints and log. */
export function addCheckpointOptions(command: Command): Command {
  addSeedOption(command.optionsGroup("Run:"))
    .option("--checkpoint <file>", "keep the state of the run in this file", fileName)
    .option("--checkpoint-every <s>", "seconds between two checkpoints", nonNegativeNumber, 30)
    .option("--resume", "go on from the checkpoint, with the same data and options");
  return addLogOptions(command);
}

export const addSeedOption = (command: Command): Command =>
  command.option("--seed <n>", "seed of all random numbers", wholeNumber(0), 0);

export const addLogOptions = (command: Command): Command =>
  command
    .optionsGroup("Log (on standard error):")
    .option("--json", "progress, result and errors as JSON lines")
    .option("--quiet", "errors only");

/** @throws CurvatureError ERR_OPTION for options that make no sense together */
export function checkRunFlags(flags: SolverFlags): void {
  if (flags.resume && flags.checkpoint === undefined) {
    throw usageError("--resume needs --checkpoint <file>, the file to go on from.", "resume");
  }
  if (flags.checkpoint === "-") {
    throw usageError("--checkpoint needs a file; it cannot be a standard stream.", "checkpoint");
  }
}

export const exitCodeHelp = `Exit codes:
  0    converged, or the schedule of --solver auto ran to its end
  2    stopped at a limit, or stalled, with a usable result
  3    aborted by Ctrl-C or SIGTERM; what there was has been written
  4    diverged or failed; the best finite point has been written if there was one
  64   the command line is wrong
  65   the data, or a checkpoint, is wrong, or too large for the memory
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
