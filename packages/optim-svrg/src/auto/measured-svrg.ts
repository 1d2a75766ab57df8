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
 *   a loop that ends in numbers that are not finite goes back to that, with r = 0.1
 *
 * | symbol | variable  | meaning                                              |
 * |--------|-----------|------------------------------------------------------|
 * | L      | curvature | the largest curvature seen, slowly forgotten         |
 * | B      | step      | what an epoch moves is about B g                     |
 * | r      | trust     |                                                      |
 *
 * Where the stabilised step of Ma et al. takes ε from the user (or from a table by loss), 0.05 L stands in its place.
 * The numbers were found by measurement. A step is one block of answers.
 */
import { dot, norm2, RandomGenerator } from "@curvature/linalg";
import type { ComparisonSum } from "@curvature/objectives/ordinal";
import {
  type Iteration,
  type Outcome,
  openSnapshot,
  type Point,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import { FullGradient } from "../full-gradient.js";
import { ComparisonInnerLoop } from "../inner/comparisons.js";
import { secant } from "../step-size/secant.js";

const VERSION = 1;
const BLOCK = 8192;
const MOST_EPOCHS = 30;
const MOST_FAILURES = 5;
const PROBE = 1e-3;

type Stage = "gradient" | "probe" | "inner";
const stages: readonly Stage[] = ["gradient", "probe", "inner"];

export class MeasuredSvrg implements Solver {
  readonly name = "measured-svrg";
  readonly dimension: number;
  readonly fingerprint: string;
  private readonly full: FullGradient;
  private readonly inner: ComparisonInnerLoop;
  private readonly random: RandomGenerator;
  private stage: Stage = "gradient";
  private done = 0;
  private readonly x: Float64Array;
  private readonly snapshot: Float64Array;
  private gradient: Float64Array;
  private nextGradient: Float64Array;
  private nextValue = 0;
  private readonly probe: Float64Array;
  private readonly bestX: Float64Array;
  private bestValue: number | undefined;
  /** F at the snapshots so far, and how many they are: their trend ends it. */
  private readonly values = new Float64Array(MOST_EPOCHS + 1);
  private measured = 0;
  private B = 0;
  private curvature = 0;
  private trust = 1;
  private failures = 0;
  private index = 0;
  private evaluations = 0;
  private outcome: Outcome | undefined;

  constructor(
    private readonly sum: ComparisonSum,
    x: Float64Array,
    seed: number,
  ) {
    this.dimension = sum.dimension;
    this.fingerprint = sum.fingerprint;
    this.full = new FullGradient(sum);
    this.inner = new ComparisonInnerLoop(sum, 1);
    this.random = new RandomGenerator(seed);
    this.x = x.slice();
    this.snapshot = x.slice();
    this.bestX = x.slice();
    this.probe = new Float64Array(sum.dimension);
    this.gradient = new Float64Array(sum.dimension);
    this.nextGradient = new Float64Array(sum.dimension);
  }

  get best(): Point {
    return { x: this.bestX, value: this.bestValue };
  }

  get last(): Point {
    return { x: this.x, value: undefined };
  }

  step(): Iteration {
    if (this.outcome !== undefined) return this.iteration("snapshot");
    const phase = this.advance();
    this.index++;
    return this.iteration(phase);
  }

  private advance(): string {
    const { stage } = this;
    if (stage === "inner") return this.advanceInner();
    if (!this.advanceGradient(stage === "probe" ? this.probe : this.x)) return "full gradient";
    this.done = 0;
    if (stage === "probe") this.finishProbe();
    else this.finishGradient();
    return stage === "probe" ? "probe" : "snapshot";
  }

  /** @returns whether the gradient is complete */
  private advanceGradient(at: Float64Array): boolean {
    const { sum, done } = this;
    if (done === 0) {
      this.nextGradient.fill(0);
      this.nextValue = 0;
    }
    const end = Math.min(sum.count, done + BLOCK);
    this.nextValue += this.full.add(done, end, at, this.nextGradient);
    this.evaluations += end - done;
    this.done = end;
    return end === sum.count;
  }

  private finishGradient(): void {
    const { nextGradient, nextValue, values } = this;
    const norm = norm2(nextGradient);
    if (!Number.isFinite(nextValue) || !Number.isFinite(norm)) {
      this.fail();
      return;
    }
    values[this.measured++] = nextValue;
    if (this.measured > 1) this.followSecant(nextValue > 1.001 * values[this.measured - 2]);
    this.snapshot.set(this.x);
    [this.gradient, this.nextGradient] = [this.nextGradient, this.gradient];
    if (this.bestValue === undefined || nextValue < this.bestValue) {
      this.bestValue = nextValue;
      this.bestX.set(this.x);
    }
    this.stage = "inner";
    if (norm === 0) this.outcome = { status: "converged", message: "The gradient is zero." };
    else if (this.B === 0) this.beginProbe(norm);
    else this.outcome = this.ending();
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

  private beginProbe(norm: number): void {
    const { probe, snapshot, gradient } = this;
    const t = (PROBE * (norm2(snapshot) || 1)) / norm;
    for (let k = 0; k < probe.length; k++) probe[k] = snapshot[k] - t * gradient[k];
    this.stage = "probe";
  }

  private finishProbe(): void {
    const { gradient, nextGradient, probe, snapshot } = this;
    const { dXdX, dXdG } = secant(probe, nextGradient, snapshot, gradient);
    const size = (norm2(snapshot) || 1) / (2 * Math.sqrt(dot(gradient, gradient)));
    const curvature = Math.abs(dXdG) / dXdX;
    const isKnown = curvature > 0 && Number.isFinite(curvature);
    this.curvature = isKnown ? curvature : 1 / size;
    this.B = isKnown ? Math.min(1 / curvature, size) : size;
    this.stage = "inner";
  }

  /** B from the secant between the last snapshot and the new one, which is still in `x` and `nextGradient`. */
  private followSecant(hasRisen: boolean): void {
    const { x, snapshot, gradient, nextGradient, B } = this;
    const { dXdX, dXdG } = secant(x, nextGradient, snapshot, gradient);
    this.trust = hasRisen ? 0.5 : Math.min(1, 1.5 * this.trust);
    if (!(dXdX > 0)) return;
    const cv = Math.abs(dXdG) / dXdX;
    this.curvature = Math.max(0.7 * this.curvature, cv);
    const next = 1 / (cv + 0.05 * this.curvature);
    if (Number.isFinite(next) && next > 0) this.B = this.trust * Math.min(Math.sqrt(next * B), 3 * B);
  }

  private advanceInner(): string {
    const { sum, x, random } = this;
    const count = Math.min(sum.count - this.done, BLOCK / 2);
    this.inner.run(count, x, { x: this.snapshot, gradient: this.gradient }, this.B / sum.count, random);
    this.evaluations += 2 * count;
    this.done += count;
    if (this.done < sum.count) return "inner";
    this.done = 0;
    if (Number.isFinite(norm2(x))) this.stage = "gradient";
    else this.fail();
    return "epoch";
  }

  /** Back to the best snapshot, whose gradient is taken again, with a tenth of the step. */
  private fail(): void {
    this.done = 0;
    this.failures++;
    if (this.bestValue === undefined || this.failures === MOST_FAILURES) {
      this.outcome = { status: "diverged", message: "F was not finite, and smaller steps did not help." };
      return;
    }
    this.x.set(this.bestX);
    this.snapshot.set(this.bestX);
    this.trust = 0.1;
    this.B *= 0.1;
    this.stage = "gradient";
  }

  private iteration(phase: string): Iteration {
    const isMeasured = phase === "snapshot";
    return {
      index: this.index,
      value: isMeasured && this.measured > 0 ? this.values[this.measured - 1] : undefined,
      gradientNorm: isMeasured ? norm2(this.gradient) : undefined,
      stepLength: this.B === 0 ? undefined : this.B,
      evaluations: this.evaluations,
      gradientEvaluations: this.evaluations,
      monitoringEvaluations: 0,
      passes: this.evaluations / this.sum.count,
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
        stage: stages.indexOf(this.stage),
        done: this.done,
        x: this.x.slice(),
        snapshot: this.snapshot.slice(),
        gradient: this.gradient.slice(),
        nextGradient: this.nextGradient.slice(),
        nextValue: this.nextValue,
        probe: this.probe.slice(),
        bestX: this.bestX.slice(),
        bestValue: this.bestValue ?? null,
        values: this.values.slice(),
        measured: this.measured,
        step: this.B,
        curvature: this.curvature,
        trust: this.trust,
        failures: this.failures,
        index: this.index,
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
    const done = state.integer("done", 0, this.sum.count);
    const arrays = (["x", "snapshot", "gradient", "nextGradient", "probe", "bestX"] as const).map((key) =>
      state.float64(key, dimension),
    );
    const numbers = (["nextValue", "step", "curvature", "trust"] as const).map((key) => state.number(key));
    const counts = (["failures", "index", "evaluations"] as const).map((key) => state.integer(key));
    const bestValue = state.optionalNumber("bestValue");
    const values = state.float64("values", MOST_EPOCHS + 1);
    const measured = state.integer("measured", 0, MOST_EPOCHS + 1);
    const outcome = state.outcome("outcome");
    this.random.restore(state.uint32("random", 4));
    this.stage = stage;
    this.done = done;
    const own = [this.x, this.snapshot, this.gradient, this.nextGradient, this.probe, this.bestX];
    for (const [k, array] of own.entries()) array.set(arrays[k]);
    [this.nextValue, this.B, this.curvature, this.trust] = numbers;
    [this.failures, this.index, this.evaluations] = counts;
    this.bestValue = bestValue;
    this.values.set(values);
    this.measured = measured;
    this.outcome = outcome;
  }
}
