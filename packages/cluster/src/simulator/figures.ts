/**
 * What a simulation is fed with: figures that were measured, of the machines, of the work, and of what workers cost.
 */
import { checkOptions, flag, integerFrom, nonNegative, positive, type Rule } from "@curvature/linalg";

/** Of the machines and the way between them. */
export interface PoolFigures {
  /** Each makes one evaluation at a time. */
  readonly workers: number;
  /** Seconds of a message from one side through Redis to the other, beside the time that its bytes take. */
  readonly latencySeconds: number;
  /** Bytes per second through Redis, all connections together: its link or its processor. */
  readonly hubBytesPerSecond: number;
  /** Bytes per second that a single worker reads or writes. Default: as many as Redis. */
  readonly workerBytesPerSecond?: number;
  /** Processor seconds of the coordinator for one question with its answer, beside the solver. */
  readonly coordinatorSeconds: number;
  /** Processor seconds of a worker for one question, beside the evaluation. */
  readonly workerSeconds: number;
  /** Cores that all of them share, the coordinator too. Default: everyone has a core of his own. */
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
  /** Whether an evaluation waits (for a device, a service) and needs no core. Default false. */
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
      hubBytesPerSecond: 0,
      workerBytesPerSecond: pool?.workerBytesPerSecond ?? pool?.hubBytesPerSecond,
      coordinatorSeconds: -1,
      workerSeconds: -1,
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
      hubBytesPerSecond: positive,
      workerBytesPerSecond: positive,
      coordinatorSeconds: nonNegative,
      workerSeconds: nonNegative,
      cores,
      failuresPerHour: nonNegative,
      noticeSeconds: nonNegative,
      recoverySeconds: nonNegative,
      pricePerHour: nonNegative,
      seed: integerFrom(0),
    },
  );
}

const cores: Rule = {
  expected: "a whole number of at least 1",
  accepts: (value) => value === Number.POSITIVE_INFINITY || integerFrom(1).accepts(value),
};

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
