/** One run at a time, and all that the page shows of it. */
import { useEffect, useReducer, useRef } from "preact/hooks";
import { type Ending, type Job, startJob } from "../../worker/job.js";
import { conclusionOf, type JobStatus, starting } from "../../worker/job-status.js";
import type { BoundsPoint, DisentangleAnswer, DisentangleJob, DisentangleProgress, Still } from "./task.js";

/** Stills that are kept: each has a byte for every pair of points. */
const mostBytes = 32 * 2 ** 20;

export class NomadRun {
  status: JobStatus = starting;
  readonly bounds: BoundsPoint[] = [];
  stills: readonly Still[] = [];
  spectralBound = Number.POSITIVE_INFINITY;
  /** The Q of the last still, n × n. */
  Q: Float64Array | undefined;
  answer: DisentangleAnswer | undefined;
  readonly warnings: string[] = [];
  /** Of `performance.now()`. */
  readonly startedAt = performance.now();
  private readonly run: Job<DisentangleProgress, DisentangleAnswer>;

  constructor(
    readonly job: DisentangleJob,
    private readonly onChange: () => void,
  ) {
    this.run = startJob("disentangle", job, {
      onProgress: (progress) => this.take(progress),
      onPhase: (phase) => this.enter(phase),
      onWarning: (sentence) => this.warnings.push(sentence),
    });
    void this.run.ending.then((ending) => this.end(ending));
  }

  get isRunning(): boolean {
    return this.status.kind === "running";
  }

  cancel(): void {
    this.run.cancel();
  }

  private enter(phase: string): void {
    if (this.isRunning) this.status = { kind: "running", phase };
    this.onChange();
  }

  private take({ bounds, spectralBound, found }: DisentangleProgress): void {
    this.bounds.push(...bounds);
    this.spectralBound = spectralBound;
    if (found !== undefined) {
      this.Q = found.Q;
      this.add(found.still);
    }
    this.onChange();
  }

  private add(still: Still): void {
    this.stills = [...this.stills, still];
    if (this.stills.length * still.levels.length <= mostBytes) return;
    // Every second goes, but not the last of a layer.
    const { stills } = this;
    this.stills = stills.filter((each, k) => k % 2 === 0 || each.stage !== stills[k + 1]?.stage);
  }

  private end(ending: Ending<DisentangleProgress, DisentangleAnswer>): void {
    const { status, answer } = conclusionOf(ending);
    if (answer !== undefined) this.conclude(answer);
    this.status = status;
    this.onChange();
  }

  private conclude(answer: DisentangleAnswer): void {
    this.answer = answer;
    this.bounds.push(...answer.bounds);
    this.Q = answer.Q;
    this.add(answer.still);
  }
}

export interface Runs {
  /** The last one that was started. */
  readonly current: NomadRun | undefined;
  /** The last one of which there is something to see. */
  readonly shown: NomadRun | undefined;
  start(job: DisentangleJob): void;
  stop(): void;
}

export function useRuns(): Runs {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const current = useRef<NomadRun | undefined>(undefined);
  const shown = useRef<NomadRun | undefined>(undefined);
  const run = current.current;
  if (run !== undefined && run.stills.length > 0) shown.current = run;
  useEffect(() => () => current.current?.cancel(), []);
  return {
    current: run,
    shown: shown.current,
    start: (job) => {
      current.current?.cancel();
      current.current = new NomadRun(job, () => redraw(undefined));
      redraw(undefined);
    },
    stop: () => current.current?.cancel(),
  };
}
