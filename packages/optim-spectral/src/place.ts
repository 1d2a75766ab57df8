/**
 * The place of one new point among the N of a finished map, which stay where they are.
 *
 * Problem    min_x E(x), the out-of-sample objective of the map's model
 * Iteration  x ← x − α H ∇E(x),   Armijo with c₁ = 0.1, ρ = 0.5, from α = 1
 *            H ← (I − s yᵀ / sᵀy) H (I − y sᵀ / sᵀy) + s sᵀ / sᵀy   where sᵀy > 0 (BFGS), else I / b(x), as at first
 * Start      of Σ_m p_m x_m and the x_m of the largest p_m that which has the lower E; x stays within twice the map's radius, for
 *            where the repulsion wins E falls without end
 *
 * | symbol | variable  | shape                                             |
 * |--------|-----------|---------------------------------------------------|
 * | x      | x         | d, of one new point                               |
 * | H      | inverse   | d × d                                             |
 * | b      | scaleAt   | the spectral direction's matrix, a number here    |
 *
 * Carreira-Perpiñán: The elastic embedding algorithm for dimensionality reduction, ICML 2010, section 5. Differs: there
 * H = I / b throughout; b has A′ taken at x, not at 0, which majorises the attraction just as well and takes longer steps where the
 * kernel's tail is heavy; and the second start, since the mean of neighbours of two clusters is a place between them, and a valley
 * of its own. Time O(log N) per iteration and point where cells sum up the repulsion, else O(N d).
 */
import { type DenseMatrix, squaredDistance } from "@curvature/linalg";
import type { OutOfSampleObjective } from "@curvature/objectives/embedding";

const maxIterations = 200;
const maxReductions = 40;
const sufficientDecrease = 0.1;
const shrink = 0.5;
/** Of the map's radius. */
const tolerance = 1e-5;

/** A ball about the map's mean that holds it. */
export interface Ball {
  readonly centre: Float64Array;
  readonly radius: number;
}

export function ballAround({ rows: N, columns: d, data }: DenseMatrix): Ball {
  const centre = new Float64Array(d);
  for (let k = 0; k < data.length; k++) centre[k % d] += data[k] / N;
  let farthest = 0;
  for (let k = 0; k < data.length; k += d)
    farthest = Math.max(farthest, squaredDistance(data.subarray(k, k + d), centre));
  return { centre, radius: Math.sqrt(farthest) };
}

/** Finds places, one by one; keeps what they need. */
export class Placer {
  private readonly gradient: Float64Array;
  private readonly next: Float64Array;
  private readonly trial: Float64Array;
  private readonly step: Float64Array;
  private readonly change: Float64Array;
  private readonly inverse: Float64Array;

  constructor(
    private readonly objective: OutOfSampleObjective,
    private readonly ball: Ball,
  ) {
    const d = objective.dimensions;
    [this.gradient, this.next, this.trial, this.step, this.change] = Array.from(
      { length: 5 },
      () => new Float64Array(d),
    );
    this.inverse = new Float64Array(d * d);
  }

  /**
   * Moves x to where E is least.
   *
   * @param x - in: one start; out: the place
   * @param other - another start
   * @returns evaluations of E
   */
  place(point: number, x: Float64Array, other: Float64Array): number {
    const { objective, gradient, next, trial, ball } = this;
    const nearly = tolerance * ball.radius;
    let E = objective.evaluatePoint(point, x, gradient);
    const otherE = objective.evaluatePoint(point, other, next);
    let evaluations = 2;
    if (otherE < E) {
      x.set(other);
      gradient.set(next);
      E = otherE;
    }
    let isFresh: boolean = this.forget(point, x);
    for (let k = 0; k < maxIterations; k++) {
      if (!this.descend() && !isFresh) {
        isFresh = this.forget(point, x);
        this.descend();
      }
      let value = E;
      let reductions = 0;
      for (let alpha = 1; reductions < maxReductions; reductions++, alpha *= shrink) {
        for (let i = 0; i < x.length; i++) trial[i] = x[i] + alpha * this.step[i];
        pullIn(trial, ball);
        let promised = 0;
        for (let i = 0; i < x.length; i++) promised += gradient[i] * (trial[i] - x[i]);
        value = objective.evaluatePoint(point, trial, next);
        evaluations++;
        if (value <= E + sufficientDecrease * promised) break;
      }
      if (reductions === maxReductions) {
        if (isFresh) break;
        isFresh = this.forget(point, x);
        continue;
      }
      const moved = squaredDistance(trial, x);
      for (let i = 0; i < x.length; i++) {
        this.step[i] = trial[i] - x[i];
        this.change[i] = next[i] - gradient[i];
      }
      x.set(trial);
      gradient.set(next);
      E = value;
      if (moved <= nearly * nearly) break;
      isFresh = this.learn() ? false : this.forget(point, x);
    }
    return evaluations;
  }

  /** H ← I / b(x) */
  private forget(point: number, x: Float64Array): true {
    this.inverse.fill(0);
    const share = 1 / this.objective.scaleAt(point, x);
    for (let i = 0; i < x.length; i++) this.inverse[i * x.length + i] = share;
    return true;
  }

  /** The step −H ∇E; false where it leads upwards. */
  private descend(): boolean {
    const { inverse, gradient, step } = this;
    const d = step.length;
    let slope = 0;
    for (let i = 0; i < d; i++) {
      let sum = 0;
      for (let j = 0; j < d; j++) sum -= inverse[i * d + j] * gradient[j];
      step[i] = sum;
      slope += sum * gradient[i];
    }
    return slope < 0;
  }

  /** The BFGS update by the step s and the change y; false where sᵀy is not positive. */
  private learn(): boolean {
    const { inverse, step: s, change: y, trial: Hy } = this;
    const d = s.length;
    let sy = 0;
    for (let i = 0; i < d; i++) sy += s[i] * y[i];
    if (!(sy > 0)) return false;
    let yHy = 0;
    for (let i = 0; i < d; i++) {
      let sum = 0;
      for (let j = 0; j < d; j++) sum += inverse[i * d + j] * y[j];
      Hy[i] = sum;
      yHy += sum * y[i];
    }
    const square = (1 + yHy / sy) / sy;
    for (let i = 0; i < d; i++)
      for (let j = 0; j < d; j++)
        inverse[i * d + j] += square * s[i] * s[j] - (Hy[i] * s[j] + s[i] * Hy[j]) / sy;
    return true;
  }
}

/** Onto the ball of twice the radius. */
function pullIn(x: Float64Array, { centre, radius }: Ball): void {
  const distance = Math.sqrt(squaredDistance(x, centre));
  if (distance <= 2 * radius) return;
  const scale = (2 * radius) / distance;
  for (let i = 0; i < x.length; i++) x[i] = centre[i] + scale * (x[i] - centre[i]);
}
