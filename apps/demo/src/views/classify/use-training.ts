/** One training of all chosen models at a time, and all that the page shows of it. */
import { useEffect, useReducer, useRef } from "preact/hooks";
import { type Ending, type Job, startJob } from "../../worker/job.js";
import { conclusionOf, type JobStatus, starting } from "../../worker/job-status.js";
import type { SolverName } from "./options.js";
import type { ClassifyAnswer, ClassifyJob, ClassifyProgress, Frame, Trained } from "./task.js";

export class Training {
  status: JobStatus = starting;
  /** P*, once it is known. */
  optimum: number | undefined;
  readonly frames: Map<SolverName, Frame[]>;
  readonly trained = new Map<SolverName, Trained>();
  readonly warnings: string[] = [];
  private readonly run: Job<ClassifyProgress, ClassifyAnswer>;

  constructor(
    readonly job: ClassifyJob,
    private readonly onChange: () => void,
  ) {
    this.frames = new Map(job.models.map(({ solver }) => [solver, []]));
    this.run = startJob("classify", job, {
      onProgress: (progress) => this.take(progress),
      onPhase: (phase) => this.enter(phase),
      onWarning: (sentence) => this.warnings.push(sentence),
    });
    void this.run.ending.then((ending) => this.end(ending));
  }

  get isRunning(): boolean {
    return this.status.kind === "running";
  }

  /** Whether there is something to see. */
  get hasFrames(): boolean {
    return [...this.frames.values()].some(({ length }) => length > 0);
  }

  cancel(): void {
    this.run.cancel();
  }

  private enter(phase: string): void {
    if (this.isRunning) this.status = { kind: "running", phase };
    this.onChange();
  }

  private take({ model, frames, optimum }: ClassifyProgress): void {
    this.optimum = optimum;
    this.frames.get(this.job.models[model].solver)?.push(...frames);
    this.onChange();
  }

  private end(ending: Ending<ClassifyProgress, ClassifyAnswer>): void {
    const { status, answer } = conclusionOf(ending);
    answer?.trained.forEach((trained, k) => {
      if (trained !== undefined) this.trained.set(this.job.models[k].solver, trained);
    });
    this.status = status;
    this.onChange();
  }
}

export interface Trainings {
  /** The last one that was started. */
  readonly current: Training | undefined;
  /** The last one of which there is something to see. */
  readonly shown: Training | undefined;
  start(job: ClassifyJob): void;
  stop(): void;
}

export function useTraining(): Trainings {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const current = useRef<Training | undefined>(undefined);
  const shown = useRef<Training | undefined>(undefined);
  if (current.current?.hasFrames === true) shown.current = current.current;
  useEffect(() => () => current.current?.cancel(), []);
  return {
    current: current.current,
    shown: shown.current,
    start: (job) => {
      current.current?.cancel();
      current.current = new Training(job, () => redraw(undefined));
      redraw(undefined);
    },
    stop: () => current.current?.cancel(),
  };
}
