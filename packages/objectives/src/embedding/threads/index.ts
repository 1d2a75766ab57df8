/**
 * `@curvature/objectives/embedding/threads`: the exact search for neighbours and the affinities on several threads, and the
 * approximate sums of repulsion on a thread of their own, in Node and in the workers of a page that is cross-origin isolated. Results have the same bits with any number of threads; what changes is the time.
 */
import { WorkerPool } from "@curvature/linalg/threads";
import { program as text } from "./program.js";
import { fitTask, fitTogether } from "./shared-fits.js";
import { mostSearchers, searchTask, searchTogether } from "./shared-search.js";
import { SumElsewhere, sumTask } from "./sum-elsewhere.js";
import type { Task } from "./task.js";
import type { EmbeddingThreads } from "./threads.js";

export type {
  AffinityThreads,
  EmbeddingThreads,
  KernelSumShape,
  SearchThreads,
  SumThreads,
} from "./threads.js";

const program = { script: "objectives", name: "embedding", text } as const;

/**
 * Threads for `neighborSearch`, `neighborAffinities` and models with a gradient "barnes-hut" or "fft", to be handed to them.
 * They are started when there is work for them, and begin one after the other; nobody waits for one that has not begun.
 *
 * @param threads - 1 to 32, the caller's included, or "auto": as many as there are cores, 8 at most
 * @throws CurvatureError ERR_OPTION for other numbers
 */
export function embeddingThreads(threads: number | "auto"): EmbeddingThreads {
  const workers = WorkerPool.of(threads, "embeddingThreads");
  const sums: SumElsewhere[] = [];
  const lost = (): void => workers.failed("a thread has come to a standstill");

  /** A task of which so many other threads take part; undefined where there is none to be had. */
  function begun<T extends Task>(most: number, make: () => T): T | undefined {
    if (workers.count === 1) return undefined;
    const task = workers.attempt(make);
    return task !== undefined && workers.start(most, program, task) ? task : undefined;
  }

  /** What all threads do, so many beside the caller's at the most; undefined where they fail. */
  function* together<T extends Task, R>(
    most: number,
    make: () => T,
    work: (task: T) => Generator<number, R | undefined, void>,
  ): Generator<number, R | undefined, void> {
    const task = begun(most, make);
    if (task === undefined) return undefined;
    const result = yield* work(task);
    if (result === undefined) lost();
    return result;
  }

  return {
    count: workers.count,
    get started() {
      return workers.started;
    },
    get warnings() {
      return workers.warnings;
    },
    search: (Y, k) => together(mostSearchers(Y), () => searchTask(Y, k), searchTogether),
    affinities: (lists, perplexity) =>
      together(
        workers.count - 1,
        () => fitTask(lists, perplexity),
        (task) => fitTogether(task, lists),
      ),
    elsewhere(shape, own) {
      const task = begun(1, () => sumTask(shape));
      if (task === undefined) return own;
      const sum = new SumElsewhere(task, own, lost);
      sums.push(sum);
      return sum;
    },
    close() {
      for (const { units } of sums.splice(0)) units.stop();
    },
  };
}
