/**
 * The best run once more, for its map or model: runs leave figures alone, wherever they were done, and the same settings and seed
 * give the same result.
 */
import { join } from "node:path";
import { loadCluster } from "../run/cluster.js";
import { compute } from "../run/compute.js";
import { silentLog } from "../run/log.js";
import type { Session } from "../run/session.js";
import type { Plan, PlannedRun } from "./plan.js";
import { type RunOutcome, runUnit } from "./run-unit.js";
import { figuresOf } from "./summary.js";
import type { Sweepable } from "./sweepable.js";

/** @returns the files that it has written; @throws Error with one sentence if the run has no result now */
export async function saveBest(
  { unit }: PlannedRun,
  before: RunOutcome,
  { saved }: Sweepable,
  plan: Plan,
  folder: string,
  { log, signal, onForcedExit }: Session,
): Promise<readonly string[]> {
  log.phase("the best run again, to save it");
  const { fileOf } = await loadCluster("sweep");
  const files: string[] = [];
  for (const reference of unit.data) files.push(await fileOf(plan.data, reference));
  const paths = Object.values(saved).map((name) => join(folder, name));
  const outputs = Object.keys(saved).map((option, k) => `--${option}=${paths[k]}`);
  const quiet: Session = {
    log: silentLog,
    signal,
    onForcedExit,
    compute: (task, input, transfer = []) => compute(task, input, { log: silentLog, signal, transfer }),
  };
  const outcome = await runUnit(unit, files, quiet, outputs);
  if (signal.aborted) return [];
  if ("refusal" in outcome) throw new Error(outcome.refusal.message);
  const words = (run: RunOutcome): string => JSON.stringify([...figuresOf(run)]);
  if (words(outcome) !== words(before))
    log.warning(
      `${paths.join(" and ")} ${paths.length === 1 ? "is" : "are"} of the best run's settings and seed, but has other figures now: runs that a limit of time ends differ.`,
    );
  return paths;
}
