/** A model's figures, for people and for reports. */
import { printable } from "@curvature/linalg";
import type { Interval, Label } from "@curvature/optim-sgdqn";
import { commandLine } from "../run/command-line.js";
import { count, shortNumber } from "../run/terminal.js";
import type { Decision } from "../tasks/decision.js";
import type { Choice, Intervals } from "../tasks/evaluation.js";
import type { Figures } from "../tasks/linear-model.js";

const share = (value: number | undefined): string => (value === undefined ? "-" : value.toFixed(4));
export const percent = (value: number): string => `${(100 * value).toFixed(2)} %`;

/** The figure that stands for all: the error of classes, R² of numbers. */
export function headline(figures: Figures): string {
  if (figures.kind === "classification")
    return `${percent(figures.error)} wrong of ${count(figures.rows)} rows`;
  const { r2, rootMeanSquaredError } = figures;
  return `R² ${r2 === undefined ? "unknown" : r2.toFixed(4)}, root mean squared error ${shortNumber(rootMeanSquaredError)} of ${count(figures.rows)} rows`;
}

/** Everything, as lines of a table. */
export function evaluationLines(
  figures: Figures,
  decision: Decision | undefined,
  intervals: Intervals | undefined,
): string[] {
  const lines: string[] = [];
  const figure = (name: string, value: string): unknown => lines.push(`${name.padEnd(24)}${value}`);
  figure("rows", count(figures.rows));
  if (figures.kind === "regression") {
    figure("R²", share(figures.r2));
    figure("root mean squared error", shortNumber(figures.rootMeanSquaredError));
    figure("mean absolute error", shortNumber(figures.meanAbsoluteError));
    return lines;
  }
  const off = (interval: Interval | undefined, by: string, shown = share): string =>
    interval === undefined ? "" : `   95 %: ${shown(interval[0])} to ${shown(interval[1])} (${by})`;
  const { error, areaUnderCurve, logLoss } = figures;
  if (decision?.threshold !== undefined)
    figure("threshold", `${shortNumber(decision.threshold)}   above it ${nameOf(decision.positive)}`);
  figure("error", percent(error) + off(intervals?.error, "Wilson", (value) => percent(value ?? 0)));
  if (areaUnderCurve !== undefined)
    figure("area under the curve", share(areaUnderCurve) + off(intervals?.areaUnderCurve, "DeLong"));
  if (logLoss !== undefined)
    figure("log loss", share(logLoss) + off(intervals?.logLoss, "of the mean's logarithm"));
  const of = decision === undefined ? "mean over the classes" : `of ${nameOf(decision.positive)}`;
  figure("precision", `${share(figures.precision)}   ${of}`);
  figure("recall", share(figures.recall));
  figure("F1", share(figures.f1));
  return [...lines, "", ...classTable(figures.classes), "", ...confusionTable(figures)];
}

/** The threshold that was chosen, with the command that uses it. */
export function choiceLines(choice: Choice | undefined, model: string, file: string): string[] {
  if (choice === undefined) return [];
  const { by, positive, threshold, value, own } = choice;
  const what = by === "f1" ? "largest F1" : "least mean cost";
  const words = ["predict", model, file, "--positive", String(positive), "--threshold", String(threshold)];
  return [
    "",
    `The ${what} on these rows, ${share(value)}, is that of the threshold ${threshold} (as the model decides: ${share(own)}):`,
    `  ${printable(commandLine(words))}`,
  ];
}

type Classification = Extract<Figures, { kind: "classification" }>;

function classTable(classes: Classification["classes"]): string[] {
  const rows = classes.map(({ label, precision, recall, f1, count: rowsOf }) => [
    nameOf(label),
    share(precision),
    share(recall),
    share(f1),
    count(rowsOf),
  ]);
  return aligned([["class", "precision", "recall", "F1", "rows"], ...rows]);
}

/** More columns than these no terminal shows. */
const maxShown = 12;

function confusionTable({ classes: all, confusion }: Classification): string[] {
  if (confusion === undefined) return [`confusion of ${all.length} classes: a table without room for it`];
  const { classes, counts } = confusion;
  if (classes.length > maxShown) return [`confusion of ${classes.length} classes: see --report`];
  const header = ["true \\ predicted", ...classes.map(nameOf)];
  return aligned([header, ...counts.map((row, i) => [nameOf(classes[i]), ...row.map(count)])]);
}

function nameOf(label: Label): string {
  const name = printable(String(label));
  return name.length > 20 ? `${name.slice(0, 19)}…` : name;
}

/** First column to the left, the others to the right. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, j) => Math.max(...rows.map((row) => row[j].length)));
  return rows.map((row) =>
    row
      .map((cell, j) => (j === 0 ? cell.padEnd(widths[j]) : cell.padStart(widths[j])))
      .join("  ")
      .trimEnd(),
  );
}

/** The figures of one set of rows for a report; the names begin with the set's, as testError. */
export function figuresRecord(set: string, figures: Figures | undefined): Record<string, unknown> {
  if (figures === undefined) return { [`${set}Error`]: undefined };
  const { kind: _, rows, ...values } = figures;
  const named = Object.entries({ rows, ...values }).map(([name, value]) => [
    set + name.charAt(0).toUpperCase() + name.slice(1),
    value,
  ]);
  return Object.fromEntries(named);
}
