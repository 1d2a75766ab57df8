/**
 * The map or model of the best run. Where runs leave figures alone it is run once more: the same settings and seed give the same
 * result.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadCluster } from "../run/cluster.js";
import { compute } from "../run/compute.js";
import { silentLog } from "../run/log.js";
import type { Session } from "../run/session.js";
import { writeAtomically } from "../write/atomic-file.js";
import type { Plan, PlannedRun } from "./plan.js";
import { type RunOutcome, runUnit, savedFiles } from "./run-unit.js";
import { figuresOf } from "./summary.js";
import type { Sweepable } from "./sweepable.js";

/**
 * @param files - of the run, where it has saved them, by their options
 * @returns the files that it has written
 * @throws Error with one sentence if the run has no result now; CurvatureError ERR_IO
 */
export async function saveBest(
  { unit }: PlannedRun,
  before: RunOutcome,
  saved: Readonly<Record<string, string>> | undefined,
  kind: Sweepable,
  plan: Plan,
  folder: string,
  { log, signal, onForcedExit }: Session,
): Promise<readonly string[]> {
  const mine = savedFiles(kind, join(folder, "best"));
  if (saved !== undefined) {
    const there = mine.filter(([option]) => saved[option] !== undefined);
    for (const [option, path] of there) writeAtomically(path, readFileSync(join(folder, saved[option])));
    return there.map(([, path]) => path);
  }
  log.phase("the best run again, to save it");
  const { fileOf } = await loadCluster("sweep");
  const files: string[] = [];
  for (const reference of unit.data) files.push(await fileOf(plan.data, reference));
  const quiet: Session = {
    log: silentLog,
    signal,
    onForcedExit,
    compute: (task, input, transfer = []) => compute(task, input, { log: silentLog, signal, transfer }),
  };
  const outcome = await runUnit(unit, files, quiet, join(folder, "best"));
  if (signal.aborted) return [];
  if ("refusal" in outcome) throw new Error(outcome.refusal.message);
  const paths = mine.flatMap(([option, path]) => (outcome.saved?.includes(option) ? [path] : []));
  const words = (run: RunOutcome): string => JSON.stringify([...figuresOf(run)]);
  if (words(outcome) !== words(before))
    log.warning(
      `${paths.join(" and ")} ${paths.length === 1 ? "is" : "are"} of the best run's settings and seed, but has other figures now: runs that a limit of time ends differ.`,
    );
  return paths;
}
