import { lanczos, matrixTimesVector, symmetricEigen } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { difference, normalMatrix } from "../dense/arbitrary.js";
import {
  departureFromOrthonormal,
  expectOriented,
  path,
  pathEigenvalues,
  ring,
  ringEigenvalues,
  times,
} from "./laws.js";

const symmetric = (n: number, seed: number) => {
  const A = normalMatrix(n, n, seed);
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) A.data[j * n + i] = A.data[i * n + j];
  return A;
};

/** On both sides of the size up to which a dense decomposition does the work. */
const sizes = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 201, max: 260 }));

test("both ends agree with the dense decomposition, with small residuals and orthonormal vectors", {
  tags: ["full"],
}, () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 8 }), fc.nat(), (n, k, seed) => {
      const count = Math.min(n, k);
      const A = symmetric(n, seed);
      const { values } = symmetricEigen(A);
      const size = Math.max(...values.map(Math.abs));
      const apply = (v: Float64Array, out: Float64Array): void => matrixTimesVector(A, v, out);
      for (const which of ["smallest", "largest"] as const) {
        const pairs = lanczos(apply, n, { count, which, seed });
        const expected = which === "smallest" ? values.slice(0, count) : values.slice(n - count).reverse();
        expect(difference(pairs.values, expected)).toBeLessThan(1e-9 * size);
        expect(Math.max(...pairs.residuals)).toBeLessThan(2e-10 * size);
        expect(departureFromOrthonormal(pairs.vectors)).toBeLessThan(1e-9);
        expectOriented(pairs.vectors);
      }
    }),
    { numRuns: 12 },
  );
});

test.each([
  ["far from 0 on one side", (i: number) => 1 + i / 250],
  ["negative", (i: number) => -1 - i / 250],
  ["in threes", (i: number) => Math.floor(i / 3)],
  ["in tight clusters", (i: number) => Math.floor(i / 4) + 1e-9 * i],
  ["tiny", (i: number) => 1e-150 * (1 + i / 250)],
  ["huge", (i: number) => 1e150 * (1 + i / 250)],
  ["a few beside zeros", (i: number) => (i < 5 ? i + 1 : 0)],
])(
  "a spectrum %s is found at both ends, the search of the complement included",
  { tags: ["full"] },
  (_, eigenvalue) => {
    const n = 250;
    const values = Float64Array.from({ length: n }, (_, i) => eigenvalue(i)).sort();
    const size = Math.max(...values.map(Math.abs));
    const apply = (v: Float64Array, out: Float64Array): void => {
      for (let i = 0; i < n; i++) out[i] = values[i] * v[i];
    };
    for (const count of [1, 4, 7]) {
      const smallest = lanczos(apply, n, { count, which: "smallest" });
      const largest = lanczos(apply, n, { count, which: "largest" });
      expect(difference(smallest.values, values.slice(0, count))).toBeLessThan(1e-9 * size);
      expect(difference(largest.values, values.slice(n - count).reverse())).toBeLessThan(1e-9 * size);
      expect(Math.max(...smallest.residuals, ...largest.residuals)).toBeLessThan(2e-10 * size);
      expect(departureFromOrthonormal(smallest.vectors)).toBeLessThan(1e-9);
      expect(departureFromOrthonormal(largest.vectors)).toBeLessThan(1e-9);
    }
  },
);

test("double eigenvalues come twice", () => {
  const n = 300;
  const { values } = lanczos(ring(n), n, { count: 7, which: "largest" });
  expect(difference(values, ringEigenvalues(n).reverse().slice(0, 7))).toBeLessThan(1e-9);
});

test("an eigenvalue of multiplicity 50 fills all places, and the vectors stay orthonormal", () => {
  const steps = (v: Float64Array, out: Float64Array): void => {
    for (let i = 0; i < v.length; i++) out[i] = Math.floor(i / 50) * v[i];
  };
  const pairs = lanczos(steps, 500, { count: 8 });
  expect(difference(pairs.values, new Float64Array(8).fill(9))).toBeLessThan(1e-12);
  expect(departureFromOrthonormal(pairs.vectors)).toBeLessThan(1e-12);
});

test("the crowded end of a spectrum is resolved by restarts", () => {
  const n = 400;
  const { values, products } = lanczos(path(n), n, { count: 4, which: "smallest" });
  expect(difference(values, pathEigenvalues(n).slice(0, 4))).toBeLessThan(1e-10);
  expect(products).toBeGreaterThan(100);
});

test.each([0, 1, -2.5])("%d times the identity", (factor) => {
  const pairs = lanczos(times(factor), 300, { count: 3 });
  expect(difference(pairs.values, [factor, factor, factor])).toBeLessThan(1e-14);
  expect(departureFromOrthonormal(pairs.vectors)).toBeLessThan(1e-12);
});

test("the same seed gives the same bits", () => {
  const run = (seed: number) => lanczos(ring(300), 300, { count: 3, seed });
  expect(run(5)).toEqual(run(5));
});

test("an operator that returns NaN is an error; so is a budget that does not suffice", () => {
  expect(() => lanczos((_, out) => void out.fill(Number.NaN), 300)).toThrowError("NaN or infinite entries");
  expect(() => lanczos(path(2000), 2000, { which: "smallest", maxProducts: 100 })).toThrowError(
    "after 100 products the residual is",
  );
});

test("bad arguments are refused", () => {
  const apply = ring(10);
  expect(() => lanczos(apply, 0)).toThrowError("n must be a whole number from 1");
  expect(() => lanczos(apply, 2 ** 40)).toThrowError("n must be a whole number from 1 to 2^31 - 1");
  expect(() => lanczos(apply, 10, { count: 11 })).toThrowError("count must be at most n = 10; received 11");
  expect(() => lanczos(apply, 10, { count: 0 })).toThrowError(
    "count must be a whole number from 1 to 2^53 - 1",
  );
  const misspelt: object = { tolerence: 1 };
  expect(() => lanczos(apply, 10, misspelt)).toThrowError('Did you mean "tolerance"?');
});

test("a spectrum of two values, each 250 times, is not beyond the sweeps of the projected matrices", {
  tags: ["full"],
}, () => {
  const apply = (v: Float64Array, out: Float64Array): void => {
    for (let i = 0; i < v.length; i++) out[i] = (i % 2) * v[i];
  };
  const { values, residuals } = lanczos(apply, 500, { count: 150, which: "smallest" });
  expect(Math.max(...values.map(Math.abs))).toBeLessThan(1e-12);
  expect(Math.max(...residuals)).toBeLessThan(1e-9);
});

test("residuals are measured where their squares overflow", () => {
  const huge = (v: Float64Array, out: Float64Array): void => {
    for (let i = 0; i < v.length; i++) out[i] = 1e298 * (1 + i) * v[i];
  };
  const { residuals } = lanczos(huge, 250, { count: 2 });
  expect(Math.max(...residuals)).toBeLessThan(1e291);
});

test("the operator must be a function; in small problems too its NaN are its own", () => {
  // @ts-expect-error a matrix is no operator
  expect(() => lanczos({ rows: 1, columns: 1, data: new Float64Array(1) }, 1)).toThrowError(
    "lanczos: the operator must be a function (v, out)",
  );
  expect(() => lanczos((_, out) => void out.fill(Number.NaN), 3)).toThrowError("lanczos: a product");
});
