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
import { axpy, dot, norm2, scale } from "@curvature/linalg";
import { float64, stateOf, whole } from "@curvature/optim-core/state";

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
  readonly state;

  constructor(
    dimension: number,
    private readonly capacity: number,
    private readonly solve: (V: Float64Array) => void,
  ) {
    const pairs = new Float64Array(3 * capacity * dimension);
    const vector = (k: number): Float64Array => pairs.subarray(k * dimension, (k + 1) * dimension);
    this.slots = Array.from({ length: capacity }, (_, k) => ({
      s: vector(3 * k),
      dA: vector(3 * k + 1),
      dR: vector(3 * k + 2),
      y: new Float64Array(dimension),
    }));
    this.weights = new Float64Array(capacity);
    this.inverses = new Float64Array(capacity);
    this.scratch = new Float64Array(dimension);
    this.state = stateOf(
      {
        /** Pairs are numbered as they come; number k lies in slot k mod m. */
        newest: whole(),
        count: whole(0, { to: capacity }),
        /** s, ΔA and ΔR of each slot in turn. */
        pairs: float64(pairs),
      },
      (fields) =>
        Number(fields.get("count")) <= Number(fields.get("newest"))
          ? undefined
          : "of no more pairs than came",
    );
  }

  get size(): number {
    return this.state.count;
  }

  clear(): void {
    this.state.count = 0;
  }

  /** Room for the next pair (over the oldest): the caller writes s, ΔA and ΔR. */
  push(): { readonly s: Float64Array; readonly dA: Float64Array; readonly dR: Float64Array } {
    this.state.newest += 1;
    this.state.count = Math.min(this.state.count + 1, this.capacity);
    return this.slots[this.state.newest % this.capacity];
  }

  /** D = −H G for this λ; `shrink` is r/N. */
  direction(lambda: number, shrink: number, G: Float64Array, D: Float64Array): void {
    const { weights, inverses } = this;
    const gamma = this.reexpress(lambda, shrink);
    for (let k = 0; k < D.length; k++) D[k] = -G[k];
    for (let j = this.state.newest; j > this.state.newest - this.state.count; j--) {
      const slot = j % this.capacity;
      if (inverses[slot] === 0) continue;
      const { s, y } = this.slots[slot];
      weights[slot] = inverses[slot] * dot(s, D);
      axpy(-weights[slot], y, D);
    }
    this.solve(D);
    scale(gamma, D);
    for (let j = this.state.newest - this.state.count + 1; j <= this.state.newest; j++) {
      const slot = j % this.capacity;
      if (inverses[slot] === 0) continue;
      const { s, y } = this.slots[slot];
      axpy(weights[slot] - inverses[slot] * dot(y, D), s, D);
    }
  }

  /** Every y for this λ, and 1/(s'y), or 0 for a pair to pass over; returns γ. */
  private reexpress(lambda: number, shrink: number): number {
    let gamma = 0;
    for (let j = this.state.newest; j > this.state.newest - this.state.count; j--) {
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
}
