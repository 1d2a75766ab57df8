/**
 * Which subfunctions take part, and which of them is evaluated next.
 *
 * The active set grows as soon as the gradients' noise outweighs their mean,
 *
 *   Σ (dᵢ − a)ᵀ H⁻¹ (dᵢ − a) / (n (n − 1))  ≥  α aᵀ H⁻¹ a,   a = the mean of the n active gradients   (eq. 16)
 *
 * or a step failed, or nothing joined for n steps; and only if every active subfunction was evaluated twice. Section A.5.
 * Differs from the paper, whose eq. (16) has H and uncentred gradients, by what its authors' program does.
 *
 * Next is an active one with one evaluation (a second makes a Hessian possible), else one with none, else
 *
 *   "distance"  argmax (z − tᵢ)ᵀ H (z − tᵢ)                                                            (eq. 15)
 *   "single"    argmax (z − tᵢ)ᵀ Hᵢ (z − tᵢ), by the subfunction's own Hessian
 *   "both"      one of these two, by the toss of a coin
 *
 * Values within 1e-9 of the largest are ties, and the lowest index wins: exact ties are normal (after a failed step
 * two subfunctions share a point), and without a rule rounding would decide.
 */
import type { DenseCholesky, RandomGenerator } from "@curvature/linalg";
import { stateIn, whole } from "@curvature/optim-core/state";
import type { SfoSettings } from "./options.js";
import type { SubfunctionModel } from "./subfunction-model.js";
import { inverseNorm, sumOfInverseNorms } from "./total-model.js";

const TIE = 1e-9;
/** A largest distance below this means that all models are of this very point. */
const NOWHERE = 1e-12;

/** Where the models are, seen from z. */
interface Distances {
  /** (z − tᵢ)ᵀ H (z − tᵢ) of these subfunctions, in their order. */
  distances(indices: readonly number[]): Float64Array;
  /** (z − tᵢ)ᵀ Hᵢ (z − tᵢ) */
  ownDistance(index: number): number;
  /** Takes one more subfunction in; undefined if all are. */
  activate(): number | undefined;
}

export class Selection {
  /** The index after the last that "cyclic" took. */
  cycle = 0;
  /** Steps since the active set grew. */
  sinceGrowth = 0;
  readonly state = stateIn(this, { cycle: whole(), sinceGrowth: whole() });

  /** @param random - undefined where nothing is at random: then it is the lowest index */
  constructor(
    private readonly models: readonly SubfunctionModel[],
    private readonly random: RandomGenerator | undefined,
    private readonly settings: Pick<SfoSettings, "selection" | "maxGradientNoise">,
  ) {}

  /** @param busy - indices that are being evaluated now. @returns undefined if all active ones are busy */
  next(busy: ReadonlySet<number>, from: Distances): number | undefined {
    const { models } = this;
    const free: number[] = [];
    for (let i = 0; i < models.length; i++) if (models[i].isActive && !busy.has(i)) free.push(i);
    if (free.length === 0) return undefined;
    const once = free.find((i) => models[i].evaluations === 1);
    if (once !== undefined) return once;
    const never = free.filter((i) => models[i].evaluations === 0);
    return never.length > 0 ? this.anyOf(never) : this.byRule(free, from);
  }

  private byRule(free: readonly number[], from: Distances): number {
    const { selection: rule } = this.settings;
    const { random } = this;
    if (rule === "random" && random !== undefined) return this.anyOf(free);
    if (rule === "cyclic" || rule === "random") {
      const next = free.find((i) => i >= this.cycle) ?? free[0];
      this.cycle = next + 1;
      return next;
    }
    const isSingle = rule === "single" || (rule === "both" && random !== undefined && random.uniform() < 0.5);
    const distances = isSingle ? Float64Array.from(free, (i) => from.ownDistance(i)) : from.distances(free);
    let largest = Number.NEGATIVE_INFINITY;
    for (const distance of distances) if (distance > largest) largest = distance;
    if (!isSingle && largest < NOWHERE) {
      const joined = from.activate();
      if (joined !== undefined) return joined;
    }
    const at = distances.findIndex((distance) => distance >= largest - TIE * Math.abs(largest));
    return free[Math.max(at, 0)];
  }

  private anyOf(indices: readonly number[]): number {
    return indices[this.random === undefined ? 0 : this.random.integer(indices.length)];
  }

  get active(): readonly SubfunctionModel[] {
    return this.models.filter(({ isActive }) => isActive);
  }

  /**
   * How many subfunctions may join now: one, or where several are evaluated side by side as many as that, less those
   * that were not evaluated twice yet.
   *
   * @param factor - of H, asked for only if it decides
   */
  room(hasFailed: boolean, parallel: number, K: number, factor: () => DenseCholesky): number {
    const { models, active, sinceGrowth } = this;
    if (active.length === models.length) return 0;
    const room = parallel - active.filter(({ evaluations }) => evaluations < 2).length;
    this.sinceGrowth++;
    if (room <= 0) return 0;
    const isWanted =
      hasFailed ||
      sinceGrowth > active.length ||
      isNoisy(active, factor(), K, this.settings.maxGradientNoise);
    return isWanted ? room : 0;
  }

  /** Lets an inactive subfunction in. @returns which, undefined if there is none */
  activate(): number | undefined {
    const inactive: number[] = [];
    this.models.forEach((model, i) => {
      if (!model.isActive) inactive.push(i);
    });
    if (inactive.length === 0) return undefined;
    const index = this.anyOf(inactive);
    this.models[index].isActive = true;
    this.sinceGrowth = 0;
    return index;
  }
}

function isNoisy(
  active: readonly SubfunctionModel[],
  cholesky: DenseCholesky,
  K: number,
  maxGradientNoise: number,
): boolean {
  const n = active.length;
  const mean = new Float64Array(K);
  for (const { d } of active) for (let i = 0; i < K; i++) mean[i] += d[i] / n;
  const signal = inverseNorm(cholesky, mean);
  let noise = 0;
  if (n > 1) {
    const zero = new Float64Array(K);
    const centred = (k: number): Float64Array =>
      k < n ? mean.map((entry, i) => active[k].d[i] - entry) : zero.slice();
    for (let k = 0; k < n; k += 4) {
      const [v0, v1, v2, v3] = [centred(k), centred(k + 1), centred(k + 2), centred(k + 3)];
      noise += sumOfInverseNorms(cholesky, v0, v1, v2, v3);
      if (noise / (n * (n - 1)) >= maxGradientNoise * signal) return true; // it can only grow
    }
    noise /= n * (n - 1);
  }
  return noise >= maxGradientNoise * signal;
}
