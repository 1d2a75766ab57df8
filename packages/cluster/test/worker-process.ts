/** Workers as processes of their own, which can be killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { onTestFinished } from "vitest";

export interface WorkerOptions {
  readonly url: string;
  readonly data?: string;
  readonly version?: string;
  readonly concurrency?: number;
  /** After which it counts as dead: by default longer than a busy machine holds up a living one. */
  readonly silentSeconds?: number;
  /** Seconds by which its clock goes wrong. */
  readonly skew?: number;
}

export interface WorkerProcess {
  readonly child: ChildProcess;
  /** All that it has said. */
  events(): readonly Readonly<Record<string, unknown>>[];
  /** Ends when it has said something of this type, or has ended. */
  said(type: string): Promise<void>;
  ended(): Promise<number | null>;
}

export function startWorker(options: WorkerOptions): WorkerProcess {
  const { url, data = ".", version = "1.0.0", concurrency = 1, silentSeconds = 60, skew = 0 } = options;
  const words = [url, data, version, concurrency, silentSeconds, skew].map(String);
  const child = spawn(process.execPath, [resolve(import.meta.dirname, "fixtures/worker.mjs"), ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (piece: Buffer) => {
    text += piece.toString();
  });
  const events = (): Readonly<Record<string, unknown>>[] =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const exit = new Promise<number | null>((done) => child.once("close", done));
  return {
    child,
    events,
    said: async (type) => {
      while (!events().some((event) => event["type"] === type)) {
        const ended = await Promise.race([
          exit.then(() => true),
          new Promise<boolean>((done) => child.stdout.once("data", () => done(false))),
        ]);
        if (ended) return;
      }
    },
    ended: () => exit,
  };
}

/** As `startWorker`, killed when the test is over. */
export function workerForTest(options: WorkerOptions): WorkerProcess {
  const worker = startWorker(options);
  onTestFinished(async () => {
    worker.child.kill("SIGKILL");
    await worker.ended();
  });
  return worker;
}
