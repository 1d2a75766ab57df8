/** A model on one screen. */
import { printable } from "@curvature/linalg";
import type { CoefficientChart } from "../plot/coefficient-plot.js";
import { count, shortNumber, wrapped } from "../run/terminal.js";
import type { Coefficient, Inspection } from "../tasks/inspect.js";
import type { FitInspection } from "../tasks/inspect-fit.js";
import { aligned, percent } from "./evaluation-results.js";
import { lossTitles } from "./train-results.js";

/** Coefficients that a screen has room for. */
const SHOWN = 20;
/** Characters of a name. */
const NAME = 28;
/** Standard deviations to either side that hold 95 % of a Gaussian. */
const WITHIN = 1.96;

const columnsOf: Readonly<Record<Inspection["scaling"], string>> = {
  standard: "standardised columns",
  deviation: "columns divided by their standard deviations",
  rms: "columns divided by their root mean squares",
  "max-abs": "columns divided by their largest entries",
  "unit-rows": "rows of length 1",
  none: "the columns as they are",
};

const biases: Readonly<Record<Inspection["bias"], string>> = {
  free: "free of the penalty",
  regularized: "under the penalty, as the coefficients",
  none: "none",
};

/** @param width - of the screen; `all`: whatever its height and width */
export function inspectionScreen(name: string, inspection: Inspection, width: number, all: boolean): string {
  const { coefficients, classes } = inspection;
  const shown = all ? coefficients : coefficients.slice(0, SHOWN);
  const rest = coefficients.length - shown.length;
  const table =
    classes.length > 2 ? classLines(inspection, shown, width, all) : binaryLines(inspection, shown);
  const hidesErrors = !table.some((line) => line.includes("±"));
  const lines = [
    `${name}: ${titleOf(inspection)}`,
    ...factsOf(inspection).map(([fact, value]) => `  ${fact.padEnd(16)}${value}`),
    "",
    ...table,
    ...(rest > 0 ? [`  … and ${count(rest)} more (--all)`] : []),
    "",
    ...notesOf(inspection, hidesErrors),
  ];
  return `${lines.map((line) => (line.startsWith("    ") ? line : wrapped(printable(line).trimEnd(), all ? Number.POSITIVE_INFINITY : width, indentOf(line)))).join("\n")}\n`;
}

const indentOf = (line: string): number => (line.startsWith("  ") ? 18 : 0);

const clipped = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

function titleOf({ task, classes, target }: Inspection): string {
  const of = target === undefined ? "" : ` of ${JSON.stringify(target)}`;
  if (task === "regression") return `a linear model of numbers${of === "" ? "" : `:${of.slice(3)}`}`;
  const names = classes.slice(0, 6).map((label) => clipped(String(label), 20));
  return `a linear model${of}, ${count(classes.length)} classes: ${names.join(", ")}${classes.length > 6 ? ", …" : ""}`;
}

function factsOf(inspection: Inspection): (readonly [string, string])[] {
  const { loss, lossWidth, multiclass, solver, training, features, tableColumns } = inspection;
  const { lambda, scaling, bias, probabilities, task } = inspection;
  const width = lossWidth === undefined ? "" : ` of width ${shortNumber(lossWidth)}`;
  const several = { softmax: ", one softmax problem", "one-versus-rest": ", each class against the rest" };
  const from =
    tableColumns === undefined || tableColumns === features ? "" : ` of ${count(tableColumns)} columns`;
  const rows = training === undefined ? "" : `${count(training.rows)} rows, `;
  const by = solver === "auto" ? "" : `, by ${solver}`;
  const left = training?.leftOut;
  const why = reasonOf(inspection);
  return [
    ["loss", `${lossTitles[loss]}${width}${multiclass === undefined ? "" : several[multiclass]}${by}`],
    ["trained on", `${rows}${count(features)} ${features === 1 ? "feature" : "features"}${from}`],
    ["lambda", `${shortNumber(lambda)} on ${columnsOf[scaling]}${why === undefined ? "" : `, ${why}`}`],
    ...(left === undefined ? [] : [["rows left out", leftOut(left, task, loss)] as const]),
    ["bias", biases[bias]],
    ...(task === "regression"
      ? []
      : [["probabilities", probabilities === undefined ? "none" : probabilityWords[probabilities]] as const]),
  ];
}

const probabilityWords = { loss: "those of the loss", calibrated: "calibrated on rows held out" } as const;

function leftOut(
  { error, loss: mean }: { readonly error: number; readonly loss: number },
  task: Inspection["task"],
  loss: Inspection["loss"],
): string {
  if (task === "regression") return `root mean squared error ${shortNumber(Math.sqrt(error))}`;
  return `${percent(error)} wrong, ${loss === "logistic" ? "log loss" : "mean loss"} ${shortNumber(mean)}`;
}

/** Undefined for a model that does not know. */
function reasonOf({ training, task, loss }: Inspection): string | undefined {
  if (training === undefined) return undefined;
  const { anchor, lambdaRule } = training;
  if (lambdaRule === "given") return "as given";
  if (lambdaRule === "size") return "by the size of the data (R²/n)";
  if (anchor === undefined) return "with the least loss of rows left out";
  const within = task === "regression" ? "a standard error" : "half a standard error";
  const [left, name] =
    lambdaRule === "folds"
      ? ["5 folds", loss === "logistic" ? "R²/(30 n)" : "R²/n"]
      : ["rows left out", task === "regression" ? "d/n" : "1/n"];
  return `by ${left}: of the values within ${within} of the best, the nearest to ${name} = ${shortNumber(anchor)}`;
}

const tableOf = (rows: readonly (readonly string[])[]): string[] =>
  aligned(rows.map((cells) => cells.map(printable))).map((line) => `    ${line}`);

const nameOf = ({ name, base }: Coefficient): string => {
  const against = base === undefined ? "" : ` (not ${clipped(base, 12)})`;
  return clipped(name, NAME - against.length) + against;
};

const within = (errors: readonly number[] | undefined, k: number): string =>
  errors === undefined || errors[k] === 0 ? "" : `± ${shortNumber(WITHIN * errors[k])}`;

/** Whether a coefficient is the logarithm of an odds ratio. */
const hasOdds = ({ loss, classes }: Inspection): boolean => loss === "logistic" && classes.length === 2;

function binaryLines(inspection: Inspection, shown: readonly Coefficient[]): string[] {
  const { intercept } = inspection;
  const odds = hasOdds(inspection);
  const hasErrors = intercept.errors !== undefined;
  const hasDeviations = shown.some(({ deviation }) => deviation !== undefined);
  const cells = (
    name: string,
    { values, errors }: Pick<Coefficient, "values" | "errors">,
    deviation?: number,
  ): string[] => [
    name,
    shortNumber(values[0]),
    ...(hasErrors ? [within(errors, 0)] : []),
    ...(odds ? [name === INTERCEPT ? "" : ratio(values[0])] : []),
    ...(hasDeviations ? [deviation === undefined ? "" : shortNumber(deviation)] : []),
    ...(hasDeviations && odds ? [deviation === undefined ? "" : ratio(values[0] * deviation)] : []),
  ];
  return tableOf([
    [
      "column",
      "coefficient",
      ...(hasErrors ? ["± 95 %"] : []),
      ...(odds ? ["odds ratio"] : []),
      ...(hasDeviations ? ["deviation"] : []),
      ...(hasDeviations && odds ? ["odds ratio of it"] : []),
    ],
    ...shown.map((each) => cells(nameOf(each), each, each.deviation)),
    cells(INTERCEPT, intercept),
  ]);
}

const INTERCEPT = "(intercept)";

const ratio = (logarithm: number): string => {
  const value = Math.exp(logarithm);
  return Number.isFinite(value) ? shortNumber(value) : "> 1e308";
};

/** A column for each class; with ± where there is room. */
function classLines(
  { classes, intercept }: Inspection,
  shown: readonly Coefficient[],
  width: number,
  all: boolean,
): string[] {
  const upTo = (most: number, hasErrors: boolean): string[] => {
    const cells = (name: string, { values, errors }: Pick<Coefficient, "values" | "errors">): string[] => [
      name,
      ...values
        .slice(0, most)
        .map((value, k) => `${shortNumber(value)}${hasErrors ? ` ${within(errors, k)}` : ""}`.trimEnd()),
    ];
    return tableOf([
      ["column", ...classes.slice(0, most).map((label) => clipped(String(label), 20))],
      ...shown.map((each) => cells(nameOf(each), each)),
      cells(INTERCEPT, intercept),
    ]);
  };
  const fits = (lines: readonly string[]): boolean => all || lines.every((line) => line.length <= width);
  const full = upTo(classes.length, intercept.errors !== undefined);
  if (fits(full)) return full;
  let most = classes.length;
  let lines = upTo(most, false);
  while (most > 1 && !fits(lines)) lines = upTo(--most, false);
  return most < classes.length
    ? [...lines, `  … and ${count(classes.length - most)} more classes (--all)`]
    : lines;
}

function notesOf(inspection: Inspection, hidesErrors: boolean): string[] {
  const { classes, intercept, task, loss, scaling, coefficients } = inspection;
  const [, second] = classes;
  const score =
    task === "regression"
      ? "The prediction is the intercept and the sum of coefficient x value."
      : classes.length === 2
        ? `The score is the intercept and the sum of coefficient x value: above 0 means ${clipped(String(second), 20)}.`
        : "The score of a class is its intercept and the sum of coefficient x value: the class of the largest one counts.";
  const phi = loss === "logistic" ? "1/(n lambda)" : "s²/(n lambda), s² the variance of the noise";
  return [
    `${score}${scaling === "unit-rows" ? " Rows are divided by their lengths first." : ""}`,
    ...(hasOdds(inspection)
      ? [
          `An odds ratio says by what the odds of ${clipped(String(second), 20)} are multiplied where the column is 1 larger, or a standard deviation.`,
        ]
      : []),
    ...(intercept.errors === undefined
      ? []
      : [
          `± ${hidesErrors ? "(--all) " : ""}holds 95 % of the posterior (its Gaussian approximation) under the prior that the penalty is: coefficients of ${columnsOf[scaling]} normal around 0 with variance ${phi}. It is no confidence interval: large coefficients are drawn towards 0.`,
        ]),
    ...(coefficients.some(({ level, base }) => level !== undefined && base === undefined)
      ? ["A column name=level is 1 in rows of this level; each of its levels has one, under the penalty."]
      : []),
  ];
}

/** More classes than colours stay apart. */
const DRAWN_CLASSES = 10;

/** Per standard deviation of the columns where they are known, so that bars compare. */
export function coefficientChart(name: string, inspection: Inspection, all: boolean): CoefficientChart {
  const { coefficients, classes, task, loss, scaling } = inspection;
  const isOfDeviations = scaling === "standard" || scaling === "deviation";
  const several = classes.length > 2;
  const shown = all ? coefficients : coefficients.slice(0, SHOWN);
  const [, second] = classes;
  const of = task === "regression" || several ? "" : `, above 0: more likely ${clipped(String(second), 20)}`;
  const hasErrors = inspection.intercept.errors !== undefined;
  return {
    title: name,
    subtitle: [
      lossTitles[loss],
      shown.length < coefficients.length
        ? `the first ${shown.length} of ${count(coefficients.length)} coefficients`
        : `${count(shown.length)} coefficients`,
      ...(hasErrors ? ["lines: 95 % of the posterior"] : []),
    ].join(" · "),
    xTitle: `coefficient${isOfDeviations ? " × standard deviation of the column" : ""}${of}`,
    classes: several ? classes.slice(0, DRAWN_CLASSES).map((label) => clipped(String(label), 16)) : [""],
    bars: shown.map((each) => {
      const { values, errors, deviation } = each;
      const scale = deviation ?? 1;
      return {
        name: nameOf(each),
        values: values.slice(0, DRAWN_CLASSES).map((value) => value * scale),
        within: values.map((_, k) =>
          errors === undefined || errors[k] === 0 ? undefined : WITHIN * errors[k] * scale,
        ),
      };
    }),
  };
}

/** A model of `curvature fit` on a few lines. */
export function fitLines(name: string, inspection: FitInspection): string[] {
  const { title, classes, target, targets, inputs, columns, scaling, layers, link, parameters } = inspection;
  const of = target === undefined ? "" : ` of ${JSON.stringify(target)}`;
  const names = classes.slice(0, 6).map((label) => clipped(String(label), 20));
  const kinds =
    classes.length === 0
      ? ""
      : `, ${count(classes.length)} classes: ${names.join(", ")}${classes.length > 6 ? ", …" : ""}`;
  const how = Object.entries(columnsOf).find(([method]) => method === scaling)?.[1] ?? scaling;
  const shown = (columns ?? []).slice(0, 8).map((column) => clipped(column, NAME));
  const listed = shown.length === 0 ? "" : `: ${shown.join(", ")}${inputs > shown.length ? ", …" : ""}`;
  const facts = [
    ["inputs", `${count(inputs)}, ${how}${listed}`],
    ...layers.map((layer, l) => [`layer ${l + 1}`, layer]),
    ["outputs", links[link] ?? link],
    ...(targets === undefined
      ? []
      : [
          [
            "numbers",
            `mean ${shortNumber(targets.mean)}, deviation ${shortNumber(targets.deviation)} in the fit`,
          ],
        ]),
    ["parameters", count(parameters)],
  ];
  return [
    `${name}: ${/^[aeiou]/i.test(title) ? "an" : "a"} ${title}${of}${kinds}`,
    ...facts.map(([fact, value]) => `  ${fact.padEnd(16)}${value}`),
  ].map((line) => printable(line));
}

const links: Readonly<Record<string, string>> = {
  logistic: "probabilities of two classes (logistic)",
  softmax: "probabilities of the classes (softmax)",
  sigmoid: "between 0 and 1 (sigmoid)",
  identity: "as they are",
};
