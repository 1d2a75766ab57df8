/**
 * The page's side of a job: starts a worker for it, paces its progress by the display, and ends it when it is asked to,
 * if need be without the worker's consent.
 */
import type { FromWorker, ToWorker } from "./protocol.js";
import type { Input, Progress, Result, TaskName } from "./tasks.js";

/** How a job goes, or went. */
export type JobStatus =
  | { readonly kind: "running"; readonly phase: string }
  | { readonly kind: "done" }
  /** By the user: what was there is kept. */
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly sentence: string };

interface Ending<P, R> {
  readonly status: JobStatus;
  /** Of a job that came to its end, or heard that it was to stop and gave what it had. */
  readonly answer: R | undefined;
  /** The last progress. */
  readonly last: P | undefined;
}

export interface Job<P, R> {
  /** Always resolves, and once. */
  readonly ending: Promise<Ending<P, R>>;
  /** Asks the worker to stop; one that has not answered after `patience` is ended. */
  cancel(): void;
}

export interface Listeners<P> {
  /** Within a frame of the display; the worker posts the next when all of it is through. */
  readonly onProgress?: (progress: P) => void;
  readonly onPhase?: (phase: string) => void;
  readonly onWarning?: (sentence: string) => void;
  /** Data that may be large, for the task to take: it goes over in parts, so that the page is not held up. */
  readonly data?: Float64Array | undefined;
}

/** Numbers of a part: to copy as many takes a few milliseconds. */
const partLength = 2 ** 20;

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Milliseconds that a worker has to answer an abort, so that a stop takes effect within 100. */
const patience = 80;

export function startJob<Name extends TaskName>(
  task: Name,
  input: Input<Name>,
  listeners: Listeners<Progress<Name>> = {},
): Job<Progress<Name>, Result<Name>> {
  return new WorkerJob<Progress<Name>, Result<Name>>(task, input, listeners);
}

class WorkerJob<P, R> implements Job<P, R> {
  readonly ending: Promise<Ending<P, R>>;
  private readonly worker: Worker;
  private settle: (ending: Ending<P, R>) => void = () => undefined;
  private last: P | undefined;
  /** Progress that the page has not seen: it hears of all, and no more than once per frame. */
  private readonly waiting: P[] = [];
  private frame = 0;
  private isCancelled = false;
  private isOver = false;
  private deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(
    task: string,
    input: unknown,
    private readonly listeners: Listeners<P>,
  ) {
    this.ending = new Promise((resolve) => {
      this.settle = resolve;
    });
    this.worker = new Worker(new URL("./entry.ts", import.meta.url), { type: "module", name: task });
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker<P, R>>) => this.heard(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.crash(event.message || "The worker could not be loaded, or ran out of memory.");
    };
    this.worker.onmessageerror = () => this.crash("A message of the worker could not be read.");
    void this.start(task, input, listeners.data ?? new Float64Array(0));
  }

  private async start(task: string, input: unknown, data: Float64Array): Promise<void> {
    try {
      for (let from = 0; from < data.length; from += partLength) {
        if (from > 0) await nextTask();
        if (this.isOver) return;
        const part = data.slice(from, from + partLength);
        this.post({ type: "part", part }, [part.buffer]);
      }
      this.post({ type: "start", task, input });
    } catch (error) {
      this.crash(`The data could not be handed to the worker: ${String(error)}`);
    }
  }

  cancel(): void {
    if (this.isCancelled || this.isOver) return;
    this.isCancelled = true;
    this.post({ type: "abort" });
    this.deadline = setTimeout(() => this.end({ kind: "stopped" }), patience);
  }

  private heard(message: FromWorker<P, R>): void {
    if (this.isOver) return;
    switch (message.type) {
      case "phase":
        this.listeners.onPhase?.(message.phase);
        break;
      case "warning":
        this.listeners.onWarning?.(message.sentence);
        break;
      case "progress":
        this.waiting.push(message.progress);
        this.last = message.progress;
        if (this.frame === 0) this.frame = requestAnimationFrame(() => this.show());
        break;
      case "result":
        this.end({ kind: this.isCancelled ? "stopped" : "done" }, message.result);
        break;
      case "error":
        this.end(this.isCancelled ? { kind: "stopped" } : { kind: "failed", sentence: message.sentence });
        break;
    }
  }

  /** In the display's frame: the page draws, then the worker may post again. */
  private show(): void {
    this.frame = 0;
    for (const progress of this.waiting.splice(0)) this.listeners.onProgress?.(progress);
    if (!this.isOver) this.post({ type: "ready" });
  }

  /** The worker itself broke: start the job again. */
  private crash(sentence: string): void {
    this.end({ kind: "failed", sentence: `The worker has broken down. ${sentence}` });
  }

  private end(status: JobStatus, answer?: R): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.deadline);
    this.worker.terminate();
    if (this.frame !== 0) cancelAnimationFrame(this.frame);
    this.show();
    this.settle({ status, answer, last: this.last });
  }

  private post(message: ToWorker, transfer: readonly Transferable[] = []): void {
    this.worker.postMessage(message, { transfer: [...transfer] });
  }
}
