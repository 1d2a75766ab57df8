/** Every objective on the list: gradient, Hessian and their parts against differences. */
import { RandomGenerator } from "@curvature/linalg";
import type { Objective } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { along, distance, dot, gradientOf, norm } from "./algebra.js";
import { clearOfEdge, type ModelOnList, models, outOfSampleModels, randomData, randomMap } from "./models.js";

const cases = [1, 2, 3, 5].flatMap((dimensions) => [0.3, 1, 7].map((lambda) => ({ dimensions, lambda })));

const generatorFor = (dimensions: number, lambda: number): RandomGenerator =>
  new RandomGenerator(1000 * dimensions + Math.round(10 * lambda));

const randomDirection = (random: RandomGenerator, like: Float64Array): Float64Array =>
  Float64Array.from(like, () => 2 * random.uniform() - 1);

/** A model, a point where it is smooth, and a random direction. */
function setting(model: ModelOnList, dimensions: number, lambda: number) {
  const random = generatorFor(dimensions, lambda);
  const objective = model.make(randomData(random), { dimensions, lambda });
  const X = model.finiteSupport ? clearOfEdge(random, dimensions, 1e-3) : randomMap(random, dimensions);
  return { objective, X, v: randomDirection(random, X) };
}

/** The gradient by central differences, and the order of the Taylor remainder along v. */
function checkGradient(objective: Objective, X: Float64Array, v: Float64Array): void {
  const G = new Float64Array(X.length);
  const E = objective.evaluate(X, G);
  expect(objective.evaluate(X)).toBe(E);
  const unit = new Float64Array(X.length);
  const differences = Float64Array.from(X, (_, i) => {
    const h = 1e-5;
    unit.fill(0);
    unit[i] = h;
    return (objective.evaluate(along(X, 1, unit)) - objective.evaluate(along(X, -1, unit))) / (2 * h);
  });
  expect(distance(differences, G)).toBeLessThanOrEqual(1e-6 * norm(G));
  const remainder = (h: number) => Math.abs(objective.evaluate(along(X, h, v)) - E - h * dot(G, v));
  const order = Math.log2(remainder(2e-4) / remainder(1e-4));
  expect(Math.abs(order - 2)).toBeLessThanOrEqual(0.1);
}

describe.each(models)("$label", (model) => {
  test.each(cases)("gradient, d = $dimensions, λ = $lambda", { tags: ["full"] }, ({ dimensions, lambda }) => {
    const { objective, X, v } = setting(model, dimensions, lambda);
    checkGradient(objective, X, v);
  });

  test.each(cases)("Hessian times vector, d = $dimensions, λ = $lambda", ({ dimensions, lambda }) => {
    const { objective, X, v } = setting(model, dimensions, lambda);
    const Hv = new Float64Array(X.length);
    objective.hessianVector(X, v, Hv);
    const h = 1e-5;
    const minus = gradientOf(objective, along(X, -h, v));
    const differences = gradientOf(objective, along(X, h, v)).map((g, i) => (g - minus[i]) / (2 * h));
    expect(distance(differences, Hv)).toBeLessThanOrEqual(1e-6 * norm(Hv));
  });

  test.each(cases)(
    "diagonal of the Hessian, d = $dimensions, λ = $lambda",
    { tags: ["full"] },
    ({ dimensions, lambda }) => {
      const { objective, X } = setting(model, dimensions, lambda);
      const diagonal = new Float64Array(X.length);
      objective.diagonalHessian(X, diagonal);
      const column = new Float64Array(X.length);
      const unit = new Float64Array(X.length);
      for (let i = 0; i < X.length; i++) {
        unit.fill(0);
        unit[i] = 1;
        objective.hessianVector(X, unit, column);
        expect(Math.abs(diagonal[i] - column[i])).toBeLessThanOrEqual(1e-12 * norm(column));
      }
    },
  );
});

describe.each(outOfSampleModels)("$label", (model) => {
  test.each(cases)("gradient, d = $dimensions, λ = $lambda", ({ dimensions, lambda }) => {
    const random = generatorFor(dimensions, lambda);
    const map = randomMap(random, dimensions);
    const objective = model.make(randomData(random), map, { dimensions, lambda });
    const X = randomMap(random, dimensions, objective.points);
    checkGradient(objective, X, randomDirection(random, X));
  });
});
