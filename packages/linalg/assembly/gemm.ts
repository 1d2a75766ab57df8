/**
 * Products of packed panels (see `src/kernels/gemm.ts`, whose sums these are, addition by addition).
 *
 * Panels hold four rows of A (columns of B), entry (i, p) at 4 p + i mod 4; lanes are columns of C. Sixteen entries of C
 * take eight registers, which leaves as many for the operands: 128-bit lanes without fused operations are kept busy.
 */

// @ts-ignore: decorator
@inline
function addTo(c: usize, left: v128, right: v128, sign: v128): void {
  v128.store(c, f64x2.add(v128.load(c), f64x2.mul(sign, left)));
  v128.store(c, f64x2.add(v128.load(c, 16), f64x2.mul(sign, right)), 16);
}

/** c ← c + sign · the sums of a 4 × 4 tile, rows `stride` bytes apart. */
export function tile(a: usize, b: usize, deep: i32, c: usize, stride: usize, sign: v128): void {
  let c00 = f64x2.splat(0);
  let c01 = f64x2.splat(0);
  let c10 = f64x2.splat(0);
  let c11 = f64x2.splat(0);
  let c20 = f64x2.splat(0);
  let c21 = f64x2.splat(0);
  let c30 = f64x2.splat(0);
  let c31 = f64x2.splat(0);
  for (const end = a + ((<usize>deep) << 5); a < end; a += 32, b += 32) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    const a0 = v128.load_splat<f64>(a);
    c00 = f64x2.add(c00, f64x2.mul(a0, b0));
    c01 = f64x2.add(c01, f64x2.mul(a0, b1));
    const a1 = v128.load_splat<f64>(a, 8);
    c10 = f64x2.add(c10, f64x2.mul(a1, b0));
    c11 = f64x2.add(c11, f64x2.mul(a1, b1));
    const a2 = v128.load_splat<f64>(a, 16);
    c20 = f64x2.add(c20, f64x2.mul(a2, b0));
    c21 = f64x2.add(c21, f64x2.mul(a2, b1));
    const a3 = v128.load_splat<f64>(a, 24);
    c30 = f64x2.add(c30, f64x2.mul(a3, b0));
    c31 = f64x2.add(c31, f64x2.mul(a3, b1));
  }
  addTo(c, c00, c01, sign);
  addTo(c + stride, c10, c11, sign);
  addTo(c + 2 * stride, c20, c21, sign);
  addTo(c + 3 * stride, c30, c31, sign);
}

/**
 * c ← c + sign · A B by whole tiles: c has room for `height` rows and `width` entries in each, rounded up to multiples of
 * four.
 *
 * @param stride - bytes from one row of c to the next
 * @param shift - tiles whose first column is beyond their first row + shift are left out
 */
export function multiplyPanels(
  a: usize,
  b: usize,
  c: usize,
  stride: usize,
  height: i32,
  width: i32,
  deep: i32,
  shift: i32,
  sign: f64,
): void {
  const panel = (<usize>deep) << 3;
  const signs = f64x2.splat(sign);
  for (let j = 0; j < width; j += 4) {
    const right = b + <usize>j * panel;
    const top = c + ((<usize>j) << 3);
    for (let i = max(0, j - shift) & ~3; i < height; i += 4)
      tile(a + <usize>i * panel, right, deep, top + <usize>i * stride, stride, signs);
  }
}

const ROWS: i32 = 256;

/** The tiles of a square c ← c + sign · A B that reach its diagonal or lie below it, rows that fit the cache at a time. */
export function multiplyLower(
  a: usize,
  b: usize,
  c: usize,
  stride: usize,
  size: i32,
  deep: i32,
  sign: f64,
): void {
  for (let i = 0; i < size; i += ROWS) {
    const height = min(ROWS, size - i);
    const right = min(size, i + height);
    const left = a + ((<usize>i * <usize>deep) << 3);
    multiplyPanels(left, b, c + <usize>i * stride, stride, height, right, deep, i, sign);
  }
}
