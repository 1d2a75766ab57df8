/** Least squares with sparse Jacobians: the normal equations by Cholesky, and differences of many columns at once. */
import { fromTriplets, RandomGenerator, type SparseMatrix, normal, storedEntries } from "@curvature/linalg";
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

const pathOf = async (problem: LeastSquaresProblem, start: readonly number[], options?: LeastSquaresOptions) => {
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
    ["with a fixed parameter", { lower: [1, ...new Array<number>(8).fill(0)], upper: [1, ...new Array<number>(8).fill(9)] }],
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
    const result = await leastSquares({ residuals, jacobianPattern: jacobian(Float64Array.from(start)) }, start);
    expect(result.status).toBe("converged");
    expect(result.value).toBeLessThan(1e-20);
    expect(result.evaluations).toBeLessThan(100);
  });
});

test("coloured differences are those of single columns, bit for bit", async () => {
  const { residuals, jacobian, start } = broyden(40);
  for (const maxIterations of [1, 2]) {
    const pattern = jacobian(Float64Array.from(start));
    const coloured = await leastSquares({ residuals, jacobianPattern: pattern }, start, { maxIterations: 1 });
    const single = await leastSquares({ residuals }, coloured.x, { maxIterations });
    const again = await leastSquares({ residuals, jacobianPattern: pattern }, coloured.x, { maxIterations });
    if (maxIterations > 1) continue;
    const first = await leastSquares({ residuals }, start, { maxIterations: 1, maxEvaluations: 41 });
    const firstColoured = await leastSquares({ residuals, jacobianPattern: pattern }, start, { maxEvaluations: 4 });
    expect(firstColoured.jacobian && toRows(firstColoured.jacobian as SparseMatrix).flat()).toEqual(
      Array.from((first.jacobian as { data: Float64Array }).data),
    );
    expect(again.evaluations).toBeLessThan(single.evaluations / 4);
  }
});
