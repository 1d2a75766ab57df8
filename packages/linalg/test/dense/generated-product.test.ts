import fc from "fast-check";
import { expect, test } from "vitest";
import {
  fillNormal,
  gramRows,
  multiply,
  multiplyGenerated,
  RandomGenerator,
  transposeMultiply,
  zeros,
} from "../../src/index.js";

function random(rows: number, columns: number, seed: number) {
  const A = zeros(rows, columns);
  fillNormal(new RandomGenerator(seed), A.data);
  return A;
}

const size = fc.integer({ min: 1, max: 20 });

test("A B with B made on the way is A B, bit for bit", () => {
  fc.assert(
    fc.property(size, fc.integer({ min: 1, max: 600 }), size, (m, k, n) => {
      const A = random(m, k, 1);
      const B = random(k, n, 2);
      const C = random(m, n, 3); // what it held before must not matter
      multiplyGenerated(
        A,
        ({ data, start, step }, row, deep, column) => {
          for (let p = 0; p < deep; p++)
            for (let lane = 0; lane < 4; lane++)
              data[start + step * p + lane] = column + lane < n ? B.data[(row + p) * n + column + lane] : 0;
        },
        C,
      );
      expect(C.data).toEqual(multiply(A, B).data);
    }),
    { numRuns: 60 },
  );
});

test("strips of AᵀA are its lower triangle, bit for bit, and nothing is written beyond", {
  tags: ["full"],
}, () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 90 }), size, (k, n, height) => {
      const A = random(k, n, 1);
      const whole = transposeMultiply(A, A);
      const strip = new Float64Array(height * n);
      for (let start = 0; start < n; start += height) {
        const end = Math.min(n, start + height);
        strip.fill(7);
        gramRows(A, start, end, strip);
        for (let i = start; i < end; i++) {
          for (let j = 0; j < end; j++) expect(strip[(i - start) * n + j]).toBe(whole.data[i * n + j]);
          for (let j = end; j < n; j++) expect(strip[(i - start) * n + j]).toBe(7);
        }
      }
    }),
    { numRuns: 30 },
  );
});

test("outputs of another size are refused", () => {
  const code = expect.objectContaining({ name: "CurvatureError", code: "ERR_SHAPE" });
  const none = (): void => undefined;
  expect(() => multiplyGenerated(zeros(2, 3), none, zeros(3, 4))).toThrowError(code);
  expect(() =>
    multiplyGenerated(zeros(2, 3), none, { ...zeros(2, 4), data: new Float64Array(7) }),
  ).toThrowError(code);
  for (const [start, end] of [
    [-1, 2],
    [2, 1],
    [0, 4],
    [0, Number.NaN],
  ])
    expect(() => gramRows(zeros(2, 3), start, end, new Float64Array(12))).toThrowError(code);
  expect(() => gramRows(zeros(2, 3), 0, 3, new Float64Array(8))).toThrowError(code);
});
