/** Every objective and sum of linear models: gradients and Hessian products against values, storages against each other. */
import { RandomGenerator } from "@curvature/linalg";
import * as linear from "@curvature/objectives/linear";
import { asObjective, checkGradient, checkHessianVector, type Objective } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { type ProblemOptions, randomProblem, storages } from "./problems.js";

const { linearLoss, linearLossNames, linearObjective, linearSum, parameterCount, primalCost } = linear;

const settings: readonly ProblemOptions[] = linearLossNames.flatMap((name) =>
  (["none", "regularized", "free"] as const).map((bias, k) => ({
    loss: linearLoss(name, { width: 0.7 }),
    bias,
    weighted: k !== 0,
  })),
);

const pointOf = (length: number, seed = 3): Float64Array => {
  const random = new RandomGenerator(seed);
  return Float64Array.from({ length }, () => 1.2 * random.uniform() - 0.6);
};

/** What makes objectives and sums of a linear problem. */
const factories: Readonly<Record<string, (problem: linear.LinearProblem) => Objective>> = {
  linearObjective,
  linearSum: (problem) => asObjective(linearSum(problem)),
};

test("every exported function that makes an objective or a sum is on the list", () => {
  const made = Object.keys(linear).filter((name) => /^linear(?!Loss)/.test(name));
  expect(new Set(made)).toEqual(new Set(Object.keys(factories)));
});

describe.each(Object.entries(factories))("%s", (_, make) => {
  test.each(settings)("gradient, $loss.name, bias $bias", (setting) => {
    const objective = make(randomProblem(setting));
    const report = checkGradient(objective, pointOf(objective.dimension));
    expect(report.isCorrect, report.message).toBe(true);
  });

  test.each(settings)("value, $loss.name, bias $bias", (setting) => {
    const problem = randomProblem(setting);
    const w = pointOf(parameterCount(problem));
    const value = primalCost(problem, w);
    expect(Math.abs(make(problem).evaluate(w) - value)).toBeLessThanOrEqual(1e-14 * value);
    expect(Math.abs(byHand(problem, w) - value)).toBeLessThanOrEqual(1e-14 * value);
  });
});

test.each(settings)("Hessian products, $loss.name, bias $bias", (setting) => {
  const objective = linearObjective(randomProblem(setting));
  const report = checkHessianVector(objective, pointOf(objective.dimension));
  expect(report.isCorrect, report.message).toBe(true);
});

test.each(settings)("one by one the parts of the sum are the whole, $loss.name, bias $bias", (setting) => {
  const problem = randomProblem(setting);
  const { evaluate, count, dimension } = linearSum(problem);
  const whole = linearObjective(problem);
  const oneByOne = asObjective({ evaluate, count, dimension });
  const [w, g, h] = [pointOf(dimension), new Float64Array(dimension), new Float64Array(dimension)];
  const value = whole.evaluate(w, g);
  expect(Math.abs(oneByOne.evaluate(w, h) - value)).toBeLessThanOrEqual(1e-13 * value);
  h.forEach((entry, j) => {
    expect(Math.abs(entry - g[j])).toBeLessThanOrEqual(1e-14);
  });
});

test.each(storages)("%s gives the values and gradients of the others", (storage) => {
  const problem = randomProblem({ storage, bias: "free", weighted: true });
  const reference = linearObjective(randomProblem({ bias: "free", weighted: true }));
  const objective = linearObjective(problem);
  const [g, h] = [new Float64Array(objective.dimension), new Float64Array(objective.dimension)];
  const w = pointOf(objective.dimension);
  expect(Math.abs(objective.evaluate(w, g) - reference.evaluate(w, h))).toBeLessThan(1e-14);
  g.forEach((entry, j) => {
    expect(Math.abs(entry - h[j])).toBeLessThan(1e-14);
  });
});

test("fingerprints tell data, loss, width, λ and bias apart", () => {
  const problem = randomProblem();
  const targets = problem.targets.slice();
  targets[2] = -targets[2];
  const others: readonly linear.LinearProblem[] = [
    problem,
    { ...problem, targets },
    { ...problem, lambda: 0.04 },
    { ...problem, bias: "free" },
    { ...problem, loss: linearLoss("smoothed-hinge") },
    { ...problem, loss: linearLoss("smoothed-hinge", { width: 2 }) },
    { ...problem, importances: new Float64Array(targets.length).fill(1) },
    randomProblem({ storage: "dense64" }),
  ];
  const prints = others.map((other) => linearObjective(other).fingerprint);
  expect(new Set(prints).size).toBe(others.length);
  expect(linearObjective(randomProblem()).fingerprint).toBe(prints[0]);
  expect(linearSum(problem).fingerprint).toBe(prints[0]);
});

/** The definition, entry by entry. */
function byHand(
  { rows, targets, loss, lambda, bias, importances }: linear.LinearProblem,
  w: Float64Array,
): number {
  const entry = (i: number, j: number): number => {
    if ("data" in rows) return rows.data[i * rows.columns + j];
    for (let k = rows.rowPointers[i]; k < rows.rowPointers[i + 1]; k++)
      if (rows.columnIndices[k] === j) return rows.values[k];
    return 0;
  };
  const d = rows.columns;
  let squares = bias === "regularized" ? w[d] ** 2 : 0;
  for (let j = 0; j < d; j++) squares += w[j] ** 2;
  let sum = 0;
  for (let i = 0; i < rows.rows; i++) {
    let s = bias === "none" ? 0 : w[d];
    for (let j = 0; j < d; j++) s += w[j] * entry(i, j);
    sum += (importances?.[i] ?? 1) * loss.value(s, targets[i]);
  }
  return (lambda / 2) * squares + sum / rows.rows;
}
