import { badArgument } from "../options.js";
import { installed } from "./table.js";

/**
 * Zeros, for the entries of symmetric matrices that `symmetricTimesVector` is called with again and again: with SIMD they lie
 * in the memory of a WebAssembly module, where nothing has to be copied for it. That memory cannot be transferred to another
 * thread, and a structured clone takes all of it along: it is for matrices that are handed to nobody. Each such memory reserves
 * some 8 GiB of addresses, as those of WebAssembly do: a few of them, not thousands.
 *
 * @param length - of the array
 * @param rows - the most of any matrix in it
 * @throws CurvatureError ERR_ARGUMENT for what are no such numbers
 */
export function symmetricEntries(length: number, rows: number): Float64Array {
  for (const [name, value] of Object.entries({ length, rows }))
    if (!Number.isInteger(value) || value < 0 || value > 2 ** 32)
      throw badArgument("symmetricEntries", name, "a whole number from 0 to 2^32", value);
  return installed.symmetric?.take(length, rows) ?? new Float64Array(length);
}
