/**
 * The stages of SVRG, a block of evaluations at a time, and the points and gradients that go through them. Which step is
 * taken, and what is made of the end of a stage, is the business of the solvers that are built on it.
 *
 *   "gradient"   g' = ∇F(X), F(X):  X is the first point, or where the last inner loop ended       N evaluations
 *   "probe"      g' = ∇F(X̃ − t g),  t = 10⁻³ ‖X̃‖/‖g‖:  what F's curvature is, before there is a secant        N
 *   "inner"      T iterations of the inner loop from X = X̃, with the step h = B/T               2 b T evaluations
 *
 * | symbol | variable           | shape                                                    |
 * |--------|--------------------|----------------------------------------------------------|
 * | X̃, g   | snapshot, gradient | dimension; g = ∇F(X̃)                                      |
 * | X, g'  | x, nextGradient    | dimension; `nextValue` is F where g' was taken           |
 * | T, b   | iterations, batchSize | iterations of an inner loop, terms in each of them    |
 */
import { norm2, RandomGenerator } from "@curvature/linalg";
import type { SnapshotReader, SnapshotValue, SumOfFunctions } from "@curvature/optim-core";
import { FullGradient } from "./full-gradient.js";
import type { InnerLoop } from "./inner/inner-loop.js";
import { type Secant, secant } from "./step-size/secant.js";

export type EpochStage = "gradient" | "probe" | "inner";
const names: readonly EpochStage[] = ["gradient", "probe", "inner"];

/** The length of the probe relative to X̃. */
const PROBE = 1e-3;

export interface EpochPlan {
  readonly batchSize: number;
  readonly iterations: number;
  /** Terms of the full gradient, and iterations of the inner loop, in one block. */
  readonly gradientBlock: number;
  readonly innerBlock: number;
  readonly seed: number;
}

export class EpochStages {
  stage: EpochStage = "gradient";
  evaluations = 0;
  readonly x: Float64Array;
  readonly snapshot: Float64Array;
  gradient: Float64Array;
  nextGradient: Float64Array;
  nextValue = 0;
  /** The snapshot of least F. */
  readonly bestX: Float64Array;
  bestValue: number | undefined;
  /** X̃ − t g in the stage "probe", X before the block in "inner". */
  readonly spare: Float64Array;
  /** Terms of the full gradient, or iterations of the inner loop, that are done. */
  private done = 0;
  private readonly full: FullGradient;
  private readonly random: RandomGenerator;

  /** @param x - the first point; copied */
  constructor(
    private readonly sum: SumOfFunctions,
    private readonly inner: InnerLoop,
    x: Float64Array,
    private readonly plan: EpochPlan,
  ) {
    this.full = new FullGradient(sum);
    this.random = new RandomGenerator(plan.seed);
    this.x = x.slice();
    this.snapshot = x.slice();
    this.bestX = x.slice();
    this.gradient = new Float64Array(x.length);
    this.nextGradient = new Float64Array(x.length);
    this.spare = new Float64Array(x.length);
  }

  /** Whether X is the snapshot. */
  get isAtSnapshot(): boolean {
    return this.stage === "inner" && this.done === 0;
  }

  /**
   * The next block, of an inner loop with the step B. The end of a probe or of an inner loop leads to the next stage by
   * itself; that of a gradient waits for `accept` or `goBack`.
   *
   * @returns whether it was the last block of its stage
   */
  advance(B: number): boolean {
    if (this.stage === "gradient") return this.advanceGradient(this.x);
    if (this.stage === "inner") return this.advanceInner(B);
    this.placeProbe();
    const isOver = this.advanceGradient(this.spare);
    if (isOver) this.stage = "inner";
    return isOver;
  }

  private advanceGradient(at: Float64Array): boolean {
    const { done } = this;
    const { count } = this.sum;
    if (done === 0) {
      this.nextGradient.fill(0);
      this.nextValue = 0;
    }
    const end = Math.min(count, done + this.plan.gradientBlock);
    this.nextValue += this.full.add(done, end, at, this.nextGradient);
    this.evaluations += end - done;
    this.done = end === count ? 0 : end;
    return end === count;
  }

  private advanceInner(B: number): boolean {
    const { x, spare, random } = this;
    const { batchSize, iterations, innerBlock } = this.plan;
    const words = random.save();
    spare.set(x);
    const batches = Math.min(iterations - this.done, innerBlock);
    try {
      this.inner.run(batches, x, { x: this.snapshot, gradient: this.gradient }, B / iterations, random);
    } catch (error) {
      x.set(spare);
      random.restore(words);
      throw error;
    }
    this.evaluations += 2 * batchSize * batches;
    this.done += batches;
    if (this.done < iterations) return false;
    this.done = 0;
    this.stage = "gradient";
    return true;
  }

  /** ΔX and ΔG from the snapshot to X, once the gradient there is complete. */
  secant(): Secant {
    return secant(this.x, this.nextGradient, this.snapshot, this.gradient);
  }

  /** X becomes the snapshot, and an inner loop begins there. */
  accept(): void {
    this.snapshot.set(this.x);
    [this.gradient, this.nextGradient] = [this.nextGradient, this.gradient];
    if (this.bestValue === undefined || this.nextValue < this.bestValue) {
      this.bestValue = this.nextValue;
      this.bestX.set(this.x);
    }
    this.stage = "inner";
  }

  /** The inner loop begins anew at the snapshot. */
  goBack(): void {
    this.x.set(this.snapshot);
    this.stage = "inner";
  }

  /** The best snapshot becomes the snapshot again, and its gradient, which nobody has kept, is the next stage. */
  goBackToBest(): void {
    this.x.set(this.bestX);
    this.snapshot.set(this.bestX);
    this.stage = "gradient";
  }

  /** t */
  probeLength(): number {
    return (PROBE * (norm2(this.snapshot) || 1)) / norm2(this.gradient);
  }

  private placeProbe(): void {
    const { spare, snapshot, gradient } = this;
    const t = this.probeLength();
    for (let i = 0; i < spare.length; i++) spare[i] = snapshot[i] - t * gradient[i];
  }

  save(): { readonly [key: string]: SnapshotValue } {
    return {
      stage: names.indexOf(this.stage),
      done: this.done,
      x: this.x.slice(),
      snapshot: this.snapshot.slice(),
      gradient: this.gradient.slice(),
      nextGradient: this.nextGradient.slice(),
      nextValue: this.nextValue,
      bestX: this.bestX.slice(),
      bestValue: this.bestValue ?? null,
      evaluations: this.evaluations,
      random: this.random.save(),
    };
  }

  /** Reads what `save` wrote; takes it when the function returned is called. */
  reader(state: SnapshotReader): () => void {
    const { length } = this.x;
    const stage = names[state.integer("stage", 0, names.length - 1)];
    const done = state.integer("done", 0, Math.max(this.sum.count, this.plan.iterations) - 1);
    const x = state.float64("x", length);
    const snapshot = state.float64("snapshot", length);
    const gradient = state.float64("gradient", length);
    const nextGradient = state.float64("nextGradient", length);
    const nextValue = state.number("nextValue");
    const bestX = state.float64("bestX", length);
    const bestValue = state.optionalNumber("bestValue");
    const evaluations = state.integer("evaluations");
    const random = state.uint32("random", 4);
    return () => {
      this.random.restore(random);
      this.stage = stage;
      this.done = done;
      this.x.set(x);
      this.snapshot.set(snapshot);
      this.gradient.set(gradient);
      this.nextGradient.set(nextGradient);
      this.nextValue = nextValue;
      this.bestX.set(bestX);
      this.bestValue = bestValue;
      this.evaluations = evaluations;
    };
  }
}
