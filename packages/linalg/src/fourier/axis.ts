/** What transforms of one axis of a convolution need: twiddles, and room for even and odd frequencies apart. */
import type { FourierForm, Transform } from "../kernels/fourier-form.js";
import type { Frequencies, Period, Sequences } from "./half-steps.js";
import { checkLength, rootsOf, stageLengths, stagesOf } from "./stages.js";

/** m is half of its period. */
export interface Axis extends Period {
  readonly transform: Transform;
  readonly even: Half;
  readonly odd: Half;
}

/** Two places for sequences of length m, and which of them the transform of x ends in. */
interface Half extends Frequencies {
  readonly x: Sequences;
  readonly y: Sequences;
  readonly done: Sequences;
  /** The same with real and imaginary parts in each other's place, for the inverse. */
  readonly xSwapped: Sequences;
  readonly ySwapped: Sequences;
  readonly doneSwapped: Sequences;
  readonly otherSwapped: Sequences;
}

/** Of the arrays that an axis takes. */
export function axisLengths(period: number, batch: number): number[] {
  const m = period / 2;
  return [...new Array<number>(8).fill(m * batch), 2 * m, ...stageLengths(m)];
}

/** @throws CurvatureError ERR_OPTION for a period with a prime factor above 5 */
export function axisOf(form: FourierForm, path: string, period: number): Axis {
  checkLength("EvenConvolution", path, period);
  const m = period / 2;
  const stages = stagesOf(m, form.batch);
  const turns = form.take(2 * m);
  turns.set(rootsOf(period, m));
  const half = (isOdd: boolean): Half => halfOf(form, m, isOdd, stages.length % 2 === 1);
  const { batch } = form;
  return { m, batch, turns, transform: form.transform(stages), even: half(false), odd: half(true) };
}

function halfOf(form: FourierForm, m: number, isOdd: boolean, isInOther: boolean): Half {
  const { batch } = form;
  const size = m * batch;
  const [x, y] = [0, 1].map(() => ({ re: form.take(size), im: form.take(size) }));
  const [xSwapped, ySwapped] = [swapped(x), swapped(y)];
  return {
    ...{ m, batch, isOdd },
    x,
    y,
    done: isInOther ? y : x,
    xSwapped,
    ySwapped,
    doneSwapped: isInOther ? ySwapped : xSwapped,
    otherSwapped: isInOther ? xSwapped : ySwapped,
  };
}

const swapped = ({ re, im }: Sequences): Sequences => ({ re: im, im: re });
