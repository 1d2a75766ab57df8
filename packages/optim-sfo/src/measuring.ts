/**
 * What `minimizeSum` does beside the solver: it guards x at the first evaluation of each subfunction, measures F as a whole every
 * so many passes and at the end, and keeps the best point so measured. These evaluations count as monitoring.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import {
  checkValue,
  driveSum,
  type Iteration,
  type Point,
  type Snapshot,
  type Solver,
  type SumOfFunctions,
} from "@curvature/optim-core";
import { inner, restore, saved, stateOf, whole } from "@curvature/optim-core/state";
import type { SfoSettings } from "./options.js";
import { Sfo, type SfoDetails } from "./sfo.js";

/** SFO on a sum: the iteration after which a measurement is due carries F. */
export class MeasuredSfo implements Solver<SfoDetails> {
  readonly name = "sfo";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly sfo: Sfo;
  private readonly sum: SumOfFunctions;
  private readonly driven: Solver<SfoDetails>;
  private readonly state;
  /** The iteration that was made before a measurement that threw. */
  private waiting: Iteration<SfoDetails> | undefined;

  /** @param every - passes between two measurements */
  constructor(
    sum: SumOfFunctions,
    x: Float64Array,
    settings: SfoSettings,
    private readonly concurrency: number,
    private readonly every: number,
  ) {
    this.sum = guardedSum(sum);
    this.sfo = new Sfo(sum, x, settings);
    this.driven = driveSum(this.sfo, this.sum, { concurrency });
    this.dimension = this.sfo.dimension;
    this.fingerprint = this.sfo.fingerprint;
    this.state = stateOf({
      sfo: inner(this.driven),
      /** Measurements that were due so far, those included that a long step passed by. */
      due: whole(),
      /** Those that were made. */
      made: whole(),
    });
  }

  get options(): object {
    return this.driven.options ?? {};
  }

  get best(): Point {
    return this.sfo.best;
  }

  get last(): Point {
    return this.sfo.last;
  }

  step(): Iteration<SfoDetails> | Promise<Iteration<SfoDetails>> {
    const iteration = this.waiting ?? this.driven.step();
    return iteration instanceof Promise
      ? iteration.then((made) => this.monitored(made))
      : this.monitored(iteration);
  }

  private monitored(
    iteration: Iteration<SfoDetails>,
  ): Iteration<SfoDetails> | Promise<Iteration<SfoDetails>> {
    if (!(iteration.passes >= (this.state.due + 1) * this.every) || iteration.outcome !== undefined)
      return this.withMonitoring(iteration, iteration.value);
    this.waiting = iteration;
    const x = this.sfo.last.x.slice();
    const value = this.measure(x);
    return typeof value === "number"
      ? this.noted(iteration, x, value)
      : value.then((f) => this.noted(iteration, x, f));
  }

  private noted(iteration: Iteration<SfoDetails>, x: Float64Array, value: number): Iteration<SfoDetails> {
    const { state } = this;
    this.waiting = undefined;
    state.due = Math.max(state.due + 1, Math.floor(iteration.passes / this.every));
    state.made++;
    this.sfo.measure(x, value);
    return this.withMonitoring(iteration, Number.isFinite(value) ? value : undefined);
  }

  private withMonitoring(iteration: Iteration<SfoDetails>, value: number | undefined): Iteration<SfoDetails> {
    return { ...iteration, value, monitoringEvaluations: this.state.made * this.sum.count };
  }

  /** F(x), added up in the order of the indices. */
  measure(x: Float64Array): number | Promise<number> {
    return measureSum(this.sum, x, this.concurrency);
  }

  /**
   * Whether subfunction 0 gives the same value and gradient twice: dropout, sampling and data that change between calls are
   * the usual reasons for a run that makes no sense. One that throws is left to the run, which ends if it throws again.
   *
   * @returns a warning, as code and sentence
   * @throws CurvatureError ERR_ARGUMENT if it writes into x, or leaves entries of its gradient unwritten
   */
  async tryFirst(x: Float64Array): Promise<readonly ["not-repeatable" | "trial-failed", string] | undefined> {
    const { sum } = this;
    const first = new Float64Array(sum.dimension).fill(Number.NaN);
    const second = first.slice();
    try {
      const f = await sum.evaluate(0, x.slice(), first);
      if (Number.isFinite(f)) checkWritten(first);
      const again = await sum.evaluate(0, x.slice(), second);
      const isSame = Object.is(f, again) && first.every((entry, i) => Object.is(entry, second[i]));
      return isSame ? undefined : ["not-repeatable", notRepeatable];
    } catch (error) {
      if (error instanceof CurvatureError && (error.path === "x" || error.path === "gradient")) throw error;
      const reason = error instanceof Error ? error.message : shown(error);
      return ["trial-failed", `Subfunction 0 failed when it was tried before the run: ${reason}`];
    }
  }

  save(): Snapshot {
    return saved(this.name, this.state);
  }

  restore(snapshot: Snapshot): void {
    restore(this.name, this.state, snapshot);
    this.waiting = undefined;
  }
}

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
      return value instanceof Promise ? value.then(check) : check(value);
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
