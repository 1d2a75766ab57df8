/** The worker itself: of a page, or a thread of Node's, whichever there is. */
import { CurvatureError, type OptionsOf, option, optionTable } from "@curvature/linalg";
import type { FromWorker, ToWorker } from "./messages.js";
import { workerThreads } from "./threads.js";

export interface Connection {
  /** @throws CurvatureError ERR_ARGUMENT for what no message can have */
  post(message: ToWorker, transfer: readonly Transferable[]): void;
  /** Ends the worker, whatever it does. */
  end(): void;
}

/** How the worker is heard: what it posts, and why there will be no more of it. */
export interface Listener {
  hear(message: FromWorker): void;
  fail(error: CurvatureError): void;
}

const address = option(
  "an address",
  (value): value is string | URL => typeof value === "string" || value instanceof URL,
);
/** Where a page serves the worker's program. */
const workerScript = optionTable({ script: address });

let script: OptionsOf<typeof workerScript>["script"];

/**
 * For pages that serve the worker's program, `@curvature/optim-spectral/worker-program.js`, at an address of their own: those of
 * bundlers that leave `new URL(…, import.meta.url)` as it is (esbuild, Rollup without a plugin) and do not put it beside their bundle,
 * and pages whose modules come from another origin. Workers that are started from now on run it; undefined is where it lies by itself.
 *
 * @param at - an address of the page's own origin, or undefined
 * @throws CurvatureError ERR_OPTION for what is no address
 */
export function setWorkerScript(at: string | URL | undefined): void {
  ({ script } = workerScript.resolve("setWorkerScript", { script: at }));
}

/** @throws CurvatureError ERR_IO where there are no workers, or none may be started */
export function connect(listener: Listener): Connection {
  const threads = workerThreads();
  try {
    return threads === undefined ? ofPage(listener) : ofNode(threads, listener);
  } catch (cause) {
    throw cause instanceof CurvatureError
      ? cause
      : unloaded(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

/**
 * In the form by which bundlers know a file that goes with a script, and give it a name and place of their own: Vite, webpack (Next),
 * Turbopack, Parcel, for pages and servers alike. It needs no more bundling.
 */
const program = (): string | URL => script ?? new URL("./worker-program.js", import.meta.url);

function ofPage({ hear, fail }: Listener): Connection {
  if (typeof Worker === "undefined")
    throw new CurvatureError(
      "ERR_IO",
      "there are no workers here: pages have them, workers of pages, and Node from 20.16 on. Use embed of @curvature/optim-spectral, which needs none.",
      { where: "embed", expected: "an engine with workers" },
    );
  const worker = new Worker(program(), { type: "module" });
  let isLoaded = false;
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    isLoaded = true;
    hear(data);
  };
  worker.onerror = (event) => {
    event.preventDefault(); // the caller learns of it here
    fail(isLoaded ? ended(event.message) : unloaded(event.message));
  };
  worker.onmessageerror = () => fail(ended("a message of it could not be read"));
  return {
    post: (message, transfer) => posting(() => worker.postMessage(message, { transfer: [...transfer] })),
    end: () => worker.terminate(),
  };
}

function ofNode(
  { Worker }: NonNullable<ReturnType<typeof workerThreads>>,
  { hear, fail }: Listener,
): Connection {
  const worker = new Worker(program(), { execArgv: [] });
  let isLoaded = false;
  worker.on("message", (message: FromWorker) => {
    isLoaded = true;
    hear(message);
  });
  worker.on("messageerror", (error) => fail(ended(error.message)));
  worker.on("error", (error) => {
    const reason = error instanceof Error ? error.message : String(error);
    fail(isLoaded ? ended(reason, error) : unloaded(reason, error));
  });
  worker.on("exit", (code) => fail(ended(`its exit code is ${code}`)));
  return {
    post: (message, transfer) =>
      posting(() => worker.postMessage(message, transfer as readonly ArrayBuffer[])),
    end: () => void worker.terminate(),
  };
}

function posting(post: () => void): void {
  try {
    post();
  } catch (cause) {
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `what was given cannot be posted to a worker (${cause instanceof Error ? cause.message : String(cause)}). Give arrays, typed arrays, or matrices of them: no functions within, and of a framework's proxies the value behind.`,
      { where: "embed", path: "points", expected: "data that can be cloned", cause },
    );
  }
}

function unloaded(reason: string | undefined, cause?: unknown): CurvatureError {
  const why = reason === undefined || reason === "" ? "" : ` (${reason})`;
  return new CurvatureError(
    "ERR_IO",
    `the worker could not be started${why}. Its program, worker-program.js, must lie beside the script that starts it, or where setWorkerScript says, on the page's own origin; and a content policy must allow it: worker-src 'self' (where that is missing, child-src, script-src or default-src count).`,
    {
      where: "embed",
      path: "worker-program.js",
      expected: "a script that the page may run as a worker",
      cause,
    },
  );
}

function ended(reason: string | undefined, cause?: unknown): CurvatureError {
  const isMemory = cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY";
  const why = reason === undefined || reason === "" ? "it may have run out of memory" : reason;
  return new CurvatureError(
    isMemory ? "ERR_MEMORY" : "ERR_IO",
    `the worker ended before its work did: ${why}.`,
    {
      where: "embed",
      cause,
    },
  );
}
