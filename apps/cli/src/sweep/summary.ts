/**
 * All runs in one table, in the order of the plan: what was set, how it ended, every figure. No seconds, no names of
 * machines: the table is the same whoever did the work.
 */
import { printable } from "@curvature/linalg";
import { isStatus, type Status } from "@curvature/optim-core";
import { shortNumber } from "../run/terminal.js";
import type { Axis } from "./grid.js";
import type { RunOutcome } from "./run-unit.js";
import type { Best } from "./sweepable.js";

export interface Run {
  /** From 1. */
  readonly number: number;
  readonly id: string;
  /** Words of the grid's axes, in their order. */
  readonly values: readonly string[];
  readonly seed: number;
  /** What the run has saved, in the folder of results, by its options; undefined where runs save nothing. */
  readonly files: Readonly<Record<string, string>> | undefined;
  readonly end:
    | { readonly kind: "done"; readonly outcome: RunOutcome }
    | { readonly kind: "failed"; readonly reason: string }
    | { readonly kind: "missing" };
}

export interface Metric {
  readonly name: string;
  readonly best: Best;
}

/** All finite figures of a report by name: those of the result, the metrics, and one level deeper, as crossValidation.mean. */
export function figuresOf({ report }: RunOutcome): ReadonlyMap<string, number> {
  const figures = new Map<string, number>();
  collect(report["result"], "", 0, figures);
  collect(report["metrics"], "", 1, figures);
  return figures;
}

function collect(value: unknown, before: string, depth: number, figures: Map<string, number>): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  for (const [name, part] of Object.entries(value)) {
    if (/seconds/i.test(name)) continue;
    if (typeof part === "number" && Number.isFinite(part)) figures.set(before + name, part);
    else if (depth > 0) collect(part, `${before}${name}.`, depth - 1, figures);
  }
}

function statusOf({ report }: RunOutcome): Status | "" {
  const result = report["result"];
  if (typeof result !== "object" || result === null || !("status" in result)) return "";
  return isStatus(result.status) ? result.status : "";
}

export const figureOf = (run: Run, name: string): number | undefined =>
  run.end.kind === "done" ? figuresOf(run.end.outcome).get(name) : undefined;

/** The first of the metrics that all runs have that were done. */
export function usualMetric(
  runs: readonly Run[],
  metrics: Readonly<Record<string, Best>>,
): Metric | undefined {
  const done = runs.filter(({ end }) => end.kind === "done");
  if (done.length === 0) return undefined;
  const found = Object.entries(metrics).find(([name]) =>
    done.every((run) => figureOf(run, name) !== undefined),
  );
  return found === undefined ? undefined : { name: found[0], best: found[1] };
}

/** The best run, the first one of equals; a run that did not end well is none. */
export function bestRun(runs: readonly Run[], { name, best }: Metric): Run | undefined {
  let leader: Run | undefined;
  let record = best === "lowest" ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  for (const run of runs) {
    const figure = isUsable(run) ? figureOf(run, name) : undefined;
    if (figure === undefined || (best === "lowest" ? figure >= record : figure <= record)) continue;
    leader = run;
    record = figure;
  }
  return leader;
}

const isUsable = ({ end }: Run): boolean =>
  end.kind === "done" && !["diverged", "failed"].includes(statusOf(end.outcome));

/** The table's cells, the header first. */
export function tableOf(runs: readonly Run[], axes: readonly Axis[]): (string | number)[][] {
  const names = new Set<string>();
  for (const { end } of runs) {
    if (end.kind === "done") for (const name of figuresOf(end.outcome).keys()) names.add(name);
  }
  const figures = [...names];
  const header = ["run", ...axes.map(({ name }) => name), "seed", "status", ...figures, "reason"];
  const options = [...new Set(runs.flatMap(({ files }) => Object.keys(files ?? {})))];
  header.push(...options.map((option) => `${option}File`));
  const rows = runs.map((run) => [
    run.number,
    ...run.values,
    run.seed,
    endWord(run),
    ...figures.map((name) => figureOf(run, name) ?? ""),
    run.end.kind === "failed" ? printable(run.end.reason) : "",
    ...options.map((option) => run.files?.[option] ?? ""),
  ]);
  return [header, ...rows];
}

function endWord({ end }: Run): string {
  if (end.kind === "missing") return "not run";
  return end.kind === "failed" ? "failed" : statusOf(end.outcome);
}

export interface Heading {
  readonly title: string;
  /** What all runs have in common, in words. */
  readonly lines: readonly string[];
  readonly picture: string | undefined;
}

/** The summary for people, in Markdown: the best run, settings by their means over restarts, all runs. */
export function summaryText(
  runs: readonly Run[],
  axes: readonly Axis[],
  metric: Metric | undefined,
  { title, lines, picture }: Heading,
): string {
  const best = metric === undefined ? undefined : bestRun(runs, metric);
  const parts = [`# ${cell(title)}`, "", ...lines.map((line) => `${cell(line)}  `), ""];
  parts.push(bestSentence(runs, best, axes, metric), "");
  if (picture !== undefined) parts.push(`![The runs](${picture})`, "");
  if (metric !== undefined && new Set(runs.map(({ seed }) => seed)).size > 1 && axes.length > 0) {
    parts.push(`## ${cell(metric.name)} by setting`, "", ...settingRows(runs, axes, metric), "");
  }
  parts.push("## All runs", "", ...markdownRows(shownTable(runs, axes, metric)), "");
  const failed = runs.flatMap(({ number, end }) =>
    end.kind === "failed" ? [`- Run ${number}: ${cell(end.reason)}`] : [],
  );
  if (failed.length > 0) parts.push("## Failed", "", ...failed, "");
  const uncompared = metric === undefined ? [] : withoutFigure(runs, metric);
  if (metric !== undefined && uncompared.length > 0) {
    const list = uncompared.map((run) => `- Run ${run.number}: ${cell(settingWords(run, axes))}`);
    parts.push(`## Without ${cell(metric.name)}, and so not compared`, "", ...list, "");
  }
  return `${parts.join("\n").trimEnd()}\n`;
}

export function bestSentence(
  runs: readonly Run[],
  best: Run | undefined,
  axes: readonly Axis[],
  metric: Metric | undefined,
): string {
  const lacking = (some: readonly Run[], what: string): string =>
    some.length === 0
      ? ""
      : ` ${some.length} of ${runs.length} runs ${some.length === 1 ? "has" : "have"} no ${what}.`;
  const rest =
    lacking(
      runs.filter(({ end }) => end.kind !== "done"),
      "result",
    ) + (metric === undefined ? "" : lacking(withoutFigure(runs, metric), metric.name));
  const figure = best === undefined || metric === undefined ? undefined : figureOf(best, metric.name);
  if (best === undefined || metric === undefined || figure === undefined)
    return `No run has a figure to compare.${rest}`;
  return `Best by ${metric.name} (the ${metric.best}): run ${best.number}, ${settingWords(best, axes)}, with ${shortNumber(figure)}.${rest}`;
}

/** Runs with a result that cannot be compared: it has no such figure, or the figure is no number. */
const withoutFigure = (runs: readonly Run[], { name }: Metric): Run[] =>
  runs.filter((run) => run.end.kind === "done" && figureOf(run, name) === undefined);

export const settingWords = ({ values, seed }: Run, axes: readonly Axis[]): string =>
  [...axes.map(({ name }, k) => `${name} ${values[k]}`), `seed ${seed}`].join(", ");

/** Runs that differ in their seeds alone, in the order of the plan. */
export function bySetting(runs: readonly Run[]): readonly (readonly Run[])[] {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const key = JSON.stringify(run.values);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [run]);
    else group.push(run);
  }
  return [...groups.values()];
}

function settingRows(runs: readonly Run[], axes: readonly Axis[], { name }: Metric): string[] {
  const header = [...axes.map((axis) => axis.name), "runs", "mean", "lowest", "highest"];
  const rows = bySetting(runs).map((group) => {
    const figures = group.map((run) => figureOf(run, name)).filter((figure) => figure !== undefined);
    const mean = figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
    const words =
      figures.length === 0
        ? ["", "", ""]
        : [mean, Math.min(...figures), Math.max(...figures)].map(shortNumber);
    return [...group[0].values, figures.length, ...words];
  });
  return markdownRows([header, ...rows]);
}

/** The table without what would make it too wide to read: figures that are the same in all runs. */
function shownTable(
  runs: readonly Run[],
  axes: readonly Axis[],
  metric: Metric | undefined,
): (string | number)[][] {
  const [header, ...rows] = tableOf(runs, axes);
  const fixed = axes.length + 3;
  const reason = header.indexOf("reason");
  const shown = header.flatMap((name, k) => {
    if (k >= reason) return [];
    const differs = new Set(rows.map((row) => row[k])).size > 1;
    return k < fixed || name === metric?.name || differs ? [k] : [];
  });
  return [header, ...rows].map((row, r) =>
    shown.map((k) => {
      const value = row[k];
      return r > 0 && k >= fixed && typeof value === "number" && !Number.isInteger(value)
        ? shortNumber(value)
        : value;
    }),
  );
}

function markdownRows([header, ...rows]: readonly (readonly (string | number)[])[]): string[] {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((word) => cell(String(word))).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)];
}

/** A word that can neither end a cell nor become markup. */
const cell = (word: string): string => printable(word).replace(/[\\|<>`*_[\]]/g, "\\$&");
