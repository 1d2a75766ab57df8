/**
 * `@curvature/linalg/threads`: exact sums over all pairs and principal components on several threads, in Node and in the workers of
 * a page that is cross-origin isolated, and what other packages share work of theirs by. Results have the same bits with
 * any number of threads; what changes is the time. What is in use is said to the package itself, in either module system:
 * this file must not bring a second one.
 */
import { badOption, usePairThreads } from "../index.js";
import { MIN_POINTS, Pool } from "./pool.js";
import { WorkerPool } from "./worker-pool.js";

export { setThreadScripts, type ThreadProgram, type ThreadScripts, type ThreadTask } from "./host.js";
export { SharedLocks } from "./locks.js";
export { principalThreads } from "./principal.js";
export { SharedUnits } from "./units.js";
export { type ThreadKernels, WorkerPool } from "./worker-pool.js";

export interface Threads {
  /** How many there are, the caller's included: 1 where there is nothing to share, or no way to. */
  readonly count: number;
  /** How many of them were started, the caller's included; none that has failed. */
  readonly started: number;
  /** Of the threads that were asked for, how many beside the caller's have begun to work. */
  readonly ready: number;
  /** Why the caller's thread has to do it all, or has had to: then results are the same, and take longer. */
  readonly warnings: readonly string[];
  /** Ends the threads; once is enough. A process may exit without it. */
  close(): void;
}

/**
 * Starts threads for `PlanePairs` sums of this thread until they are closed. They begin one after the other, and sums do not wait
 * for them. Sums over few points are left to the caller's thread.
 *
 * @param threads - 1 to 32, the caller's included, or "auto": as many as there are cores, 8 at most
 * @param points - the most that a sum will have; memory is taken for it, about 530 bytes per point
 * @throws CurvatureError ERR_OPTION for other numbers
 */
export function startThreads(threads: number | "auto", points: number): Threads {
  const asked = WorkerPool.of(threads, "startThreads");
  if (!Number.isInteger(points) || points < 0 || points > 2 ** 31)
    throw badOption("startThreads", "points", "a whole number from 0 on", points);
  if (points < MIN_POINTS) return alone([]);
  const { count, host } = asked;
  if (host === undefined) return alone(asked.warnings);
  const pool = Pool.start(host, count - 1, points);
  if (typeof pool === "string") return alone(WorkerPool.alone(pool).warnings);
  const takeBack = usePairThreads(pool);
  return {
    count,
    get started() {
      return pool.started;
    },
    get ready() {
      return pool.ready;
    },
    get warnings() {
      return pool.failure === undefined
        ? []
        : [`Threads have been of less use than they could: ${pool.failure}.`];
    },
    close() {
      takeBack();
      pool.close();
    },
  };
}

function alone(warnings: readonly string[]): Threads {
  return { count: 1, started: 1, ready: 0, warnings, close: () => undefined };
}
