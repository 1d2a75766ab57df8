/**
 * `curvature ordinal [file]`: a map of objects from answers to "which two are nearer to each other?".
 */
import { basename } from "node:path";
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import type { OrdinalEmbeddingOptions } from "@curvature/optim-svrg";
import type { Command } from "commander";
import { fileName } from "../arguments.js";
import { checkCheckpointTarget } from "../checkpoint-target.js";
import { compute } from "../compute.js";
import { checkRunFlags } from "../conventions.js";
import { exitCodeOf } from "../exit-codes.js";
import { failureOf, usageError } from "../failure.js";
import { shownName } from "../input.js";
import { objectMapContent, objectMapFormat, placedOnly } from "../object-map.js";
import { calledBy } from "../object-names.js";
import { abandonOutputs, type Delivery, deliver, prepareOutputs, type Target } from "../outputs.js";
import { inOwnWords } from "../own-words.js";
import { plotFormat, renderPlot } from "../plot/index.js";
import { reportText } from "../report.js";
import { inSession, type Session } from "../session.js";
import type { OrdinalSource, OrdinalTaskInput, OrdinalTaskOutput } from "../tasks/ordinal.js";
import { addOrdinalOptions, isStart, type OrdinalFlags } from "./ordinal-flags.js";
import { type OrdinalInput, readAll, startFile } from "./ordinal-input.js";
import {
  lossTitles,
  type OrdinalSubject,
  ordinalReport,
  plotSubtitle,
  summaryLines,
  warningsOn,
} from "./ordinal-words.js";

export function addOrdinalCommand(program: Command, ended: (code: number) => void): void {
  const command = program
    .command("ordinal")
    .summary("make a map of objects from answers to which of them are nearer")
    .description(
      'Makes a map of objects from answers to "which two are nearer to each other?": one row per object.\n' +
        "Without --out, --plot and --report the map goes to standard output, as CSV.",
    )
    .argument("[file]", "answers, one per line: CSV or TSV, or .gz of these; - is standard input", fileName);
  addOrdinalOptions(command).action(async (file: string | undefined, flags: OrdinalFlags) => {
    const talk = {
      json: flags.json === true,
      quiet: flags.quiet === true,
      title: `ordinal embedding (${lossTitles[flags.loss]})`,
      limits: { iterations: flags.maxIterations, passes: flags.maxPasses, seconds: flags.maxSeconds },
    };
    ended(await inSession(talk, (session) => mapAnswers(file, flags, session)));
  });
}

async function mapAnswers(given: string | undefined, flags: OrdinalFlags, session: Session): Promise<number> {
  const { talk, signal } = session;
  const file = sourceFile(given, flags);
  prepare(file, flags, session);
  talk.phase(`reading ${shownName(file)}`);
  const started = performance.now();
  const input = await readAll(file, flags, session);
  const reading = (performance.now() - started) / 1000;
  const output = await compute("ordinal", taskOf(flags, input), {
    talk,
    signal,
    transfer: transferable(input.source),
  });
  const phases = { reading, ...output.phases };
  return conclude({ ...subjectOf(file, flags, input), output: { ...output, phases } }, input, session);
}

/** The answers' file, or the distances' instead. */
function sourceFile(given: string | undefined, { fromDistances }: OrdinalFlags): string {
  if (given !== undefined && fromDistances !== undefined) {
    throw usageError(`Give answers (${given}) or --from-distances, not both.`, "fromDistances");
  }
  const file = given ?? fromDistances;
  if (file === undefined) throw usageError("Name a file with answers, or one with --from-distances.");
  return file;
}

/** All that can be known to be wrong before the work begins. */
function prepare(file: string, flags: OrdinalFlags, session: Session): void {
  checkRunFlags(flags);
  if (flags.answers !== "all" && flags.fromDistances === undefined) {
    throw usageError("--answers says how many to make from distances; give --from-distances.", "answers");
  }
  const inputs = [file, flags.names, startFile(flags), flags.test].filter((path) => typeof path === "string");
  if (inputs.filter((path) => path === "-").length > 1) {
    throw usageError("Standard input (-) can be read once only; give the others as files.");
  }
  if (flags.out !== undefined) objectMapFormat(flags.out);
  if (flags.plot !== undefined) plotFormat(flags.plot);
  const outputs: Target[] = [];
  if (flags.out !== undefined) outputs.push({ option: "--out", path: flags.out });
  if (flags.plot !== undefined) outputs.push({ option: "--plot", path: flags.plot });
  if (flags.report !== undefined) outputs.push({ option: "--report", path: flags.report });
  if (flags.checkpoint !== undefined) outputs.push({ option: "--checkpoint", path: flags.checkpoint });
  prepareOutputs(outputs, inputs);
  if (flags.checkpoint !== undefined) checkCheckpointTarget(flags.checkpoint, flags.resume === true);
  session.onAbandon(() => abandonOutputs(outputs));
}

const transferable = (source: OrdinalSource): ArrayBufferLike[] =>
  source.kind === "distances" ? [source.distances.data.buffer] : [source.answers.quadruplets.buffer];

function taskOf(flags: OrdinalFlags, { source, test, start }: OrdinalInput): OrdinalTaskInput {
  const { checkpoint, checkpointEvery, resume } = flags;
  return {
    source,
    test,
    options: embeddingOptions(flags, start),
    checkpoint:
      checkpoint === undefined
        ? undefined
        : { path: checkpoint, everySeconds: checkpointEvery, resume: resume === true },
  };
}

function embeddingOptions(flags: OrdinalFlags, start: DenseMatrix | undefined): OrdinalEmbeddingOptions {
  const { loss, solver, dim, ridge, restarts, seed, init } = flags;
  const { mu, alpha, maxIterations, maxPasses, maxSeconds, tolerance } = flags;
  return {
    loss,
    solver,
    dimensions: dim,
    ridge,
    restarts,
    seed,
    initialization: start ?? (isStart(init) ? init : "auto"),
    ...(mu !== undefined && { mu }),
    ...(alpha !== undefined && { alpha }),
    ...(maxIterations !== undefined && { maxIterations }),
    ...(maxPasses !== undefined && { maxPasses }),
    ...(maxSeconds !== undefined && { maxSeconds }),
    ...(tolerance !== undefined && { tolerance }),
  };
}

const subjectOf = (
  file: string,
  flags: OrdinalFlags,
  { names, objects, dropped }: OrdinalInput,
): Omit<OrdinalSubject, "output"> => ({
  file,
  flags,
  called: calledBy(names, objects),
  hasNames: names !== undefined,
  dropped,
});

/** Writes everything, sums up, and says how it ended. */
async function conclude(
  subject: OrdinalSubject,
  { names, warnings }: OrdinalInput,
  { talk, signal }: Session,
): Promise<number> {
  const { flags, output } = subject;
  const { result, metrics, answers, checkpointFailure } = output;
  const found = [...warningsOn(subject), ...otherWarnings(output)];
  for (const warning of found) talk.warning(warning);
  const deliveries = deliveriesOf(subject, names, [...warnings, ...found]);
  const undelivered = await deliver(deliveries);
  const failures = undelivered.map(({ error }) => failureOf(error));
  if (checkpointFailure !== undefined) {
    failures.push(
      failureOf(new CurvatureError("ERR_IO", `The last checkpoint is missing. ${checkpointFailure}`)),
    );
  }
  const code =
    failures[0]?.exitCode ??
    exitCodeOf({
      ...result,
      scheduled: flags.solver === "auto" && flags.maxPasses === undefined ? "max-evaluations" : undefined,
      aborted: signal.aborted,
    });
  const lines = summaryLines(subject);
  const missing = new Set(undelivered.map(({ path }) => path));
  for (const { path } of deliveries) if (path !== "-" && !missing.has(path)) lines.push(`  -> ${path}`);
  talk.summary(lines, { ...result, metrics, answers, exitCode: code });
  for (const failure of failures) talk.failure(failure);
  return code;
}

/** What the method warns of besides what `warningsOn` says, with the objects by their names. */
const otherWarnings = ({ warnings }: OrdinalTaskOutput): readonly string[] =>
  warnings
    .filter(({ code }) => code !== "unplaced" && code !== "components")
    .map(({ message }) => inOwnWords(message));

function deliveriesOf(
  subject: OrdinalSubject,
  names: readonly string[] | undefined,
  warnings: readonly string[],
): Delivery[] {
  const { map } = subject.output;
  const { plot, report } = subject.flags;
  const out = subject.flags.out ?? (plot === undefined && report === undefined ? "-" : undefined);
  const placed = placedOnly({ map, names });
  const deliveries: Delivery[] = [];
  if (out !== undefined && placed.map.rows > 0) {
    const content = () => objectMapContent(objectMapFormat(out), { map, names });
    deliveries.push({ option: "--out", path: out, content });
  }
  if (plot !== undefined && placed.map.rows > 0) {
    const title = subject.file === "-" ? "standard input" : basename(subject.file);
    const picture = { ...placed, labels: undefined, labelName: "", title, subtitle: plotSubtitle(subject) };
    deliveries.push({ option: "--plot", path: plot, content: () => renderPlot(plotFormat(plot), picture) });
  }
  if (report !== undefined) {
    const content = () => reportText(ordinalReport(subject, warnings));
    deliveries.push({ option: "--report", path: report, content });
  }
  return deliveries;
}
