/** `curvature fit --formula`: a curve through a table, by nonlinear least squares. */
import { writeCells } from "@curvature/datasets";
import { nearestName, optionName, printable, shown } from "@curvature/linalg";
import { columnIndex, type DataTable } from "@curvature/linalg/tables";
import { formulaModelText } from "../formula/model.js";
import { checkNumbers, type FormulaNames, namesOf } from "../formula/names.js";
import { type Formula, parseFormula } from "../formula/parse-formula.js";
import { plotFormat, renderChart } from "../plot/index.js";
import { labelFilesOf, readData } from "../read/data.js";
import { shownName } from "../read/file.js";
import { exitCodeOf } from "../run/exit-codes.js";
import { usageError } from "../run/failure.js";
import type { Session } from "../run/session.js";
import { count } from "../run/terminal.js";
import { type FormulaSettings, formulaOptions } from "../tasks/formula/options.js";
import type { Bounds } from "../tasks/formula/start-search.js";
import { formatNamed } from "../write/file-format.js";
import { checkOutputs, concluded, removeTemporaries, type Target } from "../write/outputs.js";
import { reportText } from "../write/report.js";
import { dataUse, readingFlags } from "./data-flags.js";
import { type FitFlags, formulaFlags, type NamedNumbers } from "./fit-flags.js";
import { formulaChart } from "./formula-chart.js";
import {
  type FormulaSource,
  fitOf,
  formulaFigures,
  formulaLines,
  formulaReport,
  rowCells,
  shortFormula,
} from "./formula-results.js";

/** @param typed - the options that the command line has */
export async function fitFormula(
  file: string | undefined,
  flags: FitFlags,
  typed: readonly string[],
  session: Session,
): Promise<number> {
  const { log, signal } = session;
  const formula = parseFormula(flags.formula ?? "");
  if (file === undefined)
    throw usageError("--formula needs data: name a file, or - for standard input.", "formula");
  checkFlags(file, flags, typed, session);
  log.phase(`reading ${shownName(file)}`);
  const started = performance.now();
  let names: FormulaNames = { columns: [], variables: [], parameters: [] };
  const input = await readData(file, dataUse(flags), session, {
    weights: flags.weights,
    choose: columnsFor(formula, flags, (heard) => {
      names = heard;
    }),
  });
  const reading = (performance.now() - started) / 1000;
  for (const note of input.notes) log.note(note);
  for (const warning of input.warnings) log.warning(warning);
  log.note(`Variables: ${names.variables.join(", ")}. Parameters: ${names.parameters.join(", ")}.`);
  const { lossScale, level } = flags;
  const loss = residualLossOf(flags);
  const start = valuesFor("start", flags.start, names);
  const bounds = {
    lower: valuesFor("lower", flags.lower, names).map((value) => value ?? Number.NEGATIVE_INFINITY),
    upper: valuesFor("upper", flags.upper, names).map((value) => value ?? Number.POSITIVE_INFINITY),
  };
  checkBounds(names, start, bounds);
  const output = await session.compute("formula", {
    formula,
    names,
    points: input.points,
    weights: input.weights,
    start,
    ...bounds,
    settings: {
      ...{ loss, lossScale, level },
      maxEvaluations: typed.includes("maxPasses") ? flags.maxPasses : undefined,
      maxSeconds: flags.maxSeconds,
      seed: flags.seed,
    },
  });
  for (const warning of output.warnings) log.warning(warning);
  const source: FormulaSource = { file, formula, names, points: input.points, kept: input.kept };
  const { out, plot, model, report } = flags;
  const warnings = [...input.warnings, ...output.warnings];
  const phases = { reading, ...output.phases };
  return concluded(log, {
    outputs: [
      {
        path: [out, plot, model, report].includes("-") ? undefined : "-",
        content: () => `${formulaLines(source, flags, output).join("\n")}\n`,
      },
      {
        path: out,
        content: (path) => writeCells(rowCells(source, output), { delimiter: rowFormats[rowFormat(path)] }),
      },
      { path: plot, content: (path) => renderChart(plotFormat(path), formulaChart(source, flags, output)) },
      {
        path: model,
        content: () =>
          formulaModelText({
            formula,
            variables: names.variables,
            parameters: output.parameters,
            fit: fitOf(output, level),
          }),
      },
      {
        path: report,
        content: () => reportText(formulaReport(source, flags, { ...output, phases, warnings })),
      },
    ],
    lines: [
      `Fitted ${shortFormula(formula.text)} to ${count(output.fitted.length)} rows of ${printable(shownName(file))}. ${printable(output.result.message)}`,
    ],
    record: { ...output.result, metrics: formulaFigures(output) },
    code: () => exitCodeOf({ ...output.result, scheduled: undefined, aborted: signal.aborted }),
  });
}

/** @throws CurvatureError ERR_OPTION for a loss of labels */
function residualLossOf({ loss }: FitFlags): FormulaSettings["loss"] {
  if (formulaOptions.entries.loss.accepts(loss)) return loss;
  throw usageError(`--loss ${loss} is for --objective mlp, not for --formula.`, "loss");
}

const rowFormats = { ".csv": ",", ".tsv": "\t" } as const;

const rowFormat = (path: string): keyof typeof rowFormats => formatNamed(path, "--out", rowFormats);

/** What goes with a formula. */
const common: readonly string[] = [
  ...[
    "formula",
    "missing",
    "keep",
    "seed",
    "maxPasses",
    "maxSeconds",
    "out",
    "plot",
    "model",
    "loss",
    "report",
    "json",
    "quiet",
  ],
  ...formulaFlags,
  ...readingFlags().map((flag) => flag.attributeName()),
];

/** All that can be known to be wrong before the work begins. */
function checkFlags(file: string, flags: FitFlags, typed: readonly string[], session: Session): void {
  const other = typed.find((name) => !common.includes(name));
  if (other !== undefined) throw usageError(`${optionName(other)} does not go with --formula.`, other);
  if (flags.missing === "mean")
    throw usageError(
      "--missing mean does not go with --formula: a filled cell was never measured. Take --missing drop.",
      "missing",
    );
  residualLossOf(flags);
  if (flags.lossScale !== undefined && flags.loss === "squared")
    throw usageError("--loss-scale is for --loss huber, soft-l1 and cauchy.", "lossScale");
  const inputs = [file, ...labelFilesOf({ weights: flags.weights })];
  if (inputs.filter((path) => path === "-").length > 1)
    throw usageError("Standard input (-) can be read once only; give the others as files.");
  if (flags.out !== undefined) rowFormat(flags.out);
  if (flags.plot !== undefined) plotFormat(flags.plot);
  const outputs: Target[] = [
    { option: "--out", path: flags.out },
    { option: "--plot", path: flags.plot },
    { option: "--model", path: flags.model },
    { option: "--report", path: flags.report },
  ];
  checkOutputs(outputs, inputs);
  session.onForcedExit(() => removeTemporaries(outputs));
}

/** The columns of the table that the formula uses; `names` hears of them. */
const columnsFor =
  (formula: Formula, { weights, missing }: FitFlags, heard: (names: FormulaNames) => void) =>
  (table: DataTable): readonly number[] => {
    const names = namesOf(formula, table);
    checkNumbers(table, names.columns, missing === "drop");
    const indices = names.columns.map((name) => columnIndex(table, name, "formula"));
    if (weights !== undefined && (names.columns.includes(weights) || indices.includes(Number(weights))))
      throw usageError(
        `--weights: the column ${shown(weights)} is in the formula, too. Give the weights a column of their own.`,
        "weights",
      );
    heard(names);
    return indices;
  };

/** Of each parameter the number that a flag gives it. @throws CurvatureError ERR_OPTION for other names */
function valuesFor(
  option: "start" | "lower" | "upper",
  given: NamedNumbers | undefined,
  { parameters, columns }: FormulaNames,
): readonly (number | undefined)[] {
  for (const name of given?.keys() ?? []) {
    if (parameters.includes(name)) continue;
    const nearest = nearestName(name, parameters);
    const hint = columns.includes(name)
      ? "it is a column of the table."
      : nearest === undefined
        ? `the parameters are ${parameters.join(", ")}.`
        : `did you mean ${nearest}?`;
    throw usageError(`--${option}: the formula has no parameter ${shown(name)}; ${hint}`, option);
  }
  return parameters.map((name) => given?.get(name));
}

/** @throws CurvatureError ERR_OPTION for bounds that leave nothing, or a start beyond them */
function checkBounds(
  { parameters }: FormulaNames,
  start: readonly (number | undefined)[],
  { lower, upper }: Bounds,
): void {
  for (const [j, name] of parameters.entries()) {
    if (lower[j] > upper[j])
      throw usageError(`--lower: ${name} is to be at least ${lower[j]} and at most ${upper[j]}.`, "lower");
    const value = start[j] ?? lower[j];
    if (value < lower[j] || value > upper[j])
      throw usageError(`--start: ${name} = ${value} is not from ${lower[j]} to ${upper[j]}.`, "start");
  }
}
