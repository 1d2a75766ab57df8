/**
 * `curvature disentangle <file>`: clusters of points and the manifolds that they lie on, with a certificate.
 */
import { basename } from "node:path";
import { writeCsv } from "@curvature/datasets";
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import { type DataWarningCode, dataWarningCodes } from "@curvature/linalg/tables";
import { clusterPointsOptions, nomadOptions, type PlaceOrder } from "@curvature/optim-sdp";
import type { Command } from "commander";
import { fileArgument } from "../arguments.js";
import { glyphWarnings } from "../plot/glyphs.js";
import { plotFormat, renderChart, renderDendrogram, renderSolution } from "../plot/index.js";
import { labelFilesOf, nothingKept } from "../read/data.js";
import { oddities } from "../read/data-warnings.js";
import { type DisentangleInput, readDisentangleInput } from "../read/disentangle-input.js";
import { shownName } from "../read/file.js";
import { type RowLinks, readLinks } from "../read/links.js";
import { placesIn } from "../read/places.js";
import { exitCodeOf } from "../run/exit-codes.js";
import { usageError } from "../run/failure.js";
import { availableBytes } from "../run/memory.js";
import type { RunCommand, Session } from "../run/session.js";
import type { DisentangleTaskInput, DisentangleTaskOutput } from "../tasks/disentangle.js";
import { assignmentsContent, assignmentsFormat, hierarchyContent } from "../write/assignments-file.js";
import { checkCheckpointTarget } from "../write/checkpoint-file.js";
import { mapContent, mapFormat } from "../write/map-file.js";
import { checkOutputs, concluded, type Output, removeTemporaries, type Target } from "../write/outputs.js";
import { plainText } from "../write/report.js";
import { checkpointOf, checkRunFlags } from "./common-options.js";
import { dataUse, fileKinds } from "./data-flags.js";
import {
  addDisentangleOptions,
  type DisentangleFlags,
  disentangleFlags,
  labelsAreNoTarget,
  targetOf,
} from "./disentangle-flags.js";
import {
  choiceChart,
  dendrogramOf,
  disentangleReport,
  plotSubtitle,
  summaryLines,
} from "./disentangle-results.js";

export function addDisentangleCommand(program: Command, run: RunCommand): void {
  const command = program
    .command("disentangle")
    .summary("find clusters and the manifolds that points lie on, with a certified gap")
    .description(
      "Clusters points, or disentangles the manifolds that they lie on, by the nonnegative semidefinite programme NOMAD, " +
        "and says how far the answer is from the best possible one: the cost of the labels (sum of squared distances " +
        "from the means), and the value of the matrix Q.\n" +
        "Without --assignments and any other output the assignments go to standard output, as CSV.",
    )
    .argument("<file>", `points, one per row: ${fileKinds}; - is standard input`, fileArgument);
  addDisentangleOptions(command).action(async (file: string, flags: DisentangleFlags) => {
    const { maxIterations } = flags;
    const log = {
      json: flags.json === true,
      quiet: flags.quiet === true,
      title: "NOMAD",
      limits: {
        iterations: maxIterations === nomadOptions.defaults.maxIterations ? undefined : maxIterations,
        seconds: flags.maxSeconds,
      },
    };
    await run(log, (session) => disentangleFile(file, flags, session));
  });
}

/** Gap of Tr(D Q) at which the relaxation is solved at the latest, where labels cost so much that less of it would not help them. */
const solvedAt = 1e-2;

const partNames = { matrix: "component", labels: "cluster", curves: "curve" } as const;

/** Cells of the picture on a side. */
const maxCells = 600;

async function disentangleFile(file: string, flags: DisentangleFlags, session: Session): Promise<number> {
  const { log } = session;
  validate(file, flags, session);
  log.phase(`reading ${shownName(file)}`);
  const started = performance.now();
  const input = await readDisentangleInput(file, flags.input, dataUse(flags), session);
  for (const note of input.notes) log.note(note);
  const reading = (performance.now() - started) / 1000;
  const { points, columns } = input;
  const hasLabelColumn = flags.labels !== undefined && labelFilesOf(flags).length === 0;
  if (flags.input !== "points" && hasLabelColumn && points.rows === points.columns + 1) {
    throw usageError(
      `--labels takes a column away from ${shownName(file)}, which is square with it; give a file with one label per line.`,
      "labels",
    );
  }
  if (flags.pca !== undefined && flags.pca > Math.min(points.rows, points.columns)) {
    throw usageError(
      `--pca must be at most ${Math.min(points.rows, points.columns)} for ${points.rows} points of ${points.columns} columns; received ${flags.pca}.`,
      "pca",
    );
  }
  if (input.isLibsvm && flags.model !== undefined)
    throw usageError(
      `--model: ${shownName(file)} is LIBSVM text, whose rows may lack any column; give a table, as CSV, or leave --model out.`,
      "model",
    );
  const links = flags.links === undefined ? undefined : await readLinks(flags.links, session);
  if (links !== undefined && input.isShort)
    throw usageError(
      "--links counts the rows of the file, and --missing drop has left some out; fill them with --missing mean.",
      "links",
    );
  checkDirections(points, flags);
  const places = flags.metric === "haversine" ? placesIn(points, columns, shownName(file)) : undefined;
  if (places?.note !== undefined) log.note(places.note);
  const isSaid = (code: DataWarningCode): boolean => code === "column-span" || code === "constant-columns";
  const isScaled = flags.standardize !== undefined || places !== undefined;
  const checks = dataWarningCodes.filter((code) => !isScaled || !isSaid(code));
  const odd = flags.input === "points" ? oddities(points, { columns, checks, remedies }) : [];
  const output = await session.compute("disentangle", taskOf(flags, input, links, places?.order), [
    points.data.buffer,
  ]);
  for (const note of constantNotes(output.constant, columns)) log.note(note);
  if (input.isShort && output.warnings.some((warning) => warning.includes("counted from 0")))
    log.note("Rows are counted without those that --missing drop has left out.");
  const lacking = glyphWarnings(flags.plot, [file, input.labelName, ...(input.labels ?? [])].map(String));
  const warnings = [...input.warnings, ...odd, ...output.warnings, ...lacking];
  for (const warning of warnings) log.warning(warning);
  const phases = { reading, ...output.phases };
  return conclude(file, flags, input, { ...output, phases, warnings }, session);
}

const remedies = {
  "distances-as-points": "For distances give --input distances.",
  "column-span": "If columns differ in unit, give --standardize.",
} as const;

/** @throws CurvatureError ERR_PARSE for a row that has no direction, where rows are known by theirs */
function checkDirections({ rows, columns, data }: DenseMatrix, { metric }: DisentangleFlags): void {
  for (let i = 0; metric === "cosine" && i < rows; i++)
    if (data.subarray(i * columns, (i + 1) * columns).every((x) => x === 0))
      throw new CurvatureError(
        "ERR_PARSE",
        `Row ${i + 1} of the data (counted from 1) is all 0 and has no direction, which --metric cosine goes by. Leave the row out, or take --metric euclidean.`,
        { path: "metric", received: i + 1 },
      );
}

function constantNotes(constant: readonly number[], columns: readonly string[] | undefined): string[] {
  if (constant.length === 0) return [];
  const names = constant
    .slice(0, 5)
    .map((j) => (columns === undefined ? `column ${j}` : JSON.stringify(columns[j])));
  const rest = constant.length > names.length ? ` and ${constant.length - names.length} more` : "";
  const isOne = constant.length === 1;
  return [
    `--standardize: ${names.join(", ")}${rest} ${isOne ? "is" : "are"} the same in all rows and ${isOne ? "says" : "say"} nothing of clusters; left at 0.`,
  ];
}

/** All that can be known to be wrong before the work begins. */
function validate(file: string, flags: DisentangleFlags, session: Session): void {
  checkRunFlags(flags);
  const isOfCurves = flags.target === "curves";
  if (flags.clusters === undefined && flags.layers === undefined && !isOfCurves) {
    throw usageError(
      "Say how many clusters there are (--clusters 16), or give --layers auto or --target curves.",
      "clusters",
    );
  }
  const reason = labelsAreNoTarget(flags);
  if (flags.target !== undefined && flags.target !== "matrix" && reason !== undefined)
    throw usageError(
      `--target ${flags.target} is for ${reason}; leave it out, or give --target matrix.`,
      "target",
    );
  const ofLabels = {
    "clusters auto": flags.clusters === "auto" && !isOfCurves,
    "noise-label": flags.noiseLabel,
    exact: flags.exact,
  };
  for (const [words, isGiven] of Object.entries(ofLabels)) {
    if (isGiven && targetOf(flags) !== "labels")
      throw usageError(
        reason === undefined
          ? `--${words} is for labels: no --out, --solver bm or --no-certify; or give --target labels.`
          : `--${words} is for ${reason}; leave it out.`,
        words.split(" ", 1)[0],
      );
  }
  if (flags.choicePlot !== undefined && flags.clusters !== "auto")
    throw usageError(
      "--choice-plot shows the choice of --clusters auto; leave it out, or give both.",
      "choicePlot",
    );
  const isLimited = flags.maxClusters !== clusterPointsOptions.defaults.maxClusters;
  if (isLimited && (flags.clusters !== "auto" || isOfCurves))
    throw usageError(
      `--max-clusters is the largest K that --clusters auto tries${isOfCurves ? ", of --target labels" : ""}; leave it out, or give both.`,
      "maxClusters",
    );
  const { pca, scale } = flags;
  if (isOfCurves && scale !== nomadOptions.defaults.scale)
    throw usageError("--scale changes nothing for --target curves; leave it out.", "scale");
  const ignore = flags.ignore?.length === 0 ? undefined : flags.ignore;
  const { standardize, model, hierarchy, dendrogram } = flags;
  const ofPoints = {
    ...{ pca, ignore, standardize, model, hierarchy, dendrogram },
    metric: flags.metric === "euclidean" ? undefined : flags.metric,
    scale: scale === nomadOptions.defaults.scale ? undefined : scale,
  };
  for (const [name, value] of Object.entries(ofPoints)) {
    if (value !== undefined && flags.input !== "points")
      throw usageError(`--${name} is for points; leave it out.`, name);
  }
  if (standardize !== undefined && ofPoints.metric !== undefined)
    throw usageError(
      `--standardize and --metric ${flags.metric} are two ways to scale points; give one.`,
      "metric",
    );
  if (flags.metric === "haversine" && pca !== undefined)
    throw usageError("--pca takes columns that --metric haversine needs; leave one out.", "pca");
  if (flags.clusters === 1 && (hierarchy ?? dendrogram) !== undefined)
    throw usageError(
      `--${hierarchy === undefined ? "dendrogram" : "hierarchy"} is for 2 clusters or more.`,
      "hierarchy",
    );
  if (model !== undefined && pca !== undefined)
    throw usageError(
      "--model is of the columns as the file has them, and --pca takes others; leave one out.",
      "model",
    );
  if (flags.links !== undefined && targetOf(flags) !== "labels")
    throw usageError(
      flags.input === "points"
        ? "--links is for labels: leave it out, or --layers, --out, --solver bm and --no-certify, or take --target labels."
        : "--links is for points (--input points); leave it out.",
      "links",
    );
  for (const [name, value] of Object.entries({ model, hierarchy, dendrogram }))
    if (value !== undefined && isOfCurves)
      throw usageError(
        `--${name} is of clusters around their means, and curves have none; leave it out.`,
        name,
      );
  const inputs = [file, ...labelFilesOf(flags), ...(flags.links === undefined ? [] : [flags.links])];
  if (inputs.filter((path) => path === "-").length > 1) {
    throw usageError("Standard input (-) can be read once only; give the others as files.");
  }
  const { assignments, out, embedding, plot, choicePlot, report, checkpoint } = flags;
  if (assignments !== undefined) assignmentsFormat(assignments);
  if (out !== undefined) mapFormat(out);
  if (embedding !== undefined) mapFormat(embedding, "--embedding");
  for (const picture of [plot, choicePlot]) if (picture !== undefined) plotFormat(picture);
  if (hierarchy !== undefined) assignmentsFormat(hierarchy, "--hierarchy");
  if (dendrogram !== undefined) plotFormat(dendrogram, "--dendrogram");
  const outputs: Target[] = [
    { option: "--assignments", path: assignments },
    { option: "--out", path: out },
    { option: "--embedding", path: embedding },
    { option: "--plot", path: plot },
    { option: "--choice-plot", path: choicePlot },
    { option: "--report", path: report },
    { option: "--model", path: model },
    { option: "--hierarchy", path: hierarchy },
    { option: "--dendrogram", path: dendrogram },
    { option: "--checkpoint", path: checkpoint },
  ];
  checkOutputs(outputs, inputs);
  if (checkpoint !== undefined) checkCheckpointTarget(checkpoint, flags.resume === true);
  session.onForcedExit(() => removeTemporaries(outputs));
}

function taskOf(
  flags: DisentangleFlags,
  { points, labels, preparation }: DisentangleInput,
  links: RowLinks | undefined,
  order: PlaceOrder | undefined,
): DisentangleTaskInput {
  const { memoryLimit, out, plot, pca, standardize, metric, model, hierarchy, dendrogram } = flags;
  const { clusters, maxClusters, noiseLabel, exact, ...options } = disentangleFlags.options(flags);
  return {
    data: points,
    scaling:
      order !== undefined
        ? { method: "sphere", order }
        : standardize === true
          ? "standard"
          : metric === "cosine"
            ? "unit"
            : "none",
    links,
    classes: labels,
    preparation,
    wantsModel: model !== undefined,
    wantsTree: hierarchy !== undefined || dendrogram !== undefined,
    pca,
    ...{ clusters, maxClusters, noiseLabel, exact },
    target: targetOf(flags),
    options: {
      ...options,
      memoryLimit: memoryLimit === undefined ? availableBytes() : memoryLimit * 2 ** 30,
    },
    wantsQ: out !== undefined,
    cells: plot === undefined ? undefined : maxCells,
    checkpoint: checkpointOf(flags),
  };
}

/** Writes everything, sums up, and says how it ended. */
async function conclude(
  file: string,
  flags: DisentangleFlags,
  input: DisentangleInput,
  output: DisentangleTaskOutput,
  { log, signal }: Session,
): Promise<number> {
  const { result, metrics, checkpointFailure } = output;
  // A relaxation that is solved is the natural end of labels, whatever gap its bound leaves, unless a smaller one was asked for.
  const { tolerance } = nomadOptions.defaults;
  const asked = flags.tolerance ?? tolerance;
  const isSolved =
    targetOf(flags) !== "matrix" &&
    (metrics.gap <= Math.max(asked, solvedAt) || metrics.gap === Number.POSITIVE_INFINITY);
  const scheduled = isSolved && asked >= tolerance && !flags.exact ? "stalled" : undefined;
  return concluded(log, {
    outputs: outputsOf(file, flags, input, output),
    lines: summaryLines(input, output),
    record: { ...result, metrics },
    code: () => exitCodeOf({ ...result, scheduled, aborted: signal.aborted }),
    checkpointFailure,
  });
}

function outputsOf(
  file: string,
  flags: DisentangleFlags,
  input: DisentangleInput,
  output: DisentangleTaskOutput,
): Output[] {
  const { out, embedding, plot, choicePlot, report, model, hierarchy, dendrogram } = flags;
  const { labels, labelName, kept } = input;
  const beside =
    labels === undefined ? { names: input.names, labelName: "name" } : { names: labels, labelName };
  const files = [out, embedding, plot, choicePlot, report, model, hierarchy, dendrogram];
  const isSilent = files.every((path) => path === undefined);
  const assignments = flags.assignments ?? (isSilent ? "-" : undefined);
  const title = file === "-" ? "standard input" : basename(file);
  const { cells, components, scene } = output;
  // Who looks for clusters or curves sees them; else what is connected.
  const target = targetOf(flags);
  const parts = target === "matrix" ? components : output.labels;
  const named = labels ?? (parts.some((part) => part !== parts[0]) ? Array.from(parts, String) : undefined);
  const hasNoise = output.metrics.noise > 0;
  return [
    {
      path: assignments,
      content: (path) => assignmentsContent(assignmentsFormat(path), { ...output, ...beside, kept }),
    },
    { path: out, content: (path) => solutionContent(path, output) },
    {
      path: embedding,
      content: (path) =>
        mapContent(mapFormat(path, "--embedding"), {
          map: output.embedding,
          labels: beside.names,
          labelName: beside.labelName,
          kept,
        }),
    },
    {
      path: plot,
      content: (path) =>
        renderSolution(plotFormat(path), {
          ...scene,
          componentOf: target === "curves" ? output.labels : components,
          labels: named?.map((name, i) => (output.labels[i] < 0 ? "" : name)),
          unlabelled: hasNoise ? "noise" : undefined,
          labelName: labels === undefined ? partNames[target] : labelName,
          title,
          subtitle: plotSubtitle(input, output),
          cells: cells ?? { rows: 0, columns: 0, data: new Float64Array(0) },
          parts: partsOf(output),
        }),
    },
    { path: model, content: () => output.model ?? "" },
    {
      path: hierarchy,
      content: (path) =>
        hierarchyContent(assignmentsFormat(path, "--hierarchy"), output.tree?.levels, { ...beside, kept }),
    },
    {
      path: dendrogram,
      content: (path) => renderDendrogram(plotFormat(path, "--dendrogram"), dendrogramOf(title, output)),
    },
    { path: choicePlot, content: (path) => renderChart(plotFormat(path), choiceChart(title, output)) },
    { path: report, content: () => plainText(disentangleReport(flags, file, input, output)) },
  ];
}

/** Q, as rows of numbers. */
function solutionContent(path: string, { Q }: DisentangleTaskOutput) {
  if (Q === undefined) {
    throw new CurvatureError(
      "ERR_MEMORY",
      `--out ${path}: Q is too large to be written out. Give more memory with --memory-limit, or take --assignments and --embedding.`,
      { path: "out" },
    );
  }
  const format = mapFormat(path);
  if (format === ".csv" || format === ".tsv")
    return writeCsv(Q, { delimiter: format === ".csv" ? "," : "\t" });
  return mapContent(format, { map: Q, labels: undefined, labelName: "", kept: nothingKept });
}

/** Points of each component, in the order of the picture, which has no noise. */
function partsOf({ order, components }: DisentangleTaskOutput): number[] {
  const parts: number[] = [];
  let last = -1;
  for (const point of order) {
    if (components[point] < 0) break;
    if (components[point] !== last) parts.push(0);
    last = components[point];
    parts[parts.length - 1]++;
  }
  return parts;
}
