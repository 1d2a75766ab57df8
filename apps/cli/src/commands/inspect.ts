/** `curvature inspect <model>`: what a trained model is, for people and as numbers that anyone computes with. */
import { toOnnxOptions } from "@curvature/optim-sgdqn/onnx";
import type { Command } from "commander";
import { fileArgument, fileName } from "../arguments.js";
import { formulaModelIn, isFormulaModel } from "../formula/model.js";
import { plotFormat, renderCoefficients } from "../plot/index.js";
import { shownName } from "../read/file.js";
import { type ModelFile, readModelFile } from "../read/model-file.js";
import { usageError } from "../run/failure.js";
import type { RunCommand, Session } from "../run/session.js";
import { isClusterModel } from "../tasks/assign.js";
import { isFitModel } from "../tasks/fit/fit-model.js";
import { isMapModel } from "../tasks/transform.js";
import { checkOutputs, concluded, type Output, removeTemporaries } from "../write/outputs.js";
import { clusterModelLines } from "./cluster-lines.js";
import { addExplanations } from "./explanations.js";
import { modelLines } from "./formula-results.js";
import { coefficientChart, fitLines, inspectionScreen } from "./inspect-screen.js";
import { mapLines } from "./map-lines.js";
import { type FlagsOf, TableFlags } from "./table-flags.js";

interface InspectFlags extends FlagsOf<typeof toOnnxOptions> {
  readonly all?: true;
  readonly json?: true;
  readonly quiet?: true;
  readonly onnx?: string;
  readonly out?: string;
  readonly weights?: string;
  readonly plot?: string;
}

export function addInspectCommand(program: Command, run: RunCommand): void {
  const command = program
    .command("inspect")
    .summary("say what a trained model is: its coefficients, and why they are so")
    .description(
      "Says what a model of curvature train is: classes or target, loss, lambda and why, errors of rows left out, and the " +
        "coefficients by name in the data's units, those first that move the score most; of a network its layers, of a formula its parameters with their errors, of clusters (curvature disentangle --model) their sizes and centres, of a map (curvature embed --model) what it was made of and takes.",
    )
    .argument("<model>", "the model's file; - is standard input", fileArgument)
    .optionsGroup("Output:")
    .option("-o, --out <file>", "where it is said (default: standard output)", fileName)
    .option("--all", "all coefficients and classes, however many")
    .option("--json", "the same as one JSON object, and errors as JSON lines")
    .option(
      "--weights <file>",
      "the model as plain JSON numbers that anyone computes with, see below",
      fileName,
    )
    .option(
      "--onnx <file>",
      "the model as an ONNX file, which other programs compute with, see below",
      fileName,
    )
    .addOption(
      new TableFlags(toOnnxOptions).flag(
        "precision",
        "<p>",
        "of --onnx; default: float, and double where a column lies far from 0",
      ),
    )
    .option("--plot <file>", "the coefficients as bars with their intervals (.svg, .png, .html)", fileName)
    .option("-q, --quiet", "errors only on standard error, and no warnings");
  addExplanations(command, weightsHelp, onnxHelp, examples).action(
    async (model: string, flags: InspectFlags) => {
      const quiet = flags.quiet === true || ("but-warnings" as const);
      const log = { json: flags.json === true, quiet, title: "inspect", limits: {} };
      await run(log, (session) => inspectFile(model, flags, session));
    },
  );
}

const weightsHelp = `--weights holds columns, classes, coefficients (one list, or one for each of several classes) and intercept: score = intercept + sum of coefficient x (column - offset), offsets only where a column lies far from 0. Two classes: above 0 means the second; more: the largest score. With unitRows rows are divided by their lengths first. Probabilities: z = scale x score + shift, then 1/(1 + exp(-z)) of the second of two classes (sigmoid), exp(z) divided by its sum over the classes (softmax), or 1/(1 + exp(-z)) divided by its sum (one-versus-rest). A column name=level is 1 in rows of this level and 0 in others.`;

const onnxHelp = `--onnx is for ONNX Runtime and its like (opset 13): input X, rows x columns, as float or double (--precision); outputs label, scores and probabilities (where the model has them), or prediction. Scaling is part of the file; what words and gaps become is not: X has the columns that the file's metadata name (columns, as for --weights), a column name=level is 1 in rows of this level and 0 in others. Models of curvature fit have prediction, scores, label, probabilities or code, as they compute them.`;

const examples = {
  verbatim: `Examples:
  npx @curvature/cli inspect penguins.json
  npx @curvature/cli inspect penguins.json --weights weights.json
  npx @curvature/cli inspect penguins.json --onnx penguins.onnx`,
};

/** @param isFor - what such a flag is for, and what the file is instead @throws CurvatureError ERR_OPTION for the first one given */
function refuse(
  flags: InspectFlags,
  names: readonly ("onnx" | "weights" | "plot")[],
  isFor: (name: string) => string,
): void {
  const other = names.find((name) => flags[name] !== undefined);
  if (other !== undefined) throw usageError(`--${other} is for ${isFor(other)}`, other);
}

/** What is known of a formula; all else is of models of rows. */
function inspectFormula(
  { path: name, bytes }: ModelFile,
  flags: InspectFlags,
  path: string,
  session: Session,
): Promise<number> {
  refuse(
    flags,
    ["onnx", "weights", "plot"],
    (flag) =>
      `models of rows; ${shownName(name)} is the model of a formula, whose file is plain JSON${flag === "plot" ? ", and whose picture is that of curvature fit --plot" : ""}.`,
  );
  const { formula, variables, parameters, fit } = formulaModelIn(name, bytes);
  return concluded(session.log, {
    outputs: [
      {
        path,
        content: () =>
          flags.json
            ? `${JSON.stringify({ formula: formula.text, variables, parameters, fit })}\n`
            : `${modelLines(formula.text, parameters, fit).join("\n")}\n`,
      },
    ],
    lines: [],
    record: {},
  });
}

/** What a model of `curvature fit` computes; with --onnx alone it is written and nothing said. */
async function inspectFit(
  file: ModelFile,
  flags: InspectFlags,
  outputs: readonly Output[],
  path: string,
  session: Session,
): Promise<number> {
  refuse(
    flags,
    ["weights", "plot"],
    () =>
      `linear models; ${shownName(file.path)} is one of curvature fit, whose numbers curvature fit --out and inspect --onnx write.`,
  );
  const isSaid = outputs.length === 0 || flags.json === true || flags.out !== undefined;
  const inspection = await session.compute("inspectFit", file);
  const text = (): string =>
    flags.json
      ? `${JSON.stringify(inspection)}\n`
      : `${fitLines(shownName(file.path), inspection).join("\n")}\n`;
  return concluded(session.log, {
    outputs: [...(isSaid ? [{ path, content: text }] : []), ...outputs],
    lines: [],
    record: {},
  });
}

/** Sizes and centres of the clusters. */
async function inspectClusters(
  file: ModelFile,
  flags: InspectFlags,
  path: string,
  session: Session,
): Promise<number> {
  refuse(
    flags,
    ["onnx", "weights", "plot"],
    () => `models that predict; ${shownName(file.path)} is a model of clusters, whose numbers --json writes.`,
  );
  const { inspection } = await session.compute("clusterModel", file);
  return concluded(session.log, {
    outputs: [
      {
        path,
        content: () =>
          flags.json
            ? `${JSON.stringify(inspection)}\n`
            : `${clusterModelLines(shownName(file.path), inspection, flags.all === true).join("\n")}\n`,
      },
    ],
    lines: [],
    record: {},
  });
}

async function inspectMap(
  file: ModelFile,
  flags: InspectFlags,
  path: string,
  session: Session,
): Promise<number> {
  const name = shownName(file.path);
  refuse(
    flags,
    ["onnx", "weights", "plot"],
    () => `models that predict; ${name} is a map: curvature transform places rows in it.`,
  );
  const map = await session.compute("inspectMap", file);
  const content = (): string =>
    flags.json ? `${JSON.stringify(map)}\n` : `${mapLines(name, map, flags.all === true).join("\n")}\n`;
  return concluded(session.log, { outputs: [{ path, content }], lines: [], record: {} });
}

async function inspectFile(model: string, flags: InspectFlags, session: Session): Promise<number> {
  const path = flags.out ?? "-";
  const outputs = [
    { option: "--out", path },
    { option: "--weights", path: flags.weights },
    { option: "--onnx", path: flags.onnx },
    { option: "--plot", path: flags.plot },
  ];
  const format = flags.plot === undefined ? undefined : plotFormat(flags.plot);
  if (flags.precision !== undefined && flags.onnx === undefined)
    throw usageError("--precision is that of --onnx; give --onnx <file>, too.", "--precision");
  checkOutputs(outputs, [model]);
  session.onForcedExit(() => removeTemporaries(outputs));
  const file = readModelFile(model);
  if (isFormulaModel(file.bytes)) return inspectFormula(file, flags, path, session);
  if (isClusterModel(file.bytes)) return inspectClusters(file, flags, path, session);
  if (isMapModel(file.bytes)) return inspectMap(file, flags, path, session);
  const { onnx, precision } = flags;
  const made = onnx === undefined ? undefined : await session.compute("onnx", { model: file, precision });
  for (const warning of made?.warnings ?? []) session.log.warning(warning);
  const onnxOutput = { path: onnx, content: () => made?.file ?? "" };
  if (isFitModel(file.bytes))
    return inspectFit(file, flags, onnx === undefined ? [] : [onnxOutput], path, session);
  const { inspection, weights } = await session.compute("inspect", file);
  session.signal.throwIfAborted();
  const width = (path === "-" ? process.stdout.columns : undefined) ?? 100;
  return concluded(session.log, {
    outputs: [
      {
        path,
        content: () =>
          flags.json
            ? `${JSON.stringify(inspection)}\n`
            : inspectionScreen(shownName(model), inspection, width, flags.all === true),
      },
      { path: flags.weights, content: () => `${JSON.stringify(weights)}\n` },
      onnxOutput,
      {
        path: flags.plot,
        content: () =>
          renderCoefficients(
            format ?? ".svg",
            coefficientChart(shownName(model), inspection, flags.all === true),
          ),
      },
    ],
    lines: [],
    record: {},
  });
}
