/**
 * Pairs of near points: products of single precision, a bound for each pair, and the distances of those that pass it.
 *
 *   ⟨a, b⟩ ≥ min(u_a + h_b, h_a + u_b)        (see `src/simd/near-pairs.ts`, which says why no near pair fails this)
 *
 * Columns are packed in panels of eight; four rows against a panel take eight registers. Rows are read where they lie.
 *
 * Products are stored before they are compared: stores side by side are what compilers look for that join lanes of 128 bits to
 * such of 256 (V8's `--experimental-wasm-revectorize`: a quarter less time; without it none is lost).
 */

/**
 * Products of four rows and eight columns, 128 bytes: below the module's data, which begin at 1024. The compiler may take it that
 * nobody is there, and does so to fold constants into addresses, which is right as long as none of these wraps.
 */
const PRODUCTS: usize = 512;

/** Panels of eight: entry p of row from + j goes to panel j/8, place 8 p + j mod 8. `stride` is in bytes, of whole vectors. */
export function packPanels(rows: usize, stride: usize, from: i32, end: i32, panels: usize): void {
  for (let j = from; j < end; j += 8) {
    for (let half = 0; half < 8; half += 4) {
      const r0 = rows + <usize>min(j + half, end - 1) * stride;
      const r1 = rows + <usize>min(j + half + 1, end - 1) * stride;
      const r2 = rows + <usize>min(j + half + 2, end - 1) * stride;
      const r3 = rows + <usize>min(j + half + 3, end - 1) * stride;
      let to = panels + (<usize>half << 2);
      for (let p: usize = 0; p < stride; p += 16, to += 128) {
        const x0 = v128.load(r0 + p);
        const x1 = v128.load(r1 + p);
        const x2 = v128.load(r2 + p);
        const x3 = v128.load(r3 + p);
        const low01 = v128.shuffle<i32>(x0, x1, 0, 4, 1, 5);
        const low23 = v128.shuffle<i32>(x2, x3, 0, 4, 1, 5);
        const high01 = v128.shuffle<i32>(x0, x1, 2, 6, 3, 7);
        const high23 = v128.shuffle<i32>(x2, x3, 2, 6, 3, 7);
        v128.store(to, v128.shuffle<i64>(low01, low23, 0, 2));
        v128.store(to, v128.shuffle<i64>(low01, low23, 1, 3), 32);
        v128.store(to, v128.shuffle<i64>(high01, high23, 0, 2), 64);
        v128.store(to, v128.shuffle<i64>(high01, high23, 1, 3), 96);
      }
    }
    panels += stride << 3;
  }
}

/**
 * The pairs of the `count` visitors with the packed columns that pass, as positions, and how many.
 *
 * @param stride - bytes of a row
 * @param deep - entries of a row
 * @param visitors - positions of rows; three more after the last, of any rows
 * @param b - position of the first column
 * @param width - columns
 * @param after - whether only columns at positions beyond the visitor's count
 */
export function nearPairs(
  rows: usize,
  stride: usize,
  deep: i32,
  h: usize,
  u: usize,
  ub: usize,
  visitors: usize,
  count: i32,
  panels: usize,
  from: i32,
  width: i32,
  after: i32,
  first: usize,
  second: usize,
): i32 {
  let found: usize = 0;
  for (let j = 0; j < width; j += 8) {
    const panel = panels + <usize>j * stride;
    /** A bit for each column, four times. */
    const inside = (width - j < 8 ? (1 << (width - j)) - 1 : 255) * 0x01010101;
    const b = (<usize>(from + j)) << 2;
    for (let i = 0; i < count; i += 4) {
      const at = visitors + ((<usize>i) << 2);
      const a0 = <usize>load<i32>(at);
      if (after != 0 && <i32>a0 >= from + j + 7) continue;
      const a1 = <usize>load<i32>(at, 4);
      const a2 = <usize>load<i32>(at, 8);
      const a3 = <usize>load<i32>(at, 12);
      let r0 = rows + a0 * stride;
      let r1 = rows + a1 * stride;
      let r2 = rows + a2 * stride;
      let r3 = rows + a3 * stride;
      let c00 = f32x4.splat(0);
      let c01 = f32x4.splat(0);
      let c10 = f32x4.splat(0);
      let c11 = f32x4.splat(0);
      let c20 = f32x4.splat(0);
      let c21 = f32x4.splat(0);
      let c30 = f32x4.splat(0);
      let c31 = f32x4.splat(0);
      let q = panel;
      for (const end = panel + ((<usize>deep) << 5); q < end; q += 32, r0 += 4, r1 += 4, r2 += 4, r3 += 4) {
        const b0 = v128.load(q);
        const b1 = v128.load(q, 16);
        const x0 = v128.load_splat<f32>(r0);
        c00 = f32x4.add(c00, f32x4.mul(x0, b0));
        c01 = f32x4.add(c01, f32x4.mul(x0, b1));
        const x1 = v128.load_splat<f32>(r1);
        c10 = f32x4.add(c10, f32x4.mul(x1, b0));
        c11 = f32x4.add(c11, f32x4.mul(x1, b1));
        const x2 = v128.load_splat<f32>(r2);
        c20 = f32x4.add(c20, f32x4.mul(x2, b0));
        c21 = f32x4.add(c21, f32x4.mul(x2, b1));
        const x3 = v128.load_splat<f32>(r3);
        c30 = f32x4.add(c30, f32x4.mul(x3, b0));
        c31 = f32x4.add(c31, f32x4.mul(x3, b1));
      }
      v128.store(PRODUCTS, c00);
      v128.store(PRODUCTS, c01, 16);
      v128.store(PRODUCTS, c10, 32);
      v128.store(PRODUCTS, c11, 48);
      v128.store(PRODUCTS, c20, 64);
      v128.store(PRODUCTS, c21, 80);
      v128.store(PRODUCTS, c30, 96);
      v128.store(PRODUCTS, c31, 112);
      let bits = 0;
      for (let k: usize = 0; k < 8; k++) {
        const a = <usize>load<i32>(at + ((k >> 1) << 2)) << 2;
        const columns = b + ((k & 1) << 4);
        const least = f32x4.min(
          f32x4.add(v128.load_splat<f32>(u + a), v128.load(h + columns)),
          f32x4.add(v128.load_splat<f32>(h + a), v128.load(ub + columns)),
        );
        bits |= i32x4.bitmask(f32x4.ge(v128.load(PRODUCTS + (k << 4)), least)) << (<i32>k << 2);
      }
      bits &= inside & (-1 >>> (max(0, i + 4 - count) << 3));
      for (; bits != 0; bits &= bits - 1) {
        const bit = ctz(bits);
        const a = load<i32>(at + ((<usize>bit >> 3) << 2));
        const column = from + j + (bit & 7);
        if (after != 0 && column <= a) continue;
        store<i32>(first + found, a);
        store<i32>(second + found, column);
        found += 4;
      }
    }
  }
  return <i32>(found >> 2);
}

/** ‖y_a − y_b‖² of these pairs of rows of `deep` numbers, summed over four partial sums in a fixed order. */
export function distances(
  rows: usize,
  deep: i32,
  first: usize,
  second: usize,
  count: i32,
  out: usize,
): void {
  const stride = (<usize>deep) << 3;
  const whole = deep & ~3;
  for (let c = 0; c < count; c++, first += 4, second += 4, out += 8) {
    let a = rows + <usize>load<i32>(first) * stride;
    let b = rows + <usize>load<i32>(second) * stride;
    let left = f64x2.splat(0);
    let right = f64x2.splat(0);
    for (const end = a + ((<usize>whole) << 3); a < end; a += 32, b += 32) {
      const t0 = f64x2.sub(v128.load(a), v128.load(b));
      const t1 = f64x2.sub(v128.load(a, 16), v128.load(b, 16));
      left = f64x2.add(left, f64x2.mul(t0, t0));
      right = f64x2.add(right, f64x2.mul(t1, t1));
    }
    let sum = f64x2.extract_lane(left, 0);
    for (let k = whole; k < deep; k++, a += 8, b += 8) {
      const t = load<f64>(a) - load<f64>(b);
      sum += t * t;
    }
    sum += f64x2.extract_lane(left, 1);
    store<f64>(out, sum + (f64x2.extract_lane(right, 0) + f64x2.extract_lane(right, 1)));
  }
}
