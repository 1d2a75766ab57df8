/** More points than a block of pairs holds, in the plane and as the same plane in space, which other loops serve. */
import { RandomGenerator } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { along, distance, gradientOf, norm } from "./algebra.js";
import { models, randomData, randomMap } from "./models.js";

const points = 515;
const random = new RandomGenerator(41);
const data = randomData(random, points);
const plane = randomMap(random, 2, points);
const lifted = (X: Float64Array): Float64Array =>
  Float64Array.from({ length: 3 * points }, (_, k) => (k % 3 === 2 ? 0 : X[2 * Math.floor(k / 3) + (k % 3)]));

describe.each(models)("$label", { tags: ["full"] }, (model) => {
  const inPlane = model.make(data, { dimensions: 2, lambda: 3 });
  const inSpace = model.make(data, { dimensions: 3, lambda: 3 });

  test("value and gradient", () => {
    const G = gradientOf(inPlane, plane);
    const E = inPlane.evaluate(plane);
    expect(Math.abs(inSpace.evaluate(lifted(plane)) - E)).toBeLessThanOrEqual(1e-12 * Math.abs(E));
    expect(distance(gradientOf(inSpace, lifted(plane)), lifted(G))).toBeLessThanOrEqual(1e-11 * norm(G));
  });

  if (model.finiteSupport) return; // some of so many pairs always lie at the edge

  test("Hessian times vector, and its diagonal", () => {
    const X = randomMap(random, 3, points);
    const v = X.map(() => 2 * random.uniform() - 1);
    const h = 1e-5;
    const minus = gradientOf(inSpace, along(X, -h, v));
    const differences = gradientOf(inSpace, along(X, h, v)).map((g, i) => (g - minus[i]) / (2 * h));
    const Hv = new Float64Array(X.length);
    inSpace.hessianVector(X, v, Hv);
    expect(distance(differences, Hv)).toBeLessThanOrEqual(1e-6 * norm(Hv));
    const diagonal = new Float64Array(X.length);
    inSpace.diagonalHessian(X, diagonal);
    for (const place of [0, 700, X.length - 1]) {
      const unit = X.map((_, i) => (i === place ? 1 : 0));
      inSpace.hessianVector(X, unit, Hv);
      expect(Math.abs(diagonal[place] - Hv[place])).toBeLessThanOrEqual(1e-10 * norm(Hv));
    }
  });
});
