/**
 * `curvature fit`: the parameters that make a sum of functions least, one solver's or the best of several.
 */
import { basename, resolve } from "node:path";
import { CurvatureError, type DenseMatrix, optionName } from "@curvature/linalg";
import type { Command } from "commander";
import { fileArgument } from "../arguments.js";
import { plotFormat, renderChart } from "../plot/index.js";
import { type Data, type HoldOut, labelFilesOf, readData } from "../read/data.js";
import { shownName } from "../read/file.js";
import { checkColumns } from "../read/rows.js";
import { ThreadError } from "../run/compute.js";
import { exitCodeOf } from "../run/exit-codes.js";
import { usageError } from "../run/failure.js";
import type { RunCommand, Session } from "../run/session.js";
import { objectiveOptions, objectives } from "../tasks/fit/objectives.js";
import { solveOptions } from "../tasks/fit/solvers.js";
import type { FitTaskInput, FitTaskOutput } from "../tasks/fit.js";
import { checkCheckpointTarget } from "../write/checkpoint-file.js";
import { checkOutputs, concluded, type Output, removeTemporaries, type Target } from "../write/outputs.js";
import { reportText } from "../write/report.js";
import { vectorContent, vectorFormat } from "../write/vector-file.js";
import { checkpointOf, checkRunFlags } from "./common-options.js";
import { dataUse, fileKinds } from "./data-flags.js";
import { addFitOptions, type FitFlags, fitFlags, formulaFlags } from "./fit-flags.js";
import { fitFormula } from "./fit-formula.js";
import { type DataProblem, type Problem, problemOf, remoteRequest } from "./fit-problem.js";
import {
  type FitSource,
  fitReport,
  fitTitle,
  headFigures,
  learningCurves,
  plotSubtitle,
  summaryLines,
} from "./fit-results.js";

export function addFitCommand(program: Command, run: RunCommand): void {
  const command = program
    .command("fit")
    .summary("minimise a sum of functions: a model of data, or a problem of your own")
    .description(
      "Minimises a sum of functions without anything to tune: an objective made from data, or a module's.\n" +
        "Without --out, --plot and --report the parameters go to standard output, one per line.",
    )
    .argument("[file]", `points, one per row: ${fileKinds}; - is standard input`, fileArgument);
  addFitOptions(command).action(async (file: string | undefined, flags: FitFlags) => {
    const typed = command.options
      .map((option) => option.attributeName())
      .filter((name) => command.getOptionValueSource(name) === "cli");
    const log = {
      json: flags.json === true,
      quiet: flags.quiet === true,
      title: fitTitle(flags),
      limits: { passes: flags.maxPasses, seconds: flags.maxSeconds },
    };
    await run(log, (session) =>
      flags.formula === undefined
        ? fit(file, flags, typed, session)
        : fitFormula(file, flags, typed, session),
    );
  });
}

/** @param typed - the options that the command line has */
async function fit(
  file: string | undefined,
  flags: FitFlags,
  typed: readonly string[],
  session: Session,
): Promise<number> {
  const ofFormula = formulaFlags.find((name) => typed.includes(name));
  if (ofFormula !== undefined) throw usageError(`${optionName(ofFormula)} is for --formula.`, ofFormula);
  const problem = problemOf(file, flags);
  if (problem.kind === "data" && flags.validation === undefined && typed.includes("patience"))
    throw usageError("--patience is for --validation.", "patience");
  validate(problem, flags, session);
  const remote = remoteRequest(problem, flags);
  const { source, input, reading, readWarnings } =
    problem.kind === "module"
      ? {
          source: moduleSource(problem.file),
          input: moduleInput(problem.file, typed.includes("patience")),
          reading: {},
          readWarnings: [],
        }
      : await dataInput(problem, flags, session);
  const output = await session
    .compute(
      "fit",
      {
        problem: input,
        solvers: flags.compare ?? [flags.solver ?? { isSfo: true, word: "sfo" }],
        settings: solveOptions.part(fitFlags.options(flags)),
        remote,
        checkpoint: checkpointOf(flags),
      },
      input.kind === "data"
        ? [
            input.request.points,
            ...(input.request.heldOut === undefined ? [] : [input.request.heldOut.points]),
          ].map(({ data }) => data.buffer)
        : [],
    )
    .catch((error: unknown) => {
      throw problem.kind === "module" && error instanceof ThreadError
        ? brokenModule(problem.file, error)
        : error;
    });
  const warnings = [...readWarnings, ...output.warnings];
  const phases = { ...reading, ...output.phases };
  return conclude(source, flags, { ...output, phases, warnings }, session);
}

const brokenModule = (file: string, { message, cause }: ThreadError): CurvatureError =>
  new CurvatureError(
    "ERR_PARSE",
    `${basename(file)}: it has broken the run off from outside of its evaluations: ${message.replace(/[.]?$/, ".")} Throw inside of evaluate, and leave the process alone.`,
    { path: file, cause },
  );

/** All that can be known to be wrong before the work begins. */
function validate(problem: Problem, flags: FitFlags, session: Session): void {
  checkRunFlags(flags);
  if (flags.compare !== undefined) {
    if (flags.solver !== undefined)
      throw usageError("--compare names its solvers itself; leave out --solver.");
    if (flags.checkpoint !== undefined)
      throw usageError("--checkpoint keeps the run of one solver; it cannot be had with --compare.");
  }
  const inputs = [problem.file];
  if (problem.kind === "data") inputs.push(...labelFilesOf(problem.use));
  if (typeof flags.validation === "string") inputs.push(flags.validation);
  if (inputs.filter((path) => path === "-").length > 1) {
    throw usageError("Standard input (-) can be read once only; give the others as files.");
  }
  if (flags.out !== undefined) vectorFormat(flags.out);
  if (flags.plot !== undefined) plotFormat(flags.plot);
  const outputs: Target[] = [
    { option: "--out", path: flags.out },
    { option: "--plot", path: flags.plot },
    { option: "--report", path: flags.report },
    { option: "--checkpoint", path: flags.checkpoint },
  ];
  checkOutputs(outputs, inputs);
  if (flags.checkpoint !== undefined) checkCheckpointTarget(flags.checkpoint, flags.resume === true);
  session.onForcedExit(() => removeTemporaries(outputs));
}

const moduleSource = (file: string): FitSource => ({ file, rows: undefined, columns: undefined });

const moduleInput = (file: string, isValidated: boolean): FitTaskInput["problem"] => ({
  kind: "module",
  path: resolve(file),
  name: basename(file),
  isValidated,
});

interface FitInput {
  readonly source: FitSource;
  readonly input: FitTaskInput["problem"];
  readonly reading: Readonly<Record<string, number>>;
  /** Warnings on how the data were read. */
  readonly readWarnings: readonly string[];
}

async function dataInput(
  { file, objective, use }: DataProblem,
  flags: FitFlags,
  session: Session,
): Promise<FitInput> {
  session.log.phase(`reading ${shownName(file)}`);
  const started = performance.now();
  const hasClasses = objectives[objective].classes !== undefined;
  const input = await readData(file, use, session, { holdOut: await shareOf(flags, hasClasses) });
  for (const note of input.notes) session.log.note(note);
  const reading = (performance.now() - started) / 1000;
  const { points, warnings: readWarnings } = input;
  const labels = input.labels && Array.from(input.labels, String);
  if (hasClasses && labels === undefined) {
    throw new CurvatureError(
      "ERR_PARSE",
      `${shownName(file)} has no labels, and ${objective} learns classes. Name their column or their file with --labels.`,
      { path: "labels", expected: "labels" },
    );
  }
  const options = objectiveOptions.part(fitFlags.options(flags));
  if (options.count !== undefined && options.count > points.rows) {
    throw usageError(
      `--minibatches must be at most ${points.rows}, the rows of the data; received ${options.count}.`,
      "minibatches",
    );
  }
  const apart =
    typeof flags.validation === "string"
      ? await heldOutFile(flags.validation, flags, input, session)
      : input.heldOut;
  const heldOut = apart && {
    points: apart.points,
    labels: hasClasses ? apart.labels && Array.from(apart.labels, String) : undefined,
  };
  if (hasClasses && heldOut !== undefined && heldOut.labels === undefined)
    throw new CurvatureError(
      "ERR_PARSE",
      `${shownName(String(flags.validation))} has no labels, or not in the column that the data have them in. Give it the same columns.`,
      { path: "validation", expected: "labels" },
    );
  return {
    source: { file, rows: points.rows, columns: points.columns },
    input: {
      kind: "data",
      scale: flags.scale,
      request: { ...options, objective, points, labels: hasClasses ? labels : undefined, heldOut },
    },
    reading: { reading },
    readWarnings,
  };
}

/** Marks the rows of a share that are held out, class by class where there are classes. */
async function shareOf(
  { validation: share, seed }: FitFlags,
  hasClasses: boolean,
): Promise<HoldOut | undefined> {
  if (typeof share !== "number") return undefined;
  const [{ testShare }, { checkLabels }] = await Promise.all([
    import("../tasks/row-selection.js"),
    import("../tasks/fit/objective-problem.js"),
  ]);
  return (labels, rows) => {
    if (hasClasses && labels !== undefined) checkLabels(labels);
    const marks = testShare(labels ?? new Float64Array(rows), share, hasClasses, seed);
    const apart = marks.reduce((sum, mark) => sum + mark, 0);
    if (apart > 0 && apart < rows) return marks;
    throw new CurvatureError(
      "ERR_SHAPE",
      `--validation ${share} of ${rows} rows leaves ${rows - apart} to fit and ${apart} to validate on. Give more rows, another share, or a file.`,
      { path: "validation", received: share },
    );
  };
}

/** Rows of a file of their own, prepared as those that are fitted. */
async function heldOutFile(
  path: string,
  flags: FitFlags,
  { preparation, points, labelFile, indexBase }: Data<DenseMatrix>,
  session: Session,
): Promise<Pick<Data<DenseMatrix>, "points" | "labels">> {
  session.log.phase(`reading ${shownName(path)}`);
  if (labelFile !== undefined)
    throw usageError(
      "--validation with a file needs labels that are a column of both; --labels is a file here. Take a share, or put the labels into the tables.",
      "validation",
    );
  const isByName = preparation?.isNamed === true;
  const use = dataUse({
    ...flags,
    indexBase: indexBase ?? flags.indexBase,
    labels: isByName ? undefined : flags.labels,
  });
  const later = await readData(path, use, session, { model: preparation });
  for (const note of later.notes) session.log.note(note);
  checkColumns(later.points, path, points.columns);
  return later;
}

/** Writes everything, sums up, and says how it ended. */
async function conclude(
  source: FitSource,
  flags: FitFlags,
  output: FitTaskOutput,
  { log, signal }: Session,
): Promise<number> {
  const { solved, best, checkpointFailure, warnings } = output;
  const { result, hasStoppedEarly } = solved[best];
  for (const warning of warnings) log.warning(warning);
  for (const { solver, result: other } of solved) {
    const hasBroken = other.status === "failed" || other.status === "diverged";
    if (hasBroken && solved.length > 1) log.warning(`${solver}: ${other.message}`);
  }
  return concluded(log, {
    outputs: outputsOf(source, flags, output),
    lines: summaryLines(source, flags, output),
    record: { ...result, metrics: headFigures(output) },
    code: () =>
      exitCodeOf({
        ...result,
        scheduled: hasStoppedEarly ? result.status : undefined,
        aborted: signal.aborted,
      }),
    checkpointFailure,
  });
}

function outputsOf(source: FitSource, flags: FitFlags, output: FitTaskOutput): Output[] {
  const { out, plot, report } = flags;
  const { x } = output.solved[output.best];
  const title = source.file === "-" ? "standard input" : basename(source.file);
  return [
    {
      path: out ?? (plot === undefined && report === undefined ? "-" : undefined),
      content: (path) => vectorContent(vectorFormat(path), x),
    },
    {
      path: plot,
      content: (path) =>
        renderChart(plotFormat(path), {
          ...learningCurves(output),
          title,
          subtitle: plotSubtitle(flags, output),
        }),
    },
    { path: report, content: () => reportText(fitReport(source, flags, output, output.warnings)) },
  ];
}
