/**
 * The losses of all comparisons by the pairs of objects that they mention. Where few objects have many comparisons, a
 * pair is in several of them: its distance is measured once, and what they want of it is summed before it moves objects.
 *
 *   d_e = ‖x_r − x_s‖²   for every pair e = {r, s}
 *   A_e = Σ 2 s_q a_q over the comparisons with {i, j} = e, and Σ 2 s_q c_q over those with {l, k} = e
 *   ∂/∂x_r += A_e (x_r − x_s),   ∂/∂x_s −= the same
 *
 * | symbol | variable     | shape                                                                     |
 * |--------|--------------|---------------------------------------------------------------------------|
 * | r, s   | pairs        | P of them, one after the other                                            |
 * | d, A   | d, slope     | P                                                                         |
 * | s      | shares       | N; undefined: all 1/N                                                     |
 * | a, c   | a, c         | ∂l/∂d₁, ∂l/∂d₂ of a block                                                 |
 *
 * O(P p + N) instead of O(N p): with the cheapest loss in ten dimensions and twice as many comparisons as there are
 * pairs, less than half the time.
 */
import type { Comparisons } from "./comparisons.js";
import type { OrdinalLoss } from "./loss.js";

const BLOCK = 256;

/**
 * Whether there are at most five times as many pairs as comparisons. Where there are more, few are named twice; up to
 * there it was measured to be at least as quick, since pairs that none names cost nothing.
 */
export function arePairsShared({ objects, quadruplets }: Comparisons): boolean {
  return 2 * objects * (objects - 1) <= 5 * quadruplets.length;
}

export class PairLosses {
  private readonly pairs: Int32Array;
  /** The pairs {i, j} and {l, k} of each comparison. */
  private readonly near: Int32Array;
  private readonly far: Int32Array;
  private readonly d: Float64Array;
  private readonly slope: Float64Array;
  private readonly d1 = new Float64Array(BLOCK);
  private readonly d2 = new Float64Array(BLOCK);
  private readonly l = new Float64Array(BLOCK);
  private readonly a = new Float64Array(BLOCK);
  private readonly c = new Float64Array(BLOCK);

  constructor(
    { objects, quadruplets }: Comparisons,
    private readonly loss: OrdinalLoss,
    private readonly dimensions: number,
    private readonly shares: Float64Array | undefined,
  ) {
    const count = quadruplets.length / 4;
    const numberOf = new Int32Array((objects * (objects - 1)) / 2).fill(-1);
    const pairs: number[] = [];
    const number = (r: number, s: number): number => {
      const low = Math.min(r, s);
      const high = Math.max(r, s);
      const at = (high * (high - 1)) / 2 + low;
      if (numberOf[at] < 0) numberOf[at] = pairs.push(low, high) / 2 - 1;
      return numberOf[at];
    };
    this.near = new Int32Array(count);
    this.far = new Int32Array(count);
    for (let q = 0; q < count; q++) {
      this.near[q] = number(quadruplets[4 * q], quadruplets[4 * q + 1]);
      this.far[q] = number(quadruplets[4 * q + 2], quadruplets[4 * q + 3]);
    }
    this.pairs = Int32Array.from(pairs);
    this.d = new Float64Array(pairs.length / 2);
    this.slope = new Float64Array(pairs.length / 2);
  }

  /** Σ_q s_q l_q; with an array also its gradient. Both have been checked. */
  evaluateLosses(X: Float64Array, gradient?: Float64Array): number {
    this.measure(X);
    if (gradient === undefined) return this.value();
    const value = this.valueAndSlopes();
    gradient.fill(0);
    this.scatter(X, gradient);
    return value;
  }

  private measure(X: Float64Array): void {
    const { pairs, d, dimensions: p } = this;
    for (let e = 0; e < d.length; e++) {
      const r = pairs[2 * e] * p;
      const s = pairs[2 * e + 1] * p;
      let sum = 0;
      for (let t = 0; t < p; t++) {
        const u = X[r + t] - X[s + t];
        sum += u * u;
      }
      d[e] = sum;
    }
  }

  /** Puts d₁ and d₂ of the comparisons from `start` on into the block. @returns how many they are */
  private fill(start: number): number {
    const { near, far, d, d1, d2 } = this;
    const count = Math.min(BLOCK, near.length - start);
    for (let k = 0; k < count; k++) {
      d1[k] = d[near[start + k]];
      d2[k] = d[far[start + k]];
    }
    return count;
  }

  private value(): number {
    const { near, loss, d1, d2, l } = this;
    let value = 0;
    for (let start = 0; start < near.length; start += BLOCK) {
      const count = this.fill(start);
      loss.values(count, d1, d2, l);
      value += this.sum(start, count);
    }
    return value;
  }

  /** Σ s l of the block. */
  private sum(start: number, count: number): number {
    const { shares, l } = this;
    let value = 0;
    if (shares === undefined) {
      const even = 1 / this.near.length;
      for (let k = 0; k < count; k++) value += even * l[k];
    } else {
      for (let k = 0; k < count; k++) value += shares[start + k] * l[k];
    }
    return value;
  }

  private valueAndSlopes(): number {
    const { near, far, loss, shares, d1, d2, l, a, c, slope } = this;
    const even = 2 / near.length;
    slope.fill(0);
    let value = 0;
    for (let start = 0; start < near.length; start += BLOCK) {
      const count = this.fill(start);
      loss.valuesAndSlopes(count, d1, d2, l, a, c);
      value += this.sum(start, count);
      for (let k = 0; k < count; k++) {
        const twice = shares === undefined ? even : 2 * shares[start + k];
        slope[near[start + k]] += twice * a[k];
        slope[far[start + k]] += twice * c[k];
      }
    }
    return value;
  }

  private scatter(X: Float64Array, gradient: Float64Array): void {
    const { pairs, slope, dimensions: p } = this;
    for (let e = 0; e < slope.length; e++) {
      const r = pairs[2 * e] * p;
      const s = pairs[2 * e + 1] * p;
      const A = slope[e];
      for (let t = 0; t < p; t++) {
        const u = A * (X[r + t] - X[s + t]);
        gradient[r + t] += u;
        gradient[s + t] -= u;
      }
    }
  }
}
