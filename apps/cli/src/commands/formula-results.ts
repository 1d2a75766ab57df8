/** What a fit by a formula says of its result: the table, the report, each row. */
import type { DenseMatrix } from "@curvature/linalg";
import type { FormulaNames } from "../formula/names.js";
import type { Formula } from "../formula/parse-formula.js";
import type { KeptCells } from "../read/data.js";
import { count, printable } from "../run/terminal.js";
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
  const { parameters, residualStandardDeviation, degreesOfFreedom, r2, loss, result, fitted } = output;
  const rows = parameters.map(({ name, value, standardError, interval }) => [
    name,
    figure(value),
    figure(standardError),
    figure(interval?.[0]),
    figure(interval?.[1]),
  ]);
  const lines = [
    shortFormula(formula.text),
    "",
    ...aligned([["parameter", "estimate", "standard error", `${percentOf(level)} from`, "to"], ...rows]),
    "",
  ];
  const figureLine = (name: string, words: string): unknown => lines.push(`${name.padEnd(32)}${words}`);
  figureLine("rows", count(fitted.length));
  figureLine(
    "residual standard deviation",
    `${figure(residualStandardDeviation)} on ${count(degreesOfFreedom)} degrees of freedom`,
  );
  if (r2 !== undefined) figureLine("R²", r2.toFixed(6));
  if (loss.scale !== undefined) figureLine("loss", `${loss.name}, beyond residuals of ${figure(loss.scale)}`);
  figureLine("start", startWords(output));
  figureLine("ended", result.status);
  return lines;
}

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
  return rowsBeside(rows, [...names.variables, "observed", "fitted", "residual"], undefined, "", kept);
}
