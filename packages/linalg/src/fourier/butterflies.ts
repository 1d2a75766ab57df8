/**
 * One pass of the transform of `fft.ts` for each radix r: m butterflies of s sequences each, from x to y.
 *
 * ω_4 = −i;  ω_3 = −1/2 − i √3/2;  ω_5 by its cosines and sines. The twiddles of butterfly p stand one after the other:
 * re ω_n^{p}, im ω_n^{p}, re ω_n^{2p}, …; those of p = 0 are 1, by which the last pass of radix 4 does not multiply.
 */
export type Pass = (
  m: number,
  s: number,
  twiddles: Float64Array,
  xr: Float64Array,
  xi: Float64Array,
  yr: Float64Array,
  yi: Float64Array,
) => void;

export const radix2: Pass = (m, s, twiddles, xr, xi, yr, yi) => {
  for (let p = 0; p < m; p++) {
    const w1r = twiddles[2 * p];
    const w1i = twiddles[2 * p + 1];
    const to = 2 * s * p;
    for (let q = 0; q < s; q++) {
      const a = s * p + q;
      const b = a + s * m;
      const dr = xr[a] - xr[b];
      const di = xi[a] - xi[b];
      yr[to + q] = xr[a] + xr[b];
      yi[to + q] = xi[a] + xi[b];
      yr[to + s + q] = w1r * dr - w1i * di;
      yi[to + s + q] = w1r * di + w1i * dr;
    }
  }
};

const SIN_60 = 0.8660254037844386;

export const radix3: Pass = (m, s, twiddles, xr, xi, yr, yi) => {
  for (let p = 0; p < m; p++) {
    const w1r = twiddles[4 * p];
    const w1i = twiddles[4 * p + 1];
    const w2r = twiddles[4 * p + 2];
    const w2i = twiddles[4 * p + 3];
    const to = 3 * s * p;
    for (let q = 0; q < s; q++) {
      const a = s * p + q;
      const b = a + s * m;
      const c = b + s * m;
      const sumR = xr[b] + xr[c];
      const sumI = xi[b] + xi[c];
      const differenceR = SIN_60 * (xr[b] - xr[c]);
      const differenceI = SIN_60 * (xi[b] - xi[c]);
      const middleR = xr[a] - 0.5 * sumR;
      const middleI = xi[a] - 0.5 * sumI;
      yr[to + q] = xr[a] + sumR;
      yi[to + q] = xi[a] + sumI;
      const z1r = middleR + differenceI;
      const z1i = middleI - differenceR;
      const z2r = middleR - differenceI;
      const z2i = middleI + differenceR;
      yr[to + s + q] = w1r * z1r - w1i * z1i;
      yi[to + s + q] = w1r * z1i + w1i * z1r;
      yr[to + 2 * s + q] = w2r * z2r - w2i * z2i;
      yi[to + 2 * s + q] = w2r * z2i + w2i * z2r;
    }
  }
};

export const radix4: Pass = (m, s, twiddles, xr, xi, yr, yi) => {
  if (m === 1) {
    lastOfRadix4(s, xr, xi, yr, yi);
    return;
  }
  for (let p = 0; p < m; p++) {
    const w1r = twiddles[6 * p];
    const w1i = twiddles[6 * p + 1];
    const w2r = twiddles[6 * p + 2];
    const w2i = twiddles[6 * p + 3];
    const w3r = twiddles[6 * p + 4];
    const w3i = twiddles[6 * p + 5];
    const to = 4 * s * p;
    for (let q = 0; q < s; q++) {
      const a = s * p + q;
      const b = a + s * m;
      const c = b + s * m;
      const d = c + s * m;
      const acR = xr[a] + xr[c];
      const acI = xi[a] + xi[c];
      const bdR = xr[b] + xr[d];
      const bdI = xi[b] + xi[d];
      const a_cR = xr[a] - xr[c];
      const a_cI = xi[a] - xi[c];
      const b_dR = xr[b] - xr[d];
      const b_dI = xi[b] - xi[d];
      yr[to + q] = acR + bdR;
      yi[to + q] = acI + bdI;
      const z1r = a_cR + b_dI;
      const z1i = a_cI - b_dR;
      const z2r = acR - bdR;
      const z2i = acI - bdI;
      const z3r = a_cR - b_dI;
      const z3i = a_cI + b_dR;
      yr[to + s + q] = w1r * z1r - w1i * z1i;
      yi[to + s + q] = w1r * z1i + w1i * z1r;
      yr[to + 2 * s + q] = w2r * z2r - w2i * z2i;
      yi[to + 2 * s + q] = w2r * z2i + w2i * z2r;
      yr[to + 3 * s + q] = w3r * z3r - w3i * z3i;
      yi[to + 3 * s + q] = w3r * z3i + w3i * z3r;
    }
  }
};

function lastOfRadix4(
  s: number,
  xr: Float64Array,
  xi: Float64Array,
  yr: Float64Array,
  yi: Float64Array,
): void {
  for (let a = 0; a < s; a++) {
    const b = a + s;
    const c = b + s;
    const d = c + s;
    const acR = xr[a] + xr[c];
    const acI = xi[a] + xi[c];
    const bdR = xr[b] + xr[d];
    const bdI = xi[b] + xi[d];
    const a_cR = xr[a] - xr[c];
    const a_cI = xi[a] - xi[c];
    const b_dR = xr[b] - xr[d];
    const b_dI = xi[b] - xi[d];
    yr[a] = acR + bdR;
    yi[a] = acI + bdI;
    yr[b] = a_cR + b_dI;
    yi[b] = a_cI - b_dR;
    yr[c] = acR - bdR;
    yi[c] = acI - bdI;
    yr[d] = a_cR - b_dI;
    yi[d] = a_cI + b_dR;
  }
}

const COS_72 = 0.30901699437494745;
const COS_144 = -0.8090169943749475;
const SIN_72 = 0.9510565162951535;
const SIN_144 = 0.5877852522924731;

export const radix5: Pass = (m, s, twiddles, xr, xi, yr, yi) => {
  for (let p = 0; p < m; p++) {
    const to = 5 * s * p;
    const t = 8 * p;
    for (let q = 0; q < s; q++) {
      const a = s * p + q;
      const b = a + s * m;
      const c = b + s * m;
      const d = c + s * m;
      const e = d + s * m;
      const beR = xr[b] + xr[e];
      const beI = xi[b] + xi[e];
      const cdR = xr[c] + xr[d];
      const cdI = xi[c] + xi[d];
      const b_eR = xr[b] - xr[e];
      const b_eI = xi[b] - xi[e];
      const c_dR = xr[c] - xr[d];
      const c_dI = xi[c] - xi[d];
      const m1r = xr[a] + COS_72 * beR + COS_144 * cdR;
      const m1i = xi[a] + COS_72 * beI + COS_144 * cdI;
      const m2r = xr[a] + COS_144 * beR + COS_72 * cdR;
      const m2i = xi[a] + COS_144 * beI + COS_72 * cdI;
      const n1r = SIN_72 * b_eR + SIN_144 * c_dR;
      const n1i = SIN_72 * b_eI + SIN_144 * c_dI;
      const n2r = SIN_144 * b_eR - SIN_72 * c_dR;
      const n2i = SIN_144 * b_eI - SIN_72 * c_dI;
      yr[to + q] = xr[a] + beR + cdR;
      yi[to + q] = xi[a] + beI + cdI;
      const z1r = m1r + n1i;
      const z1i = m1i - n1r;
      const z2r = m2r + n2i;
      const z2i = m2i - n2r;
      const z3r = m2r - n2i;
      const z3i = m2i + n2r;
      const z4r = m1r - n1i;
      const z4i = m1i + n1r;
      yr[to + s + q] = twiddles[t] * z1r - twiddles[t + 1] * z1i;
      yi[to + s + q] = twiddles[t] * z1i + twiddles[t + 1] * z1r;
      yr[to + 2 * s + q] = twiddles[t + 2] * z2r - twiddles[t + 3] * z2i;
      yi[to + 2 * s + q] = twiddles[t + 2] * z2i + twiddles[t + 3] * z2r;
      yr[to + 3 * s + q] = twiddles[t + 4] * z3r - twiddles[t + 5] * z3i;
      yi[to + 3 * s + q] = twiddles[t + 4] * z3i + twiddles[t + 5] * z3r;
      yr[to + 4 * s + q] = twiddles[t + 6] * z4r - twiddles[t + 7] * z4i;
      yi[to + 4 * s + q] = twiddles[t + 6] * z4i + twiddles[t + 7] * z4r;
    }
  }
};
