/** Other threads for principal components: the matrix that is formed, products with it, and the points' coordinates. */
import type { PrincipalThreads } from "../index.js";
import { program as text } from "./program.js";
import { SharedUnits } from "./units.js";
import { WorkerPool } from "./worker-pool.js";

const program = { script: "linalg", name: "principal", text } as const;

/**
 * Threads for `principalComponents` of dense points, to be handed to it. They are started when there is enough work for
 * them, begin one after the other, and end with it; nobody waits for one that has not begun. Results have the same bits with any number of
 * them. What an engine takes for a thread it may free when the event loop has had its turn.
 *
 * @param threads - 1 to 32, the caller's included, or "auto": as many as there are cores, 8 at most
 * @throws CurvatureError ERR_OPTION for other numbers
 */
export function principalThreads(threads: number | "auto"): PrincipalThreads {
  const workers = WorkerPool.of(threads, "principalThreads");
  let isAsked = false;
  return {
    count: workers.count,
    get started() {
      return workers.started;
    },
    get warnings() {
      return isAsked ? workers.warnings : [];
    },
    share(make) {
      isAsked = true;
      if (workers.count === 1) return undefined;
      const data = workers.attempt(() => ({
        task: make(),
        units: new SharedUnits().integers,
        /** Number of the first unit of those that are under way. */
        first: new Int32Array(new SharedArrayBuffer(4)),
      }));
      if (data === undefined || !workers.start(workers.count - 1, program, data)) return undefined;
      const { task, first } = data;
      const units = new SharedUnits(data.units);
      let opened = 0;
      return {
        task,
        others: {
          perform(count, work, patience) {
            first[0] = opened;
            opened += count;
            units.open(count);
            for (let unit = units.claim(); unit >= 0; unit = units.claim()) {
              work(unit - first[0]);
              units.finish();
            }
            if (units.areDone(patience)) return true;
            workers.failed(units.isStopped ? "a thread has failed" : "a thread has come to a standstill");
            units.stop();
            return false;
          },
          stop: () => units.stop(),
        },
      };
    },
  };
}
