/** How a sweep ends: its table and its picture in the folder of results, the best run by name, and the exit code. */
import { basename, join } from "node:path";
import type { UnitEnd, UnitOfWork } from "@curvature/cluster";
import { writeCells } from "@curvature/datasets";
import { dataUseOf } from "../commands/data-flags.js";
import type { SweepFlags } from "../commands/sweep-flags.js";
import { readData } from "../read/data.js";
import { exitCode } from "../run/exit-codes.js";
import type { Session } from "../run/session.js";
import { programVersion } from "../version.js";
import { concluded } from "../write/outputs.js";
import { saveBest } from "./best-run.js";
import { type PictureLabels, svgOfSweep } from "./picture.js";
import type { Plan, SweepRequest } from "./plan.js";
import { refusalOf } from "./refusal.js";
import { resultFiles } from "./results-folder.js";
import { outcomeOf, runFile, stemOf } from "./run-files.js";
import { type RunOutcome, savedFiles } from "./run-unit.js";
import type { Shard } from "./shards.js";
import {
  bestRun,
  bestSentence,
  figureOf,
  type Metric,
  type Run,
  summaryText,
  tableOf,
  usualMetric,
} from "./summary.js";
import type { Sweepable } from "./sweepable.js";

/** @param ends - by the units' ids; what is not there has not been run. @param errors - of the sweep itself */
export async function conclude(
  request: SweepRequest,
  kind: Sweepable,
  flags: SweepFlags,
  plan: Plan,
  ends: ReadonlyMap<string, UnitEnd>,
  errors: readonly unknown[],
  session: Session,
): Promise<number> {
  const { log, signal } = session;
  const { metrics, solverFigures } = kind;
  const { axes } = request;
  const runs = plan.runs.map(({ unit, values }, k) =>
    runOf(k + 1, unit.id, values, unit.seed, ends.get(unit.id), (outcome) =>
      flags.save === "all" ? filesOf(kind, plan, k, outcome) : undefined,
    ),
  );
  const metric: Metric | undefined =
    flags.compareBy === undefined
      ? usualMetric(runs, metrics)
      : { name: flags.compareBy, best: metrics[flags.compareBy] ?? solverFigures[flags.compareBy] };
  const title =
    `curvature ${request.command} ${request.file === undefined ? "" : basename(request.file)}`.trim();
  const labels = await labelsOf(request, runs, signal);
  const svg = svgOfSweep({ title, runs, axes, metric, labels });
  const lines = [`${plan.runs.length} runs, plan ${plan.hash.slice(0, 12)}, version ${programVersion()}`];
  const picture = svg === undefined ? undefined : resultFiles.picture;
  const done = runs.filter(({ end }) => end.kind === "done").length;
  const best = metric === undefined ? undefined : bestRun(runs, metric);
  const failures = [...errors];
  const saved =
    best?.end.kind === "done" && flags.save !== "none" && !signal.aborted
      ? await saveBest(
          plan.runs[best.number - 1],
          best.end.outcome,
          best.files,
          kind,
          plan,
          flags.out,
          session,
        ).catch((error: unknown) => {
          failures.push(error);
          return [];
        })
      : [];
  return concluded(log, {
    outputs: [
      { path: join(flags.out, resultFiles.table), content: () => writeCells(tableOf(runs, axes)) },
      {
        path: join(flags.out, resultFiles.text),
        content: () => summaryText(runs, axes, metric, { title, lines, picture }),
      },
      ...(svg === undefined ? [] : [{ path: join(flags.out, resultFiles.picture), content: () => svg }]),
    ],
    lines: [`${title}: ${bestSentence(runs, best, axes, metric)}`, ...saved.map((path) => `  -> ${path}`)],
    record: {
      runs: runs.length,
      done,
      metric: metric?.name,
      best: best && {
        run: best.number,
        settings: Object.fromEntries(axes.map(({ name }, k) => [name, best.values[k]])),
        seed: best.seed,
        figure: metric && figureOf(best, metric.name),
      },
    },
    code: () => codeOf(done, runs.length, ends.size < runs.length && signal.aborted),
    errors: failures,
  });
}

/** How a shard ends: its runs are in the folder, and what they are part of is for the merge. */
export async function concludeShard(
  { command }: SweepRequest,
  { number, count }: Shard,
  units: readonly UnitOfWork[],
  ends: ReadonlyMap<string, UnitEnd>,
  errors: readonly unknown[],
  { log, signal }: Session,
): Promise<number> {
  const done = [...ends.values()].filter(
    (end) => end.status === "done" && outcomeOf(end.result) !== undefined,
  ).length;
  const answered = [...ends.values()].filter((end) => end.status === "done").length;
  return concluded(log, {
    outputs: [],
    lines: [
      `Shard ${number} of ${count} of the sweep of ${command}: ${done} of ${units.length} runs have a result. When all shards have ended, give the same command with --merge and their folders in place of --shard.`,
    ],
    record: { shard: `${number}/${count}`, runs: units.length, done },
    code: () => {
      if (ends.size < units.length && signal.aborted) return exitCode.aborted;
      return answered === units.length ? exitCode.success : codeOf(done, units.length, false);
    },
    errors,
  });
}

function runOf(
  number: number,
  id: string,
  values: readonly string[],
  seed: number,
  end: UnitEnd | undefined,
  filesIn: (outcome: RunOutcome) => Run["files"],
): Run {
  const common = { number, id, values, seed, files: undefined };
  if (end === undefined) return { ...common, end: { kind: "missing" } };
  const reason = end.status === "failed" ? end.reason : refusalOf(end)?.message;
  if (reason !== undefined) return { ...common, end: { kind: "failed", reason } };
  const outcome = end.status === "done" ? outcomeOf(end.result) : undefined;
  if (outcome === undefined) return { ...common, end: { kind: "failed", reason: "The run left no report." } };
  return { ...common, files: filesIn(outcome), end: { kind: "done", outcome } };
}

/** By their options, named from the folder of results, with forward slashes. */
function filesOf(kind: Sweepable, plan: Plan, k: number, { saved }: RunOutcome): Run["files"] {
  const stem = stemOf(basename(runFile("", k, plan.runs[k], plan.runs.length)));
  return Object.fromEntries(savedFiles(kind, `runs/${stem}`).filter(([option]) => saved?.includes(option)));
}

function codeOf(done: number, total: number, aborted: boolean): number {
  if (aborted) return exitCode.aborted;
  if (done === total) return exitCode.success;
  return done > 0 ? exitCode.limit : exitCode.failed;
}

/** For the picture's colours; a picture without them is one too. */
async function labelsOf(
  { file, settings, axes }: SweepRequest,
  runs: readonly Run[],
  signal: AbortSignal,
): Promise<PictureLabels | undefined> {
  if (file === undefined || settings["labels"] === undefined || signal.aborted) return undefined;
  const done = runs.find(({ end }) => end.kind === "done")?.values ?? [];
  const ofRun = Object.fromEntries(
    axes.flatMap(({ name }, k) => (done[k] === undefined ? [] : [[name, done[k]]])),
  );
  return readData(file, dataUseOf({ ...settings, ...ofRun }), { signal })
    .then(({ labels, labelName }) => labels && { name: labelName, words: Array.from(labels, String) })
    .catch(() => undefined);
}
