/**
 * `curvature fit`: the parameters that make a sum of functions least, one solver's or the best of several.
 */
import { basename, resolve } from "node:path";
import { CurvatureError, optionName } from "@curvature/linalg";
import type { Command } from "commander";
import { fileArgument } from "../arguments.js";
import { plotFormat, renderChart } from "../plot/index.js";
import { type HoldOut, labelFilesOf, readData, readMatrix } from "../read/data.js";
import { oddities } from "../read/data-warnings.js";
import { shownName } from "../read/file.js";
import { formatOf, readModelFile } from "../read/model-file.js";
import { checkColumns, denseRows, type RowLabels, type RowsRead, withColumns } from "../read/rows.js";
import { ThreadError } from "../run/compute.js";
import { exitCodeOf } from "../run/exit-codes.js";
import { usageError } from "../run/failure.js";
import type { RunCommand, Session } from "../run/session.js";
import type { InitialPoint } from "../tasks/fit/initial-point.js";
import { type ObjectiveName, objectiveOptions, objectives } from "../tasks/fit/objectives.js";
import { resolvedScale } from "../tasks/fit/row-scaling.js";
import type { Solved } from "../tasks/fit/solve.js";
import { solveOptions } from "../tasks/fit/solvers.js";
import type { FitTaskInput, FitTaskOutput } from "../tasks/fit.js";
import type { KnownRows } from "../tasks/linear-model.js";
import { checkCheckpointTarget } from "../write/checkpoint-file.js";
import { checkOutputs, concluded, type Output, removeTemporaries, type Target } from "../write/outputs.js";
import { reportText } from "../write/report.js";
import { vectorContent, vectorFormat } from "../write/vector-file.js";
import { checkpointOf, checkRunFlags } from "./common-options.js";
import { dataUse, fileKinds } from "./data-flags.js";
import { percent } from "./evaluation-results.js";
import { addFitOptions, type FitFlags, fitFlags, formulaFlags, labelLosses } from "./fit-flags.js";
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
import { labelsOf, rowsRead } from "./train-rows.js";

export function addFitCommand(program: Command, run: RunCommand): void {
  const command = program
    .command("fit")
    .summary("minimise a sum of functions: a model of data, or a problem of your own")
    .description(
      "Minimises a sum of functions without anything to tune: an objective made from data, or a module's.\n" +
        "Without --out, --plot, --model and --report the parameters go to standard output, one per line.",
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
  const asked = typed.includes("loss") ? labelLossOf(flags) : undefined;
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
      : await dataInput(problem, flags, asked, session);
  const output = await session
    .compute(
      "fit",
      {
        problem: input,
        solvers: flags.compare ?? [flags.solver ?? { isSfo: true, word: "sfo" }],
        settings: solveOptions.part(fitFlags.options(flags)),
        remote,
        initial: flags.initial === undefined ? undefined : await initialPoint(flags.initial, session),
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
  for (const path of [flags.validation, flags.test, flags.initial])
    if (typeof path === "string") inputs.push(path);
  if (inputs.filter((path) => path === "-").length > 1) {
    throw usageError("Standard input (-) can be read once only; give the others as files.");
  }
  if (flags.out !== undefined) vectorFormat(flags.out);
  if (flags.plot !== undefined) plotFormat(flags.plot);
  const outputs: Target[] = [
    { option: "--out", path: flags.out },
    { option: "--plot", path: flags.plot },
    { option: "--model", path: flags.model },
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
  asked: LabelLoss | undefined,
  session: Session,
): Promise<FitInput> {
  session.log.phase(`reading ${shownName(file)}`);
  const started = performance.now();
  const hasLabels = objectives[objective].classes !== undefined;
  const holdOut = await shareOf(flags, (labels) => labelsAre(objective, asked, labels).targets === "classes");
  const input = await readData(file, use, session, { sparse: true, targets: hasLabels, holdOut });
  for (const note of input.notes) session.log.note(note);
  const { preparation, indexBase } = input;
  const labels = hasLabels && input.labels !== undefined ? labelsOf(input) : undefined;
  const points = denseRows(input.points);
  if (hasLabels && labels === undefined) {
    throw new CurvatureError(
      "ERR_PARSE",
      `${shownName(file)} has no labels, and ${objective} learns ${objective === "mlp" ? "them" : "classes"}. Name their column or their file with --labels.`,
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
  const { targets, warnings } = labelsAre(objective, asked, labels);
  if (targets === "classes" && objective === "mlp" && asked === undefined && labels instanceof Float64Array) {
    const classes = new Set(labels).size;
    if (classes > MANY_CLASSES)
      session.log.note(
        `The ${classes} different numbers in the labels are taken for classes; --loss squared-error predicts numbers.`,
      );
  }
  const known = { preparation, indexBase };
  const rowsOf = (name: "test" | "validation"): Promise<LaterRows> | undefined =>
    typeof flags[name] === "string"
      ? laterRows(name, flags[name], flags, known, points.columns, session)
      : undefined;
  const tested = await rowsOf("test");
  const validated = await rowsOf("validation");
  const scale = resolvedScale(objective, flags.scale);
  if (flags.scale === "auto" && scale !== "none")
    session.log.note("The columns are standardised, by fit and model; --scale none leaves them as they are.");
  const apart =
    validated === undefined ? input.heldOut : { points: validated.rows.rows, labels: validated.labels };
  const heldOut = apart && {
    points: withColumns(denseRows(apart.points), points.columns), // sparse rows may have fewer
    labels: hasLabels ? apart.labels : undefined,
  };
  const test =
    typeof flags.test === "number" ? flags.test : tested && { ...tested.rows, labels: tested.labels ?? [] };
  return {
    source: { file, rows: points.rows, columns: points.columns },
    input: {
      kind: "data",
      scale,
      request: { ...options, objective, points, targets, labels, heldOut },
      known,
      test,
    },
    reading: { reading: (performance.now() - started) / 1000 },
    readWarnings: [
      ...input.warnings,
      ...warnings,
      ...(tested?.warnings ?? []),
      ...(validated?.warnings ?? []),
    ],
  };
}

/** Marks the rows of a share that are held out, class by class where labels are classes. */
async function shareOf(
  { validation: share, seed }: FitFlags,
  areClasses: (labels: RowLabels | undefined) => boolean,
): Promise<HoldOut | undefined> {
  if (typeof share !== "number") return undefined;
  const [{ testShare }, { checkLabels }] = await Promise.all([
    import("../tasks/row-selection.js"),
    import("../tasks/fit/objective-problem.js"),
  ]);
  return (labels, rows) => {
    const areGrouped = areClasses(labels);
    if (areGrouped && labels !== undefined) checkLabels(labels);
    const marks = testShare(labels ?? new Float64Array(rows), share, areGrouped, seed);
    const apart = marks.reduce((sum, mark) => sum + mark, 0);
    if (apart > 0 && apart < rows) return marks;
    throw new CurvatureError(
      "ERR_SHAPE",
      `--validation ${share} of ${rows} rows leaves ${rows - apart} to fit and ${apart} to validate on. Give more rows, another share, or a file.`,
      { path: "validation", received: share },
    );
  };
}

/** Numbers of more kinds than digits are often counts or grades. */
const MANY_CLASSES = 10;

type LabelLoss = "logistic" | "squared-error";

/** @throws CurvatureError ERR_OPTION for the loss of a formula, and where there is no choice */
function labelLossOf({ loss, objective, module }: FitFlags): LabelLoss {
  if (module !== undefined || objective !== "mlp")
    throw usageError("--loss is for --formula and for --objective mlp.", "loss");
  if (labelLosses.accepts(loss)) return loss;
  throw usageError(`--loss ${loss} is for --formula; mlp takes ${labelLosses.words.join(" or ")}.`, "loss");
}

/** Classes or numbers: as asked, else numbers where `train` would say that they are no classes. */
function labelsAre(
  objective: ObjectiveName,
  asked: LabelLoss | undefined,
  labels: RowLabels | undefined,
): { readonly targets: "classes" | "numbers" | undefined; readonly warnings: readonly string[] } {
  if (objectives[objective].classes === undefined || labels === undefined)
    return { targets: undefined, warnings: [] };
  if (asked === "squared-error") return { targets: "numbers", warnings: [] };
  const remedies = { "distinct-labels": "For numbers to be predicted take --objective mlp." };
  const none = { rows: labels.length, columns: 0, data: new Float64Array(0) };
  const odd = oddities(none, { labels, checks: ["distinct-labels"], remedies });
  const areNumbers = odd.length > 0 && labels instanceof Float64Array;
  if (objective === "mlp" && asked === undefined && areNumbers) return { targets: "numbers", warnings: [] };
  return { targets: "classes", warnings: asked === undefined ? odd : [] };
}

interface LaterRows {
  readonly rows: RowsRead;
  readonly labels: RowLabels | undefined;
  readonly warnings: readonly string[];
}

/** The rows of a file to test or to validate on: matched by their names, as rows for a model are. */
async function laterRows(
  name: "test" | "validation",
  path: string,
  flags: FitFlags,
  { preparation, indexBase }: KnownRows,
  features: number,
  session: Session,
): Promise<LaterRows> {
  session.log.phase(`reading ${shownName(path)}`);
  const isInFile = labelFilesOf({ labels: flags.labels }).length > 0;
  const isByName = preparation?.isNamed === true || isInFile;
  const base = indexBase ?? flags.indexBase;
  const use = dataUse({ ...flags, indexBase: base, labels: isByName ? undefined : flags.labels });
  const input = await readData(path, use, session, { sparse: true, targets: true, model: preparation });
  for (const note of input.notes) session.log.note(note);
  checkColumns(input.points, path, features);
  const hasLabels = flags.objective !== undefined && objectives[flags.objective].classes !== undefined;
  if (hasLabels && isInFile && input.labels === undefined)
    throw usageError(
      `--${name} with a file needs labels that are a column of both; --labels is a file here. Take a share, or put the labels into the tables.`,
      name,
    );
  const labels = hasLabels ? labelsOf(input, preparation?.labels) : undefined;
  return { rows: rowsRead(input, base), labels, warnings: input.warnings };
}

/** The bytes of a saved model, or numbers. @throws CurvatureError as reading does */
async function initialPoint(path: string, session: Session): Promise<InitialPoint> {
  const { bytes } = readModelFile(path);
  if (formatOf(bytes) !== undefined) return { path, content: bytes };
  return { path, content: (await readMatrix(path, session)).data };
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
  const falling = fallingNote(solved[best]);
  if (falling !== undefined && output.validation === undefined) log.note(falling);
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
        // Without a tolerance the passes are the length of the fit.
        scheduled: hasStoppedEarly
          ? result.status
          : (flags.tolerance ?? 0) === 0
            ? "max-iterations"
            : undefined,
        aborted: signal.aborted,
      }),
    checkpointFailure,
  });
}

/** A fall of F in the last pass that more passes would go on with. */
const FALL = 0.01;

/** Of a fit that its passes have ended. */
function fallingNote({ result: { status }, curve }: Solved): string | undefined {
  const [before, last] = curve.slice(-2).map(({ value }) => value);
  if (status !== "max-iterations" || last === undefined) return undefined;
  const fall = (before - last) / Math.abs(before);
  if (!(fall > FALL)) return undefined;
  return `F still fell by ${percent(fall)} in the last pass: a larger --max-passes takes it lower. Whether that is better for new rows, --test and --validation say.`;
}

function outputsOf(source: FitSource, flags: FitFlags, output: FitTaskOutput): Output[] {
  const { out, plot, model, report } = flags;
  const { x } = output.solved[output.best];
  const title = source.file === "-" ? "standard input" : basename(source.file);
  return [
    {
      path: out ?? ([plot, model, report].every((path) => path === undefined) ? "-" : undefined),
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
    { path: output.model === undefined ? undefined : model, content: () => output.model ?? "" },
    { path: report, content: () => reportText(fitReport(source, flags, output, output.warnings)) },
  ];
}
