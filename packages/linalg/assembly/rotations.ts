/** Sweeps of plane rotations over rows: see `src/kernels/rotations.ts`. */

/** Columns of a strip: a line of the cache. */
const STRIP: i32 = 8;

/**
 * @param Z - rows of `width` numbers, n of them
 * @param strip - room for n × 8 numbers, in which eight columns stay in the cache for all sweeps
 * @param sweeps - `count` pairs l, m; the cosines and sines of one after the other, for its rows m − 1 … l
 */
export function rotate(
  Z: usize,
  n: i32,
  width: i32,
  strip: usize,
  sweeps: usize,
  count: i32,
  c: usize,
  s: usize,
): void {
  const stride = <usize>width << 3;
  for (let k = 0; k < width; k += STRIP) {
    const columns = min(STRIP, width - k);
    const first = Z + (<usize>k << 3);
    const bytes = <usize>columns << 3;
    if (columns === STRIP) for (let i = 0; i < n; i++) copyLine(strip + (<usize>i << 6), first + <usize>i * stride);
    else for (let i = 0; i < n; i++) memory.copy(strip + (<usize>i << 6), first + <usize>i * stride, bytes);
    let used: usize = 0;
    for (let sweep = 0; sweep < count; sweep++) {
      const l = load<i32>(sweeps + (<usize>sweep << 3));
      const m = load<i32>(sweeps + (<usize>sweep << 3), 4);
      rotateStrip(strip + (<usize>m << 6), m - l, c + used, s + used);
      used += <usize>(m - l) << 3;
    }
    if (columns === STRIP) for (let i = 0; i < n; i++) copyLine(first + <usize>i * stride, strip + (<usize>i << 6));
    else for (let i = 0; i < n; i++) memory.copy(first + <usize>i * stride, strip + (<usize>i << 6), bytes);
  }
}

// @ts-ignore: decorator
@inline
function copyLine(to: usize, from: usize): void {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
  v128.store(to, v128.load(from, 32), 32);
  v128.store(to, v128.load(from, 48), 48);
}

/** So many rotations, from row `at` up. */
function rotateStrip(at: usize, count: i32, c: usize, s: usize): void {
  let x0 = v128.load(at);
  let x1 = v128.load(at, 16);
  let x2 = v128.load(at, 32);
  let x3 = v128.load(at, 48);
  for (const end = c + (<usize>count << 3); c < end; c += 8, s += 8) {
    const ci = v128.load_splat<f64>(c);
    const si = v128.load_splat<f64>(s);
    const above = at - 64;
    const z0 = v128.load(above);
    const z1 = v128.load(above, 16);
    const z2 = v128.load(above, 32);
    const z3 = v128.load(above, 48);
    v128.store(at, f64x2.add(f64x2.mul(si, z0), f64x2.mul(ci, x0)));
    v128.store(at, f64x2.add(f64x2.mul(si, z1), f64x2.mul(ci, x1)), 16);
    v128.store(at, f64x2.add(f64x2.mul(si, z2), f64x2.mul(ci, x2)), 32);
    v128.store(at, f64x2.add(f64x2.mul(si, z3), f64x2.mul(ci, x3)), 48);
    x0 = f64x2.sub(f64x2.mul(ci, z0), f64x2.mul(si, x0));
    x1 = f64x2.sub(f64x2.mul(ci, z1), f64x2.mul(si, x1));
    x2 = f64x2.sub(f64x2.mul(ci, z2), f64x2.mul(si, x2));
    x3 = f64x2.sub(f64x2.mul(ci, z3), f64x2.mul(si, x3));
    at = above;
  }
  v128.store(at, x0);
  v128.store(at, x1, 16);
  v128.store(at, x2, 32);
  v128.store(at, x3, 48);
}
