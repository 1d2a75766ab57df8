/**
 * Runs experiments, each in a process of its own.
 *
 *   npm run bench -- list
 *   npm run bench -- <paper>/<name> [--quick] [--data folder] [the experiment's own arguments]
 *   npm run bench -- all [--quick] [--data folder]
 *   npm run bench -- page
 *
 * Full runs write to docs/results/, and its page after them; first looks (`--quick`) to the system's folder for temporary files.
 * What an experiment needs and is not there is told; that and a failure do not stop the others. Ends with 0 if all that
 * was asked for was done, 1 if something failed, 2 if something was left out, 64 for a command that makes no sense.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { experiments } from "./experiments.ts";
import { type DataKind, dataFolder, hasProgram, missingData, missingProgram } from "./needs.ts";
import { duration, secondsOf, writePage } from "./page.ts";
import { type Experiment, fullRuns, ownName } from "./registry/experiment.ts";

interface Request {
  readonly name: string;
  readonly isQuick: boolean;
  readonly root: string | undefined;
  /** The experiment's own. */
  readonly rest: readonly string[];
}

type Ending = "done" | "failed" | "left out" | "refused";

/** The exit code for a command that makes no sense, and of an experiment that does not know its arguments. */
const refusal = 64;
/** That of an experiment that finds nothing to measure on, which it has said. */
const leftOut = 2;

const usage =
  "Usage: npm run bench -- list | page | all [--quick] [--data folder] | <paper>/<name> [--quick] [--data folder] [its own arguments]";

/** @returns a sentence if it makes no sense */
function requestOf(words: readonly string[]): Request | string {
  const [name, ...options] = words.filter((word) => word !== "--");
  if (name === undefined || name.startsWith("-")) return usage;
  const at = options.indexOf("--data");
  if (at >= 0 && options[at + 1] === undefined) return usage;
  const rest = options.filter((word, k) => word !== "--quick" && (at < 0 || (k !== at && k !== at + 1)));
  const [unknown] = name === "list" || name === "page" ? options : name === "all" ? rest : [];
  if (unknown !== undefined) return `\`${name}\` takes no ${JSON.stringify(unknown)}. ${usage}`;
  const root = at < 0 ? process.env.CURVATURE_BENCH_DATA : options[at + 1];
  if (root !== undefined && !existsSync(root)) return `There is no folder ${JSON.stringify(root)} with data.`;
  return { name, isQuick: options.includes("--quick"), root, rest };
}

/** What is missing, in words. */
function missing({ data = [], programs = [] }: Experiment, { isQuick, root }: Request): string[] {
  const isNeeded = (when: "always" | "full" | "never"): boolean =>
    when === "always" || (when === "full" && !isQuick);
  return [
    ...data
      .filter((one) => isNeeded(one.isNeeded) && dataFolder(root, one.kind) === undefined)
      .map(({ kind }) => missingData(kind)),
    ...(isQuick ? [] : programs.filter((program) => !hasProgram(program)).map(missingProgram)),
  ];
}

function dataArguments({ data = [] }: Experiment, root: string | undefined): string[] {
  const folderOf = (kind: DataKind): string | undefined => dataFolder(root, kind);
  return data.flatMap(({ option, kind }) => {
    const folder = folderOf(kind);
    return folder === undefined ? [] : [option, folder];
  });
}

/** The arguments of each of its runs; a run with arguments of the request's own is the first of them. */
function runsOf(experiment: Experiment, { isQuick, rest }: Request): string[][] {
  if (isQuick) return [["--quick", ...(experiment.quick ?? []), ...rest]];
  const runs = Object.entries(fullRuns(experiment)).map(([result, words]) =>
    result === ownName(experiment) ? [...words, ...rest] : [...words, "--name", result],
  );
  return rest.length === 0 ? runs : runs.slice(0, 1);
}

function runOne(experiment: Experiment, request: Request, isQuiet: boolean): Ending {
  const lacks = missing(experiment, request);
  if (lacks.length > 0) {
    process.stderr.write(`${experiment.name} is left out: ${lacks.join("; ")}\n`);
    return "left out";
  }
  const script = fileURLToPath(new URL(`experiments/${experiment.name}.ts`, import.meta.url));
  const data = dataArguments(experiment, request.root);
  const began = performance.now();
  const codes = runsOf(experiment, request).map((words) => {
    const { status, stderr } = spawnSync(process.execPath, [script, ...data, ...words], {
      encoding: "utf8",
      stdio: ["ignore", isQuiet ? "ignore" : "inherit", isQuiet ? "pipe" : "inherit"],
      maxBuffer: 2 ** 28,
    });
    if (status !== 0 && isQuiet)
      process.stderr.write(`${stderr.trimEnd().split("\n").slice(-12).join("\n")}\n`);
    return status;
  });
  if (codes.includes(refusal)) return "refused";
  if (codes.includes(leftOut)) return "left out";
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const isDone = codes.every((code) => code === 0);
  process.stderr.write(`${experiment.name}: ${isDone ? "done" : "FAILED"}, ${seconds} s\n`);
  return isDone ? "done" : "failed";
}

function runAll(request: Request): number {
  const began = performance.now();
  const endings = experiments.map((experiment) => runOne(experiment, request, true));
  const count = (ending: Ending): number => endings.filter((each) => each === ending).length;
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  process.stdout.write(
    `${count("done")} done, ${count("failed")} failed, ${count("left out")} left out, ${minutes} minutes\n`,
  );
  if (count("failed") > 0) return 1;
  return count("left out") > 0 ? leftOut : 0;
}

function list(): void {
  const width = Math.max(...experiments.map(({ name }) => name.length));
  const lines = experiments.map((experiment) => {
    const { name, claim, data = [], programs = [] } = experiment;
    const seconds = secondsOf(experiment);
    const needs = [
      ...data.filter(({ isNeeded }) => isNeeded !== "never").map(({ kind }) => `data ${kind}`),
      ...programs,
    ];
    const notes = [
      ...(needs.length === 0 ? [] : [`needs ${needs.join(", ")}`]),
      ...(seconds === 0 ? [] : [`took ${duration(seconds)}`]),
    ];
    return `${name.padEnd(width)}  claim: ${claim}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}\n`;
  });
  process.stdout.write(lines.join(""));
}

function execute(request: Request): number {
  if (request.name === "list") {
    list();
    return 0;
  }
  if (request.name === "page") {
    process.stdout.write(`${writePage()}\n`);
    return 0;
  }
  const experiment = experiments.find(({ name }) => name === request.name);
  if (experiment === undefined && request.name !== "all") {
    process.stderr.write(`There is no experiment ${request.name}; \`npm run bench -- list\` names them.\n`);
    return refusal;
  }
  const codes = { done: 0, failed: 1, "left out": leftOut, refused: refusal };
  const code = experiment === undefined ? runAll(request) : codes[runOne(experiment, request, false)];
  if (!request.isQuick && code !== refusal) writePage();
  return code;
}

function main(words: readonly string[]): number {
  if (words.includes("--help")) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const request = requestOf(words);
  if (typeof request !== "string") return execute(request);
  process.stderr.write(`${request}\n`);
  return refusal;
}

process.exitCode = main(process.argv.slice(2));
