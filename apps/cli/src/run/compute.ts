/**
 * Runs a task in a worker thread, so that this thread can always answer a signal.
 */
import { MessagePort, Worker } from "node:worker_threads";
import { CurvatureError } from "@curvature/linalg";
import type { TaskInput, TaskName, TaskOutput } from "../tasks/index.js";
import { isErrorCode } from "./failure.js";
import { currentFlagNames } from "./flag-names.js";
import type { Log } from "./log.js";
import { isOutOfMemory, outOfMemory } from "./memory.js";
import type { FromWorker, PlainError, ToWorker } from "./worker-messages.js";

export interface ComputeOptions {
  readonly log: Log;
  /** Asks the task to finish its step and return what there is. */
  readonly signal: AbortSignal;
  /** Arrays and ports that the worker may have for its own. */
  readonly transfer: readonly (ArrayBufferLike | MessagePort)[];
}

/** The worker ended, or broke down, beside its task: code that it has loaded did so, or we have made a mistake. */
export class ThreadError extends Error {}

/**
 * @throws CurvatureError whatever the task threw; ERR_MEMORY if the worker ran out of memory; ThreadError if it ended by
 *   itself
 */
export async function compute<Name extends TaskName>(
  task: Name,
  input: TaskInput<Name>,
  { log, signal, transfer }: ComputeOptions,
): Promise<TaskOutput<Name>> {
  const worker = new Worker(new URL("./worker.js", import.meta.url), {
    workerData: { task, input, flagNames: currentFlagNames() },
    transferList: transfer.filter((item) => item instanceof ArrayBuffer || item instanceof MessagePort),
    stdout: true,
  });
  // Standard output is for data: what the user's code prints goes to the log.
  worker.stdout.pipe(process.stderr, { end: false });
  const abort = (): void => worker.postMessage({ type: "abort" } satisfies ToWorker);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    return await new Promise<TaskOutput<Name>>((done, fail) => {
      worker.on("message", (message: FromWorker<TaskOutput<Name>>) => {
        if (message.type === "phase") log.phase(message.phase, message.share);
        else if (message.type === "step") log.step(message.step);
        else if (message.type === "warning") log.warning(message.sentence);
        else if (message.type === "note") log.note(message.sentence);
        else if (message.type === "result") done(message.result);
        else fail(revived(message.error));
      });
      worker.on("error", (error) => fail(fatal(error)));
      worker.on("exit", (code) =>
        fail(new ThreadError(`the computation ended without a result (exit code ${code})`)),
      );
    });
  } finally {
    signal.removeEventListener("abort", abort);
    worker.removeAllListeners();
    await worker.terminate();
  }
}

function fatal(error: unknown): unknown {
  if (isOutOfMemory(error)) return outOfMemory(error);
  const message = error instanceof Error ? error.message : String(error);
  return new ThreadError(message, { cause: error });
}

/** The worker's error as what it was there. */
function revived({ name, code, message, path, expected, received, stack }: PlainError): Error {
  const error =
    code === undefined || !isErrorCode(code)
      ? new Error(message)
      : new CurvatureError(code, message, { path, expected, received });
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}
