/**
 * The course of a run: what an answer leads to. A good one renews its model, and a step follows; a step that failed is
 * mended first; a run that diverged goes through a sweep over all subfunctions at its best point, and so does one that
 * seems to have converged where subfunctions are chosen at random.
 */
import { CurvatureError, type RandomGenerator, squaredDistance } from "@curvature/linalg";
import type { Outcome, SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import { ConvergenceWatch } from "./convergence-watch.js";
import { DivergenceWatch } from "./divergence-watch.js";
import { type Ended, ended } from "./ended.js";
import { hasFailed } from "./failure.js";
import { MeasuredPoint } from "./measured-point.js";
import { type Mended, Mending } from "./mending.js";
import type { SfoSettings } from "./options.js";
import { converged, diverged, notFinite, stalled } from "./outcomes.js";
import type { Answer, Questions } from "./questions.js";
import { Restarts } from "./restarts.js";
import type { Schedule } from "./schedule.js";
import { SCALE_FLOOR } from "./step-control.js";
import { Sweep, type SweepPhase } from "./sweep.js";
import { Workings } from "./workings.js";

export class Course {
  readonly workings: Workings;
  mending: Mending | undefined;
  sweep: Sweep | undefined;
  /** Counts resets of x. */
  epoch = 0;
  outcome: Outcome | undefined;
  /** The best point at which F was measured, as far as the solver knows. */
  readonly measured = new MeasuredPoint();
  readonly restarts: Restarts;
  private readonly watch: DivergenceWatch;
  private readonly convergence: ConvergenceWatch;

  /** @param random - undefined where nothing is at random */
  constructor(
    x: Float64Array,
    count: number,
    private readonly questions: Questions,
    private readonly settings: SfoSettings,
    private readonly schedule: Schedule,
    private readonly random: RandomGenerator | undefined,
  ) {
    this.restarts = new Restarts(x, settings.maxRestarts);
    this.workings = new Workings(x, count, settings, schedule);
    this.watch = new DivergenceWatch(x, count);
    this.convergence = new ConvergenceWatch(this.workings, settings.tolerance);
  }

  /** A subfunction has changed: a minimum that was found, or measured, is none any more. */
  reopen(): void {
    if (this.outcome?.status === "converged") this.outcome = undefined;
    this.convergence.forget();
    this.measured.forget();
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
    workings.control.length = isBack ? 0 : Math.sqrt(squaredDistance(point, pointBefore));
    if (evaluations.length > 0) workings.learn(index, evaluations);
    else if (!workings.models.some(({ isSeen }) => isSeen)) {
      this.outcome = notFinite(index);
      return ended([index], true);
    }
    control.scale = Math.max(control.scale, SCALE_FLOOR);
    return this.advance([index], true, evaluations.length === 0);
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
    if (isLost) this.convergence.disturb();
    return ended(subfunctions, isMended);
  }

  private step(isMended: boolean): void {
    const { workings } = this;
    try {
      workings.step();
      workings.grow(isMended, this.random, Math.max(this.settings.batch, this.questions.count + 1));
    } catch (error) {
      if (!(error instanceof CurvatureError)) throw error;
      const isBeyondRange = error.code === "ERR_NON_FINITE";
      this.restart(
        isBeyondRange
          ? "the model's step leaves the range of float64"
          : "the model's Hessian is not positive definite",
      );
    }
  }

  private hasConverged(estimate: number | undefined): boolean {
    const { workings, settings, schedule, convergence } = this;
    if (estimate === undefined || !schedule.isWatched) return false;
    const { left, isLost } = convergence.see(estimate);
    if (isLost && this.returnToNearest()) return true;
    if (!convergence.isCalm) return false;
    // Steps in a row visit every subfunction, unless they go at random: then some model may be of long ago.
    if (settings.selection === "random" && !settings.deterministic)
      this.sweepAt(workings.x.slice(), "verification");
    else this.outcome = converged(left, settings.tolerance, `for ${workings.models.length} steps in a row`);
    return true;
  }

  /** All models are of this point now, and their gradients' sum is F's. */
  private verify(F: number): void {
    const { workings, convergence, settings } = this;
    workings.rebuild();
    const { left, verdict } = convergence.verify(F);
    if (verdict === "converged")
      this.outcome = converged(left, settings.tolerance, "with every subfunction evaluated at one point");
    else if (verdict === "stalled") this.outcome = stalled;
    else this.step(false);
  }

  /** Every subfunction is evaluated at the point nearest to a minimum. @returns whether there is one */
  private returnToNearest(): boolean {
    const point = this.convergence.takeNearest();
    if (point !== undefined) this.sweepAt(point, "verification");
    return point !== undefined;
  }

  private restart(reason: string): void {
    const { workings, watch, restarts } = this;
    if (restarts.areSpent && this.convergence.wasVerified) {
      this.outcome = stalled;
      return;
    }
    if (this.returnToNearest()) {
      watch.restart();
      restarts.take();
      return;
    }
    if (restarts.areSpent) {
      this.outcome = diverged(restarts.count, reason);
      return;
    }
    workings.control.restart(restarts.firstLength(workings.x, workings.models.length));
    restarts.take();
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
      if (Number.isFinite(f))
        workings.learn(pending.index, [{ point: workings.position.pointNow(), f, gradient }]);
      sweep.sum += f;
      sweep.done++;
    }
    if (sweep.done < workings.models.length) return undefined;
    const { point, sum, phase } = sweep;
    this.sweep = undefined;
    this.measured.offer(point, sum);
    if (phase === "verification") this.verify(sum);
    else this.goOnFrom(point, sum);
    const value = Number.isFinite(sum) ? sum : undefined;
    return { subfunctions: [], hasFailed: false, phase, value };
  }

  /** After a restart's sweep: from the start, if even the best point known was worse. */
  private goOnFrom(point: Float64Array, sum: number): void {
    const { workings } = this;
    const first = workings.sumOf(({ firstF }) => firstF) ?? Number.POSITIVE_INFINITY;
    if (!(sum <= first) && !this.restarts.isStart(point))
      this.sweepAt(this.restarts.start.slice(), "restart");
    else this.step(false);
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { outcome } = this;
    return {
      workings: this.workings.save(),
      watch: this.watch.save(),
      mending: this.mending?.save() ?? null,
      sweep: this.sweep?.save() ?? null,
      ...this.restarts.save(),
      outcome: outcome === undefined ? null : { ...outcome },
      measured: this.measured.save(),
      ...this.convergence.save(),
    };
  }

  /** Reads and checks; the returned function takes it over. @throws CurvatureError ERR_SNAPSHOT */
  open(state: SnapshotReader): () => void {
    const { workings, watch, convergence } = this;
    const dimension = workings.x.length;
    const count = workings.models.length;
    const restoreWorkings = workings.open(state.object("workings"));
    const restoreWatch = watch.open(state.object("watch"));
    const restoreConvergence = convergence.open(state);
    const mending = state.has("mending")
      ? Mending.from(state.object("mending"), dimension, count)
      : undefined;
    const sweep = state.has("sweep") ? Sweep.from(state.object("sweep"), dimension, count) : undefined;
    const restoreRestarts = this.restarts.open(state);
    const outcome = state.outcome("outcome");
    const restoreMeasured = this.measured.open(state, "measured", dimension);
    return () => {
      restoreWorkings();
      restoreWatch();
      restoreConvergence();
      this.mending = mending;
      this.sweep = sweep;
      restoreRestarts();
      this.outcome = outcome;
      restoreMeasured();
      this.epoch++;
    };
  }
}
