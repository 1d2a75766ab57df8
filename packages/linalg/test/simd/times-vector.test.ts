import { matrixTimesVector, RandomGenerator } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { expectSameBits, inBothForms } from "./both-forms.js";

function drawn(count: number, seed: number): Float64Array {
  const random = new RandomGenerator(seed);
  return Float64Array.from({ length: count }, () => random.uniform() - 0.5);
}

/** Below and above the size from which SIMD is used, odd numbers of rows, columns beyond one block. */
const shapes = [
  [1, 1],
  [3, 5],
  [50, 41],
  [33, 31],
  [999, 3],
  [4097, 2],
  [100, 785],
  [5, 8191],
  [7, 9001],
  [1, 20_000],
] as const;

describe.each(shapes)("%i x %i times a vector", (rows, columns) => {
  const data = drawn(rows * columns, 1);
  const product = (v: Float64Array, length: number = rows): Float64Array => {
    const out = new Float64Array(length).fill(7);
    matrixTimesVector({ rows, columns, data }, v, out);
    return out;
  };

  test("has the same bits with SIMD, and each row's sum", () => {
    const v = drawn(columns, 2);
    const { simd, typescript } = inBothForms(() => product(v));
    expectSameBits(simd, typescript);
    for (const i of [0, rows - 1]) {
      let sum = 0;
      for (let j = 0; j < columns; j++) sum += data[i * columns + j] * v[j];
      expect(simd[i]).toBeCloseTo(sum, 9);
    }
  });

  test("takes the head of a longer vector, and leaves what lies behind its result", () => {
    const { simd, typescript } = inBothForms(() => product(drawn(columns + 3, 2), rows + 2));
    expectSameBits(simd, typescript);
    expect([...simd.subarray(rows)]).toEqual([7, 7]);
  });

  test("hands on what is not finite", () => {
    const v = drawn(columns, 3);
    v[columns >> 1] = Number.POSITIVE_INFINITY;
    v[0] = columns > 2 ? Number.NaN : v[0];
    const { simd, typescript } = inBothForms(() => product(v));
    expectSameBits(simd, typescript);
    expect(simd.some(Number.isFinite)).toBe(false);
  });
});
