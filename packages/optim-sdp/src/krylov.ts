/**
 * The largest algebraic eigenpair of a symmetric operator, roughly and from a given start: Lanczos with full
 * reorthogonalisation in few vectors, restarted from the Ritz vector.
 *
 * Expansion  w = A v_j;  a_j = v_jᵀ w;  w ← w − V Vᵀ w (twice);  b_j = ‖w‖;  v_{j+1} = w / b_j
 * Test       ‖A y − θ y‖ = b_m |s_m| ≤ tolerance |θ|, s the leading eigenvector of the tridiagonal (a, b)
 *
 * `lanczos` of @curvature/linalg finds several pairs to a small residual and starts at random; conditional gradients need
 * one pair to a residual of a tenth, thousands of times, and know where the last one was.
 *
 * Golub, Van Loan: Matrix Computations, 4th edition, section 10.3. Memory m n, per vector one product and 4 j n operations.
 */
import {
  axpy,
  dot,
  fillNormal,
  norm2,
  type RandomGenerator,
  type SymmetricOperator,
  scale,
  tridiagonalEigen,
} from "@curvature/linalg";

export interface RitzPair {
  /** θ ≤ λ_max */
  readonly value: number;
  /** y, of length 1. */
  readonly vector: Float64Array;
  /** ‖A y − θ y‖₂ */
  readonly residual: number;
  readonly products: number;
}

export interface KrylovOptions {
  /** Relative residual. */
  readonly tolerance: number;
  /** m, at least 2. */
  readonly vectors: number;
  /** The most restarts. */
  readonly restarts: number;
}

export class Krylov {
  private readonly V: Float64Array;

  /** @param n - the operator's size, at least 1 */
  constructor(
    private readonly apply: SymmetricOperator,
    private readonly n: number,
    private readonly options: KrylovOptions,
  ) {
    this.V = new Float64Array((Math.min(options.vectors, n) + 1) * n);
  }

  /**
   * @param start - a direction to start from, or undefined for a random one
   * @param tolerance - in the place of that of the options
   */
  largest(
    start: Float64Array | undefined,
    random: RandomGenerator,
    tolerance = this.options.tolerance,
  ): RitzPair {
    const { n, V } = this;
    const v = V.subarray(0, n);
    if (start === undefined) fillNormal(random, v);
    else v.set(start);
    if (!(norm2(v) > 0)) fillNormal(random, v);
    let products = 0;
    for (let round = 0; ; round++) {
      scale(1 / norm2(v), v);
      const { a, b, count } = this.expand(tolerance);
      products += count;
      const { value, s } = leading(a, b, count);
      const residual = Math.abs(b[count - 1] * s[count - 1]);
      const y = new Float64Array(n);
      for (let j = 0; j < count; j++) axpy(s[j], V.subarray(j * n, (j + 1) * n), y);
      scale(1 / norm2(y), y);
      if (residual <= tolerance * Math.abs(value) || round >= this.options.restarts)
        return { value, vector: y, residual, products };
      v.set(y);
    }
  }

  /** Fills V from its first row on; stops early where the residual is small enough. */
  private expand(tolerance: number): { a: Float64Array; b: Float64Array; count: number } {
    const { n, V } = this;
    const m = V.length / n - 1;
    const a = new Float64Array(m);
    const b = new Float64Array(m);
    for (let j = 0; j < m; j++) {
      const v = V.subarray(j * n, (j + 1) * n);
      const w = V.subarray((j + 1) * n, (j + 2) * n);
      this.apply(v, w);
      const before = norm2(w);
      a[j] = dot(v, w);
      for (let pass = 0; pass < 2; pass++)
        for (let i = 0; i <= j; i++) {
          const row = V.subarray(i * n, (i + 1) * n);
          axpy(-dot(row, w), row, w);
        }
      b[j] = norm2(w);
      if (!(b[j] > 1e-12 * before)) {
        b[j] = 0; // V spans an invariant subspace
        return { a, b, count: j + 1 };
      }
      if ((j + 1) % 8 === 0) {
        const { value, s } = leading(a, b, j + 1);
        if (Math.abs(b[j] * s[j]) <= tolerance * Math.abs(value)) return { a, b, count: j + 1 };
      }
      scale(1 / b[j], w);
    }
    return { a, b, count: m };
  }
}

/** The largest eigenvalue of the leading tridiagonal block, and its vector. */
function leading(a: Float64Array, b: Float64Array, count: number): { value: number; s: Float64Array } {
  const d = a.slice(0, count);
  const Z = new Float64Array(count * count);
  for (let i = 0; i < count; i++) Z[i * count + i] = 1;
  tridiagonalEigen(d, b.slice(0, count), Z, count);
  let best = 0;
  for (let i = 1; i < count; i++) if (d[i] > d[best]) best = i;
  return { value: d[best], s: Z.subarray(best * count, (best + 1) * count) };
}
