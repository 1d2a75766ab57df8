/**
 * The matrix product on blocks of flat arrays: C ← C + σ A B, where A (m × k), B (k × n) and C (m × n) are given by
 * an offset and strides, so that transposes and parts of larger matrices need no copies of their own.
 *
 * Both factors are packed in panels of four rows (columns), padded with zeros, and the innermost loop updates 4 × 4
 * entries of C in local variables: Goto, van de Geijn, Anatomy of high-performance matrix multiplication, ACM TOMS
 * 34 (2008), with the block sizes that suit JavaScript. Every entry of C is a sum over k in increasing order within
 * blocks of `DEPTH`, whatever the blocks of m and n: the result does not depend on how a product is cut into parts.
 */

/** Entry (i, j) is `data[offset + i * rowStride + j * columnStride]`. */
export interface Block {
  readonly data: Float64Array;
  readonly offset: number;
  readonly rowStride: number;
  readonly columnStride: number;
}

/** Products are summed over this many terms at a time. */
export const DEPTH = 256;
const HEIGHT = 64;
/** Long rows are packed so many at a time: each lies in pages of its own, and the processor knows the way to few. */
const SLICE = 16;
const WIDTH = 512;

/** The packed panels of a product; kept from one to the next, they grow to what the largest of them needs. */
export class ProductWorkspace {
  private A = new Float64Array();
  private B = new Float64Array();

  /** An array of at least `size` numbers for A's panels. */
  panelsOfA(size: number): Float64Array {
    if (this.A.length < size) this.A = new Float64Array(size);
    return this.A;
  }

  panelsOfB(size: number): Float64Array {
    if (this.B.length < size) this.B = new Float64Array(size);
    return this.B;
  }
}

/** C ← C + sign · A B, see `product.ts`. */
export type Gemm = (
  sign: 1 | -1,
  m: number,
  n: number,
  k: number,
  A: Block,
  B: Block,
  C: Block,
  lower: boolean,
  workspace: ProductWorkspace,
  isZero?: boolean,
) => void;

export const gemmInTypeScript: Gemm = (sign, m, n, k, A, B, C, lower, workspace) => {
  const depth = Math.min(DEPTH, k);
  const packedA = workspace.panelsOfA(roundedUp(Math.min(HEIGHT, m)) * depth);
  const packedB = workspace.panelsOfB(roundedUp(Math.min(WIDTH, n)) * depth);
  for (let j0 = 0; j0 < n; j0 += WIDTH) {
    const width = Math.min(WIDTH, n - j0);
    for (let p0 = 0; p0 < k; p0 += DEPTH) {
      const deep = Math.min(DEPTH, k - p0);
      pack(
        packedB,
        B.data,
        B.offset + p0 * B.rowStride + j0 * B.columnStride,
        width,
        deep,
        B.columnStride,
        B.rowStride,
      );
      for (let i0 = lower ? j0 : 0; i0 < m; i0 += HEIGHT) {
        const height = Math.min(HEIGHT, m - i0);
        pack(
          packedA,
          A.data,
          A.offset + i0 * A.rowStride + p0 * A.columnStride,
          height,
          deep,
          A.rowStride,
          A.columnStride,
        );
        for (let i = 0; i < height; i += 4) {
          const limit = lower ? Math.min(width, roundedTo8(i0 + i + 4 - j0)) : width;
          for (let j = 0; j < limit; j += 4) {
            tile(sign, packedA, i * deep, packedB, j * deep, deep, C, i0 + i, j0 + j, height - i, width - j);
          }
        }
      }
    }
  }
};

const roundedUp = (n: number): number => (n + 3) & ~3;

/** Of a triangle, tiles reach as far right as those of eight columns would. */
const roundedTo8 = (n: number): number => (n + 7) & ~7;

/** Panels of four or eight lanes: entry (i, p) of the source goes to panel i/lanes, place lanes p + i mod lanes. */
export function pack(
  packed: Float64Array,
  source: Float64Array,
  start: number,
  count: number,
  deep: number,
  stride: number,
  depthStride: number,
  lanes: 4 | 8 = 4,
): void {
  const placeOf = (i: number): number => (i - (i % lanes)) * deep + (i % lanes);
  let whole = 0;
  if (stride === 1) {
    whole = count & ~7;
    for (let p = 0; p < deep; p += SLICE) {
      const end = Math.min(p + SLICE, deep);
      for (let i = 0; i < whole; i += 8)
        packEight(packed, placeOf(i), placeOf(i + 4), lanes, source, start + i, p, end, depthStride);
    }
  }
  for (let i = whole; i < count || i % lanes !== 0; i += 4) {
    const used = Math.max(0, Math.min(4, count - i));
    let at = placeOf(i);
    let from = start + i * stride;
    if (used === 4) {
      for (let p = 0; p < deep; p++, at += lanes, from += depthStride) {
        packed[at] = source[from];
        packed[at + 1] = source[from + stride];
        packed[at + 2] = source[from + 2 * stride];
        packed[at + 3] = source[from + 3 * stride];
      }
    } else {
      for (let p = 0; p < deep; p++, at += lanes, from += depthStride)
        for (let lane = 0; lane < 4; lane++)
          packed[at + lane] = lane < used ? source[from + lane * stride] : 0;
    }
  }
}

/**
 * Entries first … last − 1 of eight lanes at once, four at `left` and four at `right`, from eight neighbours: where rows lie
 * far apart, each line of the cache is read once.
 */
function packEight(
  packed: Float64Array,
  left: number,
  right: number,
  lanes: number,
  source: Float64Array,
  start: number,
  first: number,
  last: number,
  depthStride: number,
): void {
  let from = start + first * depthStride;
  for (
    let l = left + lanes * first, r = right + lanes * first, end = left + lanes * last;
    l < end;
    l += lanes, r += lanes
  ) {
    packed[l] = source[from];
    packed[l + 1] = source[from + 1];
    packed[l + 2] = source[from + 2];
    packed[l + 3] = source[from + 3];
    packed[r] = source[from + 4];
    packed[r + 1] = source[from + 5];
    packed[r + 2] = source[from + 6];
    packed[r + 3] = source[from + 7];
    from += depthStride;
  }
}

/** Entries (i … i + 3, j … j + 3) of C, as far as C has them. */
export function tile(
  sign: number,
  a: Float64Array,
  aStart: number,
  b: Float64Array,
  bStart: number,
  deep: number,
  C: Block,
  i: number,
  j: number,
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
  const { data, rowStride, columnStride } = C;
  const at = C.offset + i * rowStride + j * columnStride;
  addRow(data, at, columnStride, columns, sign * c00, sign * c01, sign * c02, sign * c03);
  if (rows > 1)
    addRow(data, at + rowStride, columnStride, columns, sign * c10, sign * c11, sign * c12, sign * c13);
  if (rows > 2)
    addRow(data, at + 2 * rowStride, columnStride, columns, sign * c20, sign * c21, sign * c22, sign * c23);
  if (rows > 3)
    addRow(data, at + 3 * rowStride, columnStride, columns, sign * c30, sign * c31, sign * c32, sign * c33);
}

function addRow(
  data: Float64Array,
  at: number,
  stride: number,
  columns: number,
  x0: number,
  x1: number,
  x2: number,
  x3: number,
): void {
  data[at] += x0;
  if (columns > 1) data[at + stride] += x1;
  if (columns > 2) data[at + 2 * stride] += x2;
  if (columns > 3) data[at + 3 * stride] += x3;
}
