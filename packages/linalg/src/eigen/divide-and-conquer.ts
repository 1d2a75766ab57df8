/**
 * Eigenvalues and eigenvectors of a symmetric tridiagonal matrix by divide and conquer.
 *
 * Divide     T = diag(T₁, T₂) + |β| u uᵀ, β the coupling between the halves, u = e_m + sign(β) e_{m+1}; the last entry of
 *            T₁ and the first of T₂ less |β|
 * Conquer    T₁, T₂ = Yᵀ D Y;  T = Yᵀ (D + ρ z zᵀ) Y,  z = Y u / √2,  ρ = 2 |β|
 * Deflate    a z_j of next to nothing: (d_j, y_j) is a pair of T. Two d that are next to equal: a rotation of their rows
 *            takes one of the z to 0
 * Secular    eigenvalues λ_i of D + ρ z zᵀ (`secular.ts`); its eigenvectors s_i = (ẑ_j / (d_j − λ_i))_j, normalised, ẑ
 *            that vector whose eigenvalues are exactly these λ, so that the s_i are orthogonal whatever their errors:
 *            ẑ_j² = Π_i (λ_i − d_j) / Π_{i≠j} (d_i − d_j)
 * Vectors    Y ← S Y: rows of Y that come from T₁ alone, from both, and from T₂ alone go together, and the products
 *            leave out their zeros
 *
 * | symbol | variable | shape                                                              |
 * |--------|----------|--------------------------------------------------------------------|
 * | d, e   | d, e     | n; e[i] couples i and i + 1                                         |
 * | Y      | Y        | n × n, blocks on its diagonal until all are one; rows are vectors   |
 *
 * Cuppen: A divide and conquer method for the symmetric tridiagonal eigenproblem. Numer. Math. 36 (1981) 177-195. Gu,
 * Eisenstat: A divide-and-conquer algorithm for the symmetric tridiagonal eigenproblem. SIAM J. Matrix Anal. Appl. 16
 * (1995) 172-191, section 3 (ẑ). At most 4/3 n³ operations, all in products, and O(n²).
 */
import { ProductWorkspace } from "../kernels/gemm.js";
import { gemm } from "../kernels/product.js";
import { maxAbs, norm2, scale } from "../kernels/vector.js";
import { secularRoots } from "./secular.js";
import { tridiagonalEigen } from "./tridiagonal.js";

/** Rows up to which QL is quicker. */
const LEAF = 64;
const EPSILON = 2 ** -52;

/**
 * d becomes the eigenvalues, in no order; e is lost.
 *
 * @returns Y, row i the eigenvector of d[i]
 * @throws CurvatureError ERR_NON_FINITE
 */
export function divideAndConquer(d: Float64Array, e: Float64Array): Float64Array {
  const negligible = EPSILON * EPSILON * Math.max(maxAbs(d), maxAbs(e));
  for (let i = 0; i < e.length; i++) if (Math.abs(e[i]) <= negligible) e[i] = 0; // no block comes near underflow
  const division = new Division(d, e);
  division.solve(0, d.length);
  return division.Y;
}

/** Where a row of Y has entries other than 0. */
const FIRST_HALF = 0;
const BOTH = 1;
const SECOND_HALF = 2;

class Division {
  readonly Y: Float64Array;
  private readonly n: number;
  /** Rows of Y, gathered. */
  private readonly gathered: Float64Array;
  /** d_j − λ_i, then S. */
  private readonly S: Float64Array;
  private readonly z: Float64Array;
  private readonly parts: Uint8Array;
  private readonly workspace = new ProductWorkspace();

  constructor(
    private readonly d: Float64Array,
    private readonly e: Float64Array,
  ) {
    const n = d.length;
    this.n = n;
    this.Y = new Float64Array(n * n);
    this.gathered = new Float64Array(n * n);
    this.S = new Float64Array(n * n);
    this.z = new Float64Array(n);
    this.parts = new Uint8Array(n);
  }

  /** The pairs of rows `from` … `to` − 1. */
  solve(from: number, to: number): void {
    const { d, e } = this;
    if (to - from <= LEAF) {
      this.solveLeaf(from, to);
      return;
    }
    const middle = (from + to) >> 1;
    const coupling = e[middle - 1];
    d[middle - 1] -= Math.abs(coupling);
    d[middle] -= Math.abs(coupling);
    this.solve(from, middle);
    this.solve(middle, to);
    this.merge(from, middle, to, coupling);
  }

  private solveLeaf(from: number, to: number): void {
    const { d, e, Y, n } = this;
    const size = to - from;
    const vectors = new Float64Array(size * size);
    for (let i = 0; i < size; i++) vectors[i * size + i] = 1;
    tridiagonalEigen(d.subarray(from, to), e.slice(from, to), vectors, size);
    for (let i = 0; i < size; i++) Y.set(vectors.subarray(i * size, (i + 1) * size), (from + i) * n + from);
  }

  private merge(from: number, middle: number, to: number, coupling: number): void {
    const { d, Y, n, z, parts } = this;
    const second = coupling < 0 ? -Math.SQRT1_2 : Math.SQRT1_2;
    for (let i = from; i < to; i++) {
      const isFirst = i < middle;
      z[i] = isFirst ? Y[i * n + middle - 1] * Math.SQRT1_2 : Y[i * n + middle] * second;
      parts[i] = isFirst ? FIRST_HALF : SECOND_HALF;
    }
    const rho = 2 * Math.abs(coupling);
    const { kept, deflated } = this.deflate(from, to, rho);
    const k = kept.length;
    if (k === 0) return;
    const poles = Float64Array.from(kept, (j) => d[j]);
    const weights = Float64Array.from(kept, (j) => z[j]);
    const roots = new Float64Array(k);
    const S = this.S.subarray(0, k * k);
    secularRoots(poles, weights, rho, roots, S);
    const grouped = kept.map((_, j) => j).sort((a, b) => parts[kept[a]] - parts[kept[b]] || a - b);
    formVectors(poles, weights, S, grouped);
    const firsts = kept.filter((j) => parts[j] === FIRST_HALF).length;
    const seconds = kept.filter((j) => parts[j] === SECOND_HALF).length;
    this.gather([...grouped.map((j) => kept[j]), ...deflated], from, to);
    this.multiply(from, middle, to, k, firsts, seconds);
    const values = Float64Array.from(deflated, (j) => d[j]);
    d.set(roots, from);
    d.set(values, from + k);
  }

  /** The rows that are left, by increasing d, and those that are pairs already. */
  private deflate(from: number, to: number, rho: number): { kept: number[]; deflated: number[] } {
    const { d, z } = this;
    const order = Array.from({ length: to - from }, (_, i) => from + i).sort((a, b) => d[a] - d[b] || a - b);
    const size = Math.max(Math.abs(d[order[0]]), Math.abs(d[order[order.length - 1]]), rho);
    const tolerance = 8 * EPSILON * size;
    const kept: number[] = [];
    const deflated: number[] = [];
    let last = -1;
    for (const j of order) {
      if (rho * Math.abs(z[j]) <= tolerance) {
        deflated.push(j);
        continue;
      }
      if (last >= 0) {
        const length = Math.sqrt(z[last] * z[last] + z[j] * z[j]);
        const c = z[j] / length;
        const s = z[last] / length;
        if (Math.abs((d[j] - d[last]) * c * s) <= tolerance) {
          this.rotate(last, j, c, s, from, to);
          z[j] = length;
          deflated.push(last);
        } else kept.push(last);
      }
      last = j;
    }
    if (last >= 0) kept.push(last);
    return { kept, deflated };
  }

  /** (y_a, y_b) ← (c y_a − s y_b, s y_a + c y_b), and their d with them. */
  private rotate(a: number, b: number, c: number, s: number, from: number, to: number): void {
    const { d, Y, n, parts } = this;
    for (let k = from; k < to; k++) {
      const ya = Y[a * n + k];
      const yb = Y[b * n + k];
      Y[a * n + k] = c * ya - s * yb;
      Y[b * n + k] = s * ya + c * yb;
    }
    const da = d[a];
    const db = d[b];
    d[a] = c * c * da + s * s * db;
    d[b] = s * s * da + c * c * db;
    if (parts[a] !== parts[b]) parts[b] = BOTH;
  }

  private gather(rows: readonly number[], from: number, to: number): void {
    const { Y, n, gathered } = this;
    const width = to - from;
    rows.forEach((row, i) => {
      gathered.set(Y.subarray(row * n + from, row * n + to), i * width);
    });
  }

  /** S times the rows that were gathered into the first k rows of the block, and those beyond them as they are. */
  private multiply(
    from: number,
    middle: number,
    to: number,
    k: number,
    firsts: number,
    seconds: number,
  ): void {
    const { Y, n, gathered, S, workspace } = this;
    const width = to - from;
    for (let i = 0; i < width; i++) {
      const at = (from + i) * n + from;
      if (i < k) Y.fill(0, at, at + width);
      else Y.set(gathered.subarray(i * width, (i + 1) * width), at);
    }
    const product = (left: number, right: number, first: number, count: number): void => {
      const A = { data: S, offset: first, rowStride: k, columnStride: 1 };
      const B = { data: gathered, offset: first * width + left - from, rowStride: width, columnStride: 1 };
      const C = { data: Y, offset: from * n + left, rowStride: n, columnStride: 1 };
      gemm(1, k, right - left, count, A, B, C, false, workspace, true);
    };
    product(from, middle, 0, k - seconds);
    product(middle, to, firsts, k - firsts);
  }
}

/** The rows of S in the place of the differences d_j − λ_i, entry j at the place that `grouped` has it. */
function formVectors(d: Float64Array, z: Float64Array, S: Float64Array, grouped: readonly number[]): void {
  const k = d.length;
  const products = new Float64Array(k).fill(-1);
  for (let i = 0; i < k; i++) {
    const row = i * k;
    for (let j = 0; j < i; j++) products[j] *= S[row + j] / (d[j] - d[i]);
    products[i] *= S[row + i];
    for (let j = i + 1; j < k; j++) products[j] *= S[row + j] / (d[j] - d[i]);
  }
  for (let j = 0; j < k; j++) products[j] = z[j] < 0 ? -Math.sqrt(products[j]) : Math.sqrt(products[j]);
  const s = new Float64Array(k);
  for (let i = 0; i < k; i++) {
    const row = S.subarray(i * k, (i + 1) * k);
    for (let p = 0; p < k; p++) s[p] = products[grouped[p]] / row[grouped[p]];
    scale(1 / norm2(s), s);
    row.set(s);
  }
}
