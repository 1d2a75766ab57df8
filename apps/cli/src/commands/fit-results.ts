/**
 * What `curvature fit` says of its result: under the plot's title, on the terminal, in the report.
 */

import { printable } from "@curvature/linalg";
import type { ValidationPoint } from "@curvature/optim-core";
import type { ChartData } from "../plot/index.js";
import { shownName } from "../read/file.js";
import { count, duration, shortNumber } from "../run/terminal.js";
import type { LearningPoint } from "../tasks/fit/learning-points.js";
import { objectives } from "../tasks/fit/objectives.js";
import { resolvedScale } from "../tasks/fit/row-scaling.js";
import type { FitTaskOutput } from "../tasks/fit.js";
import type { Figures } from "../tasks/linear-model.js";
import { programVersion } from "../version.js";
import type { Report } from "../write/report.js";
import { figuresRecord, headline } from "./evaluation-results.js";
import type { FitFlags } from "./fit-flags.js";

/** What was read, for words and report. */
export interface FitSource {
  readonly file: string;
  readonly rows: number | undefined;
  readonly columns: number | undefined;
}

export const fitTitle = ({ objective, formula }: FitFlags): string => {
  if (formula !== undefined) return "formula";
  return objective === undefined ? "sum of functions" : objectives[objective].title;
};

export function plotSubtitle(flags: FitFlags, { dimension, count: N, solved, best }: FitTaskOutput): string {
  const { solver, result, validated } = solved[best];
  return [
    fitTitle(flags),
    `${count(dimension)} parameters, ${count(N)} subfunctions`,
    `F = ${shortNumber(result.value)} by ${solver}`,
    ...(validated === undefined
      ? []
      : [`validation ${shortNumber(validated.validation)} after ${shortNumber(validated.passes)} passes`]),
  ].join(" · ");
}

export function summaryLines(source: FitSource, flags: FitFlags, output: FitTaskOutput): string[] {
  const { dimension, count: N, classes, solved, best, initialValue, training, test, validation } = output;
  const { result, solver } = solved[best];
  const from =
    source.rows === undefined ? "" : `: ${count(source.rows)} rows, ${count(source.columns ?? 0)} columns`;
  const kinds = classes.length > 0 ? `, ${count(classes.length)} classes` : "";
  const lines = [
    `Fitted ${printable(shownName(source.file))} (${fitTitle(flags)})${from}${kinds}; ${count(dimension)} parameters, ${count(N)} subfunctions. ${solved.length > 1 ? `Best: ${solver}. ` : ""}${printable(result.message)}`,
  ];
  const figure = (name: string, value: string): unknown => lines.push(`  ${name.padEnd(22)}${value}`);
  figure("F", `${shortNumber(result.value)} (${shortNumber(initialValue)} at the start)`);
  if (training !== undefined) figure("training rows", headline(training));
  if (test !== undefined) figure("test rows", headline(test));
  const { validated } = solved[best];
  if (validation !== undefined && validated !== undefined)
    figure(
      validation.rows === undefined ? "validation" : `${count(validation.rows)} rows held out`,
      `${validationOf(validated, validation.figures)}${validation.figures === undefined ? "" : `; ${headline(validation.figures)}`}`,
    );
  if (solved.length === 1) figure("work", workOf(output, 0));
  else {
    for (const [k, one] of solved.entries()) {
      const held =
        one.validated === undefined ? "" : `; held out ${validationOf(one.validated, validation?.figures)}`;
      figure(
        one.solver,
        `F ${shortNumber(one.result.value)}${held}; ${workOf(output, k)}; ${one.result.status}`,
      );
    }
  }
  return lines;
}

/** The loss of numbers is that of the standardised ones, whatever their unit: their errors stand beside it. */
const validationOf = ({ validation, passes }: ValidationPoint, figures: Figures | undefined): string =>
  `${figures?.kind === "regression" ? "loss of standardised labels" : "loss"} ${shortNumber(validation)}, the least, after ${shortNumber(passes)} passes`;

function workOf({ solved }: FitTaskOutput, k: number): string {
  const { passes, elapsedSeconds, monitoringEvaluations } = solved[k].result;
  const seconds = Math.max(0, elapsedSeconds - solved[k].monitoringSeconds);
  return `${shortNumber(passes)} passes in ${duration(seconds)} (measuring F: ${count(monitoringEvaluations)} evaluations more)`;
}

export function fitReport(
  source: FitSource,
  flags: FitFlags,
  output: FitTaskOutput,
  warnings: readonly string[],
): Report {
  const {
    dimension,
    count: N,
    layout,
    classes,
    solved,
    best,
    initialValue,
    training,
    test,
    validation,
  } = output;
  const { usable: _, ...result } = solved[best].result;
  const { objective, labels, ignore, scale, hidden, lambda, maxSeconds, tolerance } = flags;
  return {
    command: "fit",
    version: programVersion(),
    input: {
      file: source.file,
      rows: source.rows,
      columns: source.columns,
      classes: classes.length > 0 ? classes.length : undefined,
      classNames: classes.length > 0 ? classes : undefined,
      dimension,
      subfunctions: N,
    },
    options: {
      ...solved[best].options,
      objective,
      labels,
      ignore,
      scale: objective && resolvedScale(objective, scale),
      hidden,
      regularization: lambda,
      seed: flags.seed,
      maxPasses: flags.maxPasses,
      maxSeconds,
      tolerance: tolerance ?? solved[best].options["tolerance"],
      concurrency: flags.concurrency,
      ...(flags.validation !== undefined && { validation: flags.validation, patience: flags.patience }),
      solver: solved[best].solver,
    },
    result,
    metrics: {
      initialValue,
      ...figuresRecord("training", training),
      ...(test === undefined ? {} : figuresRecord("test", test)),
      ...validationFigures(output),
      parameters: layout,
      solvers: solved.map(
        ({
          solver,
          result: { usable: _usable, ...own },
          curve,
          monitoringSeconds,
          validated,
          validationCurve,
        }) => ({
          solver,
          ...own,
          monitoringSeconds,
          curve,
          ...(validation !== undefined && {
            validationLoss: validated?.validation,
            validationPasses: validated?.passes,
            validationCurve,
          }),
        }),
      ),
    },
    phases: output.phases,
    warnings,
  };
}

/** At the best point, where something was held out. */
function validationFigures({
  validation,
  solved,
  best,
}: Pick<FitTaskOutput, "validation" | "solved" | "best">): Record<string, unknown> {
  if (validation === undefined) return {};
  const { rows, figures } = validation;
  return {
    validationLoss: solved[best].validated?.validation,
    ...(rows !== undefined && { validationRows: rows }),
    ...(figures !== undefined && figuresRecord("validation", figures)),
  };
}

/** The figures without the curves, which fill screens. */
export const headFigures = ({ initialValue, training, test, validation, solved, best }: FitTaskOutput) => ({
  initialValue,
  trainingError: training?.kind === "classification" ? training.error : undefined,
  testError: test?.kind === "classification" ? test.error : undefined,
  ...(validation !== undefined && {
    validationLoss: solved[best].validated?.validation,
    validationError: validation.figures?.kind === "classification" ? validation.figures.error : undefined,
  }),
  solvers: solved.map(({ solver, result: { value, passes, elapsedSeconds, status } }) => ({
    solver,
    value,
    passes,
    elapsedSeconds,
    status,
  })),
});

/** Powers of ten help where the distances differ by more than this factor. */
const wideRange = 50;
/** In units of the first distance: what diverges would press all others to the floor. */
const highest = 10;

/** F over the least F that anybody found, by passes and by seconds. */
export function learningCurves(output: FitTaskOutput): Pick<ChartData, "xTitle" | "panels"> {
  if (output.validation !== undefined) return validatedCurves(output);
  const { solved, initialValue } = output;
  const least = Math.min(
    ...solved.flatMap(({ curve, result }) => [result.value, ...curve.map((p) => p.value)]),
  );
  const first = initialValue - least;
  const gaps = solved
    .flatMap(({ curve }) => curve.map(({ value }) => value - least))
    .filter((gap) => gap > 0 && gap <= highest * first);
  const isLogarithmic = gaps.length > 1 && Math.max(...gaps) > wideRange * Math.min(...gaps);
  const linesBy = (x: (point: LearningPoint) => number) =>
    solved
      .map(({ solver, curve }) => ({
        name: solver,
        points: curve
          .map((point) => ({ x: x(point), y: point.value - least }))
          .filter(({ y }) => (isLogarithmic ? y > 0 : y >= 0) && y <= highest * first),
      }))
      .filter(({ points }) => points.length > 0);
  const panel = (xTitle: string, x: (point: LearningPoint) => number) => ({
    title: `F above ${shortNumber(least)}, the least value found`,
    lines: linesBy(x),
    xTitle,
    isLogarithmic,
  });
  const panels = [
    panel("passes over the subfunctions", ({ passes }) => passes),
    panel("seconds", ({ seconds }) => seconds),
  ];
  return { xTitle: "", panels: panels.filter(({ lines }) => lines.length > 0) };
}

/**
 * What was fitted and what was held out: of one solver in one panel, a row's part of F beside the loss of a row; of several, and of a
 * module's figures, in a panel each.
 */
function validatedCurves({
  solved,
  validation,
  count: N,
}: FitTaskOutput): Pick<ChartData, "xTitle" | "panels"> {
  const isOfRows = validation?.rows !== undefined;
  const per =
    validation?.figures?.kind === "regression" ? "loss per row, labels standardised" : "loss per row";
  const isOne = solved.length === 1;
  const lines = (kind: "curve" | "validationCurve", unit: number, x: (point: LearningPoint) => number) =>
    solved.map((one) => ({
      name: isOne ? (kind === "curve" ? "fitted" : "held out") : one.solver,
      points: one[kind].map((point) => ({ x: x(point), y: point.value / unit })),
    }));
  const panelsBy = (xTitle: string, x: (point: LearningPoint) => number) => {
    const fitted = lines("curve", isOfRows ? N : 1, x);
    const heldOut = lines("validationCurve", 1, x);
    if (isOfRows && isOne) return [{ title: per, lines: [...fitted, ...heldOut], xTitle }];
    const titles = isOfRows ? [`${per}, fitted`, `${per}, held out`] : ["F", "validation"];
    return [fitted, heldOut].map((drawn, k) => ({ title: titles[k], lines: drawn, xTitle }));
  };
  const panels = [
    ...panelsBy("passes over the subfunctions", ({ passes }) => passes),
    ...panelsBy("seconds", ({ seconds }) => seconds),
  ].map(({ title, lines: all, xTitle }) => {
    const drawn = all.filter(({ points }) => points.length > 0);
    const ys = drawn.flatMap(({ points }) => points.map(({ y }) => y));
    const isLogarithmic = ys.every((y) => y > 0) && Math.max(...ys) > wideRange * Math.min(...ys);
    return { title, lines: drawn, xTitle, isLogarithmic };
  });
  return { xTitle: "", panels: panels.filter(({ lines: drawn }) => drawn.length > 0) };
}
