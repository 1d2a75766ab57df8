/** Least squares with sparse Jacobians: the normal equations by Cholesky, and differences of many columns at once. */
import { fromTriplets, normal, RandomGenerator, type SparseMatrix, storedEntries } from "@curvature/linalg";
import { type LeastSquaresOptions, type LeastSquaresProblem, leastSquares } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";

/** Rows of [column, value] as a matrix. */
function sparseOf(rows: readonly (readonly (readonly [number, number])[])[], n: number): SparseMatrix {
  const entries = rows.flatMap((row, i) => row.map(([j, value]) => ({ i, j, value })));
  return fromTriplets(
    rows.length,
    n,
    {
      rows: entries.map(({ i }) => i),
      columns: entries.map(({ j }) => j),
      values: entries.map(({ value }) => value),
    },
    "J",
  );
}

const toRows = ({ rows, columns, rowPointers, columnIndices, values }: SparseMatrix): number[][] =>
  Array.from({ length: rows }, (_, i) => {
    const row = new Array<number>(columns).fill(0);
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) row[columnIndices[p]] = values[p];
    return row;
  });

/** Broyden's tridiagonal function: r_i = (3 − 2 x_i) x_i − x_{i−1} − 2 x_{i+1} + 1 (Moré, Garbow, Hillstrom, problem 30). */
const broyden = (n: number) => ({
  residuals: (x: Float64Array) =>
    x.map((xi, i) => (3 - 2 * xi) * xi - (i > 0 ? x[i - 1] : 0) - (i < n - 1 ? 2 * x[i + 1] : 0) + 1),
  jacobian: (x: Float64Array) =>
    sparseOf(
      Array.from(x, (xi, i) => {
        const row: [number, number][] = [[i, 3 - 4 * xi]];
        if (i > 0) row.push([i - 1, -1]);
        if (i < n - 1) row.push([i + 1, -2]);
        return row;
      }),
      n,
    ),
  start: new Array<number>(n).fill(-1),
});

/** Peaks a_k e^{…} would need exp; rational peaks do: block k has its own a_k, b_k, all share the offset c. */
function blocks(count: number, each: number, noise: number) {
  const generator = new RandomGenerator(7);
  const n = 2 * count + 1;
  const truth = Float64Array.from({ length: n }, (_, j) => (j === n - 1 ? 0.5 : 1 + (j % 5) / 4));
  const times = Array.from({ length: each }, (_, i) => (3 * i) / each);
  const model = (x: Float64Array, k: number, t: number): number =>
    x[2 * k] / (1 + x[2 * k + 1] * t * t) + x[n - 1];
  const y = Array.from({ length: count }, (_, k) =>
    times.map((t) => model(truth, k, t) + noise * normal(generator)),
  );
  const problem: LeastSquaresProblem = {
    residuals: (x) => y.flatMap((row, k) => row.map((value, i) => model(x, k, times[i]) - value)),
    jacobian: (x) =>
      sparseOf(
        y.flatMap((_, k) =>
          times.map((t): [number, number][] => {
            const below = 1 + x[2 * k + 1] * t * t;
            return [
              [2 * k, 1 / below],
              [2 * k + 1, (-x[2 * k] * t * t) / (below * below)],
              [n - 1, 1],
            ];
          }),
        ),
        n,
      ),
  };
  return { problem, n, truth, start: new Array<number>(n).fill(0.8) };
}

/** The same problem with its Jacobian as rows of numbers. */
const dense = ({ residuals, jacobian }: LeastSquaresProblem): LeastSquaresProblem => ({
  residuals,
  jacobian: async (x) => toRows((await jacobian?.(x)) as SparseMatrix),
});

const pathOf = async (
  problem: LeastSquaresProblem,
  start: readonly number[],
  options?: LeastSquaresOptions,
) => {
  const values: number[] = [];
  const factorizations = new Set<string | undefined>();
  const result = await leastSquares(problem, start, {
    ...options,
    onIteration: ({ value, details }) => {
      values.push(value ?? Number.NaN);
      factorizations.add(details.factorization);
    },
  });
  return { ...result, values, factorizations };
};

describe("dense and sparse take the same way", () => {
  const { problem, start } = blocks(4, 6, 0.05);
  test.each<[string, LeastSquaresOptions]>([
    ["plain", {}],
    ["with bounds that hold some", { lower: 0.6, upper: 1.4 }],
    ["with a loss", { loss: "huber", lossScale: 0.04 }],
    [
      "with a fixed parameter",
      { lower: [1, ...new Array<number>(8).fill(0)], upper: [1, ...new Array<number>(8).fill(9)] },
    ],
  ])("%s", async (_, options) => {
    const bySparse = await pathOf(problem, start, options);
    const byDense = await pathOf(dense(problem), start, options);
    expect([bySparse.status, byDense.status]).toEqual(["converged", "converged"]);
    expect([...bySparse.factorizations]).toEqual(["cholesky"]);
    expect([...byDense.factorizations]).toEqual(["qr"]);
    for (const [k, value] of byDense.values.slice(0, -2).entries())
      expect(Math.abs(bySparse.values[k] - value)).toBeLessThan(1e-11 * byDense.values[0]);
    for (const [j, xj] of byDense.x.entries()) {
      expect(bySparse.x[j]).toBeCloseTo(xj, 7);
      if (Number.isFinite(byDense.standardErrors[j]))
        expect(bySparse.standardErrors[j]).toBeCloseTo(byDense.standardErrors[j], 7);
      else expect(bySparse.standardErrors[j]).toBe(byDense.standardErrors[j]);
    }
  });
});

describe("Broyden's tridiagonal function with 10,000 parameters", () => {
  const n = 10_000;
  const { residuals, jacobian, start } = broyden(n);
  test("its zero is found, and J stays of O(n)", async () => {
    const result = await pathOf({ residuals, jacobian }, start);
    expect(result.status).toBe("converged");
    expect(result.value).toBeLessThan(1e-20);
    expect([...result.factorizations]).toEqual(["cholesky"]);
    expect(result.covariance).toBeUndefined();
    expect(result.jacobian && "values" in result.jacobian && storedEntries(result.jacobian)).toBe(3 * n - 2);
  });
  test("differences take three evaluations a Jacobian", async () => {
    const result = await leastSquares(
      { residuals, jacobianPattern: jacobian(Float64Array.from(start)) },
      start,
    );
    expect(result.status).toBe("converged");
    expect(result.value).toBeLessThan(1e-20);
    expect(result.evaluations).toBeLessThan(100);
  });
});

test("coloured differences are those of single columns, bit for bit", async () => {
  const { residuals, jacobian } = broyden(40);
  const start = Float64Array.from({ length: 40 }, (_, j) => -1 + (j % 7) / 9);
  const single = await leastSquares({ residuals }, start, { maxEvaluations: 41 });
  const coloured = await leastSquares({ residuals, jacobianPattern: jacobian(start) }, start, {
    maxEvaluations: 4,
  });
  expect([single.evaluations, coloured.evaluations]).toEqual([41, 4]);
  expect(toRows(coloured.jacobian as SparseMatrix).flat()).toEqual(
    Array.from((single.jacobian as { data: Float64Array }).data),
  );
});

test("a smoothing spline of 20,000 points has no gradient at its end", async () => {
  const n = 20_000;
  const weight = 30;
  const y = Float64Array.from({ length: n }, (_, i) => ((i * 7919) % 1000) / 1000 + (i / n) ** 2);
  const bends = (x: Float64Array): Float64Array =>
    Float64Array.from({ length: n - 2 }, (_, i) => weight * (x[i] - 2 * x[i + 1] + x[i + 2]));
  const rows = Array.from({ length: 2 * n - 2 }, (_, i): [number, number][] =>
    i < n ? [[i, 1]] : [0, 1, 2].map((k) => [i - n + k, k === 1 ? -2 * weight : weight]),
  );
  const J = sparseOf(rows, n);
  const { x, status } = await leastSquares(
    { residuals: (at) => [...at.map((xi, i) => xi - y[i]), ...bends(at)], jacobian: () => J },
    new Array<number>(n).fill(0),
  );
  expect(status).toBe("converged");
  const gradient = x.map((xi, i) => xi - y[i]);
  for (const [i, bend] of bends(x).entries())
    for (const k of [0, 1, 2]) gradient[i + k] += (k === 1 ? -2 : 1) * weight * bend;
  // the Hessian is at least the identity: x is no farther from the minimum than its gradient is long
  expect(Math.hypot(...gradient)).toBeLessThan(1e-8);
});

test("standard errors of 4,000 parameters are those of the book, where JᵀJ has a condition of 6 · 10⁷", async () => {
  const n = 4000;
  const d = 0.25;
  const step = (i: number): number => i % 3;
  const residuals = (x: Float64Array) =>
    Float64Array.from({ length: 2 * n }, (_, k) => {
      const i = k >> 1;
      return x[i] - (i > 0 ? x[i - 1] : 0) - step(i) + (k % 2 === 0 ? d : -d);
    });
  const jacobianPattern = sparseOf(
    Array.from({ length: 2 * n }, (_, k): [number, number][] => {
      const i = k >> 1;
      return i > 0
        ? [
            [i - 1, -1],
            [i, 1],
          ]
        : [[i, 1]];
    }),
    n,
  );
  const result = await leastSquares(
    { residuals, jacobian: () => jacobianPattern },
    new Array<number>(n).fill(0),
  );
  expect(result.status).toBe("converged");
  let sum = 0;
  for (let j = 0; j < n; j++) {
    sum += step(j);
    expect(Math.abs(result.x[j] - sum)).toBeLessThan(1e-8);
    // JᵀJ = 2 B ᵀB, B⁻¹ the lower triangle of ones; s² = 2 n d² / n
    expect(result.standardErrors[j] / (d * Math.sqrt(j + 1))).toBeCloseTo(1, 8);
  }
  expect([result.rank, result.degreesOfFreedom]).toEqual([n, n]);
});

test("blocks with a shared parameter: 801 parameters are found again", async () => {
  const { problem, truth, start } = blocks(400, 6, 0);
  const result = await pathOf(problem, start);
  expect(result.status).toBe("converged");
  expect(Math.max(...result.x.map((xj, j) => Math.abs(xj - truth[j])))).toBeLessThan(1e-8);
  expect(result.undetermined).toEqual([]);
});

test("600 places and 12 stations by their distances: all are found again from a rough map", async () => {
  const generator = new RandomGenerator(3);
  const [stations, places] = [12, 600];
  const n = 2 * (stations + places);
  const truth = Float64Array.from({ length: n }, () => 10 * generator.uniform());
  const pairs = Array.from({ length: 6 * places }, (_, k) => {
    const place = stations + Math.floor(k / 6);
    return [place, (place * 5 + (k % 6) * 2) % stations] as const;
  });
  const square = (x: Float64Array, a: number, b: number): number =>
    (x[2 * a] - x[2 * b]) ** 2 + (x[2 * a + 1] - x[2 * b + 1]) ** 2;
  const measured = pairs.map(([a, b]) => square(truth, a, b));
  const problem: LeastSquaresProblem = {
    residuals: (x) => pairs.map(([a, b], k) => square(x, a, b) - measured[k]),
    jacobian: (x) =>
      sparseOf(
        pairs.map(([a, b]): [number, number][] =>
          [0, 1].flatMap((axis): [number, number][] => {
            const apart = 2 * (x[2 * a + axis] - x[2 * b + axis]);
            return [
              [2 * a + axis, apart],
              [2 * b + axis, -apart],
            ];
          }),
        ),
        n,
      ),
  };
  // three numbers fix the map: the first station, and the height of the second
  const isHeld = (j: number): boolean => j < 2 || j === 3;
  const lower = Array.from(truth, (at, j) => (isHeld(j) ? at : Number.NEGATIVE_INFINITY));
  const upper = Array.from(truth, (at, j) => (isHeld(j) ? at : Number.POSITIVE_INFINITY));
  const start = Array.from(truth, (at, j) => at + (isHeld(j) ? 0 : 0.3 * (generator.uniform() - 0.5)));
  const result = await pathOf(problem, start, { lower, upper });
  expect(result.status).toBe("converged");
  expect(result.value).toBeLessThan(1e-18);
});

describe("where the data do not determine all", () => {
  /** Heights by differences of neighbours: a constant is free. The first `anchored` heights hang on a known one. */
  const levels = (n: number, anchored: number) => {
    const rows: [number, number][][] = anchored > 0 ? [[[0, 1]]] : [];
    for (const apart of [1, 2])
      for (let i = 0; i + apart < n; i++)
        if (i + apart < anchored || i >= anchored)
          rows.push([
            [i, -1],
            [i + apart, 1],
          ]);
    const J = sparseOf(rows, n);
    const residuals = (x: Float64Array) =>
      rows.map(
        (row) =>
          row.reduce((sum, [j, v]) => sum + v * x[j], 0) -
          ((row.reduce((sum, [j]) => sum + j, 0) * 31) % 10) / 10,
      );
    return { residuals, jacobian: () => J };
  };

  test.each([
    [40, "qr"],
    [2000, "shifted-cholesky"],
  ] as const)("%i heights, by %s", async (n, factorization) => {
    const half = n / 2;
    const result = await pathOf(levels(n, half), new Array<number>(n).fill(1));
    expect(result.status).toBe("converged");
    expect([...result.factorizations]).toEqual([factorization]);
    expect(result.rank).toBe(n - 1);
    expect(result.undetermined).toEqual(Array.from({ length: half }, (_, k) => half + k));
    expect(result.warnings.map(({ code }) => code)).toEqual(["rank-deficient"]);
    expect(result.standardErrors.slice(0, half).every((error) => error > 0 && error < 1e3)).toBe(true);
    const alone = await leastSquares(levels(half, half), new Array<number>(half).fill(1));
    for (let j = 0; j < half; j++) expect(result.x[j]).toBeCloseTo(alone.x[j], 6);
  });

  test("a column without entries", async () => {
    const { residuals, jacobian } = broyden(2000);
    const wider = (x: Float64Array): SparseMatrix => ({ ...jacobian(x.subarray(0, 2000)), columns: 2001 });
    const result = await leastSquares(
      { residuals: (x) => residuals(x.subarray(0, 2000)), jacobian: wider },
      new Array<number>(2001).fill(-1),
    );
    expect(result.status).toBe("converged");
    expect(result.value).toBeLessThan(1e-20);
    expect(result.x[2000]).toBe(-1);
    expect(result.undetermined).toEqual([2000]);
  });
});

describe("refusals", () => {
  const { residuals, jacobian, start } = broyden(5);
  const pattern = jacobian(Float64Array.from(start));
  const values = pattern.values.slice();
  values[3] = Number.NaN;
  const columnIndices = pattern.columnIndices.slice();
  const changed = (at: number, to: number): Int32Array => columnIndices.map((j, p) => (p === at ? to : j));
  test.each<[string, unknown, string]>([
    ["of another shape", { ...pattern, columns: 6 }, "ERR_SHAPE"],
    ["with an entry beside it", { ...pattern, columnIndices: changed(1, 5) }, "ERR_SHAPE"],
    ["unsorted", { ...pattern, columnIndices: changed(0, 1) }, "ERR_SHAPE"],
    ["with a negative entry", { ...pattern, columnIndices: changed(0, -1) }, "ERR_SHAPE"],
    ["with NaN", { ...pattern, values }, "ERR_NON_FINITE"],
    ["of ragged rows", [[1], [1, 2]], "ERR_SHAPE"],
    ["that is none", "band", "ERR_SHAPE"],
    ["that is null", null, "ERR_SHAPE"],
  ])("a pattern %s", async (_, jacobianPattern, code) => {
    await expect(
      Reflect.apply(leastSquares, undefined, [{ residuals, jacobianPattern }, start]),
    ).rejects.toMatchObject({ code, message: expect.stringContaining("jacobianPattern") });
  });

  test("a Jacobian with entries that are not in the pattern, named", async () => {
    const result = await leastSquares(
      {
        residuals,
        jacobian,
        jacobianPattern: toRows(pattern).map((row, i) => row.map((v, j) => (i === 2 && j === 3 ? 0 : v))),
      },
      start,
    );
    expect(result.status).toBe("failed");
    expect(result.message).toContain("row 2, column 3");
    expect(result.message).toContain("jacobianPattern");
  });

  test("a pattern that lacks entries does not pass for a minimum", async () => {
    const jacobianPattern = toRows(pattern).map((row, i) => row.map((v, j) => (i === j ? v : 0)));
    const shifted = (x: Float64Array) => [...residuals(x), 1 + x[0] * x[4]];
    const result = await leastSquares(
      { residuals: shifted, jacobianPattern: [...jacobianPattern, [1, 0, 0, 0, 0]] },
      start,
    );
    expect(result.status).not.toBe("converged");
  });

  test("entries that are 0 at the start and stored, and others that are left out later, are no change", async () => {
    // Rosenbrock's function at x = 0, where −20 x is 0
    const rosenbrock = ([x = 0, y = 0]: Float64Array) => [10 * (y - x * x), 1 - x];
    const result = await leastSquares(
      {
        residuals: rosenbrock,
        jacobian: ([x = 0]) =>
          sparseOf(
            [
              [
                [0, -20 * x],
                [1, 10],
              ],
              [[0, -1]],
            ],
            2,
          ),
        jacobianPattern: [
          [1, 1],
          [1, 0],
        ],
      },
      [0, 0],
    );
    expect(result.status).toBe("converged");
    expect(Array.from(result.x)).toEqual([1, 1]);
  });
});

test("a run that is resumed goes on as the other", async () => {
  const { residuals, jacobian, start } = broyden(50);
  const problem = { residuals, jacobianPattern: jacobian(Float64Array.from(start)) };
  const whole = await leastSquares(problem, start);
  const kept: Uint8Array[] = [];
  await leastSquares(problem, start, {
    maxIterations: 2,
    checkpoint: { everyIterations: 1, write: (bytes) => void kept.push(bytes) },
  });
  const resumed = await leastSquares(problem, start, { resume: kept.at(-1) });
  expect(Array.from(resumed.x)).toEqual(Array.from(whole.x));
  expect(resumed.evaluations).toBe(whole.evaluations);
  const other = {
    residuals,
    jacobianPattern: toRows(problem.jacobianPattern).map((row) => row.map(() => 1)),
  };
  await expect(leastSquares(other, start, { resume: kept.at(-1) })).rejects.toMatchObject({
    code: "ERR_CHECKPOINT",
  });
});
