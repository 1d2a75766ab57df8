import {
  DenseCholesky,
  gram,
  symmetricEigen,
  symmetricEigenvalues,
  Tridiagonalization,
  tridiagonalEigen,
  zeros,
} from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { normalMatrix } from "../dense/arbitrary.js";
import { expectSameBits, inBothForms } from "./both-forms.js";

const size = fc.oneof(
  fc.constantFrom(0, 1, 63, 64, 65, 66, 67, 68, 96, 127, 128, 129, 159, 160, 161),
  fc.nat(200),
);

function positiveDefinite(n: number, seed: number) {
  const A = gram(normalMatrix(n + 2, n, seed));
  for (let i = 0; i < n; i++) A.data[i * n + i] += 1e-3;
  return A;
}

test("Cholesky factors have the same bits", () => {
  fc.assert(
    fc.property(size, fc.nat(1000), (n, seed) => {
      const A = positiveDefinite(n, seed);
      for (let i = 0; i < n; i++) A.data.fill(Number.NaN, i * n + i + 1, (i + 1) * n); // not read
      const { simd, typescript } = inBothForms(() => new DenseCholesky(A).factor.data);
      expectSameBits(simd, typescript);
    }),
    { numRuns: 40 },
  );
});

test("what is not positive definite, or not a number, ends at the same pivot with the same words", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 64, max: 150 }),
      fc.nat(),
      fc.nat(),
      fc.constantFrom(-1, 0, Number.NaN, Number.POSITIVE_INFINITY),
      (n, row, column, value) => {
        const A = positiveDefinite(n, 1);
        const i = row % n;
        A.data[i * n + (value <= 0 ? i : column % (i + 1))] = value;
        const { simd, typescript } = inBothForms(() => {
          try {
            return String(new DenseCholesky(A).factor.rows);
          } catch (error) {
            return String(error);
          }
        });
        expect(simd).toBe(typescript);
        expect(simd).toContain("not positive definite");
      },
    ),
    { numRuns: 40 },
  );
});

test("eigenpairs and eigenvalues have the same bits", { tags: ["full"] }, () => {
  fc.assert(
    fc.property(size, fc.nat(1000), (n, seed) => {
      const A = gram(normalMatrix(Math.ceil(n / 2), n, seed)); // half of its eigenvalues are 0
      const { simd, typescript } = inBothForms(() => {
        const { values, vectors } = symmetricEigen(A);
        return [values, vectors.data, symmetricEigenvalues(A)];
      });
      for (const [k, array] of simd.entries()) expectSameBits(array, typescript[k]);
    }),
    { numRuns: 25 },
  );
});

test("so have reductions in parts, at every stop", () => {
  const { simd, typescript } = inBothForms(() => {
    const reduction = new Tridiagonalization(gram(normalMatrix(30, 131, 2)));
    const parts = [];
    do parts.push(reduction.save());
    while (!reduction.advance(1));
    return [...parts.flatMap(({ A, d, e }) => [A, d, e]), reduction.eigenvalues()];
  });
  expect(simd.length).toBe(typescript.length);
  for (const [k, array] of simd.entries()) expectSameBits(array, typescript[k]);
});

test("and rotations of rows of any width", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 120 }), fc.nat(150), (n, width) => {
      const [start] = [normalMatrix(n, width, 3)];
      const { simd, typescript } = inBothForms(() => {
        const Z = start.data.slice();
        const d = normalMatrix(1, n, 1).data;
        tridiagonalEigen(d, normalMatrix(1, n, 2).data, Z, width);
        return Z;
      });
      expectSameBits(simd, typescript);
    }),
    { numRuns: 30 },
  );
});

test("a matrix of zeros needs no reflection", () => {
  const { simd, typescript } = inBothForms(() => symmetricEigen(zeros(100, 100)).vectors.data);
  expectSameBits(simd, typescript);
});
