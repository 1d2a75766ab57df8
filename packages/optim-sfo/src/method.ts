/**
 * The method of the paper: its state, and the moves that a step is made of, choose j, record gⱼ, x ← x − η H⁻¹ ∇G(x). When
 * each of them comes is `sfo.ts`'s; the symbols are explained there.
 */
import { RandomGenerator, sampleWithoutReplacement } from "@curvature/linalg";
import { generator, number, part, parts, stateIn, whole } from "@curvature/optim-core/state";
import type { SfoSettings } from "./options.js";
import { Selection } from "./selection.js";
import { MedianMemory, renewHessian } from "./subfunction-hessian.js";
import { SubfunctionModel } from "./subfunction-model.js";
import {
  collapseSubspace,
  columnsOf,
  FullSpace,
  Position,
  SharedSubspace,
  type Subspace,
} from "./subspace.js";
import { beyondRange, newtonStep, restrictedStep, TotalModel } from "./total-model.js";
import { inner, lengthOf, norm } from "./vectors.js";

/** ‖x‖ over the length of the first steps. */
const FIRST_CURVATURE = 1e3;

/** Beside two vectors of each subfunction a collapse keeps x, the one before it, and up to two gradients in hand. */
const SPARE_DIRECTIONS = 4;

/** fⱼ and its gradient at a point. */
export interface Evaluation {
  readonly point: Float64Array;
  readonly f: number;
  readonly gradient: Float64Array;
}

/** What neither the paper nor its authors' program have; reference traces were made without. */
export interface Safeguards {
  /** Evaluations between two rebuilds of the sums, as a multiple of N; Infinity for none. */
  readonly rebuildEvery: number;
  /** Whether the shortest step is in units of ‖x‖, not of 1. */
  readonly isRelative: boolean;
  /** Whether convergence and divergence are monitored. */
  readonly isMonitored: boolean;
}

export const usualSafeguards: Safeguards = { rebuildEvery: 1, isRelative: true, isMonitored: true };

export class Method {
  readonly models: readonly SubfunctionModel[];
  readonly subspace: Subspace;
  readonly total: TotalModel;
  readonly position: Position;
  readonly control: StepControl;
  readonly selection: Selection;
  readonly random: RandomGenerator;
  readonly median = new MedianMemory();
  /** The decrease of G that the last step was to bring. */
  predictedDecrease = 0;
  /** Evaluations by the method, of all subfunctions. */
  evaluations = 0;
  /** Those since the sums were last added up anew. */
  sinceRebuild = 0;
  readonly state;
  /** The gradient that was taken in last, and its coordinates, as long as these hold. */
  private latest: { readonly gradient: Float64Array; readonly d: Float64Array } | undefined;
  private readonly coordinates: Float64Array;
  private readonly p: Float64Array;

  constructor(
    x: Float64Array,
    count: number,
    private readonly settings: SfoSettings,
    private readonly safeguards: Safeguards,
  ) {
    const M = x.length;
    const kept = Math.min(2 * count + 2, M);
    const capacity = Math.min(Math.max(Math.ceil(1.5 * kept), kept + SPARE_DIRECTIONS + settings.batch), M);
    const isWhole = capacity === M;
    this.subspace = isWhole ? new FullSpace(M) : new SharedSubspace(M, capacity, settings.precision);
    this.models = Array.from(
      { length: count },
      () => new SubfunctionModel(capacity, settings.memory, isWhole),
    );
    this.total = new TotalModel(capacity);
    this.control = new StepControl(settings);
    this.random = new RandomGenerator(settings.seed);
    const choices = settings.deterministic ? undefined : this.random;
    this.selection = new Selection(this.models, choices, settings);
    this.coordinates = new Float64Array(capacity);
    this.p = new Float64Array(capacity);
    this.position = new Position(x, this.subspace);
    for (const model of this.models) model.t.set(this.z);
    this.start();
    this.state = stateIn(this, {
      K: whole(0, { to: capacity }),
      subspace: columnsOf(this.subspace, settings.precision),
      position: part(this.position),
      models: parts(this.models),
      total: part(this.total),
      median: part(this.median),
      control: part(this.control),
      selection: part(this.selection),
      random: generator(this.random),
      predictedDecrease: number(),
      evaluations: whole(),
      sinceRebuild: number(),
    });
  }

  /** Makes the first subfunctions active, with the first Hessian. */
  private start(): void {
    const { models, total, z, K } = this;
    const { initialActive, initialHessian, deterministic } = this.settings;
    const wanted = Math.min(initialActive, models.length);
    const first = deterministic
      ? Array.from({ length: wanted }, (_, i) => i)
      : sampleWithoutReplacement(this.random, wanted, models.length);
    for (const index of first) {
      const model = models[index];
      model.isActive = true;
      model.lambda = initialHessian ?? 1;
      model.largest = model.lambda;
      total.change(model, 1, z, K);
    }
  }

  /** The next point to be evaluated. */
  get x(): Float64Array {
    return this.position.x;
  }

  /** Its coordinates. */
  get z(): Float64Array {
    return this.position.z;
  }

  get K(): number {
    return this.subspace.K;
  }

  get active(): readonly SubfunctionModel[] {
    return this.selection.active;
  }

  /** Whether any active subfunction is known to depend on few parameters only. */
  get isSparse(): boolean {
    return this.models.some(({ isActive, domain }) => isActive && domain !== undefined);
  }

  // ── Choose j ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** @param busy - indices that are being evaluated now. @returns undefined if all active ones are */
  choose(busy: ReadonlySet<number>): number | undefined {
    return this.selection.next(busy, this);
  }

  distances(indices: readonly number[]): Float64Array {
    return this.total.distances(this.models, indices, this.z, this.K);
  }

  ownDistance(index: number): number {
    return this.models[index].squaredDistance(this.z, this.K);
  }

  /** Lets more subfunctions in if it is time. @param parallel - how many may be evaluated side by side */
  grow(hasFailed: boolean, parallel: number): void {
    const { total, models, z, K } = this;
    const room = this.selection.room(hasFailed, parallel, K, () => total.factor(models, z, K));
    for (let k = 0; k < room; k++) if (this.activate() === undefined) return;
  }

  activate(): number | undefined {
    const index = this.selection.activate();
    if (index !== undefined) this.total.change(this.models[index], 1, this.z, this.K);
    return index;
  }

  // ── Renew gⱼ ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Counts an evaluation and takes the gradient's direction into the subspace. `points` in use must survive it. */
  take(
    index: number,
    gradient: Float64Array,
    points: readonly Float64Array[],
    gradients: readonly Float64Array[],
  ): void {
    this.models[index].evaluations++;
    this.evaluations++;
    this.latest = undefined;
    if (!gradient.every(Number.isFinite)) return;
    const d = new Float64Array(this.coordinates.length);
    const isFull = this.subspace.expand(gradient, d); // eq. (9), (10)
    if (isFull) this.collapse(d, points, gradients);
    else this.latest = { gradient, d };
  }

  /** eq. (11) */
  private collapse(
    d: Float64Array,
    points: readonly Float64Array[],
    gradients: readonly Float64Array[],
  ): void {
    const { models, position } = this;
    const { z } = position;
    const kept: Float64Array[] = [d, z];
    for (const { isActive, d: slope, t } of models) if (isActive) kept.push(slope, position.direction(t));
    for (const point of [position.xPrevious, ...points]) {
      const c = new Float64Array(z.length);
      position.locate(point, c);
      kept.push(position.direction(c));
    }
    for (const gradient of gradients) {
      const c = new Float64Array(z.length);
      position.project(gradient, c);
      kept.push(c);
    }
    const transform = collapseSubspace(this.subspace, kept);
    for (const model of models) model.transform(transform);
    transform(z);
    position.reproject();
    this.rebuild();
  }

  /** Takes evaluations of fⱼ into its model, the oldest first; the last may be at any point. */
  record(index: number, evaluations: readonly Evaluation[]): void {
    const { total, position, z, K, coordinates, latest, subspace } = this;
    const model = this.models[index];
    total.change(model, -1, z, K);
    const projected = new Float64Array(coordinates.length);
    for (const { point, f, gradient } of evaluations) {
      if (position.isAt(point)) coordinates.set(z);
      else position.locate(point, coordinates);
      const isLatest = gradient === latest?.gradient;
      if (!isLatest) position.project(gradient, projected);
      model.record(coordinates, f, isLatest ? latest.d : projected, K, subspace.resolution); // eq. (8)
    }
    renewHessian(model, this.active, total, K, this.settings, this.median); // eq. (12), (14)
    total.change(model, 1, z, K);
  }

  /** gⱼ at a point. */
  valueAt(index: number, point: Float64Array): number {
    const { position } = this;
    if (position.isAt(point)) return this.models[index].value(this.z, this.K);
    position.locate(point, this.coordinates);
    return this.models[index].value(this.coordinates, this.K);
  }

  // ── Step ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * x ← x − η H⁻¹ ∇G(x), eq. (7).
   *
   * @throws CurvatureError ERR_NOT_POSITIVE_DEFINITE, ERR_NON_FINITE where numbers leave the range of float64; x has not moved
   */
  step(): void {
    const { total, z, K, models, safeguards, control } = this;
    if (this.sinceRebuild >= safeguards.rebuildEvery * models.length) this.rebuild();
    this.sinceRebuild++;
    this.useFirstHessian();
    const p = this.p.subarray(0, K);
    const cholesky = total.factor(models, z, K);
    if (control.isRestricted)
      restrictedStep(
        (shift) => (shift === 0 ? cholesky : total.shifted(shift, K)),
        total.q,
        control.radius,
        p,
      );
    else newtonStep(cholesky, total.q, p);
    const unit = safeguards.isRelative ? norm(z) : 1;
    const scale = control.fit(norm(p), unit, this.evaluations > models.length ? this.evaluations : undefined);
    for (let i = 0; i < K; i++) p[i] *= scale;
    const slope = inner(p, total.q);
    const predictedDecrease = -slope - 0.5 * total.curvatureAlong(p, K);
    if (!Number.isFinite(control.length) || !Number.isFinite(predictedDecrease)) throw beyondRange();
    this.predictedDecrease = predictedDecrease;
    total.move(p, K);
    this.position.step(p);
  }

  /**
   * As long as nothing is known of the curvature, λ is such that the step is a thousandth of ‖x‖: λ = 10³ ‖Σ dᵢ‖/(‖x‖ n), the
   * sum over the n active subfunctions in the order of their indices.
   */
  private useFirstHessian(): void {
    const { models, total, z, K, active } = this;
    if (this.settings.initialHessian !== undefined || active.some(({ S }) => S.length > 0)) return;
    const sum = new Float64Array(K);
    for (const { isActive, isSeen, d } of models)
      if (isActive && isSeen) for (let i = 0; i < K; i++) sum[i] += d[i];
    const lambda = (lengthOf(sum) / (lengthOf(z) || 1) / active.length) * FIRST_CURVATURE;
    if (!(lambda > 0 && Number.isFinite(lambda)) || active.every((model) => model.lambda === lambda)) return;
    for (const model of active) {
      total.change(model, -1, z, K);
      model.lambda = lambda;
      model.largest = lambda;
      total.change(model, 1, z, K);
    }
  }

  /** ½ qᵀ H⁻¹ q, the decrease of G that a full step would bring. */
  decreaseLeft(): number {
    const { total, models, z, K } = this;
    const p = new Float64Array(K);
    newtonStep(total.factor(models, z, K), total.q, p);
    return -0.5 * inner(p, total.q);
  }

  /** Of H in the subspace, the mean of its diagonal; 1 where that is of no use. */
  get meanCurvature(): number {
    const { K, active } = this;
    let trace = 0;
    for (const { lambda, domain, columns, signs } of active) {
      trace += lambda * (domain?.length ?? K);
      for (const [c, column] of columns.entries()) trace += signs[c] * inner(column, column);
    }
    return trace > 0 && Number.isFinite(trace) ? trace / K : 1;
  }

  rebuild(): void {
    this.total.rebuild(this.models, this.z, this.K);
    this.sinceRebuild = 0;
  }

  /** x and z become this point. */
  moveTo(point: Float64Array): void {
    this.position.moveTo(point);
    this.sinceRebuild = Number.POSITIVE_INFINITY; // q is of another point
  }

  /** The sum of a number over all models; undefined until all of them were evaluated. */
  sumOf(term: (model: SubfunctionModel) => number): number | undefined {
    let sum = 0;
    for (const model of this.models) {
      if (!model.isSeen) return undefined;
      sum += term(model);
    }
    return sum;
  }

  /** Brings what is derived from the state in line with one that was restored. */
  restored(): void {
    this.latest = undefined;
    this.position.forgetCopies();
    this.total.forgetFactor();
    for (const { support } of this.models) support.enumerate();
  }
}

// ── How long a step is ────────────────────────────────────────────────────────────────────────────────────────────────

/** η does not fall below it. */
export const SCALE_FLOOR = 1e-5;
/** η after a restart. */
const RESTART_SCALE = 0.1;
/** A step shorter than this is none. */
const NEGLIGIBLE = 1e-12;
/** Δ does not fall below it. */
const MIN_RADIUS = 1e-10;

/**
 * How long a step may be: the share η of the Newton step, or the radius Δ of a trust region, and the shortest and the
 * longest step that make sense. Δ takes the place of η after a restart, and from the first failed step on where
 * subfunctions of few parameters are active.
 *
 *   failure  η ← η/2,  Δ ← min(Δ, ‖p‖)/2;      success  η ← η + (1 − η)/N,  Δ ← (1 + 1/N) Δ
 *   ‖p‖ ≥ 10⁻⁸ ‖x‖,   ‖p‖ ≤ 10 times the mean step so far, once every subfunction could be evaluated
 *
 * η is the paper's (section E.5); the limits are those of its authors' program; Δ is neither's.
 */
export class StepControl {
  /** η */
  scale = 1;
  /** Δ; Infinity as long as η rules. */
  radius = Number.POSITIVE_INFINITY;
  /** The last step's length. */
  length = 0;
  /** The sum of the lengths of the moves since the start, or the last restart. */
  distance = 0;
  readonly state = stateIn(this, { scale: number(), radius: number(), length: number(), distance: number() });

  constructor(private readonly limits: Pick<SfoSettings, "minStepLength" | "maxStepLengthRatio">) {}

  get isRestricted(): boolean {
    return this.radius < Number.POSITIVE_INFINITY;
  }

  /**
   * The factor for a Newton step of this length.
   *
   * @param unit - of the shortest step
   * @param evaluations - by which `distance` becomes a mean; undefined as long as there is no mean to speak of
   */
  fit(newton: number, unit: number, evaluations: number | undefined): number {
    let scale = this.isRestricted ? 1 : this.scale;
    let length = newton * scale;
    const shortest = this.limits.minStepLength * unit;
    if (length > 0 && length < shortest) {
      scale *= shortest / length;
      length = shortest;
    }
    const longest = (this.limits.maxStepLengthRatio * this.distance) / (evaluations ?? 1);
    if (evaluations !== undefined && this.distance > 0 && length > NEGLIGIBLE && length > longest) {
      scale *= longest / length;
      length = longest;
    }
    this.length = length;
    return scale;
  }

  /**
   * After a failed step.
   *
   * @param isByRadius - whether a radius is to rule from now on
   */
  shorten(isByRadius: boolean): void {
    this.scale /= 2;
    if (isByRadius || this.isRestricted)
      this.radius = Math.max(MIN_RADIUS, Math.min(this.radius, this.length) / 2);
  }

  /** After a good one, which took this share of the subfunctions. */
  lengthen(share: number): void {
    this.scale = share + this.scale * (1 - share);
    this.radius *= 1 + share;
  }

  /** From now on steps stay within a radius, and the mean step is that of steps to come. */
  restart(radius: number): void {
    this.radius = radius;
    this.scale = RESTART_SCALE;
    this.distance = 0;
  }
}
