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

/** Where passes of radix 4 are done in another form. */
export interface FourierMemory {
  /** Real and imaginary part, and as much room to work in. */
  readonly arrays: readonly Float64Array[];
  /** Those given, their twiddles in the same memory. */
  readonly stages: readonly Stage[];
  readonly radix4: Pass;
}

/**
 * Undefined where there is no other form than TypeScript's.
 *
 * @param size - numbers in each array
 */
export type TakeFourierMemory = (size: number, stages: readonly Stage[]) => FourierMemory | undefined;

export const noFourierMemory: TakeFourierMemory = () => undefined;

type PassOfRadix = Readonly<Record<Radix, Pass>>;

/** @param memory - undefined for TypeScript alone */
export function fourierPasses(
  size: number,
  stages: readonly Stage[],
  memory: FourierMemory | undefined,
): FourierPasses {
  const passOf = { 2: radix2, 3: radix3, 4: memory?.radix4 ?? radix4, 5: radix5 };
  const arrays = memory?.arrays ?? [0, 1, 2, 3].map(() => allocated(size, "Fft"));
  return passesBetween(arrays, memory?.stages ?? stages, passOf);
}

function passesBetween(
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
