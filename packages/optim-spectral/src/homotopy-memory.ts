/**
 * L-BFGS memory for an objective whose weights move: each pair keeps the change of both parts of the gradient, so
 * that its y is exact for every λ and every penalty, at the price of arithmetic and of no evaluation.
 *
 *   y = ΔA + λ ΔR + (r/N) s          A = ∇E⁺, R = ∇E⁻
 *
 * Direction  D = −H G by the two-loop recursion with H₀ = γ B⁻¹, γ = s'y / y'B⁻¹y of the newest usable pair; a pair
 * with s'y ≤ 1e-10 ‖s‖ ‖y‖ is passed over for this λ, and kept.
 *
 * Nocedal, Wright: Numerical Optimization, 2nd ed., algorithm 7.4. The re-expression is ours: a memory that is dropped
 * whenever λ changes makes a continuous homotopy worthless.
 */
import { axpy, CurvatureError, dot, norm2, scale } from "@curvature/linalg";

interface Pair {
  readonly s: Float64Array;
  readonly dA: Float64Array;
  readonly dR: Float64Array;
  readonly y: Float64Array;
}

export class HomotopyMemory {
  private readonly slots: readonly Pair[];
  private readonly weights: Float64Array;
  private readonly inverses: Float64Array;
  private readonly scratch: Float64Array;
  /** Pairs are numbered as they come; number k lies in slot k mod m. */
  private newest = 0;
  private count = 0;

  constructor(
    private readonly dimension: number,
    private readonly capacity: number,
    private readonly solve: (V: Float64Array) => void,
  ) {
    const vector = (): Float64Array => new Float64Array(dimension);
    this.slots = Array.from({ length: capacity }, () => ({
      s: vector(),
      dA: vector(),
      dR: vector(),
      y: vector(),
    }));
    this.weights = new Float64Array(capacity);
    this.inverses = new Float64Array(capacity);
    this.scratch = vector();
  }

  get size(): number {
    return this.count;
  }

  clear(): void {
    this.count = 0;
  }

  /** Room for the next pair (over the oldest): the caller writes s, ΔA and ΔR. */
  push(): { readonly s: Float64Array; readonly dA: Float64Array; readonly dR: Float64Array } {
    this.newest += 1;
    this.count = Math.min(this.count + 1, this.capacity);
    return this.slots[this.newest % this.capacity];
  }

  /** D = −H G for this λ; `shrink` is r/N. */
  direction(lambda: number, shrink: number, G: Float64Array, D: Float64Array): void {
    const { weights, inverses } = this;
    const gamma = this.reexpress(lambda, shrink);
    for (let k = 0; k < D.length; k++) D[k] = -G[k];
    for (let j = this.newest; j > this.newest - this.count; j--) {
      const slot = j % this.capacity;
      if (inverses[slot] === 0) continue;
      const { s, y } = this.slots[slot];
      weights[slot] = inverses[slot] * dot(s, D);
      axpy(-weights[slot], y, D);
    }
    this.solve(D);
    scale(gamma, D);
    for (let j = this.newest - this.count + 1; j <= this.newest; j++) {
      const slot = j % this.capacity;
      if (inverses[slot] === 0) continue;
      const { s, y } = this.slots[slot];
      axpy(weights[slot] - inverses[slot] * dot(y, D), s, D);
    }
  }

  /** Every y for this λ, and 1/(s'y), or 0 for a pair to pass over; returns γ. */
  private reexpress(lambda: number, shrink: number): number {
    let gamma = 0;
    for (let j = this.newest; j > this.newest - this.count; j--) {
      const slot = j % this.capacity;
      const { s, dA, dR, y } = this.slots[slot];
      for (let k = 0; k < y.length; k++) y[k] = dA[k] + lambda * dR[k] + shrink * s[k];
      const sy = dot(s, y);
      const usable = sy > 1e-10 * norm2(s) * norm2(y);
      this.inverses[slot] = usable ? 1 / sy : 0;
      if (usable && gamma === 0) {
        this.scratch.set(y);
        this.solve(this.scratch);
        gamma = sy / dot(y, this.scratch);
      }
    }
    return gamma > 0 && Number.isFinite(gamma) ? gamma : 1;
  }

  /** The pairs, oldest first: s, ΔA, ΔR of each in turn. */
  save(): Float64Array {
    const { dimension } = this;
    const pairs = new Float64Array(this.count * 3 * dimension);
    for (let k = 0; k < this.count; k++) {
      const { s, dA, dR } = this.slots[(this.newest - this.count + 1 + k) % this.capacity];
      pairs.set(s, 3 * k * dimension);
      pairs.set(dA, (3 * k + 1) * dimension);
      pairs.set(dR, (3 * k + 2) * dimension);
    }
    return pairs;
  }

  /** @throws CurvatureError ERR_SNAPSHOT unless these are saved pairs that have room here */
  checked(pairs: Float64Array): Float64Array {
    const size = 3 * this.dimension;
    if (pairs.length % size === 0 && pairs.length <= this.capacity * size) return pairs;
    throw new CurvatureError(
      "ERR_SNAPSHOT",
      `The snapshot's memory has ${pairs.length} numbers, not at most ${this.capacity} times ${size}.`,
      { path: "pairs", expected: `a multiple of ${size}`, received: pairs.length },
    );
  }

  restore(pairs: Float64Array): void {
    const { dimension } = this;
    this.newest = 0;
    this.count = 0;
    for (let at = 0; at + 3 * dimension <= pairs.length; at += 3 * dimension) {
      const { s, dA, dR } = this.push();
      s.set(pairs.subarray(at, at + dimension));
      dA.set(pairs.subarray(at + dimension, at + 2 * dimension));
      dR.set(pairs.subarray(at + 2 * dimension, at + 3 * dimension));
    }
  }
}
