import {
  fillNormal,
  gemm,
  multiplyGenerated,
  ProductWorkspace,
  RandomGenerator,
  zeros,
} from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { expectSameBits, inBothForms } from "./both-forms.js";

/** Sizes about the edges of tiles and blocks, and any others. */
const size = fc.oneof(fc.constantFrom(0, 1, 3, 4, 5, 127, 128, 129, 255, 256, 257), fc.nat(300));
const strange = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 1e308, 5e-324];

function numbers(length: number, seed: number, oddities: number): Float64Array {
  const data = new Float64Array(length);
  const random = new RandomGenerator(seed);
  fillNormal(random, data);
  for (let k = 0; k < Math.min(oddities, length); k++)
    data[random.integer(length)] = strange[random.integer(strange.length)];
  return data;
}

const product = fc.record({
  m: size,
  n: size,
  k: size,
  sign: fc.constantFrom<(1 | -1)[]>(1, -1),
  turned: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  offset: fc.nat(7),
  gap: fc.nat(3),
  lower: fc.boolean(),
  oddities: fc.constantFrom(0, 0, 3),
  seed: fc.nat(1000),
});

/** rows × columns in an array with an offset, stored by rows or by columns, with unused places between. */
function blockOf(rows: number, columns: number, turned: boolean, offset: number, gap: number) {
  const long = (turned ? rows : columns) + gap;
  const length = offset + long * (turned ? columns : rows);
  return { length, offset, rowStride: turned ? 1 : long, columnStride: turned ? long : 1 };
}

test("C + σ A B has the same bits, whatever the sizes, strides and numbers", () => {
  fc.assert(
    fc.property(product, ({ m, n, k, sign, turned, offset, gap, lower, oddities, seed }) => {
      const [a, b, c] = [
        blockOf(m, k, turned[0], offset, gap),
        blockOf(k, n, turned[1], offset, gap),
        blockOf(m, n, turned[2], offset, gap),
      ];
      const A = { ...a, data: numbers(a.length, seed, oddities) };
      const B = { ...b, data: numbers(b.length, seed + 1, oddities) };
      const { simd, typescript } = inBothForms(() => {
        const C = { ...c, data: numbers(c.length, seed + 2, oddities) };
        gemm(sign, m, n, k, A, B, C, lower, new ProductWorkspace());
        return C.data;
      });
      expectSameBits(simd, typescript);
    }),
    { numRuns: 60 },
  );
});

test("so has a product with a factor that is made on the way", () => {
  fc.assert(
    fc.property(size, size, size, fc.nat(100), (m, n, k, seed) => {
      const A = { ...zeros(m, k), data: numbers(m * k, seed, 2) };
      const B = numbers(k * n, seed + 1, 2);
      const { simd, typescript } = inBothForms(() => {
        const C = zeros(m, n);
        multiplyGenerated(
          A,
          ({ data, start, step }, row, deep, column) => {
            for (let p = 0; p < deep; p++)
              for (let lane = 0; lane < 4; lane++)
                data[start + step * p + lane] = column + lane < n ? B[(row + p) * n + column + lane] : 0;
          },
          C,
        );
        return C.data;
      });
      expectSameBits(simd, typescript);
    }),
    { numRuns: 40 },
  );
});

test("a source may itself multiply, and may throw", () => {
  const A = { ...zeros(60, 70), data: numbers(60 * 70, 1, 0) };
  const inner = { data: numbers(2500, 2, 0), offset: 0, rowStride: 50, columnStride: 1 };
  const { simd, typescript } = inBothForms(() => {
    const C = zeros(60, 40);
    const attempt = (): void => {
      multiplyGenerated(
        A,
        () => {
          throw new Error("no entries");
        },
        C,
      );
    };
    expect(attempt).toThrowError("no entries");
    multiplyGenerated(
      A,
      ({ data, start, step }, row, deep, column) => {
        const square = { ...inner, data: new Float64Array(2500) };
        gemm(1, 50, 50, 50, inner, inner, square);
        for (let p = 0; p < 4 * deep; p++)
          data[start + step * (p >> 2) + (p & 3)] = square.data[(row + column + p) % 2500];
      },
      C,
    );
    return C.data;
  });
  expectSameBits(simd, typescript);
});

test("a product into zeros that are not read has the same bits, also of more terms than are packed together", () => {
  const [m, k, n] = [9, 2100, 33];
  const A = { data: numbers(m * k, 1, 3), offset: 0, rowStride: k, columnStride: 1 };
  const B = { data: numbers(k * n, 2, 0), offset: 0, rowStride: n, columnStride: 1 };
  const { simd, typescript } = inBothForms(() => {
    const C = { data: new Float64Array(m * n), offset: 0, rowStride: n, columnStride: 1 };
    gemm(1, m, n, k, A, B, C, false, new ProductWorkspace(), true);
    return C.data;
  });
  expectSameBits(simd, typescript);
});
