/** The passes of a transform of length n, and their twiddles. */
import type { Stage } from "../kernels/fourier-form.js";
import { allocated } from "../memory.js";
import { badOption } from "../options.js";
import { cos, sin } from "../portable/trigonometric.js";
import { factorsOf } from "./fast-length.js";

/** @throws CurvatureError ERR_OPTION unless the length is whole, and has no prime factor above 5 */
export function checkLength(where: string, path: string, length: number): void {
  const isWhole = Number.isInteger(length) && length >= 1;
  if (!isWhole || factorsOf(length) === undefined)
    throw badOption(where, path, "a whole number with no prime factor above 5", length);
}

/** @param length - as `checkLength` has it */
export function stagesOf(length: number, batch: number): Stage[] {
  const stages: Stage[] = [];
  let n = length;
  let s = batch;
  for (const radix of factorsOf(length) ?? []) {
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

/** ω_n^p, p < count ≤ n. */
export function rootsOf(n: number, count: number): Float64Array {
  const roots = allocated(2 * count, "Fft");
  for (let p = 0; p < count; p++) {
    const angle = (-2 * Math.PI * p) / n;
    roots[2 * p] = cos(angle);
    roots[2 * p + 1] = sin(angle);
  }
  return roots;
}

/** Of the twiddles of all passes. */
export function stageLengths(length: number): number[] {
  let n = length;
  return (factorsOf(length) ?? []).map((radix) => {
    n /= radix;
    return 2 * n * (radix - 1);
  });
}
