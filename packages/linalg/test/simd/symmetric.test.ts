/** Symmetric matrices in WebAssembly's memory: products have the bits of TypeScript, wherever the matrix lies. */
import { fillNormal, RandomGenerator, symmetricEntries, symmetricTimesVector } from "@curvature/linalg";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { expectSameBits } from "./both-forms.js";

afterEach(disableSimd);

const isResident = (entries: Float64Array): boolean => entries.buffer.byteLength > entries.byteLength;

function drawn(length: number, seed: number): Float64Array {
  const numbers = new Float64Array(length);
  fillNormal(new RandomGenerator(seed), numbers);
  return numbers;
}

/** A v of the n × n matrix in `data`; behind the result stay sevens. */
function product(data: Float64Array, n: number, v: Float64Array): Float64Array {
  const out = new Float64Array(n + 2).fill(7);
  symmetricTimesVector({ rows: n, columns: n, data }, v, out);
  expect([out[n], out[n + 1]]).toEqual([7, 7]);
  return out.subarray(0, n);
}

test("some matrices in one array, of any size, with longer vectors and what is not finite", () => {
  expect(enableSimd()).toBe(true);
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 4 }),
      fc.nat(3),
      fc.nat(100),
      fc.constantFrom(0, 0, Number.NaN, Number.POSITIVE_INFINITY),
      (sizes, longer, seed, oddity) => {
        const most = Math.max(...sizes);
        const length = sizes.reduce((sum, n) => sum + n * n, 0);
        const entries = symmetricEntries(Math.max(length, 4096), most);
        expect(isResident(entries)).toBe(true);
        entries.set(drawn(length, seed));
        if (oddity !== 0) entries[seed % length] = oddity;
        const plain = entries.slice();
        let at = 0;
        for (const n of sizes) {
          const v = drawn(n + longer, seed + 1);
          const [there, here] = [entries, plain].map((data) => product(data.subarray(at, at + n * n), n, v));
          expectSameBits(there, here);
          at += n * n;
        }
      },
    ),
    { numRuns: 100 },
  );
});

test("is a plain array of zeros without SIMD, for few entries, and where there is no memory", () => {
  expect(isResident(symmetricEntries(10_000, 100))).toBe(false);
  enableSimd();
  expect(isResident(symmetricEntries(10_000, 100))).toBe(true);
  expect(symmetricEntries(10_000, 100).every((entry) => entry === 0)).toBe(true);
  expect(isResident(symmetricEntries(100, 10))).toBe(false);
  const refused = vi.spyOn(WebAssembly, "Memory").mockImplementation(() => {
    throw new RangeError("no memory");
  });
  expect(isResident(symmetricEntries(10_000, 100))).toBe(false);
  refused.mockRestore();
});

test("serves with SIMD off, and on again", () => {
  enableSimd();
  const entries = symmetricEntries(10_000, 100);
  entries.set(drawn(10_000, 3));
  const v = drawn(100, 4);
  const first = product(entries, 100, v);
  disableSimd();
  expectSameBits(product(entries, 100, v), first);
  enableSimd();
  expectSameBits(product(entries, 100, v), first);
  // a matrix of more rows than was said
  const wide = symmetricEntries(10_000, 50);
  wide.set(entries);
  expectSameBits(product(wide, 100, v), first);
});
