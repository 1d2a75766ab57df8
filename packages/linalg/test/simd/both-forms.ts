/** What a computation gives with SIMD and without. */
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import { expect } from "vitest";

/** Equal numbers, zeros of equal sign, NaN for NaN. */
export function expectSameBits(actual: Float64Array, expected: Float64Array): void {
  expect(actual.length).toBe(expected.length);
  for (let k = 0; k < actual.length; k++)
    if (!Object.is(actual[k], expected[k])) expect(`${actual[k]} at ${k}`).toBe(`${expected[k]} at ${k}`);
}

export function inBothForms<T>(compute: () => T): { readonly simd: T; readonly typescript: T } {
  disableSimd();
  const typescript = compute();
  expect(enableSimd()).toBe(true);
  const simd = compute();
  disableSimd();
  return { simd, typescript };
}
