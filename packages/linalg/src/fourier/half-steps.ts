/**
 * The steps of a convolution between its transforms (see `even-convolution.ts`), sequences b < B side by side.
 *
 * A sequence x of period 2 m has a transform whose even and odd frequencies are transforms of length m:
 *
 *   X_{2k} = Σ_p (x_p + x_{p+m}) ω_m^{pk},   X_{2k+1} = Σ_p (x_p − x_{p+m}) ω_{2m}^p ω_m^{pk},   0 ≤ p, k < m
 *
 * The frequency opposite to that at k is at k' = (m − k) mod m among the even ones, at m − 1 − k among the odd ones;
 * `keptOf` of k and k' make up one of each two.
 *
 * A field holds columns of numbers: B of them make a block of `stride` numbers, real parts by rows and then imaginary parts.
 */

/** Complex numbers: their real and imaginary parts. */
export interface Sequences {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** B sequences of `count` numbers side by side in `array`: real parts from its place `re` on, imaginary parts from `im` on. */
export interface Rows {
  readonly array: Float64Array;
  readonly re: number;
  readonly im: number;
  readonly count: number;
}

/** What both halves of a transform have in common. */
export interface Period {
  readonly m: number;
  /** B */
  readonly batch: number;
  /** The powers of ω = ω_{2m}, p < m. */
  readonly turns: Float64Array;
}

/** One half of the frequencies. */
export interface Frequencies {
  readonly m: number;
  /** B */
  readonly batch: number;
  readonly isOdd: boolean;
}

export interface Field {
  readonly array: Float64Array;
  readonly stride: number;
}

export interface HalfSteps {
  /** z_p ← x_p + x_{p+m}; x_p = 0 from `count` on */
  foldEven(x: Rows, period: Period, z: Sequences): void;
  /** z_p ← (x_p − x_{p+m}) ω^p */
  foldOdd(x: Rows, period: Period, z: Sequences): void;
  /** x_p ← y_p + ω^{−p} z_p,  x_{p+m} ← y_p − ω^{−p} z_p; none from `count` on */
  unfold(y: Sequences, z: Sequences, period: Period, x: Rows): void;
  /** Of transforms of a_b + i c_b, real: those of a_b and c_b into rows 2 b and 2 b + 1 of a field, from its place `at` on. */
  separate(z: Sequences, half: Frequencies, field: Field, at: number): void;
  /** The way back. */
  merge(field: Field, at: number, half: Frequencies, z: Sequences): void;
  /** z_k ← κ_k z_k, z_k' ← κ_k z_k' */
  multiply(z: Sequences, half: Frequencies, spectrum: Float64Array, at: number): void;
}

/** How many frequencies stand for all m. */
export const keptOf = (m: number, isOdd: boolean): number => (isOdd ? (m + 1) >> 1 : (m >> 1) + 1);

export const halfSteps: HalfSteps = {
  foldEven({ array: x, re, im, count }, { m, batch: B }, { re: zr, im: zi }) {
    const both = Math.max(0, count - m) * B;
    const one = Math.min(count, m) * B;
    const shift = m * B;
    for (let q = 0; q < both; q++) {
      zr[q] = x[re + q] + x[re + q + shift];
      zi[q] = x[im + q] + x[im + q + shift];
    }
    for (let q = both; q < one; q++) {
      zr[q] = x[re + q];
      zi[q] = x[im + q];
    }
    zr.fill(0, one);
    zi.fill(0, one);
  },

  foldOdd({ array: x, re, im, count }, { m, batch: B, turns }, { re: zr, im: zi }) {
    const both = Math.max(0, count - m);
    const one = Math.min(count, m);
    const shift = m * B;
    let q = 0;
    for (let p = 0; p < both; p++) {
      const wr = turns[2 * p];
      const wi = turns[2 * p + 1];
      for (const end = q + B; q < end; q++) {
        const dr = x[re + q] - x[re + q + shift];
        const di = x[im + q] - x[im + q + shift];
        zr[q] = wr * dr - wi * di;
        zi[q] = wr * di + wi * dr;
      }
    }
    for (let p = both; p < one; p++) {
      const wr = turns[2 * p];
      const wi = turns[2 * p + 1];
      for (const end = q + B; q < end; q++) {
        zr[q] = wr * x[re + q] - wi * x[im + q];
        zi[q] = wr * x[im + q] + wi * x[re + q];
      }
    }
    zr.fill(0, one * B);
    zi.fill(0, one * B);
  },

  unfold({ re: yr, im: yi }, { re: zr, im: zi }, { m, batch: B, turns }, { array: x, re, im, count }) {
    const both = Math.max(0, count - m);
    const one = Math.min(count, m);
    const shift = m * B;
    let q = 0;
    for (let p = 0; p < one; p++) {
      const wr = turns[2 * p];
      const wi = turns[2 * p + 1];
      for (const end = q + B; q < end; q++) {
        x[re + q] = yr[q] + (wr * zr[q] + wi * zi[q]);
        x[im + q] = yi[q] + (wr * zi[q] - wi * zr[q]);
      }
    }
    q = 0;
    for (let p = 0; p < both; p++) {
      const wr = turns[2 * p];
      const wi = turns[2 * p + 1];
      for (const end = q + B; q < end; q++) {
        x[re + q + shift] = yr[q] - (wr * zr[q] + wi * zi[q]);
        x[im + q + shift] = yi[q] - (wr * zi[q] - wi * zr[q]);
      }
    }
  },

  separate({ re: zr, im: zi }, { m, isOdd, batch: B }, { array: field, stride }, at) {
    const kept = keptOf(m, isOdd);
    for (let k = 0; k < kept; k++) {
      const opposite = isOdd ? m - 1 - k : k === 0 ? 0 : m - k;
      const column = at + Math.floor(k / B) * stride + (k % B);
      for (let b = 0; b < B; b++) {
        const plus = k * B + b;
        const minus = opposite * B + b;
        const re = column + 2 * b * B;
        const im = re + stride / 2;
        field[re] = 0.5 * (zr[plus] + zr[minus]);
        field[im] = 0.5 * (zi[plus] - zi[minus]);
        field[re + B] = 0.5 * (zi[plus] + zi[minus]);
        field[im + B] = 0.5 * (zr[minus] - zr[plus]);
      }
    }
  },

  merge({ array: field, stride }, at, { m, isOdd, batch: B }, { re: zr, im: zi }) {
    const kept = keptOf(m, isOdd);
    for (let k = 0; k < kept; k++) {
      const opposite = isOdd ? m - 1 - k : k === 0 ? 0 : m - k;
      const column = at + Math.floor(k / B) * stride + (k % B);
      for (let b = 0; b < B; b++) {
        const plus = k * B + b;
        const minus = opposite * B + b;
        const re = column + 2 * b * B;
        const im = re + stride / 2;
        zr[minus] = field[re] + field[im + B];
        zi[minus] = field[re + B] - field[im];
        zr[plus] = field[re] - field[im + B];
        zi[plus] = field[im] + field[re + B];
      }
    }
  },

  multiply({ re: zr, im: zi }, { m, isOdd, batch: B }, spectrum, at) {
    const kept = keptOf(m, isOdd);
    for (let k = 0; k < kept; k++) {
      const opposite = isOdd ? m - 1 - k : k === 0 ? 0 : m - k;
      for (let b = 0; b < B; b++) {
        const factor = spectrum[at + k * B + b];
        const plus = k * B + b;
        zr[plus] *= factor;
        zi[plus] *= factor;
        if (opposite === k) continue;
        const minus = opposite * B + b;
        zr[minus] *= factor;
        zi[minus] *= factor;
      }
    }
  },
};
