import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  fromTriplets,
  IncompleteCholesky,
  lowerTriangle,
  RandomGenerator,
  SparseCholesky,
  toSparse,
} from "../../src/index.js";
import { anyLaplacian, denseOf, gridEdges, laplacian, largest } from "./matrices.js";

describe("IncompleteCholesky", () => {
  test("L Lᵀ agrees with A wherever A is stored, and L is stored nowhere else", () => {
    fc.assert(
      fc.property(anyLaplacian, (A) => {
        const L = toSparse(new IncompleteCholesky(A).factor());
        expect(L.columnIndices).toEqual(lowerTriangle(A).columnIndices);
        const D = denseOf(L);
        for (let i = 0; i < A.rows; i++) {
          for (let p = A.rowPointers[i]; p < A.rowPointers[i + 1]; p++) {
            const j = A.columnIndices[p];
            const product = D[i].reduce((sum, l, k) => sum + l * D[j][k], 0);
            expect(Math.abs(product - A.values[p])).toBeLessThan(1e-12);
          }
        }
      }),
    );
  });

  test("is the Cholesky factorisation of a tree whose parents have larger numbers", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 60 }), fc.nat(), (choices, seed) => {
        const n = choices.length + 1;
        const random = new RandomGenerator(seed);
        const edges = choices.map((choice, i) => [i, i + 1 + (choice % (n - i - 1))] as const);
        const A = laplacian(n, edges, 0.2, () => 0.5 + random.uniform());
        const B = new Float64Array(2 * n).map(() => random.uniform());
        const X = new Float64Array(2 * n);
        const Y = new Float64Array(2 * n);
        new IncompleteCholesky(A).solve(B, 2, X);
        new SparseCholesky(A).solve(B, 2, Y);
        expect(largest(X.map((value, k) => value - Y[k]))).toBeLessThan(1e-12);
      }),
    );
  });

  test("solves with L Lᵀ, for any number of right-hand sides, also in place, each as if it were alone", () => {
    fc.assert(
      fc.property(anyLaplacian, fc.integer({ min: 0, max: 4 }), fc.nat(), (A, d, seed) => {
        const random = new RandomGenerator(seed);
        const ic = new IncompleteCholesky(A);
        const D = denseOf(ic.factor());
        const B = new Float64Array(A.rows * d).map(() => random.uniform() - 0.5);
        const X = new Float64Array(B.length);
        ic.solve(B, d, X);
        const same = B.slice();
        ic.solve(same, d, same);
        expect(same).toEqual(X);
        for (let c = 0; c < d; c++) {
          const x = new Float64Array(A.rows).map((_, i) => X[i * d + c]);
          const upper = D.map((_, k) => D.reduce((sum, row, i) => sum + row[k] * x[i], 0));
          const product = D.map((row) => row.reduce((sum, l, k) => sum + l * upper[k], 0));
          expect(largest(product.map((value, i) => value - B[i * d + c]))).toBeLessThan(1e-12);
          const alone = new Float64Array(A.rows).map((_, i) => B[i * d + c]);
          ic.solve(alone, 1, alone);
          expect(alone).toEqual(x);
        }
      }),
    );
  });

  test("a pivot that vanishes is kept at a thousandth of its diagonal entry", () => {
    const singular = toSparse([
      [1, -1],
      [-1, 1],
    ]);
    const L = new IncompleteCholesky(singular).factor();
    expect(L.values[2]).toBe(Math.sqrt(1e-3));
    const indefinite = toSparse([
      [1, -3],
      [-3, 4],
    ]);
    expect(new IncompleteCholesky(indefinite).factor().values[2]).toBe(Math.sqrt(4e-3));
  });

  test("refactor gives the bits of a new factorisation", () => {
    const A = laplacian(100, gridEdges(10), 0.1);
    const random = new RandomGenerator(2);
    const B = laplacian(100, gridEdges(10), 0.1, () => random.uniform());
    const ic = new IncompleteCholesky(A);
    ic.refactor(B);
    expect(ic.factor()).toEqual(new IncompleteCholesky(B).factor());
  });

  test("other patterns, diagonals that are not positive and NaN are refused", () => {
    const A = toSparse([
      [2, 0, 0],
      [0, 2, 1],
      [0, 1, 2],
    ]);
    const ic = new IncompleteCholesky(A);
    const others = [
      [
        [2, 0, 0],
        [0, 2, 0],
        [0, 0, 2],
      ],
      [
        [2, 1, 0],
        [1, 2, 1],
        [0, 1, 2],
      ],
      [
        [2, 0, 1],
        [0, 2, 0],
        [1, 0, 2],
      ],
      [
        [2, 1],
        [1, 2],
      ],
    ];
    for (const other of others) expect(() => ic.refactor(toSparse(other))).toThrowError("another pattern");
    expect(
      () =>
        new IncompleteCholesky(
          toSparse([
            [1, 0],
            [0, -2],
          ]),
        ),
    ).toThrowError("row 1 (counted from 0) is -2");
    expect(
      () =>
        new IncompleteCholesky(
          toSparse([
            [1, 1],
            [1, 0],
          ]),
        ),
    ).toThrowError("row 1 (counted from 0) is 0");
    expect(() => new IncompleteCholesky(toSparse([[1, 2]]))).toThrowError("must be square");
    const broken = { ...A, values: A.values.map(() => Number.NaN) };
    expect(() => ic.refactor(broken)).toThrowError("NaN at row 0, column 0");
    expect(() => ic.solve(new Float64Array(3), 2, new Float64Array(6))).toThrowError("6 numbers; received 3");
  });

  test("no rows", () => {
    const ic = new IncompleteCholesky(fromTriplets(0, 0, { rows: [], columns: [], values: [] }));
    ic.solve(new Float64Array(0), 2, new Float64Array(0));
    expect(ic.size).toBe(0);
  });
});
