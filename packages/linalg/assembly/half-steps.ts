/**
 * The steps of a convolution between its transforms, two sequences side by side: `src/fourier/half-steps.ts` has them, operation
 * by operation.
 */

// @ts-ignore: decorator
@inline
function least(a: i32, b: i32): i32 {
  return a < b ? a : b;
}

// @ts-ignore: decorator
@inline
function greatest(a: i32, b: i32): i32 {
  return a > b ? a : b;
}

/** z_p ← 0, count ≤ p < m */
// @ts-ignore: decorator
@inline
function clear(zr: usize, zi: usize, count: i32, m: i32): void {
  memory.fill(zr + (<usize>count << 4), 0, <usize>(m - count) << 4);
  memory.fill(zi + (<usize>count << 4), 0, <usize>(m - count) << 4);
}

export function foldEven(re: usize, im: usize, count: i32, m: i32, zr: usize, zi: usize): void {
  const shift = <usize>m << 4;
  const one = least(count, m);
  let q: usize = 0;
  for (const end = count > m ? <usize>(count - m) << 4 : 0; q < end; q += 16) {
    v128.store(zr + q, f64x2.add(v128.load(re + q), v128.load(re + q + shift)));
    v128.store(zi + q, f64x2.add(v128.load(im + q), v128.load(im + q + shift)));
  }
  for (const end = <usize>one << 4; q < end; q += 16) {
    v128.store(zr + q, v128.load(re + q));
    v128.store(zi + q, v128.load(im + q));
  }
  clear(zr, zi, one, m);
}

/** (zr, zi)_q ← (wr + i wi)(dr + i di) */
// @ts-ignore: decorator
@inline
function turn(turns: usize, dr: v128, di: v128, zr: usize, zi: usize): void {
  const wr = v128.load_splat<f64>(turns);
  const wi = v128.load_splat<f64>(turns, 8);
  v128.store(zr, f64x2.sub(f64x2.mul(wr, dr), f64x2.mul(wi, di)));
  v128.store(zi, f64x2.add(f64x2.mul(wr, di), f64x2.mul(wi, dr)));
}

export function foldOdd(re: usize, im: usize, count: i32, m: i32, turns: usize, zr: usize, zi: usize): void {
  const shift = <usize>m << 4;
  const one = least(count, m);
  let q: usize = 0;
  for (const end = count > m ? <usize>(count - m) << 4 : 0; q < end; q += 16) {
    const dr = f64x2.sub(v128.load(re + q), v128.load(re + q + shift));
    const di = f64x2.sub(v128.load(im + q), v128.load(im + q + shift));
    turn(turns + q, dr, di, zr + q, zi + q);
  }
  for (const end = <usize>one << 4; q < end; q += 16)
    turn(turns + q, v128.load(re + q), v128.load(im + q), zr + q, zi + q);
  clear(zr, zi, one, m);
}

export function unfold(
  yr: usize,
  yi: usize,
  zr: usize,
  zi: usize,
  m: i32,
  turns: usize,
  re: usize,
  im: usize,
  count: i32,
): void {
  const shift = <usize>m << 4;
  const both = count > m ? <usize>(count - m) << 4 : 0;
  const end = <usize>least(count, m) << 4;
  for (let q: usize = 0; q < end; q += 16) {
    const wr = v128.load_splat<f64>(turns + q);
    const wi = v128.load_splat<f64>(turns + q, 8);
    const r = v128.load(zr + q);
    const i = v128.load(zi + q);
    const tr = f64x2.add(f64x2.mul(wr, r), f64x2.mul(wi, i));
    const ti = f64x2.sub(f64x2.mul(wr, i), f64x2.mul(wi, r));
    const ar = v128.load(yr + q);
    const ai = v128.load(yi + q);
    v128.store(re + q, f64x2.add(ar, tr));
    v128.store(im + q, f64x2.add(ai, ti));
    if (q >= both) continue;
    v128.store(re + q + shift, f64x2.sub(ar, tr));
    v128.store(im + q + shift, f64x2.sub(ai, ti));
  }
}

// @ts-ignore: decorator
@inline
function keptOf(m: i32, isOdd: i32): i32 {
  return isOdd ? (m + 1) >> 1 : (m >> 1) + 1;
}

/** Where the place opposite to k is, in bytes; also of k = 1 where m is 1, which nobody needs. */
// @ts-ignore: decorator
@inline
function oppositeOf(k: i32, m: i32, isOdd: i32): usize {
  return <usize>(k === 0 && !isOdd ? 0 : greatest(0, m - isOdd - k)) << 4;
}

// @ts-ignore: decorator
@inline
function lefts(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 0, 2);
}

// @ts-ignore: decorator
@inline
function rights(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 1, 3);
}

/**
 * Two columns of four rows at a time. There may be one more than is kept: what stands in its place in the field is no
 * one's.
 *
 * @param field - of the first row, in the part's first block
 */
export function separate(zr: usize, zi: usize, m: i32, isOdd: i32, field: usize, stride: usize): void {
  const half = f64x2.splat(0.5);
  const kept = keptOf(m, isOdd);
  const im = stride >> 1;
  for (let k = 0; k < kept; k += 2, field += stride) {
    const plus = <usize>k << 4;
    const first = oppositeOf(k, m, isOdd);
    const second = oppositeOf(k + 1, m, isOdd);
    const pr = v128.load(zr + plus);
    const pi = v128.load(zi + plus);
    const mr = v128.load(zr + first);
    const mi = v128.load(zi + first);
    const qr = v128.load(zr + plus, 16);
    const qi = v128.load(zi + plus, 16);
    const nr = v128.load(zr + second);
    const ni = v128.load(zi + second);
    const evenR = f64x2.mul(half, f64x2.add(pr, mr));
    const evenI = f64x2.mul(half, f64x2.sub(pi, mi));
    const oddR = f64x2.mul(half, f64x2.add(pi, mi));
    const oddI = f64x2.mul(half, f64x2.sub(mr, pr));
    const nextEvenR = f64x2.mul(half, f64x2.add(qr, nr));
    const nextEvenI = f64x2.mul(half, f64x2.sub(qi, ni));
    const nextOddR = f64x2.mul(half, f64x2.add(qi, ni));
    const nextOddI = f64x2.mul(half, f64x2.sub(nr, qr));
    v128.store(field, lefts(evenR, nextEvenR));
    v128.store(field, lefts(oddR, nextOddR), 16);
    v128.store(field, rights(evenR, nextEvenR), 32);
    v128.store(field, rights(oddR, nextOddR), 48);
    v128.store(field + im, lefts(evenI, nextEvenI));
    v128.store(field + im, lefts(oddI, nextOddI), 16);
    v128.store(field + im, rights(evenI, nextEvenI), 32);
    v128.store(field + im, rights(oddI, nextOddI), 48);
  }
}

/** A column's k, and the place opposite to it, which gives way where it is the same. */
// @ts-ignore: decorator
@inline
function place(zr: usize, zi: usize, k: i32, m: i32, isOdd: i32, evenR: v128, evenI: v128, oddR: v128, oddI: v128): void {
  const minus = oppositeOf(k, m, isOdd);
  const plus = <usize>k << 4;
  v128.store(zr + minus, f64x2.add(evenR, oddI));
  v128.store(zi + minus, f64x2.sub(oddR, evenI));
  v128.store(zr + plus, f64x2.sub(evenR, oddI));
  v128.store(zi + plus, f64x2.add(evenI, oddR));
}

/** From the last columns to the first, so that what a column too many left is written over. */
export function merge(field: usize, stride: usize, m: i32, isOdd: i32, zr: usize, zi: usize): void {
  const kept = keptOf(m, isOdd);
  const im = stride >> 1;
  let k = (kept - 1) & ~1;
  field += stride * <usize>(k >> 1);
  for (; k >= 0; k -= 2, field -= stride) {
    const r0 = v128.load(field);
    const r1 = v128.load(field, 16);
    const r2 = v128.load(field, 32);
    const r3 = v128.load(field, 48);
    const i0 = v128.load(field + im);
    const i1 = v128.load(field + im, 16);
    const i2 = v128.load(field + im, 32);
    const i3 = v128.load(field + im, 48);
    place(zr, zi, k + 1, m, isOdd, rights(r0, r2), rights(i0, i2), rights(r1, r3), rights(i1, i3));
    place(zr, zi, k, m, isOdd, lefts(r0, r2), lefts(i0, i2), lefts(r1, r3), lefts(i1, i3));
  }
}

// @ts-ignore: decorator
@inline
function scale(z: usize, factor: v128): void {
  v128.store(z, f64x2.mul(v128.load(z), factor));
}

export function multiplyHalf(zr: usize, zi: usize, m: i32, isOdd: i32, spectrum: usize): void {
  const kept = keptOf(m, isOdd);
  for (let k = 0; k < kept; k++) {
    const plus = <usize>k << 4;
    const minus = oppositeOf(k, m, isOdd);
    const factor = v128.load(spectrum + plus);
    scale(zr + plus, factor);
    scale(zi + plus, factor);
    if (minus === plus) continue;
    scale(zr + minus, factor);
    scale(zi + minus, factor);
  }
}
