/**
 * The passes of a Fourier transform, sequences side by side in an even number: `src/fourier/butterflies.ts` has them, operation
 * by operation.
 */

/** yr, yi ← (wr + i wi)(zr + i zi) */
// @ts-ignore: decorator
@inline
function turned(wr: v128, wi: v128, zr: v128, zi: v128, yr: usize, yi: usize): void {
  v128.store(yr, f64x2.sub(f64x2.mul(wr, zr), f64x2.mul(wi, zi)));
  v128.store(yi, f64x2.add(f64x2.mul(wr, zi), f64x2.mul(wi, zr)));
}

/**
 * All stages, from x to y, from y to x and so on.
 *
 * @param stages - radix, m, s and the address of the twiddles of each
 */
export function transform(stages: usize, count: i32, xr: usize, xi: usize, yr: usize, yi: usize): void {
  for (const end = stages + 16 * <usize>count; stages < end; stages += 16) {
    const radix = load<i32>(stages);
    const m = load<i32>(stages, 4);
    const row = <usize>load<i32>(stages, 8) << 3;
    const twiddles = <usize>load<u32>(stages, 12);
    if (radix === 4 && m === 1) lastOfRadix4(row, xr, xi, yr, yi);
    else if (radix === 4) radix4(m, row, twiddles, xr, xi, yr, yi);
    else if (radix === 2) radix2(m, row, twiddles, xr, xi, yr, yi);
    else if (radix === 3) radix3(m, row, twiddles, xr, xi, yr, yi);
    else radix5(m, row, twiddles, xr, xi, yr, yi);
    const re = xr;
    const im = xi;
    xr = yr;
    xi = yi;
    yr = re;
    yi = im;
  }
}

function radix2(m: i32, row: usize, twiddles: usize, xr: usize, xi: usize, yr: usize, yi: usize): void {
  const half = row * <usize>m;
  for (let p = 0; p < m; p++, twiddles += 16, yr += row, yi += row) {
    const wr = v128.load_splat<f64>(twiddles);
    const wi = v128.load_splat<f64>(twiddles, 8);
    for (const end = xr + row; xr < end; xr += 16, xi += 16, yr += 16, yi += 16) {
      const ar = v128.load(xr);
      const ai = v128.load(xi);
      const br = v128.load(xr + half);
      const bi = v128.load(xi + half);
      v128.store(yr, f64x2.add(ar, br));
      v128.store(yi, f64x2.add(ai, bi));
      turned(wr, wi, f64x2.sub(ar, br), f64x2.sub(ai, bi), yr + row, yi + row);
    }
  }
}

function radix3(m: i32, row: usize, twiddles: usize, xr: usize, xi: usize, yr: usize, yi: usize): void {
  const third = row * <usize>m;
  const half = f64x2.splat(0.5);
  const sin60 = f64x2.splat(0.8660254037844386);
  for (let p = 0; p < m; p++, twiddles += 32, yr += 2 * row, yi += 2 * row) {
    const w1r = v128.load_splat<f64>(twiddles);
    const w1i = v128.load_splat<f64>(twiddles, 8);
    const w2r = v128.load_splat<f64>(twiddles, 16);
    const w2i = v128.load_splat<f64>(twiddles, 24);
    for (const end = xr + row; xr < end; xr += 16, xi += 16, yr += 16, yi += 16) {
      const ar = v128.load(xr);
      const br = v128.load(xr + third);
      const cr = v128.load(xr + 2 * third);
      const ai = v128.load(xi);
      const bi = v128.load(xi + third);
      const ci = v128.load(xi + 2 * third);
      const sumR = f64x2.add(br, cr);
      const sumI = f64x2.add(bi, ci);
      const differenceR = f64x2.mul(sin60, f64x2.sub(br, cr));
      const differenceI = f64x2.mul(sin60, f64x2.sub(bi, ci));
      const middleR = f64x2.sub(ar, f64x2.mul(half, sumR));
      const middleI = f64x2.sub(ai, f64x2.mul(half, sumI));
      v128.store(yr, f64x2.add(ar, sumR));
      v128.store(yi, f64x2.add(ai, sumI));
      turned(w1r, w1i, f64x2.add(middleR, differenceI), f64x2.sub(middleI, differenceR), yr + row, yi + row);
      turned(w2r, w2i, f64x2.sub(middleR, differenceI), f64x2.add(middleI, differenceR), yr + 2 * row, yi + 2 * row);
    }
  }
}

function radix4(m: i32, row: usize, twiddles: usize, xr: usize, xi: usize, yr: usize, yi: usize): void {
  const quarter = row * <usize>m;
  for (let p = 0; p < m; p++, twiddles += 48, yr += 3 * row, yi += 3 * row) {
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
  }
}

function lastOfRadix4(row: usize, xr: usize, xi: usize, yr: usize, yi: usize): void {
  for (const end = xr + row; xr < end; xr += 16, xi += 16, yr += 16, yi += 16) {
    const ar = v128.load(xr);
    const br = v128.load(xr + row);
    const cr = v128.load(xr + 2 * row);
    const dr = v128.load(xr + 3 * row);
    const ai = v128.load(xi);
    const bi = v128.load(xi + row);
    const ci = v128.load(xi + 2 * row);
    const di = v128.load(xi + 3 * row);
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
    v128.store(yr + row, f64x2.add(a_cR, b_dI));
    v128.store(yi + row, f64x2.sub(a_cI, b_dR));
    v128.store(yr + 2 * row, f64x2.sub(acR, bdR));
    v128.store(yi + 2 * row, f64x2.sub(acI, bdI));
    v128.store(yr + 3 * row, f64x2.sub(a_cR, b_dI));
    v128.store(yi + 3 * row, f64x2.add(a_cI, b_dR));
  }
}

function radix5(m: i32, row: usize, twiddles: usize, xr: usize, xi: usize, yr: usize, yi: usize): void {
  const fifth = row * <usize>m;
  const cos72 = f64x2.splat(0.30901699437494745);
  const cos144 = f64x2.splat(-0.8090169943749475);
  const sin72 = f64x2.splat(0.9510565162951535);
  const sin144 = f64x2.splat(0.5877852522924731);
  for (let p = 0; p < m; p++, twiddles += 64, yr += 4 * row, yi += 4 * row) {
    for (const end = xr + row; xr < end; xr += 16, xi += 16, yr += 16, yi += 16) {
      const ar = v128.load(xr);
      const br = v128.load(xr + fifth);
      const cr = v128.load(xr + 2 * fifth);
      const dr = v128.load(xr + 3 * fifth);
      const er = v128.load(xr + 4 * fifth);
      const ai = v128.load(xi);
      const bi = v128.load(xi + fifth);
      const ci = v128.load(xi + 2 * fifth);
      const di = v128.load(xi + 3 * fifth);
      const ei = v128.load(xi + 4 * fifth);
      const beR = f64x2.add(br, er);
      const beI = f64x2.add(bi, ei);
      const cdR = f64x2.add(cr, dr);
      const cdI = f64x2.add(ci, di);
      const b_eR = f64x2.sub(br, er);
      const b_eI = f64x2.sub(bi, ei);
      const c_dR = f64x2.sub(cr, dr);
      const c_dI = f64x2.sub(ci, di);
      const m1r = f64x2.add(f64x2.add(ar, f64x2.mul(cos72, beR)), f64x2.mul(cos144, cdR));
      const m1i = f64x2.add(f64x2.add(ai, f64x2.mul(cos72, beI)), f64x2.mul(cos144, cdI));
      const m2r = f64x2.add(f64x2.add(ar, f64x2.mul(cos144, beR)), f64x2.mul(cos72, cdR));
      const m2i = f64x2.add(f64x2.add(ai, f64x2.mul(cos144, beI)), f64x2.mul(cos72, cdI));
      const n1r = f64x2.add(f64x2.mul(sin72, b_eR), f64x2.mul(sin144, c_dR));
      const n1i = f64x2.add(f64x2.mul(sin72, b_eI), f64x2.mul(sin144, c_dI));
      const n2r = f64x2.sub(f64x2.mul(sin144, b_eR), f64x2.mul(sin72, c_dR));
      const n2i = f64x2.sub(f64x2.mul(sin144, b_eI), f64x2.mul(sin72, c_dI));
      v128.store(yr, f64x2.add(f64x2.add(ar, beR), cdR));
      v128.store(yi, f64x2.add(f64x2.add(ai, beI), cdI));
      turnedBy(twiddles, f64x2.add(m1r, n1i), f64x2.sub(m1i, n1r), yr + row, yi + row);
      turnedBy(twiddles + 16, f64x2.add(m2r, n2i), f64x2.sub(m2i, n2r), yr + 2 * row, yi + 2 * row);
      turnedBy(twiddles + 32, f64x2.sub(m2r, n2i), f64x2.add(m2i, n2r), yr + 3 * row, yi + 3 * row);
      turnedBy(twiddles + 48, f64x2.sub(m1r, n1i), f64x2.add(m1i, n1r), yr + 4 * row, yi + 4 * row);
    }
  }
}

/** More twiddles than there are registers for are loaded where they are needed. */
// @ts-ignore: decorator
@inline
function turnedBy(w: usize, zr: v128, zi: v128, yr: usize, yi: usize): void {
  turned(v128.load_splat<f64>(w), v128.load_splat<f64>(w, 8), zr, zi, yr, yi);
}
