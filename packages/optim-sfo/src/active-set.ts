/**
 * The subfunctions that take part, and when there are more of them: as soon as the gradients' noise outweighs their mean,
 *
 *   Σ (dᵢ − a)ᵀ H⁻¹ (dᵢ − a) / (n (n − 1))  ≥  α aᵀ H⁻¹ a,   a = the mean of the n active gradients   (eq. 16)
 *
 * or a step failed, or nothing joined for n steps; and only if every active subfunction was evaluated twice.
 * Section A.5. Differs from the paper, whose eq. (16) has H and uncentred gradients, by what its authors' program does.
 */
import type { DenseCholesky, RandomGenerator } from "@curvature/linalg";
import type { SubfunctionModel } from "./model/subfunction-model.js";
import { inverseNorm, sumOfInverseNorms } from "./newton-step.js";

export class ActiveSet {
  /** Steps since the set grew. */
  sinceGrowth = 0;
  private readonly models: readonly SubfunctionModel[];
  /** α */
  private readonly maxGradientNoise: number;

  constructor(models: readonly SubfunctionModel[], maxGradientNoise: number) {
    this.models = models;
    this.maxGradientNoise = maxGradientNoise;
  }

  get members(): readonly SubfunctionModel[] {
    return this.models.filter(({ isActive }) => isActive);
  }

  /**
   * How many subfunctions may join now: one, or where several are evaluated side by side as many as that, less those
   * that were not evaluated twice yet.
   *
   * @param factor - of H, asked for only if it decides
   */
  room(hasFailed: boolean, parallel: number, K: number, factor: () => DenseCholesky): number {
    const { models, members, sinceGrowth, maxGradientNoise } = this;
    if (members.length === models.length) return 0;
    const room = parallel - members.filter(({ evaluations }) => evaluations < 2).length;
    this.sinceGrowth++;
    if (room <= 0) return 0;
    const isWanted =
      hasFailed || sinceGrowth > members.length || isNoisy(members, factor(), K, maxGradientNoise);
    return isWanted ? room : 0;
  }

  /** Lets a random inactive subfunction in, or without a generator the first. @returns which, undefined if there is none */
  activate(random: RandomGenerator | undefined): number | undefined {
    const inactive: number[] = [];
    this.models.forEach((model, i) => {
      if (!model.isActive) inactive.push(i);
    });
    if (inactive.length === 0) return undefined;
    const index = inactive[random === undefined ? 0 : random.integer(inactive.length)];
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
