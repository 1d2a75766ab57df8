/**
 * How long remote work takes, and what it costs, before anybody buys it: a simulation of questions on their way from the
 * coordinator through Redis to workers and back, event by event.
 *
 * Questions
 *   1. are written by the coordinator, those about one point in `tasksPerSlot` tasks for each worker, and the point;
 *   2. travel through Redis, which handles one message after the other, and take a latency;
 *   3. are evaluated by workers (workers.ts);
 *   4. are answered, each for itself, through Redis to the coordinator, who reads one answer after the other.
 * After a batch (or, with answers as they come, after each) the solver makes its step. Coordinator, Redis and workers are
 * programs with one thread (program.ts), on cores of their own or on shared ones (cores.ts).
 *
 * Left out: packets, and solvers that need more steps with larger batches or later answers: the number of evaluations is
 * given. Questions and answers that are read together cost less than each alone (at M = 1,000 in batches of 32 a fifth, of
 * every program's processor), so evaluations of less than a few milliseconds are predicted too slow in batches.
 */
import { coordinatorOptions } from "@curvature/cluster/redis";
import { Cores } from "./cores.ts";
import { EventQueue } from "./event-queue.ts";
import {
  checkPool,
  checkSumWork,
  checkSweepWork,
  type Pool,
  type PoolFigures,
  type SumWork,
  type SweepWork,
} from "./figures.ts";
import { Program } from "./program.ts";
import { type EvaluationFigures, Workers } from "./workers.ts";

export interface Prediction {
  readonly seconds: number;
  /** Of all workers for all of that time. */
  readonly cost: number;
  readonly evaluationsPerSecond: number;
  /** Share of the workers' time in which they have something to evaluate. */
  readonly workerShare: number;
  /** Share of the time that Redis, and the coordinator, compute: what is near 1 is in the way. */
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
    concurrency: batch > 1 ? 1 : concurrency,
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

interface Work extends EvaluationFigures {
  readonly questions: number;
  readonly solverSeconds: number;
  /** Questions of a step, all about one point. */
  readonly batch: number;
  /** Steps under way at once. */
  readonly concurrency: number;
}

class Simulation {
  private readonly pool: Pool;
  private readonly work: Work;
  private readonly events = new EventQueue();
  private readonly coordinator: Program;
  private readonly hub: Program;
  private readonly workers: Workers;
  private asked = 0;
  private answered = 0;
  private points = 0;
  /** Answers that the step in batches waits for. */
  private open = 0;

  constructor(pool: Pool, work: Work) {
    this.pool = pool;
    this.work = work;
    const cores = new Cores(this.events, pool.cores);
    this.coordinator = new Program(cores);
    this.hub = new Program(cores);
    this.workers = new Workers(pool, work, this.events, cores, this.hub, () => this.answer());
  }

  run(): Prediction {
    const { pool, work, events, workers } = this;
    for (let k = 0; k < work.concurrency && this.asked < work.questions; k++) this.ask();
    while (this.answered < work.questions && events.next());
    const { now } = events;
    const seconds = Math.max(now, Number.MIN_VALUE);
    return {
      seconds: now,
      cost: (pool.workers * pool.pricePerHour * now) / 3600,
      evaluationsPerSecond: work.questions / seconds,
      workerShare: workers.evaluating / (seconds * pool.workers),
      hubShare: this.hub.busySeconds / seconds,
      coordinatorShare: this.coordinator.busySeconds / seconds,
      lost: workers.lost,
    };
  }

  /** A step's questions, at a new point. */
  private ask(): void {
    const { pool, work } = this;
    const point = this.points++;
    const size = Math.min(work.batch, work.questions - this.asked);
    this.asked += size;
    this.open = size;
    const tasks = Math.min(size, coordinatorOptions.defaults.tasksPerSlot * pool.workers);
    for (let k = 0; k < tasks; k++) {
      const parts = Math.floor(((k + 1) * size) / tasks) - Math.floor((k * size) / tasks);
      const bytes = k === 0 ? work.pointBytes : 0;
      this.coordinator.run(
        (parts * pool.coordinatorSeconds) / 2 + bytes / pool.coordinatorBytesPerSecond,
        () =>
          this.hub.run((parts * pool.hubSeconds) / 2 + bytes / pool.hubBytesPerSecond, () =>
            this.events.after(pool.latencySeconds, () => this.workers.take({ point, size: parts })),
          ),
      );
    }
  }

  /** Out of Redis, to the solver. */
  private answer(): void {
    const { pool, work } = this;
    const { answerBytes } = work;
    this.hub.run(answerBytes / pool.hubBytesPerSecond, () =>
      this.events.after(pool.latencySeconds, () =>
        this.coordinator.run(
          pool.coordinatorSeconds / 2 + answerBytes / pool.coordinatorBytesPerSecond,
          () => {
            this.open--;
            if (work.batch === 1 || this.open === 0)
              this.coordinator.run(work.solverSeconds, () => this.step());
            else this.answered++;
          },
        ),
      ),
    );
  }

  private step(): void {
    this.answered++;
    if (this.asked < this.work.questions) this.ask();
  }
}
