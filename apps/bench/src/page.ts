/**
 * The page of results, docs/results/README.md: for each paper its experiments with their claims, what came out (the
 * findings of the last full runs), the command and the time, made from what lies beside it.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { experiments, papers } from "./experiments.ts";
import { type Experiment, fullRuns } from "./registry/experiment.ts";
import { drawTables } from "./report.ts";

const folder = fileURLToPath(new URL("../../../docs/results/", import.meta.url));

/** Writes the page, and draws the pictures of all tables anew. Returns its path. */
export function writePage(): string {
  const path = `${folder}README.md`;
  for (const experiment of experiments) {
    const [paper] = experiment.name.split("/");
    for (const { name } of resultsOf(experiment)) drawTables(`${folder}${paper}`, name);
  }
  writeFileSync(path, pageText());
  return path;
}

export function pageText(): string {
  const hours = (experiments.reduce((sum, one) => sum + secondsOf(one), 0) / 3600).toFixed(1);
  const sections = Object.entries(papers).flatMap(([paper, title]) => {
    const own = experiments.filter(({ name }) => name.startsWith(`${paper}/`));
    return own.length === 0 ? [] : [`## ${title}`, "", ...own.flatMap(sectionOf)];
  });
  return [
    "# Results",
    "",
    "Written by `npm run bench -- page` from the files in this folder. Every experiment is one command, which states a claim (a paper's, or one of ours; what came out stands below it, whether it holds or not), its data and its method, and writes a table (Markdown and JSON) and its pictures; `npm run bench -- list` names them, `--quick` gives a first look in seconds. Behind each result stands how long its run took, " +
      `${hours} hours for all of them. [How it is measured](../../apps/bench/README.md).`,
    "",
    ...sections,
  ].join("\n");
}

interface Result {
  readonly name: string;
  readonly findings: readonly string[];
  readonly seconds: number;
}

/** Results of an experiment that are there. */
export function resultsOf(experiment: Experiment): Result[] {
  const [paper] = experiment.name.split("/");
  return Object.keys(fullRuns(experiment))
    .map((name) => ({ name, path: `${folder}${paper}/${name}.json` }))
    .filter(({ path }) => existsSync(path))
    .map(({ name, path }) => {
      const { findings, seconds }: Omit<Result, "name"> = JSON.parse(readFileSync(path, "utf8"));
      return { name, findings, seconds };
    });
}

function sectionOf(experiment: Experiment): string[] {
  const { name, claim } = experiment;
  const [paper] = name.split("/");
  const results = resultsOf(experiment).flatMap((result) => {
    const lines = result.findings.map((finding) => `- ${finding.replaceAll("\n", " ")}`);
    const time = duration(result.seconds);
    return [`[${result.name}](${paper}/${result.name}.md) (${time}):`, "", ...lines, ""];
  });
  return [
    `### ${name}`,
    "",
    `Claim: ${claim}. \`npm run bench -- ${name}\``,
    "",
    ...(results.length === 0 ? [`No result: ${experiment.unmeasured ?? "not run"}.`, ""] : results),
  ];
}

/** Wall clock of the full runs that there are results of. */
export const secondsOf = (experiment: Experiment): number =>
  resultsOf(experiment).reduce((sum, { seconds }) => sum + seconds, 0);

export const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
