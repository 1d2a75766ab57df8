/**
 * The matrices of the dual phase, B = J (c_D D + c_a |A| + c A) J, from one n × n state A in float32 and D in float64,
 * as products that never form B.
 *
 * | matrix                         | where                | c_D | c_a | c    |
 * |--------------------------------|----------------------|-----|-----|------|
 * | |W| + D/ρ                      | ADMM                 | 1/ρ | 1   | 0    |
 * | (U + D)/ρ, U = T + ρ Q         | dual gradient        | 1/ρ | 0   | 1/ρ  |
 * | D + ρ [−W]_+                   | upper bound          | 1   | ρ/2 | −ρ/2 |
 *
 * Entries are combined as they are packed for the product, so that three coefficients cost what one would. The products
 * run in float64: in JavaScript float32 arithmetic is no faster, only its storage is smaller.
 */
import { type DenseMatrix, multiplyGenerated, type Panel, zeros } from "@curvature/linalg";
import { centreRows } from "./rows.js";

export interface Coefficients {
  /** c_D */
  readonly gram: number;
  /** c_a */
  readonly absolute: number;
  /** c */
  readonly plain: number;
}

export class SymmetricSum {
  constructor(
    readonly n: number,
    private readonly D: Float64Array,
    private readonly A: Float32Array,
    private readonly c: Coefficients,
  ) {}

  /** V B of rows V (k × n) that are orthogonal to 1; so are those of the result. 2 k n² operations. */
  multiply(V: DenseMatrix): DenseMatrix {
    const { n, D, A, c } = this;
    const VB = zeros(V.rows, n);
    multiplyGenerated(
      V,
      (panel, row, deep, column) => {
        if (column + 4 <= n) fillPanel(panel, D, A, column * n + row, n, deep, c);
        else fillLastPanel(panel, D, A, column * n + row, n, n - column, deep, c);
      },
      VB,
    );
    centreRows(VB);
    return VB;
  }

  /** J B v into `out`, v orthogonal to 1; of D and A the lower triangles alone are read. */
  multiplyVector(v: Float64Array, out: Float64Array): void {
    const { n, D, A, c } = this;
    let sum = 0;
    for (let i = 0; i < n; i++) addRow(D, A, i, v, out, c);
    for (let i = 0; i < n; i++) sum += out[i];
    const mean = sum / n;
    for (let i = 0; i < n; i++) out[i] -= mean;
  }

  /** 1ᵀ (c_a |A| + c A) 1, which is all of it as D 1 = 0. */
  entrySum(): number {
    const { A, c } = this;
    let sum = 0;
    for (let k = 0; k < A.length; k++) sum += c.absolute * Math.abs(A[k]) + c.plain * A[k];
    return sum;
  }

  /** c_D D + c_a |A| + c A, n × n, not centred. */
  writeDense(out: DenseMatrix): void {
    const { D, A, c } = this;
    const { gram, absolute, plain } = c;
    for (let k = 0; k < D.length; k++) out.data[k] = gram * D[k] + absolute * Math.abs(A[k]) + plain * A[k];
  }
}

/** Four columns of a symmetric matrix are four of its rows. */
function fillPanel(
  { data, start, step }: Panel,
  D: Float64Array,
  A: Float32Array,
  from: number,
  n: number,
  deep: number,
  { gram, absolute, plain }: Coefficients,
): void {
  for (let at = from, to = start; at < from + deep; at++, to += step) {
    const a0 = A[at];
    const a1 = A[at + n];
    const a2 = A[at + 2 * n];
    const a3 = A[at + 3 * n];
    data[to] = gram * D[at] + absolute * Math.abs(a0) + plain * a0;
    data[to + 1] = gram * D[at + n] + absolute * Math.abs(a1) + plain * a1;
    data[to + 2] = gram * D[at + 2 * n] + absolute * Math.abs(a2) + plain * a2;
    data[to + 3] = gram * D[at + 3 * n] + absolute * Math.abs(a3) + plain * a3;
  }
}

function fillLastPanel(
  { data, start, step }: Panel,
  D: Float64Array,
  A: Float32Array,
  from: number,
  n: number,
  lanes: number,
  deep: number,
  { gram, absolute, plain }: Coefficients,
): void {
  for (let p = 0; p < deep; p++)
    for (let lane = 0; lane < 4; lane++) {
      const at = from + lane * n + p;
      data[start + step * p + lane] =
        lane < lanes ? gram * D[at] + absolute * Math.abs(A[at]) + plain * A[at] : 0;
    }
}

/** Row i up to the diagonal, which is column i, too: out_i ← its product with v, and out_j, j < i, what it adds to theirs. */
function addRow(
  D: Float64Array,
  A: Float32Array,
  i: number,
  v: Float64Array,
  out: Float64Array,
  { gram, absolute, plain }: Coefficients,
): void {
  const row = i * v.length;
  const vi = v[i];
  const whole = i - (i % 2);
  let s0 = 0;
  let s1 = 0;
  for (let j = 0; j < whole; j += 2) {
    const a0 = A[row + j];
    const a1 = A[row + j + 1];
    const m0 = gram * D[row + j] + absolute * Math.abs(a0) + plain * a0;
    const m1 = gram * D[row + j + 1] + absolute * Math.abs(a1) + plain * a1;
    s0 += m0 * v[j];
    s1 += m1 * v[j + 1];
    out[j] += m0 * vi;
    out[j + 1] += m1 * vi;
  }
  if (whole < i) {
    const a = A[row + whole];
    const m = gram * D[row + whole] + absolute * Math.abs(a) + plain * a;
    s0 += m * v[whole];
    out[whole] += m * vi;
  }
  const a = A[row + i];
  out[i] = s0 + s1 + (gram * D[row + i] + absolute * Math.abs(a) + plain * a) * vi;
}
