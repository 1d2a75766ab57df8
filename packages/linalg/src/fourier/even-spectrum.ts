/** The transform of a real kernel that is even along both axes: real, and even. */
import { allocated } from "../memory.js";
import { Fft } from "./fft.js";

/** Sequences side by side. */
const BATCH = 16;

/**
 * κ̂ by cosine transforms, along the rows and then along the columns.
 *
 * @param kernel - (P/2 + 1) × (Q/2 + 1), as κ̂
 */
export function spectrumOf(kernel: Float64Array, P: number, Q: number): Float64Array {
  const height = P / 2 + 1;
  const width = Q / 2 + 1;
  const spectrum = allocated(kernel.length, "EvenConvolution");
  spectrum.set(kernel);
  cosineTransform(spectrum, height, width, width, 1, Q);
  cosineTransform(spectrum, width, height, 1, width, P);
  return spectrum;
}

/** `count` even sequences of period n, of which entries 0 to n/2 are given, in place; they are real, so two go as one. */
function cosineTransform(
  data: Float64Array,
  count: number,
  given: number,
  sequenceStride: number,
  entryStride: number,
  n: number,
): void {
  const fft = new Fft(n, BATCH);
  const { re, im } = fft;
  for (let first = 0; first < count; first += 2 * BATCH) {
    for (let c = first; c < Math.min(count, first + 2 * BATCH); c++) {
      const target = (c - first) % 2 === 0 ? re : im;
      const b = (c - first) >> 1;
      for (let j = 0; j < n; j++)
        target[j * BATCH + b] = data[c * sequenceStride + (j < given ? j : n - j) * entryStride];
    }
    fft.transform(re, im);
    for (let c = first; c < Math.min(count, first + 2 * BATCH); c++) {
      const source = (c - first) % 2 === 0 ? re : im;
      const b = (c - first) >> 1;
      for (let j = 0; j < given; j++) data[c * sequenceStride + j * entryStride] = source[j * BATCH + b];
    }
  }
}
