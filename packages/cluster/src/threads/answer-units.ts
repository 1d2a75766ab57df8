/**
 * The side of a thread or a process of a pool. The module that a pool is given calls this once, and says how a unit is run.
 */
import { type MessagePort, parentPort, Worker } from "node:worker_threads";
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

/** Answers the units that the pool sends, one after the other. @throws CurvatureError ERR_ARGUMENT outside of a pool's thread or process */
export function answerUnits(run: RunUnit): void {
  const { listen, tell } = parentPort === null ? channelOfProcess() : channelOfThread(parentPort);
  listen(({ unit, files }) => {
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

interface Channel {
  readonly listen: (listener: (message: ToThread) => void) => void;
  readonly tell: (message: FromThread) => void;
}

const channelOfThread = (port: MessagePort): Channel => ({
  listen: (listener) => void port.on("message", listener),
  tell: (message) => port.postMessage(message),
});

function channelOfProcess(): Channel {
  const send = process.send?.bind(process);
  if (send === undefined)
    throw new CurvatureError("ERR_ARGUMENT", "answerUnits belongs into a module that a pool loads.");
  // A terminal sends these to all of its processes; the one that has started this one decides.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
  const end = (): unknown => process.kill(process.pid, "SIGKILL");
  process.once("disconnect", end);
  process.once("uncaughtException", (error) => {
    send({ type: "failed", reason: error.message }, undefined, undefined, end);
  });
  // A unit may hold the event loop for hours after its parent was killed: a thread sees that in its place.
  new Worker(watchParent, { eval: true, workerData: process.ppid }).unref();
  return {
    listen: (listener) => void process.on("message", listener),
    tell: (message) => void send(message),
  };
}

const watchParent = `
const { workerData: parent } = require("node:worker_threads");
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
}, 500);
`;
