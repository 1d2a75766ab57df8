/**
 * The page of results, docs/results/README.md: for each paper its experiments with their claims, what came out (the
 * findings of the last full runs), the command and the time, made from what lies beside it.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { experiments, papers } from "./experiments.ts";
import { type Experiment, fullRuns } from "./registry/experiment.ts";

const folder = fileURLToPath(new URL("../../../docs/results/", import.meta.url));

/** Writes the page. Returns its path. */
export function writePage(): string {
  const path = `${folder}README.md`;
  writeFileSync(path, pageText());
  return path;
}

export function pageText(): string {
  const tabled = experiments.flatMap(resultsOf);
  const unwritten = tabled.filter(({ findings }) => findings === undefined);
  const sections = Object.entries(papers).flatMap(([paper, title]) => {
    const own = experiments.filter(({ name }) => name.startsWith(`${paper}/`));
    return own.length === 0 ? [] : [`## ${title}`, "", ...own.flatMap(sectionOf)];
  });
  return [
    "# Results",
    "",
    "Written by `npm run bench -- page` from the files in this folder. Every experiment is one command, which states a claim (a paper's, or one of ours; what came out stands below it, whether it holds or not), its data and its method, and writes a table (Markdown and JSON) and its pictures; `npm run bench -- list` names them, `--quick` gives a first look in seconds. [How it is measured](../../apps/bench/README.md).",
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

interface Result {
  readonly name: string;
  /** Undefined where a table was written by an earlier form of the program. */
  readonly findings: readonly string[] | undefined;
  readonly seconds: number | undefined;
}

/** Results of an experiment that are there. */
export function resultsOf(experiment: Experiment): Result[] {
  const [paper] = experiment.name.split("/");
  return Object.keys(fullRuns(experiment))
    .filter((name) => existsSync(`${folder}${paper}/${name}.md`))
    .map((name) => {
      const path = `${folder}${paper}/${name}.json`;
      if (!existsSync(path)) return { name, findings: undefined, seconds: undefined };
      const { findings, seconds } = JSON.parse(readFileSync(path, "utf8"));
      return { name, findings, seconds };
    });
}

function sectionOf(experiment: Experiment): string[] {
  const { name, claim, minutes } = experiment;
  const [paper] = name.split("/");
  const results = resultsOf(experiment).flatMap((result) => {
    const { findings = ["See the table."], seconds = minutes === undefined ? undefined : 60 * minutes } =
      result;
    const time = seconds === undefined ? "" : ` (${duration(seconds)})`;
    const lines = findings.map((finding) => `- ${finding.replaceAll("\n", " ")}`);
    return [`[${result.name}](${paper}/${result.name}.md)${time}:`, "", ...lines, ""];
  });
  return [
    `### ${name}`,
    "",
    `Claim: ${claim}. \`npm run bench -- ${name}\``,
    "",
    ...(results.length === 0 ? ["No result: not run.", ""] : results),
  ];
}

const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
