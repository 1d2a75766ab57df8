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
import { fourierInTypeScript, type Transform } from "../kernels/fourier-form.js";
import { installed } from "../kernels/table.js";
import { badOption, shown } from "../options.js";
import type { Sequences } from "./half-steps.js";
import { checkLength, stageLengths, stagesOf } from "./stages.js";

export class Fft {
  /** Arrays of its own, of length n · batch: sequences that are written there need no copy. */
  readonly re: Float64Array;
  readonly im: Float64Array;
  private readonly passes: Transform;
  private readonly work: Sequences;
  /** Real and imaginary parts in each other's place. */
  private readonly swapped: Sequences;
  private readonly swappedWork: Sequences;
  /** Whether the passes end in `work`. */
  private readonly endsInWork: boolean;

  /**
   * @param length - n, at least 1, with no prime factor above 5: see `fastLength`
   * @param batch - how many sequences lie side by side
   * @throws CurvatureError ERR_OPTION, ERR_MEMORY
   */
  constructor(
    readonly length: number,
    readonly batch = 1,
  ) {
    checkLength("Fft", "length", length);
    if (!(Number.isInteger(batch) && batch >= 1))
      throw badOption("Fft", "batch", "a whole number of at least 1", batch);
    const size = length * batch;
    const lengths = [size, size, size, size, ...stageLengths(length)];
    const form = installed.fourier?.(batch, () => lengths) ?? fourierInTypeScript;
    const stages = stagesOf(length, batch);
    this.re = form.take(size);
    this.im = form.take(size);
    this.work = { re: form.take(size), im: form.take(size) };
    this.swapped = { re: this.im, im: this.re };
    this.swappedWork = { re: this.work.im, im: this.work.re };
    this.passes = form.transform(stages);
    this.endsInWork = stages.length % 2 === 1;
  }

  /**
   * In place; arrays of length n · batch. The inverse, times n, is the same with `im` and `re` in each other's place.
   *
   * @throws CurvatureError ERR_SHAPE, and ERR_ARGUMENT for arrays of which one would be overwritten before it is read
   */
  transform(re: Float64Array, im: Float64Array): void {
    this.checkArray(re, "re");
    this.checkArray(im, "im");
    if (re === this.re && im === this.im) this.run(this, this.work);
    else if (re === this.im && im === this.re) this.run(this.swapped, this.swappedWork);
    else {
      if (overlap(re, im) || overlap(im, this.re) || overlap(re, this.im))
        throw new CurvatureError(
          "ERR_ARGUMENT",
          "re and im must not lie in each other's memory, nor in that of the transform's own im and re; copy one.",
          { where: "Fft", path: "re" },
        );
      this.re.set(re);
      this.im.set(im);
      this.run(this, this.work);
      re.set(this.re);
      im.set(this.im);
    }
  }

  private run(x: Sequences, work: Sequences): void {
    this.passes(x, work);
    if (!this.endsInWork) return;
    x.re.set(work.re);
    x.im.set(work.im);
  }

  private checkArray(numbers: Float64Array, path: "re" | "im"): void {
    const size = this.length * this.batch;
    if (numbers instanceof Float64Array && numbers.length === size) return;
    const expected = `a Float64Array of length ${size}`;
    throw new CurvatureError("ERR_SHAPE", `${path} must be ${expected}; received ${shown(numbers)}.`, {
      where: "Fft",
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
