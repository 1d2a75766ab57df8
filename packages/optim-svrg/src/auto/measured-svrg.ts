/**
 * SVRG on an ordinal objective with steps that follow the measured curvature, and need no ε.
 *
 *   after every epoch, from the last two snapshots:
 *     cv = |⟨ΔX, ΔG⟩| / ⟨ΔX, ΔX⟩,   L ← max(0.7 L, cv)
 *     B = 1/(cv + 0.05 L),   B ← min(√(B B₋), 3 B₋),   B₋ the last one
 *     r = ½ if F rose by more than 0.1 %, else min(1, 1.5 r);   B ← r B
 *   N iterations with one answer each and the step B/N
 *
 *   first:  1/L the curvature along the gradient, by a probe as in `Svrg`;  B = min(1/L, ‖X‖/(2 ‖g‖))
 *   end:    F has fallen by less than 0.1 % in 5 epochs, or 30 epochs are over; the snapshot of least F is the result
 *   a loop that ends in numbers that are not finite goes back to that, with r = 0.1; to measure it anew is no epoch, and
 *   is not told as a snapshot: neither F nor X has changed, and yet nothing has settled
 *
 * | symbol | variable  | meaning                                              |
 * |--------|-----------|------------------------------------------------------|
 * | L      | curvature | the largest curvature seen, slowly forgotten         |
 * | B      | step      | what an epoch moves is about B g                     |
 * | r      | trust     |                                                      |
 *
 * Where the stabilised step of Ma et al. takes ε from the user (or from a table by loss), 0.05 L stands in its place.
 * The numbers were found by measurement. A step is one block of answers (`EpochStages`).
 */
import { dot, norm2 } from "@curvature/linalg";
import type { ComparisonSum } from "@curvature/objectives/ordinal";
import {
  type Iteration,
  type Outcome,
  openSnapshot,
  type Point,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import { EpochStages } from "../epoch-stages.js";
import { ComparisonInnerLoop } from "../inner/comparisons.js";
import { secant } from "../step-size/secant.js";

const VERSION = 3;
const BLOCK = 8192;
const MOST_EPOCHS = 30;
const MOST_FAILURES = 5;

export class MeasuredSvrg implements Solver {
  readonly name = "measured-svrg";
  readonly dimension: number;
  readonly fingerprint: string;
  private readonly N: number;
  private readonly stages: EpochStages;
  /** F at the snapshots so far, and how many they are: their trend ends it. */
  private readonly values = new Float64Array(MOST_EPOCHS + 1);
  private measured = 0;
  private B = 0;
  private curvature = 0;
  private trust = 1;
  private failures = 0;
  /** Whether the gradient under way is that of the best snapshot, to which a failure went back. */
  private isBack = false;
  private index = 0;
  private outcome: Outcome | undefined;

  constructor(sum: ComparisonSum, x: Float64Array, seed: number) {
    this.dimension = sum.dimension;
    this.fingerprint = sum.fingerprint;
    this.N = sum.count;
    this.stages = new EpochStages(sum, new ComparisonInnerLoop(sum, 1), x, {
      batchSize: 1,
      iterations: sum.count,
      gradientBlock: BLOCK,
      innerBlock: BLOCK / 2,
      seed,
    });
  }

  get best(): Point {
    return { x: this.stages.bestX, value: this.stages.bestValue };
  }

  get last(): Point {
    return { x: this.stages.x, value: undefined };
  }

  step(): Iteration {
    if (this.outcome !== undefined) return this.iteration("snapshot");
    const phase = this.advance();
    this.index++;
    return this.iteration(phase);
  }

  private advance(): string {
    const { stage } = this.stages;
    const isOver = this.stages.advance(this.B);
    if (!isOver) return stage === "gradient" ? "full gradient" : stage;
    switch (stage) {
      case "gradient":
        return this.finishGradient() ? "snapshot" : "full gradient";
      case "probe":
        this.finishProbe();
        return "probe";
      case "inner":
        if (!Number.isFinite(norm2(this.stages.x))) this.fail();
        return "epoch";
    }
  }

  /** @returns whether there is a new snapshot */
  private finishGradient(): boolean {
    const { stages, values, isBack } = this;
    const { nextValue } = stages;
    const norm = norm2(stages.nextGradient);
    if (!Number.isFinite(nextValue) || !Number.isFinite(norm)) {
      this.fail();
      return false;
    }
    this.isBack = false;
    if (isBack) {
      values[this.measured - 1] = nextValue;
      stages.accept();
      return false;
    }
    values[this.measured++] = nextValue;
    if (this.measured > 1) this.followSecant(nextValue > 1.001 * values[this.measured - 2]);
    stages.accept();
    if (norm === 0) this.outcome = { status: "converged", message: "The gradient is zero." };
    else if (this.B === 0) stages.stage = "probe";
    else this.outcome = this.ending();
    return true;
  }

  private ending(): Outcome | undefined {
    const { values, measured } = this;
    const before = values[measured - 6];
    if (measured > 5 && before - values[measured - 1] < 1e-3 * Math.abs(before))
      return { status: "converged", message: "F fell by less than 0.1 % in 5 epochs." };
    if (measured > MOST_EPOCHS)
      return {
        status: "max-evaluations",
        message: `The schedule of ${MOST_EPOCHS} epochs has come to its end.`,
      };
    return undefined;
  }

  private finishProbe(): void {
    const { gradient, nextGradient, spare, snapshot } = this.stages;
    const { dXdX, dXdG } = secant(spare, nextGradient, snapshot, gradient);
    const size = (norm2(snapshot) || 1) / (2 * Math.sqrt(dot(gradient, gradient)));
    const curvature = Math.abs(dXdG) / dXdX;
    const isKnown = curvature > 0 && Number.isFinite(curvature);
    this.curvature = isKnown ? curvature : 1 / size;
    this.B = isKnown ? Math.min(1 / curvature, size) : size;
  }

  /** B from the secant between the last snapshot and X, which is about to become the next one. */
  private followSecant(hasRisen: boolean): void {
    const { B } = this;
    const { dXdX, dXdG } = this.stages.secant();
    this.trust = hasRisen ? 0.5 : Math.min(1, 1.5 * this.trust);
    if (!(dXdX > 0)) return;
    const cv = Math.abs(dXdG) / dXdX;
    this.curvature = Math.max(0.7 * this.curvature, cv);
    const next = 1 / (cv + 0.05 * this.curvature);
    if (Number.isFinite(next) && next > 0) this.B = this.trust * Math.min(Math.sqrt(next * B), 3 * B);
  }

  /** Back to the best snapshot, with a tenth of the step. */
  private fail(): void {
    const { stages } = this;
    this.failures++;
    if (stages.bestValue === undefined || this.failures === MOST_FAILURES) {
      this.outcome = { status: "diverged", message: "F was not finite, and smaller steps did not help." };
      return;
    }
    stages.goBackToBest();
    this.isBack = true;
    this.trust = 0.1;
    this.B *= 0.1;
  }

  private iteration(phase: string): Iteration {
    const isMeasured = phase === "snapshot";
    const { evaluations, gradient } = this.stages;
    return {
      index: this.index,
      value: isMeasured && this.measured > 0 ? this.values[this.measured - 1] : undefined,
      gradientNorm: isMeasured ? norm2(gradient) : undefined,
      stepLength: this.B === 0 ? undefined : this.B,
      evaluations,
      gradientEvaluations: evaluations,
      monitoringEvaluations: 0,
      passes: evaluations / this.N,
      phase,
      details: undefined,
      outcome: this.outcome,
    };
  }

  save(): Snapshot {
    return {
      solver: this.name,
      version: VERSION,
      state: {
        stages: this.stages.save(),
        values: this.values.slice(),
        measured: this.measured,
        step: this.B,
        curvature: this.curvature,
        trust: this.trust,
        failures: this.failures,
        isBack: this.isBack,
        index: this.index,
        outcome: this.outcome === undefined ? null : { ...this.outcome },
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, VERSION);
    const takeStages = this.stages.reader(state.object("stages"));
    const values = state.float64("values", MOST_EPOCHS + 1);
    const measured = state.integer("measured", 0, MOST_EPOCHS + 1);
    const B = state.number("step");
    const curvature = state.number("curvature");
    const trust = state.number("trust");
    const failures = state.integer("failures");
    const isBack = state.flag("isBack");
    const index = state.integer("index");
    const outcome = state.outcome("outcome");
    takeStages();
    this.values.set(values);
    this.measured = measured;
    this.B = B;
    this.curvature = curvature;
    this.trust = trust;
    this.failures = failures;
    this.isBack = isBack;
    this.index = index;
    this.outcome = outcome;
  }
}
