/**
 * `curvature ordinal [files...]`: a map of objects from answers to "which two are nearer to each other?".
 */

import { basename } from "node:path";
import type { CurvatureError } from "@curvature/linalg";
import type { Regions } from "@curvature/map-view";
import type { Status } from "@curvature/optim-core";
import { bootstrapOptions, splitOptions } from "@curvature/optim-svrg";
import type { Command } from "commander";
import { fileArguments } from "../arguments.js";
import { plotFormat, renderChart, renderPlot } from "../plot/index.js";
import { shownNames } from "../read/answers.js";
import { objectNames } from "../read/object-names.js";
import { exitCodeOf } from "../run/exit-codes.js";
import { usageError } from "../run/failure.js";
import { inFlags } from "../run/flag-names.js";
import { checkAnswersFit } from "../run/memory.js";
import type { RunCommand, Session } from "../run/session.js";
import { count } from "../run/terminal.js";
import type { OrdinalSource, OrdinalTaskInput, OrdinalTaskOutput } from "../tasks/ordinal.js";
import type { RegionFigures } from "../tasks/ordinal-regions.js";
import { checkCheckpointTarget } from "../write/checkpoint-file.js";
import { individualFiles } from "../write/individual-maps.js";
import { objectMapContent, objectMapFormat, placedOnly } from "../write/object-map.js";
import { checkOutputs, concluded, type Output, removeTemporaries, type Target } from "../write/outputs.js";
import { reportText } from "../write/report.js";
import { checkpointOf, checkRunFlags } from "./common-options.js";
import { addOrdinalOptions, isStart, type OrdinalFlags, ordinalFlags } from "./ordinal-flags.js";
import { isMatrix, type OrdinalInput, readAll, startFile } from "./ordinal-input.js";
import {
  choiceChart,
  lossTitles,
  type OrdinalSubject,
  ordinalReport,
  plotSubtitle,
  summaryLines,
  warningsOn,
} from "./ordinal-results.js";

export function addOrdinalCommand(program: Command, run: RunCommand): void {
  const command = program
    .command("ordinal")
    .summary("make a map of objects from answers to which of them are nearer")
    .description(
      'Makes a map of objects from answers to "which two are nearer to each other?": one row per object.\n' +
        "Without --out, --plot and --report the map goes to standard output, as CSV.",
    )
    .argument(
      "[files...]",
      "answers, one per line: CSV or TSV, or .gz of these; - is standard input; several files are one table",
      fileArguments,
    );
  addOrdinalOptions(command).action(async (files: readonly string[], flags: OrdinalFlags) => {
    const log = {
      json: flags.json === true,
      quiet: flags.quiet === true,
      title: `ordinal embedding (${lossTitles[flags.loss]})`,
      limits: { iterations: flags.maxIterations, passes: flags.maxPasses, seconds: flags.maxSeconds },
    };
    await run(log, (session) => mapAnswers(files, flags, session));
  });
}

async function mapAnswers(
  answersFiles: readonly string[],
  flags: OrdinalFlags,
  session: Session,
): Promise<number> {
  const { log } = session;
  const files = sourceFiles(answersFiles, flags);
  validate(files, flags, session);
  log.phase(`reading ${shownNames(files)}`);
  const started = performance.now();
  const input = await readAll(files, flags, session);
  announceMemory(input, session);
  if (flags.individual !== undefined && input.people === undefined) throw noPeople();
  const reading = (performance.now() - started) / 1000;
  const output = await session.compute("ordinal", taskOf(flags, input), transferable(input.source));
  const phases = { reading, ...output.phases };
  return conclude({ ...subjectOf(files, flags, input), output: { ...output, phases } }, input, session);
}

/** Fewer take less than what Node itself does. */
const MANY_ANSWERS = 1e6;

function announceMemory({ source }: OrdinalInput, { log }: Session): void {
  const answers = source.kind === "answers" ? source.answers.quadruplets.length / 4 : 0;
  const bytes = checkAnswersFit(answers);
  if (answers >= MANY_ANSWERS)
    log.note(`${count(answers)} answers: the map takes about ${(bytes / 2 ** 30).toFixed(1)} GB of memory.`);
}

/** The answers' files, or the distances' instead. */
function sourceFiles(answersFiles: readonly string[], { fromDistances }: OrdinalFlags): readonly string[] {
  if (answersFiles.length > 0 && fromDistances !== undefined) {
    throw usageError(`Give answers (${answersFiles[0]}) or --from-distances, not both.`, "fromDistances");
  }
  const files = fromDistances === undefined ? answersFiles : [fromDistances];
  if (files.length === 0) throw usageError("Name a file with answers, or one with --from-distances.");
  const twice = files.find((file, k) => files.indexOf(file) < k);
  if (twice !== undefined) throw usageError(`${twice} is named twice: each file is read once.`);
  return files;
}

/** All that can be known to be wrong before the work begins. */
function validate(files: readonly string[], flags: OrdinalFlags, session: Session): void {
  checkRunFlags(flags);
  if (files.length > 1 && isMatrix(flags))
    throw usageError("A matrix is one file; several files are read as one table of answers.", "kind");
  if (flags.answers !== "all" && !isMatrix(flags)) {
    throw usageError("--answers says how many to make from distances; give --from-distances.", "answers");
  }
  if (flags.split !== undefined && (flags.test !== undefined || isMatrix(flags))) {
    throw usageError(
      "--split marks the answers of the test in a file of answers: leave --test out.",
      "split",
    );
  }
  const inputs = [...files, flags.names, startFile(flags), flags.test, flags.labels, flags.features].filter(
    (path) => typeof path === "string",
  );
  if (inputs.filter((path) => path === "-").length > 1) {
    throw usageError("Standard input (-) can be read once only; give the others as files.");
  }
  if (flags.out !== undefined) objectMapFormat(flags.out);
  if (flags.plot !== undefined) plotFormat(flags.plot);
  if (flags.choicePlot !== undefined) plotFormat(flags.choicePlot, "--choice-plot");
  checkMapFlags(flags);
  const outputs: Target[] = [
    { option: "--out", path: flags.out },
    { option: "--plot", path: flags.plot },
    { option: "--choice-plot", path: flags.choicePlot },
    { option: "--report", path: flags.report },
    { option: "--checkpoint", path: flags.checkpoint },
  ];
  checkOutputs(outputs, inputs);
  if (flags.checkpoint !== undefined) checkCheckpointTarget(flags.checkpoint, flags.resume === true);
  session.onForcedExit(() => removeTemporaries(outputs));
}

/** @throws CurvatureError ERR_OPTION for options that need others */
function checkMapFlags(flags: OrdinalFlags): void {
  const { dimensions, candidates, choicePlot, regions, individual, images, plot, by, test } = flags;
  const ofChoice = { candidates, "choice-plot": choicePlot };
  for (const [name, value] of Object.entries(ofChoice))
    if (value !== undefined && dimensions !== "auto")
      throw usageError(`--${name} is of the choice of --dim auto; leave it out, or give both.`, name);
  if (dimensions === "auto" && startFile(flags) !== undefined)
    throw usageError(
      "--dim auto chooses the dimensions, and --init names a map that has them; give one.",
      "init",
    );
  if (regions !== undefined && isMatrix(flags))
    throw usageError(
      "--regions draws answers anew, and those made of a matrix are none of their own; leave it out.",
      "regions",
    );
  if (regions === undefined && flags.samples !== bootstrapOptions.defaults.samples)
    throw usageError("--samples is of --regions; leave it out, or give both.", "samples");
  if (by !== splitOptions.defaults.by && (typeof test !== "number" || isMatrix(flags)))
    throw usageError(
      isMatrix(flags)
        ? "--test-by says what of answers is held out, and those of a matrix are held out by pairs; leave it out."
        : "--test-by is of the share that --test holds out: give --test 0.2, or leave it out.",
      "by",
    );
  if (individual !== undefined && isMatrix(flags)) throw noPeople();
  if (individual === "-") throw usageError("--individual needs a folder.", "individual");
  if (images !== undefined && plot === undefined)
    throw usageError("--images are for the picture of --plot; leave them out, or give both.", "images");
}

const noPeople = (): CurvatureError =>
  usageError(
    "--individual makes a map for each participant: name their column with --participant.",
    "individual",
  );

const transferable = (source: OrdinalSource): ArrayBufferLike[] =>
  source.kind === "distances" ? [source.distances.data.buffer] : [source.answers.quadruplets.buffer];

function taskOf(
  flags: OrdinalFlags,
  { source, test, start, features, names, objects }: OrdinalInput,
): OrdinalTaskInput {
  const { initialization } = flags;
  const { dimensions, ...options } = ordinalFlags.options(flags);
  return {
    source,
    test,
    testBy: flags.by,
    choice: dimensions === "auto" ? { candidates: flags.candidates } : undefined,
    regions: flags.regions === undefined ? undefined : { share: flags.regions, samples: flags.samples },
    lossName: flags.loss,
    features: features && { values: features.values, objectOf: numbersOf(features.names, names, objects) },
    wantsIndividuals: flags.individual !== undefined,
    options: {
      ...options,
      dimensions: dimensions === "auto" ? undefined : dimensions,
      initialization: start ?? (isStart(initialization) ? initialization : undefined),
    },
    checkpoint: checkpointOf(flags),
  };
}

function numbersOf(called: readonly string[], names: OrdinalInput["names"], objects: number): Int32Array {
  const numbers = new Map(objectNames(names, objects).map((name, object) => [name, object]));
  return Int32Array.from(called, (name) => numbers.get(name) ?? -1);
}

const subjectOf = (
  files: readonly string[],
  flags: OrdinalFlags,
  { names, objects, dropped, reading, source, people }: OrdinalInput,
): Omit<OrdinalSubject, "output"> => ({
  files,
  flags,
  called: objectNames(names, objects),
  hasNames: names !== undefined,
  dropped,
  reading,
  people: people ?? [],
  kind: source.kind,
});

/** Writes everything, sums up, and says how it ended. */
async function conclude(
  subject: OrdinalSubject,
  input: OrdinalInput,
  { log, signal }: Session,
): Promise<number> {
  const { flags, output } = subject;
  const { result, metrics, answers, checkpointFailure } = output;
  const found = [...warningsOn(subject), ...otherWarnings(output)];
  for (const warning of found) log.warning(warning);
  return concluded(log, {
    outputs: outputsOf(subject, input, [...input.warnings, ...found]),
    lines: summaryLines(subject),
    record: { ...result, metrics, answers },
    code: () =>
      exitCodeOf({
        ...result,
        scheduled: scheduledEnd(flags, result.status),
        aborted: signal.aborted,
      }),
    checkpointFailure,
  });
}

/** The end of its own schedule is the natural one of `auto`; a limit that was asked for is none. */
function scheduledEnd(
  { solver, maxPasses, maxIterations }: OrdinalFlags,
  status: Status,
): Status | undefined {
  if (solver !== "auto" || maxPasses !== undefined || maxIterations !== undefined) return undefined;
  return status === "max-iterations" ? status : "max-evaluations";
}

/** What the method warns of besides what `warningsOn` says, with the objects by their names. */
const otherWarnings = ({ warnings }: OrdinalTaskOutput): readonly string[] =>
  warnings.filter(({ code }) => code !== "unplaced" && code !== "components").map(inFlags);

function outputsOf(subject: OrdinalSubject, input: OrdinalInput, warnings: readonly string[]): Output[] {
  const { regions, individuals } = subject.output;
  const { labels, images } = input;
  const { map, names, byFeatures } = completeMap(subject, input);
  const { out, plot, report, choicePlot, individual } = subject.flags;
  const reported = { path: report, content: () => reportText(ordinalReport(subject, warnings)) };
  const title = shownNames(subject.files.map((file) => (file === "-" ? file : basename(file))));
  const chosen = {
    path: choicePlot,
    content: (path: string) => renderChart(plotFormat(path), choiceChart(title, subject)),
  };
  const placed = placedOnly({ map, names });
  if (placed.map.rows === 0) return [chosen, reported];
  const isUnplaced = (object: number): boolean => !Number.isFinite(map.data[object * map.columns]);
  const unplaced = new Set(Array.from({ length: map.rows }, (_, object) => object).filter(isUnplaced));
  const ofPlaced = <T>(values: readonly T[] | undefined): T[] | undefined =>
    values?.filter((_, object) => !unplaced.has(object));
  const isSilent = [plot, report, choicePlot, individual].every((path) => path === undefined);
  const picture = {
    ...placed,
    labels: ofPlaced(labels?.values ?? byFeatures?.map((by) => (by ? "features" : "answers"))),
    labelName: labels?.name ?? (byFeatures === undefined ? "" : "placed by"),
    regions: regionsIn(regions, map.rows, unplaced),
    images: ofPlaced(images),
    title,
    subtitle: plotSubtitle(subject),
  };
  return [
    {
      path: out ?? (isSilent ? "-" : undefined),
      content: (path) => objectMapContent(objectMapFormat(path), { map, names }),
    },
    { path: plot, content: (path) => renderPlot(plotFormat(path), picture) },
    chosen,
    ...(individual === undefined
      ? []
      : individualFiles(individual, individuals?.maps ?? [], subject.people, input.names)),
    reported,
  ];
}

/** The map with the objects that features have placed. */
function completeMap(
  { output: { map, placed } }: OrdinalSubject,
  { names, objects, added, features }: OrdinalInput,
): Pick<OrdinalTaskOutput, "map"> & {
  names: readonly string[] | undefined;
  byFeatures: boolean[] | undefined;
} {
  if (placed === undefined || features === undefined) return { map, names, byFeatures: undefined };
  const { columns: p } = map;
  const called = [...objectNames(names, objects), ...added];
  const numbers = new Map(called.map((name, n) => [name, n]));
  const data = new Float64Array(called.length * p).fill(Number.NaN);
  data.set(map.data);
  const byFeatures = called.map(() => false);
  for (const [r, row] of placed.rows.entries()) {
    const n = numbers.get(features.names[row]) ?? 0;
    data.set(placed.map.data.subarray(r * p, r * p + p), n * p);
    byFeatures[n] = true;
  }
  return { map: { rows: called.length, columns: p, data }, names: called, byFeatures };
}

/** Of the objects that have a place. */
function regionsIn(
  found: RegionFigures | undefined,
  objects: number,
  unplaced: ReadonlySet<number>,
): Regions | undefined {
  if (found?.ellipses === undefined) return undefined;
  const { isMeaningless } = found;
  const ellipses = new Float64Array(4 * objects).fill(Number.NaN); // none of what features have placed
  ellipses.set(found.ellipses);
  const kept = ellipses.filter((_, k) => !unplaced.has(Math.floor(k / 4)));
  return { isMeaningless, ellipses: kept };
}
