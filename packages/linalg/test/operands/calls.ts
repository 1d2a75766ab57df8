/** Calls with operands that do not fit, by what is wrong with them. */
import { nothing, sizes } from "./bad-operands.js";

export type Calls = Readonly<Record<string, () => unknown>>;

/** One call for each of the operands. @param name - of the parameter that they are for */
export const each = <T>(
  name: string,
  operands: Readonly<Record<string, T>>,
  call: (operand: T) => unknown,
): Calls =>
  Object.fromEntries(
    Object.entries(operands).map(([what, operand]) => [`${name}: ${what}`, () => call(operand)]),
  );

export const numbers = (...values: number[]): Float64Array => Float64Array.from(values);

/** `call` takes two arrays of two numbers. */
export const twoArrays = (call: (x: Float64Array, y: Float64Array) => unknown): Calls => ({
  "x too short": () => call(numbers(1), numbers(1, 2)),
  "y too long": () => call(numbers(1, 2), numbers(1, 2, 3)),
  "no array": () => call(numbers(1, 2), nothing),
});

/** `call` makes products or solves with a matrix of two rows. */
export const blocks = (call: (B: Float64Array, d: number, out: Float64Array) => unknown): Calls => ({
  ...twoArrays((x, y) => call(x, 1, y)),
  ...each("d", sizes, (d) => call(numbers(1, 2), d, numbers(0, 0))),
});
