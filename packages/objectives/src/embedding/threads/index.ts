/**
 * `@curvature/objectives/embedding/threads`: the exact search for neighbours on several threads, and the approximate sums of
 * repulsion on a thread of their own, in Node and in the workers of a page that is cross-origin isolated. Results have the
 * same bits with any number of threads; what changes is the time.
 */
import { Crew } from "@curvature/linalg/threads";
import { program } from "./program.js";
import { type SearchTask, searchTask, searchTogether } from "./shared-search.js";
import { SumElsewhere, type SumTask, sumTask } from "./sum-elsewhere.js";
import type { EmbeddingThreads } from "./threads.js";

export type { EmbeddingThreads, KernelSumShape, SearchThreads, SumThreads } from "./threads.js";

/**
 * Threads for `neighborSearch` and for models with a gradient "barnes-hut" or "fft", to be handed to them. They are started
 * when there is work for them, and begin by and by; nobody waits for one that has not begun.
 *
 * @param threads - 1 to 32, the caller's included, or "auto": as many as there are cores, 8 at most
 * @throws CurvatureError ERR_OPTION for other numbers
 */
export function embeddingThreads(threads: number | "auto"): EmbeddingThreads {
  const crew = Crew.of(threads, "embeddingThreads");
  const sums: SumElsewhere[] = [];
  const start = (most: number, task: SearchTask | SumTask): boolean => crew.start(most, program, task);
  return {
    count: crew.count,
    get started() {
      return crew.started;
    },
    get warnings() {
      return crew.warnings;
    },
    *search(Y, k) {
      if (crew.count === 1) return undefined;
      const task = crew.attempt(() => searchTask(Y, k));
      if (task === undefined || !start(crew.count - 1, task)) return undefined;
      const lists = yield* searchTogether(task);
      if (lists === undefined) crew.failed("a thread has come to a standstill");
      return lists;
    },
    elsewhere(shape, own) {
      if (crew.count === 1) return own;
      const task = crew.attempt(() => sumTask(shape));
      if (task === undefined || !start(1, task)) return own;
      const sum = new SumElsewhere(task, own, () => crew.failed("a thread has come to a standstill"));
      sums.push(sum);
      return sum;
    },
    close() {
      for (const { units } of sums.splice(0)) units.stop();
    },
  };
}
