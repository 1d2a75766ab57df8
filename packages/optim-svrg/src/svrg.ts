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
 * | X̃, g     | stages.snapshot, stages.gradient | dimension; ∇F of the whole sum F = Σ f_q           |
 * | X        | stages.x           | dimension                                                       |
 * | ΔX, ΔG   |                    | differences of the last two snapshots and of their gradients    |
 * | B        | step               | what an epoch moves is about B g, whatever b and m are          |
 * | ε        | epsilon            | the unit of F's curvature                                       |
 * | s        | epoch              | inner loops that are done                                       |
 *
 * The first step is that of a probe, for N evaluations more (`step-size/first-step.ts`), but no more than 1/ε.
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
 * A step is a block of terms of the full gradient or of pairs of the inner loop (`EpochStages`). Evaluations must not be
 * promises.
 */
import { norm2 } from "@curvature/linalg";
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
import { EpochStages } from "./epoch-stages.js";
import { EpochStep } from "./epoch-step.js";
import { ComparisonInnerLoop, isComparisonSum } from "./inner/comparisons.js";
import { DenseInnerLoop } from "./inner/dense.js";
import type { InnerLoop } from "./inner/inner-loop.js";
import { isSparse, SparseInnerLoop } from "./inner/sparse.js";
import { notFiniteAtFirst, Setbacks } from "./setbacks.js";
import { firstStep } from "./step-size/first-step.js";
import type { SvrgDetails, SvrgPhase } from "./svrg-details.js";
import { type SvrgOptions, type SvrgSettings, svrgSettings } from "./svrg-options.js";

const VERSION = 3;
/** Evaluations in a step, where the terms are cheap. */
const BLOCK = 8192;

export class Svrg implements Solver<SvrgDetails> {
  readonly name: string = "svrg";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SvrgSettings;
  private readonly N: number;
  private readonly stages: EpochStages;
  private readonly rule: EpochStep;

  private index = 0;
  private epoch = 0;
  private readonly setbacks = new Setbacks();
  /** F(X₀) */
  private firstValue: number | undefined;
  /** F(X̃), ‖g‖ */
  private value: number | undefined;
  private gradientNorm: number | undefined;
  private relativeChange: number | undefined;
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
    const { epochLength = count, seed } = this.options;
    const batchSize = Math.min(this.options.batchSize, epochLength, count);
    this.dimension = dimension;
    this.fingerprint = sum.fingerprint ?? fingerprintOf("sum", dimension, count);
    this.N = count;
    // Every step pays for the whole of X a few times: its terms must be worth that.
    const gradientBlock = isSparse(sum)
      ? Math.max(BLOCK, dimension >> 3)
      : Math.max(1, Math.min(BLOCK, Math.floor(2 ** 21 / dimension)));
    this.stages = new EpochStages(sum, innerLoop(sum, batchSize), x, {
      batchSize,
      iterations: Math.floor(epochLength / batchSize),
      gradientBlock,
      innerBlock: Math.max(1, Math.floor(gradientBlock / (2 * batchSize))),
      seed,
    });
    this.rule = new EpochStep(this.options);
  }

  get best(): Point {
    const { bestX, bestValue, snapshot } = this.stages;
    return this.options.keepBest ? { x: bestX, value: bestValue } : { x: snapshot, value: this.value };
  }

  get last(): Point {
    const { x, isAtSnapshot } = this.stages;
    return { x, value: isAtSnapshot ? this.value : undefined };
  }

  step(): Iteration<SvrgDetails> {
    if (this.outcome !== undefined) return this.iteration("snapshot");
    const phase = this.advance();
    this.index++;
    return this.iteration(phase);
  }

  private advance(): SvrgPhase {
    const { stage } = this.stages;
    const isOver = this.stages.advance(this.rule.B);
    switch (stage) {
      case "gradient":
        return isOver && this.finishGradient() ? "snapshot" : "full gradient";
      case "probe":
        if (isOver) this.rule.takeFirst(firstStep(this.stages));
        return "probe";
      case "inner":
        if (isOver) this.finishLoop();
        return isOver ? "epoch" : "inner";
    }
  }

  /** @returns whether X became the snapshot */
  private finishGradient(): boolean {
    const { stages, rule } = this;
    const { nextValue } = stages;
    const norm = norm2(stages.nextGradient);
    if (!Number.isFinite(nextValue) || !Number.isFinite(norm)) {
      this.epoch = Math.max(0, this.epoch - 1);
      this.fail();
      return false;
    }
    this.firstValue ??= nextValue;
    if (nextValue > this.firstValue) {
      this.epoch--;
      this.refuse();
      return false;
    }
    this.setbacks.forget();
    if (this.epoch > 0) this.followSecant();
    stages.accept();
    this.value = nextValue;
    this.gradientNorm = norm;
    if (norm === 0) this.outcome = { status: "converged", message: "The gradient is zero." };
    else if (rule.B === 0) this.chooseFirstStep();
    return true;
  }

  /** B from the secant between the last snapshot and X, which is about to become the next one. */
  private followSecant(): void {
    const { dXdX, dXdG } = this.stages.secant();
    this.relativeChange = Math.sqrt(dXdX) / norm2(this.stages.snapshot);
    this.rule.follow(this.epoch, dXdX, dXdG);
  }

  private chooseFirstStep(): void {
    const { initialStep } = this.options;
    if (initialStep === undefined) this.stages.stage = "probe";
    else this.rule.takeFirst(initialStep);
  }

  private finishLoop(): void {
    if (Number.isFinite(norm2(this.stages.x))) this.epoch++;
    else this.fail();
  }

  /** Back to the snapshot, with a tenth of the step. */
  private fail(): void {
    const { stages, rule } = this;
    const ending = this.setbacks.fail(rule.B);
    stages.goBack();
    this.outcome =
      this.value === undefined ? notFiniteAtFirst(stages.nextValue, norm2(stages.nextGradient)) : ending;
    rule.B *= 0.1;
  }

  /** Back to the snapshot from above F(X₀), with a step that the curvature on the way there allows. */
  private refuse(): void {
    const { dXdX, dXdG } = this.stages.secant();
    this.rule.shorten(dXdX, dXdG);
    this.stages.goBack();
    this.outcome = this.setbacks.rise();
  }

  private iteration(phase: SvrgPhase): Iteration<SvrgDetails> {
    const isMeasured = phase === "snapshot";
    const { evaluations } = this.stages;
    return {
      index: this.index,
      value: isMeasured ? this.value : undefined,
      gradientNorm: isMeasured ? this.gradientNorm : undefined,
      stepLength: this.rule.B === 0 ? undefined : this.rule.B,
      evaluations,
      gradientEvaluations: evaluations,
      monitoringEvaluations: 0,
      passes: evaluations / this.N,
      phase,
      details: {
        epoch: this.epoch,
        step: this.rule.B,
        epsilon: this.rule.epsilon,
        snapshotValue: this.value,
        snapshotGradientNorm: this.gradientNorm,
        relativeChange: this.relativeChange,
        failedEpochs: this.setbacks.count,
      },
      outcome: this.outcome,
    };
  }

  save(): Snapshot {
    return {
      solver: this.name,
      version: VERSION,
      state: {
        stages: this.stages.save(),
        rule: this.rule.save(),
        index: this.index,
        epoch: this.epoch,
        ...this.setbacks.save(),
        firstValue: this.firstValue ?? null,
        value: this.value ?? null,
        gradientNorm: this.gradientNorm ?? null,
        relativeChange: this.relativeChange ?? null,
        outcome: this.outcome === undefined ? null : { ...this.outcome },
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, VERSION);
    const takeStages = this.stages.reader(state.object("stages"));
    const takeRule = this.rule.reader(state.object("rule"));
    const index = state.integer("index");
    const epoch = state.integer("epoch");
    const takeSetbacks = this.setbacks.reader(state);
    const firstValue = state.optionalNumber("firstValue");
    const value = state.optionalNumber("value");
    const gradientNorm = state.optionalNumber("gradientNorm");
    const relativeChange = state.optionalNumber("relativeChange");
    const outcome = state.outcome("outcome");
    takeStages();
    takeRule();
    this.index = index;
    this.epoch = epoch;
    takeSetbacks();
    this.firstValue = firstValue;
    this.value = value;
    this.gradientNorm = gradientNorm;
    this.relativeChange = relativeChange;
    this.outcome = outcome;
  }
}

function innerLoop(sum: SumOfFunctions, batchSize: number): InnerLoop {
  if (isComparisonSum(sum)) return new ComparisonInnerLoop(sum, batchSize);
  return isSparse(sum) ? new SparseInnerLoop(sum, batchSize) : new DenseInnerLoop(sum, batchSize);
}
