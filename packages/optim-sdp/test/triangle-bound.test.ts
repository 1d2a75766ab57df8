/** The bound with triangle cuts, and proofs, of groups whose least cost is found among all partitions. */
import { RandomGenerator, zeros } from "@curvature/linalg";
import { type ClusterPointsOptions, clusterPoints } from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";
import { BranchAndBound } from "../src/labels/branch-and-bound.js";
import { polished } from "../src/labels/k-means.js";
import { TriangleBound } from "../src/labels/triangle-bound.js";
import { atOnce } from "../src/steps.js";
import { randomPoints } from "./helpers/small.js";

describe("triangle bound", () => {
  test.each([1, 2, 3, 4])("is below every partition of weighted rows, in any unit (seed %d)", (seed) => {
    const random = new RandomGenerator(seed);
    for (let problem = 0; problem < 20; problem++) {
      const n = 2 + Math.floor(5 * random.uniform());
      const K = 1 + Math.floor(n * random.uniform());
      const unit = [1, 2 ** -300, 2 ** 300][problem % 3];
      const X = zeros(n, 2);
      for (let k = 0; k < 2 * n; k++) X.data[k] = unit * Math.floor(1000 * random.uniform());
      const weights = Float64Array.from({ length: n }, () => 1 + Math.floor(4 * random.uniform()));
      const least = leastCost(X.data, weights, K);
      const bound = new TriangleBound(X, K, new Int32Array(n), { weights });
      for (let step = 0; step < 400 && !bound.settled; step++) bound.step();
      expect(bound.lower).toBeLessThanOrEqual(least);
      const proof = new BranchAndBound(
        { X, weights },
        K,
        atOnce(polished({ X, weights }, new Int32Array(n), K)),
      );
      for (let step = 0; step < 1e4 && !proof.settled; step++) proof.step();
      expect(proof.isProved).toBe(true);
      expect(cost(X.data, weights, K, proof.labels)).toBeLessThanOrEqual(least * (1 + 1e-8));
    }
  });

  test("is closed for K = 1, n and equal rows", () => {
    const X = { rows: 3, columns: 1, data: Float64Array.of(0, 1, 5) };
    const one = new TriangleBound(X, 1, new Int32Array(3));
    expect(one.settled).toBe(true);
    expect(one.lower).toBeCloseTo(14, 10);
    expect(new TriangleBound(X, 3, Int32Array.of(0, 1, 2))).toMatchObject({ settled: true, lower: 0 });
    expect(new TriangleBound(zeros(5, 2), 2, new Int32Array(5))).toMatchObject({ settled: true, lower: 0 });
  });
});

describe("exact", () => {
  /** K = 4 of 24 points on a ring: 6 each, in 6 ways that cost the same. */
  const ring = Array.from({ length: 24 }, (_, i) => [
    Math.cos((Math.PI * i) / 12),
    Math.sin((Math.PI * i) / 12),
  ]);

  test("proves the labels best where there are several", async () => {
    const result = await clusterPoints(ring, { clusters: 4, exact: true });
    expect(result.status).toBe("converged");
    expect(result.message).toMatch(/proved best/);
    expect(result.costGap).toBeLessThan(1e-7);
    // an arc of m points has its mean at sin(πm/24)/(m sin(π/24)) from the middle
    const mean = Math.sin(Math.PI / 4) / (6 * Math.sin(Math.PI / 24));
    expect(result.cost).toBeCloseTo(24 * (1 - mean * mean), 10);
  });

  test("says how far it came where it is cut", async () => {
    const result = await clusterPoints(ring, { clusters: 4, exact: true, maxIterations: 40 });
    expect(result.status).toBe("max-iterations");
    expect(result.message).toMatch(
      /No clustering into 4 groups costs less than|how much less another one costs/,
    );
  });

  test("ends the same from a checkpoint", async () => {
    const whole = await clusterPoints(ring, { clusters: 4, tolerance: 1e-6 });
    let saved: Uint8Array | undefined;
    await clusterPoints(ring, {
      clusters: 4,
      tolerance: 1e-6,
      maxIterations: whole.iterations - 5,
      checkpoint: {
        write: (bytes: Uint8Array) => {
          saved = bytes;
        },
      },
    });
    const resumed = await clusterPoints(ring, { clusters: 4, tolerance: 1e-6, resume: saved });
    expect([resumed.costLower, resumed.iterations, [...resumed.labels]]).toEqual([
      whole.costLower,
      whole.iterations,
      [...whole.labels],
    ]);
  });

  test("is refused for many points", async () => {
    const many = Array.from({ length: 1001 }, (_, i) => [i, i % 7]);
    await expect(clusterPoints(many, { clusters: 2, exact: true })).rejects.toMatchObject({
      code: "ERR_OPTION",
      path: "exact",
    });
  });
});

/** Over all partitions into at most K groups. */
function leastCost(data: Float64Array, weights: Float64Array, K: number): number {
  const labels = new Int32Array(weights.length);
  let least = Number.POSITIVE_INFINITY;
  const visit = (i: number, used: number): void => {
    if (i === labels.length) {
      least = Math.min(least, cost(data, weights, K, labels));
      return;
    }
    for (let c = 0; c <= Math.min(used, K - 1); c++) {
      labels[i] = c;
      visit(i + 1, Math.max(used, c + 1));
    }
  };
  visit(0, 0);
  return least;
}

function cost(data: Float64Array, weights: Float64Array, K: number, labels: Int32Array): number {
  let sum = 0;
  for (let c = 0; c < K; c++) {
    const rows = [...labels.keys()].filter((i) => labels[i] === c);
    const mass = rows.reduce((total, i) => total + weights[i], 0);
    for (let j = 0; j < 2; j++) {
      const mean = rows.reduce((total, i) => total + weights[i] * data[2 * i + j], 0) / mass;
      for (const i of rows) sum += weights[i] * (data[2 * i + j] - mean) ** 2;
    }
  }
  return sum;
}

describe("without being asked", () => {
  async function phasesOf(n: number, options: ClusterPointsOptions) {
    const points = randomPoints(n, 3, 6); // one cloud, in which clusters touch
    const phases = new Set<string | undefined>();
    const { status, message } = await clusterPoints(points, {
      clusters: 4,
      ...options,
      onIteration: ({ phase }) => void phases.add(phase),
    });
    return { hasProof: phases.has("proof"), status, message };
  }

  test("triangle inequalities that would take long are not begun, and the message names what begins them", async () => {
    const { hasProof, status, message } = await phasesOf(240, {});
    expect({ hasProof, status }).toEqual({ hasProof: false, status: "stalled" });
    expect(message).toMatch(
      /Triangle inequalities may close it: .*maxSeconds.* or a .*tolerance.* below 0\.001, goes on/,
    );
  });

  test("a time limit, a small tolerance or a small set begins them", async () => {
    expect((await phasesOf(240, { tolerance: 9e-4, maxIterations: 900 })).hasProof).toBe(true);
    expect((await phasesOf(40, {})).hasProof).toBe(true);
  });
});
