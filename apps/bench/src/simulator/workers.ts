/**
 * The workers of a simulation. A task, some subfunctions at one point, waits in Redis for a worker that is free, which
 *   1. fetches the point if it is another one than before: a message there and back, and its bytes;
 *   2. evaluates the subfunctions: one after the other where it computes, all at once where it waits;
 *   3. sends each answer as soon as it is known, and is free when Redis has the last one and it has asked for more.
 * A worker that fails takes its task with it; what is missing of it is asked again after a while, and the worker is back
 * after another.
 */
import { exp, log, normal, RandomGenerator } from "@curvature/linalg";
import type { Cores } from "./cores.ts";
import type { EventQueue } from "./event-queue.ts";
import type { Pool } from "./figures.ts";
import { Program } from "./program.ts";

/** Subfunctions at one point that go to one worker. */
export interface Task {
  readonly point: number;
  readonly size: number;
}

/** Of an evaluation. */
export interface EvaluationFigures {
  readonly seconds: number;
  readonly spread: number;
  readonly isWaiting: boolean;
  readonly pointBytes: number;
  readonly answerBytes: number;
}

interface Worker {
  readonly program: Program;
  /** The last one that it fetched. */
  point: number;
  failsAt: number;
}

/** What there is of a task at a worker. */
interface Share {
  readonly worker: Worker;
  readonly task: Task;
  readonly began: number;
  /** Answers that Redis does not have. */
  open: number;
  lost: number;
}

export class Workers {
  lost = 0;
  /** Seconds of all workers in which they had something to evaluate. */
  evaluating = 0;
  private readonly pool: Pool;
  private readonly evaluation: EvaluationFigures;
  private readonly events: EventQueue;
  private readonly hub: Program;
  private readonly answer: () => void;
  private readonly random: RandomGenerator;
  private readonly idle: Worker[] = [];
  private waiting: Task[] = [];
  private head = 0;

  /** @param answer - an answer is in Redis */
  constructor(
    pool: Pool,
    evaluation: EvaluationFigures,
    events: EventQueue,
    cores: Cores,
    hub: Program,
    answer: () => void,
  ) {
    this.pool = pool;
    this.evaluation = evaluation;
    this.events = events;
    this.hub = hub;
    this.answer = answer;
    this.random = new RandomGenerator(pool.seed);
    for (let w = 0; w < pool.workers; w++)
      this.idle.push({ program: new Program(cores), point: -1, failsAt: this.timeToFailure() });
  }

  /** A task that is in Redis. */
  take(task: Task): void {
    this.waiting.push(task);
    this.assign();
  }

  /** Tasks go to whoever is free, and has not failed meanwhile. */
  private assign(): void {
    const { now } = this.events;
    while (this.head < this.waiting.length) {
      const worker = this.idle.pop();
      if (worker === undefined) return;
      if (worker.failsAt <= now) {
        this.restart(worker, worker.failsAt + this.pool.recoverySeconds - now);
        continue;
      }
      const task = this.waiting[this.head++];
      if (this.head > 1000 && 2 * this.head > this.waiting.length) {
        this.waiting = this.waiting.slice(this.head);
        this.head = 0;
      }
      this.fetch(worker, task);
    }
  }

  private fetch(worker: Worker, task: Task): void {
    const { pointBytes } = this.evaluation;
    const { latencySeconds, hubBytesPerSecond, workerBytesPerSecond } = this.pool;
    if (worker.point === task.point || pointBytes === 0) {
      this.evaluate(worker, task);
      return;
    }
    worker.point = task.point;
    this.events.after(latencySeconds, () =>
      this.hub.run(pointBytes / hubBytesPerSecond, () =>
        worker.program.run(pointBytes / workerBytesPerSecond, () => this.evaluate(worker, task)),
      ),
    );
  }

  private evaluate(worker: Worker, task: Task): void {
    const share: Share = { worker, task, began: this.events.now, open: task.size, lost: 0 };
    const { isWaiting } = this.evaluation;
    for (let k = 0; k < task.size; k++) {
      const seconds = this.evaluationTime();
      const ends = (): void => this.send(share);
      if (isWaiting) worker.program.run(this.pool.workerSeconds / 2, () => this.events.after(seconds, ends));
      else worker.program.run(this.pool.workerSeconds / 2 + seconds, ends);
    }
  }

  private send(share: Share): void {
    const { program, failsAt } = share.worker;
    const { answerBytes } = this.evaluation;
    const { workerSeconds, workerBytesPerSecond, hubBytesPerSecond, hubSeconds } = this.pool;
    if (failsAt <= this.events.now) {
      this.lost++;
      share.lost++;
      this.settle(share);
      return;
    }
    program.run(workerSeconds / 2 + answerBytes / workerBytesPerSecond, () =>
      this.hub.run(hubSeconds / 2 + answerBytes / hubBytesPerSecond, () => {
        this.settle(share);
        this.answer();
      }),
    );
  }

  private settle(share: Share): void {
    share.open--;
    if (share.open > 0) return;
    const { worker, task, lost, began } = share;
    const { now } = this.events;
    this.evaluating += now - began;
    if (lost > 0) this.fail(worker, { point: task.point, size: lost });
    else
      this.events.after(this.pool.latencySeconds, () => {
        this.idle.push(worker);
        this.assign();
      });
  }

  private fail(worker: Worker, missing: Task): void {
    const { noticeSeconds, recoverySeconds } = this.pool;
    const since = this.events.now - worker.failsAt;
    this.events.after(Math.max(0, noticeSeconds - since), () => this.take(missing));
    this.restart(worker, recoverySeconds - since);
  }

  private restart(worker: Worker, delay: number): void {
    this.events.after(Math.max(0, delay), () => {
      worker.point = -1;
      worker.failsAt = this.events.now + this.timeToFailure();
      this.idle.push(worker);
      this.assign();
    });
  }

  /** Log-normal, of the given average and spread. */
  private evaluationTime(): number {
    const { seconds, spread } = this.evaluation;
    if (spread === 0 || seconds === 0) return seconds;
    const variance = log(1 + spread * spread);
    return seconds * exp(Math.sqrt(variance) * normal(this.random) - variance / 2);
  }

  /** Exponential. */
  private timeToFailure(): number {
    const { failuresPerHour } = this.pool;
    if (failuresPerHour === 0) return Number.POSITIVE_INFINITY;
    return (-log(1 - this.random.uniform()) * 3600) / failuresPerHour;
  }
}
