/**
 * Every objective on the list: gradients of the parts and of the whole against values, Hessians against gradients.
 *
 * Where f has kinks, the steps that cross one say nothing: with kinks, the points are random, so that none lies at a kink,
 * and central differences and the Taylor remainder use steps of at most 1e-4, small beside the distance to the next.
 */
import { dot, norm2, RandomGenerator } from "@curvature/linalg";
import { checkGradient, checkHessianVector, type Objective } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { models } from "./models.js";

const COUNT = 4;

function pointNear(initial: Float64Array, seed = 5): Float64Array {
  const random = new RandomGenerator(seed);
  return initial.map((entry) => entry + 0.6 * random.uniform() - 0.3);
}

const along = (x: Float64Array, h: number, v: Float64Array): Float64Array => x.map((xi, i) => xi + h * v[i]);

function checkNearKinks(objective: Objective, x: Float64Array): void {
  const random = new RandomGenerator(9);
  const g = new Float64Array(x.length).fill(Number.NaN);
  const f = objective.evaluate(x, g);
  expect(objective.evaluate(x)).toBe(f);
  const unit = new Float64Array(x.length);
  const h = 1e-6;
  g.forEach((entry, i) => {
    unit.fill(0);
    unit[i] = 1;
    const difference =
      (objective.evaluate(along(x, h, unit)) - objective.evaluate(along(x, -h, unit))) / (2 * h);
    expect(Math.abs(difference - entry)).toBeLessThanOrEqual(1e-8 * (1 + norm2(g)));
  });
  const v = x.map(() => 2 * random.uniform() - 1);
  const remainder = (step: number) => objective.evaluate(along(x, step, v)) - f - step * dot(g, v);
  const order = Math.log2(remainder(1e-4) / remainder(5e-5));
  expect(Math.abs(order - 2)).toBeLessThanOrEqual(0.1);
}

describe.each(models)("$label", (model) => {
  const sum = model.make(model.data, COUNT);
  const x = pointNear(sum.initial);
  const part = (index: number): Objective => ({
    dimension: sum.dimension,
    evaluate: (point, gradient) => sum.evaluate(index, point, gradient),
  });

  test.each([
    ["the first part", part(0)],
    ["the last part", part(COUNT - 1)],
    ["the whole", sum.whole],
  ])("gradient of %s", { tags: ["full"] }, (_, objective) => {
    if (model.hasKinks) {
      checkNearKinks(objective, x);
      return;
    }
    const report = checkGradient(objective, x);
    expect(report.isCorrect, report.message).toBe(true);
  });

  if (sum.whole.hessianVector !== undefined)
    test("Hessian times vector", () => {
      const report = checkHessianVector(sum.whole, x);
      expect(report.isCorrect, report.message).toBe(true);
    });
});
