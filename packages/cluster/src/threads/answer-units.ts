/**
 * A thread's side of a pool. The module that a pool is given calls this once, and says how a unit is run.
 */
import { parentPort } from "node:worker_threads";
import { CurvatureError } from "@curvature/linalg";
import type { UnitOfWork } from "../executor.js";
import type { FromThread, ToThread } from "./messages.js";

/**
 * Runs a unit on its data.
 *
 * @param files - the unit's data as files of this machine, in the order of `unit.data`
 * @returns plain JSON
 */
export type RunUnit = (unit: UnitOfWork, files: readonly string[]) => unknown;

/** Answers the units that the pool sends, one after the other. @throws CurvatureError ERR_ARGUMENT outside of a worker thread */
export function answerUnits(run: RunUnit): void {
  const port = parentPort;
  if (port === null) {
    throw new CurvatureError(
      "ERR_ARGUMENT",
      "answerUnits belongs into a module that a pool of threads loads.",
    );
  }
  const tell = (message: FromThread): void => port.postMessage(message);
  port.on("message", ({ unit, files }: ToThread) => {
    const started = performance.now();
    Promise.resolve()
      .then(() => run(unit, files))
      .then((result) => {
        const plain: unknown = JSON.parse(JSON.stringify(result ?? null));
        tell({ type: "done", result: plain, seconds: (performance.now() - started) / 1000 });
      })
      .catch((error: unknown) => {
        tell({ type: "failed", reason: error instanceof Error ? error.message : String(error) });
      });
  });
  tell({ type: "ready" });
}
