/**
 * The orthogonal complement of a vector b, by one Householder reflection.
 *
 * Reflection   u = b/‖b‖ + e_n (− where b_n < 0),  H = I − β u uᵀ,  β = 2 / uᵀu;  H b = ∓‖b‖ e_n
 * Restriction  Ã = the leading (n − 1) × (n − 1) block of H A H = A − u wᵀ − w uᵀ,
 *              p = β A u,  w = p − (β/2)(pᵀu) u
 * Extension    H [P̃ 0; 0 0] H, whose rows are orthogonal to b
 *
 * The columns of H but the last are an orthonormal basis of b's complement, so that the eigenvalues of Ã are those of A
 * restricted to it: nothing is to be distinguished from the eigenvalue 0 of a projected matrix, and no shift is to be chosen.
 *
 * Golub, Van Loan: Matrix Computations, 4th edition, section 5.1. O(n²) for matrices, O(n) for vectors.
 */
import {
  axpy,
  type DenseMatrix,
  dot,
  norm2,
  type SymmetricOperator,
  symmetricTimesVector,
  zeros,
} from "@curvature/linalg";

export class Complement {
  readonly n: number;
  private readonly u: Float64Array;
  private readonly beta: number;
  private readonly p: Float64Array;

  /** @param b - not zero; copied */
  constructor(b: Float64Array) {
    this.n = b.length;
    const size = norm2(b);
    this.u = b.map((entry) => entry / size);
    this.u[this.n - 1] += b[this.n - 1] < 0 ? -1 : 1;
    this.beta = 2 / dot(this.u, this.u);
    this.p = new Float64Array(this.n);
  }

  /** The complement of the vector of ones. */
  static ofOnes(n: number): Complement {
    return new Complement(new Float64Array(n).fill(1));
  }

  /** Ã of a symmetric A into `out`, (n − 1) × (n − 1). */
  restrict(A: DenseMatrix, out: DenseMatrix): void {
    const { n, u, beta, p: w } = this;
    symmetricTimesVector(A, u, w);
    for (let i = 0; i < n; i++) w[i] *= beta;
    axpy((-beta / 2) * dot(w, u), u, w);
    const m = n - 1;
    for (let i = 0; i < m; i++) {
      const ui = u[i];
      const wi = w[i];
      const from = i * n;
      const to = i * m;
      for (let j = 0; j < m; j++) out.data[to + j] = A.data[from + j] - (ui * w[j] + wi * u[j]);
    }
  }

  /** H [P̃ 0; 0 0] H of a symmetric P̃, (n − 1) × (n − 1), into `out`, n × n. */
  extend(P: DenseMatrix, out: DenseMatrix): void {
    const { n, u, beta, p: w } = this;
    const m = n - 1;
    symmetricTimesVector(P, u, w); // reads the first n − 1 entries of u
    w[m] = 0;
    for (let i = 0; i < n; i++) w[i] *= beta;
    axpy((-beta / 2) * dot(w, u), u, w);
    for (let i = 0; i < n; i++) {
      const ui = u[i];
      const wi = w[i];
      const to = i * n;
      const from = i * m;
      for (let j = 0; j < m; j++) out.data[to + j] = (i < m ? P.data[from + j] : 0) - (ui * w[j] + wi * u[j]);
      out.data[to + m] = -(ui * w[m] + wi * u[m]);
    }
  }

  /** H [v; 0], of n entries and orthogonal to b, of a v of n − 1 entries. */
  extendVector(v: Float64Array, out: Float64Array): void {
    const { n, u, beta } = this;
    let sum = 0;
    for (let i = 0; i < n - 1; i++) sum += u[i] * v[i];
    sum *= beta;
    for (let i = 0; i < n - 1; i++) out[i] = v[i] - sum * u[i];
    out[n - 1] = -sum * u[n - 1];
  }

  /** The first n − 1 entries of H v, which are v's coordinates in the complement's basis. */
  restrictVector(v: Float64Array, out: Float64Array): void {
    const { n, u, beta } = this;
    const sum = beta * dot(u, v);
    for (let i = 0; i < n - 1; i++) out[i] = v[i] - sum * u[i];
  }

  /** v ↦ Ã v of a symmetric A that is given by its products. */
  restrictOperator(A: SymmetricOperator): SymmetricOperator {
    const long = new Float64Array(this.n);
    const product = new Float64Array(this.n);
    return (v, out) => {
      this.extendVector(v, long);
      A(long, product);
      this.restrictVector(product, out);
    };
  }
}

/** A matrix of the complement's size. */
export function restrictedZeros(n: number): DenseMatrix {
  return zeros(n - 1, n - 1);
}
