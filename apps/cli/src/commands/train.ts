/**
 * `curvature train <file>`: a linear classifier or regressor from rows with labels.
 */
import { basename } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { CurvatureError } from "@curvature/linalg";
import { preparedNames } from "@curvature/linalg/tables";
import { linearClassifierOptions, linearRegressorOptions } from "@curvature/optim-sgdqn";
import type { Command } from "commander";
import { fileArgument } from "../arguments.js";
import { plotFormat, renderChart } from "../plot/index.js";
import { labelFilesOf, readData } from "../read/data.js";
import { oddities } from "../read/data-warnings.js";
import { bytesOf, inFile, shownName } from "../read/file.js";
import { buffersOf } from "../read/rows.js";
import { serveBytes } from "../run/byte-port.js";
import { exitCodeOf } from "../run/exit-codes.js";
import { usageError } from "../run/failure.js";
import type { RunCommand, Session } from "../run/session.js";
import type { ModelRequest } from "../tasks/model-fit.js";
import type { TrainTaskOutput } from "../tasks/train.js";
import { checkCheckpointTarget } from "../write/checkpoint-file.js";
import { checkOutputs, concluded, type Output, removeTemporaries, type Target } from "../write/outputs.js";
import { reportText } from "../write/report.js";
import { checkpointOf, checkRunFlags } from "./common-options.js";
import { dataUse, fileKinds } from "./data-flags.js";
import {
  addTrainOptions,
  checkStreamFlags,
  modelKindOf,
  type TrainFlags,
  trainFlags,
  visitsRows,
} from "./train-flags.js";
import {
  lambdaChart,
  learningCurve,
  lossTitles,
  plotSubtitle,
  summaryLines,
  trainReport,
} from "./train-results.js";
import { labeledData, testData } from "./train-rows.js";

export function addTrainCommand(program: Command, run: RunCommand): void {
  const command = program
    .command("train")
    .summary("train a linear classifier or regressor")
    .description(
      "Trains a linear model on rows with labels: classes, or with a regression loss numbers.\n" +
        "Without --model, --plot, --lambda-path and --report the model goes to standard output, as JSON.",
    )
    .argument("<file>", `rows: ${fileKinds}; - is standard input`, fileArgument);
  addTrainOptions(command).action(async (file: string, flags: TrainFlags) => {
    const log = {
      json: flags.json === true,
      quiet: flags.quiet === true,
      title: lossTitles[flags.loss],
      limits: { passes: flags.maxPasses, seconds: flags.maxSeconds },
    };
    await run(log, (session) => trainFile(file, flags, session));
  });
}

/** By default: a file's length is known to its owner, that of standard input is not. */
const isStreamed = (file: string, { stream, labels }: TrainFlags): boolean =>
  stream ?? (file === "-" && labels === undefined);

async function trainFile(file: string, flags: TrainFlags, session: Session): Promise<number> {
  validate(file, flags, session);
  const output = await (isStreamed(file, flags) ? trainOnStream : trainInMemory)(file, flags, session).catch(
    (error: unknown) => {
      const named = [file, flags.test, flags.labels, flags.weights];
      throw error instanceof CurvatureError && error.code === "ERR_PARSE" && !named.includes(error.path)
        ? inFile(file, error)
        : error;
    },
  );
  return conclude(file, flags, output, session);
}

/** All that can be known to be wrong before the work begins. */
function validate(file: string, flags: TrainFlags, session: Session): void {
  checkRunFlags(flags);
  if (modelKindOf(flags).kind === "regression") {
    if (flags.select !== "log-loss")
      throw usageError(`--select ${flags.select} is for classes; --loss ${flags.loss} predicts numbers.`);
    for (const name of ["classes", "classWeights", "probabilities"] as const) {
      if (flags[name])
        throw usageError(`${trainFlags.called(name)} is for classes; --loss ${flags.loss} predicts numbers.`);
    }
  }
  if (isStreamed(file, flags)) checkStreamFlags(file, flags);
  else if (flags.t0 !== undefined && !visitsRows(flags)) {
    throw usageError(
      `--t0 is for the solvers that visit rows one by one, not for --solver ${flags.solver}.`,
      "t0",
    );
  }
  const inputs = [file, ...labelFilesOf(flags)];
  if (typeof flags.test === "string") inputs.push(flags.test);
  if (inputs.filter((path) => path === "-").length > 1) {
    throw usageError("Standard input (-) can be read once only; give the others as files.");
  }
  for (const path of [flags.plot, flags.lambdaPath]) if (path !== undefined) plotFormat(path);
  if (flags.lambdaPath !== undefined && typeof flags.lambda === "number")
    throw usageError("--lambda-path shows how lambda is chosen: leave out --lambda.", "lambdaPath");
  const outputs: Target[] = [
    { option: "--model", path: flags.model },
    { option: "--plot", path: flags.plot },
    { option: "--lambda-path", path: flags.lambdaPath },
    { option: "--report", path: flags.report },
    { option: "--checkpoint", path: flags.checkpoint },
  ];
  checkOutputs(outputs, inputs);
  if (flags.checkpoint !== undefined) checkCheckpointTarget(flags.checkpoint, flags.resume === true);
  session.onForcedExit(() => removeTemporaries(outputs));
}

async function trainInMemory(file: string, flags: TrainFlags, session: Session): Promise<TrainTaskOutput> {
  const { log } = session;
  log.phase(`reading ${shownName(file)}`);
  const started = performance.now();
  const input = await readData(file, dataUse(flags), session, {
    sparse: true,
    targets: true,
    weights: flags.weights,
  });
  for (const note of input.notes) log.note(note);
  const data = labeledData(input, flags);
  const { indexBase, preparation } = input;
  const trained = { indexBase, preparation, features: data.rows.columns };
  const tested = typeof flags.test === "string" ? await testData(flags, trained, session) : undefined;
  const test = typeof flags.test === "number" ? flags.test : tested?.data;
  const reading = (performance.now() - started) / 1000;
  const odd = oddities(data.rows, {
    columns: preparation === undefined ? input.columns : preparedNames(preparation),
    labels: modelKindOf(flags).kind === "regression" ? undefined : data.labels,
    checks: ["distinct-labels", "counting-column", "constant-columns"],
  });
  const output = await session.compute(
    "train",
    {
      request: requestOf(flags),
      data,
      known: { indexBase, preparation },
      test,
      folds: flags.folds,
      curve: flags.plot !== undefined,
      checkpoint: checkpointOf(flags),
    },
    [data, ...(typeof test === "object" ? [test] : [])].flatMap(({ rows }) => buffersOf(rows)),
  );
  // Of numbers as classes one sentence is enough: that on all rows.
  const isSaid = (sentence: string): boolean => sentence.includes("taken for a class");
  const others = odd.some(isSaid) ? output.warnings.filter((sentence) => !isSaid(sentence)) : output.warnings;
  return {
    ...output,
    warnings: [...input.warnings, ...odd, ...(tested?.input.warnings ?? []), ...others],
    phases: { reading, ...output.phases },
  };
}

async function trainOnStream(file: string, flags: TrainFlags, session: Session): Promise<TrainTaskOutput> {
  const { signal } = session;
  const tested =
    typeof flags.test === "string"
      ? await testData(flags, { indexBase: undefined, preparation: undefined }, session)
      : undefined;
  const { port1, port2 } = new MessageChannel();
  const done = new AbortController();
  serveBytes(port1, () => bytesOf(file, AbortSignal.any([signal, done.signal])), signal);
  try {
    const output = await session.compute(
      "trainStream",
      {
        request: requestOf(flags),
        path: file,
        bytes: port2,
        indexBase: flags.indexBase,
        test: tested?.data,
        checkpoint: checkpointOf(flags),
      },
      [port2, ...(tested === undefined ? [] : buffersOf(tested.data.rows))],
    );
    return { ...output, warnings: [...(tested?.input.warnings ?? []), ...output.warnings] };
  } finally {
    done.abort(); // whoever writes to standard input may go on: nobody reads it any more
    port1.close();
  }
}

/** Writes everything, sums up, and says how it ended. */
async function conclude(
  file: string,
  flags: TrainFlags,
  output: TrainTaskOutput,
  { log, signal }: Session,
): Promise<number> {
  const { result, checkpointFailure, warnings } = output;
  for (const warning of warnings) log.warning(warning);
  for (const note of output.notes) log.note(note);
  const { metrics } = trainReport(file, flags, output, warnings);
  return concluded(log, {
    outputs: outputsOf(file, flags, output),
    lines: summaryLines(file, flags, output),
    record: { ...result, metrics },
    // The methods of rows end by their passes.
    code: () =>
      exitCodeOf({
        ...result,
        scheduled: visitsRows(flags) || isStreamed(file, flags) ? "max-iterations" : undefined,
        aborted: signal.aborted,
      }),
    checkpointFailure,
  });
}

function outputsOf(file: string, flags: TrainFlags, output: TrainTaskOutput): Output[] {
  const { plot, lambdaPath, report } = flags;
  const { model, warnings } = output;
  const reported = {
    path: report,
    content: () => reportText(trainReport(file, flags, output, warnings)),
  };
  if (model === undefined) return [reported];
  const title = file === "-" ? "standard input" : basename(file);
  return [
    {
      path:
        flags.model ??
        (plot === undefined && lambdaPath === undefined && report === undefined ? "-" : undefined),
      content: () => model,
    },
    {
      path: plot,
      content: (path) =>
        renderChart(plotFormat(path), {
          ...learningCurve(output),
          title,
          subtitle: plotSubtitle(flags, output),
        }),
    },
    {
      path: lambdaPath,
      content: (path) =>
        renderChart(plotFormat(path), {
          ...lambdaChart(output),
          title,
          subtitle: plotSubtitle(flags, output),
        }),
    },
    reported,
  ];
}

function requestOf(flags: TrainFlags): ModelRequest {
  const { scale, plot, tolerance } = flags;
  const shared = {
    ...trainFlags.options(flags),
    scale: scale === "max" ? "max-abs" : scale === "unit" ? "unit-rows" : scale,
    // A tolerance makes the methods of rows measure the cost, which the curve shows.
    tolerance: tolerance ?? (plot !== undefined && visitsRows(flags) ? 0 : undefined),
  } as const;
  const { kind, loss } = modelKindOf(flags);
  return kind === "regression"
    ? { kind, options: linearRegressorOptions.part({ ...shared, loss }) }
    : { kind, options: linearClassifierOptions.part({ ...shared, loss }) };
}
