/** What a sparse Cholesky factorisation refuses. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  analyzeCholesky,
  CurvatureError,
  fromTriplets,
  RandomGenerator,
  SparseCholesky,
  type SparseMatrix,
  toSparse,
} from "../../src/index.js";
import { denseOf, gridEdges, laplacian, largest } from "./matrices.js";

function lastPivot(cholesky: SparseCholesky): number {
  return (cholesky.factor().values.at(-1) ?? Number.NaN) ** 2;
}

/**
 * The most that rounding can leave of 1ᵀ A 1 = 0, which is a Laplacian's last pivot: A − L Lᵀ is at most
 * (c + 1) ε |L| |L|ᵀ, c the most entries in a column of L, and 1ᵀ |L| |L|ᵀ 1 ≤ 4 tr A because L's columns sum to 0;
 * the sums on A's diagonal are rounded besides.
 */
function roundingOfLaplacian(A: SparseMatrix, { analysis }: SparseCholesky): number {
  const trace = denseOf(A).reduce((sum, row, i) => sum + row[i], 0);
  return 4 * (largest(analysis.columnCounts) + 2) * Number.EPSILON * trace;
}

describe("what cannot be factored is refused", () => {
  const grid = laplacian(25, gridEdges(5), 0);

  function caught(action: () => unknown): CurvatureError {
    try {
      action();
    } catch (error) {
      if (error instanceof CurvatureError) return error;
      throw error;
    }
    throw new Error("nothing was thrown");
  }

  test("a singular Laplacian, an indefinite matrix, a missing diagonal, with row and pivot", () => {
    expect(caught(() => new SparseCholesky(grid)).code).toBe("ERR_NOT_POSITIVE_DEFINITE");
    const indefinite = toSparse([
      [1, 2],
      [2, 1],
    ]);
    const error = caught(() => new SparseCholesky(indefinite, { ordering: "natural" }));
    expect(error.code).toBe("ERR_NOT_POSITIVE_DEFINITE");
    expect(error.path).toBe("row 1");
    expect(error.received).toBe(-3);
    const hollow = toSparse([
      [0, 1],
      [1, 0],
    ]);
    expect(caught(() => new SparseCholesky(hollow)).received).toBe(0);
    expect(
      caught(() => new SparseCholesky(fromTriplets(2, 2, { rows: [], columns: [], values: [] }))).code,
    ).toBe("ERR_NOT_POSITIVE_DEFINITE");
  });

  test("a singular Laplacian of any weights, unless rounding alone leaves it a pivot", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = new RandomGenerator(seed);
        const A = laplacian(64, gridEdges(8), 0, () => 0.01 + random.uniform());
        try {
          const cholesky = new SparseCholesky(A);
          expect(lastPivot(cholesky)).toBeLessThan(roundingOfLaplacian(A, cholesky));
        } catch (error) {
          expect(error).toHaveProperty("code", "ERR_NOT_POSITIVE_DEFINITE");
        }
      }),
    );
  });

  test("the shift of the spectral direction is enough, even where weights differ by 1e6", () => {
    const random = new RandomGenerator(11);
    const A = laplacian(400, gridEdges(20), 1e-10, () => (random.uniform() < 0.5 ? 1 : 1e-6));
    expect(new SparseCholesky(A).size).toBe(400);
  });

  test("asymmetry in pattern or values, NaN, other shapes, other patterns", () => {
    expect(
      caught(
        () =>
          new SparseCholesky(
            toSparse([
              [1, 0],
              [1, 1],
            ]),
          ),
      ).message,
    ).toContain("(1, 0) and (0, 1) differ");
    expect(
      caught(
        () =>
          new SparseCholesky(
            toSparse([
              [9, 1],
              [2, 9],
            ]),
          ),
      ).code,
    ).toBe("ERR_ARGUMENT");
    expect(caught(() => new SparseCholesky(toSparse([[1, 2, 3]]))).code).toBe("ERR_SHAPE");
    const cholesky = new SparseCholesky(
      toSparse([
        [9, 1],
        [1, 9],
      ]),
    );
    expect(
      caught(() =>
        cholesky.refactor(
          toSparse([
            [9, 0],
            [0, 9],
          ]),
        ),
      ).message,
    ).toContain("another pattern");
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const A = toSparse([
        [9, 1],
        [1, 9],
      ]);
      A.values.fill(bad);
      expect(caught(() => cholesky.refactor(A)).code).toBe("ERR_NON_FINITE");
    }
  });

  test("a factor beyond the budget, before its memory is taken", () => {
    const analysis = analyzeCholesky(grid);
    const error = caught(
      () => new SparseCholesky(grid, { analysis, maxFactorNonzeros: analysis.factorNonzeros - 1 }),
    );
    expect(error.code).toBe("ERR_MEMORY");
    expect(error.received).toBe(analysis.factorNonzeros);
    const A = laplacian(25, gridEdges(5), 1);
    expect(new SparseCholesky(A, { analysis, maxFactorNonzeros: analysis.factorNonzeros }).size).toBe(25);
  });

  test("right-hand sides of another length, unknown options", () => {
    const cholesky = new SparseCholesky(laplacian(25, gridEdges(5), 1));
    expect(() => cholesky.solve(new Float64Array(25), 2, new Float64Array(50))).toThrowError(
      "B must hold d = 2 vectors of length 25",
    );
    expect(() => cholesky.solve(new Float64Array(50), 2, new Float64Array(25))).toThrowError(
      "50 numbers; received 25",
    );
    expect(() => new SparseCholesky(grid, { analysis: JSON.parse("{}") })).toThrowError(
      "a result of analyzeCholesky",
    );
    expect(() => analyzeCholesky(grid, { ordering: JSON.parse('"metis"') })).toThrowError(
      '"nested-dissection", "natural"',
    );
  });
});
