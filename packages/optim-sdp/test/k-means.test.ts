/** Starts of many points, whose means come from a sample: right where clusters are plain, and no single move lowers the cost. */

import { type DenseMatrix, normal, RandomGenerator, zeros } from "@curvature/linalg";
import { clusterPoints } from "@curvature/optim-sdp";
import { expect, test } from "vitest";
import { labelAgreement } from "../src/labels/agreement.js";
import { greedyStart } from "../src/labels/greedy-start.js";
import { costOf, polished, type WeightedPoints } from "../src/labels/k-means.js";
import { LabelSearch } from "../src/labels/label-search.js";
import { atOnce } from "../src/steps.js";
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

const started = (points: WeightedPoints, k: number, seed: number): Int32Array =>
  atOnce(polished(points, atOnce(greedyStart(points, k, new RandomGenerator(seed))), k));

test.each([1, 2, 3])("plain clusters of 6,000 points are found by one of five starts (seed %i)", (seed) => {
  const { X, truth } = drawn(6000, 5, 8, 12, seed);
  const points = { X, weights: ones(6000) };
  const costs = Array.from({ length: 5 }, (_, s) => {
    const labels = started(points, 8, s);
    return { labels, cost: costOf(points, labels, 8) };
  });
  const best = costs.reduce((a, b) => (b.cost < a.cost ? b : a));
  expect(labelAgreement(best.labels, truth).adjustedRandIndex).toBe(1);
  expect(best.cost).toBeCloseTo(helpers.costOf(X, best.labels), 6);
});

test("a weight is so many copies, and no move of one point lowers the cost", () => {
  const { X } = drawn(4100, 3, 6, 2, 9);
  const weights = Float64Array.from({ length: 4100 }, (_, i) => 1 + (i % 3));
  const labels = started({ X, weights }, 6, 4);
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

test("an abort within the first of 20 starts ends the work there; shares of it rise", async () => {
  const { X } = drawn(20_000, 10, 50, 1, 3);
  const controller = new AbortController();
  const shares: number[] = [];
  const running = clusterPoints(X, {
    clusters: 50,
    signal: controller.signal,
    onPhase: (_, share) => {
      if (share === undefined) return;
      shares.push(share);
      if (shares.length === 3) controller.abort(new Error("enough"));
    },
  });
  await expect(running).rejects.toThrow("enough");
  expect(shares).toHaveLength(3);
  expect(shares[0]).toBeGreaterThan(0);
  expect(shares[1]).toBeGreaterThan(shares[0]);
  expect(shares[2]).toBeGreaterThan(shares[1]);
  expect(shares[2]).toBeLessThan(1 / 20);
});

test("labels are the same whatever the event loop does between the steps", () => {
  const { X } = drawn(900, 4, 5, 2, 8);
  const search = new LabelSearch(X, X, 5, 7);
  const shares = [...search.starts(true)];
  for (const [at, share] of shares.entries()) expect(share).toBeGreaterThanOrEqual(shares[at - 1] ?? 0);
  expect(shares.at(-1)).toBe(1);
  const before = costOf({ X, weights: ones(900) }, search.labels, 5);
  for (const share of search.moreStarts()) if (share > 0.1) break; // who has no time stops
  expect(costOf({ X, weights: ones(900) }, search.labels, 5)).toBeLessThanOrEqual(before);
});
