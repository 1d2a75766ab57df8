/** Starts of many points, whose means come from a sample: right where clusters are plain, and no single move lowers the cost. */
import { type DenseMatrix, normal, RandomGenerator, zeros } from "@curvature/linalg";
import { expect, test } from "vitest";
import { labelAgreement } from "../src/labels/agreement.js";
import { costOf, greedyStart, polished } from "../src/labels/k-means.js";
import * as helpers from "./helpers/cost.js";

/** Round clusters; the first has a twentieth of the points of the others. */
function drawn(n: number, d: number, K: number, apart: number, seed: number) {
  const random = new RandomGenerator(seed);
  const centres = Float64Array.from({ length: K * d }, () => apart * normal(random));
  const X: DenseMatrix = zeros(n, d);
  const truth = Int32Array.from({ length: n }, (_, i) => (i % 20 === 0 ? 0 : 1 + (i % (K - 1))));
  for (let at = 0; at < X.data.length; at++)
    X.data[at] = centres[truth[Math.floor(at / d)] * d + (at % d)] + normal(random);
  return { X, truth };
}

const ones = (n: number): Float64Array => new Float64Array(n).fill(1);

test.each([1, 2, 3])("plain clusters of 6,000 points are found by one of five starts (seed %i)", (seed) => {
  const { X, truth } = drawn(6000, 5, 8, 12, seed);
  const points = { X, weights: ones(6000) };
  const costs = Array.from({ length: 5 }, (_, s) => {
    const labels = polished(points, greedyStart(points, 8, new RandomGenerator(s)), 8);
    return { labels, cost: costOf(points, labels, 8) };
  });
  const best = costs.reduce((a, b) => (b.cost < a.cost ? b : a));
  expect(labelAgreement(best.labels, truth).adjustedRandIndex).toBe(1);
  expect(best.cost).toBeCloseTo(helpers.costOf(X, best.labels), 6);
});

test("a weight is so many copies, and no move of one point lowers the cost", () => {
  const { X } = drawn(4100, 3, 6, 2, 9);
  const weights = Float64Array.from({ length: 4100 }, (_, i) => 1 + (i % 3));
  const labels = polished({ X, weights }, greedyStart({ X, weights }, 6, new RandomGenerator(4)), 6);
  const copies = weights.reduce((sum, w) => sum + w, 0);
  const all = zeros(copies, 3);
  const own = new Int32Array(copies);
  for (let i = 0, at = 0; i < 4100; i++)
    for (let c = 0; c < weights[i]; c++, at++) {
      all.data.set(X.data.subarray(3 * i, 3 * i + 3), 3 * at);
      own[at] = labels[i];
    }
  const cost = costOf({ X, weights }, labels, 6);
  expect(cost).toBeCloseTo(helpers.costOf(all, own), 6);
  const moved = labels.slice();
  for (let i = 0; i < 4100; i += 97)
    for (let c = 0; c < 6; c++) {
      moved[i] = c;
      expect(costOf({ X, weights }, moved, 6)).toBeGreaterThan(cost * (1 - 1e-11));
      moved[i] = labels[i];
    }
});
