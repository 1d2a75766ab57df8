/** Softmax problems for tests, and the least that one must know to check a solver of them: P with its gradient, row by row. */
import { readFileSync } from "node:fs";
import { type DenseMatrix, normal, RandomGenerator } from "@curvature/linalg";
import { type Bias, linearLoss } from "@curvature/objectives/linear";
import { maxIterations, type Objective, runSync } from "@curvature/optim-core";
import type { MulticlassProblem } from "../../src/multiclass/problem.js";
import { SoftmaxNewton, type SoftmaxNewtonOptions } from "../../src/multiclass/softmax/softmax-newton.js";

export const logistic = linearLoss("logistic");

export interface DenseProblem extends MulticlassProblem {
  readonly rows: DenseMatrix;
}

interface Shape {
  readonly n?: number;
  readonly d?: number;
  readonly classes?: number;
  readonly lambda?: number;
  readonly bias?: Bias;
  readonly seed?: number;
  /** Of the scores by which the classes are drawn; 0: the rows can be separated. */
  readonly noise?: number;
}

export function problemOf({
  n = 60,
  d = 3,
  classes = 3,
  lambda = 1e-2,
  bias = "free",
  seed = 1,
  noise = 1,
}: Shape = {}): DenseProblem {
  const random = new RandomGenerator(seed);
  const data = Float64Array.from({ length: n * d }, () => normal(random));
  const W = Float64Array.from({ length: classes * d }, () => 2 * normal(random));
  const labels = Int32Array.from({ length: n }, (_, i) => {
    const scores = Array.from({ length: classes }, (_, k) => {
      let score = noise * normal(random);
      for (let j = 0; j < d; j++) score += W[k * d + j] * data[i * d + j];
      return score;
    });
    return scores.indexOf(Math.max(...scores));
  });
  return { rows: { rows: n, columns: d, data }, labels, classes, loss: logistic, lambda, bias };
}

/** 333 x 5, three species, columns of mean 0 and variance 1. */
export function penguins(lambda: number): DenseProblem {
  const text = readFileSync(new URL("../fixtures/linear/penguins.csv", import.meta.url), "utf8");
  const cells = text
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));
  const names = [...new Set(cells.map((row) => row[5]))].sort();
  const columns = Array.from({ length: 5 }, (_, j) => standardised(cells.map((row) => Number(row[j]))));
  return {
    rows: {
      rows: cells.length,
      columns: 5,
      data: Float64Array.from(cells.flatMap((_, i) => columns.map((column) => column[i]))),
    },
    labels: Int32Array.from(cells, (row) => names.indexOf(row[5])),
    classes: 3,
    loss: logistic,
    lambda,
    bias: "free",
  };
}

function standardised(values: readonly number[]): readonly number[] {
  const mean = values.reduce((a, b) => a + b) / values.length;
  const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length;
  return values.map((v) => (v - mean) / Math.sqrt(variance));
}

/** P of K x d or K x (d + 1) parameters, from its definition. */
export function objectiveOf({
  rows,
  labels,
  classes,
  lambda,
  bias,
  importances,
}: DenseProblem): Objective & { readonly dimension: number } {
  const { rows: n, columns: d, data } = rows;
  const stride = d + Number(bias !== "none");
  return {
    dimension: classes * stride,
    evaluate(x, gradient) {
      let P = 0;
      for (let j = 0; j < x.length; j++) {
        const isPenalised = bias !== "free" || j % stride !== d;
        if (isPenalised) P += (lambda / 2) * x[j] * x[j];
        if (gradient !== undefined) gradient[j] = isPenalised ? lambda * x[j] : 0;
      }
      for (let i = 0; i < n; i++) {
        const c = (importances?.[i] ?? 1) / n;
        if (c === 0) continue;
        const row = [...data.subarray(i * d, (i + 1) * d), ...(bias === "none" ? [] : [1])];
        const scores = Array.from({ length: classes }, (_, k) =>
          row.reduce((sum, v, j) => sum + v * x[k * stride + j], 0),
        );
        P += c * lossOf(scores, labels[i]);
        for (let k = 0; k < classes && gradient !== undefined; k++) {
          const u = Math.exp(-lossOf(scores, k)) - Number(k === labels[i]);
          for (let j = 0; j < stride; j++) gradient[k * stride + j] += c * u * row[j];
        }
      }
      return P;
    },
  };
}

export function lossOf(scores: readonly number[], y: number): number {
  const top = Math.max(...scores);
  return Math.log(scores.reduce((sum, s) => sum + Math.exp(s - top), 0)) + top - scores[y];
}

export function solve(problem: MulticlassProblem, options: SoftmaxNewtonOptions = {}) {
  const solver = new SoftmaxNewton(problem, options);
  const result = runSync(solver, { stop: maxIterations(1000), history: true });
  return { ...result, solver, gap: result.history.at(-1)?.details.gap ?? Number.NaN };
}

/** Each row as often as its whole-number weight says. */
export function repeated(problem: DenseProblem, weights: readonly number[]): DenseProblem {
  const picks = weights.flatMap((weight, i) => Array.from({ length: weight }, () => i));
  const { columns, data } = problem.rows;
  return {
    ...problem,
    importances: undefined,
    rows: {
      rows: picks.length,
      columns,
      data: Float64Array.from(picks.flatMap((i) => [...data.subarray(i * columns, (i + 1) * columns)])),
    },
    labels: Int32Array.from(picks, (i) => problem.labels[i]),
  };
}

/** The same problem by importances: of mean 1, as the rows' number is what the losses are divided by. */
export function weighted(problem: DenseProblem, weights: readonly number[]): DenseProblem {
  const total = weights.reduce((a, b) => a + b, 0);
  return { ...problem, importances: Float64Array.from(weights, (w) => (w * weights.length) / total) };
}
