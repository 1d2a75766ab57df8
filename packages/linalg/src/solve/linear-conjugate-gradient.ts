/**
 * Linear conjugate gradients with a preconditioner.
 *
 * Problem    A x = b, A symmetric positive definite and known by its products A v; M ≈ A with M z = r easy to solve.
 * Iteration  r = b − A x,  M z = r,  p = z,  ρ = ⟨r, z⟩; then until ‖r‖ ≤ tolerance · ‖b‖:
 *              q = A p,  κ = ⟨p, q⟩,  α = ρ / κ
 *              x ← x + α p,  r ← r − α q
 *              M z = r,  ρ' = ⟨r, z⟩,  p ← z + (ρ'/ρ) p,  ρ ← ρ'
 *
 * | symbol     | variable      | shape                              |
 * |------------|---------------|------------------------------------|
 * | x, b       | `x`, `b`      | n                                  |
 * | r, z, p    | `r`, `z`, `p` | n: residual, M⁻¹ r, direction      |
 * | q = A p    | `q`           | n (shares its array with z)        |
 * | κ          | `curvature`   | ⟨p, A p⟩ > 0 unless A is not p. d. |
 *
 * Hestenes, Stiefel: Methods of conjugate gradients for solving linear systems. J. Res. NBS 49 (1952) 409-436.
 * Preconditioned form: Golub, Van Loan: Matrix Computations, 4th ed., algorithm 11.5.1.
 * Differs from it: where a curvature is not positive or a product not finite, x stays as it is and the result says so; r, z and p
 * are in units of b where squares would overflow or vanish; and where it ends without converging, x is that of the least ‖r‖.
 */
import { CurvatureError } from "../errors.js";
import { axpy, norm2, powerOfTwoBelow } from "../kernels/vector.js";
import { allocated } from "../memory.js";
import {
  badArgument,
  callable,
  integerFrom,
  nonNegative,
  type OptionsOf,
  optionTable,
  unfit,
} from "../options.js";

/** Between them products of two vectors of b's size are well within the range of float64. */
const SMALL = 1e-100;
const LARGE = 1e100;

/** Writes a linear map of `v` into `out`; the arrays are never the same. */
export type LinearOperator = (v: Float64Array, out: Float64Array) => void;

export const linearConjugateGradientOptions = optionTable({
  /** Solves M z = r. Left out: M is the identity. */
  preconditioner: callable<LinearOperator>(),
  /** Stop at ‖r‖ ≤ tolerance · ‖b‖. */
  tolerance: nonNegative.default(1e-8),
  maxIterations: integerFrom(0).default(1000),
});
export type LinearConjugateGradientOptions = OptionsOf<typeof linearConjugateGradientOptions>;

export interface LinearConjugateGradientResult {
  /** Those completed; each costs one product with A, and the starting point one more. */
  readonly iterations: number;
  /** ‖r‖₂, r as it was updated. */
  readonly residualNorm: number;
  /** Whether ‖r‖ ≤ tolerance · ‖b‖. */
  readonly converged: boolean;
  /**
   * - `tolerance`: ‖r‖ ≤ tolerance · ‖b‖
   * - `max-iterations`
   * - `curvature`: ⟨p, A p⟩ ≤ 0 or ⟨r, M⁻¹ r⟩ ≤ 0: A or M is not positive definite (to working precision)
   * - `non-finite`: a product gave a NaN or an infinity
   */
  readonly reason: "tolerance" | "max-iterations" | "curvature" | "non-finite";
}

/** The arrays of conjugate gradients in n unknowns, for as many systems as one likes. */
export class LinearConjugateGradient {
  private readonly r: Float64Array;
  private readonly z: Float64Array;
  private readonly p: Float64Array;
  /** The x of the least ‖r‖, where ‖r‖ has risen since. */
  private best: Float64Array | undefined;

  /** @param size - n. @throws CurvatureError ERR_SHAPE, ERR_MEMORY */
  constructor(readonly size: number) {
    if (!Number.isSafeInteger(size) || size < 0) {
      throw unfit("ERR_SHAPE", "LinearConjugateGradient", "size", "a whole number of at least 0", size);
    }
    this.r = allocated(size, "LinearConjugateGradient");
    this.z = allocated(size, "LinearConjugateGradient");
    this.p = allocated(size, "LinearConjugateGradient");
  }

  /**
   * Solves A x = b, starting from the x that is given, into x. Allocates nothing but the result.
   *
   * @param multiply - A v
   * @param b - n
   * @param x - n; where it ends without converging, that of all it has been whose ‖r‖ is least, or 0 if that is better. For b = 0
   *   it becomes 0.
   * @throws CurvatureError ERR_SHAPE, ERR_OPTION, ERR_ARGUMENT
   */
  solve(
    multiply: LinearOperator,
    b: Float64Array,
    x: Float64Array,
    options?: LinearConjugateGradientOptions,
  ): LinearConjugateGradientResult {
    const { preconditioner, tolerance, maxIterations } = linearConjugateGradientOptions.resolve(
      "LinearConjugateGradient",
      options,
    );
    if (typeof multiply !== "function")
      throw badArgument(
        "LinearConjugateGradient",
        "multiply",
        "a function (v, out) that writes A v into out",
        multiply,
      );
    this.checkLengths(b, x);
    const { r, z, p, size: n } = this;
    const normOfB = length(b);
    if (normOfB === 0) {
      x.fill(0);
      return ended(0, 0, "tolerance");
    }
    const unit = SMALL < normOfB && normOfB < LARGE ? 1 : powerOfTwoBelow(normOfB);
    const target = tolerance * (normOfB / unit);
    multiply(x, r);
    for (let i = 0; i < n; i++) r[i] = (b[i] - r[i]) / unit;
    let residualNorm = length(r);
    let rho = 0;
    let least = Number.POSITIVE_INFINITY;
    const failed = (
      iteration: number,
      reason: Exclude<LinearConjugateGradientResult["reason"], "tolerance">,
    ): LinearConjugateGradientResult => {
      const norm = this.takeBest(x, residualNorm, least, normOfB / unit);
      return ended(iteration, norm * unit, reason);
    };
    for (let iteration = 0; ; iteration++) {
      if (!Number.isFinite(residualNorm)) return failed(iteration, "non-finite");
      if (residualNorm <= target) return ended(iteration, residualNorm * unit, "tolerance");
      if (iteration === maxIterations) return failed(iteration, "max-iterations");

      if (preconditioner === undefined) z.set(r);
      else preconditioner(r, z);
      const next = dot(r, z);
      if (!(next > 0 && Number.isFinite(next))) return failed(iteration, breakdown(next));
      const beta = iteration === 0 ? 0 : next / rho;
      rho = next;
      for (let i = 0; i < n; i++) p[i] = z[i] + beta * p[i];

      const q = z;
      multiply(p, q);
      const curvature = dot(p, q);
      if (!(curvature > 0 && Number.isFinite(curvature))) {
        return failed(iteration, breakdown(curvature));
      }
      const alpha = rho / curvature;
      axpy(-alpha, q, r);
      const before = residualNorm;
      residualNorm = length(r);
      if (!(residualNorm <= before) && before < least) {
        least = before;
        this.best ??= allocated(n, "LinearConjugateGradient");
        this.best.set(x);
      }
      axpy(alpha * unit, p, x);
    }
  }

  /** x of the least ‖r‖: the last, the one that was kept, or 0, whose r is b. Returns ‖r‖. */
  private takeBest(x: Float64Array, last: number, kept: number, ofZero: number): number {
    if (last <= kept && last <= ofZero) return last;
    if (this.best !== undefined && kept <= ofZero) {
      x.set(this.best);
      return kept;
    }
    x.fill(0);
    return ofZero;
  }

  private checkLengths(b: Float64Array, x: Float64Array): void {
    if (this.isVector(b) && this.isVector(x) && b !== x) return;
    throw new CurvatureError(
      "ERR_SHAPE",
      `b and x must be two arrays of length ${this.size}; received ${b?.length} and ${x?.length}.`,
      {
        where: "LinearConjugateGradient",
        path: "b, x",
        expected: `two Float64Arrays of length ${this.size}`,
        received: [b?.length, x?.length],
      },
    );
  }

  private isVector(x: Float64Array): boolean {
    return x instanceof Float64Array && x.length === this.size;
  }
}

function ended(
  iterations: number,
  residualNorm: number,
  reason: LinearConjugateGradientResult["reason"],
): LinearConjugateGradientResult {
  return { iterations, residualNorm, converged: reason === "tolerance", reason };
}

function breakdown(product: number): "curvature" | "non-finite" {
  return Number.isFinite(product) ? "curvature" : "non-finite";
}

/** ‖x‖₂, right also where the squares overflow or vanish. */
function length(x: Float64Array): number {
  const squares = dot(x, x);
  return squares > 1e-280 && squares < Number.POSITIVE_INFINITY ? Math.sqrt(squares) : norm2(x);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
