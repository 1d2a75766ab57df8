/** The pass of radix 4 of a Fourier transform: `src/fourier/butterflies.ts` has it, operation by operation. */

/** yr, yi ← (wr + i wi)(zr + i zi) */
// @ts-ignore: decorator
@inline
function turned(wr: v128, wi: v128, zr: v128, zi: v128, yr: usize, yi: usize): void {
  v128.store(yr, f64x2.sub(f64x2.mul(wr, zr), f64x2.mul(wi, zi)));
  v128.store(yi, f64x2.add(f64x2.mul(wr, zi), f64x2.mul(wi, zr)));
}

/** @param s - even */
export function radix4(m: i32, s: i32, twiddles: usize, xr: usize, xi: usize, yr: usize, yi: usize): void {
  const row = <usize>s << 3;
  const quarter = row * <usize>m;
  for (let p = 0; p < m; p++, twiddles += 48) {
    const w1r = v128.load_splat<f64>(twiddles);
    const w1i = v128.load_splat<f64>(twiddles, 8);
    const w2r = v128.load_splat<f64>(twiddles, 16);
    const w2i = v128.load_splat<f64>(twiddles, 24);
    const w3r = v128.load_splat<f64>(twiddles, 32);
    const w3i = v128.load_splat<f64>(twiddles, 40);
    for (const end = xr + row; xr < end; xr += 16, xi += 16, yr += 16, yi += 16) {
      const ar = v128.load(xr);
      const br = v128.load(xr + quarter);
      const cr = v128.load(xr + 2 * quarter);
      const dr = v128.load(xr + 3 * quarter);
      const ai = v128.load(xi);
      const bi = v128.load(xi + quarter);
      const ci = v128.load(xi + 2 * quarter);
      const di = v128.load(xi + 3 * quarter);
      const acR = f64x2.add(ar, cr);
      const acI = f64x2.add(ai, ci);
      const bdR = f64x2.add(br, dr);
      const bdI = f64x2.add(bi, di);
      const a_cR = f64x2.sub(ar, cr);
      const a_cI = f64x2.sub(ai, ci);
      const b_dR = f64x2.sub(br, dr);
      const b_dI = f64x2.sub(bi, di);
      v128.store(yr, f64x2.add(acR, bdR));
      v128.store(yi, f64x2.add(acI, bdI));
      turned(w1r, w1i, f64x2.add(a_cR, b_dI), f64x2.sub(a_cI, b_dR), yr + row, yi + row);
      turned(w2r, w2i, f64x2.sub(acR, bdR), f64x2.sub(acI, bdI), yr + 2 * row, yi + 2 * row);
      turned(w3r, w3i, f64x2.sub(a_cR, b_dI), f64x2.add(a_cI, b_dR), yr + 3 * row, yi + 3 * row);
    }
    yr += 3 * row;
    yi += 3 * row;
  }
}
