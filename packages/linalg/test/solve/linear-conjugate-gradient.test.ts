import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  IncompleteCholesky,
  LinearConjugateGradient,
  type LinearOperator,
  RandomGenerator,
  SparseCholesky,
  type SparseMatrix,
  sparseTimesVector,
} from "../../src/index.js";
import { anyLaplacian, gridEdges, laplacian, largest } from "../sparse/matrices.js";

const times =
  (A: SparseMatrix): LinearOperator =>
  (v, out) =>
    sparseTimesVector(A, v, out);

const diagonal =
  (...entries: number[]): LinearOperator =>
  (v, out) => {
    entries.forEach((a, i) => {
      out[i] = a * v[i];
    });
  };

function randomVector(n: number, seed: number): Float64Array {
  const random = new RandomGenerator(seed);
  return new Float64Array(n).map(() => random.uniform() - 0.5);
}

describe("LinearConjugateGradient", () => {
  test("agrees with Cholesky, from any start, and its residual is the true one", () => {
    fc.assert(
      fc.property(anyLaplacian, fc.nat(), (A, seed) => {
        const b = randomVector(A.rows, seed);
        const x = randomVector(A.rows, seed + 1);
        const exact = new Float64Array(A.rows);
        new SparseCholesky(A).solve(b, 1, exact);
        const result = new LinearConjugateGradient(A.rows).solve(times(A), b, x, { tolerance: 1e-10 });
        expect(result.reason).toBe("tolerance");
        expect(result.converged).toBe(true);
        expect(largest(x.map((value, i) => value - exact[i]))).toBeLessThan(1e-7);
        const r = new Float64Array(A.rows);
        sparseTimesVector(A, x, r);
        const norm = Math.sqrt(r.reduce((sum, value, i) => sum + (b[i] - value) ** 2, 0));
        expect(Math.abs(norm - result.residualNorm)).toBeLessThan(1e-12);
      }),
    );
  });

  test("ends after as many iterations as A has distinct eigenvalues", () => {
    const x = new Float64Array(6);
    const b = Float64Array.of(1, 2, 3, 4, 5, 6);
    const A = diagonal(1, 1, 2, 2, 5, 5);
    const { iterations } = new LinearConjugateGradient(6).solve(A, b, x, { tolerance: 1e-12 });
    expect(iterations).toBe(3);
  });

  test("an exact preconditioner needs one iteration, an incomplete one less than half of what none needs", () => {
    const A = laplacian(900, gridEdges(30), 1e-3);
    const b = randomVector(900, 1);
    const cg = new LinearConjugateGradient(900);
    const iterations = (preconditioner?: LinearOperator) => {
      const x = new Float64Array(900);
      const result = cg.solve(times(A), b, x, { preconditioner });
      expect(result.converged).toBe(true);
      return result.iterations;
    };
    const cholesky = new SparseCholesky(A);
    const incomplete = new IncompleteCholesky(A);
    expect(iterations((r, z) => cholesky.solve(r, 1, z))).toBe(1);
    expect(iterations((r, z) => incomplete.solve(r, 1, z))).toBeLessThan(iterations() / 2);
  });

  test("a solution given as the start costs no iteration, b = 0 gives 0", () => {
    const cg = new LinearConjugateGradient(2);
    const x = Float64Array.of(3, 0.5);
    expect(cg.solve(diagonal(1, 4), Float64Array.of(3, 2), x)).toEqual({
      iterations: 0,
      residualNorm: 0,
      converged: true,
      reason: "tolerance",
    });
    cg.solve(diagonal(1, 4), new Float64Array(2), x);
    expect(Array.from(x)).toEqual([0, 0]);
  });

  test("the tolerance is relative to b, and reached no earlier than asked", () => {
    const A = laplacian(400, gridEdges(20), 1e-2);
    const b = randomVector(400, 3).map((value) => 1e6 * value);
    const norm = Math.sqrt(b.reduce((sum, value) => sum + value * value, 0));
    const cg = new LinearConjugateGradient(400);
    const { iterations, residualNorm } = cg.solve(times(A), b, new Float64Array(400), { tolerance: 0.1 });
    expect(residualNorm).toBeLessThanOrEqual(0.1 * norm);
    const before = cg.solve(times(A), b, new Float64Array(400), {
      tolerance: 0.1,
      maxIterations: iterations - 1,
    });
    expect(before.reason).toBe("max-iterations");
    expect(before.iterations).toBe(iterations - 1);
    expect(before.residualNorm).toBeGreaterThan(0.1 * norm);
  });

  test("negative curvature, in the matrix or the preconditioner, leaves x where it was", () => {
    const cg = new LinearConjugateGradient(2);
    const x = new Float64Array(2);
    const b = Float64Array.of(1, 2);
    const result = cg.solve(diagonal(1, -1), b, x);
    expect(result).toMatchObject({ reason: "curvature", converged: false, iterations: 0 });
    expect(Array.from(x)).toEqual([0, 0]);
    const other = cg.solve(diagonal(1, 1), b, x, { preconditioner: diagonal(-1, -1) });
    expect(other.reason).toBe("curvature");
    expect(Array.from(x)).toEqual([0, 0]);
  });

  test("a product that is not finite ends the solve with the last finite x", () => {
    const cg = new LinearConjugateGradient(2);
    const b = Float64Array.of(1, 2);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      let products = 0;
      const breaking: LinearOperator = (v, out) => {
        products++;
        out[0] = v[0];
        out[1] = products === 3 ? bad : 3 * v[1];
      };
      const x = new Float64Array(2);
      const result = cg.solve(breaking, b, x, { tolerance: 0 });
      expect(result).toMatchObject({ reason: "non-finite", iterations: 1 });
      expect(Number.isFinite(x[0]) && Number.isFinite(x[1])).toBe(true);
    }
    expect(cg.solve(diagonal(1, 1), Float64Array.of(Number.NaN, 1), new Float64Array(2)).reason).toBe(
      "non-finite",
    );
  });

  test.each([1e-300, 1e-200, 1e200, 1e300])("b of size %d is solved as one of size 1 is", (size) => {
    const x = new Float64Array(2);
    const b = Float64Array.of(size, size);
    const result = new LinearConjugateGradient(2).solve(diagonal(2, 1), b, x);
    expect(result).toMatchObject({ reason: "tolerance", iterations: 2 });
    expect(x[0] / size).toBeCloseTo(0.5, 8);
    expect(x[1] / size).toBeCloseTo(1, 8);
    expect(result.residualNorm / size).toBeLessThan(1e-8);
  });

  test("an end without convergence leaves the best x, measured by the residual, and never one worse than 0", () => {
    const n = 40;
    // ill-conditioned: ‖r‖ rises far above ‖b‖ on the way
    const A = diagonal(...Array.from({ length: n }, (_, i) => 10 ** (-i / 4)));
    const b = randomVector(n, 5);
    const norm = (x: Float64Array): number => {
      const r = new Float64Array(n);
      A(x, r);
      return Math.sqrt(r.reduce((sum, value, i) => sum + (b[i] - value) ** 2, 0));
    };
    let rises = 0;
    let last = Number.POSITIVE_INFINITY;
    for (let maxIterations = 0; maxIterations < 30; maxIterations++) {
      const x = new Float64Array(n);
      const cg = new LinearConjugateGradient(n);
      const { residualNorm } = cg.solve(A, b, x, { maxIterations, tolerance: 1e-14 });
      expect(Math.abs(residualNorm - norm(x))).toBeLessThan(1e-8);
      expect(residualNorm).toBeLessThanOrEqual(last);
      if (residualNorm === last) rises++;
      last = residualNorm;
    }
    expect(rises).toBeGreaterThan(0);
    const far = new Float64Array(n).fill(1e9);
    const { residualNorm } = new LinearConjugateGradient(n).solve(A, b, far, { maxIterations: 0 });
    expect(Array.from(far)).toEqual(Array.from(new Float64Array(n)));
    expect(residualNorm).toBe(norm(far));
  });

  test("wrong lengths and options are refused; nothing is solved at once", () => {
    const cg = new LinearConjugateGradient(2);
    const two = new Float64Array(2);
    expect(() => cg.solve(diagonal(1, 1), two, two)).toThrowError("two arrays of length 2");
    expect(() => cg.solve(diagonal(1, 1), two, new Float64Array(3))).toThrowError("received 2 and 3");
    expect(() => cg.solve(diagonal(1, 1), two, new Float64Array(2), { tolerance: -1 })).toThrowError(
      "tolerance",
    );
    expect(() => new LinearConjugateGradient(1.5)).toThrowError("size");
    const none = new Float64Array(0);
    expect(new LinearConjugateGradient(0).solve(diagonal(), none, new Float64Array(0)).converged).toBe(true);
  });
});
