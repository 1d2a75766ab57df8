/** A job on its way, and what any page shows of one. */
import { useEffect, useReducer, useRef } from "preact/hooks";
import { type Job, type JobStatus, type Listeners, startJob } from "./job.js";
import type { Input, Progress, Result, TaskName } from "./tasks.js";

const starting: JobStatus = { kind: "running", phase: "starting the worker" };

export abstract class JobRun<Name extends TaskName> {
  status: JobStatus = starting;
  /** Of a job that came to its end, or gave what it had when it was stopped. */
  answer: Result<Name> | undefined;
  readonly warnings: string[] = [];
  /** Of `performance.now()`. */
  startedAt = performance.now();
  private handle: Job<Progress<Name>, Result<Name>> | undefined;

  /** @param onChange - hears whenever there is something new to show */
  constructor(protected readonly onChange: () => void) {}

  get isRunning(): boolean {
    return this.status.kind === "running";
  }

  cancel(): void {
    this.handle?.cancel();
  }

  protected start(task: Name, input: Input<Name>, data?: Listeners<never>["data"]): void {
    this.status = starting;
    this.startedAt = performance.now();
    this.handle = startJob(task, input, {
      data,
      onProgress: (progress) => {
        this.take(progress);
        this.onChange();
      },
      onPhase: (phase) => {
        if (this.isRunning) this.status = { kind: "running", phase };
        this.onChange();
      },
      onWarning: (sentence) => this.warnings.push(sentence),
    });
    void this.handle.ending.then(({ status, answer }) => {
      this.answer = answer;
      if (answer !== undefined) this.conclude(answer);
      this.end(status);
      this.status = status;
      this.onChange();
    });
  }

  protected abstract take(progress: Progress<Name>): void;
  protected abstract conclude(answer: Result<Name>): void;
  /** However it has ended; it still counts as running. */
  protected end(_status: JobStatus): void {}
}

interface Runs<R, J> {
  /** The last one that was started. */
  readonly current: R | undefined;
  /** The last one of which there is something to see. */
  readonly shown: R | undefined;
  start(job: J): void;
  stop(): void;
}

/** For a function component: calls it again. */
export function useRedraw(): () => void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  return () => redraw(undefined);
}

/** One run at a time; leaving the view stops it. */
export function useRuns<J, R extends { readonly hasPicture: boolean; cancel(): void }>(
  make: new (job: J, onChange: () => void) => R,
): Runs<R, J> {
  const redraw = useRedraw();
  const current = useRef<R | undefined>(undefined);
  const shown = useRef<R | undefined>(undefined);
  if (current.current?.hasPicture === true) shown.current = current.current;
  useEffect(() => () => current.current?.cancel(), []);
  return {
    current: current.current,
    shown: shown.current,
    start: (job) => {
      current.current?.cancel();
      current.current = new make(job, redraw);
      redraw();
    },
    stop: () => current.current?.cancel(),
  };
}
