/**
 * `curvature embed <file>`: a map of the data in which near points stay near.
 */

import { basename } from "node:path";
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import { dataWarningCodes } from "@curvature/linalg/tables";
import type { NamedColumn } from "@curvature/map-view";
import type { MapPicture } from "@curvature/map-view/pictures";
import { isEuclidean } from "@curvature/objectives/embedding";
import type { Command } from "commander";
import { fileArgument } from "../arguments.js";
import { glyphWarnings } from "../plot/glyphs.js";
import { plotFormat, renderPlot, wordsOf } from "../plot/index.js";
import { type Data, labelFilesOf, readData, readMatrix } from "../read/data.js";
import { oddities } from "../read/data-warnings.js";
import { type EmbedData, readGiven } from "../read/embed-input.js";
import { inFile, shownName } from "../read/file.js";
import { buffersOf, type FeatureMatrix } from "../read/rows.js";
import { exitCodeOf } from "../run/exit-codes.js";
import { usageError } from "../run/failure.js";
import { inFlags } from "../run/flag-names.js";
import type { Limits } from "../run/log.js";
import { checkComponentsFit } from "../run/memory.js";
import type { RunCommand, Session } from "../run/session.js";
import type { EmbedTaskInput, EmbedTaskOutput } from "../tasks/embed.js";
import { type PointColumns, REGIONAL } from "../tasks/map-trust.js";
import { checkCheckpointTarget } from "../write/checkpoint-file.js";
import { axisNames, mapContent, mapFormat } from "../write/map-file.js";
import { checkOutputs, concluded, type Output, removeTemporaries, type Target } from "../write/outputs.js";
import { reportText } from "../write/report.js";
import { checkpointOf, checkRunFlags } from "./common-options.js";
import { dataUse, fileKinds } from "./data-flags.js";
import { addEmbedOptions, type EmbedFlags, embedFlags, isStart, trustFlags } from "./embed-flags.js";
import { embedReport, methodTitles, plotSubtitle, summaryLines } from "./embed-results.js";
import { type PictureParts, pictureParts, withNames } from "./picture-flags.js";

export function addEmbedCommand(program: Command, run: RunCommand): void {
  const command = program
    .command("embed")
    .summary("make a map of data in which near points stay near")
    .description(
      "Makes a map of the data in which near points stay near: one row per point, in the same order.\n" +
        "Without --out, --plot, --report and --model the map goes to standard output, as CSV.",
    )
    .argument("<file>", `points, one per row: ${fileKinds}; - is standard input`, fileArgument);
  addEmbedOptions(command).action(async (file: string, flags: EmbedFlags) => {
    const log = {
      json: flags.json === true,
      quiet: flags.quiet === true,
      title: methodTitles[flags.method],
      limits: limitsOf(flags),
    };
    await run(log, (session) => embedFile(file, flags, session));
  });
}

/** The schedule of `auto` in evaluations, unless one is asked for. */
const schedule = 100;

const isScheduled = ({ solver, method }: EmbedFlags): boolean => solver === "auto" && method !== "laplacian";

function limitsOf(flags: EmbedFlags): Limits {
  return {
    iterations: flags.maxIterations,
    evaluations: flags.maxEvaluations ?? (isScheduled(flags) ? schedule : undefined),
    seconds: flags.maxSeconds,
  };
}

async function embedFile(file: string, flags: EmbedFlags, session: Session): Promise<number> {
  const { log } = session;
  validate(file, flags, session);
  log.phase(`reading ${shownName(file)}`);
  const started = performance.now();
  const input = await readEmbedInput(file, flags, session);
  for (const note of input.notes) log.note(note);
  for (const warning of input.warnings) log.warning(warning);
  const start = startFile(flags);
  const initialization =
    start === undefined ? undefined : await readMatrix(start, session, axisNames(flags.dimensions));
  const reading = (performance.now() - started) / 1000;
  const { points, given } = input;
  if (given === undefined) checkPoints(points, flags);
  if (flags.shuffled && !("data" in points))
    throw usageError(
      "--shuffled is for dense points: shuffling sparse columns takes all that they do not store.",
      "shuffled",
    );
  if (flags.model !== undefined && (given !== undefined || input.isLibsvm))
    throw usageError(
      given === undefined
        ? `--model: ${shownName(file)} is LIBSVM text, whose rows may lack any column; give a table, as CSV, or leave --model out.`
        : "--model: a map of distances, similarities or neighbours places no new points; leave it out.",
      "model",
    );
  if (flags.model !== undefined && (flags.method === "nonsymmetric-tsne" || flags.kernel !== undefined))
    throw usageError(
      `--model: a map of ${flags.kernel === undefined ? `--method ${flags.method}` : `--kernel ${flags.kernel}`} places no new points; leave it out.`,
      "model",
    );
  const checks = dataWarningCodes.filter((code) => code !== "column-span" || flags.scale === "none");
  const odd = given === undefined ? oddities(points, { columns: input.columns, checks, remedies }) : [];
  for (const warning of odd) log.warning(warning);
  const output = await session.compute("embed", taskOf(flags, input, initialization), buffersOf(points));
  const parts = pictureParts(input);
  if (flags.plot !== undefined && parts.note !== undefined) log.note(parts.note);
  const picture = pictureOf(file, flags, input, parts, output);
  const lacking = glyphWarnings(flags.plot, wordsOf(picture));
  for (const warning of [...output.warnings, ...lacking]) log.warning(warning);
  const phases = { reading, ...output.phases };
  const warnings = [...input.warnings, ...odd, ...output.warnings, ...lacking];
  return conclude(file, flags, input, { ...output, phases, warnings }, picture, session);
}

/**
 * Where principal components are asked for, LIBSVM text stays sparse up to them, and by cosine, correlation and hellinger all the
 * way. By euclidean its zeros are written out, with which the search is faster, and a model can be saved, where they have room.
 */
async function readEmbedInput(file: string, flags: EmbedFlags, session: Session): Promise<EmbedData> {
  const { pca, input: kind } = flags;
  const picture = { names: flags.names, color: flags.color };
  const staysSparse = isEuclidean(flags.metric) && flags.scale !== "standard";
  if (kind !== "points") return readGiven(file, kind, dataUse(flags), session, picture);
  const sparse = pca !== undefined || (staysSparse && flags.metric !== "euclidean");
  try {
    const takes = { distances: "distances", edges: "neighbors" };
    const input = await readData(file, dataUse(flags), session, { sparse, takes, picture });
    if (pca !== undefined && !("data" in input.points)) {
      if (input.points.columns === 0) throw inFile(file, labelsOnly());
      checkComponentsFit(input.points.columns, pca);
    }
    return input;
  } catch (error) {
    if (!(error instanceof CurvatureError) || error.code !== "ERR_MEMORY" || pca !== undefined) throw error;
    if (staysSparse && !sparse && flags.model === undefined && file !== "-")
      return readData(file, dataUse(flags), session, { sparse: true, picture });
    throw new CurvatureError(
      "ERR_MEMORY",
      `${inFlags(error)} Or map its principal components: with --pca 50, LIBSVM text is read without its zeros.`,
      { path: file, expected: error.expected ?? "less", received: error.received, cause: error },
    );
  }
}

const labelsOnly = (): CurvatureError =>
  new CurvatureError(
    "ERR_PARSE",
    "The input has labels only. Give at least one row with at least one number.",
    { expected: "at least one row of data" },
  );

const remedies = {
  "distances-as-points": "For distances give --input distances.",
  "column-span": "If columns differ in unit, give --scale standard.",
} as const;

/** What the options ask of the data, once these are known. */
function checkPoints(points: FeatureMatrix, { pca, scale }: EmbedFlags): void {
  if (pca !== undefined && pca > points.columns) {
    throw usageError(`--pca must be at most ${points.columns}, the columns of the data; received ${pca}.`);
  }
  if (scale === "standard" && !("data" in points)) {
    throw usageError(
      "--scale standard would fill every zero of sparse data; choose max or unit (--pca takes the means off by itself).",
    );
  }
}

/** All that can be known to be wrong before the work begins. */
function validate(file: string, flags: EmbedFlags, session: Session): void {
  checkRunFlags(flags);
  if (flags.method === "laplacian" && flags.checkpoint !== undefined) {
    throw usageError(
      "--checkpoint: the method laplacian has no iterations, so there is nothing to keep; leave it out.",
    );
  }
  if (flags.homotopy && flags.solver === "auto") {
    throw usageError(
      "--homotopy: the solver auto has a homotopy of its own; leave it out, or choose another --solver, such as sd.",
    );
  }
  if (flags.model !== undefined && !isEuclidean(flags.metric))
    throw usageError(
      `--model: a map by ${flags.metric} places no new points; that takes euclidean, cosine, correlation or hellinger.`,
      "model",
    );
  if (flags.device === "gpu") checkDevice(flags);
  checkTrustFlags(flags);
  const start = startFile(flags);
  const inputs = [file, ...labelFilesOf(flags), ...(start === undefined ? [] : [start])];
  if (inputs.filter((path) => path === "-").length > 1) {
    throw usageError("Standard input (-) can be read once only; give the others as files.");
  }
  checkInputFlags(flags);
  if (flags.out !== undefined) mapFormat(flags.out);
  if (flags.plot !== undefined) plotFormat(flags.plot);
  const outputs: Target[] = [
    { option: "--out", path: flags.out },
    { option: "--plot", path: flags.plot },
    { option: "--report", path: flags.report },
    { option: "--checkpoint", path: flags.checkpoint },
    { option: "--model", path: flags.model },
  ];
  checkOutputs(outputs, inputs);
  if (flags.checkpoint !== undefined) checkCheckpointTarget(flags.checkpoint, flags.resume === true);
  session.onForcedExit(() => removeTemporaries(outputs));
}

/** What says how far a map can be believed does not go with every map. */
function checkDevice({ method, dimensions, solver, metric, input }: EmbedFlags): void {
  if (method !== "tsne" || dimensions !== 2 || solver !== "auto")
    throw usageError(
      "--device gpu makes maps by --method tsne with --dim 2 and --solver auto; give these, or leave --device out.",
      "device",
    );
  if (input === "points" && !isEuclidean(metric))
    throw usageError(
      `--device gpu searches neighbours by euclidean, cosine, correlation and hellinger; for --metric ${metric} give --gradient gpu alone.`,
      "device",
    );
}

function checkTrustFlags({ trust, restarts, shuffled, method, input, out }: EmbedFlags): void {
  if (restarts !== undefined && method === "laplacian")
    throw usageError("--restarts: Laplacian eigenmaps have no start; leave it out.", "restarts");
  if (shuffled && input !== "points")
    throw usageError(
      `--shuffled is for points, whose columns it shuffles; leave it out with --input ${input}.`,
      "shuffled",
    );
  if ((trust || restarts !== undefined) && out?.toLowerCase().endsWith(".npy"))
    throw usageError(
      `--${trust ? "trust" : "restarts"} adds columns with names, which .npy has not: give --out a .csv, .tsv or .json.`,
      trust ? "trust" : "restarts",
    );
}

/** What is for points does not go with what is given in their place. */
function checkInputFlags(flags: EmbedFlags): void {
  if (flags.input === "points") return;
  const { pca, scale, metric, columns, ignore, keep, labels } = flags;
  const ofPoints: Readonly<Record<string, boolean>> = {
    pca: pca !== undefined,
    scale: scale !== "none",
    metric: metric !== "euclidean",
    columns: columns !== undefined,
    ignore: ignore !== undefined && ignore.length > 0,
    keep: keep !== undefined && keep.length > 0,
    ...(flags.input === "neighbors" ? {} : ofTables(flags)),
  };
  for (const [name, isGiven] of Object.entries(ofPoints))
    if (isGiven)
      throw usageError(
        `--${name} is for ${name in ofTables(flags) ? "tables" : "points"}; leave it out with --input ${flags.input}.`,
        name,
      );
  for (const [name, word] of Object.entries({ labels, names: flags.names, color: flags.color }))
    if (word !== undefined && labelFilesOf({ labels: word }).length === 0)
      throw usageError(
        `--${name} must be a file with one entry per line with --input ${flags.input}; received ${word}.`,
        name,
      );
}

/** How tables are read, which matrices with names are not. */
const ofTables = (flags: EmbedFlags): Readonly<Record<string, boolean>> => ({
  skip: flags.skip !== undefined && flags.skip !== 0,
  header: flags.header !== "auto",
  delimiter: flags.delimiter !== "auto",
  decimal: flags.decimal !== "auto",
  thousands: flags.thousands !== "auto",
  encoding: flags.encoding !== "auto",
  missing: flags.missing !== "error",
  words: flags.words !== "error",
});

/** The file that holds the initial embedding, if --init names one. */
const startFile = ({ initialization }: EmbedFlags): string | undefined =>
  isStart(initialization) ? undefined : initialization;

function taskOf(
  flags: EmbedFlags,
  { path, points, columns, fileRows, given, preparation }: EmbedData,
  start: DenseMatrix | undefined,
): EmbedTaskInput {
  const { initialization, scale, pca } = flags;
  return {
    path,
    points,
    columns,
    fileRows,
    given,
    scale,
    pca,
    options: {
      ...embedFlags.options(flags),
      ...(flags.device === "gpu" ? { gradient: "gpu" } : {}),
      ...(flags.device === "gpu" && given === undefined ? { neighborSearch: "gpu" } : {}),
      initialization: start ?? (isStart(initialization) ? initialization : undefined),
      pca: undefined, // the columns are projected before
    },
    checkpoint: checkpointOf(flags),
    trust: trustFlags.options(flags),
    wantsModel: flags.model !== undefined,
    wantsNeighbors: /\.html$/i.test(flags.plot ?? ""),
    preparation,
  };
}

/** Writes everything, sums up, and says how it ended. */
async function conclude(
  file: string,
  flags: EmbedFlags,
  input: Data,
  output: EmbedTaskOutput,
  picture: MapPicture,
  { log, signal }: Session,
): Promise<number> {
  const { result, metrics, checkpointFailure } = output;
  return concluded(log, {
    outputs: outputsOf(file, flags, input, output, picture),
    lines: summaryLines(flags, input, output),
    record: { ...result, metrics },
    code: () =>
      exitCodeOf({
        ...result,
        scheduled: isScheduled(flags) ? "max-evaluations" : undefined,
        aborted: signal.aborted,
      }),
    checkpointFailure,
  });
}

/** What colours the picture where nobody names anything: regional trust, or of a graph, whose trust is not known, the neighbours kept. */
function trustOfPoints(columns: PointColumns | undefined): NamedColumn | undefined {
  if (columns === undefined) return undefined;
  const { names, values } = columns;
  const column = Math.max(0, names.indexOf(REGIONAL));
  return {
    name: names[column],
    values: Array.from({ length: values.rows }, (_, i) => String(values.data[i * values.columns + column])),
  };
}

function pictureOf(
  file: string,
  flags: EmbedFlags,
  input: Data,
  { note: _, ...parts }: PictureParts,
  output: EmbedTaskOutput,
): MapPicture {
  return {
    ...parts,
    color: parts.color ?? (parts.labels === undefined ? trustOfPoints(output.columns) : undefined),
    map: output.map,
    neighbors: output.neighbors,
    title: file === "-" ? "standard input" : basename(file),
    subtitle: plotSubtitle(flags, input, output),
  };
}

function outputsOf(
  file: string,
  flags: EmbedFlags,
  input: Data,
  output: EmbedTaskOutput,
  picture: MapPicture,
): Output[] {
  const { map, columns } = output;
  const { labelName } = input;
  const labels = input.labels && Array.from(input.labels, String);
  const kept = withNames(input.kept, input.picture.names);
  const { plot, report, model } = flags;
  const reported = { path: report, content: () => reportText(embedReport(flags, file, input, output)) };
  if (!map.data.every(Number.isFinite)) return [reported];
  return [
    {
      path: flags.out ?? ([plot, report, model].every((file) => file === undefined) ? "-" : undefined),
      content: (path) => mapContent(mapFormat(path), { map, labels, labelName, kept, columns }),
    },
    { path: plot, content: (path) => renderPlot(plotFormat(path), picture) },
    reported,
    { path: model, content: () => output.model ?? "" },
  ];
}
