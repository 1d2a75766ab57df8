/**
 * Stochastic variance reduced gradient with stabilised Barzilai-Borwein steps (SVRG-SBB), for any sum of functions.
 *
 *   X̃ = X₀
 *   for s = 0, 1, …
 *     g = ∇F(X̃)                                                             N evaluations
 *     s = 0:  B = the first step          s > 0:  B = ⟨ΔX, ΔX⟩ / (|⟨ΔX, ΔG⟩| + ε ⟨ΔX, ΔX⟩)      eq. (17)
 *     X = X̃,  η = B/m
 *     T = ⌊m/b⌋ times:  draw a batch I of b terms evenly with replacement                     2 b evaluations
 *                       u = g + (N/b) Σ_{q in I} (∇f_q(X) − ∇f_q(X̃))
 *                       X ← X − h u,   h = B/T          (b η where b divides m)
 *     X̃ = X
 *
 * | symbol   | field              | shape, unit                                                     |
 * |----------|--------------------|-----------------------------------------------------------------|
 * | X̃, g     | snapshot, gradient | dimension; ∇F of the whole sum F = Σ f_q                        |
 * | X        | x                  | dimension; `nextValue` and `nextGradient` are those of the point under way |
 * | ΔX, ΔG   |                    | differences of the last two snapshots and of their gradients    |
 * | B, ε     | steps              | what an epoch moves is about B g, whatever b and m are          |
 * | T, b     | iterations, batchSize | iterations of an inner loop, terms in each of them           |
 * | s        | epoch              | inner loops that are done                                       |
 *
 * Rules for B, and what becomes of an epoch that ends badly, are in `step-controllers.ts`. The first B is that of a
 * probe at X₀ − t g, t = 10⁻³ ‖X₀‖/‖g‖, for N evaluations more.
 *
 * Ma, Zeng, Xiong, Xu, Cao, Liu, Yao: Fast stochastic ordinal embedding with variance reduction and adaptive step size
 * (2019), Algorithm 1. Differs from what is printed there, where it is misprinted: the secant takes the gradient's
 * difference (not ΔX twice), the update takes u (not x), and there are m/b iterations (not m), as section 5.1 has it.
 * The last iterate becomes the snapshot, and the snapshot of least F is the best point; the iterate of theorems 1 and 2,
 * drawn evenly from all that inner loops have made, is there with `output: "random"`. What the paper leaves open: a secant
 * of length 0 or without a finite step keeps B.
 *
 * A step is a block of terms of the full gradient or of pairs of the inner loop. Evaluations must not be promises.
 */
import {
  integerFrom,
  norm2,
  type OptionsOf,
  oneOf,
  optionTable,
  RandomGenerator,
  type SettingsOf,
} from "@curvature/linalg";
import {
  checkPoint,
  checkSum,
  fingerprintOf,
  type Iteration,
  jointEvaluations,
  type Point,
  type Solver,
  type SumOfFunctions,
} from "@curvature/optim-core";
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
  word,
} from "@curvature/optim-core/state";
import { ComparisonInnerLoop, isComparisonSum } from "./comparison-loop.js";
import { DenseInnerLoop, type InnerLoop, isSparse, numberFrom, SparseInnerLoop } from "./inner-loops.js";
import {
  BarzilaiBorwein,
  Measured,
  type Secant,
  type StepController,
  secantBetween,
  stepOptions,
} from "./step-controllers.js";

export const svrgOptions = optionTable({
  ...stepOptions.entries,
  /** b, terms in an iteration. At most m and N. */
  batchSize: integerFrom(1).default(20),
  /** m, pairs of gradients in an epoch. Left out: N. */
  epochLength: integerFrom(1),
  /**
   * Which point is the best one: the snapshot of least F ("best"), the "last" snapshot, or one drawn evenly from all
   * iterates of the inner loops so far ("random": x_out of theorems 1 and 2, whose value is not known).
   */
  output: oneOf("best", "last", "random").default("best"),
  seed: integerFrom(0).default(0),
});
export type SvrgOptions = OptionsOf<typeof svrgOptions>;
export type SvrgSettings = SettingsOf<typeof svrgOptions>;
export type StepRule = SvrgSettings["stepRule"];

export interface SvrgDetails {
  /** s: inner loops that are done, those that were made again left out. */
  readonly epoch: number;
  /** B = m η of the epoch under way, or of the next one. */
  readonly step: number;
  /** ε as used; undefined before the first step is known, and in "measured". */
  readonly epsilon: number | undefined;
  /** F(X̃), and ‖∇F(X̃)‖. */
  readonly snapshotValue: number | undefined;
  readonly snapshotGradientNorm: number | undefined;
  /** ‖ΔX‖/‖X̃‖ of the last two snapshots; undefined before there are two. */
  readonly relativeChange: number | undefined;
  /**
   * Inner loops that were made again: they ended above F(X₀), or in numbers that are not finite. In a row, but in
   * "measured".
   */
  readonly failedEpochs: number;
}

/**
 * "full gradient" a part of one, or its end where the epoch before it is made again; "snapshot" its last part: value and
 * gradient norm are known, and the epoch before it has come to its end; "probe" a part of the curvature's; "inner" a part
 * of an inner loop; "epoch" its last part.
 */
export type SvrgPhase = "full gradient" | "snapshot" | "probe" | "inner" | "epoch";

/** Evaluations in a step, where the terms are cheap. */
const BLOCK = 8192;
/** The length of the probe relative to X₀. */
const PROBE = 1e-3;

export class Svrg extends DeclaredSolver implements Solver<SvrgDetails> {
  readonly name = "svrg";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SvrgSettings;
  readonly state;
  private readonly sum: SumOfFunctions;
  private readonly batchSize: number;
  private readonly iterations: number;
  /** Terms of the full gradient, and iterations of the inner loop, in one step. */
  private readonly gradientBlock: number;
  private readonly innerBlock: number;
  private readonly full: FullGradient;
  private readonly inner: InnerLoop;
  private readonly steps: StepController;
  /** X₀ − t g of the probe; X before a block of an inner loop. */
  private readonly spare: Float64Array;

  /**
   * @param x - X₀, the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(sum: SumOfFunctions, x: Float64Array, options?: SvrgOptions) {
    super();
    checkSum("Svrg", sum);
    checkPoint("Svrg", x, sum.dimension);
    this.options = svrgOptions.resolve("Svrg", options);
    const { dimension, count } = sum;
    const { epochLength = count, seed, stepRule } = this.options;
    this.dimension = dimension;
    this.fingerprint = sum.fingerprint ?? fingerprintOf("sum", dimension, count);
    this.sum = sum;
    this.batchSize = Math.min(this.options.batchSize, epochLength, count);
    this.iterations = Math.floor(epochLength / this.batchSize);
    // Every step pays for the whole of X a few times: its terms must be worth that.
    this.gradientBlock = isSparse(sum)
      ? Math.max(BLOCK, dimension >> 3)
      : Math.max(1, Math.min(BLOCK, Math.floor(2 ** 21 / dimension)));
    // Two passes at most, so that a limit on passes is kept within a long epoch, too.
    const block = Math.min(this.gradientBlock, 2 * count);
    this.innerBlock = Math.max(1, Math.floor(block / (2 * this.batchSize)));
    this.full = new FullGradient(sum);
    this.inner = innerLoop(sum, this.batchSize);
    this.steps = stepRule === "measured" ? new Measured() : new BarzilaiBorwein(this.options);
    this.spare = new Float64Array(dimension);
    const isRandom = this.options.output === "random";
    this.state = stateOf({
      stage: word("gradient", ["gradient", "probe", "inner"]),
      /** Terms of the full gradient, or iterations of the inner loop, that are done. */
      done: whole(0, { to: Math.max(count, this.iterations) - 1 }),
      x: float64(x.slice()),
      snapshot: float64(x.slice()),
      gradient: float64(new Float64Array(dimension)),
      nextGradient: float64(new Float64Array(dimension)),
      nextValue: number(0),
      /** The snapshot of least F. */
      bestX: float64(x.slice()),
      bestValue: maybe(number()),
      /** The iterate drawn from all so far, and that of the epoch under way, which counts once the epoch has ended well. */
      drawn: float64(isRandom ? x.slice() : new Float64Array(0)),
      drawnNext: float64(isRandom ? x.slice() : new Float64Array(0)),
      /** Which iterate of the epoch under way is to be drawn, from 1; 0 is none. */
      drawnAt: whole(0, { to: isRandom ? this.iterations : 0 }),
      draws: generator(new RandomGenerator(seed + 1)),
      /** F(X̃), ‖g‖ */
      value: maybe(number()),
      gradientNorm: maybe(number()),
      relativeChange: maybe(number()),
      /** Whether the gradient under way is that of the best snapshot, to which a failure went back: nobody has kept it. */
      isBack: boolean(),
      steps: part(this.steps),
      random: generator(new RandomGenerator(seed)),
      epoch: whole(),
      index: whole(),
      evaluations: whole(),
      outcome: outcome(),
    });
  }

  get best(): Point {
    const { bestX, bestValue, snapshot, value, drawn } = this.state;
    const { output } = this.options;
    if (output === "random") return { x: drawn, value: undefined };
    return output === "best" ? { x: bestX, value: bestValue } : { x: snapshot, value };
  }

  get last(): Point {
    const { x, value, stage, done } = this.state;
    return { x, value: stage === "inner" && done === 0 ? value : undefined };
  }

  step(): Iteration<SvrgDetails> {
    if (this.state.outcome !== undefined) return this.iteration("snapshot");
    const phase = this.advance();
    this.state.index++;
    return this.iteration(phase);
  }

  private advance(): SvrgPhase {
    const { state } = this;
    switch (state.stage) {
      case "gradient":
        return this.addGradient(state.x) && this.endGradient() ? "snapshot" : "full gradient";
      case "probe":
        if (this.addGradient(this.probed())) this.endProbe();
        return "probe";
      case "inner":
        if (!this.iterate()) return "inner";
        this.endEpoch();
        return "epoch";
    }
  }

  /** A block of F and ∇F at a point. @returns whether it was the last one */
  private addGradient(at: Float64Array): boolean {
    const { state } = this;
    const { done, nextGradient } = state;
    const { count } = this.sum;
    if (done === 0) {
      nextGradient.fill(0);
      state.nextValue = 0;
    }
    const end = Math.min(count, done + this.gradientBlock);
    state.nextValue += this.full.add(done, end, at, nextGradient);
    state.evaluations += end - done;
    state.done = end === count ? 0 : end;
    return end === count;
  }

  /** A block of the inner loop. @returns whether it was the last one */
  private iterate(): boolean {
    const { state, spare, iterations } = this;
    const { x, snapshot, gradient, random } = state;
    if (state.done === 0 && this.options.output === "random") this.chooseIterate();
    const words = random.save();
    spare.set(x);
    const batches = Math.min(iterations - state.done, this.innerBlock);
    const before = state.drawnAt - state.done;
    const isHere = before > 0 && before <= batches;
    const run = (count: number): void =>
      this.inner.run(count, x, { x: snapshot, gradient }, this.steps.B / iterations, random);
    try {
      if (isHere) {
        run(before);
        state.drawnNext.set(x);
      }
      run(isHere ? batches - before : batches);
    } catch (error) {
      x.set(spare);
      random.restore(words);
      throw error;
    }
    state.evaluations += 2 * this.batchSize * batches;
    state.done += batches;
    if (state.done < iterations) return false;
    state.done = 0;
    state.stage = "gradient";
    return true;
  }

  /**
   * Of s + 1 epochs the last has the iterate with the probability 1/(s + 1), so that all iterates are as likely at any time.
   * An epoch that is made again keeps what it drew, whether one of its iterates, but not which.
   */
  private chooseIterate(): void {
    const { state } = this;
    if (state.drawnAt > 0 || state.draws.integer(state.epoch + 1) === 0)
      state.drawnAt = 1 + state.draws.integer(this.iterations);
  }

  /** F and ∇F are complete at X. @returns whether X became a new snapshot */
  private endGradient(): boolean {
    const { state, steps } = this;
    const { nextValue } = state;
    const norm = norm2(state.nextGradient);
    if (!Number.isFinite(nextValue) || !Number.isFinite(norm)) {
      state.epoch = Math.max(0, state.epoch - 1);
      this.fail();
      return false;
    }
    if (steps.isTooHigh(nextValue)) {
      state.epoch--;
      state.outcome = steps.shorten(this.secant());
      this.goBack();
      return false;
    }
    if (state.isBack) {
      state.isBack = false;
      this.accept(norm);
      return false;
    }
    const secant = state.epoch > 0 ? this.secant() : undefined;
    if (secant !== undefined) state.relativeChange = Math.sqrt(secant.dXdX) / norm2(state.snapshot);
    steps.follow(nextValue, state.epoch, secant);
    if (state.drawnAt > 0) {
      state.drawn.set(state.drawnNext);
      state.drawnAt = 0;
    }
    this.accept(norm);
    if (norm === 0) state.outcome = { status: "converged", message: "The gradient is zero." };
    else if (steps.B === 0) this.chooseFirstStep();
    else state.outcome = steps.ending();
    return true;
  }

  /** From the snapshot to X. */
  private secant(): Secant {
    const { x, nextGradient, snapshot, gradient } = this.state;
    return secantBetween(snapshot, gradient, x, nextGradient);
  }

  /** X becomes the snapshot, and an inner loop begins there. */
  private accept(norm: number): void {
    const { state } = this;
    const { x, gradient, nextGradient, nextValue, bestValue } = state;
    state.snapshot.set(x);
    state.gradient = nextGradient;
    state.nextGradient = gradient;
    if (bestValue === undefined || nextValue < bestValue) {
      state.bestValue = nextValue;
      state.bestX.set(x);
    }
    state.value = nextValue;
    state.gradientNorm = norm;
    state.stage = "inner";
  }

  private chooseFirstStep(): void {
    const { initialStep } = this.options;
    if (initialStep === undefined) this.state.stage = "probe";
    else this.steps.begin(initialStep);
  }

  /** t */
  private get probeLength(): number {
    const { snapshot, gradient } = this.state;
    return (PROBE * (norm2(snapshot) || 1)) / norm2(gradient);
  }

  /** X₀ − t g */
  private probed(): Float64Array {
    const { spare, probeLength: t } = this;
    const { snapshot, gradient } = this.state;
    for (let i = 0; i < spare.length; i++) spare[i] = snapshot[i] - t * gradient[i];
    return spare;
  }

  private endProbe(): void {
    const { snapshot: from, gradient: fromGradient, nextGradient: toGradient } = this.state;
    this.steps.beginFrom({ t: this.probeLength, from, fromGradient, to: this.spare, toGradient });
    this.state.stage = "inner";
  }

  private endEpoch(): void {
    if (Number.isFinite(norm2(this.state.x))) this.state.epoch++;
    else this.fail();
  }

  /** An epoch, or the first point, has led to numbers that are not finite. */
  private fail(): void {
    const { state, steps } = this;
    const ending = steps.fail(state.bestValue);
    state.outcome = state.value === undefined ? this.notFiniteAtFirst() : ending;
    if (!steps.goesBackToBest) this.goBack();
    else if (state.outcome === undefined) this.goBackToBest();
  }

  private notFiniteAtFirst() {
    const { nextValue, nextGradient } = this.state;
    return {
      status: "diverged",
      message: `At the first point the value is ${nextValue} and the gradient norm ${norm2(nextGradient)}. Start where both are finite, and write every entry of the gradient.`,
    } as const;
  }

  /** The inner loop begins anew at the snapshot. */
  private goBack(): void {
    this.state.x.set(this.state.snapshot);
    this.state.stage = "inner";
  }

  private goBackToBest(): void {
    const { state } = this;
    state.x.set(state.bestX);
    state.snapshot.set(state.bestX);
    state.stage = "gradient";
    state.isBack = true;
  }

  private iteration(phase: SvrgPhase): Iteration<SvrgDetails> {
    const { steps } = this;
    const { index, evaluations, epoch, value, gradientNorm, relativeChange, outcome } = this.state;
    const isMeasured = phase === "snapshot";
    return {
      index,
      value: isMeasured ? value : undefined,
      gradientNorm: isMeasured ? gradientNorm : undefined,
      stepLength: steps.B === 0 ? undefined : steps.B,
      ...jointEvaluations(evaluations, evaluations / this.sum.count),
      phase,
      details: {
        epoch,
        step: steps.B,
        epsilon: steps.epsilon,
        snapshotValue: value,
        snapshotGradientNorm: gradientNorm,
        relativeChange,
        failedEpochs: steps.failures,
      },
      outcome,
    };
  }
}

function innerLoop(sum: SumOfFunctions, batchSize: number): InnerLoop {
  if (isComparisonSum(sum)) return new ComparisonInnerLoop(sum, batchSize);
  return isSparse(sum) ? new SparseInnerLoop(sum, batchSize) : new DenseInnerLoop(sum, batchSize);
}

/** F and ∇F of a sum, a block of terms at a time, so that no step lasts long. */
class FullGradient {
  private readonly part: Float64Array;
  private readonly term: Float64Array;
  private readonly coordinates: Int32Array;
  private indices = new Int32Array(0);

  constructor(private readonly sum: SumOfFunctions) {
    const { dimension } = sum;
    const hasBatch = sum.evaluateBatch !== undefined;
    this.part = new Float64Array(dimension).fill(Number.NaN); // an entry that is not written shows
    this.term = new Float64Array(hasBatch ? 0 : dimension).fill(Number.NaN);
    this.coordinates = new Int32Array(hasBatch || !isSparse(sum) ? 0 : dimension);
  }

  /** Adds the gradients of the terms from `start` to `end` − 1 to `gradient`; returns the sum of their values. */
  add(start: number, end: number, x: Float64Array, gradient: Float64Array): number {
    const { part } = this;
    const value = this.evaluate(start, end, x); // may throw, and nothing has been added yet
    for (let i = 0; i < part.length; i++) gradient[i] += part[i];
    return value;
  }

  private evaluate(start: number, end: number, x: Float64Array): number {
    const { sum, part, term, coordinates } = this;
    if (sum.evaluateBatch !== undefined) {
      if (this.indices.length !== end - start) this.indices = new Int32Array(end - start);
      const { indices } = this;
      for (let k = 0; k < indices.length; k++) indices[k] = start + k;
      return numberFrom(sum.evaluateBatch(indices, x, part));
    }
    part.fill(0);
    let value = 0;
    for (let index = start; index < end; index++) {
      if (isSparse(sum)) {
        const evaluation = sum.evaluateSparse(index, x, coordinates, term);
        value += evaluation.value;
        for (let k = 0; k < evaluation.touched; k++) part[coordinates[k]] += term[k];
      } else {
        value += numberFrom(sum.evaluate(index, x, term));
        for (let i = 0; i < part.length; i++) part[i] += term[i];
      }
    }
    return value;
  }
}
