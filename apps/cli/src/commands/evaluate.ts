/**
 * `curvature evaluate <model> <data>`: how right a trained model is.
 */
import { oneOf } from "@curvature/linalg";
import type { Command } from "commander";
import { by, fileArgument, fileName } from "../arguments.js";
import { isFormulaModel } from "../formula/model.js";
import { plotFormat, renderChart } from "../plot/index.js";
import { labelFilesOf, readData } from "../read/data.js";
import { shownName } from "../read/file.js";
import { readModelFile } from "../read/model-file.js";
import { buffersOf } from "../read/rows.js";
import { usageError } from "../run/failure.js";
import type { RunCommand, Session } from "../run/session.js";
import { count } from "../run/terminal.js";
import type { DecisionRequest } from "../tasks/decision.js";
import { programVersion } from "../version.js";
import { checkOutputs, concluded, removeTemporaries } from "../write/outputs.js";
import { plainText } from "../write/report.js";
import { addLogOptions, type LogFlags } from "./common-options.js";
import { addDataFlags, type DataFlags, dataUse, weightsFlag } from "./data-flags.js";
import { addDecisionOptions, decisionRequest } from "./decision-flags.js";
import { evaluateFormula } from "./evaluate-formula.js";
import { evaluationChart } from "./evaluation-chart.js";
import { choiceLines, evaluationLines } from "./evaluation-results.js";
import { labelsOf, rowsRead } from "./train-rows.js";

interface EvaluateFlags extends LogFlags, DataFlags, DecisionRequest {
  readonly weights?: string;
  readonly chooseThreshold?: "f1" | "cost";
  readonly plot?: string;
  readonly report?: string;
}

export function addEvaluateCommand(program: Command, run: RunCommand): void {
  const command = program
    .command("evaluate")
    .summary("measure a trained model on rows with labels")
    .description(
      "Measures a model of curvature train or fit on rows with labels: error, precision, recall, F1, area under the curve and " +
        "confusion matrix, or R² and errors of numbers and formulas. The table goes to standard output.\n" +
        "Columns are matched by name where the model and the file have names, else by position; a warning says so where only " +
        "the file has names.",
    )
    .argument("<model>", "the model's file", fileArgument)
    .argument("<file>", "rows with labels, as curvature train takes them", fileArgument);
  addDecisionOptions(addDataFlags(command.optionsGroup("Data:")).addOption(weightsFlag()))
    .option(
      "--choose-threshold <by>",
      "the threshold with the largest F1 on these rows, or the least cost (with --costs): f1, cost",
      by(oneOf("f1", "cost")),
    )
    .optionsGroup("Output:")
    .option("--plot <file>", "ROC, precision by recall, reliability (.svg, .png, .html)", fileName)
    .option("-o, --report <file>", "the figures, as JSON; - puts them in the table's place", fileName);
  addLogOptions(command).action(async (model: string, file: string, flags: EvaluateFlags) => {
    const log = { json: flags.json === true, quiet: flags.quiet === true, title: "evaluation", limits: {} };
    await run(log, (session) => evaluateFile(model, file, flags, session));
  });
}

async function evaluateFile(
  model: string,
  file: string,
  flags: EvaluateFlags,
  session: Session,
): Promise<number> {
  const { log, signal, onForcedExit } = session;
  if (model === "-" && file === "-") {
    throw usageError("Standard input (-) can be read once only; give the others as files.");
  }
  const { report, plot, costs, chooseThreshold } = flags;
  const targets = [
    { option: "--report", path: report },
    { option: "--plot", path: plot },
  ];
  const format = plot === undefined ? undefined : plotFormat(plot);
  const request = decisionRequest(flags);
  if (chooseThreshold === "cost" && costs === undefined)
    throw usageError("--choose-threshold cost needs --costs, as fp=1,fn=5.", "chooseThreshold");
  const choose = chooseThreshold === "cost" ? costs : chooseThreshold;
  // Costs that a threshold is chosen by do not name one.
  const decision = choose === undefined ? request : { ...request, costs: undefined };
  checkOutputs(targets, [model, file, ...labelFilesOf(flags)]);
  onForcedExit(() => removeTemporaries(targets));
  const bytes = readModelFile(model);
  log.phase(`reading ${shownName(file)}`);
  if (isFormulaModel(bytes.bytes)) return evaluateFormula(bytes, file, flags, session);
  const { preparation } = await session.compute("modelRows", bytes);
  const input = await readData(file, dataUse(flags), session, {
    sparse: true,
    targets: true,
    model: preparation,
    weights: flags.weights,
  });
  for (const note of input.notes) log.note(note);
  const data = {
    ...rowsRead(input, flags.indexBase),
    labels: labelsOf(input, preparation?.labels),
    weights: input.weights,
  };
  const {
    figures,
    unseen,
    decision: used,
    intervals,
    choice,
    curves,
    warnings: ofColumns,
  } = await session.compute(
    "evaluate",
    { model: bytes, data, decision, choose, curves: plot !== undefined },
    buffersOf(input.points),
  );
  signal.throwIfAborted();
  const warnings = [...input.warnings, ...ofColumns];
  for (const warning of warnings) log.warning(warning);
  const record = {
    command: "evaluate",
    version: programVersion(),
    input: { model, file, rows: figures.rows, unseenFeatures: unseen },
    metrics: { ...figures, intervals, ...used, choice },
    warnings,
  };
  return concluded(log, {
    outputs: [
      { path: report, content: () => plainText(record) },
      {
        path: report === "-" ? undefined : "-",
        content: () =>
          `${[...evaluationLines(figures, used, intervals), ...choiceLines(choice, model, file)].join("\n")}\n`,
      },
      {
        path: plot,
        content: () =>
          renderChart(format ?? ".svg", evaluationChart(shownName(model), shownName(file), figures, curves)),
      },
    ],
    lines: [`Measured on ${count(figures.rows)} rows of ${shownName(file)}.`],
    record: { metrics: figures },
  });
}
