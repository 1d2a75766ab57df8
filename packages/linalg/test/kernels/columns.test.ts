import { type Precision, RandomGenerator, type TallColumns, tallColumns } from "@curvature/linalg";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import { afterEach, describe, expect, test, vi } from "vitest";
import { expectSameBits, inBothForms } from "../simd/both-forms.js";
import { limitMemories } from "../simd/limited-memories.js";

afterEach(() => {
  vi.unstubAllGlobals();
  disableSimd();
});

const random = new RandomGenerator(5);
const drawn = (count: number): Float64Array =>
  Float64Array.from({ length: count }, () => (random.uniform() - 0.5) * 2 ** random.integer(8));

function filled(
  length: number,
  count: number,
  precision: Precision,
  entries: Float64Array,
  most = count + 3,
): TallColumns {
  const P = tallColumns(length, most, precision);
  for (let k = 0; k < count; k++) {
    P.widen(k + 1); // one by one, as memory grows in use
    P.column(k).set(entries.subarray(k * length, (k + 1) * length));
  }
  return P;
}

const all = (P: TallColumns, count: number): Float64Array =>
  Float64Array.from(Array.from({ length: count }, (_, k) => Array.from(P.column(k))).flat());

/** Lengths on both sides of the least for an instance, of and off whole vectors; counts of and off whole groups. */
const shapes = [1, 511, 512, 513, 1000, 1031].flatMap((length) =>
  [0, 1, 3, 4, 7, 8, 13, 24].map((count) => ({ length, count })),
);

describe.each(["float64", "float32"] as const)("%s", (precision) => {
  test.each(shapes)("both forms of $count columns of $length", ({ length, count }) => {
    const entries = drawn(length * count);
    const [v, c] = [drawn(length), drawn(count)];
    const k = Math.max(1, count - 2);
    const Q = drawn(count * k);
    const { simd, typescript } = inBothForms(() => {
      const P = filled(length, count, precision, entries);
      const [projected, more, less] = [new Float64Array(count + 1), v.slice(), v.slice()];
      P.project(count, v, projected);
      P.combine(count, c, 1, more);
      P.combine(count, c, -1, less);
      P.widen(k);
      P.transform(count, Q, k);
      const again = new Float64Array(k);
      P.project(k, v, again);
      return [projected, more, less, all(P, P.count), again, Float64Array.of(P.count, P.bytes)];
    });
    for (const [at, numbers] of simd.entries()) expectSameBits(numbers, typescript[at]);
  });

  test("the sums are those of the definition, within rounding", () => {
    const [length, count] = [700, 11];
    const P = filled(length, count, precision, drawn(length * count));
    const [v, c] = [drawn(length), drawn(count)];
    const [projected, combined] = [new Float64Array(count), v.slice()];
    P.project(count, v, projected);
    P.combine(count, c, -1, combined);
    for (let k = 0; k < count; k++) {
      const products = Array.from(P.column(k), (p, i) => p * v[i]);
      const size = products.reduce((sum, product) => sum + Math.abs(product), 0);
      const exact = products.reduce((sum, product) => sum + product, 0);
      expect(Math.abs(projected[k] - exact)).toBeLessThanOrEqual(length * 2 ** -52 * size);
    }
    for (let i = 0; i < length; i++) {
      const terms = Array.from(c, (factor, k) => factor * P.column(k)[i]);
      const size = terms.reduce((sum, term) => sum + Math.abs(term), Math.abs(v[i]));
      const exact = terms.reduce((sum, term) => sum - term, v[i]);
      expect(Math.abs(combined[i] - exact)).toBeLessThanOrEqual(2 * count * 2 ** -52 * size);
    }
    const before = Array.from({ length: count }, (_, k) => Array.from(P.column(k)));
    const Q = drawn(count * 5);
    P.transform(count, Q, 5);
    const unit = precision === "float64" ? 2 ** -52 : 2 ** -24;
    for (let j = 0; j < 5; j++)
      for (let i = 0; i < length; i += 13) {
        const terms = before.map((column, l) => column[i] * Q[l * 5 + j]);
        const size = terms.reduce((sum, term) => sum + Math.abs(term), 0);
        const exact = terms.reduce((sum, term) => sum + term, 0);
        expect(Math.abs(P.column(j)[i] - exact)).toBeLessThanOrEqual(2 * count * unit * size);
      }
  });

  test("what is beside the columns in use has no part in a sum", () => {
    enableSimd();
    const P = filled(600, 9, precision, drawn(5400).fill(1));
    P.widen(12);
    for (let k = 9; k < 12; k++) P.column(k).fill(Number.NaN);
    const out = new Float64Array(12).fill(-7);
    P.project(9, new Float64Array(600).fill(2), out);
    expect(Array.from(out)).toEqual([...new Array(9).fill(1200), -7, -7, -7]);
  });

  test("where memory ends, TypeScript goes on with the same columns", () => {
    enableSimd();
    const entries = drawn(600 * 12);
    const whole = filled(600, 12, precision, entries);
    limitMemories(precision === "float64" ? 3 : 2);
    const P = filled(600, 9, precision, entries.subarray(0, 5400), 40);
    expect(P.hasOutgrown).toBe(false);
    P.widen(40); // beyond the page that is there
    expect(P.hasOutgrown).toBe(true);
    expect(P.count).toBe(40);
    for (let k = 9; k < 12; k++) P.column(k).set(entries.subarray(600 * k, 600 * (k + 1)));
    vi.unstubAllGlobals();
    expectSameBits(all(P, 12), all(whole, 12));
    const v = drawn(600);
    const [actual, expected] = [v.slice(), v.slice()];
    P.combine(12, v, 1, actual);
    whole.combine(12, v, 1, expected);
    expectSameBits(actual, expected);
  });
});

test.each([
  ["float64", 736, 5],
  ["float32", 1088, 4],
] as const)("%s: where there is no room for Q, TypeScript multiplies", (precision, length, pages) => {
  const [count, k] = [40, 30];
  const entries = drawn(length * count);
  const Q = drawn(count * k);
  limitMemories(pages);
  const [P, expected] = [enableSimd, disableSimd].map((choose) => {
    choose();
    return filled(length, count, precision, entries);
  });
  vi.unstubAllGlobals();
  expected.transform(count, Q, k);
  P.transform(count, Q, k);
  expect(P.hasOutgrown).toBe(false);
  expectSameBits(all(P, count), all(expected, count));
});

test.each(["float64", "float32"] as const)("%s: columns are zeros where Q has been", (precision) => {
  const [length, count] = [601, 16];
  const entries = drawn(length * count);
  const Q = drawn(count * count);
  const v = drawn(length);
  const { simd, typescript } = inBothForms(() => {
    const P = tallColumns(length, 64, precision);
    P.widen(count);
    P.transform(count, Q, count);
    for (let k = 0; k < count; k++) P.column(k).set(entries.subarray(k * length, (k + 1) * length));
    P.widen(count + 9);
    const projected = new Float64Array(count + 9);
    P.project(count + 9, v, projected);
    return [projected, all(P, count + 9)];
  });
  for (const [at, numbers] of simd.entries()) expectSameBits(numbers, typescript[at]);
});

test("more columns than there is memory for are refused", () => {
  const P = tallColumns(2 ** 31, 2, "float64");
  vi.stubGlobal(
    "Float64Array",
    class {
      constructor() {
        throw new RangeError("Array buffer allocation failed");
      }
    },
  );
  const widen = (): void => P.widen(1);
  try {
    expect(widen).toThrow(expect.objectContaining({ code: "ERR_MEMORY" }));
  } finally {
    vi.unstubAllGlobals();
  }
});

test.each([
  [0, 5, "float64"],
  [1.5, 5, "float64"],
  [Number.NaN, 5, "float64"],
  [10, -1, "float64"],
  [10, Number.POSITIVE_INFINITY, "float64"],
  [10, 5, "double"],
])("tallColumns(%d, %d, %s) is refused", (length, most, precision) => {
  expect(() => tallColumns(length, most, precision as Precision)).toThrow(
    expect.objectContaining({ code: "ERR_OPTION" }),
  );
});
