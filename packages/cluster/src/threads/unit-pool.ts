/**
 * Runners of one module's units: each is started when there is work for it, stays for the next unit, and is replaced when it
 * dies. Threads are light; a process of its own dies alone, whatever its unit does.
 */
import { fork } from "node:child_process";
import type { EventEmitter } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { CurvatureError } from "@curvature/linalg";
import type { UnitOfWork } from "../executor.js";
import type { FromThread, ToThread } from "./messages.js";

export interface UnitResult {
  readonly result: unknown;
  /** In the runner, without the way to it. */
  readonly seconds: number;
}

/** What runs units, one after the other. */
export interface Runner {
  /** "message", "error", and "exit" with an exit code and, for a process, the signal that has ended it. */
  readonly events: EventEmitter;
  send(message: ToThread): void;
  /** Whether the process waits for it. */
  hold(isHeld: boolean): void;
  end(): Promise<unknown>;
}

/** @param workerData - what the module finds under this name */
export function threadRunner(module: URL | string, workerData?: object): Runner {
  const thread = new Worker(module, { stdout: true, workerData });
  thread.stdout.pipe(process.stderr, { end: false }); // standard output is for data: what user code prints is log output
  return {
    events: thread,
    send: (message) => thread.postMessage(message),
    hold: (isHeld) => (isHeld ? thread.ref() : thread.unref()),
    end: () => thread.terminate(),
  };
}

export function processRunner(module: URL | string): Runner {
  const child = fork(module instanceof URL ? fileURLToPath(module) : module, [], {
    stdio: ["ignore", 2, 2, "ipc"],
  });
  return {
    events: child,
    // One that has just died says so by its exit.
    send: (message) => child.send(message, () => undefined),
    hold: (isHeld) => {
      if (isHeld) child.ref();
      else child.unref();
      if (isHeld) child.channel?.ref();
      else child.channel?.unref();
    },
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((done) => child.once("exit", done));
      if (child.kill("SIGKILL")) await ended;
    },
  };
}

/** The process of a unit was ended by a signal: from outside, by the system, or by the unit itself. */
export class ProcessDeath extends Error {
  constructor(
    readonly signal: string,
    wasAlone = false,
  ) {
    const memory = ["SIGKILL", "SIGABRT"].includes(signal)
      ? ", as happens when the memory does not suffice"
      : "";
    const again = wasAlone ? ", and again when nothing ran beside it" : "";
    super(`The process of this unit was ended by ${signal}${again}${memory}.`);
  }
}

export class UnitPool {
  private readonly idle: Runner[] = [];
  private readonly all = new Set<Runner>();
  private closed = false;

  /** @param start - of a module that calls `answerUnits` */
  constructor(private readonly start: () => Runner) {}

  /**
   * Runs one unit in a runner of its own while it lasts. The caller says how many at once, by calling so often.
   *
   * @throws Error with the unit's own reason, or that of the runner's death; the signal's reason when it is aborted
   */
  async run(unit: UnitOfWork, files: readonly string[], signal?: AbortSignal): Promise<UnitResult> {
    signal?.throwIfAborted();
    if (this.closed) throw new CurvatureError("ERR_ARGUMENT", "The pool is closed.");
    const runner = this.idle.pop() ?? this.started();
    const stop = (): void => void this.dropped(runner);
    signal?.addEventListener("abort", stop);
    try {
      const end = await answer(runner, { unit, files });
      if (!signal?.aborted) {
        runner.hold(false);
        this.idle.push(runner);
      }
      if (end.type === "failed") throw new Error(end.reason);
      return { result: end.result, seconds: end.seconds };
    } catch (error) {
      if (!this.idle.includes(runner)) await this.dropped(runner);
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.all].map((runner) => this.dropped(runner)));
  }

  private started(): Runner {
    const runner = this.start();
    runner.events.setMaxListeners(0);
    this.all.add(runner);
    // What a unit has left behind may end it while it is idle: then nobody else listens.
    runner.events.on("error", () => void this.dropped(runner));
    runner.events.once("exit", () => void this.dropped(runner));
    return runner;
  }

  private async dropped(runner: Runner): Promise<void> {
    this.all.delete(runner);
    const place = this.idle.indexOf(runner);
    if (place >= 0) this.idle.splice(place, 1);
    await runner.end();
  }
}

type End = Exclude<FromThread, { type: "ready" }>;

function answer(runner: Runner, message: ToThread): Promise<End> {
  const { events } = runner;
  return new Promise((done, fail) => {
    const settle = (act: () => void): void => {
      events.off("message", onMessage).off("error", onError).off("exit", onExit);
      act();
    };
    const onMessage = (end: FromThread): void => {
      if (end.type !== "ready") settle(() => done(end));
    };
    const onError = (error: unknown): void => settle(() => fail(fatal(error)));
    const onExit = (code: number | null, signal?: string | null): void =>
      settle(() =>
        fail(
          typeof signal === "string"
            ? new ProcessDeath(signal)
            : new Error(`It ended without a result (exit code ${code}).`),
        ),
      );
    events.on("message", onMessage).on("error", onError).on("exit", onExit);
    runner.hold(true);
    runner.send(message);
  });
}

function fatal(error: unknown): Error {
  if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") {
    return new Error("The memory does not suffice for this unit.", { cause: error });
  }
  return error instanceof Error ? error : new Error(String(error));
}
