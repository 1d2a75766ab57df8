/**
 * B, the length of an epoch of SVRG in units of the gradient, and what becomes of epochs that end badly.
 *
 * `BarzilaiBorwein` has the rules of the paper, from the secant between the last two snapshots, ΔX = Xˢ − Xˢ⁻¹ and
 * ΔG = ∇F(Xˢ) − ∇F(Xˢ⁻¹):
 *
 *   "bb"      B = ⟨ΔX, ΔX⟩ / ⟨ΔX, ΔG⟩                                                          eq. (10)
 *   "sbb"     B = ⟨ΔX, ΔX⟩ / (|⟨ΔX, ΔG⟩| + ε ⟨ΔX, ΔX⟩),  at most 1/ε;  ε = 0 is SBB₀            eq. (14); (17) is B/m
 *   "fixed"   the first B throughout
 *
 * The first is negative, and steps uphill, where F is concave between the two: that is why it is stabilised.
 *
 * `Measured` needs no ε. After every epoch, from the last two snapshots:
 *
 *   cv = |⟨ΔX, ΔG⟩| / ⟨ΔX, ΔX⟩,   L ← max(0.7 L, cv)
 *   B = 1/(cv + 0.05 L),   B ← min(√(B B₋), 3 B₋),   B₋ the last one
 *   r = ½ if F rose by more than 0.1 %, else min(1, 1.5 r);   B ← r B
 *
 * | symbol | field     | meaning                                              |
 * |--------|-----------|------------------------------------------------------|
 * | B      | B         | 0 before the first step is known                     |
 * | ε      | epsilon   | the unit of F's curvature                            |
 * | L      | curvature | the largest curvature seen, slowly forgotten         |
 * | r      | trust     |                                                      |
 *
 * Ma et al. (2019), section 3; Barzilai, Borwein: Two-point step size gradient methods. IMA J. Numer. Anal. 8 (1988)
 * 141-148. The measured rule is not theirs: 0.05 L stands where their ε does, and its numbers were found by measurement.
 *
 * Neither is the recovery. By the rules of the paper X̃ never leaves the level set {F ≤ F(X₀)}: where F turns from
 * concave to convex the secant's curvature passes through 0, and B, which then is as long as 1/ε, can throw X so far
 * that short steps do not come back. An epoch that ends above F(X₀) is made again from its snapshot with "sbb" of the
 * secant to where it ended, but B/10 at least and B/2 at most; ten in a row end the run. One that ends in numbers that
 * are not finite is made again with B/10; three in a row end it. By the measured rule such an epoch goes back to the
 * snapshot of least F, with r = 0.1.
 */
import {
  dot,
  integerFrom,
  nonNegative,
  norm2,
  oneOf,
  optionTable,
  positive,
  type SettingsOf,
} from "@curvature/linalg";
import type { Outcome } from "@curvature/optim-core";
import { float64, maybe, number, type Stateful, stateOf, whole } from "@curvature/optim-core/state";

export const stepOptions = optionTable({
  /**
   * How the step of an epoch follows from the last two snapshots: "sbb" stabilised Barzilai-Borwein, "bb" the same
   * without ε, "fixed" the first step throughout; "measured" follows the curvature without an ε, and ends by itself,
   * when F has fallen by less than 0.1 % in 5 epochs or after 30.
   */
  stepRule: oneOf("sbb", "bb", "fixed", "measured").default("sbb"),
  /**
   * ε of "sbb", in the unit of F's curvature; steps are at most 1/ε. 0 is SBB₀. Left out: a twentieth of the curvature 1/B of
   * the first step, or `usualEpsilon`.
   */
  epsilon: nonNegative,
  /**
   * ε of a kind of problem, where no other is given: this, but no more than the curvature 1/B of the first step, so that a
   * problem of another scale gets at least half of the step that its curvature allows.
   */
  usualEpsilon: positive,
  /**
   * B of the first epoch, the length of an epoch in units of the gradient (m η in the paper's symbols). Left out: from the
   * curvature of F along its gradient at the start, for one more full gradient, and no more than moves X by half its length.
   */
  initialStep: positive,
  /** The most that B may be, but in "measured". Left out: 1/ε, or without an ε 10⁴ times the first B. */
  maxStep: positive,
  /** S: the step forgets its secant after every S epochs (the modules of `modularSvrg`). 0: never. */
  restartEvery: integerFrom(0).default(0),
});

/** What the gradient does between two points: ⟨ΔX, ΔX⟩ and ⟨ΔX, ΔG⟩. */
export interface Secant {
  readonly dXdX: number;
  readonly dXdG: number;
}

/** X₀ with g = ∇F(X₀), and X₀ − t g with its gradient. */
export interface Probe {
  readonly t: number;
  readonly from: Float64Array;
  readonly fromGradient: Float64Array;
  readonly to: Float64Array;
  readonly toGradient: Float64Array;
}

/** The most that the first epoch moves, relative to X₀. */
const FIRST_MOVE = 0.5;

/** @param to, toGradient - where it leads, and the gradient there; the other two where it begins */
export function secantBetween(
  from: Float64Array,
  fromGradient: Float64Array,
  to: Float64Array,
  toGradient: Float64Array,
): Secant {
  let dXdX = 0;
  let dXdG = 0;
  for (let i = 0; i < to.length; i++) {
    const dX = to[i] - from[i];
    dXdX += dX * dX;
    dXdG += dX * (toGradient[i] - fromGradient[i]);
  }
  return { dXdX, dXdG };
}

export interface StepController extends Stateful {
  readonly B: number;
  /** ε as used; undefined before the first step is known, and where there is none. */
  readonly epsilon: number | undefined;
  /** Epochs that were made again, and have not been followed by a good one. */
  readonly failures: number;
  /** Whether a failed epoch goes back to the snapshot of least F; else to its own snapshot. */
  readonly goesBackToBest: boolean;
  /** The first B, as the user has it. */
  begin(B: number): void;
  /** The first B, from the curvature along the gradient at the start. */
  beginFrom(probe: Probe): void;
  /** Whether F is too high where an epoch has ended. */
  isTooHigh(value: number): boolean;
  /**
   * X becomes a snapshot.
   *
   * @param epoch - epochs so far
   * @param secant - from the last snapshot; undefined for the first
   */
  follow(value: number, epoch: number, secant: Secant | undefined): void;
  /** How the run ends after a snapshot, if it does. */
  ending(): Outcome | undefined;
  /** An epoch has ended too high. @param secant - from its snapshot to its end */
  shorten(secant: Secant): Outcome | undefined;
  /** An epoch has ended in numbers that are not finite. @param bestValue - F at the best snapshot, if there is one */
  fail(bestValue: number | undefined): Outcome | undefined;
}

/** ε relative to the curvature of the first step, and the most of B relative to the first without an ε. */
const DEFAULT_EPSILON = 0.05;
const GROWTH_WITHOUT_EPSILON = 1e4;
const MAX_FAILURES = 3;
const MAX_RISES = 10;

export class BarzilaiBorwein implements StepController {
  readonly goesBackToBest = false;
  readonly state = stateOf({
    B: number(0),
    epsilon: maybe(number()),
    maxStep: number(Number.POSITIVE_INFINITY),
    /** F(X₀) */
    firstValue: maybe(number()),
    failures: whole(),
    rises: whole(),
  });

  constructor(private readonly options: SettingsOf<typeof stepOptions>) {}

  get B(): number {
    return this.state.B;
  }

  get epsilon(): number | undefined {
    return this.state.epsilon;
  }

  get failures(): number {
    return this.state.failures + this.state.rises;
  }

  begin(B: number): void {
    const { usualEpsilon, maxStep } = this.options;
    const usual = usualEpsilon === undefined ? DEFAULT_EPSILON / B : Math.min(usualEpsilon, 1 / B);
    const { epsilon = usual } = this.options;
    this.state.epsilon = epsilon;
    this.state.maxStep = maxStep ?? (epsilon > 0 ? 1 / epsilon : GROWTH_WITHOUT_EPSILON * B);
    this.state.B = this.limited(B);
  }

  /**
   * B = 1/cv, cv = |⟨ΔX, ΔG⟩| / ⟨ΔX, ΔX⟩, ΔX = −t g, but no more than moves X by half its length. Where F is straight
   * along g, or not to be evaluated there, B is t: as far as the probe, which is short.
   */
  beginFrom({ t, from, fromGradient: g, toGradient }: Probe): void {
    let gdG = 0;
    for (let i = 0; i < g.length; i++) gdG += g[i] * (g[i] - toGradient[i]);
    const curvature = Math.abs(gdG) / (t * dot(g, g));
    const B = curvature > 0 && Number.isFinite(curvature) ? 1 / curvature : t;
    const size = norm2(from);
    this.begin(size > 0 ? Math.min(B, (FIRST_MOVE * size) / norm2(g)) : B);
  }

  isTooHigh(value: number): boolean {
    this.state.firstValue ??= value;
    return value > this.state.firstValue;
  }

  /** A secant without a length or without a finite step keeps B, and so does a new module. */
  follow(_value: number, epoch: number, secant: Secant | undefined): void {
    const { state } = this;
    const { stepRule, restartEvery } = this.options;
    state.failures = 0;
    state.rises = 0;
    const isForgotten = restartEvery > 0 && epoch % restartEvery === 0;
    if (secant === undefined || stepRule === "fixed" || isForgotten || !(secant.dXdX > 0)) return;
    const B = stepRule === "bb" ? secant.dXdX / secant.dXdG : this.stabilized(secant);
    if (Number.isFinite(B) && B !== 0) state.B = this.limited(B);
  }

  ending(): undefined {
    return undefined;
  }

  shorten(secant: Secant): Outcome | undefined {
    const B = Math.abs(this.state.B);
    const next = this.stabilized(secant);
    this.state.B = Number.isFinite(next) ? Math.min(B / 2, Math.max(B / 10, next)) : B / 10;
    this.state.rises++;
    if (this.state.rises !== MAX_RISES) return undefined;
    return {
      status: "stalled",
      message: `${MAX_RISES} epochs in a row, each with a shorter step, ended above the value of the first point.`,
    };
  }

  fail(): Outcome | undefined {
    const { B } = this.state;
    this.state.B *= 0.1;
    this.state.failures++;
    if (this.state.failures !== MAX_FAILURES) return undefined;
    return {
      status: "diverged",
      message: `Three epochs in a row ended in numbers that are not finite, the last with step ${B}. Give a larger epsilon or smaller initialStep.`,
    };
  }

  /** eq. (14) */
  private stabilized({ dXdX, dXdG }: Secant): number {
    return dXdX / (Math.abs(dXdG) + (this.state.epsilon ?? 0) * dXdX);
  }

  private limited(B: number): number {
    return Math.max(-this.state.maxStep, Math.min(this.state.maxStep, B));
  }
}

const MAX_EPOCHS = 30;
const MAX_MEASURED_FAILURES = 5;
/** Epochs in which F must fall by this part of itself. */
const WINDOW = 5;
const SLOW = 1e-3;

export class Measured implements StepController {
  readonly epsilon = undefined;
  readonly goesBackToBest = true;
  readonly state = stateOf({
    B: number(0),
    curvature: number(0),
    trust: number(1),
    failures: whole(),
    /** F at the snapshots so far, and how many they are. */
    values: float64(new Float64Array(MAX_EPOCHS + 1)),
    count: whole(0, { to: MAX_EPOCHS + 1 }),
  });

  get B(): number {
    return this.state.B;
  }

  get failures(): number {
    return this.state.failures;
  }

  begin(B: number): void {
    this.state.curvature = 1 / B;
    this.state.B = B;
  }

  /** 1/L the curvature along the gradient, B = min(1/L, ‖X‖/(2 ‖g‖)). */
  beginFrom({ from, fromGradient, to, toGradient }: Probe): void {
    const { dXdX, dXdG } = secantBetween(from, fromGradient, to, toGradient);
    const size = (norm2(from) || 1) / (2 * Math.sqrt(dot(fromGradient, fromGradient)));
    const curvature = Math.abs(dXdG) / dXdX;
    const isKnown = curvature > 0 && Number.isFinite(curvature);
    this.state.curvature = isKnown ? curvature : 1 / size;
    this.state.B = isKnown ? Math.min(1 / curvature, size) : size;
  }

  isTooHigh(): boolean {
    return false;
  }

  follow(value: number, _epoch: number, secant: Secant | undefined): void {
    const { state } = this;
    const { B, values } = state;
    const hasRisen = state.count > 0 && value > 1.001 * values[state.count - 1];
    values[state.count++] = value;
    if (secant === undefined) return;
    state.trust = hasRisen ? 0.5 : Math.min(1, 1.5 * state.trust);
    if (!(secant.dXdX > 0)) return;
    const cv = Math.abs(secant.dXdG) / secant.dXdX;
    state.curvature = Math.max(0.7 * state.curvature, cv);
    const next = 1 / (cv + 0.05 * state.curvature);
    if (Number.isFinite(next) && next > 0) state.B = state.trust * Math.min(Math.sqrt(next * B), 3 * B);
  }

  ending(): Outcome | undefined {
    const { values, count } = this.state;
    const before = values[count - 1 - WINDOW];
    if (count > WINDOW && before - values[count - 1] < SLOW * Math.abs(before))
      return { status: "converged", message: `F fell by less than 0.1 % in ${WINDOW} epochs.` };
    if (count > MAX_EPOCHS)
      return {
        status: "max-evaluations",
        message: `The schedule of ${MAX_EPOCHS} epochs has come to its end.`,
      };
    return undefined;
  }

  shorten(): undefined {
    return undefined; // nothing is too high
  }

  fail(bestValue: number | undefined): Outcome | undefined {
    const { state } = this;
    state.failures++;
    if (bestValue === undefined || state.failures === MAX_MEASURED_FAILURES)
      return { status: "diverged", message: "F was not finite, and smaller steps did not help." };
    state.values[state.count - 1] = bestValue;
    state.trust = 0.1;
    state.B *= 0.1;
    return undefined;
  }
}
