/**
 * The page of results, docs/results/README.md: for each paper its experiments with their claims, what came out (the
 * first finding of the last full run), the command and the time, made from what lies beside it.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Experiment, experiments, papers } from "./experiments.ts";

const folder = fileURLToPath(new URL("../../../docs/results/", import.meta.url));

/** Writes the page. Returns its path. */
export function writePage(): string {
  const path = `${folder}README.md`;
  writeFileSync(path, pageText());
  return path;
}

export function pageText(): string {
  const tabled = experiments.flatMap(resultsOf);
  const unwritten = tabled.filter(({ finding }) => finding === undefined);
  const sections = Object.entries(papers).flatMap(([paper, title]) => {
    const own = experiments.filter(({ name }) => name.startsWith(`${paper}/`));
    return own.length === 0 ? [] : [`## ${title}`, "", ...header, ...own.map(lineOf), ""];
  });
  return [
    "# Results",
    "",
    "Written by `npm run bench -- page` from the files in this folder. Every experiment is one command, which states its claim, its data and its method, and writes a table (Markdown and JSON) and its pictures; `npm run bench -- list` names them, `--quick` gives a first look in seconds. [How it is measured](../../apps/bench/README.md).",
    "",
    ...sections,
    ...(unwritten.length === 0
      ? []
      : [
          `Of ${unwritten.length} results there is a table, but no finding in words and no JSON: they are of an earlier form of the program, and get both with their next full run.`,
          "",
        ]),
  ].join("\n");
}

const header = ["| experiment | claim | what came out | command | time |", "|---|---|---|---|---|"];

interface Result {
  readonly name: string;
  /** Undefined where a table was written by an earlier form of the program. */
  readonly finding: string | undefined;
  readonly seconds: number | undefined;
}

/** Results of an experiment that are there. */
export function resultsOf({ name, results }: Experiment): Result[] {
  const [paper, own] = name.split("/");
  return (results ?? [own])
    .filter((result) => existsSync(`${folder}${paper}/${result}.md`))
    .map((result) => {
      const path = `${folder}${paper}/${result}.json`;
      if (!existsSync(path)) return { name: result, finding: undefined, seconds: undefined };
      const { findings = [], seconds } = JSON.parse(readFileSync(path, "utf8"));
      return { name: result, finding: findings[0], seconds };
    });
}

function lineOf(experiment: Experiment): string {
  const { name, claim, minutes, unmeasured } = experiment;
  const [paper, own] = name.split("/");
  const results = resultsOf(experiment);
  const links = results.map((result) => `[${result.name}](${paper}/${result.name}.md)`);
  const found = results.map(({ finding }) => finding).filter((finding) => finding !== undefined);
  const outcome =
    results.length === 0
      ? `no result: ${unmeasured ?? "not run"}`
      : found.length === 0
        ? "see the table"
        : found.join(" ");
  const seconds = results.map((result) => result.seconds).find((time) => time !== undefined);
  const time =
    seconds !== undefined ? duration(seconds) : minutes === undefined ? "-" : duration(60 * minutes);
  const cells = [
    links.length === 0 ? own : links.join(", "),
    claim,
    outcome,
    `\`npm run bench -- ${name}\``,
    time,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}

const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
