/**
 * Fourier transforms and convolutions in the memory of an instance of their own, as large as what they will take.
 */
import type { HalfSteps, Sequences } from "../fourier/half-steps.js";
import type { FourierForm, Stage, TakeFourierForm, Transform } from "../kernels/fourier-form.js";
import { Addresses, aligned, type Exports, instantiated } from "./instance.js";

/** Numbers in all arrays from which on an instance is worth it. */
const MIN_SIZE = 4096;
/** A convolution's sequences side by side: one in each lane. */
const LANES = 2;
/** Integers that describe a stage to `assembly/fourier.ts`, and how many stages there may be. */
const FIELDS = 4;
const STAGES = 64;

export const fourierOf =
  (module: WebAssembly.Module): TakeFourierForm =>
  (batch, lengthsFor) => {
    if (batch !== undefined && batch % LANES !== 0) return undefined;
    const lengths = lengthsFor(batch ?? LANES);
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const bytes = lengths.reduce(
      (sum, length) => sum + aligned(8 * length),
      2 * aligned(4 * FIELDS * STAGES),
    );
    const exports = total < MIN_SIZE ? undefined : instantiated(module, bytes);
    return exports && new FourierInMemory(exports);
  };

class FourierInMemory implements FourierForm {
  readonly batch = LANES;
  readonly steps: HalfSteps;
  private readonly addresses = new Addresses();

  constructor(private readonly exports: Exports) {
    this.steps = stepsOf(exports);
  }

  take(length: number): Float64Array {
    return new Float64Array(this.exports.memory.buffer, this.addresses.take(8 * length), length);
  }

  transform(stages: readonly Stage[]): Transform {
    const { exports } = this;
    const count = stages.length;
    const table = this.addresses.take(4 * FIELDS * STAGES);
    const fields = new Uint32Array(exports.memory.buffer, table, FIELDS * count);
    stages.forEach(({ radix, m, s, twiddles }, k) => {
      const own = this.take(twiddles.length);
      own.set(twiddles);
      fields.set([radix, m, s, own.byteOffset], FIELDS * k);
    });
    return (x, y) => exports.transform(table, count, ...both(x), ...both(y));
  }
}

const both = ({ re, im }: Sequences): [number, number] => [re.byteOffset, im.byteOffset];
const at = (array: Float64Array, place: number): number => array.byteOffset + 8 * place;

function stepsOf(exports: Exports): HalfSteps {
  return {
    foldEven: ({ array, re, im, count }, { m }, z) =>
      exports.foldEven(at(array, re), at(array, im), count, m, ...both(z)),
    foldOdd: ({ array, re, im, count }, { m, turns }, z) =>
      exports.foldOdd(at(array, re), at(array, im), count, m, turns.byteOffset, ...both(z)),
    unfold: (y, z, { m, turns }, { array, re, im, count }) =>
      exports.unfold(...both(y), ...both(z), m, turns.byteOffset, at(array, re), at(array, im), count),
    separate: (z, { m, isOdd }, { array, stride }, place) =>
      exports.separate(...both(z), m, isOdd, at(array, place), 8 * stride),
    merge: ({ array, stride }, place, { m, isOdd }, z) =>
      exports.merge(at(array, place), 8 * stride, m, isOdd, ...both(z)),
    multiply: (z, { m, isOdd }, spectrum, place) =>
      exports.multiplyHalf(...both(z), m, isOdd, at(spectrum, place)),
  };
}
