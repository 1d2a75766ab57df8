/**
 * Plans run by an executor: every unit's end once, in the order of the plan, whoever did the work and in whatever order.
 */
import { CurvatureError } from "@curvature/linalg";
import type { Executor, UnitEnd, UnitOfWork } from "./executor.js";
import { crossValidationUnits, restartUnits, type SweepPlan, sweepUnits, type Work } from "./plan.js";

export interface SweepOptions {
  /** Cancels what has not begun; the iteration then throws its reason. */
  readonly signal?: AbortSignal;
  /** Ends that are known already, by the units' ids: these units are not run again. */
  readonly known?: ReadonlyMap<string, UnitEnd>;
  /** Called with each end as it comes, in any order. */
  readonly onEnd?: (end: UnitEnd, progress: { readonly ended: number; readonly total: number }) => void;
}

/**
 * One run for each point of a grid, with restarts.
 *
 * @returns the ends in the plan's order, each as soon as it and those before it are there
 * @throws CurvatureError ERR_ARGUMENT for what is no plan; what the executor throws
 */
export const sweep = (plan: SweepPlan, executor: Executor, options?: SweepOptions): AsyncGenerator<UnitEnd> =>
  inOrder(sweepUnits(plan), executor, options);

/** `n` runs of one piece of work, with the seeds `seed`, `seed + 1`, … As `sweep` otherwise. */
export const restarts = (
  n: number,
  work: Work,
  executor: Executor,
  options?: SweepOptions,
): AsyncGenerator<UnitEnd> => inOrder(restartUnits(n, work), executor, options);

/** Each point of a grid on each of `folds` parts of the data; see `crossValidationUnits`. As `sweep` otherwise. */
export const crossValidate = (
  folds: number,
  plan: Omit<SweepPlan, "restarts">,
  executor: Executor,
  options?: SweepOptions,
): AsyncGenerator<UnitEnd> => inOrder(crossValidationUnits(folds, plan), executor, options);

/** Runs units and yields their ends in the units' order. @throws CurvatureError ERR_ARGUMENT; what the executor throws */
export async function* inOrder(
  units: readonly UnitOfWork[],
  executor: Executor,
  { signal, known, onEnd }: SweepOptions = {},
): AsyncGenerator<UnitEnd> {
  checkDistinct(units);
  const total = units.length;
  const ends = new Map<string, UnitEnd>();
  const keep = (end: UnitEnd): void => {
    ends.set(end.id, end);
    onEnd?.(end, { ended: ends.size, total });
  };
  for (const { id } of units) {
    const end = known?.get(id);
    if (end !== undefined) keep(end);
  }
  const waited = new Set(units.filter(({ id }) => !ends.has(id)).map(({ id }) => id));
  let next = 0;
  for (; next < total && ends.has(units[next].id); next++) yield endOf(ends, units[next]);
  if (total === 0) return;
  // Also when nothing is left: an executor that remembers the plan must know that it has ended.
  const rest = units.filter(({ id }) => waited.has(id));
  for await (const end of executor.run(rest, signal, units)) {
    if (!waited.delete(end.id)) continue; // an executor's own promise; kept here whatever executor comes
    keep(end);
    for (; next < total && ends.has(units[next].id); next++) yield endOf(ends, units[next]);
  }
  if (waited.size > 0) {
    throw new CurvatureError("ERR_IO", `The executor ended with ${waited.size} units undone.`, {
      path: "executor",
    });
  }
}

function endOf(ends: ReadonlyMap<string, UnitEnd>, { id }: UnitOfWork): UnitEnd {
  const end = ends.get(id);
  if (end === undefined) throw new CurvatureError("ERR_ARGUMENT", `The unit ${id} has not ended.`);
  return end;
}

function checkDistinct(units: readonly UnitOfWork[]): void {
  const ids = new Set(units.map(({ id }) => id));
  if (ids.size === units.length) return;
  throw new CurvatureError("ERR_ARGUMENT", "Units of a plan must have ids of their own.", { path: "units" });
}
