/** One map on its way: its job, and all that the page shows of it. */
import type { DenseMatrix } from "@curvature/linalg";
import { wantsLessMotion } from "../../shell/theme.js";
import { type Ending, type Job, startJob } from "../../worker/job.js";
import { conclusionOf, type JobStatus, starting } from "../../worker/job-status.js";
import { Film, type Still } from "./film.js";
import type { PaneOptions } from "./options.js";
import type { CurvePoint, EmbedAnswer, EmbedProgress } from "./task.js";

type PaneStatus = { readonly kind: "waiting" } | JobStatus;

export class PaneRun {
  status: PaneStatus = { kind: "waiting" };
  /** Undefined if the worker had to be ended. */
  answer: EmbedAnswer | undefined;
  /** x0, y0, x1, y1, …: what is drawn; empty before the first iteration. */
  map: ArrayLike<number> = [];
  /** The best map so far, in full precision: what is exported. */
  best: Float64Array | undefined;
  readonly curve: CurvePoint[] = [];
  readonly warnings: string[] = [];
  /** Of `performance.now()`. */
  startedAt = 0;
  readonly finished: Promise<void>;
  private readonly film = new Film();
  private job: Job<EmbedProgress, EmbedAnswer> | undefined;
  private finish: () => void = () => undefined;
  private readonly subscribers = new Set<() => void>();

  constructor(
    readonly options: PaneOptions,
    private readonly points: DenseMatrix,
    /** Hears of a new status; what happens within one is for subscribers. */
    private readonly onStatus: () => void,
  ) {
    this.finished = new Promise((resolve) => {
      this.finish = resolve;
    });
  }

  get stills(): readonly Still[] {
    return this.film.stills;
  }

  get latest(): CurvePoint | undefined {
    return this.curve.at(-1);
  }

  get isOver(): boolean {
    return this.status.kind !== "waiting" && this.status.kind !== "running";
  }

  /** Calls for every new map until the returned function is called. */
  subscribe(subscriber: () => void): () => void {
    this.subscribers.add(subscriber);
    return () => this.subscribers.delete(subscriber);
  }

  start(): void {
    if (this.status.kind !== "waiting") return;
    this.status = starting;
    this.startedAt = performance.now();
    const { points, options } = this;
    const { rows, columns, data } = points;
    this.job = startJob(
      "embed",
      { rows, columns, options },
      {
        data,
        onProgress: (progress) => this.take(progress),
        onPhase: (phase) => this.enter(phase),
        onWarning: (sentence) => this.warnings.push(sentence),
      },
    );
    void this.job.ending.then((ending) => this.end(ending));
    this.onStatus();
  }

  cancel(): void {
    if (this.status.kind === "waiting") {
      this.status = { kind: "stopped" };
      this.finish();
      this.onStatus();
    }
    this.job?.cancel();
  }

  private enter(phase: string): void {
    if (this.status.kind === "running") this.status = { kind: "running", phase };
    this.tell();
  }

  private take({ curve, stills, map, best }: EmbedProgress): void {
    for (const point of curve) this.curve.push(point);
    for (const still of stills) this.film.add(still);
    this.best = best;
    if (!wantsLessMotion() || this.map.length === 0) this.map = map;
    this.tell();
  }

  private tell(): void {
    for (const subscriber of this.subscribers) subscriber();
  }

  private end(ending: Ending<EmbedProgress, EmbedAnswer>): void {
    const { status, answer } = conclusionOf(ending);
    if (answer !== undefined) {
      this.answer = answer;
      this.best = answer.map;
      this.map = answer.map;
    }
    this.status = status;
    this.finish();
    this.onStatus();
  }
}
