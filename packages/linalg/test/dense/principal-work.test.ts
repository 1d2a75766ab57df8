/** The choice between a formed matrix and products, and that both ways find the same components. */
import {
  CurvatureError,
  type DenseMatrix,
  fromTriplets,
  principalComponents,
  zeros,
} from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { isFormedFor } from "../../src/dense/dense-deviations.js";
import { KrylovSearch } from "../../src/eigen/krylov-search.js";
import { departureFromOrthonormal } from "../eigen/laws.js";

/** N × D points about a mean with the deviations s_a along known directions, of which the a-th is a wave of period D. */
function waves(N: number, D: number, deviations: readonly number[]): DenseMatrix {
  const X = zeros(N, D);
  for (let k = 0; k < X.data.length; k++) X.data[k] = 7 + ((k % D) % 5);
  deviations.forEach((deviation, a) => {
    const along = Float64Array.from({ length: D }, (_, j) => wave(D, a, j));
    for (let i = 0; i < N; i++) {
      const factor = deviation * wave(N, a, i);
      for (let j = 0; j < D; j++) X.data[i * D + j] += factor * along[j];
    }
  });
  return X;
}

/** Entry i of an orthonormal set of vectors of length n, each of sum 0 (discrete cosines 1, 2, …). */
const wave = (n: number, a: number, i: number): number =>
  Math.sqrt(2 / n) * Math.cos((Math.PI * (a + 1) * (2 * i + 1)) / (2 * n));

/** 1 − |⟨v_a, w_a⟩|, the largest, of the components and the known directions. */
function worstDeparture(components: DenseMatrix): number {
  const { rows, columns: D, data } = components;
  let worst = 0;
  for (let a = 0; a < rows; a++) {
    let along = 0;
    for (let j = 0; j < D; j++) along += data[a * D + j] * wave(D, a, j);
    worst = Math.max(worst, 1 - Math.abs(along));
  }
  return worst;
}

describe("the choice", () => {
  test("forms every matrix below 1000 rows, larger ones of many points or components, and none of 20,000", () => {
    expect(isFormedFor(999, 999, 1)).toBe(true);
    expect(isFormedFor(1_000_000, 999, 1)).toBe(true);
    expect(isFormedFor(100_000, 1200, 50)).toBe(true);
    expect(isFormedFor(1200, 100_000, 50)).toBe(true);
    expect(isFormedFor(1000, 1000, 201)).toBe(true);
    expect(isFormedFor(1000, 1000, 2)).toBe(false);
    expect(isFormedFor(3000, 3000, 50)).toBe(false);
    expect(isFormedFor(20_000, 20_000, 50)).toBe(false);
  });

  test("is the same for points and their transpose, and stays formed for more components and smaller matrices", () => {
    const size = fc.integer({ min: 1, max: 20_000 });
    fc.assert(
      fc.property(size, size, fc.integer({ min: 1, max: 500 }), (N, D, count) => {
        expect(isFormedFor(D, N, count)).toBe(isFormedFor(N, D, count));
        if (!isFormedFor(N, D, count)) return;
        expect(isFormedFor(N, D, count + 1)).toBe(true);
        const n = Math.ceil(Math.min(N, D) / 2);
        expect(isFormedFor(n, Math.max(N, D), count)).toBe(true);
      }),
    );
  });
});

test.each([
  ["formed, tall", 1300, 920, true],
  ["formed, wide, by blocks of columns", 920, 1300, true],
  ["products, tall", 1300, 1020, false],
  ["products, wide", 1020, 1300, false],
])(
  "%s: components and variances are those the points were made of",
  { tags: ["full"] },
  (_, N, D, formed) => {
    const deviations = [40, 20, 10];
    expect(isFormedFor(N, D, 3)).toBe(formed);
    const { components, variances, scores } = principalComponents(waves(N, D, deviations), { count: 3 });
    expect(departureFromOrthonormal(components)).toBeLessThan(1e-12);
    // Squares of angles, which are roundings of 1e-16 over gaps of 3/16 of the largest eigenvalue.
    expect(worstDeparture(components)).toBeLessThan(1e-13);
    for (let a = 0; a < 3; a++) {
      const expected = deviations[a] ** 2 / (N - 1);
      expect(Math.abs(variances[a] / expected - 1)).toBeLessThan(1e-11);
      let squares = 0;
      for (let i = 0; i < N; i++) squares += scores.data[3 * i + a] ** 2;
      expect(Math.abs(squares / deviations[a] ** 2 - 1)).toBeLessThan(1e-11);
    }
  },
);

test("without memory for a copy of the points rows are centred anew for each product, with the same bits", {
  tags: ["full"],
}, () => {
  const X = waves(1100, 1020, [40, 20, 10]);
  const expected = principalComponents(X, { count: 3 });
  let refused = 0;
  vi.stubGlobal(
    "Float64Array",
    new Proxy(Float64Array, {
      construct(target, given: unknown[], self) {
        if (given[0] === 1100 * 1020 && ++refused > 0) throw new RangeError("Array buffer allocation failed");
        return Reflect.construct(target, given, self);
      },
    }),
  );
  const found = principalComponents(X, { count: 3 });
  vi.unstubAllGlobals();
  expect(refused).toBe(1);
  expect(found).toEqual(expected);
});

/** The a-th of variances of which many lie so near one another that Lanczos has no end. */
const near = (D: number, a: number): number => (a < D / 5 ? 1 + (1e-8 * a) / D : 1 - a / (1.25 * D));

function findsNear(_: string, N: number, D: number, count: number, variance: (a: number) => number): void {
  const X = zeros(N, D);
  const rank = Math.min(N - 1, D);
  for (let a = 0; a < rank; a++)
    for (let i = 0; i < N; i++) X.data[i * D + a] = Math.sqrt(Math.max(0, variance(a))) * wave(N, a, i);
  const { variances, components, scores } = principalComponents(X, { count });
  const expected = Array.from({ length: rank }, (_, a) => variance(a)).sort((a, b) => b - a);
  for (let a = 0; a < count; a++)
    expect(Math.abs((variances[a] * (N - 1)) / expected[a] - 1)).toBeLessThan(1e-12);
  expect(departureFromOrthonormal(components)).toBeLessThan(1e-12);
  expect(scores.columns).toBe(count);
}

const nearOnes = "%s: variances that lie so near one another that Lanczos has no end are found all the same";

test.each<Parameters<typeof findsNear>>([
  ["formed", 510, 500, 2, (a) => near(500, a)],
  ["formed, wide", 410, 500, 5, (a) => near(400, a)],
])(nearOnes, findsNear);

test.each<Parameters<typeof findsNear>>([["products", 1110, 1020, 10, (a) => 1.001 - (a / 1020) ** 2]])(
  nearOnes,
  { tags: ["full"] },
  findsNear,
);

test("of sparse points such variances are an error that says what to do", () => {
  vi.spyOn(KrylovSearch.prototype, "pairs").mockImplementation(() => {
    throw new CurvatureError("ERR_NO_CONVERGENCE", "lanczos: after 20000 products");
  });
  const diagonal = Array.from({ length: 300 }, (_, i) => i);
  const sparse = fromTriplets(300, 300, { rows: diagonal, columns: diagonal, values: diagonal });
  expect(() => principalComponents(sparse, { count: 2 })).toThrow(
    expect.objectContaining({
      code: "ERR_NO_CONVERGENCE",
      message: expect.stringMatching(/2 largest variances of data.*Ask for fewer components, or give/),
    }),
  );
  vi.restoreAllMocks();
});
