/**
 * What `curvature train` says of its result: under the plot's title, on the terminal, in the report.
 */

import { CurvatureError, printable } from "@curvature/linalg";
import type { ChartData } from "../plot/index.js";
import { shownName } from "../read/file.js";
import { count, duration, shortNumber } from "../run/terminal.js";
import type { CurvePoint } from "../tasks/learning-curve.js";
import type { Figures } from "../tasks/linear-model.js";
import type { TrainTaskOutput } from "../tasks/train.js";
import { programVersion } from "../version.js";
import type { Report } from "../write/report.js";
import { dataOptions } from "./data-flags.js";
import { figuresRecord, headline, percent } from "./evaluation-results.js";
import type { TrainFlags } from "./train-flags.js";

export const lossTitles = {
  hinge: "hinge loss",
  "squared-hinge": "squared hinge loss",
  "smoothed-hinge": "smoothed hinge loss",
  logistic: "logistic loss",
  "modified-huber": "modified Huber loss",
  "squared-error": "squared error",
  huber: "Huber loss",
} as const satisfies Record<TrainFlags["loss"], string>;

export function plotSubtitle({ loss }: TrainFlags, output: TrainTaskOutput): string {
  const { rows, features, options, result, test } = output;
  const words = [
    lossTitles[loss],
    String(options["solver"]),
    `${count(rows)} rows, ${count(features)} features`,
  ];
  if (result.value !== undefined) words.push(`P = ${shortNumber(result.value)}`);
  if (test?.kind === "classification") words.push(`test error ${percent(test.error)}`);
  return words.join(" · ");
}

export function summaryLines(file: string, { loss }: TrainFlags, output: TrainTaskOutput): string[] {
  const { rows, features, classes, result, gap, leftOut, training, test, folds, options } = output;
  const kinds = classes.length > 0 ? `, ${count(classes.length)} classes` : "";
  const lines = [
    `Trained on ${printable(shownName(file))} (${lossTitles[loss]}): ${count(rows)} rows, ${count(features)} features${kinds}. ${printable(result.message)}`,
  ];
  const figure = (name: string, value: string): unknown => lines.push(`  ${name.padEnd(22)}${value}`);
  if (result.value !== undefined) figure("cost P", shortNumber(result.value));
  if (gap !== undefined) figure("gap (P - P*) / P", `at most ${shortNumber(gap)}`);
  if (typeof options["lambda"] === "number")
    figure("lambda", `${shortNumber(options["lambda"])} (${lambdaRules[output.lambdaRule]})`);
  const others = lambdaAlternatives(output.triedLambdas);
  if (others !== undefined)
    figure(
      "other lambdas",
      `least loss: ${shortNumber(others.least)}; the largest within one standard error of it: ${shortNumber(others.oneStandardError)}`,
    );
  if (leftOut !== undefined) figure("rows left out", leftOutHeadline(leftOut, classes.length > 0));
  if (training !== undefined) figure("training rows", headline(training));
  if (test !== undefined) figure("test rows", headline(test));
  if (folds.length > 0) figure(`${folds.length} folds`, foldsHeadline(folds));
  figure("work", `${shortNumber(result.passes)} passes, ${duration(result.elapsedSeconds)}`);
  return lines;
}

const lambdaRules = {
  given: "as given",
  "leave-one-out": "chosen by leave-one-out",
  folds: "chosen by 5 folds",
  size: "by the size of the data",
} as const satisfies Record<TrainTaskOutput["lambdaRule"], string>;

/** What models of other rows say of each row. */
function leftOutHeadline(
  { error, loss }: NonNullable<TrainTaskOutput["leftOut"]>,
  areClasses: boolean,
): string {
  return areClasses
    ? `${percent(error)} wrong, mean loss ${loss.toFixed(4)}`
    : `root mean squared error ${shortNumber(Math.sqrt(error))}`;
}

function foldsHeadline(folds: readonly Figures[]): string {
  const { mean, deviation } = spread(folds.map(foldFigure));
  return folds[0].kind === "classification"
    ? `${percent(mean)} wrong, standard deviation ${percent(deviation)}`
    : `root mean squared error ${shortNumber(mean)}, standard deviation ${shortNumber(deviation)}`;
}

/** How wrong a fold was; a fold of one row has no R². */
const foldFigure = (figures: Figures): number =>
  figures.kind === "classification" ? figures.error : figures.rootMeanSquaredError;

/** With n − 1 below; 0 for one value. */
function spread(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  return { mean, deviation: Math.sqrt(squares / Math.max(1, values.length - 1)) };
}

export function trainReport(
  file: string,
  flags: TrainFlags,
  output: TrainTaskOutput,
  warnings: readonly string[],
): Report {
  const {
    rows,
    features,
    classes,
    training,
    test,
    folds,
    gap,
    certificate,
    lambdaRule,
    leftOut,
    multiclass,
    curve,
    trainingCurve,
    testCurve,
    triedLambdas,
  } = output;
  const { usable: _, ...result } = output.result;
  return {
    command: "train",
    version: programVersion(),
    input: {
      file,
      rows,
      columns: features,
      classes: output.modelKind === "classification" ? classes.length : undefined,
      classNames: output.modelKind === "classification" ? classes : undefined,
      test: flags.test,
    },
    options: {
      ...output.options,
      ...dataOptions(flags),
      indexBase: flags.indexBase,
    },
    result,
    metrics: {
      gap,
      certificate,
      lambdaRule,
      leftOut,
      multiclass,
      triedLambdas: triedLambdas.length === 0 ? undefined : triedLambdas,
      otherLambdas: lambdaAlternatives(triedLambdas),
      ...figuresRecord("training", training),
      ...figuresRecord("test", test),
      crossValidation:
        folds.length === 0
          ? undefined
          : { folds: folds.length, values: folds.map(foldFigure), ...spread(folds.map(foldFigure)) },
      curve,
      trainingCurve,
      testCurve,
    },
    phases: output.phases,
    warnings,
  };
}

/** The cost by passes, where the method knows it on the way, and how wrong training and test rows were. */
export function learningCurve({
  curve,
  trainingCurve,
  testCurve,
  modelKind,
}: TrainTaskOutput): Pick<ChartData, "xTitle" | "panels"> {
  const line = (name: string, points: readonly CurvePoint[]) => ({
    name,
    points: points.map(({ passes, value }) => ({ x: passes, y: value })),
  });
  const panels: ChartData["panels"] = [
    { title: "cost P", lines: [line("P", curve)] },
    {
      title: modelKind === "regression" ? "root mean squared error" : "error",
      lines: [line("training", trainingCurve), line("test", testCurve)],
    },
  ];
  const drawn = panels.map(({ title, lines }) => ({
    title,
    lines: lines.filter(({ points }) => points.length > 0),
  }));
  return { xTitle: "passes over the rows", panels: drawn.filter(({ lines }) => lines.length > 0) };
}

/** What rows left out say of each λ that was tried, and which was taken. */
export function lambdaChart({
  triedLambdas: tried,
  options,
  modelKind,
}: TrainTaskOutput): Pick<ChartData, "xTitle" | "panels"> {
  if (tried.length === 0)
    throw new CurvatureError(
      "ERR_OPTION",
      "--lambda-path: lambda was not chosen but set by the size of the data. Leave the option out, or give --lambda-grid.",
      { path: "lambdaPath" },
    );
  const chosen = tried.filter(({ lambda }) => lambda === options["lambda"]);
  const line = (name: string, of: typeof tried, y: (each: (typeof tried)[number]) => number) => ({
    name,
    points: of
      .map((each) => ({ x: Math.log10(each.lambda), y: y(each) }))
      .filter((point) => Number.isFinite(point.y))
      .reverse(),
  });
  const both = (title: string, name: string, y: (each: (typeof tried)[number]) => number) => ({
    title,
    lines: [line(name, tried, y), line("chosen", chosen, y)].filter(({ points }) => points.length > 0),
  });
  const isRegression = modelKind === "regression";
  return {
    xTitle: "log10 of lambda",
    panels: [
      both("loss of rows left out", "loss", ({ loss }) => loss),
      isRegression
        ? both("root mean squared error of rows left out", "error", ({ error }) => Math.sqrt(error))
        : both("error of rows left out", "error", ({ error }) => error),
    ],
  };
}

/** The λ of the least loss, and the largest λ whose loss is within one standard error of it. */
function lambdaAlternatives(
  tried: TrainTaskOutput["triedLambdas"],
): { readonly least: number; readonly oneStandardError: number } | undefined {
  if (tried.length < 2) return undefined;
  const best = tried.reduce((a, b) => (b.loss < a.loss ? b : a));
  const within = tried.filter(({ loss, standardError }) => loss - best.loss <= standardError);
  return {
    least: best.lambda,
    oneStandardError: Math.max(best.lambda, ...within.map(({ lambda }) => lambda)),
  };
}
