/**
 * The words of `curvature sweep`, and what its help says: for each command that a sweep can run there is one of its own
 * below `sweep`, with the options of both.
 */
import { integerFrom, oneOf } from "@curvature/linalg";
import { type Command, Option } from "commander";
import { by, fileName } from "../arguments.js";
import type { Setting } from "../sweep/run-arguments.js";
import { type Shard, shardFrom } from "../sweep/shards.js";
import { type Best, longName, optionsOf, type Sweepable } from "../sweep/sweepable.js";
import { addLogOptions, addRedisOption, type LogFlags, seedHelp } from "./common-options.js";

export interface SweepFlags extends LogFlags {
  readonly grid: readonly string[];
  readonly restarts: number;
  readonly seed: number;
  readonly compareBy?: string;
  readonly best?: Best;
  readonly out: string;
  readonly save: "best" | "all" | "none";
  readonly resume?: true;
  readonly shard?: Shard;
  readonly merge?: readonly string[];
  readonly concurrency?: number;
  /** True: the address is in the environment. */
  readonly redis?: string | true;
  readonly data?: string;
  readonly name?: string;
  readonly discard?: true;
}

/** The sweep's own options, which come before those of the command where names are the same. */
export function addSweepOptions(command: Command, { metrics, solverFigures }: Sweepable): Command {
  const fits = Object.keys(metrics);
  const others = Object.keys(solverFigures);
  command
    .optionsGroup("Sweep:")
    .addOption(
      new Option("--grid <name=values>", "try each of the values, as perplexity=5,10,30; may be given again")
        .argParser(gathered)
        .default([], "none"),
    )
    .option("--restarts <n>", "runs with seeds of their own at each point of the grid", by(integerFrom(1)), 1)
    .addOption(
      new Option(
        "--compare-by <name>",
        `compare the runs by one of: ${fits.join(", ")} (default: the first that all have), or by a figure of the solver: ${others.join(", ")}`,
      ).argParser(by(oneOf(...fits, ...others))),
    )
    .requiredOption("-o, --out <folder>", "reports of the runs, tables and a picture", fileName)
    .addOption(
      new Option(
        "--save <what>",
        "keep the map or model of the best run (best.csv, best.model), or of each run too (in runs/): best, all, none",
      )
        .argParser(by(oneOf("best", "all", "none")))
        .default("best"),
    )
    .option("--resume", "go on: what is in the folder already is not run again")
    .option("--seed <n>", seedHelp, by(integerFrom(0)), 0)
    .optionsGroup("Who does the work:")
    .option("--concurrency <n>", "runs at a time on this machine (default: its cores)", by(integerFrom(1)))
    .addOption(
      new Option(
        "--shard <i/n>",
        "do the i-th of n shares of the runs alone, for a job array; all into one folder of --out, or each into its own",
      ).argParser(shardFrom),
    )
    .option(
      "--merge <folder...>",
      "read the runs from the folders of shards; the results are those of one sweep",
    );
  addRedisOption(command)
    .option(
      "--data <folder>",
      "with --redis: the folder that files are named from (default: the working folder)",
      fileName,
    )
    .option("--name <sweep>", "with --redis: the same name and plan go on (default: from the plan)")
    .option("--discard", "with --redis: forget what an earlier sweep of this name has left there");
  return addLogOptions(command);
}

const gathered = (word: string, before: readonly string[]): readonly string[] => [...before, word];

/** Of an option that may be given again. */
const joined = (word: string, before?: string): string => (before === undefined ? word : `${before},${word}`);

/** The options of the command, as words: what they mean is the run's business. */
export function addForwardedOptions(command: Command, kind: Sweepable): Command {
  const own = new Set(command.options.map(longName));
  command.optionsGroup("Of each run:");
  for (const option of optionsOf(kind)) {
    if (own.has(longName(option))) continue;
    const word = new Option(option.flags, option.description);
    command.addOption(longName(option) === "ignore" ? word.argParser(joined) : word);
  }
  return command;
}

/** What was given of them, in the settings' form; a file is still its name. */
export function settingsIn(command: Command, kind: Sweepable): Readonly<Record<string, Setting>> {
  const settings: Record<string, Setting> = {};
  for (const option of optionsOf(kind)) {
    const mine = command.options.find((candidate) => candidate.flags === option.flags);
    if (mine === undefined || command.getOptionValueSource(mine.attributeName()) !== "cli") continue;
    const value: unknown = command.getOptionValue(mine.attributeName());
    if (option.negate ? value === false : value === true) settings[longName(option)] = true;
    else if (!option.negate && typeof value === "string") settings[longName(option)] = value;
  }
  return settings;
}

export const sweepHelp = `What a sweep writes, in the folder of --out:
  runs/            the report of each run, as JSON, in the command's own form; with --save all, its map or model beside it
  summary.csv      all runs in the order of the grid: settings, how they ended, every figure; the same whoever did the work, in whatever order
  summary.md       the best run by --compare-by, means over restarts, and the table, to read
  best.csv, best.model   the map or model of the best run, which is done once more for it unless all are saved
  picture.svg      the maps side by side, or the figure of each setting
  sweep.json       the plan

Exit codes:
  0    every run has a result
  2    some runs were refused, or failed (each was tried three times); the others have been written
  3    stopped by Ctrl-C or SIGTERM; what there was has been written, and --resume goes on from there
  4    no run has a result, though not every one was refused
  64   the command line is wrong, or what it asks of every run
  65   the data are wrong, or too large for the memory
  74   a file could not be read or written, or Redis could not be reached
  130  stopped at once by a second Ctrl-C (143: by a second SIGTERM)`;

export const sweepExamples = {
  verbatim: `Examples:
  npx @curvature/cli sweep embed digits.csv --labels digit --grid perplexity=5,10,30,50 --grid method=tsne,ssne --restarts 3 --out results
  npx @curvature/cli sweep train mail.svm --grid lambda=1e-5,1e-4,1e-3 --folds 5 --out weights
  npx @curvature/cli sweep embed digits.csv --grid perplexity=5,50 --shard 1/2 --out shard-1   # on one machine, 2/2 on another; then, with both folders:
  npx @curvature/cli sweep embed digits.csv --grid perplexity=5,50 --merge shard-1 shard-2 --out results
  npx @curvature/cli sweep embed digits.csv --grid perplexity=5,50 --redis redis://box:6379 --data /data --out results`,
};
