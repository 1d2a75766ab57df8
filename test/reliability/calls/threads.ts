/** Calls of threads. */
import * as threads from "@curvature/linalg/threads";
import { call } from "./call.ts";

export const threadCalls = {
  startThreads: call(
    () => [1, 10],
    (...given) => threads.startThreads(...given).close(),
  ),
  setThreadScripts: call(
    () => [{ linalg: "thread.js" }],
    (...given) => threads.setThreadScripts(...given),
  ),
  principalThreads: call(
    () => [1],
    (...given) => threads.principalThreads(...given).count,
  ),
  WorkerPool: call(
    () => [1, "a pool"],
    (...given) => threads.WorkerPool.of(...given).count,
  ),
  SharedUnits: call(
    () => [new Int32Array(new SharedArrayBuffer(24))],
    (...given) => new threads.SharedUnits(...given).claim(),
  ),
  SharedLocks: call(
    () => [new Int32Array(new SharedArrayBuffer(24))],
    (...given) => new threads.SharedLocks(...given).words.length,
  ),
};
