/**
 * How long remote work takes, and what it costs, before anybody buys it: a simulation of questions on their way from the
 * coordinator through Redis to workers and back, event by event.
 *
 * A question
 *   1. is written by the coordinator's processor;
 *   2. travels: its bytes go through Redis, which all share, and it takes a latency; of a point that a worker has not
 *      seen the bytes come again, with a request and its answer, since workers fetch it;
 *   3. is evaluated by a worker that is free, on a core if it needs one;
 *   4. travels back with its gradient, through Redis to the coordinator, and takes the coordinator's processor.
 * After a batch (or, with answers as they come, after each) the solver makes its step. A worker that fails takes what it
 * was at with it; that is noticed after a while and asked again, and the worker is back after another.
 *
 * Left out: packets, Redis's own saving to disk, and solvers that need more steps with larger batches or later answers:
 * the number of evaluations is given.
 */
import { exp, log, normal, RandomGenerator } from "@curvature/linalg";
import { EventQueue } from "./event-queue.js";
import {
  checkPool,
  checkSumWork,
  checkSweepWork,
  type PoolFigures,
  type SumWork,
  type SweepWork,
} from "./figures.js";
import { Station } from "./station.js";

export interface Prediction {
  readonly seconds: number;
  /** Of all workers for all of that time. */
  readonly cost: number;
  readonly evaluationsPerSecond: number;
  /** Share of the workers' time in which they evaluate. */
  readonly workerShare: number;
  /** Share of the time in which Redis moves bytes, and in which the coordinator computes: what is near 1 is in the way. */
  readonly hubShare: number;
  readonly coordinatorShare: number;
  /** Evaluations that were lost with their workers. */
  readonly lost: number;
}

/**
 * A remote sum with a number of evaluations, in batches or as answers come.
 *
 * @throws CurvatureError ERR_OPTION
 */
export function simulateRemoteSum(pool: PoolFigures, work: SumWork): Prediction {
  const figures = checkPool("simulateRemoteSum", pool);
  const {
    evaluations,
    evaluationSeconds,
    evaluationSpread,
    isWaiting,
    dimension,
    solverSeconds,
    batch,
    concurrency,
  } = checkSumWork("simulateRemoteSum", work);
  return new Simulation(figures, {
    questions: evaluations,
    seconds: evaluationSeconds,
    spread: evaluationSpread,
    isWaiting,
    pointBytes: 8 * dimension,
    answerBytes: 8 * dimension,
    solverSeconds,
    batch,
    concurrency: batch > 1 ? batch : concurrency,
  }).run();
}

/**
 * Runs of a sweep: all are there from the beginning, and none waits for another.
 *
 * @throws CurvatureError ERR_OPTION
 */
export function simulateSweep(pool: PoolFigures, work: SweepWork): Prediction {
  const figures = checkPool("simulateSweep", pool);
  const { runs, runSeconds, runSpread, isWaiting, resultBytes } = checkSweepWork("simulateSweep", work);
  return new Simulation(figures, {
    questions: runs,
    seconds: runSeconds,
    spread: runSpread,
    isWaiting,
    pointBytes: 0,
    answerBytes: resultBytes,
    solverSeconds: 0,
    batch: 1,
    concurrency: runs,
  }).run();
}

interface Work {
  readonly questions: number;
  readonly seconds: number;
  readonly spread: number;
  readonly isWaiting: boolean;
  readonly pointBytes: number;
  readonly answerBytes: number;
  readonly solverSeconds: number;
  readonly batch: number;
  readonly concurrency: number;
}

interface Worker {
  /** The last point that it has. */
  point: number;
  failsAt: number;
}

class Simulation {
  private readonly events = new EventQueue();
  private readonly random: RandomGenerator;
  private readonly coordinator: Station;
  private readonly hub: Station;
  /** Undefined where everybody has a core of his own. */
  private readonly cores: Station | undefined;
  private readonly idle: Worker[] = [];
  /** Points of questions that wait for a worker. */
  private waiting: number[] = [];
  private head = 0;
  private asked = 0;
  private answered = 0;
  private inBatch = 0;
  private point = 0;
  private evaluating = 0;
  private lost = 0;

  constructor(
    private readonly pool: Required<PoolFigures>,
    private readonly work: Work,
  ) {
    this.random = new RandomGenerator(pool.seed);
    this.coordinator = new Station(this.events, 1);
    this.hub = new Station(this.events, 1);
    this.cores = Number.isFinite(pool.cores) ? new Station(this.events, pool.cores) : undefined;
    for (let w = 0; w < pool.workers; w++) this.idle.push({ point: -1, failsAt: this.timeToFailure() });
  }

  run(): Prediction {
    const { questions, concurrency, batch } = this.work;
    if (batch > 1) this.askBatch();
    else for (let k = 0; k < Math.min(concurrency, questions); k++) this.ask(this.point++, true);
    while (this.answered < questions && this.events.next());
    const { now } = this.events;
    const seconds = Math.max(now, Number.MIN_VALUE);
    return {
      seconds: now,
      cost: (this.pool.workers * this.pool.pricePerHour * now) / 3600,
      evaluationsPerSecond: questions / seconds,
      workerShare: this.evaluating / (seconds * this.pool.workers),
      hubShare: this.hub.busySeconds / seconds,
      coordinatorShare: this.coordinator.busySeconds / seconds,
      lost: this.lost,
    };
  }

  private askBatch(): void {
    const { questions, batch } = this.work;
    const size = Math.min(batch, questions - this.asked);
    this.inBatch = size;
    const point = this.point++;
    for (let k = 0; k < size; k++) this.ask(point, k === 0);
  }

  /** @param isFirst - of its point, whose bytes go along */
  private ask(point: number, isFirst: boolean): void {
    const { coordinatorSeconds, latencySeconds } = this.pool;
    this.asked++;
    this.compute(coordinatorSeconds / 2, () => {
      this.move(isFirst ? this.work.pointBytes : 0, () => {
        this.events.after(latencySeconds, () => {
          this.waiting.push(point);
          this.assign();
        });
      });
    });
  }

  /** Into Redis, or out of it. */
  private move(bytes: number, done: () => void): void {
    this.hub.use(bytes / this.pool.hubBytesPerSecond, done);
  }

  /** Seconds by which a worker's own link is slower for these bytes than Redis. */
  private lag(bytes: number): number {
    const { hubBytesPerSecond, workerBytesPerSecond } = this.pool;
    return Math.max(0, bytes / workerBytesPerSecond - bytes / hubBytesPerSecond);
  }

  private compute(seconds: number, done: () => void): void {
    this.coordinator.use(seconds, done);
  }

  /** Questions go to whoever is free, and has not failed meanwhile. */
  private assign(): void {
    const { now } = this.events;
    while (this.head < this.waiting.length && this.idle.length > 0) {
      const worker = this.idle.pop();
      if (worker === undefined) return;
      if (worker.failsAt <= now) {
        const back = Math.max(0, worker.failsAt + this.pool.recoverySeconds - now);
        this.restart(worker, back);
        continue;
      }
      const point = this.waiting[this.head++];
      if (this.head > 1000 && 2 * this.head > this.waiting.length) {
        this.waiting = this.waiting.slice(this.head);
        this.head = 0;
      }
      this.take(worker, point);
    }
  }

  private take(worker: Worker, point: number): void {
    const { pointBytes } = this.work;
    if (worker.point === point || pointBytes === 0) {
      this.evaluate(worker, point);
      return;
    }
    worker.point = point;
    this.events.after(this.pool.latencySeconds, () => {
      this.move(pointBytes, () =>
        this.events.after(this.lag(pointBytes), () => this.evaluate(worker, point)),
      );
    });
  }

  private evaluate(worker: Worker, point: number): void {
    const { isWaiting, answerBytes } = this.work;
    const { workerSeconds, coordinatorSeconds, latencySeconds } = this.pool;
    const seconds = this.evaluationTime();
    const ends = (): void => {
      this.evaluating += seconds;
      if (worker.failsAt <= this.events.now) {
        this.fail(worker, point);
        return;
      }
      this.events.after(this.lag(answerBytes), () => {
        this.idle.push(worker);
        this.assign();
        this.move(answerBytes, () => {
          this.move(answerBytes, () => this.events.after(latencySeconds, () => this.answer()));
        });
      });
    };
    const { cores, events } = this;
    if (cores === undefined) {
      events.after(workerSeconds + seconds, ends);
      return;
    }
    // The coordinator's messages do not wait for an evaluation to end, but what they take is missing to evaluations.
    const overhead = workerSeconds + coordinatorSeconds;
    if (isWaiting) cores.use(overhead, () => events.after(seconds, ends));
    else cores.use(overhead + seconds, ends);
  }

  private fail(worker: Worker, point: number): void {
    const { noticeSeconds, recoverySeconds } = this.pool;
    const since = this.events.now - worker.failsAt;
    this.lost++;
    this.events.after(Math.max(0, noticeSeconds - since), () => {
      this.waiting.push(point);
      this.assign();
    });
    this.restart(worker, Math.max(0, recoverySeconds - since));
  }

  private restart(worker: Worker, delay: number): void {
    this.events.after(delay, () => {
      worker.point = -1;
      worker.failsAt = this.events.now + this.timeToFailure();
      this.idle.push(worker);
      this.assign();
    });
  }

  private answer(): void {
    const { batch, questions, solverSeconds } = this.work;
    this.compute(this.pool.coordinatorSeconds / 2, () => {
      if (batch === 1) {
        this.compute(solverSeconds, () => {
          this.answered++;
          if (this.asked < questions) this.ask(this.point++, true);
        });
        return;
      }
      this.inBatch--;
      if (this.inBatch > 0) {
        this.answered++;
        return;
      }
      this.compute(solverSeconds, () => {
        this.answered++;
        if (this.asked < questions) this.askBatch();
      });
    });
  }

  /** Log-normal, of the given average and spread. */
  private evaluationTime(): number {
    const { seconds, spread } = this.work;
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
