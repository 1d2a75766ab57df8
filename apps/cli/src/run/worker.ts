/**
 * The worker's side: runs the one task that it was started for, reports its progress, and stops when asked to.
 */
import { parentPort, workerData } from "node:worker_threads";
import { CurvatureError } from "@curvature/linalg";
import { enableSimd } from "@curvature/linalg/simd";
import { type Channel, runTask } from "../tasks/index.js";
import { callOptionsAs, inFlags } from "./flag-names.js";
import type { FromWorker, PlainError, ToWorker } from "./worker-messages.js";

const port = parentPort;
if (port === null)
  throw new Error("This file is the worker of the curvature command; it does nothing by itself.");

const send = (message: FromWorker<unknown>): void => port.postMessage(message);
const controller = new AbortController();
port.on("message", (message: ToWorker) => {
  if (message.type === "abort") controller.abort(new DOMException("by Ctrl-C or SIGTERM", "AbortError"));
});

/** Milliseconds between two steps that are reported: a fast solver makes thousands, and nobody reads them all. */
const stepEvery = 40;
let lastStep = Number.NEGATIVE_INFINITY;

function isDue(): boolean {
  if (performance.now() - lastStep < stepEvery) return false;
  lastStep = performance.now();
  return true;
}

const channel: Channel = {
  signal: controller.signal,
  phase: (phase, share) => {
    if (share !== undefined && !isDue()) return;
    send({ type: "phase", phase, share });
  },
  step: (step) => {
    if (isDue()) send({ type: "step", step });
  },
  warning: (sentence) => send({ type: "warning", sentence }),
  note: (sentence) => send({ type: "note", sentence }),
};

callOptionsAs(workerData.flagNames);
enableSimd(); // or not, where Node was started without WebAssembly: the results are the same
try {
  send({ type: "result", result: await runTask(workerData.task, workerData.input, channel) });
} catch (error) {
  send({ type: "error", error: plainError(error) });
}

function plainError(error: unknown): PlainError {
  const known = error instanceof CurvatureError ? error : undefined;
  const received = known?.received;
  return {
    name: error instanceof Error ? error.name : "Error",
    code: known?.code,
    message: known ? inFlags(known) : error instanceof Error ? error.message : String(error),
    path: known?.path,
    expected: known?.expected,
    received:
      typeof received === "string" || typeof received === "number" || typeof received === "boolean"
        ? received
        : undefined,
    stack: error instanceof Error ? error.stack : undefined,
  };
}
