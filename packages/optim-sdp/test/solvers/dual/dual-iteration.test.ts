import { dot, gram as transposedProduct, zeros } from "@curvature/linalg";
import { eigenvalueDecomposition } from "@curvature/linalg/ml";
import { maxIterations, runSync } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { factoredDense, factoredValue } from "../../../src/bounds/factored-point.js";
import { upperBounds } from "../../../src/bounds/upper.js";
import type { NomadProblem } from "../../../src/problem.js";
import { BurerMonteiro } from "../../../src/solvers/burer-monteiro.js";
import { DualIteration, splitStep } from "../../../src/solvers/dual/dual-iteration.js";
import { SpectraplexProjection } from "../../../src/solvers/dual/spectraplex.js";
import { SymmetricSum } from "../../../src/solvers/dual/symmetric-sum.js";
import { simplexThreshold } from "../../../src/solvers/simplex-projection.js";
import { randomGram, randomPoints } from "../../helpers/small.js";
import { worstViolation } from "../../helpers/verify.js";

/** The dual iteration of a problem whose factorisation has ended. */
function begun(problem: NomadProblem): { dual: DualIteration; factorization: BurerMonteiro } {
  const factorization = new BurerMonteiro(problem, { tolerance: 1e-3 });
  runSync(factorization, { stop: maxIterations(20_000) });
  const dual = new DualIteration(problem, 0);
  dual.guess(factorization.lowerPoint, factorization.multipliers);
  return { dual, factorization };
}

function upperOf(problem: NomadProblem, dual: DualIteration): number {
  const { n } = problem.gram;
  const S = { rows: n, columns: n, data: Float64Array.from(dual.multiplier()) };
  for (let k = 0; k < S.data.length; k++) S.data[k] *= dual.unit;
  return upperBounds(problem, S).fantope;
}

describe("the dual iteration", () => {
  const problem = { gram: randomGram(140, 2, 1), clusters: 6 };

  test("the guess is far better than no S, and every stage brings the bound down to the factor's value", {
    tags: ["full"],
  }, () => {
    const { dual, factorization } = begun(problem);
    const nothing = upperBounds(problem, zeros(140, 140)).fantope;
    const { lower } = factorization;
    const guess = upperOf(problem, dual);
    expect(guess - lower).toBeLessThan(0.5 * (nothing - lower));
    for (let k = 0; k < 10; k++) dual.gradientStep();
    const gradient = upperOf(problem, dual);
    expect(gradient - lower).toBeLessThan(0.5 * (guess - lower));
    dual.beginSplitting();
    for (let k = 0; k < 60; k++) dual.splittingStep();
    const end = upperOf(problem, dual);
    expect(end - lower).toBeLessThan(0.5 * (gradient - lower));
    expect(end).toBeGreaterThanOrEqual(lower);
  });

  test("the estimate by Ritz values is near the bound, and the repaired point is feasible", {
    tags: ["full"],
  }, () => {
    const { dual } = begun(problem);
    dual.beginSplitting();
    for (let k = 0; k < 40; k++) dual.splittingStep();
    expect(dual.complete).toBe(false);
    const bound = upperOf(problem, dual);
    const estimate = dual.estimateUpper() ?? Number.NaN;
    expect(Math.abs(estimate / bound - 1)).toBeLessThan(1e-4);
    const point = dual.repairedPoint();
    const Q = factoredDense(point);
    expect(worstViolation(Q, 6)).toBeLessThan(1e-12);
    expect(factoredValue(problem.gram, point)).toBeCloseTo(dot(problem.gram.dense().data, Q.data), 9);
  });

  test("a tail changes the penalty and no multiplier, and reverts", { tags: ["full"] }, () => {
    const { dual } = begun(problem);
    dual.beginSplitting();
    for (let k = 0; k < 19; k++) dual.splittingStep();
    const before = dual.multiplier();
    const { rho } = dual;
    expect(dual.isTailReady).toBe(true);
    dual.beginTail();
    expect(dual.rho).toBeCloseTo(30 * rho, 9);
    expect(dual.isTailReady).toBe(false);
    dual.multiplier().forEach((s, k) => {
      expect(Math.abs(s - before[k])).toBeLessThan(1e-6 * (1 + before[k]));
    });
    for (let k = 0; k < 181; k++) dual.splittingStep(); // ten balances, at every twentieth step
    expect(dual.rho).toBeCloseTo(rho, 9);
    expect(dual.isTailReady).toBe(false);
    for (let k = 0; k < 200; k++) dual.splittingStep();
    expect(dual.isTailReady).toBe(true);
  });
});

test("the projection follows a slowly changing matrix as closely as a full decomposition", {
  tags: ["full"],
}, () => {
  const n = 160;
  const K = 5;
  const D = randomGram(n, 4, 2).dense();
  const W = new Float32Array(n * n).fill(1 / n);
  const projection = new SpectraplexProjection(n, K, 0);
  for (let step = 0; step < 12; step++) {
    const sum = new SymmetricSum(n, D.data, W, { gram: 0.02, absolute: 1, plain: 0 });
    projection.project(sum, true);
    const P = transposedProduct(projection.R);
    const full = zeros(n, n);
    sum.writeDense(full);
    const right = projectedDense(full.data, n, K);
    let difference = 0;
    for (let k = 0; k < P.data.length; k++) difference += (P.data[k] - right[k]) ** 2;
    expect(projection.complete).toBe(step === 0);
    expect(Math.sqrt(difference)).toBeLessThan(step === 0 ? 1e-10 : 0.05);
    expect(dot(projection.R.data, projection.R.data)).toBeCloseTo(K - 1, 10);
    splitStep(W, projection.R);
  }
});

test("a step on W is the formula's, and its residuals are the norms they are called by", () => {
  const n = 70;
  const R = randomPoints(4, n, 3);
  const W = new Float32Array(n * n);
  const random = randomPoints(n, n, 4).data;
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) W[i * n + j] = random[i * n + j] + random[j * n + i];
  const before = W.slice();
  const X = transposedProduct(R).data.map((x) => x + 1 / n);
  const { primal, dual, least } = splitStep(W, R);
  let [difference, size, change, negative] = [0, 0, 0, 0];
  for (let k = 0; k < W.length; k++) {
    const z = Math.max(0, before[k]);
    const next = Math.min(0, before[k]) + 1.8 * X[k] - 0.8 * z;
    expect(Math.abs(W[k] - next)).toBeLessThan(1e-6 * (1 + Math.abs(next)));
    difference += (X[k] - z) ** 2;
    size += z * z;
    change += (Math.max(0, next) - z) ** 2;
    negative += Math.min(0, next) ** 2;
  }
  expect(primal).toBeCloseTo(Math.sqrt(difference / size), 9);
  expect(dual).toBeCloseTo(Math.sqrt(change / negative), 9);
  expect(least).toBeCloseTo(Math.min(...X), 12);
});

/** The projection of J M J onto the spectraplex, by ml-matrix. */
function projectedDense(M: Float64Array, n: number, K: number): Float64Array {
  const means = Float64Array.from({ length: n }, (_, i) =>
    M.subarray(i * n, (i + 1) * n).reduce((sum, m) => sum + m / n, 0),
  );
  const grand = means.reduce((sum, mean) => sum + mean / n, 0);
  const shift = 1e3; // puts the vector of ones below all others
  const data = M.map((m, k) => m - means[Math.floor(k / n)] - means[k % n] + grand - shift / n);
  const { realEigenvalues, eigenvectorMatrix } = eigenvalueDecomposition({ rows: n, columns: n, data });
  const order = realEigenvalues.map((_, i) => i).sort((a, b) => realEigenvalues[b] - realEigenvalues[a]);
  const w = Float64Array.from(order, (i) => realEigenvalues[i]);
  const theta = simplexThreshold(w.subarray(0, n - 1), K - 1);
  const P = new Float64Array(n * n);
  for (let i = 0; i < n - 1 && w[i] > theta; i++)
    for (let a = 0; a < n; a++)
      for (let b = 0; b < n; b++)
        P[a * n + b] +=
          (w[i] - theta) * eigenvectorMatrix.get(a, order[i]) * eigenvectorMatrix.get(b, order[i]);
  return P;
}
