/**
 * `curvature predict <model> <data>`: what a trained model says of rows.
 */
import { writeCells } from "@curvature/datasets";
import type { Command } from "commander";
import { fileArgument, fileName } from "../arguments.js";
import { isFormulaModel } from "../formula/model.js";
import { type KeptCells, readData } from "../read/data.js";
import { shownName } from "../read/file.js";
import { readModelFile } from "../read/model-file.js";
import { buffersOf } from "../read/rows.js";
import { usageError } from "../run/failure.js";
import type { RunCommand, Session } from "../run/session.js";
import { count } from "../run/terminal.js";
import type { DecisionRequest } from "../tasks/decision.js";
import type { PredictTaskOutput } from "../tasks/predict.js";
import { namesBeside } from "../write/map-file.js";
import { checkOutputs, concluded, removeTemporaries } from "../write/outputs.js";
import { addLogOptions, type LogFlags } from "./common-options.js";
import { addDataFlags, type DataFlags, dataUse } from "./data-flags.js";
import { addDecisionOptions, decisionRequest } from "./decision-flags.js";
import { predictByFormula } from "./predict-formula.js";
import { rowsRead } from "./train-rows.js";

interface PredictFlags extends LogFlags, DataFlags, DecisionRequest {
  readonly scores?: true;
  readonly probabilities?: true;
  readonly intervals?: true;
  readonly out?: string;
}

export function addPredictCommand(program: Command, run: RunCommand): void {
  const command = program
    .command("predict")
    .summary("predict with a trained model")
    .description(
      "Says for every row what a model of curvature train or fit predicts: a class, or a number; of a formula its value, of an autoencoder its code, of ica the sources.\n" +
        "The predictions go to standard output, as CSV, in the order of the rows.\n" +
        "Columns are matched by name where the model and the file have names, else by position; a warning says so where only " +
        "the file has names.",
    )
    .argument("<model>", "the model's file", fileArgument)
    .argument("<file>", "rows, as curvature train takes them; labels are not looked at", fileArgument);
  addDecisionOptions(addDataFlags(command.optionsGroup("Data:")))
    .optionsGroup("Output:")
    .option(
      "--scores",
      "also the score (w x + b, or a network's): of the positive of two classes, or of each",
    )
    .option("--probabilities", "also the probability of each class, where the model knows it")
    .option("--intervals", "of a formula: how far its curve, and a new row, may be off")
    .option("-o, --out <file>", "the predictions, as CSV (default: standard output)", fileName);
  addLogOptions(command).action(async (model: string, file: string, flags: PredictFlags) => {
    const log = { json: flags.json === true, quiet: flags.quiet === true, title: "predictions", limits: {} };
    await run(log, (session) => predictFile(model, file, flags, session));
  });
}

async function predictFile(
  model: string,
  file: string,
  flags: PredictFlags,
  session: Session,
): Promise<number> {
  const { log, signal, onForcedExit } = session;
  if (model === "-" && file === "-") {
    throw usageError("Standard input (-) can be read once only; give the others as files.");
  }
  const decision = decisionRequest(flags);
  const path = flags.out ?? "-";
  const outputs = [{ option: "--out", path }];
  checkOutputs(outputs, [model, file]);
  onForcedExit(() => removeTemporaries(outputs));
  const bytes = readModelFile(model);
  log.phase(`reading ${shownName(file)}`);
  if (isFormulaModel(bytes.bytes)) return predictByFormula(bytes, file, flags, path, session);
  if (flags.intervals === true)
    throw usageError(
      `--intervals is for models of curvature fit --formula; ${shownName(model)} knows of no such intervals.`,
      "intervals",
    );
  const { preparation } = await session.compute("modelRows", bytes);
  const input = await readData(file, dataUse(flags), session, { sparse: true, model: preparation });
  for (const note of input.notes) log.note(note);
  for (const warning of input.warnings) log.warning(warning);
  const also = (["scores", "probabilities"] as const).filter((which) => flags[which]);
  const output = await session.compute(
    "predict",
    { model: bytes, data: rowsRead(input, flags.indexBase), also, decision },
    buffersOf(input.points),
  );
  signal.throwIfAborted();
  for (const warning of output.warnings) log.warning(warning);
  const { rows } = input.points;
  const names = predictionNames(output);
  const shown = namesBeside(names, input.kept.names, "predicted");
  for (const [k, name] of names.entries())
    if (shown[k] !== name)
      log.note(
        `The column ${JSON.stringify(name)} of the data is kept; that of the predictions is ${JSON.stringify(shown[k])}.`,
      );
  return concluded(log, {
    outputs: [{ path, content: () => writeCells(cellsOf(output, input.kept, shown)) }],
    lines: [`Predicted ${count(rows)} rows of ${shownName(file)}.`],
    record: { rows, unseenFeatures: output.unseen },
  });
}

const predictionNames = ({ kind, names }: PredictTaskOutput): string[] => [
  ...(kind === "transform" ? [] : [kind === "classification" ? "label" : "prediction"]),
  ...names,
];

function* cellsOf(
  { kind, predictions, names, columns }: PredictTaskOutput,
  kept: KeptCells,
  shown: readonly string[],
): Generator<(string | number)[]> {
  const width = names.length;
  yield [...kept.names, ...shown];
  if (kind === "transform") {
    for (let i = 0; i < columns.length / width; i++)
      yield [...(kept.rows[i] ?? []), ...columns.subarray(i * width, (i + 1) * width)];
    return;
  }
  for (const [i, prediction] of predictions.entries()) {
    const cell = typeof prediction === "boolean" ? String(prediction) : prediction;
    yield [...(kept.rows[i] ?? []), cell, ...columns.subarray(i * width, (i + 1) * width)];
  }
}
