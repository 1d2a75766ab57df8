/**
 * The executor that needs nothing but this machine: units go to worker threads.
 */
import { availableParallelism } from "node:os";
import { CurvatureError, integerFrom, type OptionsOf, object, optionTable, text } from "@curvature/linalg";
import { fileOf } from "../data.js";
import { type Executor, mostAtATime, mostTries, type UnitEnd, type UnitOfWork } from "../executor.js";
import { threadRunner, UnitPool } from "./unit-pool.js";

const threadExecutorOptions = optionTable({
  /** Where the units' data are, relative to the working directory. */
  data: text.default("."),
  /** Units at a time. Left out: one for each core. */
  concurrency: integerFrom(1, mostAtATime),
  /** What each thread finds as `workerData`: anything that can be cloned. */
  threadData: object<object>("an object"),
});
export type ThreadExecutorOptions = OptionsOf<typeof threadExecutorOptions>;

/**
 * @param module - a module that calls `answerUnits`, as a URL or an absolute path
 * @throws CurvatureError ERR_OPTION
 */
export function threadExecutor(module: URL | string, options?: ThreadExecutorOptions): Executor {
  const {
    data,
    concurrency = availableParallelism(),
    threadData,
  } = threadExecutorOptions.resolve("threadExecutor", options);
  if (!(module instanceof URL) && typeof module !== "string") {
    throw new CurvatureError("ERR_ARGUMENT", "the module must be a URL or a path.", {
      where: "threadExecutor",
      path: "module",
    });
  }
  const pool = new UnitPool(() => threadRunner(module, threadData));
  return {
    run: (units, signal) => runOnThreads(units, { pool, data, concurrency, signal }),
    forget: () => Promise.resolve(),
    close: () => pool.close(),
  };
}

interface Means {
  readonly pool: UnitPool;
  readonly data: string;
  readonly concurrency: number;
  readonly signal: AbortSignal | undefined;
}

async function* runOnThreads(units: readonly UnitOfWork[], means: Means): AsyncGenerator<UnitEnd> {
  const { signal, concurrency } = means;
  signal?.throwIfAborted();
  const stop = new AbortController();
  const merged = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
  const running = new Map<number, Promise<{ readonly place: number; readonly end: UnitEnd }>>();
  let next = 0;
  const startOne = (): void => {
    const place = next++;
    const work = tried(units[place], { ...means, signal: merged }).then((end) => ({ place, end }));
    work.catch(() => undefined); // handled in the race below
    running.set(place, work);
  };
  try {
    while (next < units.length && running.size < concurrency) startOne();
    while (running.size > 0) {
      const { place, end } = await Promise.race(running.values());
      running.delete(place);
      if (next < units.length) startOne();
      yield end;
    }
  } finally {
    stop.abort(); // whoever stops listening wants no more work done
    await Promise.allSettled(running.values());
  }
}

async function tried(unit: UnitOfWork, { pool, data, signal }: Means): Promise<UnitEnd> {
  let reason = "";
  for (let tries = 1; tries <= mostTries; tries++) {
    try {
      const files: string[] = [];
      for (const reference of unit.data) files.push(await fileOf(data, reference));
      return { id: unit.id, status: "done", ...(await pool.run(unit, files, signal)) };
    } catch (error) {
      signal?.throwIfAborted();
      reason = error instanceof Error ? error.message : String(error);
    }
  }
  return { id: unit.id, status: "failed", reason, tries: mostTries };
}
