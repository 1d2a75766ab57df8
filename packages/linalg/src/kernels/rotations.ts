/**
 * Plane rotations of neighbouring rows, many sweeps at a time: (zᵢ, zᵢ₊₁) ← (c zᵢ − s zᵢ₊₁, s zᵢ + c zᵢ₊₁) for
 * i = m − 1 down to l, then the next sweep. Columns are independent; a few of them stay in the cache for all sweeps.
 */

/**
 * @param Z - n rows of `width`
 * @param sweeps - `count` pairs l, m
 * @param c - the cosines of one sweep after the other, for its rows i = m − 1 … l; `s` likewise the sines
 */
export type RotateRows = (
  Z: Float64Array,
  n: number,
  width: number,
  sweeps: Int32Array,
  count: number,
  c: Float64Array,
  s: Float64Array,
) => void;

export const rotateRowsInTypeScript: RotateRows = (Z, _n, width, sweeps, count, c, s) => {
  const whole = width - (width % 4);
  for (let k = 0; k < whole; k += 4)
    for (let sweep = 0, used = 0; sweep < count; sweep++) {
      const l = sweeps[2 * sweep];
      const m = sweeps[2 * sweep + 1];
      rotateFour(Z, width, m * width + k, m - l, c, s, used);
      used += m - l;
    }
  for (let k = whole; k < width; k++)
    for (let sweep = 0, used = 0; sweep < count; sweep++) {
      const l = sweeps[2 * sweep];
      const m = sweeps[2 * sweep + 1];
      rotateOne(Z, width, m * width + k, m - l, c, s, used);
      used += m - l;
    }
};

/** Four columns together, so that each entry is loaded and stored once. */
function rotateFour(
  Z: Float64Array,
  width: number,
  bottom: number,
  count: number,
  c: Float64Array,
  s: Float64Array,
  used: number,
): void {
  let at = bottom;
  let x0 = Z[at];
  let x1 = Z[at + 1];
  let x2 = Z[at + 2];
  let x3 = Z[at + 3];
  for (let i = used; i < used + count; i++) {
    const ci = c[i];
    const si = s[i];
    const z0 = Z[at - width];
    const z1 = Z[at - width + 1];
    const z2 = Z[at - width + 2];
    const z3 = Z[at - width + 3];
    Z[at] = si * z0 + ci * x0;
    Z[at + 1] = si * z1 + ci * x1;
    Z[at + 2] = si * z2 + ci * x2;
    Z[at + 3] = si * z3 + ci * x3;
    x0 = ci * z0 - si * x0;
    x1 = ci * z1 - si * x1;
    x2 = ci * z2 - si * x2;
    x3 = ci * z3 - si * x3;
    at -= width;
  }
  Z[at] = x0;
  Z[at + 1] = x1;
  Z[at + 2] = x2;
  Z[at + 3] = x3;
}

function rotateOne(
  Z: Float64Array,
  width: number,
  bottom: number,
  count: number,
  c: Float64Array,
  s: Float64Array,
  used: number,
): void {
  let at = bottom;
  let x = Z[at];
  for (let i = used; i < used + count; i++, at -= width) {
    const z = Z[at - width];
    Z[at] = s[i] * z + c[i] * x;
    x = c[i] * z - s[i] * x;
  }
  Z[at] = x;
}
