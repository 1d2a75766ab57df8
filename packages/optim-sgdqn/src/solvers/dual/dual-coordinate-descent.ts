/**
 * Dual coordinate descent for linear models: the loss's dual variables are optimised one at a time, each step
 * exactly and at the price of one row.
 *
 *   sweep 1          growing (`coordinate-sweep.ts`), unless the start is warm
 *   every sweep      the active rows, in shuffled blocks of rows that are neighbours in memory (`active-rows.ts`)
 *   after a sweep    dropped rows leave the list
 *   now and then     the duality gap (`duality-gap.ts`) over all rows, which also brings dropped rows back
 *   end              (P − D)/P ≤ tolerance: certified, as P* ≥ D
 *
 * Blocks have 64 rows beyond 2000 columns, and one row (a wholly random order) up to there. If in blocks of 64 the
 * span of projected gradients has not halved in 10 sweeps, the order is wholly random from then on: spam's 57 columns
 * among 3000 take 55 passes to a gap of 1e-4 so, 51 in random order from the start, and over 600 in blocks.
 *
 * The gap is taken after the sweeps 1, 2, 4, 8, …, earlier where the last two let it be expected below the tolerance,
 * and once the sweeps' span has fallen to a hundredth. LIBLINEAR's rule (stop when the span of all rows is below ε)
 * has no fixed relation to P − P*.
 *
 * To (P − P*)/P* ≤ 1e-3: milliseconds of CPU time, check of the data and certificate included, once V8 has compiled the
 * loops (a first run on newsgroups takes 50); and LIBLINEAR 2.30's training alone, at the best of its solvers (-s 1 and
 * -s 2; -s 3) over several ε, on the same machine at the same time:
 *
 *   |                                     | squared hinge | hinge       |
 *   |-------------------------------------|---------------|-------------|
 *   | 20 newsgroups, 11,314 x 31,901      | 18 and 32     | 31 and 65   |
 *   | synthetic text, 300,000 x 47,152    | 322 and 830   | 265 and 990 |
 *
 * Hsieh et al., ICML 2008 (see `coordinate-sweep.ts`); order, growth and stopping rule are ours.
 */
import {
  badOption,
  integerFrom,
  nonNegative,
  type OptionsOf,
  optionTable,
  positiveOrInfinity,
  RandomGenerator,
} from "@curvature/linalg";
import {
  checkLinearProblem,
  fingerprintOfLinear,
  type LinearProblem,
  parameterCount,
  rowAccess,
} from "@curvature/objectives/linear";
import type { Iteration, Outcome, Point, Solver } from "@curvature/optim-core";
import {
  boolean,
  DeclaredSolver,
  float64,
  generator,
  maybe,
  number,
  outcome,
  part,
  stateOf,
  whole,
} from "@curvature/optim-core/state";
import type { LinearDetails } from "../../details.js";
import { standing } from "../../standing.js";
import { BLURRED, exactCost, ofExact } from "../exact-cost.js";
import { numbers, sharedRows } from "../start.js";
import { ActiveRows } from "./active-rows.js";
import { CoordinateSweep, type DualProblem, isWeighed } from "./coordinate-sweep.js";
import { dualLoss } from "./dual-loss.js";
import { DualityGap } from "./duality-gap.js";
import { GapSchedule } from "./gap-schedule.js";

export const dualCoordinateDescentOptions = optionTable({
  /** (P − D)/P at which it ends as converged. */
  tolerance: nonNegative.default(1e-3),
  /** Passes over the rows at most; a sweep over fewer rows is less than a pass. */
  maxPasses: positiveOrInfinity("a number of passes").default(1000),
  /** Of the order of the rows. */
  seed: integerFrom(0).default(0),
  /**
   * Where to start: the `dual` of a solver on the same rows, targets, loss and importances, with any λ. Copied.
   * Left out: 0, and a growing first sweep.
   */
  initialDual: numbers,
  /** The rows, checked before; see `SharedRows`. Left out: the problem is checked here. */
  shared: sharedRows,
});
export type DualCoordinateDescentOptions = OptionsOf<typeof dualCoordinateDescentOptions>;

const BLOCK_SIZE = 64;
/** Up to this many columns the order is wholly random. */
const FEW_COLUMNS = 2000;
/** Stored entries that one step reads, about: a millisecond or two. */
const ENTRIES_PER_STEP = 2 ** 20;
const WHERE = "DualCoordinateDescent";

export class DualCoordinateDescent extends DeclaredSolver implements Solver<LinearDetails> {
  readonly name = "dcd";
  readonly dimension: number;
  readonly options;
  readonly state;
  private readonly problem: LinearProblem;
  private readonly sweep: CoordinateSweep;
  private readonly active: ActiveRows;
  private readonly gap: DualityGap;
  private readonly schedule = new GapSchedule();
  private readonly random: RandomGenerator;
  private readonly rowsPerStep: number;
  private readonly lastX: Float64Array;
  private isLastStale = true;
  private hash: string | undefined;

  /**
   * @param problem - with any loss but the logistic, and bias "none" or "regularized"
   * @throws CurvatureError as `checkLinearProblem`; ERR_OPTION for an option, the logistic loss or a "free" bias;
   *   ERR_SHAPE or ERR_NON_FINITE for `initialDual`
   */
  constructor(problem: LinearProblem, options?: DualCoordinateDescentOptions) {
    super();
    const { initialDual, shared, ...settings } = dualCoordinateDescentOptions.resolve(WHERE, options);
    if (shared === undefined) checkLinearProblem(problem, WHERE);
    else shared.check(problem, WHERE);
    if (problem.bias === "free")
      throw badOption(
        WHERE,
        "bias",
        '"none" or "regularized" (a "free" one is no term of the dual: take the trust-region Newton solver)',
        problem.bias,
      );
    this.options = Object.freeze(settings);
    const loss = dualLoss(problem.loss, WHERE);
    const { rows, targets, lambda, bias, importances } = problem;
    const n = rows.rows;
    const dual: DualProblem = {
      rows: rowAccess(rows),
      y: targets,
      c: importances ?? new Float64Array(n).fill(1),
      squaredNorms: shared?.squaredNorms ?? new Float64Array(n).fill(-1),
      lambda,
      loss,
      hasBias: bias === "regularized",
    };
    this.problem = problem;
    this.dimension = parameterCount(problem);
    this.lastX = new Float64Array(this.dimension);
    this.random = new RandomGenerator(settings.seed);
    this.sweep = new CoordinateSweep(dual);
    this.gap = new DualityGap(dual, problem.loss);
    const entriesPerRow = dual.rows.storedEntries / n + 1;
    this.rowsPerStep = Math.max(1, Math.min(8192, Math.floor(ENTRIES_PER_STEP / entriesPerRow)));
    const isLarge = rows.columns > FEW_COLUMNS && this.rowsPerStep >= BLOCK_SIZE;
    this.active = new ActiveRows(n, isLarge ? BLOCK_SIZE : 1);
    for (let i = 0; i < n; i++) if (isWeighed(dual.c[i], loss.flatness)) this.active.add(i);
    if (initialDual === undefined) this.sweep.growth = n / Math.max(1, this.active.count);
    else this.sweep.startFrom(initialDual, WHERE);
    this.state = stateOf({
      sweep: part(this.sweep),
      active: part(this.active),
      gap: part(this.gap),
      schedule: part(this.schedule),
      random: generator(this.random),
      index: whole(),
      sweeps: whole(),
      /** Whether the certificate is being taken. */
      isChecking: boolean(),
      monitoring: whole(),
      /** (P − D)/P at the last certificate. */
      lastGap: maybe(number()),
      /** P at the current point, where it was measured there. */
      lastValue: maybe(number()),
      /** The point of the least P that was measured. */
      bestX: float64(new Float64Array(this.dimension)),
      bestValue: maybe(number()),
      outcome: outcome(),
    });
  }

  /** a_i, n of them: the next solver's `initialDual`. Not a copy. */
  get dual(): Float64Array {
    return this.sweep.a;
  }

  /** Costs a read of all rows the first time. */
  get fingerprint(): string {
    this.hash ??= fingerprintOfLinear(this.problem);
    return this.hash;
  }

  /** The point of the least P that was measured; before there is one, the current point. */
  get best(): Point {
    const { bestX, bestValue } = this.state;
    return bestValue === undefined ? this.last : { x: bestX, value: bestValue };
  }

  get last(): Point {
    const { lastX, sweep } = this;
    if (this.isLastStale) {
      for (let j = 0; j < lastX.length; j++) lastX[j] = sweep.scale * sweep.v[j];
      this.isLastStale = false;
    }
    return { x: lastX, value: this.state.lastValue };
  }

  step(): Iteration<LinearDetails> {
    const { sweep, active, state } = this;
    if (state.outcome !== undefined) return this.iteration("certificate", state.lastGap);
    state.index++;
    if (state.isChecking) return this.check();
    if (active.isSweepDone) this.beginSweep();
    const from = active.position;
    const to = Math.min(active.blocks, from + Math.max(1, Math.floor(this.rowsPerStep / active.blockSize)));
    sweep.visit(active.rows, active.count, active.order, active.blockSize, from, to);
    active.position = to;
    this.isLastStale = true;
    state.lastValue = undefined;
    if (!active.isSweepDone) return this.iteration("sweep", undefined);
    this.endSweep();
    return this.iteration("pass", undefined);
  }

  private beginSweep(): void {
    this.active.begin(this.random);
    this.sweep.largest = Number.NEGATIVE_INFINITY;
    this.sweep.least = Number.POSITIVE_INFINITY;
  }

  private endSweep(): void {
    const { sweep, active, state, schedule } = this;
    state.sweeps++;
    active.compact();
    const span = sweep.largest - sweep.least; // −∞ where no row was left
    if (sweep.growth > 0) {
      sweep.growth = 0;
      sweep.seen = this.problem.rows.rows;
    } else {
      // The gradients of a growing sweep are those of other problems: they drop nothing.
      sweep.dropAbove = sweep.largest > 0 ? sweep.largest : Number.POSITIVE_INFINITY;
      sweep.dropBelow = sweep.least < 0 ? sweep.least : Number.NEGATIVE_INFINITY;
    }
    if (schedule.take(span, state.sweeps)) active.blockSize = 1;
    state.isChecking = schedule.isDue(state.sweeps) || this.passes >= this.options.maxPasses;
    if (state.isChecking) this.gap.begin(sweep, active);
  }

  /** Reads some rows for the certificate; with the last of them it is complete. */
  private check(): Iteration<LinearDetails> {
    const { gap, sweep, active, state } = this;
    const before = gap.row;
    gap.read(sweep, active, Math.min(this.problem.rows.rows, before + this.rowsPerStep));
    state.monitoring += gap.row - before;
    if (!gap.isDone) return this.iteration("certificate", undefined);
    state.isChecking = false;
    const [P, difference] = this.measure();
    const relative = P === 0 ? 0 : Math.max(0, difference) / P;
    state.lastGap = relative;
    state.lastValue = P;
    if (P < (state.bestValue ?? Number.POSITIVE_INFINITY)) {
      state.bestX.set(this.last.x);
      state.bestValue = P;
    }
    this.judge(P, relative);
    return this.iteration("certificate", relative);
  }

  /** P and P − D, rounding in it: in twice the precision where P, or what is claimed of it, would be lost in that. */
  private measure(): [P: number, difference: number] {
    const { gap, sweep, problem, options } = this;
    const P = gap.primal(sweep);
    const computed = P - gap.dual(sweep);
    const difference = computed + gap.ofScores + gap.rounding(sweep);
    const enough = options.tolerance * P;
    const isLost = gap.ofScores > BLURRED * P || (computed <= enough && !(difference <= enough));
    if (!isLost) return [P, difference];
    sweep.renew();
    this.isLastStale = true;
    const exact = exactCost(problem, this.last.x);
    if (Number.isNaN(exact)) return [P, difference];
    return [exact, exact + ofExact(exact) + gap.rounding(sweep) - gap.dual(sweep)];
  }

  private judge(P: number, relative: number): void {
    const { tolerance, maxPasses } = this.options;
    const { schedule, state } = this;
    const { sweeps } = state;
    state.outcome = endOf(P, relative, this.gap.canMove, tolerance, sweeps);
    if (state.outcome !== undefined) return;
    if (schedule.isDue(sweeps)) schedule.record(sweeps, relative, tolerance);
    if (this.passes >= maxPasses) state.outcome = passesUsedUp(maxPasses, relative);
  }

  private get passes(): number {
    return this.sweep.visits / this.problem.rows.rows;
  }

  private iteration(phase: string, gap: number | undefined): Iteration<LinearDetails> {
    const { index, lastValue, monitoring, outcome } = this.state;
    return {
      index,
      value: phase === "certificate" ? lastValue : undefined,
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations: this.sweep.visits,
      gradientEvaluations: this.sweep.visits,
      monitoringEvaluations: monitoring,
      passes: this.passes,
      phase,
      details: { gap, certificate: gap === undefined ? undefined : "duality-gap", t0: undefined },
      outcome,
    };
  }

  protected override restored(): void {
    const { state } = this;
    state.outcome = standing(state.outcome, { passes: this.passes, gap: state.lastGap }, this.options);
    this.isLastStale = true;
  }
}

const words = (relative: number): string => `the duality gap is ${relative.toPrecision(3)} of P`;

/** @param canMove - whether any row can make a step beyond rounding */
function endOf(
  P: number,
  relative: number,
  canMove: boolean,
  tolerance: number,
  sweeps: number,
): Outcome | undefined {
  if (!Number.isFinite(relative) || !Number.isFinite(P))
    return {
      status: "diverged",
      message: `P is ${P} and ${words(relative)}: the data are too large. Scale them.`,
    };
  if (relative <= tolerance)
    return {
      status: "converged",
      message: `After ${sweeps} sweeps ${words(relative)}, at most ${tolerance}.`,
    };
  if (canMove) return undefined;
  return { status: "stalled", message: `No row can make a step beyond rounding, and ${words(relative)}.` };
}

const passesUsedUp = (maxPasses: number, relative: number): Outcome => ({
  status: "max-iterations",
  message: `The limit of ${maxPasses} passes is reached: ${words(relative)}.`,
});
