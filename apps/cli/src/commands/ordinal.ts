/**
 * `curvature ordinal [files...]`: a map of objects from answers to "which two are nearer to each other?".
 */
import { basename } from "node:path";
import type { Command } from "commander";
import { fileArguments } from "../arguments.js";
import { plotFormat, renderPlot } from "../plot/index.js";
import { shownNames } from "../read/answers.js";
import { objectNames } from "../read/object-names.js";
import { exitCodeOf } from "../run/exit-codes.js";
import { usageError } from "../run/failure.js";
import { inFlags } from "../run/flag-names.js";
import type { RunCommand, Session } from "../run/session.js";
import type { OrdinalSource, OrdinalTaskInput, OrdinalTaskOutput } from "../tasks/ordinal.js";
import { checkCheckpointTarget } from "../write/checkpoint-file.js";
import { objectMapContent, objectMapFormat, placedOnly } from "../write/object-map.js";
import { checkOutputs, concluded, type Output, removeTemporaries, type Target } from "../write/outputs.js";
import { reportText } from "../write/report.js";
import { checkpointOf, checkRunFlags } from "./common-options.js";
import { addOrdinalOptions, isStart, type OrdinalFlags, ordinalFlags } from "./ordinal-flags.js";
import { isMatrix, type OrdinalInput, readAll, startFile } from "./ordinal-input.js";
import {
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
  const reading = (performance.now() - started) / 1000;
  const output = await session.compute("ordinal", taskOf(flags, input), transferable(input.source));
  const phases = { reading, ...output.phases };
  return conclude({ ...subjectOf(files, flags, input), output: { ...output, phases } }, input, session);
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
  const inputs = [...files, flags.names, startFile(flags), flags.test].filter(
    (path) => typeof path === "string",
  );
  if (inputs.filter((path) => path === "-").length > 1) {
    throw usageError("Standard input (-) can be read once only; give the others as files.");
  }
  if (flags.out !== undefined) objectMapFormat(flags.out);
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

const transferable = (source: OrdinalSource): ArrayBufferLike[] =>
  source.kind === "distances" ? [source.distances.data.buffer] : [source.answers.quadruplets.buffer];

function taskOf(flags: OrdinalFlags, { source, test, start }: OrdinalInput): OrdinalTaskInput {
  const { initialization } = flags;
  return {
    source,
    test,
    testBy: flags.testBy,
    options: {
      ...ordinalFlags.options(flags),
      initialization: start ?? (isStart(initialization) ? initialization : undefined),
    },
    checkpoint: checkpointOf(flags),
  };
}

const subjectOf = (
  files: readonly string[],
  flags: OrdinalFlags,
  { names, objects, dropped, reading, source }: OrdinalInput,
): Omit<OrdinalSubject, "output"> => ({
  files,
  flags,
  called: objectNames(names, objects),
  hasNames: names !== undefined,
  dropped,
  reading,
  kind: source.kind,
});

/** Writes everything, sums up, and says how it ended. */
async function conclude(
  subject: OrdinalSubject,
  { names, warnings }: OrdinalInput,
  { log, signal }: Session,
): Promise<number> {
  const { flags, output } = subject;
  const { result, metrics, answers, checkpointFailure } = output;
  const found = [...warningsOn(subject), ...otherWarnings(output)];
  for (const warning of found) log.warning(warning);
  return concluded(log, {
    outputs: outputsOf(subject, names, [...warnings, ...found]),
    lines: summaryLines(subject),
    record: { ...result, metrics, answers },
    code: () =>
      exitCodeOf({
        ...result,
        scheduled: flags.solver === "auto" && flags.maxPasses === undefined ? "max-evaluations" : undefined,
        aborted: signal.aborted,
      }),
    checkpointFailure,
  });
}

/** What the method warns of besides what `warningsOn` says, with the objects by their names. */
const otherWarnings = ({ warnings }: OrdinalTaskOutput): readonly string[] =>
  warnings.filter(({ code }) => code !== "unplaced" && code !== "components").map(inFlags);

function outputsOf(
  subject: OrdinalSubject,
  names: readonly string[] | undefined,
  warnings: readonly string[],
): Output[] {
  const { map } = subject.output;
  const { out, plot, report } = subject.flags;
  const reported = { path: report, content: () => reportText(ordinalReport(subject, warnings)) };
  const placed = placedOnly({ map, names });
  if (placed.map.rows === 0) return [reported];
  const title = shownNames(subject.files.map((file) => (file === "-" ? file : basename(file))));
  const picture = { ...placed, labels: undefined, labelName: "", title, subtitle: plotSubtitle(subject) };
  return [
    {
      path: out ?? (plot === undefined && report === undefined ? "-" : undefined),
      content: (path) => objectMapContent(objectMapFormat(path), { map, names }),
    },
    { path: plot, content: (path) => renderPlot(plotFormat(path), picture) },
    reported,
  ];
}
