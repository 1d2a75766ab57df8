import {
  blockEigen,
  finishedPairs,
  fromTriplets,
  lanczos,
  matrixTimesVector,
  SparseCholesky,
  type SymmetricOperator,
  symmetricEigen,
} from "@curvature/linalg";
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
    "after 100 products a residual is",
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

/** Diagonal 1 … n, and 500 above it: eigenvalues and ‖A u − λ u‖ of what is read as symmetric are far apart. */
const bidiagonal = (v: Float64Array, out: Float64Array): void => {
  for (let i = 0; i < v.length; i++) out[i] = (i + 1) * v[i] + (i + 1 < v.length ? 500 * v[i + 1] : 0);
};

test.each([2, 50, 200, 201, 300])("an operator of %d rows that is not symmetric is refused", (n) => {
  const refusal = expect.objectContaining({ code: "ERR_ARGUMENT", path: "apply" });
  expect(() => lanczos(bidiagonal, n, { count: 1, maxProducts: 500 })).toThrowError(refusal);
  expect(() => blockEigen(bidiagonal, n, { count: 1, maxIterations: 20 })).toThrowError(refusal);
});

test("one entry that differs from its mirror image is named", () => {
  const A = symmetric(20, 1);
  A.data[3 * 20 + 7] += 1e-6;
  const apply = (v: Float64Array, out: Float64Array): void => matrixTimesVector(A, v, out);
  expect(() => lanczos(apply, 20)).toThrowError("entry (3, 7) of its matrix (counted from 0) is");
});

test("small pairs beside large ones have residuals that are small beside themselves", () => {
  const n = 300;
  const values = Float64Array.from({ length: n }, (_, i) => 1 + (i > 3 ? 1e4 + i : i));
  const apply = (v: Float64Array, out: Float64Array): void => {
    for (let i = 0; i < n; i++) out[i] = values[i] * v[i];
  };
  for (const pairs of [
    lanczos(apply, n, { count: 3, which: "smallest" }),
    blockEigen(apply, n, { count: 3, tolerance: 1e-10 }),
  ]) {
    expect(difference(pairs.values, [1, 2, 3])).toBeLessThan(1e-11);
    pairs.residuals.forEach((residual, i) => {
      expect(residual).toBeLessThanOrEqual(pairs.limits[i]);
      expect(pairs.limits[i]).toBeLessThan(1e-10 * pairs.values[i] + 1e-9);
    });
  }
  const quick = lanczos(apply, n, { count: 3, which: "smallest", relativeTo: "operator", tolerance: 1e-6 });
  expect(quick.limits[0]).toBeCloseTo(1e-6 * values[n - 1], 6);
});

test.each([
  [
    "lanczos",
    (apply: SymmetricOperator, n: number) =>
      lanczos(apply, n, { count: 2, which: "smallest", maxProducts: 45 }),
  ],
  [
    "blockEigen",
    (apply: SymmetricOperator, n: number) => blockEigen(apply, n, { count: 2, maxIterations: 12 }),
  ],
])("the error at the end of the budget of %s carries the pairs that are done", (_, search) => {
  const n = 600;
  // one eigenvalue far off, the others crowded
  const apply: SymmetricOperator = (v, out) => {
    for (let i = 0; i < n; i++) out[i] = (i === 0 ? -1e3 : i / n) * v[i];
  };
  let error: unknown;
  try {
    search(apply, n);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ code: "ERR_NO_CONVERGENCE" });
  const pairs = finishedPairs(error);
  expect(pairs?.vectors.rows).toBe(1);
  expect(Array.from(pairs?.values ?? [])).toEqual([expect.closeTo(-1e3, 9)]);
  expect(pairs?.residuals[0]).toBeLessThanOrEqual(pairs?.limits[0] ?? 0);
  expect(finishedPairs(new Error("another"))).toBe(undefined);
});

test.each([100, 2000])(
  "a shifted inverse finds the smooth end of a path of %d nodes in few products",
  (n) => {
    const shift = -1e-4;
    const rows = Array.from({ length: n }, (_, i) => i);
    const edges = rows.slice(1);
    const A = fromTriplets(n, n, {
      rows: [...rows, ...edges, ...edges.map((i) => i - 1)],
      columns: [...rows, ...edges.map((i) => i - 1), ...edges],
      values: [
        ...rows.map((i) => (i === 0 || i === n - 1 ? 1 : 2) - shift),
        ...edges.map(() => -1),
        ...edges.map(() => -1),
      ],
    });
    const factor = new SparseCholesky(A);
    const solve = (r: Float64Array, out: Float64Array): void => factor.solve(r, 1, out);
    const pairs = lanczos(path(n), n, { count: 4, which: "smallest", solve, shift });
    expect(difference(pairs.values, pathEigenvalues(n).slice(0, 4))).toBeLessThan(1e-13);
    expect(departureFromOrthonormal(pairs.vectors)).toBeLessThan(1e-12);
    expect(pairs.products).toBeLessThan(200);
    pairs.residuals.forEach((residual, i) => {
      expect(residual).toBeLessThanOrEqual(pairs.limits[i]);
    });
  },
);
