/**
 * Products of parts of flat row-major arrays, C ← A B or C ← C + A B, into given arrays and without allocation: the
 * parameters of a layer lie inside x, and a minibatch goes through it at once.
 *
 * Both factors are packed in panels of four, in scratch arrays that belong to the object, and the innermost loop updates
 * 4 × 4 entries of C in local variables (Goto, van de Geijn: Anatomy of high-performance matrix multiplication, ACM TOMS
 * 34 (2008)). Every entry is a sum over k in increasing order within blocks of `DEPTH`, so that a row of the result does
 * not depend on the rows beside it.
 */
const DEPTH = 256;
const HEIGHT = 64;
const WIDTH = 256;

export class MatrixProduct {
  /** Packed panels of A and B; they grow to what the largest product needs. */
  private left = new Float64Array();
  private right = new Float64Array();

  /** C (m × n) ← [C +] A (m × k) B (k × n) */
  times(
    m: number,
    n: number,
    k: number,
    A: Float64Array,
    aAt: number,
    B: Float64Array,
    bAt: number,
    C: Float64Array,
    cAt: number,
    adds: boolean,
  ): void {
    this.product(m, n, k, A, aAt, k, 1, B, bAt, n, 1, C, cAt, adds);
  }

  /** C (m × n) ← [C +] A (m × k) Bᵀ, B (n × k) */
  timesTranspose(
    m: number,
    n: number,
    k: number,
    A: Float64Array,
    aAt: number,
    B: Float64Array,
    bAt: number,
    C: Float64Array,
    cAt: number,
    adds: boolean,
  ): void {
    this.product(m, n, k, A, aAt, k, 1, B, bAt, 1, k, C, cAt, adds);
  }

  /** C (m × n) ← [C +] Aᵀ B, A (k × m), B (k × n) */
  transposeTimes(
    m: number,
    n: number,
    k: number,
    A: Float64Array,
    aAt: number,
    B: Float64Array,
    bAt: number,
    C: Float64Array,
    cAt: number,
    adds: boolean,
  ): void {
    this.product(m, n, k, A, aAt, 1, m, B, bAt, n, 1, C, cAt, adds);
  }

  /** Entry (i, p) of A is A[aAt + i aRow + p aColumn], and B's and C's likewise; C's rows are contiguous. */
  private product(
    m: number,
    n: number,
    k: number,
    A: Float64Array,
    aAt: number,
    aRow: number,
    aColumn: number,
    B: Float64Array,
    bAt: number,
    bRow: number,
    bColumn: number,
    C: Float64Array,
    cAt: number,
    adds: boolean,
  ): void {
    const depth = Math.min(DEPTH, k);
    const leftSize = roundedUp(Math.min(HEIGHT, m)) * depth;
    const rightSize = roundedUp(Math.min(WIDTH, n)) * depth;
    if (this.left.length < leftSize) this.left = new Float64Array(leftSize);
    if (this.right.length < rightSize) this.right = new Float64Array(rightSize);
    const { left, right } = this;
    if (!adds) C.fill(0, cAt, cAt + m * n);
    for (let j0 = 0; j0 < n; j0 += WIDTH) {
      const width = Math.min(WIDTH, n - j0);
      for (let p0 = 0; p0 < k; p0 += DEPTH) {
        const deep = Math.min(DEPTH, k - p0);
        pack(right, B, bAt + p0 * bRow + j0 * bColumn, width, deep, bColumn, bRow);
        for (let i0 = 0; i0 < m; i0 += HEIGHT) {
          const height = Math.min(HEIGHT, m - i0);
          pack(left, A, aAt + i0 * aRow + p0 * aColumn, height, deep, aRow, aColumn);
          for (let i = 0; i < height; i += 4)
            for (let j = 0; j < width; j += 4)
              tile(
                left,
                i * deep,
                right,
                j * deep,
                deep,
                C,
                cAt + (i0 + i) * n + j0 + j,
                n,
                height - i,
                width - j,
              );
        }
      }
    }
  }
}

const roundedUp = (n: number): number => (n + 3) & ~3;

/** Panels of four: entry (i, p) of the source goes to panel i/4, place 4 p + i mod 4; the last is filled up with zeros. */
function pack(
  packed: Float64Array,
  source: Float64Array,
  start: number,
  count: number,
  deep: number,
  stride: number,
  depthStride: number,
): void {
  for (let i = 0; i < count; i += 4) {
    const lanes = Math.min(4, count - i);
    let at = i * deep;
    let from = start + i * stride;
    if (lanes === 4) {
      for (let p = 0; p < deep; p++, at += 4, from += depthStride) {
        packed[at] = source[from];
        packed[at + 1] = source[from + stride];
        packed[at + 2] = source[from + 2 * stride];
        packed[at + 3] = source[from + 3 * stride];
      }
    } else {
      for (let p = 0; p < deep; p++, at += 4, from += depthStride)
        for (let lane = 0; lane < 4; lane++)
          packed[at + lane] = lane < lanes ? source[from + lane * stride] : 0;
    }
  }
}

/** Adds up to 4 × 4 entries of the product to C from `at` on. */
function tile(
  a: Float64Array,
  aStart: number,
  b: Float64Array,
  bStart: number,
  deep: number,
  C: Float64Array,
  at: number,
  stride: number,
  rows: number,
  columns: number,
): void {
  let c00 = 0;
  let c01 = 0;
  let c02 = 0;
  let c03 = 0;
  let c10 = 0;
  let c11 = 0;
  let c12 = 0;
  let c13 = 0;
  let c20 = 0;
  let c21 = 0;
  let c22 = 0;
  let c23 = 0;
  let c30 = 0;
  let c31 = 0;
  let c32 = 0;
  let c33 = 0;
  for (let p = 0, ia = aStart, ib = bStart; p < deep; p++, ia += 4, ib += 4) {
    const b0 = b[ib];
    const b1 = b[ib + 1];
    const b2 = b[ib + 2];
    const b3 = b[ib + 3];
    const a0 = a[ia];
    c00 += a0 * b0;
    c01 += a0 * b1;
    c02 += a0 * b2;
    c03 += a0 * b3;
    const a1 = a[ia + 1];
    c10 += a1 * b0;
    c11 += a1 * b1;
    c12 += a1 * b2;
    c13 += a1 * b3;
    const a2 = a[ia + 2];
    c20 += a2 * b0;
    c21 += a2 * b1;
    c22 += a2 * b2;
    c23 += a2 * b3;
    const a3 = a[ia + 3];
    c30 += a3 * b0;
    c31 += a3 * b1;
    c32 += a3 * b2;
    c33 += a3 * b3;
  }
  addRow(C, at, columns, c00, c01, c02, c03);
  if (rows > 1) addRow(C, at + stride, columns, c10, c11, c12, c13);
  if (rows > 2) addRow(C, at + 2 * stride, columns, c20, c21, c22, c23);
  if (rows > 3) addRow(C, at + 3 * stride, columns, c30, c31, c32, c33);
}

function addRow(
  C: Float64Array,
  at: number,
  columns: number,
  x0: number,
  x1: number,
  x2: number,
  x3: number,
): void {
  C[at] += x0;
  if (columns > 1) C[at + 1] += x1;
  if (columns > 2) C[at + 2] += x2;
  if (columns > 3) C[at + 3] += x3;
}
