import { blockEigen, DenseCholesky, matrixTimesVector, symmetricEigen } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { difference, positiveDefinite } from "../dense/arbitrary.js";
import {
  departureFromOrthonormal,
  expectOriented,
  path,
  pathEigenvalues,
  pathSolve,
  ring,
  ringEigenvalues,
  times,
} from "./laws.js";

/** On both sides of the size up to which a dense decomposition does the work. */
const sizes = fc.oneof(fc.integer({ min: 2, max: 60 }), fc.integer({ min: 201, max: 240 }));

test("without a preconditioner it agrees with the dense decomposition", { tags: ["full"] }, () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 5 }), fc.nat(), (n, k, seed) => {
      const count = Math.min(n, k);
      const A = positiveDefinite(n, seed);
      const { values } = symmetricEigen(A);
      const pairs = blockEigen((v, out) => matrixTimesVector(A, v, out), n, { count, seed });
      expect(difference(pairs.values, values.slice(0, count))).toBeLessThan(1e-8 * values[n - 1]);
      expect(Math.max(...pairs.residuals)).toBeLessThan(2e-8 * values[n - 1]);
      expect(departureFromOrthonormal(pairs.vectors)).toBeLessThan(1e-9);
      expectOriented(pairs.vectors);
    }),
    { numRuns: 10 },
  );
});

test("with a solve as preconditioner the smallest eigenvalues of a long path come to full accuracy", () => {
  const n = 3000;
  const pairs = blockEigen(path(n), n, { count: 5, preconditioner: pathSolve(n, 1e-4), tolerance: 1e-12 });
  expect(difference(pairs.values, pathEigenvalues(n).slice(0, 5))).toBeLessThan(1e-14);
  expect(pairs.products).toBeLessThan(400);
  // the second vector is cos(π (i + ½) / n), a half wave
  const second = pairs.vectors.data.subarray(n, 2 * n);
  const wave = Float64Array.from(
    { length: n },
    (_, i) => Math.sqrt(2 / n) * Math.cos((Math.PI * (i + 0.5)) / n),
  );
  const sign = Math.sign(second[0]);
  expect(
    difference(
      second.map((x) => sign * x),
      wave,
    ),
  ).toBeLessThan(1e-8);
});

test("double eigenvalues come twice", () => {
  const n = 500;
  const pairs = blockEigen(ring(n), n, { count: 7, preconditioner: pathSolve(n, 1e-3) });
  expect(difference(pairs.values, ringEigenvalues(n).slice(0, 7))).toBeLessThan(1e-8);
});

test("A u = λ D u: the values are those of D^-½ A D^-½, the vectors orthonormal in D", {
  tags: ["full"],
}, () => {
  fc.assert(
    fc.property(sizes, fc.nat(), fc.boolean(), (n, seed, preconditioned) => {
      const count = Math.min(n, 3);
      const A = positiveDefinite(n, seed);
      const D = Float64Array.from({ length: n }, (_, i) => 0.5 + ((i * 7) % 5));
      const cholesky = new DenseCholesky(A);
      const precondition = (r: Float64Array, out: Float64Array): void => {
        out.set(r);
        cholesky.solve(out);
      };
      const scaled = { ...A, data: A.data.map((a, k) => a / Math.sqrt(D[Math.floor(k / n)] * D[k % n])) };
      const expected = symmetricEigen(scaled).values;
      const pairs = blockEigen((v, out) => matrixTimesVector(A, v, out), n, {
        count,
        seed,
        diagonal: D,
        preconditioner: preconditioned ? precondition : undefined,
      });
      expect(difference(pairs.values, expected.slice(0, count))).toBeLessThan(1e-7 * expected[n - 1]);
      const roots = D.map(Math.sqrt);
      const turned = { ...pairs.vectors, data: pairs.vectors.data.map((u, k) => u * roots[k % n]) };
      expect(departureFromOrthonormal(turned)).toBeLessThan(1e-9);
      expectOriented(pairs.vectors);
    }),
    { numRuns: 10 },
  );
});

test.each([0, 1])("%d times the identity", (factor) => {
  const pairs = blockEigen(times(factor), 300, { count: 3 });
  expect(difference(pairs.values, [factor, factor, factor])).toBeLessThan(1e-14);
  expect(departureFromOrthonormal(pairs.vectors)).toBeLessThan(1e-12);
});

test("the same seed gives the same bits", () => {
  const run = () => blockEigen(ring(300), 300, { count: 2, seed: 3, tolerance: 1e-6 });
  expect(run()).toEqual(run());
});

test("NaN from the operator or the preconditioner is an error; so is a budget that does not suffice", () => {
  const nan = (_: Float64Array, out: Float64Array): void => void out.fill(Number.NaN);
  expect(() => blockEigen(nan, 300)).toThrowError("NaN or infinite entries");
  expect(() => blockEigen(ring(300), 300, { preconditioner: nan })).toThrowError("NaN or infinite entries");
  expect(() => blockEigen(path(5000), 5000, { maxIterations: 5 })).toThrowError(
    "after 5 iterations a residual is",
  );
});

test("bad arguments are refused", () => {
  expect(() => blockEigen(ring(10), 10, { count: 11 })).toThrowError("count must be at most n = 10");
  expect(() => blockEigen(ring(10), 10, { diagonal: new Float64Array(9).fill(1) })).toThrowError(
    "diagonal must be 10 positive finite numbers",
  );
  expect(() => blockEigen(ring(10), 10, { diagonal: new Float64Array(10) })).toThrowError("diagonal must be");
});
