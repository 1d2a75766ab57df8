/**
 * The smallest eigenpairs of a symmetric A, with a preconditioner: LOBPCG on an orthonormal basis.
 *
 * Iteration  S = [X; P; W],  W = T R,  R = A X − Θ X      X: the block of Ritz vectors, P: their last changes
 *            H = S A Sᵀ = Y Θ Yᵀ;  X ← the first rows of Yᵀ S;  P ← the part of these outside the old X
 *
 * | symbol     | variable       | shape                                                     |
 * |------------|----------------|-----------------------------------------------------------|
 * | S, A S     | S, AS          | up to 3 b rows of n; b = count and a few more              |
 * | T          | preconditioner | r ↦ an approximation of A⁻¹ r; a solve with A + σ I is best |
 * | Θ          | theta          | Ritz values, increasing                                    |
 *
 * Knyazev: Toward the optimal preconditioned eigensolver. SIAM J. Sci. Comput. 23 (2001) 517-541.
 * doi:10.1137/S1064827500366124. Differs from it, for stability: S is kept orthonormal, and P is made so among the
 * coefficients, as in Hetmaniuk, Lehoucq: Basis selection in LOBPCG. J. Comput. Phys. 218 (2006) 324-332, which also
 * gives A P without a product.
 *
 * Per iteration b products, b preconditionings and 30 b² n operations.
 */
import { type DenseMatrix, zeros } from "../dense/matrix.js";
import { multiplyTranspose } from "../dense/product.js";
import { CurvatureError } from "../errors.js";
import { norm2, scale } from "../kernels/vector.js";
import { allocated } from "../memory.js";
import { RandomGenerator } from "../random/generator.js";
import {
  type Limits,
  measuredPairs,
  type OperatorPairs,
  operatorNotFinite,
  partialPairs,
  type Searched,
  type SymmetricOperator,
  target,
} from "./operator.js";
import { combineRows, project, randomDirection } from "./orthogonal.js";
import { symmetricEigen } from "./symmetric.js";

interface Settings extends Limits {
  readonly maxIterations: number;
}

/** Lengths below it have no reciprocal with room to spare. */
const TINY = 2 ** -960;

export class BlockIteration {
  /** X, then P, then W. */
  private S: Float64Array;
  private AS: Float64Array;
  private theta = new Float64Array(0);
  private sizeP = 0;
  private size = 0;
  private products = 0;
  private readonly random: RandomGenerator;
  private readonly coefficients: Float64Array;

  constructor(
    private readonly operator: SymmetricOperator,
    private readonly preconditioner: SymmetricOperator | undefined,
    private readonly n: number,
    private readonly b: number,
    seed: number,
  ) {
    this.random = new RandomGenerator(seed);
    this.S = allocated(3 * b * n, "blockEigen");
    this.AS = allocated(3 * b * n, "blockEigen");
    this.coefficients = new Float64Array(3 * b);
    for (let i = 0; i < b; i++) {
      randomDirection(this.random, { data: this.S, count: i }, this.row(this.S, i));
      this.multiply(i);
    }
    this.rayleighRitz(b);
  }

  run(count: number, settings: Settings): Searched {
    const { n, b } = this;
    const residual = new Float64Array(n);
    for (let iteration = 0; ; iteration++) {
      if (iteration % 32 === 31) this.refresh();
      let [done, worst, limit] = [true, 0, 0];
      let rows = b + this.sizeP;
      for (let i = 0; i < b; i++) {
        const norm = this.residual(i, residual);
        const most = target(settings, this.theta[i], this.size, n);
        if (i < count && !(norm <= most)) {
          done = false;
          if (worst === 0 || norm / most > worst / limit) [worst, limit] = [norm, most];
        }
        if (norm > most * 0.1) rows += this.appendPreconditioned(residual, rows);
      }
      if (done) break;
      if (iteration === settings.maxIterations)
        throw notConverged(settings, worst, limit, this.finished(count, settings));
      if (rows === b + this.sizeP) rows += this.appendRandom(rows);
      for (let i = b + this.sizeP; i < rows; i++) this.multiply(i);
      this.rayleighRitz(rows);
    }
    return this.reached(count);
  }

  private reached(count: number): Searched {
    const { theta, S, n, size, products } = this;
    return { values: theta.slice(0, count), vectors: S.slice(0, count * n), size, products };
  }

  private finished(count: number, limits: Limits): OperatorPairs {
    const pairs = measuredPairs(this.operator, this.n, this.reached(count), limits);
    return partialPairs("blockEigen", this.operator, pairs, this.size);
  }

  private row(block: Float64Array, i: number): Float64Array {
    return block.subarray(i * this.n, (i + 1) * this.n);
  }

  private multiply(i: number): void {
    const out = this.row(this.AS, i);
    this.operator(this.row(this.S, i), out);
    this.products++;
    if (!Number.isFinite(norm2(out))) throw operatorNotFinite("blockEigen");
  }

  /** R_i into `out`; returns its length. */
  private residual(i: number, out: Float64Array): number {
    const x = this.row(this.S, i);
    const Ax = this.row(this.AS, i);
    for (let k = 0; k < out.length; k++) out[k] = Ax[k] - this.theta[i] * x[k];
    return norm2(out);
  }

  /** T r as a new row of S, orthonormal to those before; 0 if it lies in their span. */
  private appendPreconditioned(r: Float64Array, at: number): 0 | 1 {
    const w = this.row(this.S, at);
    if (this.preconditioner === undefined) w.set(r);
    else this.preconditioner(r, w);
    return this.orthonormalize(at) ? 1 : 0;
  }

  private appendRandom(at: number): 0 | 1 {
    return randomDirection(this.random, { data: this.S, count: at }, this.row(this.S, at)) ? 1 : 0;
  }

  private orthonormalize(at: number): boolean {
    const w = this.row(this.S, at);
    if (norm2(w) < TINY) scale(1 / TINY, w);
    for (let pass = 0; pass < 2; pass++) {
      const before = norm2(w);
      if (!Number.isFinite(before)) throw operatorNotFinite("blockEigen");
      if (before === 0) return false;
      scale(1 / before, w);
      project({ data: this.S, count: at }, w, this.coefficients);
      const after = norm2(w);
      if (after < 1e-10) return false;
      scale(1 / after, w);
      if (after > 1e-3) break;
    }
    return true;
  }

  /** The best X in the span of the first `rows` rows of S, and the P that led there. */
  private rayleighRitz(rows: number): void {
    const { n, b, S, AS } = this;
    const block = (data: Float64Array): DenseMatrix => ({
      rows,
      columns: n,
      data: data.subarray(0, rows * n),
    });
    const { values, vectors: Y } = symmetricEigen(multiplyTranspose(block(AS), block(S)));
    this.theta = values.slice(0, b);
    this.size = Math.max(this.size, Math.abs(values[0]), Math.abs(values[rows - 1]));
    const C = newCoefficients(Y, b);
    this.sizeP = C.rows - b;
    S.set(combineRows(C, S, n));
    AS.set(combineRows(C, AS, n));
  }

  /** Takes off what rounding has gathered in X, P and their products. */
  private refresh(): void {
    let rows = 0;
    for (let i = 0; i < this.b + this.sizeP; i++) {
      this.S.copyWithin(rows * this.n, i * this.n, (i + 1) * this.n);
      if (!this.orthonormalize(rows)) continue;
      this.multiply(rows);
      rows++;
    }
    this.rayleighRitz(rows);
  }
}

/**
 * The coefficients of X and then P in S: the first b rows of Y, and the same without their share in the old X, made
 * orthonormal to X and to each other; those that vanish are left out.
 */
function newCoefficients(Y: DenseMatrix, b: number): DenseMatrix {
  const s = Y.columns;
  const C = zeros(2 * b, s);
  C.data.set(Y.data.subarray(0, b * s));
  const scratch = new Float64Array(2 * b);
  let rows = b;
  for (let i = 0; i < b && rows < s; i++) {
    const p = C.data.subarray(rows * s, (rows + 1) * s);
    p.fill(0, 0, Math.min(b, s));
    p.set(Y.data.subarray(i * s + b, (i + 1) * s), b);
    const before = norm2(p);
    project({ data: C.data, count: rows }, p, scratch);
    const after = norm2(p);
    if (!(after > 1e-8 * before)) continue;
    scale(1 / after, p);
    project({ data: C.data, count: rows }, p, scratch);
    scale(1 / norm2(p), p);
    rows++;
  }
  return { rows, columns: s, data: C.data.subarray(0, rows * s) };
}

function notConverged(
  settings: Settings,
  residual: number,
  limit: number,
  partial: OperatorPairs,
): CurvatureError {
  return new CurvatureError(
    "ERR_NO_CONVERGENCE",
    `after ${settings.maxIterations} iterations a residual is ${residual}, above its limit ${limit}; ${partial.values.length} pairs are done. Raise maxIterations or tolerance, give a better preconditioner, or compare residuals with the operator's size (relativeTo: "operator").`,
    { where: "blockEigen", path: "maxIterations", expected: `at most ${limit}`, received: residual, partial },
  );
}
