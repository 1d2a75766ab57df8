/** Node's threads, where there are any. */
type WorkerThreads = ReturnType<typeof process.getBuiltinModule<"node:worker_threads">>;

/** Undefined in pages, in engines without threads, and in Node before version 20.16. */
export function workerThreads(): WorkerThreads | undefined {
  if (typeof process === "undefined" || typeof process.getBuiltinModule !== "function") return undefined;
  const threads: WorkerThreads | undefined = process.getBuiltinModule("node:worker_threads");
  return typeof threads?.Worker === "function" ? threads : undefined;
}
