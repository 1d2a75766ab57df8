/** Options of `clusterPoints` together: exact proofs beside far rows, noise beside a chosen K, bounds over K. */
import { RandomGenerator } from "@curvature/linalg";
import { clusterPoints } from "@curvature/optim-sdp";
import { expect, test } from "vitest";

const random = new RandomGenerator(31);
const normal = (): number => Array.from({ length: 12 }, () => random.uniform()).reduce((a, b) => a + b) - 6;
/** Three clusters of 14 rows that nearly touch. */
const rows = Array.from({ length: 42 }, (_, i) => [3 * (i % 3) + normal(), 2 * ((i % 3) % 2) + normal()]);

test.each([1e3, 1e6, 1e12])("a row at %d does not take the digits of a proof of the others", async (far) => {
  const alone = await clusterPoints(rows, { clusters: 3, exact: true });
  expect(alone.status).toBe("converged");
  const { status, cost, costGap, labels, warnings } = await clusterPoints([...rows, [far, 0]], {
    clusters: 4,
    exact: true,
    maxIterations: 2000,
  });
  expect(cost / alone.cost).toBeCloseTo(1, 9);
  expect(Array.from(labels.slice(0, 42))).toEqual(Array.from(alone.labels));
  expect(costGap).toBeLessThan(1e-3);
  expect(status).toBe(costGap <= 1e-7 ? "converged" : "stalled");
  expect(warnings.map(({ code }) => code)).toContain("far-rows");
});

test("labels that cost nothing are the best ones, exact or not", async () => {
  for (const exact of [true, false])
    expect(await clusterPoints(rows.slice(0, 3), { clusters: 3, exact })).toMatchObject({
      status: "converged",
      cost: 0,
      message: "No clustering into 3 groups costs less than this one, 0.",
    });
});

test("a chosen K has the noise of that K given, and bounds do not grow with K", async () => {
  const points = [...rows, [60, 3], [4, 90]];
  const chosen = await clusterPoints(points, {
    clusters: "auto",
    maxClusters: 6,
    noiseLabel: true,
    tolerance: 1,
  });
  const given = await clusterPoints(points, {
    clusters: chosen.choice?.clusters ?? 0,
    noiseLabel: true,
    tolerance: 1,
  });
  expect(Array.from(chosen.labels)).toEqual(Array.from(given.labels));
  expect(chosen.labels.slice(42)).toEqual(Int32Array.of(-1, -1));
  const plain = await clusterPoints(rows, { clusters: "auto", maxClusters: 6, tolerance: 0.01 });
  const bounds = plain.choice?.table.map(({ costLower }) => costLower) ?? [];
  // that of the chosen K is of a longer run
  for (let k = 1; k < bounds.length; k++)
    if (k !== (plain.choice?.clusters ?? 0) - 1) expect(bounds[k]).toBeLessThanOrEqual(bounds[k - 1]);
});

test("rows that no fence flags are warned of beside noiseLabel, too", async () => {
  const points = [...rows.slice(0, 8), [1e6, 0]];
  const { labels, warnings } = await clusterPoints(points, { clusters: 2, noiseLabel: true });
  const isFlagged = labels[8] === -1;
  const isNamed = warnings.some(({ code }) => code === "far-rows" || code === "single-row-clusters");
  expect(isFlagged || isNamed).toBe(true);
});
