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
 * | symbol   | variable           | shape, unit                                                     |
 * |----------|--------------------|-----------------------------------------------------------------|
 * | X̃, g     | snapshot, gradient | dimension; ∇F of the whole sum F = Σ f_q                         |
 * | X        | x                  | dimension                                                       |
 * | ΔX, ΔG   |                    | differences of the last two snapshots and of their gradients    |
 * | B        | step               | what an epoch moves is about B g, whatever b and m are          |
 * | ε        | epsilon            | the unit of F's curvature                                       |
 * | s        | epoch              | inner loops that are done                                       |
 *
 * First step: ΔX = −t g with t = 10⁻³ ‖X₀‖/‖g‖ gives the curvature |⟨ΔX, ΔG⟩|/⟨ΔX, ΔX⟩ along the gradient, for N
 * evaluations; B is its inverse, but no more than 1/ε, and no more than moves X by half its length.
 *
 * Ma, Zeng, Xiong, Xu, Cao, Liu, Yao: Fast stochastic ordinal embedding with variance reduction and adaptive step size
 * (2019), Algorithm 1. Differs from what is printed there, where it is misprinted:
 * the secant takes the gradient's difference (not ΔX twice), the update takes u (not x), and there are m/b
 * iterations (not m), as section 5.1 has it. The last iterate becomes the snapshot, and the snapshot of least F is
 * the best point. What the paper leaves open: a secant of length 0 or without a finite step keeps B; a loop that ends
 * in numbers that are not finite is made again from its snapshot with B/10, three times in a row at most.
 *
 * What the paper does not have: X̃ never leaves the level set {F ≤ F(X₀)}. Where F turns from concave to convex the
 * secant's curvature passes through 0, and B, which then is as long as 1/ε, can throw X so far that short steps do not
 * come back. A loop that ends above F(X₀) is made again from its snapshot with eq. (17) of the secant to where it
 * ended, but B/10 at least and B/2 at most. Courses that stay below F(X₀), as all of the paper's do, are as without.
 *
 * A step is a block of terms of the full gradient or of pairs of the inner loop. Evaluations must not be promises.
 */
import { dot, norm2, RandomGenerator } from "@curvature/linalg";
import {
  checkPoint,
  checkSum,
  fingerprintOf,
  type Iteration,
  type Outcome,
  openSnapshot,
  type Point,
  type Snapshot,
  type Solver,
  type SumOfFunctions,
} from "@curvature/optim-core";
import { EpochStep } from "./epoch-step.js";
import { FullGradient } from "./full-gradient.js";
import { ComparisonInnerLoop, isComparisonSum } from "./inner/comparisons.js";
import { DenseInnerLoop } from "./inner/dense.js";
import type { InnerLoop } from "./inner/inner-loop.js";
import { isSparse, SparseInnerLoop } from "./inner/sparse.js";
import { secant } from "./step-size/secant.js";
import type { SvrgDetails, SvrgPhase } from "./svrg-details.js";
import { type SvrgOptions, type SvrgSettings, svrgSettings } from "./svrg-options.js";

type Stage = "gradient" | "probe" | "inner";
const stages: readonly Stage[] = ["gradient", "probe", "inner"];

const VERSION = 2;
/** Evaluations in a step, where the terms are cheap. */
const BLOCK = 8192;
const MOST_FAILURES = 3;
const MOST_RISES = 10;
/** The length of the probe relative to X₀. */
const PROBE = 1e-3;
/** The most that the first epoch moves after a probe, relative to X₀. */
const FIRST_MOVE = 0.5;
export class Svrg implements Solver<SvrgDetails> {
  readonly name: string = "svrg";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SvrgSettings;
  private readonly N: number;
  private readonly b: number;
  /** T, iterations of an epoch. */
  private readonly T: number;
  private readonly gradientBlock: number;
  private readonly innerBlock: number;
  private readonly full: FullGradient;
  private readonly inner: InnerLoop;
  private readonly random: RandomGenerator;
  private readonly rule: EpochStep;

  private stage: Stage = "gradient";
  /** Terms of a full gradient, or iterations of an inner loop, that are done. */
  private done = 0;
  private x: Float64Array;
  private snapshot: Float64Array;
  private gradient: Float64Array;
  /** The full gradient that is being added up, and its value. */
  private nextGradient: Float64Array;
  private nextValue = 0;
  /** X before the block, or the probe's point. */
  private readonly spare: Float64Array;
  private readonly bestX: Float64Array;
  private bestValue: number | undefined;

  private index = 0;
  private epoch = 0;
  /** Loops in a row that ended in numbers that are not finite, and above F(X₀). */
  private failures = 0;
  private rises = 0;
  /** F(X₀) */
  private firstValue: number | undefined;
  private value: number | undefined;
  private gradientNorm: number | undefined;
  private relativeChange: number | undefined;
  private evaluations = 0;
  private outcome: Outcome | undefined;

  /**
   * @param x - X₀, the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(sum: SumOfFunctions, x: Float64Array, options?: SvrgOptions) {
    checkSum("Svrg", sum);
    checkPoint("Svrg", x, sum.dimension);
    this.options = svrgSettings(options);
    const { dimension, count } = sum;
    const { epochLength = count, batchSize, seed } = this.options;
    this.dimension = dimension;
    this.fingerprint = sum.fingerprint ?? fingerprintOf("sum", dimension, count);
    this.N = count;
    this.b = Math.min(batchSize, epochLength, count);
    this.T = Math.floor(epochLength / this.b);
    // Every step pays for the whole of X a few times: its terms must be worth that.
    const isDense = !isSparse(sum);
    this.gradientBlock = isDense
      ? Math.max(1, Math.min(BLOCK, Math.floor(2 ** 21 / dimension)))
      : Math.max(BLOCK, dimension >> 3);
    this.innerBlock = Math.max(1, Math.floor(this.gradientBlock / (2 * this.b)));
    this.full = new FullGradient(sum);
    this.inner = isComparisonSum(sum)
      ? new ComparisonInnerLoop(sum, this.b)
      : isSparse(sum)
        ? new SparseInnerLoop(sum, this.b)
        : new DenseInnerLoop(sum, this.b);
    this.random = new RandomGenerator(seed);
    this.rule = new EpochStep(this.options);
    this.x = x.slice();
    this.snapshot = x.slice();
    this.gradient = new Float64Array(dimension);
    this.nextGradient = new Float64Array(dimension);
    this.spare = new Float64Array(dimension);
    this.bestX = x.slice();
  }

  get best(): Point {
    return this.options.keepBest
      ? { x: this.bestX, value: this.bestValue }
      : { x: this.snapshot, value: this.value };
  }

  get last(): Point {
    const isSnapshot = this.stage === "inner" && this.done === 0;
    return { x: this.x, value: isSnapshot ? this.value : undefined };
  }

  step(): Iteration<SvrgDetails> {
    if (this.outcome !== undefined) return this.iteration("snapshot");
    const phase = this.advance();
    this.index++;
    return this.iteration(phase);
  }

  private advance(): SvrgPhase {
    if (this.stage === "inner") return this.advanceInner();
    if (this.stage === "probe") {
      this.placeProbe();
      if (this.advanceGradient(this.spare)) this.finishProbe();
      return "probe";
    }
    if (!this.advanceGradient(this.x)) return "full gradient";
    return this.finishGradient() ? "snapshot" : "full gradient";
  }

  /** @returns whether the gradient is complete */
  private advanceGradient(at: Float64Array): boolean {
    const { N, done } = this;
    if (done === 0) {
      this.nextGradient.fill(0);
      this.nextValue = 0;
    }
    const end = Math.min(N, done + this.gradientBlock);
    this.nextValue += this.full.add(done, end, at, this.nextGradient);
    this.evaluations += end - done;
    this.done = end;
    return end === N;
  }

  /** @returns whether `x` became the snapshot */
  private finishGradient(): boolean {
    this.done = 0;
    const norm = norm2(this.nextGradient);
    if (!Number.isFinite(this.nextValue) || !Number.isFinite(norm)) {
      this.epoch = Math.max(0, this.epoch - 1);
      this.fail();
      return false;
    }
    this.firstValue ??= this.nextValue;
    if (this.nextValue > this.firstValue) {
      this.epoch--;
      this.refuse();
      return false;
    }
    this.failures = 0;
    this.rises = 0;
    this.followSecant();
    this.snapshot.set(this.x);
    [this.gradient, this.nextGradient] = [this.nextGradient, this.gradient];
    this.value = this.nextValue;
    this.gradientNorm = norm;
    if (this.bestValue === undefined || this.value < this.bestValue) {
      this.bestValue = this.value;
      this.bestX.set(this.x);
    }
    this.stage = "inner";
    if (norm === 0) this.outcome = { status: "converged", message: "The gradient is zero." };
    else if (this.rule.B === 0) this.chooseFirstStep();
    return true;
  }

  /** B from the secant between the last snapshot and the new one, which is still in `x` and `nextGradient`. */
  private followSecant(): void {
    const { x, snapshot, gradient, nextGradient } = this;
    if (this.epoch === 0) return;
    const { dXdX, dXdG } = secant(x, nextGradient, snapshot, gradient);
    this.relativeChange = Math.sqrt(dXdX) / norm2(snapshot);
    this.rule.follow(this.epoch, dXdX, dXdG);
  }

  private chooseFirstStep(): void {
    const { initialStep } = this.options;
    if (initialStep === undefined) this.stage = "probe";
    else this.rule.takeFirst(initialStep);
  }

  /** X̃ − t g into `spare`. */
  private placeProbe(): void {
    const { spare, snapshot, gradient } = this;
    const t = this.probeLength();
    for (let i = 0; i < spare.length; i++) spare[i] = snapshot[i] - t * gradient[i];
  }

  private probeLength(): number {
    return (PROBE * (norm2(this.snapshot) || 1)) / norm2(this.gradient);
  }

  private finishProbe(): void {
    const { gradient, nextGradient } = this;
    this.done = 0;
    this.stage = "inner";
    const t = this.probeLength();
    let gdG = 0;
    for (let i = 0; i < gradient.length; i++) gdG += gradient[i] * (gradient[i] - nextGradient[i]);
    const curvature = Math.abs(gdG) / (t * dot(gradient, gradient));
    // Where F is straight along g, or not to be evaluated there: as far as the probe, which is short.
    const B = curvature > 0 && Number.isFinite(curvature) ? 1 / curvature : t;
    const size = norm2(this.snapshot);
    this.rule.takeFirst(size > 0 ? Math.min(B, (FIRST_MOVE * size) / norm2(gradient)) : B);
  }

  private advanceInner(): SvrgPhase {
    const { x, spare, random, T, b } = this;
    const words = random.save();
    spare.set(x);
    const batches = Math.min(T - this.done, this.innerBlock);
    const h = this.rule.B / T; // b η
    try {
      this.inner.run(batches, x, { x: this.snapshot, gradient: this.gradient }, h, random);
    } catch (error) {
      x.set(spare);
      random.restore(words);
      throw error;
    }
    this.evaluations += 2 * b * batches;
    this.done += batches;
    if (this.done < T) return "inner";
    this.done = 0;
    if (Number.isFinite(norm2(x))) {
      this.stage = "gradient";
      this.epoch++;
    } else this.fail();
    return "epoch";
  }

  /** Back to the snapshot, with a tenth of the step. */
  private fail(): void {
    this.failures++;
    this.x.set(this.snapshot);
    this.stage = "inner";
    if (this.value === undefined)
      this.outcome = {
        status: "diverged",
        message: `At the first point the value is ${this.nextValue} and the gradient norm ${norm2(this.nextGradient)}. Start where both are finite.`,
      };
    else if (this.failures === MOST_FAILURES)
      this.outcome = {
        status: "diverged",
        message: `Three epochs in a row ended in numbers that are not finite, the last with the step ${this.rule.B}. Give a larger epsilon or a smaller initialStep.`,
      };
    this.rule.B *= 0.1;
  }

  /** Back to the snapshot from above F(X₀), with a step that the curvature on the way there allows. */
  private refuse(): void {
    const { x, snapshot, gradient, nextGradient } = this;
    const { dXdX, dXdG } = secant(x, nextGradient, snapshot, gradient);
    this.rule.shorten(dXdX, dXdG);
    x.set(snapshot);
    this.stage = "inner";
    this.rises++;
    if (this.rises === MOST_RISES)
      this.outcome = {
        status: "stalled",
        message: `${MOST_RISES} epochs in a row, each with a shorter step, ended above the value of the first point.`,
      };
  }

  private iteration(phase: SvrgPhase): Iteration<SvrgDetails> {
    const isMeasured = phase === "snapshot";
    return {
      index: this.index,
      value: isMeasured ? this.value : undefined,
      gradientNorm: isMeasured ? this.gradientNorm : undefined,
      stepLength: this.rule.B === 0 ? undefined : this.rule.B,
      evaluations: this.evaluations,
      gradientEvaluations: this.evaluations,
      monitoringEvaluations: 0,
      passes: this.evaluations / this.N,
      phase,
      details: {
        epoch: this.epoch,
        step: this.rule.B,
        epsilon: this.rule.epsilon,
        snapshotValue: this.value,
        snapshotGradientNorm: this.gradientNorm,
        relativeChange: this.relativeChange,
        failedEpochs: this.failures + this.rises,
      },
      outcome: this.outcome,
    };
  }

  save(): Snapshot {
    return {
      solver: this.name,
      version: VERSION,
      state: {
        stage: stages.indexOf(this.stage),
        done: this.done,
        x: this.x.slice(),
        snapshot: this.snapshot.slice(),
        gradient: this.gradient.slice(),
        nextGradient: this.nextGradient.slice(),
        nextValue: this.nextValue,
        bestX: this.bestX.slice(),
        bestValue: this.bestValue ?? null,
        index: this.index,
        epoch: this.epoch,
        failures: this.failures,
        rises: this.rises,
        firstValue: this.firstValue ?? null,
        rule: this.rule.save(),
        value: this.value ?? null,
        gradientNorm: this.gradientNorm ?? null,
        relativeChange: this.relativeChange ?? null,
        evaluations: this.evaluations,
        outcome: this.outcome === undefined ? null : { ...this.outcome },
        random: this.random.save(),
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const { dimension } = this;
    const state = openSnapshot(snapshot, this.name, VERSION);
    const stage = stages[state.integer("stage", 0, stages.length - 1)];
    const done = state.integer("done", 0, Math.max(this.N, this.T) - 1);
    const x = state.float64("x", dimension);
    const at = state.float64("snapshot", dimension);
    const gradient = state.float64("gradient", dimension);
    const nextGradient = state.float64("nextGradient", dimension);
    const nextValue = state.number("nextValue");
    const bestX = state.float64("bestX", dimension);
    const bestValue = state.optionalNumber("bestValue");
    const index = state.integer("index");
    const epoch = state.integer("epoch");
    const failures = state.integer("failures");
    const rises = state.integer("rises");
    const firstValue = state.optionalNumber("firstValue");
    const takeRule = this.rule.reader(state.object("rule"));
    const value = state.optionalNumber("value");
    const gradientNorm = state.optionalNumber("gradientNorm");
    const relativeChange = state.optionalNumber("relativeChange");
    const evaluations = state.integer("evaluations");
    const outcome = state.outcome("outcome");
    this.random.restore(state.uint32("random", 4));
    this.stage = stage;
    this.done = done;
    this.x.set(x);
    this.snapshot.set(at);
    this.gradient.set(gradient);
    this.nextGradient.set(nextGradient);
    this.nextValue = nextValue;
    this.bestX.set(bestX);
    this.bestValue = bestValue;
    this.index = index;
    this.epoch = epoch;
    this.failures = failures;
    this.rises = rises;
    this.firstValue = firstValue;
    takeRule();
    this.value = value;
    this.gradientNorm = gradientNorm;
    this.relativeChange = relativeChange;
    this.evaluations = evaluations;
    this.outcome = outcome;
  }
}
