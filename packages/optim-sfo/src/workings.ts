/**
 * The state that a step works on: the models, their sum, the subspace and the point; and what changes it. When which
 * of it happens is `sfo.ts`'s.
 */
import type { RandomGenerator } from "@curvature/linalg";
import { SnapshotReader, type SnapshotValue } from "@curvature/optim-core";
import { ActiveSet } from "./active-set.js";
import { MedianMemory } from "./model/median-eigenvalue.js";
import { renewHessian } from "./model/renew-hessian.js";
import { SubfunctionModel } from "./model/subfunction-model.js";
import { TotalModel } from "./model/total-model.js";
import { beyondRange, inner, newtonStep, norm, restrictedStep } from "./newton-step.js";
import type { SfoSettings } from "./options.js";
import { Position, projectInto } from "./position.js";
import type { Schedule } from "./schedule.js";
import { StepControl } from "./step-control.js";
import { collapseSubspace } from "./subspace/collapse.js";
import { FullSpace } from "./subspace/full-space.js";
import { SharedSubspace } from "./subspace/shared-subspace.js";

/** Beside two vectors of each subfunction a collapse keeps x, the one before it, and up to two gradients in hand. */
const SPARE_DIRECTIONS = 4;
/** An evaluation: fⱼ and its gradient at a point. */
export interface Evaluation {
  readonly point: Float64Array;
  readonly f: number;
  readonly gradient: Float64Array;
}

export class Workings {
  readonly models: readonly SubfunctionModel[];
  readonly subspace: FullSpace | SharedSubspace;
  readonly total: TotalModel;
  readonly position: Position;
  readonly control: StepControl;
  readonly activeSet: ActiveSet;
  /** The decrease of G that the last step was to bring. */
  gain = 0;
  /** Evaluations by the method, of all subfunctions. */
  evaluations = 0;
  /** Those since the sums were last added up anew. */
  sinceRebuild = 0;
  /** The gradient that was taken in last, and its coordinates, as long as these hold. */
  private latest: { readonly gradient: Float64Array; readonly d: Float64Array } | undefined;
  private readonly median = new MedianMemory();
  private readonly coordinates: Float64Array;
  private readonly p: Float64Array;

  constructor(
    x: Float64Array,
    count: number,
    private readonly settings: SfoSettings,
    private readonly schedule: Schedule,
  ) {
    const M = x.length;
    const least = Math.min(2 * count + 2, M);
    const most = Math.min(Math.max(Math.ceil(1.5 * least), least + SPARE_DIRECTIONS + settings.batch), M);
    this.subspace = most === M ? new FullSpace(M) : new SharedSubspace(M, most, settings.precision);
    this.models = Array.from(
      { length: count },
      () => new SubfunctionModel(most, settings.memory, most === M),
    );
    this.total = new TotalModel(most);
    this.control = new StepControl(settings);
    this.activeSet = new ActiveSet(this.models, settings.maxGradientNoise);
    this.coordinates = new Float64Array(most);
    this.p = new Float64Array(most);
    this.position = new Position(x, this.subspace);
    for (const model of this.models) model.t.set(this.z);
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
    return this.activeSet.members;
  }

  /** Whether any active subfunction is known to depend on few parameters only. */
  get isSparse(): boolean {
    return this.models.some(({ isActive, domain }) => isActive && domain !== undefined);
  }

  /** Makes the first subfunctions active, with the first Hessian. */
  start(indices: readonly number[]): void {
    const { z, K } = this;
    for (const index of indices) {
      const model = this.models[index];
      model.isActive = true;
      model.lambda = this.settings.initialHessian;
      model.largest = this.settings.initialHessian;
      this.total.change(model, 1, z, K);
    }
  }

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
    const isFull = this.subspace.expand(gradient, d);
    if (isFull) this.collapse(d, points, gradients);
    else this.latest = { gradient, d };
  }

  private collapse(
    xl: Float64Array,
    points: readonly Float64Array[],
    gradients: readonly Float64Array[],
  ): void {
    const { subspace, models, position } = this;
    const { z } = position;
    const kept: Float64Array[] = [xl.slice(), z.slice()];
    for (const { isActive, d, t } of models) if (isActive) kept.push(d, position.direction(t));
    for (const point of [position.xPrevious, ...points]) {
      const c = new Float64Array(z.length);
      position.locate(point, c);
      kept.push(position.direction(c));
    }
    for (const gradient of gradients) {
      const c = new Float64Array(z.length);
      projectInto(subspace, gradient, c);
      kept.push(c);
    }
    collapseSubspace(subspace, models, kept, z);
    position.renew();
    this.rebuild();
  }

  rebuild(): void {
    this.total.rebuild(this.models, this.z, this.K);
    this.sinceRebuild = 0;
  }

  /** gⱼ at a point. */
  valueAt(index: number, point: Float64Array): number {
    const { position } = this;
    if (position.isAt(point)) return this.models[index].value(this.z, this.K);
    position.locate(point, this.coordinates);
    return this.models[index].value(this.coordinates, this.K);
  }

  /** Takes evaluations of fⱼ into its model, the oldest first; the last may be at any point. */
  learn(index: number, evaluations: readonly Evaluation[]): void {
    const { total, position, z, K, coordinates, latest, subspace } = this;
    const model = this.models[index];
    total.change(model, -1, z, K);
    const projected = new Float64Array(coordinates.length);
    for (const { point, f, gradient } of evaluations) {
      if (position.isAt(point)) coordinates.set(z);
      else position.locate(point, coordinates);
      const isLatest = gradient === latest?.gradient;
      if (!isLatest) projectInto(subspace, gradient, projected);
      model.record(coordinates, f, isLatest ? latest.d : projected, K, subspace.resolution);
    }
    renewHessian(model, this.active, total, K, this.settings, this.median);
    total.change(model, 1, z, K);
  }

  /** x and z become this point. */
  moveTo(point: Float64Array): void {
    this.position.moveTo(point);
    this.sinceRebuild = Number.POSITIVE_INFINITY; // q is of another point
  }

  /**
   * The step from x.
   *
   * @throws CurvatureError ERR_NOT_POSITIVE_DEFINITE, ERR_NON_FINITE where numbers leave the range of float64; x has not moved
   */
  step(): void {
    const { total, z, K, models, schedule, control } = this;
    if (this.sinceRebuild >= schedule.rebuildEvery * models.length) this.rebuild();
    this.sinceRebuild++;
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
    const unit = schedule.isRelative ? Math.max(1, norm(z)) : 1;
    const scale = control.fit(norm(p), unit, this.evaluations > models.length ? this.evaluations : undefined);
    for (let i = 0; i < K; i++) p[i] *= scale;
    const slope = inner(total.q, p, K);
    const gain = -slope - 0.5 * total.curvatureAlong(p, K);
    if (!Number.isFinite(control.length) || !Number.isFinite(gain)) throw beyondRange();
    this.gain = gain;
    total.move(p, K);
    this.position.step(p);
  }

  /** The sum of a number over all models; undefined until all of them were evaluated. */
  sumOf(part: (model: SubfunctionModel) => number): number | undefined {
    let sum = 0;
    for (const model of this.models) {
      if (!model.isSeen) return undefined;
      sum += part(model);
    }
    return sum;
  }

  /** ½ qᵀ H⁻¹ q, the decrease of G that a full step would bring. */
  decreaseLeft(): number {
    const { total, models, z, K } = this;
    const p = new Float64Array(K);
    newtonStep(total.factor(models, z, K), total.q, p);
    return -0.5 * inner(total.q, p, K);
  }

  /** Lets more subfunctions in if it is time. */
  grow(hasFailed: boolean, random: RandomGenerator | undefined, parallel: number): void {
    const { total, models, z, K } = this;
    const room = this.activeSet.room(hasFailed, parallel, K, () => total.factor(models, z, K));
    for (let k = 0; k < room; k++) if (this.activate(random) === undefined) return;
  }

  /** Lets one more in, at random, or without a generator the first. @returns which, undefined if there is none */
  activate(random: RandomGenerator | undefined): number | undefined {
    const index = this.activeSet.activate(random);
    if (index !== undefined) this.total.change(this.models[index], 1, this.z, this.K);
    return index;
  }

  /** (z − tᵢ)ᵀ H (z − tᵢ) */
  distances(indices: readonly number[]): Float64Array {
    const { models, total, z, K } = this;
    return total.distances(models, indices, z, K);
  }

  save(): SnapshotValue {
    const { K, subspace } = this;
    const { gain, evaluations, sinceRebuild } = this;
    const { scale, distance, length, radius } = this.control;
    const { sinceGrowth } = this.activeSet;
    return {
      K,
      P: subspace instanceof SharedSubspace ? subspace.save() : null,
      ...this.position.save(),
      numbers: Float64Array.of(
        ...[scale, distance, length, radius, sinceGrowth, gain, evaluations, sinceRebuild],
      ),
      median: Float64Array.of(this.median.value, this.median.count),
      total: this.total.save(K),
      models: this.models.map((model) => model.save(K)),
    };
  }

  /** Reads and checks; the returned function takes it over. @throws CurvatureError ERR_SNAPSHOT */
  open(state: SnapshotReader): () => void {
    const { subspace, models } = this;
    const K = state.integer("K", 0, subspace.capacity);
    const restoreBasis = subspace instanceof SharedSubspace ? subspace.open(state, "P", K) : () => undefined;
    const restorePosition = this.position.open(state, K);
    const [scale, distance, length, radius, sinceGrowth, gain, evaluations, sinceRebuild] = state.float64(
      "numbers",
      8,
    );
    const restoreTotal = this.total.open(state.object("total"), K);
    const [value, count] = state.float64("median", 2);
    const list = state.list("models");
    const restoreModels = models.map((model, i) =>
      model.open(new SnapshotReader(`Sfo, subfunction ${i}`, list[i]), K),
    );
    return () => {
      restoreBasis();
      restorePosition();
      this.latest = undefined;
      Object.assign(this, { gain, evaluations, sinceRebuild });
      Object.assign(this.control, { scale, distance, length, radius });
      this.activeSet.sinceGrowth = sinceGrowth;
      Object.assign(this.median, { value, count });
      restoreTotal();
      for (const restore of restoreModels) restore();
    };
  }
}
