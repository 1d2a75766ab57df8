/**
 * The course of a run: what an answer leads to. A good one renews its model, and a step follows; a step that failed is
 * mended first; a run that diverged goes through a sweep over all subfunctions at its best point, and so does one that
 * seems to have converged where subfunctions are chosen at random.
 */
import { CurvatureError, norm2, type RandomGenerator, squaredDistance } from "@curvature/linalg";
import type { Outcome, SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import { DivergenceWatch } from "./divergence-watch.js";
import { type Ended, ended } from "./ended.js";
import { hasFailed } from "./failure.js";
import { type Mended, Mending } from "./mending.js";
import type { SfoSettings } from "./options.js";
import type { Answer, Questions } from "./questions.js";
import type { Schedule } from "./schedule.js";
import { SCALE_FLOOR } from "./step-control.js";
import { Sweep, type SweepPhase } from "./sweep.js";
import { Workings } from "./workings.js";

/** Only once the last step's gain is this near to the tolerance is the decrease left looked at. */
const NEARLY = 100;

export class Course {
  readonly workings: Workings;
  mending: Mending | undefined;
  sweep: Sweep | undefined;
  /** Counts resets of x. */
  epoch = 0;
  restarts = 0;
  outcome: Outcome | undefined;
  /** The best point at which F was measured. */
  measured: { readonly x: Float64Array; readonly value: number } | undefined;
  /** Steps in a row without a decrease to speak of. */
  private calm = 0;
  /** The point with the least decrease left, once that is within what can be resolved; to be verified if the run loses it. */
  private nearest: { readonly x: Float64Array; readonly left: number } | undefined;
  /** F at the last such point. */
  private verified: number | undefined;
  private readonly start: Float64Array;
  private readonly watch: DivergenceWatch;
  private readonly questions: Questions;
  private readonly settings: SfoSettings;
  private readonly schedule: Schedule;
  /** Undefined where nothing is at random. */
  private readonly random: RandomGenerator | undefined;

  constructor(
    x: Float64Array,
    count: number,
    questions: Questions,
    settings: SfoSettings,
    schedule: Schedule,
    random: RandomGenerator | undefined,
  ) {
    this.start = x.slice();
    this.workings = new Workings(x, count, settings, schedule);
    this.watch = new DivergenceWatch(x, count);
    this.questions = questions;
    this.settings = settings;
    this.schedule = schedule;
    this.random = random;
  }

  /** A subfunction has changed: a minimum that was found, or measured, is none any more. */
  reopen(): void {
    if (this.outcome?.status === "converged") this.outcome = undefined;
    this.calm = 0;
    this.nearest = undefined;
    this.verified = undefined;
    this.measured = undefined;
  }

  private take({ pending, gradient }: Answer): void {
    const { mending, sweep, questions } = this;
    const points = new Set([pending.point, pending.pointBefore, ...questions.points]);
    if (sweep !== undefined) points.add(sweep.point);
    if (mending !== undefined) points.add(mending.point).add(mending.pointBefore);
    this.workings.take(pending.index, gradient, [...points], mending?.gradients ?? []);
  }

  /** A late answer while a step is mended or a restart is under way: it enters its model, and no step follows. */
  absorb(answer: Answer): undefined {
    this.take(answer);
    const { pending, f, gradient } = answer;
    if (Number.isFinite(f)) this.workings.learn(pending.index, [{ point: pending.point, f, gradient }]);
  }

  stepWith(answers: readonly Answer[]): Ended | undefined {
    const { workings, epoch } = this;
    const { models } = workings;
    let failed: Answer | undefined;
    for (const answer of answers) {
      const { pending, f, gradient } = answer;
      const { index, point, gain } = pending;
      this.take(answer);
      const isFailure =
        failed === undefined &&
        pending.epoch === epoch &&
        hasFailed(models[index], workings.valueAt(index, point), f, gain, models);
      if (isFailure) failed = answer;
      else if (Number.isFinite(f)) workings.learn(index, [{ point, f, gradient }]);
    }
    if (failed !== undefined) {
      const { pending, f, gradient } = failed;
      workings.control.shorten(workings.isSparse);
      this.mending = new Mending({ point: pending.point, f, gradient }, pending.index, pending.pointBefore);
      return undefined;
    }
    workings.control.lengthen(answers.length / models.length);
    return this.advance(
      answers.map(({ pending }) => pending.index),
      false,
    );
  }

  mend(answer: Answer): Ended | undefined {
    const { mending, workings } = this;
    if (mending === undefined) return undefined;
    const { index, point } = mending;
    this.take(answer);
    const { isSeen, f: known } = workings.models[index];
    const mended = mending.take(
      answer.f,
      answer.gradient,
      isSeen ? known : Number.NaN,
      workings.valueAt(index, point),
    );
    if (mended === undefined) return undefined;
    this.mending = undefined;
    return this.goOn(mended, mending);
  }

  private goOn({ evaluations, point, isBack }: Mended, { index, pointBefore }: Mending): Ended {
    const { workings } = this;
    const { control } = workings;
    this.epoch++;
    workings.moveTo(point);
    workings.control.length = isBack ? 0 : distanceBetween(point, pointBefore);
    if (evaluations.length > 0) workings.learn(index, evaluations);
    else if (!workings.models.some(({ isSeen }) => isSeen)) return this.fail(index);
    control.scale = Math.max(control.scale, SCALE_FLOOR);
    return this.advance([index], true, evaluations.length === 0);
  }

  private fail(index: number): Ended {
    this.outcome = {
      status: "diverged",
      message: `At the first point subfunction ${index}, or its gradient, is not finite. Start where all of them are.`,
    };
    return ended([index], true);
  }

  /**
   * The Newton step from where the models stand now, unless the run is at an end or at a restart.
   *
   * @param isLost - whether nothing finite was found, which says nothing of a minimum
   */
  private advance(subfunctions: readonly number[], isMended: boolean, isLost = false): Ended {
    const { workings, watch, schedule } = this;
    const { control } = workings;
    control.distance += control.length;
    const estimate = workings.sumOf(({ f }) => f);
    const first = workings.sumOf(({ firstF }) => firstF);
    const reason = schedule.isWatched
      ? watch.see(estimate, first, workings.x, isMended, control.scale)
      : undefined;
    if (reason !== undefined) this.restart(reason);
    else if (isLost || !this.hasConverged(estimate)) this.step(isMended);
    if (isLost) this.calm = 0;
    return ended(subfunctions, isMended);
  }

  private step(isMended: boolean): void {
    const { workings } = this;
    try {
      workings.step();
      workings.grow(isMended, this.random, Math.max(this.settings.batch, this.questions.count + 1));
    } catch (error) {
      if (!(error instanceof CurvatureError)) throw error;
      this.restart("the model's Hessian is not positive definite");
    }
  }

  /**
   * ½ qᵀH⁻¹q, the decrease that the model has left, is small for N steps in a row. A single step of length 0 says less: the
   * subfunctions seen so far may just have no slope here, or models that are wrong may cancel each other.
   */
  private hasConverged(estimate: number | undefined): boolean {
    const { workings, settings, schedule } = this;
    const { models } = workings;
    if (estimate === undefined || !schedule.isWatched) return false;
    const { resolution } = workings.subspace;
    const bound = settings.tolerance * (1 + Math.abs(estimate));
    const resolved = Math.max(bound, resolution * (1 + Math.abs(estimate)));
    const isNear =
      workings.gain <= Math.max(NEARLY * bound, resolved) &&
      models.every(({ evaluations }) => evaluations >= 2);
    const left = isNear ? this.decreaseLeft() : Number.POSITIVE_INFINITY;
    if (left <= Math.min(resolved, this.nearest?.left ?? resolved))
      this.nearest = { x: workings.x.slice(), left };
    const wasThere = this.nearest !== undefined && this.nearest.left <= bound;
    const isLost = resolution > 0 && wasThere && left > NEARLY * bound;
    this.calm = left <= bound ? this.calm + 1 : 0;
    if (isLost && this.returnToNearest()) return true;
    if (this.calm < models.length) return false;
    // Steps in a row visit every subfunction, unless they go at random: then some model may be of long ago.
    if (settings.selection === "random" && !settings.deterministic)
      this.sweepAt(workings.x.slice(), "verification");
    else this.converge(left, `for ${models.length} steps in a row`);
    return true;
  }

  /** Infinity where rounding has left H without a factor: the next step sees to that. */
  private decreaseLeft(): number {
    try {
      return this.workings.decreaseLeft();
    } catch (error) {
      if (error instanceof CurvatureError) return Number.POSITIVE_INFINITY;
      throw error;
    }
  }

  private converge(left: number, when: string): void {
    this.outcome = {
      status: "converged",
      message: `The model has a decrease of ${left.toPrecision(3)} left, at most ${this.settings.tolerance} of 1 + |F|, ${when}.`,
    };
  }

  /** All models are of this point now, and their gradients' sum is F's. */
  private verify(F: number): void {
    const { workings, settings } = this;
    workings.rebuild();
    const left = Number.isFinite(F) ? this.decreaseLeft() : Number.POSITIVE_INFINITY;
    const bound = settings.tolerance * (1 + Math.abs(F));
    if (left <= bound) {
      this.converge(left, "with every subfunction evaluated at one point");
      return;
    }
    this.calm = 0;
    if (workings.subspace.resolution > 0 && this.verified !== undefined && !(F < this.verified - bound)) {
      this.stall();
      return;
    }
    this.verified = F;
    this.step(false);
  }

  /** Every subfunction is evaluated at the point nearest to a minimum. @returns whether there is one */
  private returnToNearest(): boolean {
    if (this.nearest === undefined) return false;
    this.sweepAt(this.nearest.x, "verification");
    this.nearest = undefined;
    return true;
  }

  private stall(): void {
    this.outcome = {
      status: "stalled",
      message:
        "The run came to a point where the decrease left was within rounding, lost it, and F falls no further. Precision float64 and a batch of 1 resolve more; if F is far from a minimum, look at the gradients with checkGradient.",
    };
  }

  private restart(reason: string): void {
    const { workings, watch, settings } = this;
    const isSpent = this.restarts === settings.maxRestarts;
    if (isSpent && this.verified !== undefined) {
      this.stall();
      return;
    }
    if (this.returnToNearest()) {
      watch.restart();
      if (!isSpent) this.restarts++;
      return;
    }
    if (isSpent) {
      this.outcome = {
        status: "diverged",
        message: `After ${this.restarts} restarts ${reason} again. Look at the gradients with checkGradient, or give a larger initialHessian.`,
      };
      return;
    }
    const far = distanceBetween(workings.x, this.start) / Math.sqrt(workings.models.length);
    const size = norm2(workings.x);
    workings.control.restart((0.3 * far + 1e-3 * Math.max(1, size)) * 0.3 ** this.restarts);
    this.restarts++;
    watch.restart();
    this.sweepAt(watch.point.slice(), "restart");
  }

  private sweepAt(point: Float64Array, phase: SweepPhase): void {
    this.epoch++;
    this.sweep = new Sweep(point, phase);
    this.workings.moveTo(point);
    this.workings.control.length = 0;
  }

  sweepWith(answers: readonly Answer[]): Ended | undefined {
    const { sweep, workings } = this;
    if (sweep === undefined) return undefined;
    for (const answer of answers) {
      const { pending, f, gradient } = answer;
      this.take(answer);
      // x has not moved since the sweep began: its coordinates are z, the same before and after an interruption.
      if (Number.isFinite(f)) workings.learn(pending.index, [{ point: workings.pointNow(), f, gradient }]);
      sweep.sum += f;
      sweep.done++;
    }
    if (sweep.done < workings.models.length) return undefined;
    const { point, sum, phase } = sweep;
    this.sweep = undefined;
    this.measure(point, sum);
    if (phase === "verification") this.verify(sum);
    else this.goOnFrom(point, sum);
    const value = Number.isFinite(sum) ? sum : undefined;
    return { subfunctions: [], hasFailed: false, phase, value };
  }

  /** After a restart's sweep: from the start, if even the best point known was worse. */
  private goOnFrom(point: Float64Array, sum: number): void {
    const { workings } = this;
    const first = workings.sumOf(({ firstF }) => firstF) ?? Number.POSITIVE_INFINITY;
    if (!(sum <= first) && !isSame(point, this.start)) this.sweepAt(this.start.slice(), "restart");
    else this.step(false);
  }

  /** Makes a point at which somebody measured F known to the solver: `best` is the best of these. */
  measure(x: Float64Array, value: number): void {
    if (Number.isFinite(value) && value < (this.measured?.value ?? Number.POSITIVE_INFINITY))
      this.measured = { x: x.slice(), value };
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { measured, outcome, nearest, verified } = this;
    return {
      start: this.start.slice(),
      workings: this.workings.save(),
      watch: this.watch.save(),
      mending: this.mending?.save() ?? null,
      sweep: this.sweep?.save() ?? null,
      restarts: this.restarts,
      calm: this.calm,
      outcome: outcome === undefined ? null : { ...outcome },
      measured: measured === undefined ? null : { x: measured.x.slice(), value: measured.value },
      nearest: nearest === undefined ? null : { x: nearest.x.slice(), left: nearest.left },
      verified: verified ?? null,
    };
  }

  /** Reads and checks; the returned function takes it over. @throws CurvatureError ERR_SNAPSHOT */
  open(state: SnapshotReader): () => void {
    const { workings, watch } = this;
    const dimension = this.start.length;
    const count = workings.models.length;
    const start = state.float64("start", dimension);
    const restoreWorkings = workings.open(state.object("workings"));
    const restoreWatch = watch.open(state.object("watch"));
    const mending = state.has("mending")
      ? Mending.from(state.object("mending"), dimension, count)
      : undefined;
    const sweep = state.has("sweep") ? Sweep.from(state.object("sweep"), dimension, count) : undefined;
    const restarts = state.integer("restarts");
    const calm = state.integer("calm");
    const outcome = state.outcome("outcome");
    const best = state.has("measured") ? state.object("measured") : undefined;
    const measured = best && { x: best.float64("x", dimension).slice(), value: best.number("value") };
    const near = state.has("nearest") ? state.object("nearest") : undefined;
    const nearest = near && { x: near.float64("x", dimension).slice(), left: near.number("left") };
    const verified = state.has("verified") ? state.number("verified") : undefined;
    return () => {
      this.start.set(start);
      restoreWorkings();
      restoreWatch();
      this.mending = mending;
      this.sweep = sweep;
      this.restarts = restarts;
      this.calm = calm;
      this.outcome = outcome;
      this.measured = measured;
      this.nearest = nearest;
      this.verified = verified;
      this.epoch++;
    };
  }
}

function distanceBetween(x: Float64Array, y: Float64Array): number {
  return Math.sqrt(squaredDistance(x, y));
}

function isSame(x: Float64Array, y: Float64Array): boolean {
  return x.every((entry, i) => entry === y[i]);
}
