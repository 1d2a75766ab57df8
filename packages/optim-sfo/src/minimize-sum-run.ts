/**
 * The work of `minimizeSum` beside the solver: it guards x at the first evaluation of each subfunction, gives the variables alike
 * units where theirs differ by orders (`variable-scales.ts`), measures F as a whole every so many passes and at the end, and
 * keeps the best point so measured. These evaluations count as monitoring.
 */
import { CurvatureError, optionName, shown, type Warning } from "@curvature/linalg";
import {
  checkValue,
  driveSum,
  FacadeRun,
  type FacadeSteps,
  fingerprintOf,
  type Iteration,
  isPromise,
  jointEvaluations,
  maxPasses,
  type Point,
  type RunResult,
  run as runOf,
  type Solver,
  type StoppingRule,
  type SumDetails,
  type SumOfFunctions,
  targetValue,
  throwIfAborted,
  ValidatedSolver,
  type ValidationResult,
} from "@curvature/optim-core";
import {
  DeclaredSolver,
  float64,
  inner,
  madePart,
  maybe,
  number,
  stateOf,
  whole,
} from "@curvature/optim-core/state";
import { type MinimizeSumSettings, type SumPhase, sfoOptions } from "./options.js";
import { Sfo } from "./sfo.js";
import { untilAborted } from "./until-aborted.js";
import { inUnits, powersOfTwo, unitsOfVariables } from "./variable-scales.js";
import { WholeSum } from "./whole-sum.js";

/** Codes of what `warnings` may say. */
export type MinimizeSumWarningCode =
  /** Subfunction 0 gave another value or gradient when it was evaluated again. */
  | "not-repeatable"
  /** A subfunction threw when it was tried before the run, and not in it. */
  | "trial-failed"
  /** F could not be measured at a point of the result. */
  | "measurement-failed"
  /** The signal was aborted before F was measured at all points of the result. */
  | "measurement-aborted"
  /** F was measured nowhere. */
  | "value-unknown"
  /** The best point is the first one, by F or by the validation. */
  | "no-decrease"
  /** The basis of the subspace has outgrown WebAssembly's memory. */
  | "basis-outgrown";

/** The options as used, without functions and data. */
type ReportedOptions = Omit<
  MinimizeSumSettings,
  "initial" | "signal" | "onIteration" | "onPhase" | "checkpoint" | "resume" | "validation"
> & { readonly solver: "sfo" | "gauss-newton" };

export interface MinimizeSumResult extends RunResult<SumDetails> {
  /** What a user should know of the run although there is a result: see `MinimizeSumWarningCode`. */
  readonly warnings: readonly Warning[];
  /** Bytes of the basis of the subspace, the most that there were: 8 M (4 M) for each column. */
  readonly subspaceBytes: number;
  /** s, M numbers: F was minimised as a function of x / s; undefined where the variables were left as they are. */
  readonly variableScales: Float64Array | undefined;
  /** Where the option `validation` was given; `x` is then its best point. */
  readonly validation: ValidationResult | undefined;
  /** Seconds that it took to try the first subfunction, to minimise, and to measure F at the end. */
  readonly phases: Readonly<Record<SumPhase | "optimization", number>>;
  readonly options: ReportedOptions & Readonly<Record<string, unknown>>;
}

/** @param x - the first point, its own */
export async function* minimized(
  problem: SumOfFunctions,
  x: Float64Array,
  settings: MinimizeSumSettings,
): FacadeSteps<SumDetails, MinimizeSumResult> {
  const { signal, targetValue: target, batch, finalize, seed } = settings;
  const { dimension, count } = problem;
  const run = new FacadeRun<SumDetails, SumPhase>(settings);

  const concurrency = settings.concurrency ?? batch;
  const isTargeted = target > Number.NEGATIVE_INFINITY;
  const every = settings.measureEvery ?? (isTargeted ? 1 : Number.POSITIVE_INFINITY);
  const guarded = guardedSum({ dimension, count, evaluate: problem.evaluate.bind(problem) });
  const doubts = await run.phase("trial", () => untilAborted(tryFirst(guarded, x), signal));
  throwIfAborted(signal);
  if (doubts !== undefined) run.warn(...doubts);
  const units = await run.phase("trial", () =>
    untilAborted(unitsFor(guarded, x, settings, concurrency), signal),
  );
  throwIfAborted(signal);
  const fingerprint = fingerprintOf(problem.fingerprint ?? "sum", dimension, count, x, seed);
  const solver = new MeasuredSfo({ ...guarded, fingerprint }, x, settings, concurrency, every, units?.scales);
  const { sfo } = solver;

  const validated =
    settings.validation &&
    new ValidatedSolver(solver, settings.validation, { unit: "passes", where: "minimizeSum" });
  const ended = yield* run.optimize(validated ?? solver, [
    ...(isTargeted ? [targetMeasured(target, solver)] : []),
    maxPasses(settings.maxPasses),
    ...(validated?.rules ?? []),
  ]);
  const result =
    validated === undefined
      ? { ...ended, validation: undefined }
      : await run.phase("optimization", () => validated.finish(ended));

  if (result.status !== "failed") run.warn("trial-failed", units?.failure);
  const chosen = result.validation?.best;
  const isWanted = finalize && result.status !== "aborted";
  const points = pointsToMeasure(solver, result, x);
  const values = isWanted ? await measurePoints(solver, points, signal, run) : [];
  if (sfo.subspaceHasOutgrown) run.warn("basis-outgrown", outgrown(sfo.subspaceBytes));
  const best =
    chosen === undefined ? solver.best : { x: result.x, value: chosen.value ?? values.find(Number.isFinite) };
  const { value } = best;
  const isNotFinite = values.length === points.length && value === undefined && result.status !== "failed";
  if (isWanted && value === undefined && (values.length < points.length || chosen !== undefined))
    run.warn("value-unknown", chosen === undefined ? unknownAtLast : unknownAtBest);
  const first = unimproved(result, best, x);
  if (first !== undefined) run.warn("no-decrease", first);
  return {
    ...result,
    ...(isNotFinite && chosen === undefined && nowhereFinite),
    x: best.x.slice(),
    value,
    usable: value === undefined ? result.usable && !isNotFinite : Number.isFinite(value),
    monitoringEvaluations: result.monitoringEvaluations + values.length * count + (units?.evaluations ?? 0),
    variableScales: solver.scales,
    warnings: run.warnings,
    subspaceBytes: sfo.subspaceBytes,
    phases: run.phases("trial", "optimization", "measurement"),
    options: { ...result.options, ...reported(settings), concurrency },
  };
}

/** A target of F's: where F is measured, not where a validation is least. */
function targetMeasured(target: number, solver: MeasuredSfo): StoppingRule {
  const reached = targetValue(target);
  return {
    ...reached,
    start(context) {
      const test = reached.start(context);
      return {
        check: (iteration, { last, elapsedSeconds }) =>
          test.check(iteration, { best: solver.best, last, elapsedSeconds }),
      };
    },
  };
}

type Ended = RunResult<SumDetails> & Pick<MinimizeSumResult, "validation">;

/** Of the last points and the first the lowest is returned; a point that a validation has chosen is measured if it was not yet. */
function pointsToMeasure(
  solver: MeasuredSfo,
  { x, last, validation }: Ended,
  first: Float64Array,
): readonly Float64Array[] {
  if (validation?.best !== undefined) return validation.best.value === undefined ? [x] : [];
  return solver.isHandedOver ? [] : [last, solver.lastAccepted, first];
}

/** What is to be said if the best point is the first one. */
function unimproved(
  { status, validation }: Ended,
  { x, value }: Point,
  first: Float64Array,
): string | undefined {
  const chosen = validation?.best;
  if (chosen !== undefined)
    return chosen.iteration > 0 || status === "aborted"
      ? undefined
      : `No point was found at which the validation is lower than at the first, ${chosen.validation}. See whether it measures what the sum learns.`;
  const mayBeMinimum = status === "converged" || status === "aborted";
  if (value === undefined || mayBeMinimum || !x.every((entry, i) => entry === first[i])) return undefined;
  return `No point was found at which F is lower than at the first, ${value}. If that is no minimum, allow more passes, or test the gradients by ${optionName("checkGradient")}.`;
}

const unknownAtLast = "F was measured nowhere: the returned point is the last one, its value is not known.";
const unknownAtBest = "F is not known at the returned point, the best by the validation.";

export function reported(settings: MinimizeSumSettings): ReportedOptions {
  const { initial, signal, onIteration, onPhase, checkpoint, resume, validation, ...plain } = settings;
  return { ...plain, solver: "sfo" };
}

const outgrown = (bytes: number): string =>
  `The basis of the subspace, ${(bytes / 2 ** 30).toPrecision(3)} GiB in the end, has outgrown WebAssembly's memory: TypeScript took over, with the same bits and in more time. Fewer subfunctions or ${optionName("precision", "float32")} take less.`;

const nowhereFinite = {
  status: "diverged",
  message:
    "F is not finite at any point at which it was measured, the first one among them. Start where all subfunctions are finite.",
} as const;

/** F at points, as far as that is possible. */
async function measurePoints(
  solver: MeasuredSfo,
  points: readonly Float64Array[],
  signal: AbortSignal | undefined,
  run: FacadeRun<SumDetails, SumPhase>,
): Promise<readonly number[]> {
  const values: number[] = [];
  const warned = new Set<string>();
  const measureAll = async (): Promise<void> => {
    for (const point of points) {
      try {
        const value = await untilAborted(solver.measure(point), signal);
        if (value === undefined) return;
        solver.record(point, value);
        values.push(value);
      } catch (error) {
        warned.add(
          `The result could not be measured: ${error instanceof Error ? error.message : shown(error)}`,
        );
      }
    }
  };
  try {
    await run.phase("measurement", measureAll);
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
  for (const sentence of warned) run.warn("measurement-failed", sentence);
  if (signal?.aborted === true && values.length < points.length)
    run.warn("measurement-aborted", "The result was not measured to the end: the signal was aborted.");
  return values;
}

/**
 * What is progress: an estimate of F that is lower by this part of it, or as SFO nears a minimum, a pass of nearly whole steps
 * whose predicted decreases are at most half of those before. Without it for so many passes SFO comes no further.
 */
const PROGRESS = 1e-3;
const HALF = 0.5;
const PATIENCE = 10;

/**
 * SFO on a sum: the iteration after which a measurement is due carries F. Where it has ended, or has made no progress for ten
 * passes, or has begun again after it diverged, it is followed by L-BFGS (`whole-sum.ts`) from the best point: the last two,
 * the first and those that were measured on the way.
 */
class MeasuredSfo extends DeclaredSolver implements Solver<SumDetails> {
  readonly name = "sfo";
  readonly dimension: number;
  readonly fingerprint: string;
  /** Its points are z = x / s. */
  readonly sfo: Sfo;
  /** As a function of z. */
  private readonly sum: SumOfFunctions;
  private readonly driven: Solver<SumDetails>;
  protected readonly state;
  /** The iteration that was made before a measurement that threw. */
  private waiting: Iteration<SumDetails> | undefined;

  /**
   * @param sum - guarded
   * @param every - passes between two measurements
   * @param scales - s; undefined is 1. A checkpoint brings its own
   */
  constructor(
    sum: SumOfFunctions,
    private readonly x: Float64Array,
    private readonly settings: MinimizeSumSettings,
    private readonly concurrency: number,
    private readonly every: number,
    scales: Float64Array | undefined,
  ) {
    super();
    this.sum = inUnits(sum, () => this.scales);
    const start = inverselyScaled(x, scales);
    this.sfo = new Sfo(this.sum, start, sfoOptions.part(settings));
    this.driven = driveSum(this.sfo, this.sum, { concurrency });
    this.dimension = this.sfo.dimension;
    this.fingerprint = this.sfo.fingerprint;
    this.state = stateOf({
      sfo: inner(this.driven),
      /** s */
      scales: maybe(float64(new Float64Array(0), { length: () => this.dimension })),
      /** Measurements that were due so far, those included that a long step passed by. */
      due: whole(),
      /** Those that were made. */
      made: whole(),
      /** The least estimate of F that was lower by more than a trifle, and the passes then. */
      lowest: number(Number.POSITIVE_INFINITY),
      lowered: number(0),
      /** The largest predicted decrease of a step in the pass under way, and the least that was so in a pass. */
      predicted: number(0),
      leastPredicted: number(Number.POSITIVE_INFINITY),
      passEnd: number(1),
      wholeSum: madePart(() => this.wholeSumFrom({ x: start, firstValue: 0, passes: 0, isMinimum: false })),
    });
    this.state.scales = scales;
  }

  get options(): object {
    return this.driven.options ?? {};
  }

  get best(): Point {
    return this.unscaled(this.sfo.best);
  }

  get last(): Point {
    return this.unscaled(this.state.wholeSum?.last ?? this.sfo.last);
  }

  /** A copy. */
  get lastAccepted(): Float64Array {
    return this.unscaled({ x: this.sfo.lastAccepted.slice(), value: undefined }).x;
  }

  /** s; undefined is 1. */
  get scales(): Float64Array | undefined {
    return this.state.scales;
  }

  /** z = x / s */
  private scaled(x: Float64Array): Float64Array {
    return inverselyScaled(x, this.scales);
  }

  /** x = s z */
  private unscaled({ x: z, value }: Point): Point {
    const { scales } = this;
    return { x: scales === undefined ? z : z.map((entry, j) => entry * scales[j]), value };
  }

  get isHandedOver(): boolean {
    return this.state.wholeSum !== undefined;
  }

  step(): Iteration<SumDetails> | Promise<Iteration<SumDetails>> {
    if (this.state.wholeSum !== undefined) return this.wholeStep(this.state.wholeSum);
    const iteration = this.waiting ?? this.driven.step();
    return isPromise(iteration) ? iteration.then((made) => this.seen(made)) : this.seen(iteration);
  }

  private seen(iteration: Iteration<SumDetails>): Iteration<SumDetails> | Promise<Iteration<SumDetails>> {
    return this.isAtEnd(iteration) ? this.handOver(iteration) : this.monitored(iteration);
  }

  /** Whether SFO has ended by itself, or comes no further. */
  private isAtEnd({ outcome, passes, details }: Iteration<SumDetails>): boolean {
    const { state } = this;
    const { estimate = Number.NaN, restarts, hasFailed, predictedDecrease, stepScale } = details;
    state.predicted = Math.max(state.predicted, Math.abs(predictedDecrease));
    if (passes >= state.passEnd) {
      if (stepScale > HALF && state.predicted <= HALF * state.leastPredicted) {
        state.leastPredicted = state.predicted;
        state.lowered = passes;
      }
      state.passEnd = passes + 1;
      state.predicted = 0;
    }
    if (!hasFailed && estimate < state.lowest - PROGRESS * Math.abs(estimate)) {
      state.lowest = estimate;
      state.lowered = passes;
    }
    return outcome !== undefined || restarts > 0 || passes - state.lowered >= PATIENCE;
  }

  private async handOver(iteration: Iteration<SumDetails>): Promise<Iteration<SumDetails>> {
    const { sfo, settings } = this;
    const { outcome, passes } = iteration;
    const isSpent = passes + 1 > settings.maxPasses;
    if (isSpent) {
      const left = "and the passes are used up before L-BFGS on the whole sum could confirm it";
      return outcome === undefined
        ? this.monitored(iteration)
        : {
            ...iteration,
            outcome: {
              status: "max-iterations",
              message: `${outcome.message} It is not confirmed, ${left}.`,
            },
          };
    }
    this.waiting = iteration; // should a measurement throw
    const first = await this.measured(this.scaled(this.x));
    const isMinimum = outcome?.status === "converged" && !((iteration.details.estimate ?? 0) > first);
    if (!isMinimum) for (const { x } of [sfo.last, { x: sfo.lastAccepted }]) await this.measured(x.slice());
    this.waiting = undefined;
    const { x, value } = isMinimum ? sfo.last : sfo.best;
    if (!isMinimum && value === undefined) return this.withMonitoring(iteration, undefined);
    this.state.wholeSum = this.wholeSumFrom({
      x,
      firstValue: Number.isFinite(first) ? first : (value ?? 0),
      passes,
      isMinimum,
    });
    return this.withMonitoring({ ...iteration, outcome: undefined }, value);
  }

  private async measured(z: Float64Array): Promise<number> {
    const value = await measureSum(this.sum, z, this.concurrency);
    this.sfo.recordMeasurement(z, value);
    this.state.made++;
    return value;
  }

  private wholeSumFrom(beginning: ConstructorParameters<typeof WholeSum>[5]): WholeSum {
    const { tolerance, maxPasses: most } = this.settings;
    return new WholeSum(this.sfo, this.sum, this.concurrency, tolerance, most, beginning);
  }

  private async wholeStep(wholeSum: WholeSum): Promise<Iteration<SumDetails>> {
    const { sfo, sum, scales } = this;
    const { index, value, gradientNorm, stepLength, evaluations, outcome } = await wholeSum.step();
    const { x, value: least } = wholeSum.best;
    if (least !== undefined) sfo.recordMeasurement(x, least);
    const { now } = sfo;
    const all = now.evaluations + evaluations * sum.count;
    const made = {
      index: now.index + index,
      value,
      gradientNorm: scales === undefined ? gradientNorm : undefined, // it is that of F(s z)
      stepLength,
      ...jointEvaluations(all, all / sum.count),
      phase: "whole sum",
      details: { ...now.details, estimate: value },
      outcome,
    };
    return this.withMonitoring(made, value);
  }

  private monitored(
    iteration: Iteration<SumDetails>,
  ): Iteration<SumDetails> | Promise<Iteration<SumDetails>> {
    if (!(iteration.passes >= (this.state.due + 1) * this.every) || iteration.outcome !== undefined)
      return this.withMonitoring(iteration, iteration.value);
    this.waiting = iteration;
    const z = this.sfo.last.x.slice();
    const value = measureSum(this.sum, z, this.concurrency);
    return typeof value === "number"
      ? this.noted(iteration, z, value)
      : value.then((f) => this.noted(iteration, z, f));
  }

  private noted(iteration: Iteration<SumDetails>, z: Float64Array, value: number): Iteration<SumDetails> {
    const { state } = this;
    this.waiting = undefined;
    state.due = Math.max(state.due + 1, Math.floor(iteration.passes / this.every));
    state.made++;
    this.sfo.recordMeasurement(z, value);
    return this.withMonitoring(iteration, Number.isFinite(value) ? value : undefined);
  }

  private withMonitoring(iteration: Iteration<SumDetails>, value: number | undefined): Iteration<SumDetails> {
    return { ...iteration, value, monitoringEvaluations: this.state.made * this.sum.count };
  }

  /** F(x), added up in the order of the indices. */
  measure(x: Float64Array): number | Promise<number> {
    return measureSum(this.sum, this.scaled(x), this.concurrency);
  }

  /** F(x) was measured. */
  record(x: Float64Array, value: number): void {
    this.sfo.recordMeasurement(this.scaled(x), value);
  }

  protected override restored(): void {
    this.waiting = undefined;
  }
}

/**
 * Whether subfunction 0 gives the same value and gradient twice: dropout, sampling and data that change between calls are
 * the usual reasons for a run that makes no sense. One that throws is left to the run, which ends if it throws again.
 *
 * @returns a warning, as code and sentence
 * @throws CurvatureError ERR_ARGUMENT if it writes into x, or leaves entries of its gradient unwritten
 */
async function tryFirst(
  guarded: SumOfFunctions,
  x: Float64Array,
): Promise<readonly ["not-repeatable" | "trial-failed", string] | undefined> {
  const first = new Float64Array(guarded.dimension).fill(Number.NaN);
  const second = first.slice();
  try {
    const f = await guarded.evaluate(0, x.slice(), first);
    if (Number.isFinite(f)) checkWritten(first);
    const again = await guarded.evaluate(0, x.slice(), second);
    const isSame = Object.is(f, again) && first.every((entry, i) => Object.is(entry, second[i]));
    return isSame ? undefined : ["not-repeatable", notRepeatable];
  } catch (error) {
    if (error instanceof CurvatureError && (error.path === "x" || error.path === "gradient")) throw error;
    const reason = error instanceof Error ? error.message : shown(error);
    return ["trial-failed", `Subfunction 0 failed when it was tried before the run: ${reason}`];
  }
}

/** A copy where s is not 1. */
const inverselyScaled = (x: Float64Array, scales: Float64Array | undefined): Float64Array =>
  scales === undefined ? x : x.map((entry, j) => entry / scales[j]);

interface Units {
  /** s; undefined where the variables are left as they are. */
  readonly scales: Float64Array | undefined;
  /** That were made to see it. */
  readonly evaluations: number;
  readonly failure?: string;
}

/** Passes of the two short runs that show whether scales help, and the least `maxPasses` that is worth them. */
const [TRIAL_PASSES, WORTH] = [5, 10];
/** The part of `maxSeconds` that it may all take. */
const TRIAL_SHARE = 0.25;

/**
 * As the option says. Scales that were found are kept where a short run in them comes lower than one without: curvature that
 * differs by orders at the first point is not always a matter of units (the layers of a deep network). Where a subfunction
 * throws there are none, and it is left to the run.
 */
async function unitsFor(
  guarded: SumOfFunctions,
  x: Float64Array,
  settings: MinimizeSumSettings,
  concurrency: number,
): Promise<Units> {
  const { variableScales, initialHessian, seed, signal, resume, maxSeconds, maxPasses: most } = settings;
  const none = { scales: undefined, evaluations: 0 };
  if (typeof variableScales !== "string")
    return { scales: powersOfTwo(variableScales, x.length), evaluations: 0 };
  // a first Hessian is one of x, and a checkpoint has its scales
  const isSettled = variableScales === "none" || initialHessian !== undefined || resume !== undefined;
  if (isSettled || most < WORTH || maxSeconds === 0) return none;
  const until = performance.now() + 1000 * TRIAL_SHARE * maxSeconds;
  let evaluations = 0;
  const counted: SumOfFunctions = {
    ...guarded,
    evaluate(index, point, gradient) {
      evaluations++;
      if (performance.now() > until || signal?.aborted === true) throw new OutOfTime();
      return gradient === undefined
        ? guarded.evaluate(index, point)
        : guarded.evaluate(index, point, gradient);
    },
  };
  try {
    const scales = await unitsOfVariables(counted, x, seed, concurrency);
    if (scales === undefined) return { scales, evaluations };
    const valueAfter = async (units: Float64Array | undefined): Promise<number> => {
      const solver = new MeasuredSfo(counted, x, settings, concurrency, Number.POSITIVE_INFINITY, units);
      const { last, status, cause } = await runOf(solver, { stop: maxPasses(TRIAL_PASSES) });
      if (status === "failed") throw cause;
      return solver.measure(last);
    };
    const [without, within] = [await valueAfter(undefined), await valueAfter(scales)];
    return { scales: within < without || Number.isNaN(without) ? scales : undefined, evaluations };
  } catch (error) {
    if (error instanceof OutOfTime) return { scales: undefined, evaluations };
    const reason = error instanceof Error ? error.message : shown(error);
    const failure = `A subfunction failed when the variables' units were looked for: ${reason}`;
    return { scales: undefined, evaluations, failure };
  }
}

/** The units of the variables are not to be had in the time that there is. */
class OutOfTime extends Error {}

const notRepeatable =
  "Subfunction 0 gives other values or gradients when it is evaluated again at the same point. Its noise will mislead " +
  "the models: draw random numbers once, before the run.";

/** @param gradient - held NaN before the evaluation */
function checkWritten(gradient: Float64Array): void {
  const missing = gradient.findIndex(Number.isNaN);
  if (missing >= 0)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `subfunction 0 is finite at the first point, but entry ${missing} of its gradient is not written, or is NaN. Write all ${gradient.length} into evaluate's third argument, and do not add to what it holds.`,
      { where: "minimizeSum", path: "gradient", expected: `${gradient.length} numbers` },
    );
}

/**
 * One that writes into x would move the solver's point under its feet, and no model would ever fit: `evaluate` throws
 * CurvatureError ERR_ARGUMENT, its path "x", if the first evaluation of fᵢ changes x.
 */
function guardedSum(sum: SumOfFunctions): SumOfFunctions {
  const isKnown = new Uint8Array(sum.count);
  return {
    dimension: sum.dimension,
    count: sum.count,
    evaluate(index, x, gradient) {
      if (isKnown[index] === 1)
        return gradient === undefined ? sum.evaluate(index, x) : sum.evaluate(index, x, gradient);
      const before = x.slice();
      const check = (value: number): number => {
        const changed = x.findIndex((entry, k) => !Object.is(entry, before[k]));
        x.set(before);
        if (changed >= 0) throw writtenTo(index, changed);
        isKnown[index] = 1;
        return value;
      };
      const value = gradient === undefined ? sum.evaluate(index, x) : sum.evaluate(index, x, gradient);
      return isPromise(value) ? Promise.resolve(value).then(check) : check(value);
    },
  };
}

const writtenTo = (index: number, entry: number): CurvatureError =>
  new CurvatureError(
    "ERR_ARGUMENT",
    `subfunction ${index} writes into x (its entry ${entry} is another after the evaluation). Only the gradient may be written to; work on a copy, x.slice().`,
    { where: "minimizeSum", path: "x", expected: "x as it was" },
  );

/** @param concurrency - evaluations under way at once, where they are promises */
export function measureSum(
  sum: SumOfFunctions,
  x: Float64Array,
  concurrency: number,
): number | Promise<number> {
  const values = new Float64Array(sum.count);
  for (let i = 0; i < sum.count; i++) {
    const value = sum.evaluate(i, x);
    if (typeof value !== "number") return measureRest(sum, x, concurrency, values, i, value);
    values[i] = value;
  }
  return total(values);
}

/** The same from subfunction `first` on, whose value is on its way; those before are in `values`. */
async function measureRest(
  sum: SumOfFunctions,
  x: Float64Array,
  concurrency: number,
  values: Float64Array,
  first: number,
  value: Promise<number>,
): Promise<number> {
  let next = first + 1;
  const goOn = async (): Promise<void> => {
    while (next < sum.count) {
      const i = next++;
      values[i] = checkValue(await sum.evaluate(i, x), i);
    }
  };
  const begin = async (): Promise<void> => {
    values[first] = checkValue(await value, first);
    await goOn();
  };
  const others = Math.min(concurrency, sum.count - first) - 1;
  try {
    await Promise.all([begin(), ...Array.from({ length: others }, goOn)]);
  } finally {
    next = sum.count; // after a rejection nothing new is begun
  }
  return total(values);
}

const total = (values: Float64Array): number => values.reduce((sum, f) => sum + f, 0);
