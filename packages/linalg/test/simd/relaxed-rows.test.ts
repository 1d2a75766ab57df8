/** The relaxed step on rows of a matrix: its formula and its sums, with the same bits in either form. */
import {
  fillNormal,
  RandomGenerator,
  type RelaxedSums,
  relaxedEntries,
  relaxRows,
  symmetricEntries,
} from "@curvature/linalg";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { expectSameBits, inBothForms } from "./both-forms.js";

afterEach(() => {
  vi.restoreAllMocks();
  disableSimd();
});

function drawn(length: number, seed: number): Float64Array {
  const numbers = new Float64Array(length);
  fillNormal(new RandomGenerator(seed), numbers);
  return numbers;
}

interface Rows {
  readonly n: number;
  readonly first: number;
  readonly end: number;
}

const rowsOf = fc
  .integer({ min: 0, max: 40 })
  .chain((n) => fc.tuple(fc.constant(n), fc.nat(n), fc.nat(n)))
  .map(([n, a, b]): Rows => ({ n, first: Math.min(a, b), end: Math.max(a, b) }));

/** So many rows that the entries lie in a module's memory, however small n is; the last ones are nobody's. */
const ROWS = 4096;
const GUARD = 3;

/** W after the step, and the sums. */
function stepped({ n, first, end }: Rows, W: Float32Array, X: Float64Array, e: number, r: number) {
  const own = relaxedEntries(n, ROWS);
  own.W.set(W);
  own.X.set(X);
  const guard = own.X.subarray((end - first) * n).fill(GUARD);
  const sums = relaxRows(own.W, n, first, end, own.X, e, r);
  expect(own.X.subarray(0, X.length)).toEqual(X);
  expect(guard.every((entry) => entry === GUARD)).toBe(true);
  return { after: own.W.slice(), sums };
}

const listed = ({ difference, size, change, negative, least }: RelaxedSums): Float64Array =>
  Float64Array.of(difference, size, change, negative, least);

test("W and the sums are the formula's, and nothing else is touched", { tags: ["full"] }, () => {
  fc.assert(
    fc.property(rowsOf, fc.nat(1000), fc.constantFrom(1, 1.5, 1.8), (rows, seed, r) => {
      const { n, first, end } = rows;
      const W = Float32Array.from(drawn(n * n, seed));
      const X = drawn((end - first) * n, seed + 1);
      const { simd, typescript } = inBothForms(() => stepped(rows, W, X, 0.25, r));
      expectSameBits(Float64Array.from(simd.after), Float64Array.from(typescript.after));
      expectSameBits(listed(simd.sums), listed(typescript.sums));
      const expected = W.slice();
      const right = { difference: 0, size: 0, change: 0, negative: 0, least: Number.POSITIVE_INFINITY };
      for (let i = first; i < end; i++)
        for (let j = 0; j <= i; j++) {
          const x = X[(i - first) * n + j] + 0.25;
          const z = Math.max(0, W[i * n + j]);
          const next = Math.min(0, W[i * n + j]) + r * x + (1 - r) * z;
          const times = i === j ? 1 : 2;
          expected[i * n + j] = next;
          right.difference += times * (x - z) ** 2;
          right.size += times * z ** 2;
          right.change += times * (Math.max(0, next) - z) ** 2;
          right.negative += times * Math.min(0, next) ** 2;
          right.least = Math.min(right.least, x);
        }
      for (let k = 0; k < n * n; k++)
        expect(Math.abs(simd.after[k] - expected[k])).toBeLessThanOrEqual(
          1e-6 * Math.abs(expected[k]) + 1e-12,
        );
      const [actual, sums] = [listed(simd.sums), listed(right)];
      for (let k = 0; k < 4; k++)
        expect(Math.abs(actual[k] - sums[k])).toBeLessThanOrEqual(1e-12 * (1 + sums[k]));
      expect(actual[4]).toBe(sums[4]);
    }),
    { numRuns: 200 },
  );
});

test.each([0, -0])("zeros of either sign, and numbers below the normal ones, X + %d", (e) => {
  const rows = { n: 6, first: 0, end: 6 };
  const W = Float32Array.from({ length: 36 }, (_, k) => [-0, 0, 1e-45, -1e-45, 1e-38, -3e38][k % 6]);
  const X = Float64Array.from({ length: 36 }, (_, k) => [0, -0, 5e-324, -5e-324, 1e-160][k % 5]);
  const { simd, typescript } = inBothForms(() => stepped(rows, W, X, e, 1.8));
  expectSameBits(Float64Array.from(simd.after), Float64Array.from(typescript.after));
  expectSameBits(listed(simd.sums), listed(typescript.sums));
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e200])(
  "%s in W or X makes these rows and all sums NaN in either form, and no other row",
  { tags: ["full"] },
  (oddity) => {
    for (const n of [1, 2, 7, 12])
      for (const isInW of [true, false])
        for (let k = 0; k < n; k++) {
          const rows = { n, first: n - 1, end: n };
          const W = Float32Array.from(drawn(n * n, 5));
          const X = drawn(n, 6);
          if (isInW) W[(n - 1) * n + k] = oddity;
          else X[k] = oddity;
          const { simd, typescript } = inBothForms(() => stepped(rows, W, X, 0.1, 1.8));
          for (const { after, sums } of [simd, typescript]) {
            expect(listed(sums)).toEqual(new Float64Array(5).fill(Number.NaN));
            expect(after.subarray(0, (n - 1) * n)).toEqual(W.subarray(0, (n - 1) * n));
            expect(after.subarray((n - 1) * n).every(Number.isNaN)).toBe(true);
          }
        }
  },
);

test("zeros, which lie in a module's memory with SIMD alone, for enough entries, and where there is memory", () => {
  const isResident = (n: number, rows: number): boolean => {
    const { W, X } = relaxedEntries(n, rows);
    expect([W.length, X.length]).toEqual([n * n, n * rows]);
    expect([...W, ...X].every((entry) => entry === 0)).toBe(true);
    return W.buffer.byteLength > 4 * n * n + 8 * n * rows + 8;
  };
  expect(isResident(101, 64)).toBe(false);
  enableSimd();
  expect(isResident(101, 64)).toBe(true);
  expect(isResident(5, 5)).toBe(false);
  vi.spyOn(WebAssembly, "Memory").mockImplementation(() => {
    throw new RangeError("no memory");
  });
  expect(isResident(101, 64)).toBe(false);
});

test.each(["W", "X", "neither"])("steps where %s lies there are the same", (which) => {
  const rows = { n: 31, first: 3, end: 31 };
  const [W, X] = [Float32Array.from(drawn(961, 1)), drawn(28 * 31, 2)];
  enableSimd();
  const right = stepped(rows, W, X, 0.1, 1.8);
  const there = relaxedEntries(31, 4096);
  const own = which === "W" ? there.W : new Float32Array(961);
  const other = which === "X" ? there.X : new Float64Array(28 * 31);
  own.set(W);
  other.set(X);
  const sums = relaxRows(own, 31, 3, 31, other, 0.1, 1.8);
  expect(sums).toEqual(right.sums);
  expect(own.slice()).toEqual(right.after);
});

test("W and X in a memory without room for the sums", () => {
  enableSimd();
  const [n, W, X] = [30, Float32Array.from(drawn(900, 1)), drawn(900, 2)];
  const right = W.slice();
  const rightSums = relaxRows(right, n, 0, n, X, 0.1, 1.8);
  const entries = symmetricEntries(6000, 5);
  const own = new Float32Array(entries.buffer, entries.byteOffset, 900);
  const other = entries.subarray(450, 1350);
  own.set(W);
  other.set(X);
  expect(relaxRows(own, n, 0, n, other, 0.1, 1.8)).toEqual(rightSums);
  expect(own.slice()).toEqual(right);
});

test("relaxations beyond all measure end the same", () => {
  const rows = { n: 3, first: 0, end: 3 };
  const X = new Float64Array(9);
  X[6] = 1;
  const { simd, typescript } = inBothForms(() => stepped(rows, new Float32Array(9), X, 0, 1e308));
  expect(listed(simd.sums)).toEqual(new Float64Array(5).fill(Number.NaN));
  expect(simd).toEqual(typescript);
});
