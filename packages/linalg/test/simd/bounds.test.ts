/** Kernels in WebAssembly write no further than their arrays, and read nothing that calls before have left there. */
import {
  DenseCholesky,
  type DenseMatrix,
  gemm,
  multiplyGenerated,
  symmetricEigen,
  zeros,
} from "@curvature/linalg";
import { afterEach, expect, test, vi } from "vitest";
import { Arena, type Scope } from "../../src/simd/arena.js";
import { expectSameBits, inBothForms } from "./both-forms.js";

const GUARD = 64;
const MARK = 1234.5;

/** Arrays between others that hold a mark, all else being NaN; returns how many scopes have been looked at. */
function guarded(): () => number {
  const { enter, leave } = Arena.prototype;
  const guards = new WeakMap<Scope, readonly Float64Array[]>();
  let left = 0;
  vi.spyOn(Arena.prototype, "enter").mockImplementation(function (this: Arena, lengths) {
    const scope = enter.call(this, [GUARD, ...lengths.flatMap((length) => [length, GUARD])]);
    if (scope === undefined) return undefined;
    const [arrays, between] = [1, 0].map((odd) => scope.arrays.filter((_, k) => k % 2 === odd));
    for (const array of arrays) array.fill(Number.NaN);
    for (const guard of between) guard.fill(MARK);
    const inner = { ...scope, arrays };
    guards.set(inner, between);
    return inner;
  });
  vi.spyOn(Arena.prototype, "leave").mockImplementation(function (this: Arena, scope) {
    for (const guard of guards.get(scope) ?? []) expect(guard.every((entry) => entry === MARK)).toBe(true);
    left++;
    leave.call(this, scope);
  });
  return () => left;
}

afterEach(() => vi.restoreAllMocks());

const numbers = (count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, k) => Math.sin(k + 1));

function symmetric(n: number): DenseMatrix {
  const A = { ...zeros(n, n), data: numbers(n * n) };
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) A.data[j * n + i] = A.data[i * n + j];
    A.data[i * n + i] += n;
  }
  return A;
}

const edges = [1, 3, 4, 7, 8, 9, 15, 17, 63, 64, 65, 127, 129];

test.each([false, true])("products, of the lower triangle alone: %s", (lower) => {
  const left = guarded();
  for (const m of edges)
    for (const n of edges) {
      const k = Math.ceil(5000 / (m * n)) + 5;
      const block = (rows: number, columns: number) => ({
        ...{ data: numbers(rows * columns), offset: 0 },
        ...{ rowStride: columns, columnStride: 1 },
      });
      const { simd, typescript } = inBothForms(() => {
        const C = block(m, n);
        gemm(1, m, n, k, block(m, k), block(k, n), C, lower);
        return C.data;
      });
      expectSameBits(simd, typescript);
    }
  expect(left()).toBe(edges.length ** 2);
});

test("products with a factor that is made on the way", () => {
  const left = guarded();
  for (const n of edges) {
    const A = { ...zeros(30, 300), data: numbers(9000) };
    const { simd, typescript } = inBothForms(() => {
      const C = zeros(30, n);
      multiplyGenerated(
        A,
        ({ data, start, step }, row, deep, column) => {
          for (let p = 0; p < 4 * deep; p++)
            data[start + step * (p >> 2) + (p & 3)] =
              column + (p & 3) < n ? Math.cos(row + (p >> 2) + 7 * (column + (p & 3))) : 0;
        },
        C,
      );
      return C.data;
    });
    expectSameBits(simd, typescript);
  }
  expect(left()).toBe(edges.length);
});

test.each([64, 65, 67, 68, 71, 72, 73, 127, 128, 129, 133])("factorisations of %d rows", (n) => {
  const left = guarded();
  const A = symmetric(n);
  const { simd, typescript } = inBothForms(() => [
    new DenseCholesky(A).factor.data,
    symmetricEigen(A).vectors.data,
  ]);
  for (const [k, found] of simd.entries()) expectSameBits(found, typescript[k]);
  expect(left()).toBeGreaterThan(1);
});
