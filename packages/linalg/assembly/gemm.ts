/**
 * Products of packed panels (see `src/kernels/gemm.ts`, whose sums these are, addition by addition).
 *
 * Panels of B hold eight columns, entry (p, j) at 8 p + j mod 8, those of A as many rows as a step of `step` bytes has
 * doubles; lanes are columns of C. A tile has two rows of eight entries: its sums take eight of the 15 registers that V8
 * gives, and the operands of a term six. Taller tiles take an instruction more for each row (4 × 4: a fifth slower), and
 * larger ones do not fit (two to three times slower).
 */

/**
 * c ← c + sign · (left, right). Both are stored after both are loaded, so that a compiler may join the lanes of all operations
 * behind them (V8's `--experimental-wasm-revectorize`).
 */
// @ts-ignore: decorator
@inline
function addTo(c: usize, left: v128, right: v128, sign: v128): void {
  left = f64x2.add(v128.load(c), f64x2.mul(sign, left));
  v128.store(c, f64x2.add(v128.load(c, 16), f64x2.mul(sign, right)), 16);
  v128.store(c, left);
}

/**
 * c ← c + sign · the sums of a 2 × 8 tile, rows `stride` bytes apart. A branch stands between any two terms: without it
 * compilers load the operands of both first, for which there are not enough registers. The loop ends at its last branch, since
 * one that is tested at its head is a tenth slower; operands that have values before it keep their registers in it (a
 * twentieth).
 */
// @ts-ignore: decorator
@inline
function tile(a: usize, step: usize, b: usize, deep: i32, c: usize, stride: usize, sign: v128): void {
  let c00 = f64x2.splat(0);
  let c01 = f64x2.splat(0);
  let c02 = f64x2.splat(0);
  let c03 = f64x2.splat(0);
  let c10 = f64x2.splat(0);
  let c11 = f64x2.splat(0);
  let c12 = f64x2.splat(0);
  let c13 = f64x2.splat(0);
  let a0 = v128.load_splat<f64>(a);
  let b0 = v128.load(b);
  let b1 = v128.load(b, 16);
  let b2 = v128.load(b, 32);
  let b3 = v128.load(b, 48);
  let a1 = v128.load_splat<f64>(a, 8);
  for (let left = deep; ; left -= 3, b += 192) {
    a0 = v128.load_splat<f64>(a);
    b0 = v128.load(b);
    c00 = f64x2.add(c00, f64x2.mul(a0, b0));
    b1 = v128.load(b, 16);
    c01 = f64x2.add(c01, f64x2.mul(a0, b1));
    b2 = v128.load(b, 32);
    c02 = f64x2.add(c02, f64x2.mul(a0, b2));
    b3 = v128.load(b, 48);
    c03 = f64x2.add(c03, f64x2.mul(a0, b3));
    a1 = v128.load_splat<f64>(a, 8);
    c10 = f64x2.add(c10, f64x2.mul(a1, b0));
    c11 = f64x2.add(c11, f64x2.mul(a1, b1));
    c12 = f64x2.add(c12, f64x2.mul(a1, b2));
    c13 = f64x2.add(c13, f64x2.mul(a1, b3));
    a += step;
    if (left === 1) break;
    a0 = v128.load_splat<f64>(a);
    b0 = v128.load(b, 64);
    c00 = f64x2.add(c00, f64x2.mul(a0, b0));
    b1 = v128.load(b, 80);
    c01 = f64x2.add(c01, f64x2.mul(a0, b1));
    b2 = v128.load(b, 96);
    c02 = f64x2.add(c02, f64x2.mul(a0, b2));
    b3 = v128.load(b, 112);
    c03 = f64x2.add(c03, f64x2.mul(a0, b3));
    a1 = v128.load_splat<f64>(a, 8);
    c10 = f64x2.add(c10, f64x2.mul(a1, b0));
    c11 = f64x2.add(c11, f64x2.mul(a1, b1));
    c12 = f64x2.add(c12, f64x2.mul(a1, b2));
    c13 = f64x2.add(c13, f64x2.mul(a1, b3));
    a += step;
    if (left === 2) break;
    a0 = v128.load_splat<f64>(a);
    b0 = v128.load(b, 128);
    c00 = f64x2.add(c00, f64x2.mul(a0, b0));
    b1 = v128.load(b, 144);
    c01 = f64x2.add(c01, f64x2.mul(a0, b1));
    b2 = v128.load(b, 160);
    c02 = f64x2.add(c02, f64x2.mul(a0, b2));
    b3 = v128.load(b, 176);
    c03 = f64x2.add(c03, f64x2.mul(a0, b3));
    a1 = v128.load_splat<f64>(a, 8);
    c10 = f64x2.add(c10, f64x2.mul(a1, b0));
    c11 = f64x2.add(c11, f64x2.mul(a1, b1));
    c12 = f64x2.add(c12, f64x2.mul(a1, b2));
    c13 = f64x2.add(c13, f64x2.mul(a1, b3));
    a += step;
    if (left === 3) break;
  }
  addTo(c, c00, c01, sign);
  addTo(c + 32, c02, c03, sign);
  addTo(c + stride, c10, c11, sign);
  addTo(c + stride + 32, c12, c13, sign);
}

/**
 * c ← c + sign · A B by whole tiles: c has room for `height` rows, rounded up to multiples of two, and `width` entries in
 * each, rounded up to multiples of eight. Each tile reads a 64th of a panel of B ahead, for the cache alone: the first tile of
 * the next panel does not wait.
 *
 * @param step - 32 or 64: panels of A have four or eight rows
 * @param stride - bytes from one row of c to the next
 * @param shift - a multiple of four; tiles whose first column is beyond their first row + shift are left out, four rows at a time
 */
export function multiplyPanels(
  a: usize,
  step: usize,
  b: usize,
  c: usize,
  stride: usize,
  height: i32,
  width: i32,
  deep: i32,
  shift: i32,
  sign: f64,
): void {
  if (deep === 0) return; // a tile has a term at least
  const row = (<usize>deep) << 3;
  const signs = f64x2.splat(sign);
  const inPanel = (<i32>step >> 3) - 1;
  const end = b + <usize>width * row;
  for (let j = 0; j < width; j += 8) {
    const right = b + <usize>j * row;
    const top = c + ((<usize>j) << 3);
    let ahead = right + (row << 3);
    for (let i = max(0, j - shift) & ~3; i < height; i += 2) {
      for (const near = min(ahead + deep, end); ahead < near; ahead += 64) load<u8>(ahead);
      const left = a + <usize>(i & ~inPanel) * row + (<usize>(i & inPanel) << 3);
      tile(left, step, right, deep, top + <usize>i * stride, stride, signs);
    }
  }
}

const ROWS: i32 = 256;

/**
 * The tiles of a square c ← c + sign · A B that reach its diagonal or lie below it, rows that fit the cache at a time. Panels
 * of A have eight rows.
 */
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
    multiplyPanels(left, 64, b, c + <usize>i * stride, stride, height, right, deep, i, sign);
  }
}
