import { describe, expect, test } from "vitest";
import type { LeaveOneOut } from "../../src/multiclass/softmax/softmax-leave-one-out.js";
import {
  type DenseProblem,
  lossOf,
  penguins,
  problemOf,
  repeated,
  solve,
  weighted,
} from "./softmax-problems.js";

const mean = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((a, b) => a + b, 0) / values.length;

function leftOut(problem: DenseProblem, copies?: Float64Array): LeaveOneOut {
  const left = solve(problem, { tolerance: 0 }).solver.leaveOneOut(copies);
  if (left === undefined) throw new Error("no factor");
  return left;
}

/** The score of row i by the model of all other rows, trained for it. */
function refitted(problem: DenseProblem, i: number): readonly number[] {
  const importances = problem.importances?.slice() ?? new Float64Array(problem.labels.length).fill(1);
  importances[i] = 0;
  const { x } = solve({ ...problem, importances }, { tolerance: 1e-10 });
  const { columns, data } = problem.rows;
  const row = [...data.subarray(i * columns, (i + 1) * columns), ...(problem.bias === "none" ? [] : [1])];
  return Array.from({ length: problem.classes }, (_, k) =>
    row.reduce((sum, v, j) => sum + v * x[k * row.length + j], 0),
  );
}

function exactLosses(problem: DenseProblem): readonly number[] {
  return Array.from(problem.labels, (y, i) => lossOf(refitted(problem, i), y));
}

const sumOf = (count: number, term: (k: number) => number): number =>
  Array.from({ length: count }, (_, k) => term(k)).reduce((a, b) => a + b, 0);

/** A⁻¹ b by elimination with pivots. */
function solveLinear(A: readonly (readonly number[])[], b: readonly number[]): readonly number[] {
  const rows = A.map((row, i) => [...row, b[i]]);
  for (let j = 0; j < rows.length; j++) {
    const at = rows.findIndex(
      (row, i) => i >= j && Math.abs(row[j]) === Math.max(...rows.slice(j).map((r) => Math.abs(r[j]))),
    );
    [rows[j], rows[at]] = [rows[at], rows[j]];
    for (const row of rows) {
      if (row === rows[j]) continue;
      const share = row[j] / rows[j][j];
      for (let k = j; k < row.length; k++) row[k] -= share * rows[j][k];
    }
  }
  return rows.map((row, i) => row[rows.length] / row[i]);
}

describe("leave-one-out", () => {
  test("is near true refits, and nearer by far than the fit itself", () => {
    const cases = [
      penguins(3e-3),
      problemOf({ n: 80, d: 4, classes: 4 }),
      problemOf({ n: 50, d: 3, lambda: 0.1, bias: "none" }),
    ];
    for (const problem of cases) {
      const { losses, scores } = leftOut(problem);
      const exact = mean(exactLosses(problem));
      const { classes, labels } = problem;
      expect(Math.abs(mean(losses) / exact - 1)).toBeLessThan(0.03);
      for (let i = 0; i < labels.length; i++)
        expect(lossOf([...scores.subarray(i * classes, (i + 1) * classes)], labels[i])).toBeCloseTo(
          losses[i],
          12,
        );
    }
  });

  test("is one Newton step of the other rows, in all K classes", () => {
    // s₋ = s + (I − Q W)⁻¹ Q g,  Q = (I⊗x)ᵀ H⁻¹ (I⊗x), the free biases held by (1/K) 1 1ᵀ, which moves no difference of scores
    for (const bias of ["free", "regularized", "none"] as const) {
      const problem = problemOf({ n: 25, d: 2, classes: 4, bias, lambda: 1e-3 });
      const { x } = solve(problem, { tolerance: 0 });
      const K = 4;
      const D = x.length / K;
      const rows = Array.from({ length: 25 }, (_, i) => [
        ...problem.rows.data.subarray(2 * i, 2 * i + 2),
        ...(bias === "none" ? [] : [1]),
      ]);
      const scoresOf = (row: readonly number[]) =>
        Array.from({ length: K }, (_, k) => row.reduce((sum, v, j) => sum + v * x[k * D + j], 0));
      const curvatureOf = (scores: readonly number[]) => {
        const p = scores.map((_, k) => Math.exp(-lossOf(scores, k)));
        return p.map((a, j) => p.map((b, k) => ((j === k ? a : 0) - a * b) / 25));
      };
      const H = Array.from({ length: K * D }, (_, a) =>
        Array.from({ length: K * D }, (_, b) => {
          const [j, k] = [Math.floor(a / D), Math.floor(b / D)];
          const isBias = bias === "free" && a % D === 2;
          let sum = a === b && !isBias ? problem.lambda : 0;
          if (isBias && b % D === 2) sum += 1 / K;
          for (const row of rows) sum += curvatureOf(scoresOf(row))[j][k] * row[a % D] * row[b % D];
          return sum;
        }),
      );
      const { scores } = leftOut(problem);
      for (const [i, row] of rows.entries()) {
        const own = scoresOf(row);
        const along = Array.from({ length: K }, (_, k) =>
          solveLinear(
            H,
            Array.from({ length: K * D }, (_, a) => (Math.floor(a / D) === k ? row[a % D] : 0)),
          ),
        );
        const Q = along.map((column) =>
          Array.from({ length: K }, (_, k) => row.reduce((sum, v, j) => sum + v * column[k * D + j], 0)),
        );
        const W = curvatureOf(own);
        const g = own.map((_, k) => (Math.exp(-lossOf(own, k)) - Number(k === problem.labels[i])) / 25);
        const T = Q.map((q, j) => q.map((_, k) => Number(j === k) - sumOf(K, (l) => Q[j][l] * W[l][k])));
        const moved = solveLinear(
          T,
          Q.map((q) => sumOf(K, (l) => q[l] * g[l])),
        );
        const expected = own.map((s, k) => s + moved[k]);
        for (let k = 1; k < K; k++)
          expect(scores[i * K + k] - scores[i * K]).toBeCloseTo(expected[k] - expected[0], 8);
      }
    }
  });

  test("is the formula of the binary model for two classes", () => {
    // one column without a bias: H = λ + Σ hᵢ xᵢ², s₋ = s + q u/(n (1 − q h)) of the binary model with half of λ
    const problem = problemOf({ n: 30, d: 1, classes: 2, bias: "none", lambda: 0.02 });
    const { x } = solve(problem, { tolerance: 0 });
    const { data } = problem.rows;
    const w = x[1] - x[0];
    const slope = (s: number, y: number) => 1 / (1 + Math.exp(-s)) - y;
    const h = Float64Array.from(data, (v) => (slope(w * v, 0) * (1 - slope(w * v, 0))) / 30);
    const H = data.reduce((sum, v, i) => sum + h[i] * v * v, 0.01);
    const { scores } = leftOut(problem);
    for (let i = 0; i < 30; i++) {
      const q = (data[i] * data[i]) / H;
      const s = w * data[i] + (q * slope(w * data[i], problem.labels[i])) / 30 / (1 - q * h[i]);
      expect(scores[2 * i + 1] - scores[2 * i]).toBeCloseTo(s, 10);
    }
  });

  test("of copies leaves out one of them: weights are rows repeated", () => {
    const problem = problemOf({ n: 40, d: 3, classes: 4 });
    const weights = Array.from({ length: 40 }, (_, i) => i % 4);
    const total = weights.reduce((a, b) => a + b);
    // cᵢ = 40 wᵢ/Σw over 40 rows, of which a copy is 1/Σw
    const once = leftOut(weighted(problem, weights), new Float64Array(40).fill(1 / total));
    const copies = leftOut(repeated(problem, weights));
    const lossesOnce = weights.flatMap((weight, i) => Array.from({ length: weight }, () => once.losses[i]));
    for (const [i, loss] of copies.losses.entries()) expect(lossesOnce[i]).toBeCloseTo(loss, 9);
    expect(once.flipped).toBeCloseTo(copies.flipped, 9);
  });

  test("of importances leaves out whole rows", () => {
    const problem = problemOf({ n: 30, d: 2 });
    const importances = Float64Array.from({ length: 30 }, (_, i) => 0.5 + (i % 3));
    const { losses } = leftOut({ ...problem, importances });
    const exact = exactLosses({ ...problem, importances });
    expect(Math.abs(mean(losses) / mean(exact) - 1)).toBeLessThan(0.05);
  });

  test("gives what a wrong label would cost", () => {
    const problem = problemOf({ n: 30, d: 2 });
    const { scores, flipped } = leftOut(problem);
    const costs = Array.from(problem.labels, (y, i) => {
      const own = [...scores.subarray(3 * i, 3 * i + 3)];
      return mean([0, 1, 2].filter((k) => k !== y).map((k) => lossOf(own, k)));
    });
    expect(flipped).toBeCloseTo(mean(costs), 12);
  });

  test("of a row that does not count is the model's own score", () => {
    const problem = problemOf({ n: 30, d: 2 });
    const importances = new Float64Array(30).fill(1);
    importances[4] = 0;
    const { scores } = leftOut({ ...problem, importances });
    const own = refitted({ ...problem, importances }, 4);
    for (let k = 0; k < 3; k++) expect(scores[12 + k]).toBeCloseTo(own[k], 8);
  });

  test("has finite scores where single rows hold a direction", () => {
    const { scores, losses } = leftOut(problemOf({ n: 12, d: 20, lambda: 1e-6 }));
    expect(scores.every(Number.isFinite)).toBe(true);
    expect(losses.every(Number.isFinite)).toBe(true);
  });
});
