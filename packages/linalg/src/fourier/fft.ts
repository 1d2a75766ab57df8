/**
 * The discrete Fourier transform of many complex sequences, side by side.
 *
 *   X_k = Σ_j x_j ω_n^{jk},   ω_n = e^{−2πi/n},   0 ≤ k < n
 *
 * Stockham's self-sorting form, decimation in frequency: while n = r m is left, with s sequences interleaved,
 *
 *   y[q + s (r p + k)] = ω_n^{pk} Σ_j ω_r^{jk} x[q + s (p + m j)],   0 ≤ p < m, 0 ≤ k < r, 0 ≤ q < s;   n ← m, s ← r s
 *
 * No reordering of bits, and an inner loop over q with one twiddle: sequences that lie side by side cost less than one
 * after the other.
 *
 * | symbol    | variable | shape                                       |
 * |-----------|----------|---------------------------------------------|
 * | x, y      | re, im   | n · batch, entry j of sequence b at j · batch + b |
 * | r         | radix    | 4, 2, 3 or 5                                |
 * | ω_n^{pk}  | twiddles | m (r − 1) pairs per pass                    |
 *
 * Van Loan: Computational frameworks for the fast Fourier transform. SIAM (1992), section 1.7. The twiddles are portable
 * sines and cosines, so that the bits are the same on every engine.
 */
import { CurvatureError } from "../errors.js";
import { type FourierPasses, fourierPasses, type Stage } from "../kernels/fourier-passes.js";
import { kernels } from "../kernels/table.js";
import { allocated } from "../memory.js";
import { badOption, shown } from "../options.js";
import { cos, sin } from "../portable/trigonometric.js";
import { factorsOf, type Radix } from "./fast-length.js";

export class Fft {
  /** Arrays of its own, of length n · batch: sequences that are written there need no copy. */
  readonly re: Float64Array;
  readonly im: Float64Array;
  private readonly passes: FourierPasses;

  /**
   * @param length - n, at least 1, with no prime factor above 5: see `fastLength`
   * @param batch - how many sequences lie side by side
   * @throws CurvatureError ERR_OPTION, ERR_MEMORY
   */
  constructor(
    readonly length: number,
    readonly batch = 1,
  ) {
    const factors = Number.isInteger(length) && length >= 1 ? factorsOf(length) : undefined;
    if (factors === undefined)
      throw badOption("Fft", "length", "a whole number with no prime factor above 5", length);
    if (!(Number.isInteger(batch) && batch >= 1))
      throw badOption("Fft", "batch", "a whole number of at least 1", batch);
    const stages = stagesOf(length, batch, factors);
    const size = length * batch;
    this.passes = fourierPasses(size, stages, kernels.fourier(size, stages));
    this.re = this.passes.re;
    this.im = this.passes.im;
  }

  /**
   * In place; arrays of length n · batch. The inverse, times n, is the same with `im` and `re` in each other's place.
   *
   * @throws CurvatureError ERR_SHAPE, and ERR_ARGUMENT for arrays of which one would be overwritten before it is read
   */
  transform(re: Float64Array, im: Float64Array): void {
    this.checkLength(re, "re");
    this.checkLength(im, "im");
    const { passes } = this;
    if (re === passes.re && im === passes.im) passes.run(false);
    else if (re === passes.im && im === passes.re) passes.run(true);
    else {
      if (overlap(re, im) || overlap(im, passes.re) || overlap(re, passes.im))
        throw new CurvatureError(
          "ERR_ARGUMENT",
          "Fft: re and im must not lie in each other's memory, nor in that of the transform's own im and re; copy one.",
          { path: "re" },
        );
      passes.re.set(re);
      passes.im.set(im);
      passes.run(false);
      re.set(passes.re);
      im.set(passes.im);
    }
  }

  private checkLength(numbers: Float64Array, path: "re" | "im"): void {
    const size = this.length * this.batch;
    if (numbers instanceof Float64Array && numbers.length === size) return;
    const expected = `a Float64Array of length ${size}`;
    throw new CurvatureError("ERR_SHAPE", `Fft: ${path} must be ${expected}; received ${shown(numbers)}.`, {
      path,
      expected,
      received: numbers,
    });
  }
}

/** Of two arrays of one length. */
function overlap(a: Float64Array, b: Float64Array): boolean {
  return a.buffer === b.buffer && Math.abs(a.byteOffset - b.byteOffset) < a.byteLength;
}

function stagesOf(length: number, batch: number, factors: readonly Radix[]): Stage[] {
  const stages: Stage[] = [];
  let n = length;
  let s = batch;
  for (const radix of factors) {
    const m = n / radix;
    stages.push({ radix, m, s, twiddles: twiddlesOf(n, m, radix) });
    n = m;
    s *= radix;
  }
  return stages;
}

/** ω_n^{pk} for p < m and 0 < k < r, in that order. */
function twiddlesOf(n: number, m: number, radix: number): Float64Array {
  const twiddles = allocated(2 * m * (radix - 1), "Fft");
  for (let p = 0, at = 0; p < m; p++) {
    for (let k = 1; k < radix; k++, at += 2) {
      const angle = (-2 * Math.PI * ((p * k) % n)) / n;
      twiddles[at] = cos(angle);
      twiddles[at + 1] = sin(angle);
    }
  }
  return twiddles;
}
