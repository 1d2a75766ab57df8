/** Every objective on the list: gradient, Hessian and their parts against differences. */
import { RandomGenerator } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { clearOfEdge, type ModelOnList, models, randomData, randomMap } from "./models.js";

const cases = [1, 2, 3, 5].flatMap((dimensions) => [0.3, 1, 7].map((lambda) => ({ dimensions, lambda })));

/** A model, a point where it is smooth, and a random direction. */
function setting(model: ModelOnList, dimensions: number, lambda: number) {
  const random = new RandomGenerator(1000 * dimensions + Math.round(10 * lambda));
  const objective = model.make(randomData(random), { dimensions, lambda });
  const X = model.finiteSupport ? clearOfEdge(random, dimensions, 1e-3) : randomMap(random, dimensions);
  const v = Float64Array.from(X, () => 2 * random.uniform() - 1);
  return { objective, X, v };
}

const norm = (a: ArrayLike<number>): number => Math.sqrt(dot(a, a));
function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
const along = (X: Float64Array, h: number, v: Float64Array): Float64Array => X.map((x, i) => x + h * v[i]);
const distance = (a: Float64Array, b: Float64Array): number => norm(a.map((x, i) => x - b[i]));

/** log₂ of the ratio of remainders r(h) / r(h/2), for h where truncation is far above rounding: 2 for order h². */
function slope(remainder: (h: number) => number, h: number): number {
  return Math.log2(remainder(h) / remainder(h / 2));
}

describe.each(models)("$label", (model) => {
  test.each(cases)("gradient, d = $dimensions, λ = $lambda", ({ dimensions, lambda }) => {
    const { objective, X, v } = setting(model, dimensions, lambda);
    const G = new Float64Array(X.length);
    const E = objective.evaluate(X, G);
    expect(objective.evaluate(X)).toBe(E);
    const differences = Float64Array.from(X, (_, i) => {
      const h = 1e-5;
      const unit = new Float64Array(X.length);
      unit[i] = h;
      return (objective.evaluate(along(X, 1, unit)) - objective.evaluate(along(X, -1, unit))) / (2 * h);
    });
    expect(distance(differences, G)).toBeLessThanOrEqual(1e-6 * norm(G));
    const remainder = (h: number) => Math.abs(objective.evaluate(along(X, h, v)) - E - h * dot(G, v));
    expect(Math.abs(slope(remainder, 2e-4) - 2)).toBeLessThanOrEqual(0.1);
  });

  test.each(cases)("Hessian times vector, d = $dimensions, λ = $lambda", ({ dimensions, lambda }) => {
    const { objective, X, v } = setting(model, dimensions, lambda);
    const gradientAt = (Y: Float64Array): Float64Array => {
      const G = new Float64Array(Y.length);
      objective.evaluate(Y, G);
      return G;
    };
    const Hv = new Float64Array(X.length);
    objective.hessianVector(X, v, Hv);
    const h = 1e-5;
    const plus = gradientAt(along(X, h, v));
    const minus = gradientAt(along(X, -h, v));
    const differences = plus.map((g, i) => (g - minus[i]) / (2 * h));
    expect(distance(differences, Hv)).toBeLessThanOrEqual(1e-6 * norm(Hv));
  });

  test.each(cases)("diagonal of the Hessian, d = $dimensions, λ = $lambda", ({ dimensions, lambda }) => {
    const { objective, X } = setting(model, dimensions, lambda);
    const diagonal = new Float64Array(X.length);
    objective.diagonalHessian(X, diagonal);
    const column = new Float64Array(X.length);
    const unit = new Float64Array(X.length);
    let largest = 0;
    for (let i = 0; i < X.length; i++) {
      unit.fill(0);
      unit[i] = 1;
      objective.hessianVector(X, unit, column);
      largest = Math.max(largest, norm(column));
      expect(Math.abs(diagonal[i] - column[i])).toBeLessThanOrEqual(1e-12 * largest);
    }
  });
});
