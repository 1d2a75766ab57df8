/**
 * One solver on one problem: SFO by its façade, the others run and monitored alike, from the same point and with F
 * known at the start and after every pass.
 */
import { CurvatureError } from "@curvature/linalg";
import {
  type CheckpointOptions,
  createSumSolver,
  fingerprintOf,
  HessianFree,
  type Iteration,
  MonitoredSolver,
  maxPasses,
  parseSumSolverName,
  type RunContext,
  type RunResult,
  run,
  type Solver,
  type StoppingRule,
  type SumOfFunctions,
  timeLimit,
  ValidatedSolver,
  type ValidationOptions,
  type ValidationResult,
  valueDecreaseBelow,
} from "@curvature/optim-core";
import { minimizeSum } from "@curvature/optim-sfo";
import { inFlags, outcomeInFlags } from "../../run/flag-names.js";
import type { ReportedResult } from "../../write/report.js";
import { plainOptions } from "../../write/report.js";
import { type LearningPoint, MonitoringClock, Observed } from "./learning-points.js";
import { noDecrease } from "./no-decrease.js";
import type { FitProblem, FitValidation } from "./problem.js";
import type { RemoteProblem } from "./remote-problem.js";
import type { SolverChoice, SolveSettings } from "./solvers.js";

export interface SolveHooks {
  readonly signal: AbortSignal;
  readonly checkpoint: CheckpointOptions | undefined;
  readonly resume: Uint8Array | undefined;
  onIteration(iteration: Iteration, elapsedSeconds: number): void;
}

/** The value is never unknown: F is at least measured at the first point. */
interface FitResult extends ReportedResult {
  readonly value: number;
  readonly usable: boolean;
  readonly monitoringEvaluations: number;
}

export interface Solved {
  /** As on the command line. */
  readonly solver: string;
  readonly result: FitResult;
  /** The best point at which F is known. */
  readonly x: Float64Array;
  readonly curve: readonly LearningPoint[];
  /** Where something is held out: the least validation, at `x`, and where it is; undefined where there was none. */
  readonly validated: ValidationResult["best"];
  /** The validations on the way. */
  readonly validationCurve: readonly LearningPoint[];
  /** Whether they have ended the run. */
  readonly hasStoppedEarly: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  /** Seconds in which F was measured, and validations were. */
  readonly monitoringSeconds: number;
  readonly warnings: readonly string[];
}

/** Curves are drawn, and each of their points costs a pass: more are not kept. */
const maxPoints = 5000;

/**
 * @param start - F at the problem's first point
 * @throws CurvatureError ERR_OPTION, ERR_CHECKPOINT, ERR_SNAPSHOT, ERR_MEMORY
 */
export async function solve(
  choice: SolverChoice,
  problem: FitProblem | RemoteProblem,
  start: number,
  settings: SolveSettings,
  hooks: SolveHooks,
): Promise<Solved> {
  const clock = new MonitoringClock();
  const curve: LearningPoint[] = [{ passes: 0, seconds: 0, value: start }];
  const isFresh = hooks.resume === undefined;
  const watched =
    problem.validation && new WatchedValidation(problem.validation, clock, settings.patience, isFresh);
  const onIteration = (iteration: Iteration, { elapsedSeconds }: RunContext): void => {
    const { passes, value } = iteration;
    const seconds = Math.max(0, elapsedSeconds - clock.seconds);
    if (value !== undefined && curve.length < maxPoints) curve.push({ passes, seconds, value });
    watched?.reached(passes, seconds);
    hooks.onIteration(iteration, elapsedSeconds);
  };
  const validation = watched?.options;
  const run = choice.isSfo
    ? await bySfo(problem, settings, hooks, clock, onIteration, validation)
    : await byOther(choice, problem, start, settings, hooks, clock, onIteration, validation);
  const { result, validated } = run;
  watched?.reached(result.passes, Math.max(0, result.elapsedSeconds - clock.seconds));
  // The first point is measured too, and may be the best one there is.
  const found =
    validated === undefined || validated.iteration === 0
      ? (result.value ?? Number.POSITIVE_INFINITY)
      : (result.value ?? (await lastValue(problem, result.x, settings.concurrency)));
  const isBetter = found <= start || (validated !== undefined && validated.iteration > 0);
  const value = isBetter ? found : start;
  const { gradientNorm, iterations, evaluations, monitoringEvaluations, passes, elapsedSeconds } = result;
  const { status, message } = result;
  const last = curve.length > 1 ? curve[curve.length - 1].value : undefined;
  const without =
    value < start || validated !== undefined
      ? undefined
      : noDecrease(choice, { status, start, last, passes });
  return {
    solver: choice.word,
    result: {
      value,
      gradientNorm,
      iterations,
      evaluations,
      monitoringEvaluations: monitoringEvaluations + problem.count,
      passes,
      elapsedSeconds,
      status,
      // That of a failure is what a module has thrown.
      message: inOneLine(status === "stalled" || status === "diverged" ? outcomeInFlags(message) : message),
      usable: true,
    },
    x: isBetter ? result.x : problem.initial.slice(),
    curve,
    validated,
    validationCurve: watched?.curve ?? [],
    hasStoppedEarly: result.test?.name === "validations without a decrease",
    options: plainOptions(result.options),
    monitoringSeconds: clock.seconds,
    warnings: without === undefined ? run.warnings : [...run.warnings, without],
  };
}

/** Validations with the passes and seconds that the solver took for them; they count as monitoring. */
class WatchedValidation {
  readonly curve: LearningPoint[] = [];
  readonly options: ValidationOptions;
  private latest: number | undefined;

  /** @param isFirst - whether the first one is that of the first point */
  constructor({ evaluate }: FitValidation, clock: MonitoringClock, patience: number, isFirst: boolean) {
    let isAtStart = isFirst;
    this.options = {
      patience,
      evaluate: async (x) => {
        clock.start();
        try {
          this.latest = await evaluate(x);
        } finally {
          clock.stop();
        }
        const { latest } = this;
        if (isAtStart) this.reached(0, 0);
        isAtStart = false;
        return latest;
      },
    };
  }

  /** Where the latest validation was made. */
  reached(passes: number, seconds: number): void {
    const { latest: value, curve } = this;
    if (value !== undefined && Number.isFinite(value) && curve.length < maxPoints)
      curve.push({ passes, seconds, value });
    this.latest = undefined;
  }
}

interface Run {
  readonly result: RunResult;
  readonly validated: ValidationResult["best"];
  readonly warnings: readonly string[];
}

type Listener = (iteration: Iteration, context: RunContext) => void;

async function bySfo(
  problem: FitProblem,
  { seed, maxPasses: passes, maxSeconds, tolerance, batch, ...settings }: SolveSettings,
  { signal, checkpoint, resume }: SolveHooks,
  clock: MonitoringClock,
  onIteration: Listener,
  validation: ValidationOptions | undefined,
): Promise<Run> {
  const { dimension, count, fingerprint, initial } = problem;
  const concurrency = Math.max(batch, settings.concurrency);
  const observed = new Observed(problem, clock);
  const result = await minimizeSum(
    { dimension, count, fingerprint, evaluate: observed.evaluate.bind(observed) },
    {
      initial,
      seed,
      maxPasses: passes,
      measureEvery: 1,
      batch,
      concurrency,
      maxSeconds,
      tolerance,
      checkpoint,
      resume,
      signal,
      onIteration,
      validation,
    },
  );
  const { notFinite } = observed;
  const validated = result.validation?.best;
  const said = result.warnings.map(inFlags);
  if (notFinite === 0) return { result, validated, warnings: said };
  const broken = `${notFinite} values of subfunctions were no finite numbers.`;
  const warnings = [...said, broken];
  const hasEnded = result.status === "failed" || result.status === "aborted";
  if (hasEnded || Number.isFinite(await lastValue(problem, result.last, concurrency)))
    return { result, validated, warnings };
  // The model may well have its least value where F has none.
  const message = `${broken} F cannot be measured where the run ended; the best point before is kept.`;
  const monitoringEvaluations = result.monitoringEvaluations + count;
  return { result: { ...result, monitoringEvaluations, status: "diverged", message }, validated, warnings };
}

/** F where a run has ended; NaN where a subfunction throws. */
const lastValue = (problem: FitProblem, x: Float64Array, concurrency: number): Promise<number> =>
  valueAt(problem, x, concurrency).catch(() => Number.NaN);

async function byOther(
  choice: SolverChoice,
  problem: FitProblem | RemoteProblem,
  start: number,
  settings: SolveSettings,
  { signal, checkpoint, resume }: SolveHooks,
  clock: MonitoringClock,
  onIteration: Listener,
  validation: ValidationOptions | undefined,
): Promise<Run> {
  const { maxSeconds, tolerance = 0 } = settings;
  const measure = async (x: Float64Array): Promise<number> => {
    clock.start();
    try {
      return await valueAt(problem, x, settings.concurrency);
    } finally {
      clock.stop();
    }
  };
  const solver = new MonitoredSolver(solverOf(choice, problem, settings.seed), problem.count, measure, start);
  const validated = validation && new ValidatedSolver(solver, validation, { unit: "passes" });
  const stop: StoppingRule[] = [maxPasses(settings.maxPasses), timeLimit(maxSeconds)];
  if (tolerance > 0) stop.push(valueDecreaseBelow(tolerance));
  const result = await run(validated ?? solver, {
    stop: [...stop, ...(validated?.rules ?? [])],
    signal,
    checkpoint,
    resume,
    onIteration,
  });
  if (validated === undefined) return { result, validated, warnings: [] };
  const finished = await validated.finish(result);
  return { result: finished, validated: finished.validation.best, warnings: [] };
}

/** @throws CurvatureError ERR_OPTION in the words of the command line, and what the solver throws */
function solverOf(choice: SolverChoice, problem: FitProblem | RemoteProblem, seed: number): Solver {
  try {
    return createdSolver(choice, problem, seed);
  } catch (error) {
    if (!(error instanceof CurvatureError) || error.code !== "ERR_OPTION") throw error;
    const message = `The solver ${choice.word}: ${inFlags(error)}`;
    throw new CurvatureError("ERR_OPTION", message, { path: "solver", cause: error });
  }
}

function createdSolver({ word }: SolverChoice, problem: FitProblem | RemoteProblem, seed: number): Solver {
  const { dimension, count, initial, whole, evaluateBatch } = problem;
  const fingerprint = fingerprintOf(problem.fingerprint, dimension, count, initial, seed);
  const { method, numbers } = parseSumSolverName(word);
  if (method === "hessian-free" && whole !== undefined) {
    const [initialDamping] = numbers;
    return new HessianFree({ ...whole, fingerprint }, initial, { initialDamping });
  }
  const sum: SumOfFunctions = {
    dimension,
    count,
    fingerprint,
    evaluate: problem.evaluate.bind(problem),
    evaluateBatch,
  };
  const create = (on: SumOfFunctions): Solver => createSumSolver(word, on, initial, { seed });
  const needsAnswers = method === "lbfgs" || method === "minibatch-lbfgs" || method === "hessian-free";
  return needsAnswers && "awaiting" in problem ? problem.awaiting(create) : create(sum);
}

/** F(x), added up in the order of the indices. */
async function valueAt(problem: FitProblem, x: Float64Array, concurrency: number): Promise<number> {
  const values = new Float64Array(problem.count);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < values.length) {
      const index = next++;
      values[index] = await problem.evaluate(index, x);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, values.length) }, worker));
  return values.reduce((sum, value) => sum + value, 0);
}

/** What a subfunction throws may be long. */
function inOneLine(message: string): string {
  const line = message.replace(/\s+/g, " ").trim();
  return line.length > 500 ? `${line.slice(0, 497)}...` : line;
}
