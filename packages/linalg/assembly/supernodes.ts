/**
 * The solves with a supernodal factor for two right-hand sides, one in each lane: `src/sparse/supernode-solve.ts` has them,
 * operation by operation.
 */

/** z ← z − l y, l in both lanes. */
// @ts-ignore: decorator
@inline
function less(z: v128, l: usize, y: v128): v128 {
  return f64x2.sub(z, f64x2.mul(v128.load_splat<f64>(l), y));
}

/** Where the row of y is whose number lies at `rows`. */
// @ts-ignore: decorator
@inline
function rowOf(y: usize, rows: usize): usize {
  return y + (<usize>load<u32>(rows) << 4);
}

/**
 * L Y = P B, then Lᵀ Z = Y, in place.
 *
 * @param layout - of each supernode, one after the other: its first column, width, height, where its rows begin in `rows`, and
 *   its panel in `panels`
 */
export function solvePair(count: i32, layout: usize, rows: usize, panels: usize, y: usize): void {
  const end = layout + 20 * <usize>count;
  for (let s = layout; s < end; s += 20) {
    const first = y + (<usize>load<u32>(s) << 4);
    const width = <usize>load<u32>(s, 4);
    const height = <usize>load<u32>(s, 8);
    forward(first, width, height, rows + (<usize>load<u32>(s, 12) << 2), panels + (<usize>load<u32>(s, 16) << 3), y);
  }
  for (let s = end; s > layout; ) {
    s -= 20;
    const first = y + (<usize>load<u32>(s) << 4);
    const width = <usize>load<u32>(s, 4);
    const height = <usize>load<u32>(s, 8);
    backward(first, width, height, rows + (<usize>load<u32>(s, 12) << 2), panels + (<usize>load<u32>(s, 16) << 3), y);
  }
}

function forward(own: usize, width: usize, height: usize, rows: usize, p: usize, y: usize): void {
  const stride = width << 3;
  const ownEnd = own + (width << 4);
  for (let z = own; z < ownEnd; z += 16, p += stride) {
    let sum = v128.load(z);
    let l = p;
    for (let x = own; x < z; x += 16, l += 8) sum = less(sum, l, v128.load(x));
    v128.store(z, f64x2.div(sum, v128.load_splat<f64>(l)));
  }
  const rowsEnd = rows + (height << 2);
  rows += width << 2;
  for (; rows + 12 < rowsEnd; rows += 16, p += 3 * stride) {
    let sum0 = f64x2.splat(0);
    let sum1 = f64x2.splat(0);
    let sum2 = f64x2.splat(0);
    let sum3 = f64x2.splat(0);
    let p1 = p + stride;
    let p2 = p1 + stride;
    let p3 = p2 + stride;
    for (let x = own; x < ownEnd; x += 16, p += 8, p1 += 8, p2 += 8, p3 += 8) {
      const z = v128.load(x);
      sum0 = f64x2.add(sum0, f64x2.mul(v128.load_splat<f64>(p), z));
      sum1 = f64x2.add(sum1, f64x2.mul(v128.load_splat<f64>(p1), z));
      sum2 = f64x2.add(sum2, f64x2.mul(v128.load_splat<f64>(p2), z));
      sum3 = f64x2.add(sum3, f64x2.mul(v128.load_splat<f64>(p3), z));
    }
    const y0 = rowOf(y, rows);
    const y1 = rowOf(y, rows + 4);
    const y2 = rowOf(y, rows + 8);
    const y3 = rowOf(y, rows + 12);
    v128.store(y0, f64x2.sub(v128.load(y0), sum0));
    v128.store(y1, f64x2.sub(v128.load(y1), sum1));
    v128.store(y2, f64x2.sub(v128.load(y2), sum2));
    v128.store(y3, f64x2.sub(v128.load(y3), sum3));
  }
  for (; rows < rowsEnd; rows += 4) {
    let sum = f64x2.splat(0);
    for (let x = own; x < ownEnd; x += 16, p += 8)
      sum = f64x2.add(sum, f64x2.mul(v128.load_splat<f64>(p), v128.load(x)));
    const y0 = rowOf(y, rows);
    v128.store(y0, f64x2.sub(v128.load(y0), sum));
  }
}

function backward(own: usize, width: usize, height: usize, rows: usize, start: usize, y: usize): void {
  const stride = width << 3;
  const ownEnd = own + (width << 4);
  let p = start + width * stride;
  const rowsEnd = rows + (height << 2);
  rows += width << 2;
  for (; rows + 12 < rowsEnd; rows += 16, p += 3 * stride) {
    const z0 = v128.load(rowOf(y, rows));
    const z1 = v128.load(rowOf(y, rows + 4));
    const z2 = v128.load(rowOf(y, rows + 8));
    const z3 = v128.load(rowOf(y, rows + 12));
    let p1 = p + stride;
    let p2 = p1 + stride;
    let p3 = p2 + stride;
    for (let x = own; x < ownEnd; x += 16, p += 8, p1 += 8, p2 += 8, p3 += 8) {
      const first = f64x2.add(f64x2.mul(v128.load_splat<f64>(p), z0), f64x2.mul(v128.load_splat<f64>(p1), z1));
      const second = f64x2.add(f64x2.mul(v128.load_splat<f64>(p2), z2), f64x2.mul(v128.load_splat<f64>(p3), z3));
      v128.store(x, f64x2.sub(f64x2.sub(v128.load(x), first), second));
    }
  }
  for (; rows + 4 < rowsEnd; rows += 8, p += stride) {
    const z0 = v128.load(rowOf(y, rows));
    const z1 = v128.load(rowOf(y, rows + 4));
    let p1 = p + stride;
    for (let x = own; x < ownEnd; x += 16, p += 8, p1 += 8) {
      const both = f64x2.add(f64x2.mul(v128.load_splat<f64>(p), z0), f64x2.mul(v128.load_splat<f64>(p1), z1));
      v128.store(x, f64x2.sub(v128.load(x), both));
    }
  }
  if (rows < rowsEnd) {
    const z = v128.load(rowOf(y, rows));
    for (let x = own; x < ownEnd; x += 16, p += 8) v128.store(x, less(v128.load(x), p, z));
  }
  p = start + width * stride;
  for (let at = ownEnd; at > own; ) {
    at -= 16;
    p -= stride;
    const diagonal = p + ((at - own) >> 1);
    const z = f64x2.div(v128.load(at), v128.load_splat<f64>(diagonal));
    v128.store(at, z);
    let l = p;
    for (let x = own; x < at; x += 16, l += 8) v128.store(x, less(v128.load(x), l, z));
  }
}
