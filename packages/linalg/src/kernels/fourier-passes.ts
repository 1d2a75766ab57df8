/** The passes of a Fourier transform, one after the other, between two pairs of arrays. See `fourier/fft.ts`. */
import { type Pass, radix2, radix3, radix4, radix5 } from "../fourier/butterflies.js";
import type { Radix } from "../fourier/fast-length.js";
import { allocated } from "../memory.js";

export interface Stage {
  readonly radix: Radix;
  readonly m: number;
  readonly s: number;
  readonly twiddles: Float64Array;
}

export interface FourierPasses {
  /** The sequences: where they are to be, and the transform is. */
  readonly re: Float64Array;
  readonly im: Float64Array;
  /** Of re + i im, or where it is said to be swapped of im + i re. */
  run(isSwapped: boolean): void;
}

/**
 * Undefined where there is no other form than TypeScript's.
 *
 * @param size - numbers in each array
 */
export type TakeFourierPasses = (size: number, stages: readonly Stage[]) => FourierPasses | undefined;

export const noFourierPasses: TakeFourierPasses = () => undefined;

export type PassOfRadix = Readonly<Record<Radix, Pass>>;

export const passesInTypeScript: PassOfRadix = { 2: radix2, 3: radix3, 4: radix4, 5: radix5 };

export const fourierInTypeScript = (size: number, stages: readonly Stage[]): FourierPasses =>
  passesBetween(
    [0, 1, 2, 3].map(() => allocated(size, "Fft")),
    stages,
    passesInTypeScript,
  );

/** @param arrays - real and imaginary part, and as much room to work in */
export function passesBetween(
  [re, im, workRe, workIm]: readonly Float64Array[],
  stages: readonly Stage[],
  passOf: PassOfRadix,
): FourierPasses {
  const run = (xr: Float64Array, xi: Float64Array, yr: Float64Array, yi: Float64Array): void => {
    let [fromRe, fromIm, toRe, toIm] = [xr, xi, yr, yi];
    for (const { radix, m, s, twiddles } of stages) {
      passOf[radix](m, s, twiddles, fromRe, fromIm, toRe, toIm);
      [fromRe, fromIm, toRe, toIm] = [toRe, toIm, fromRe, fromIm];
    }
    if (fromRe === xr) return;
    xr.set(fromRe);
    xi.set(fromIm);
  };
  return {
    re,
    im,
    run: (isSwapped) => {
      if (isSwapped) run(im, re, workIm, workRe);
      else run(re, im, workRe, workIm);
    },
  };
}
