/**
 * Threads that run units of one module. A thread is started when there is work for it, stays for the next unit, and is
 * replaced when it dies.
 */
import { Worker } from "node:worker_threads";
import { CurvatureError } from "@curvature/linalg";
import type { UnitOfWork } from "../executor.js";
import type { FromThread, ToThread } from "./messages.js";

export interface UnitResult {
  readonly result: unknown;
  /** In the thread, without the way to it. */
  readonly seconds: number;
}

export class ThreadPool {
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();
  private closed = false;

  /** @param module - calls `answerUnits` @param workerData - for each thread */
  constructor(
    private readonly module: URL | string,
    private readonly workerData?: object,
  ) {}

  /**
   * Runs one unit in a thread of its own while it lasts. The caller says how many at once, by calling so often.
   *
   * @throws Error with the unit's own reason, or that of the thread's death; the signal's reason when it is aborted
   */
  async run(unit: UnitOfWork, files: readonly string[], signal?: AbortSignal): Promise<UnitResult> {
    signal?.throwIfAborted();
    if (this.closed) throw new CurvatureError("ERR_ARGUMENT", "The pool of threads is closed.");
    const thread = this.idle.pop() ?? this.started();
    const stop = (): void => void this.dropped(thread);
    signal?.addEventListener("abort", stop);
    try {
      const end = await answer(thread, { unit, files });
      if (!signal?.aborted) {
        thread.unref();
        this.idle.push(thread);
      }
      if (end.type === "failed") throw new Error(end.reason);
      return { result: end.result, seconds: end.seconds };
    } catch (error) {
      if (!this.idle.includes(thread)) await this.dropped(thread);
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.all].map((thread) => this.dropped(thread)));
  }

  private started(): Worker {
    const thread = new Worker(this.module, { stdout: true, workerData: this.workerData });
    thread.stdout.pipe(process.stderr, { end: false }); // standard output is for data: what user code prints is log output
    thread.setMaxListeners(0);
    this.all.add(thread);
    // What a unit has left behind may end it while it is idle: then nobody else listens.
    thread.on("error", () => void this.dropped(thread));
    thread.once("exit", () => void this.dropped(thread));
    return thread;
  }

  private async dropped(thread: Worker): Promise<void> {
    this.all.delete(thread);
    const place = this.idle.indexOf(thread);
    if (place >= 0) this.idle.splice(place, 1);
    await thread.terminate();
  }
}

type End = Exclude<FromThread, { type: "ready" }>;

function answer(thread: Worker, message: ToThread): Promise<End> {
  return new Promise((done, fail) => {
    const settle = (act: () => void): void => {
      thread.off("message", onMessage).off("error", onError).off("exit", onExit);
      act();
    };
    const onMessage = (end: FromThread): void => {
      if (end.type !== "ready") settle(() => done(end));
    };
    const onError = (error: unknown): void => settle(() => fail(fatal(error)));
    const onExit = (code: number): void =>
      settle(() => fail(new Error(`The thread ended without a result (exit code ${code}).`)));
    thread.on("message", onMessage).on("error", onError).on("exit", onExit);
    thread.ref();
    thread.postMessage(message);
  });
}

function fatal(error: unknown): Error {
  if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") {
    return new Error("The memory does not suffice for this unit.", { cause: error });
  }
  return error instanceof Error ? error : new Error(String(error));
}
