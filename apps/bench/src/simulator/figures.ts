/**
 * What a simulation is fed with: figures that were measured, of the machines, of the work, and of what workers cost.
 */
import { checkOptions, flag, integerFrom, nonNegative, positive, type Rule } from "@curvature/linalg";

/**
 * Of the machines and the way between them. Whoever handles a question, the coordinator, Redis, a worker, is a program with
 * one thread; a question with its answer takes so many seconds of its processor, and the bytes that go in or out take theirs.
 */
export interface PoolFigures {
  /** Each takes one task at a time. A worker that has threads for n tasks counts as n. */
  readonly workers: number;
  /** Seconds of a message from one side through Redis to the other, beside what the programs take. */
  readonly latencySeconds: number;
  /** Processor seconds of the coordinator for one question with its answer, beside the solver and the bytes. */
  readonly coordinatorSeconds: number;
  /** Bytes per second. Default: their time is Redis's alone. */
  readonly coordinatorBytesPerSecond?: number;
  /** Processor seconds of Redis for one question with its answer, beside the bytes. Default 0. */
  readonly hubSeconds?: number;
  /** Bytes per second through Redis, all connections together: its link or its processor. */
  readonly hubBytesPerSecond: number;
  /** Processor seconds of a worker for one question, beside the evaluation and the bytes. */
  readonly workerSeconds: number;
  /** Bytes per second that a worker reads or writes. Default: their time is Redis's alone. */
  readonly workerBytesPerSecond?: number;
  /** Cores that all of them share, the coordinator and Redis too. Default: everyone has a core of his own. */
  readonly cores?: number;
  /** Failures of a worker in an hour. Default 0. */
  readonly failuresPerHour?: number;
  /** Seconds until a failure is noticed, and what was being evaluated is asked of another. Default 5. */
  readonly noticeSeconds?: number;
  /** Seconds until a worker that failed is back. Default 30. */
  readonly recoverySeconds?: number;
  /** Of a worker and hour, in any currency. Default 0. */
  readonly pricePerHour?: number;
  /** Of the random times. Default 0. */
  readonly seed?: number;
}

/** Evaluations of a remote sum. */
export interface SumWork {
  /** How many there will be: passes times subfunctions. */
  readonly evaluations: number;
  /** Of one of them, on average. */
  readonly evaluationSeconds: number;
  /** Standard deviation over average; times are drawn from a log-normal distribution. Default 0. */
  readonly evaluationSpread?: number;
  /**
   * Whether an evaluation waits (for a device, a service) and needs no core; a worker then begins with all subfunctions of
   * a task at once, where it computes one after the other. Default false.
   */
  readonly isWaiting?: boolean;
  /** M: a point and a gradient have 8 M bytes. */
  readonly dimension: number;
  /** Of the solver, per step. */
  readonly solverSeconds: number;
  /** Subfunctions of a step at one point, all of which are waited for; 1 with `concurrency` for answers as they come. */
  readonly batch: number;
  /** Evaluations under way at once where `batch` is 1. Default 1. */
  readonly concurrency?: number;
}

/** Runs of a sweep. */
export interface SweepWork {
  readonly runs: number;
  readonly runSeconds: number;
  /** As of evaluations. Default 0. */
  readonly runSpread?: number;
  /** Whether a run waits rather than computes. Default false. */
  readonly isWaiting?: boolean;
  /** Of a result. */
  readonly resultBytes: number;
}

export function checkPool(where: string, pool: PoolFigures): Required<PoolFigures> {
  return checkOptions<Required<PoolFigures>>(
    where,
    pool,
    {
      workers: 0,
      latencySeconds: -1,
      coordinatorSeconds: -1,
      coordinatorBytesPerSecond: Number.POSITIVE_INFINITY,
      hubSeconds: 0,
      hubBytesPerSecond: 0,
      workerSeconds: -1,
      workerBytesPerSecond: Number.POSITIVE_INFINITY,
      cores: Number.POSITIVE_INFINITY,
      failuresPerHour: 0,
      noticeSeconds: 5,
      recoverySeconds: 30,
      pricePerHour: 0,
      seed: 0,
    },
    {
      workers: integerFrom(1),
      latencySeconds: nonNegative,
      coordinatorSeconds: nonNegative,
      coordinatorBytesPerSecond: unlimited(positive),
      hubSeconds: nonNegative,
      hubBytesPerSecond: positive,
      workerSeconds: nonNegative,
      workerBytesPerSecond: unlimited(positive),
      cores: unlimited(integerFrom(1)),
      failuresPerHour: nonNegative,
      noticeSeconds: nonNegative,
      recoverySeconds: nonNegative,
      pricePerHour: nonNegative,
      seed: integerFrom(0),
    },
  );
}

const unlimited = (rule: Rule): Rule => ({
  expected: rule.expected,
  accepts: (value) => value === Number.POSITIVE_INFINITY || rule.accepts(value),
});

export function checkSumWork(where: string, work: SumWork): Required<SumWork> {
  return checkOptions<Required<SumWork>>(
    where,
    work,
    {
      evaluations: 0,
      evaluationSeconds: -1,
      evaluationSpread: 0,
      isWaiting: false,
      dimension: 0,
      solverSeconds: -1,
      batch: 0,
      concurrency: 1,
    },
    {
      evaluations: integerFrom(1),
      evaluationSeconds: nonNegative,
      evaluationSpread: nonNegative,
      isWaiting: flag,
      dimension: integerFrom(1),
      solverSeconds: nonNegative,
      batch: integerFrom(1),
      concurrency: integerFrom(1),
    },
  );
}

export function checkSweepWork(where: string, work: SweepWork): Required<SweepWork> {
  return checkOptions<Required<SweepWork>>(
    where,
    work,
    { runs: 0, runSeconds: -1, runSpread: 0, isWaiting: false, resultBytes: -1 },
    {
      runs: integerFrom(1),
      runSeconds: nonNegative,
      runSpread: nonNegative,
      isWaiting: flag,
      resultBytes: nonNegative,
    },
  );
}
