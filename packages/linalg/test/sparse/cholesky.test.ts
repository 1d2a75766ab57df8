import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  fromTriplets,
  permuteSymmetric,
  RandomGenerator,
  SparseCholesky,
  type SparseMatrix,
  sparseTimesBlock,
  storedEntries,
  toSparse,
} from "../../src/index.js";
import { anyLaplacian, denseOf, type Edge, gridEdges, laplacian, largest } from "./matrices.js";

function residual(A: SparseMatrix, X: Float64Array, B: Float64Array, d: number): number {
  const AX = new Float64Array(B.length);
  sparseTimesBlock(A, X, d, AX);
  return largest(AX.map((value, k) => value - B[k]));
}

function randomBlock(n: number, d: number, seed: number): Float64Array {
  const random = new RandomGenerator(seed);
  return new Float64Array(n * d).map(() => random.uniform() - 0.5);
}

/** A symmetric matrix with random entries on the given pattern, made positive definite by its diagonal. */
function randomValues(pattern: SparseMatrix, seed: number): SparseMatrix {
  const random = new RandomGenerator(seed);
  const upper = new Map<number, number>();
  const rowSums = new Float64Array(pattern.rows);
  const values = new Float64Array(storedEntries(pattern));
  for (const diagonal of [false, true]) {
    for (let i = 0; i < pattern.rows; i++) {
      for (let p = pattern.rowPointers[i]; p < pattern.rowPointers[i + 1]; p++) {
        const j = pattern.columnIndices[p];
        if ((i === j) !== diagonal) continue;
        const key = Math.min(i, j) * pattern.rows + Math.max(i, j);
        const value = diagonal ? rowSums[i] + 0.1 : (upper.get(key) ?? random.uniform() * 2 - 1);
        upper.set(key, value);
        values[p] = value;
        rowSums[i] += Math.abs(value);
      }
    }
  }
  return { ...pattern, values };
}

describe("SparseCholesky", () => {
  test("L Lᵀ = P A Pᵀ, and L has exactly the predicted nonzeros in each column", { tags: ["full"] }, () => {
    fc.assert(
      fc.property(anyLaplacian, fc.nat(), fc.constantFrom("amd", "natural"), (graph, seed, ordering) => {
        const A = randomValues(graph, seed);
        const cholesky = new SparseCholesky(A, { ordering });
        const { analysis } = cholesky;
        const L = toSparse(cholesky.factor());
        const D = denseOf(L);
        const P = denseOf(permuteSymmetric(A, analysis.order));
        for (let i = 0; i < A.rows; i++) {
          for (let j = 0; j <= i; j++) {
            const product = D[i].reduce((sum, l, k) => sum + l * D[j][k], 0);
            expect(Math.abs(product - P[i][j])).toBeLessThan(1e-12);
          }
        }
        const counts = new Int32Array(A.rows);
        for (const j of L.columnIndices) counts[j]++;
        expect(counts).toEqual(analysis.columnCounts);
        expect(analysis.factorNonzeros).toBe(storedEntries(L));
        expect(analysis.flops).toBe(counts.reduce((sum, c) => sum + c * c, 0));
      }),
    );
  });

  test("solves, for any number of right-hand sides, also in place", () => {
    fc.assert(
      fc.property(anyLaplacian, fc.nat(), fc.integer({ min: 0, max: 5 }), (A, seed, d) => {
        const cholesky = new SparseCholesky(A);
        const B = randomBlock(A.rows, d, seed);
        const X = new Float64Array(B.length);
        cholesky.solve(B, d, X);
        expect(residual(A, X, B, d)).toBeLessThan(1e-12);
        const same = B.slice();
        cholesky.solve(same, d, same);
        expect(same).toEqual(X);
        // Each column is solved as if it were alone, bit for bit.
        for (let c = 0; c < d; c++) {
          const alone = new Float64Array(A.rows).map((_, i) => B[i * d + c]);
          cholesky.solve(alone, 1, alone);
          expect(alone).toEqual(new Float64Array(A.rows).map((_, i) => X[i * d + c]));
        }
      }),
    );
  });

  test("permuting the rows permutes the solution", () => {
    fc.assert(
      fc.property(anyLaplacian, fc.nat(), (A, seed) => {
        const random = new RandomGenerator(seed);
        const keys = new Float64Array(A.rows).map(() => random.uniform());
        const order = new Int32Array(A.rows).map((_, i) => i).sort((a, b) => keys[a] - keys[b]);
        const b = randomBlock(A.rows, 1, seed);
        const x = new Float64Array(A.rows);
        const y = new Float64Array(A.rows);
        new SparseCholesky(A).solve(b, 1, x);
        new SparseCholesky(permuteSymmetric(A, order)).solve(
          b.map((_, k) => b[order[k]]),
          1,
          y,
        );
        expect(largest(y.map((value, k) => value - x[order[k]]))).toBeLessThan(1e-12);
      }),
    );
  });

  test("refactor gives the bits of a new factorisation, also after a failure", () => {
    const A = laplacian(225, gridEdges(15), 0.5);
    const B = randomValues(A, 3);
    const cholesky = new SparseCholesky(A);
    cholesky.refactor(B);
    const fresh = new SparseCholesky(B, { analysis: cholesky.analysis });
    expect(cholesky.factor()).toEqual(fresh.factor());
    const negative = { ...A, values: A.values.map((value) => -value) };
    expect(() => cholesky.refactor(negative)).toThrowError("not positive definite");
    const x = randomBlock(225, 2, 1);
    expect(() => cholesky.solve(x, 2, x)).toThrowError("There is no factor");
    cholesky.refactor(B);
    expect(cholesky.factor()).toEqual(fresh.factor());
  });

  test("wide supernodes are cut without a trace: a dense matrix of 150 rows", () => {
    const n = 150;
    const random = new RandomGenerator(5);
    const edges: Edge[] = [];
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) edges.push([i, j]);
    const A = laplacian(n, edges, 1, () => random.uniform());
    const cholesky = new SparseCholesky(A);
    expect(cholesky.analysis.factorNonzeros).toBe((n * (n + 1)) / 2);
    const B = randomBlock(n, 3, 2);
    const X = new Float64Array(B.length);
    cholesky.solve(B, 3, X);
    expect(residual(A, X, B, 3)).toBeLessThan(1e-12);
  });

  test("chains with hubs, some of them dense rows: the predicted nonzeros, and a solution", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 500 }),
        fc.integer({ min: 0, max: 4 }),
        fc.nat(),
        (n, hubs, seed) => {
          const random = new RandomGenerator(seed);
          const edges: Edge[] = [];
          for (let i = hubs; i < n; i++) {
            for (let hub = 0; hub < hubs; hub++) if (random.uniform() < 0.9) edges.push([hub, i]);
            if (i > hubs) edges.push([i, hubs + random.integer(i - hubs)]);
          }
          const A = laplacian(n, edges, 0.05, () => 0.01 + random.uniform());
          const cholesky = new SparseCholesky(A);
          expect(storedEntries(cholesky.factor())).toBe(cholesky.analysis.factorNonzeros);
          const B = randomBlock(n, 2, seed);
          const X = new Float64Array(B.length);
          cholesky.solve(B, 2, X);
          expect(residual(A, X, B, 2)).toBeLessThan(1e-10);
        },
      ),
      { numRuns: 30 },
    );
  });

  test("several components, single nodes among them", () => {
    const A = laplacian(
      9,
      [
        [0, 4],
        [4, 8],
        [1, 2],
        [2, 5],
        [5, 1],
      ],
      1e-3,
    );
    const b = randomBlock(9, 1, 4);
    const x = new Float64Array(9);
    new SparseCholesky(A).solve(b, 1, x);
    expect(residual(A, x, b, 1)).toBeLessThan(1e-11);
    expect(x[3]).toBeCloseTo(b[3] * 1000, 9);
  });

  test("no rows, one row, a diagonal", () => {
    const none = new SparseCholesky(fromTriplets(0, 0, { rows: [], columns: [], values: [] }));
    none.solve(new Float64Array(0), 2, new Float64Array(0));
    expect(none.analysis.factorNonzeros).toBe(0);
    for (const diagonal of [[4], [4, 9, 0.25]]) {
      const n = diagonal.length;
      const indices = diagonal.map((_, i) => i);
      const cholesky = new SparseCholesky(
        fromTriplets(n, n, { rows: indices, columns: indices, values: diagonal }),
      );
      const x = new Float64Array(n).fill(1);
      cholesky.solve(x, 1, x);
      expect(Array.from(x)).toEqual(diagonal.map((a) => 1 / a));
    }
  });

  test("a path of 100,000 rows: no recursion, no fill", () => {
    const n = 100_000;
    const A = laplacian(
      n,
      Array.from({ length: n - 1 }, (_, i) => [i, i + 1] as const),
      1e-3,
    );
    const cholesky = new SparseCholesky(A);
    expect(cholesky.analysis.factorNonzeros).toBe(2 * n - 1);
    const x = new Float64Array(n).fill(1);
    cholesky.solve(x, 1, x);
    // L 1 = 0, so the solution is constant.
    expect(largest(x.map((value) => value - 1000))).toBeLessThan(1e-6);
  });
});

describe("the diagonal of the inverse", () => {
  test("is that by solves with unit vectors", () => {
    fc.assert(
      fc.property(anyLaplacian, fc.integer({ min: 0, max: 1000 }), (pattern, seed) => {
        const A = randomValues(pattern, seed);
        const cholesky = new SparseCholesky(A);
        const diagonal = cholesky.inverseDiagonal();
        const column = new Float64Array(A.rows);
        for (let j = 0; j < A.rows; j++) {
          column.fill(0);
          column[j] = 1;
          cholesky.solve(column, 1, column);
          expect(Math.abs(diagonal[j] / column[j] - 1)).toBeLessThan(1e-11);
        }
      }),
    );
  });

  test("also where an entry of the factor is 0 by chance", () => {
    // eliminating row 0 fills (1, 2) with 1 − 1 · 1 = 0, which the later columns need all the same
    const rows = [
      [1, 1, 1, 0],
      [1, 3, 1, 1],
      [1, 1, 4, 1],
      [0, 1, 1, 5],
    ];
    const cholesky = new SparseCholesky(toSparse(rows), { ordering: "natural" });
    const diagonal = cholesky.inverseDiagonal();
    for (let j = 0; j < 4; j++) {
      const column = Float64Array.from(rows, (_, i) => (i === j ? 1 : 0));
      cholesky.solve(column, 1, column);
      expect(diagonal[j]).toBeCloseTo(column[j], 14);
    }
  });
});
