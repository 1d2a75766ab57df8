/**
 * What a simulation is fed with: figures that were measured, of the machines, of the work, and of what workers cost. Those
 * without a default must be given.
 */
import {
  badOption,
  flag,
  integerFrom,
  integerOrInfinity,
  nonNegative,
  type OptionsOf,
  optionTable,
  positive,
  positiveOrInfinity,
  type SettingsOf,
} from "@curvature/linalg";

const poolFigures = optionTable({
  /** Each takes one task at a time. A worker that has threads for n tasks counts as n. */
  workers: integerFrom(1),
  /** Seconds of a message from one side through Redis to the other, beside what the programs take. */
  latencySeconds: nonNegative,
  /** Processor seconds of the coordinator for one question with its answer, beside the solver and the bytes. */
  coordinatorSeconds: nonNegative,
  /** Bytes per second; Infinity: their time is Redis's alone. */
  coordinatorBytesPerSecond: positiveOrInfinity().default(Number.POSITIVE_INFINITY),
  /** Processor seconds of Redis for one question with its answer, beside the bytes. */
  hubSeconds: nonNegative.default(0),
  /** Bytes per second through Redis, all connections together: its link or its processor. */
  hubBytesPerSecond: positive,
  /** Processor seconds of a worker for one question, beside the evaluation and the bytes. */
  workerSeconds: nonNegative,
  /** Bytes per second that a worker reads or writes; Infinity: their time is Redis's alone. */
  workerBytesPerSecond: positiveOrInfinity().default(Number.POSITIVE_INFINITY),
  /** Cores that all of them share, the coordinator and Redis too; Infinity: everyone has a core of his own. */
  cores: integerOrInfinity(1).default(Number.POSITIVE_INFINITY),
  /** Failures of a worker in an hour. */
  failuresPerHour: nonNegative.default(0),
  /** Seconds until a failure is noticed, and what was being evaluated is asked of another. */
  noticeSeconds: nonNegative.default(5),
  /** Seconds until a worker that failed is back. */
  recoverySeconds: nonNegative.default(30),
  /** Of a worker and hour, in any currency. */
  pricePerHour: nonNegative.default(0),
  /** Of the random times. */
  seed: integerFrom(0).default(0),
});

const sumWork = optionTable({
  /** How many there will be: passes times subfunctions. */
  evaluations: integerFrom(1),
  /** Of one of them, on average. */
  evaluationSeconds: nonNegative,
  /** Standard deviation over average; times are drawn from a log-normal distribution. */
  evaluationSpread: nonNegative.default(0),
  /**
   * Whether an evaluation waits (for a device, a service) and needs no core; a worker then begins with all subfunctions of
   * a task at once, where it computes one after the other.
   */
  isWaiting: flag.default(false),
  /** M: a point and a gradient have 8 M bytes. */
  dimension: integerFrom(1),
  /** Of the solver, per step. */
  solverSeconds: nonNegative,
  /** Subfunctions of a step at one point, all of which are waited for; 1 with `concurrency` for answers as they come. */
  batch: integerFrom(1),
  /** Evaluations under way at once where `batch` is 1. */
  concurrency: integerFrom(1).default(1),
});

const sweepWork = optionTable({
  runs: integerFrom(1),
  runSeconds: nonNegative,
  /** As of evaluations. */
  runSpread: nonNegative.default(0),
  /** Whether a run waits rather than computes. */
  isWaiting: flag.default(false),
  /** Of a result. */
  resultBytes: nonNegative,
});

type AllGiven<S> = { readonly [K in keyof S]: Exclude<S[K], undefined> };

/**
 * Of the machines and the way between them. Whoever handles a question, the coordinator, Redis, a worker, is a program with
 * one thread; a question with its answer takes so many seconds of its processor, and the bytes that go in or out take theirs.
 */
export type Pool = AllGiven<SettingsOf<typeof poolFigures>>;
export type PoolFigures = OptionsOf<typeof poolFigures> &
  Pick<Pool, "workers" | "latencySeconds" | "coordinatorSeconds" | "hubBytesPerSecond" | "workerSeconds">;

/** Evaluations of a remote sum. */
export type SumWork = OptionsOf<typeof sumWork> &
  Pick<
    AllGiven<SettingsOf<typeof sumWork>>,
    "evaluations" | "evaluationSeconds" | "dimension" | "solverSeconds" | "batch"
  >;

/** Runs of a sweep. */
export type SweepWork = OptionsOf<typeof sweepWork> &
  Pick<AllGiven<SettingsOf<typeof sweepWork>>, "runs" | "runSeconds" | "resultBytes">;

export const checkPool = (where: string, pool: PoolFigures): Pool =>
  allGiven(where, poolFigures.resolve(where, pool));

export const checkSumWork = (where: string, work: SumWork): AllGiven<SettingsOf<typeof sumWork>> =>
  allGiven(where, sumWork.resolve(where, work));

export const checkSweepWork = (where: string, work: SweepWork): AllGiven<SettingsOf<typeof sweepWork>> =>
  allGiven(where, sweepWork.resolve(where, work));

/** @throws CurvatureError ERR_OPTION */
function allGiven<S extends object>(where: string, settings: S): S & AllGiven<S> {
  if (areAllGiven(settings)) return settings;
  const missing = Object.entries(settings).find(([, value]) => value === undefined);
  throw badOption(where, missing?.[0] ?? "", "given", undefined);
}

const areAllGiven = <S extends object>(settings: S): settings is S & AllGiven<S> =>
  Object.values(settings).every((value) => value !== undefined);
