/** What a fit by a formula says of its result: the table, the report, each row. */

import type { DenseMatrix } from "@curvature/linalg";
import { printable } from "@curvature/linalg";
import type { FormulaFit, FormulaParameter } from "../formula/model.js";
import type { FormulaNames } from "../formula/names.js";
import type { Formula } from "../formula/parse-formula.js";
import type { KeptCells } from "../read/data.js";
import { count } from "../run/terminal.js";
import type { FormulaTaskOutput } from "../tasks/formula.js";
import { programVersion } from "../version.js";
import { rowsBeside } from "../write/map-file.js";
import type { Report } from "../write/report.js";
import { aligned } from "./evaluation-results.js";
import type { FitFlags } from "./fit-flags.js";

/** What was read. */
export interface FormulaSource {
  readonly file: string;
  readonly formula: Formula;
  readonly names: FormulaNames;
  readonly points: DenseMatrix;
  readonly kept: KeptCells;
}

/** With six digits. */
const figure = (value: number | undefined): string =>
  value === undefined ? "-" : String(Number(value.toPrecision(6)));

export const percentOf = (level: number): string => `${Number((100 * level).toPrecision(6))} %`;

/** What a line has room for. */
export const shortFormula = (text: string): string =>
  printable(text.length > 200 ? `${text.slice(0, 199)}…` : text);

/** The table, for people. */
export function formulaLines(
  { formula }: FormulaSource,
  { level }: FitFlags,
  output: FormulaTaskOutput,
): string[] {
  return [
    ...modelLines(formula.text, output.parameters, fitOf(output, level)),
    line("start", startWords(output)),
    line("ended", output.result.status),
  ];
}

/** What was fitted and is known of it, as a model keeps it and `curvature inspect` says it. */
export function modelLines(
  text: string,
  parameters: readonly FormulaParameter[],
  fit: FormulaFit | undefined,
): string[] {
  const rows = parameters.map(({ name, value, standardError, interval }) => [
    name,
    figure(value),
    figure(standardError),
    figure(interval?.[0]),
    figure(interval?.[1]),
  ]);
  const from = fit === undefined ? "from" : `${percentOf(fit.level)} from`;
  const lines = [
    shortFormula(text),
    "",
    ...aligned([["parameter", "estimate", "standard error", from, "to"], ...rows]),
    "",
  ];
  if (fit === undefined) return lines;
  const { residualStandardDeviation: s, degreesOfFreedom, r2, loss, lossScale } = fit;
  lines.push(
    line("rows", count(fit.rows)),
    line("residual standard deviation", `${figure(s)} on ${count(degreesOfFreedom)} degrees of freedom`),
  );
  if (r2 !== undefined) lines.push(line("R²", r2.toFixed(6)));
  if (lossScale !== undefined) lines.push(line("loss", `${loss}, beyond residuals of ${figure(lossScale)}`));
  return lines;
}

const line = (name: string, words: string): string => `${name.padEnd(32)}${words}`;

/** Without a covariance where the data leave parameters undetermined: JSON has no infinite numbers. */
export const fitOf = ({ uncertainty, ...output }: FormulaTaskOutput, level: number): FormulaFit => ({
  ...uncertainty,
  covariance: uncertainty.covariance?.every((row) => row.every(Number.isFinite))
    ? uncertainty.covariance
    : undefined,
  rows: output.fitted.length,
  degreesOfFreedom: output.degreesOfFreedom,
  r2: output.r2,
  loss: output.loss.name,
  lossScale: output.loss.scale,
  level,
  ended: output.result.status,
});

/** As --start takes it. */
function startWords({ parameters, search }: FormulaTaskOutput): string {
  const words = parameters.map(({ name, start }) => `${name}=${start}`).join(",");
  if (search === undefined) return words;
  return `${words} (found from ${search.tried} points; of the best ${search.finalists}, ${search.reached} came as low)`;
}

export const formulaFigures = (output: FormulaTaskOutput): Readonly<Record<string, unknown>> => {
  const { parameters, search, degreesOfFreedom, residualStandardDeviation, r2, loss } = output;
  return { parameters, search, degreesOfFreedom, residualStandardDeviation, r2, lossScale: loss.scale };
};

export function formulaReport(
  { file, formula, names, points }: FormulaSource,
  flags: FitFlags,
  output: FormulaTaskOutput,
): Report {
  const { lower, upper, weights, loss, level, missing, seed, maxSeconds } = flags;
  const plain = (numbers: FitFlags["lower"]) => numbers && Object.fromEntries(numbers);
  return {
    command: "fit",
    version: programVersion(),
    input: { file, rows: points.rows, variables: names.variables, parameters: names.parameters.length },
    options: {
      ...{ formula: formula.text, start: plain(flags.start), lower: plain(lower), upper: plain(upper) },
      ...{ weights, loss, lossScale: flags.lossScale, level, missing, seed, maxSeconds },
    },
    result: output.result,
    metrics: formulaFigures(output),
    phases: output.phases,
    warnings: output.warnings,
  };
}

/** Each row's variables, what was observed and fitted, and the difference. */
export function rowCells(
  { names, points, kept }: FormulaSource,
  { response, fitted }: FormulaTaskOutput,
): Iterable<readonly (string | number)[]> {
  const places = names.variables.map((name) => names.columns.indexOf(name));
  const columns = places.length + 3;
  const data = new Float64Array(points.rows * columns);
  for (let i = 0; i < points.rows; i++) {
    const variables = places.map((place) => points.data[i * points.columns + place]);
    data.set([...variables, response[i], fitted[i], response[i] - fitted[i]], i * columns);
  }
  const rows = { rows: points.rows, columns, data };
  return rowsBeside(
    rows,
    [...names.variables, "observed", "fitted", "residual"],
    undefined,
    "",
    kept,
    "formula",
  );
}
