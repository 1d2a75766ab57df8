/** What Fourier transforms and convolutions are made with: arrays, and the loops over them, in one form or another. */
import { radix2, radix3, radix4, radix5 } from "../fourier/butterflies.js";
import type { Radix } from "../fourier/fast-length.js";
import { type HalfSteps, halfSteps, type Sequences } from "../fourier/half-steps.js";
import { allocated } from "../memory.js";

export interface Stage {
  readonly radix: Radix;
  readonly m: number;
  readonly s: number;
  readonly twiddles: Float64Array;
}

/**
 * All stages, from x to y, from y to x and so on: the transform is in y if their number is odd, else in x. What was in the
 * other one is lost.
 */
export type Transform = (x: Sequences, y: Sequences) => void;

export interface FourierForm {
  /** How many sequences side by side suit it. */
  readonly batch: number;
  /** Zeros. All arrays that the form is given must be its own. */
  take(length: number): Float64Array;
  transform(stages: readonly Stage[]): Transform;
  readonly steps: HalfSteps;
}

/**
 * Undefined where there is no other form than TypeScript's.
 *
 * @param batch - how many sequences will lie side by side, where that is given
 * @param lengthsFor - the lengths of all arrays that will be taken, those of twiddles among them, for so many side by side
 */
export type TakeFourierForm = (
  batch: number | undefined,
  lengthsFor: (batch: number) => readonly number[],
) => FourierForm | undefined;

const passOf = { 2: radix2, 3: radix3, 4: radix4, 5: radix5 } as const;

export const fourierInTypeScript: FourierForm = {
  batch: 8,
  take: (length) => allocated(length, "Fft"),
  transform: (stages) => (x, y) => {
    let [from, to] = [x, y];
    for (const { radix, m, s, twiddles } of stages) {
      passOf[radix](m, s, twiddles, from.re, from.im, to.re, to.im);
      [from, to] = [to, from];
    }
  },
  steps: halfSteps,
};
