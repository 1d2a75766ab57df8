/** Scores of rows left out beside those of models that are fitted without them. */
import { normal, RandomGenerator } from "@curvature/linalg";
import { type LinearLoss, type LinearProblem, linearLoss } from "@curvature/objectives/linear";
import { describe, expect, test } from "vitest";
import { chooseLambda } from "../../src/path/choose-lambda.js";
import { leaveOneOut } from "../../src/path/leave-one-out.js";
import { solve } from "../solvers/newton/newton-problems.js";

/** Two measured columns, and 40 categories of which most have a few rows; noise with far values, or labels of which some are wrong. */
function fewRowsEach(loss: LinearLoss, lambda: number, seed: number): LinearProblem {
  const random = new RandomGenerator(seed);
  const [n, categories] = [160, 40];
  const d = 2 + categories;
  const data = new Float64Array(n * d);
  const targets = new Float64Array(n);
  const ofCategory = Float64Array.from({ length: categories }, () => 3 * normal(random));
  for (let i = 0; i < n; i++) {
    const category = Math.floor(categories * random.uniform() ** 3);
    data[i * d] = normal(random);
    data[i * d + 1] = normal(random);
    data[i * d + 2 + category] = 6;
    const isFar = random.uniform() < 0.2;
    const score = 2 * data[i * d] - data[i * d + 1] + ofCategory[category];
    const noise = normal(random) * (isFar ? 10 : 0.3);
    targets[i] = loss.task === "regression" ? score + noise : score + noise > 0 ? 1 : -1;
  }
  return { rows: { rows: n, columns: d, data }, targets, loss, lambda, bias: "free" };
}

/** Normal columns, so many that most rows lie at the margin, or are fitted but for far values. */
function separable(n: number, d: number, name: "squared-hinge" | "smoothed-hinge" | "huber"): LinearProblem {
  const random = new RandomGenerator(3);
  const data = Float64Array.from({ length: n * d }, () => normal(random));
  const targets = Float64Array.from({ length: n }, (_, i) => {
    const score = 2 * data[i * d] + 0.7 * normal(random);
    if (name !== "huber") return score > 0.2 ? 1 : -1;
    return score + (random.uniform() < 0.2 ? 20 * normal(random) : 0);
  });
  return { rows: { rows: n, columns: d, data }, targets, loss: linearLoss(name), lambda: 1, bias: "free" };
}

/** The score of a row in the optimum of the others. */
function exactScore(problem: LinearProblem, i: number): number {
  const { rows } = problem;
  const importances = new Float64Array(rows.rows).fill(1);
  importances[i] = 0;
  const { x } = solve({ ...problem, importances }, { tolerance: 1e-9 });
  let score = x[rows.columns];
  for (let j = 0; j < rows.columns; j++)
    score += x[j] * ("data" in rows ? rows.data[i * rows.columns + j] : 0);
  return score;
}

describe("approximate leave-one-out", () => {
  for (const [name, width] of [
    ["squared-error", undefined],
    ["huber", 0.5],
    ["logistic", undefined],
    ["smoothed-hinge", 0.5],
    ["modified-huber", undefined],
    ["squared-hinge", undefined],
  ] as const)
    for (const lambda of [1e-1, 1e-2, 1e-3])
      test(`${name}, λ = ${lambda}: has the loss of the models without each row`, () => {
        const loss = linearLoss(name, width === undefined ? {} : { width });
        let [found, exact] = [0, 0];
        for (const seed of [1, 2]) {
          const problem = fewRowsEach(loss, lambda, seed);
          const { x } = solve(problem, { tolerance: 1e-9 });
          const n = problem.rows.rows;
          const left = leaveOneOut(problem, x, new Float64Array(n).fill(1 / n));
          for (let i = 0; i < n; i += 2) {
            found += left?.losses[i] ?? Number.NaN;
            exact += loss.value(exactScore(problem, i), problem.targets[i]);
          }
        }
        expect(found / exact).toBeGreaterThan(0.9);
        expect(found / exact).toBeLessThan(1.1);
      });

  for (const name of ["squared-hinge", "smoothed-hinge", "huber"] as const)
    for (const [n, d] of [
      [40, 100],
      [40, 30],
      [60, 30],
    ] as const)
      test(`${name}, ${n} rows of ${d} columns: has the loss of the models without each row`, () => {
        for (const lambda of [1e-1, 1e-2]) {
          const problem = { ...separable(n, d, name), lambda };
          const { x } = solve(problem, { tolerance: 1e-9 });
          const left = leaveOneOut(problem, x, new Float64Array(n).fill(1 / n));
          const found = left?.losses.reduce((sum, loss) => sum + loss, 0) ?? Number.NaN;
          let exact = 0;
          for (let i = 0; i < n; i++) exact += problem.loss.value(exactScore(problem, i), problem.targets[i]);
          expect(found / exact).toBeGreaterThan(0.95);
          expect(found / exact).toBeLessThan(1.05);
        }
      });
});

test("λ of numbers goes on below the grid where columns nearly repeat one another, as spectra do", async () => {
  const random = new RandomGenerator(7);
  const [n, d] = [100, 12];
  const targets = Float64Array.from({ length: n }, () => normal(random));
  const data = new Float64Array(n * d);
  for (let i = 0; i < n; i++) {
    const level = normal(random);
    for (let j = 0; j < d; j++)
      data[i * d + j] = level + 1e-3 * (targets[i] * Math.sin(j) + 0.1 * normal(random));
  }
  const rows = { rows: n, columns: d, data };
  const task = { rows, targets, loss: linearLoss("squared-error"), lambda: 1, bias: "free" } as const;
  const { lambda, leftOut, tried } = await chooseLambda(task);
  expect(lambda).toBeLessThan(1e-6);
  expect(leftOut?.error).toBeLessThan(0.02);
  const onGrid = tried.find((each) => Math.abs(each.lambda - 1e-5) < 1e-12);
  expect(onGrid?.error).toBeGreaterThan(0.1);
});
