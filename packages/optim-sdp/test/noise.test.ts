/** Noise labels and scores: exact small cases, draws of clusters with noise, and what a label of −1 must not break. */
import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import { blockMeans, clusterPoints } from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";
import { farRows, fenceOf, noiseOf, outlierScores } from "../src/labels/noise.js";
import { atOnce } from "../src/steps.js";
import { costOf, exactCost, exactOptimum, exactPoints, isAtMost } from "./helpers/cost.js";
import { agreement, drawnMixture, smallMixture } from "./helpers/mixtures.js";

const quick = { maxIterations: 1, certify: false } as const;

describe("scores", () => {
  test("are distances beyond the third quartile, by the quartiles' own distance", async () => {
    const { labels, outlierScore, kept, message, cost } = await clusterPoints(
      [[0], [1], [2], [3], [4], [100]],
      { clusters: 1, noiseLabel: true },
    );
    expect([...labels]).toEqual([0, 0, 0, 0, 0, -1]);
    // the mean of the rows kept is 2, their distances 2 1 0 1 2, the quartiles 1 and 2
    for (const [i, score] of [0, -1, -2, -1, 0, 96].entries()) expect(outlierScore[i]).toBeCloseTo(score, 12);
    expect([...kept]).toEqual([0, 1, 2, 3, 4]);
    expect(cost).toBeCloseTo(10, 12);
    expect(message).toContain("1 of 6 rows is noise, label -1: cost and bounds are those of the other 5.");
  });

  test("of a row alone are by the nearest cluster of four and more; without a scale they are 0", () => {
    const X: DenseMatrix = { rows: 7, columns: 1, data: Float64Array.of(0, 1, 2, 3, 20, 50, 50) };
    const { scores, scaleRows } = outlierScores(X, Int32Array.of(0, 0, 0, 0, 1, 2, 2), 3);
    // distances 1.5 0.5 0.5 1.5 from 1.5; quartiles 0.5 and 1.5
    expect([...scores]).toEqual([0, -1, -1, 0, 17, 47, 47]);
    expect([...scaleRows]).toEqual([4, 4, 4, 4, 4, 4, 4]);
    const same: DenseMatrix = { rows: 5, columns: 1, data: new Float64Array(5).fill(3) };
    expect([...outlierScores(same, new Int32Array(5), 1).scores]).toEqual([0, 0, 0, 0, 0]);
  });

  test("where most rows are copies of one point the quartiles are those of the others", () => {
    const values = [...new Array<number>(12).fill(0), 1, -1, 2, -2, 3, -3, 500];
    const { isNoise } = atOnce(noiseOf({ rows: 19, columns: 1, data: Float64Array.from(values) }, 1, 0));
    expect([...isNoise]).toEqual([...new Array<number>(18).fill(0), 1]);
  });
});

describe("draws of clusters with noise", () => {
  const kinds = [
    ["normal", "uniform"],
    ["laplace", "uniform"],
    ["laplace", "cauchy"],
  ] as const;
  test.each(kinds)(
    "%s clusters, %s noise: the clusters are found, and no more than 1 %% of their rows are flagged",
    (clusters, noise) => {
      for (const share of [0, 0.02, 0.1, 0.2]) {
        let found = 0;
        let flagged = 0;
        for (let seed = 0; seed < 18; seed++) {
          const { X, truth, K } = drawnMixture({ clusters, noise, share, seed: 4_100_000 + 37 * seed });
          const { clusterOf, isNoise } = atOnce(noiseOf(X, K, 0));
          const clean = [...truth.keys()].filter((i) => truth[i] >= 0);
          const labels = clean.map((i) => (isNoise[i] === 1 ? -1 : clusterOf[i]));
          found +=
            agreement(
              clean.map((i) => truth[i]),
              labels,
            ) / 18;
          flagged += labels.filter((label) => label < 0).length / clean.length / 18;
        }
        expect(found, `${share} of noise`).toBeGreaterThanOrEqual(0.97);
        expect(flagged, `${share} of noise`).toBeLessThanOrEqual(0.01);
      }
    },
  );

  test.each([10, 16, 24, 36, 60])(
    "tables of %i rows: no more than 1 %% of the clean ones are flagged, and clusters without noise are found",
    { tags: ["full"] },
    (rows) => {
      for (const share of [0, 0.1, 0.2]) {
        for (const clusters of ["normal", "laplace"] as const) {
          for (const noise of ["uniform", "cauchy", "planar"] as const) {
            let [draws, flagged, found] = [0, 0, 0];
            for (const K of [1, 2, 3, 4]) {
              if (rows < 5 * K) continue;
              for (const d of [1, 2, 3, 5])
                for (let seed = 0; seed < 6; seed++) {
                  const draw = { clusters, noise, share, rows, K, d, seed: 7_300_000 + 101 * seed + rows };
                  const { X, truth } = smallMixture(draw);
                  const { clusterOf, isNoise } = atOnce(noiseOf(X, K, 0));
                  const clean = [...truth.keys()].filter((i) => truth[i] >= 0);
                  flagged += clean.filter((i) => isNoise[i] === 1).length / clean.length;
                  const own = clean.map((i) => (isNoise[i] === 1 ? -1 : clusterOf[i]));
                  // of one cluster the index is 0 or 1
                  const classes = clean.map((i) => truth[i]);
                  found += K === 1 ? 1 : agreement(classes, own);
                  draws++;
                }
            }
            const cell = `${clusters} ${noise} ${share}`;
            expect(flagged / draws, cell).toBeLessThanOrEqual(0.01);
            if (share === 0) expect(found / draws, cell).toBeGreaterThanOrEqual(0.97);
          }
        }
      }
    },
  );

  test("a wide cluster beside dense ones is not flagged as a whole", () => {
    let most = 0;
    for (let seed = 0; seed < 60; seed++) {
      const random = new RandomGenerator(8_800_000 + seed);
      const d = 2 + (seed % 4);
      const sizes = [90, 70, 27];
      const truth = sizes.flatMap((size, c) => new Array<number>(size).fill(c));
      const rows = truth.map((c) =>
        Array.from({ length: d }, (_, j) => {
          let x = -6;
          for (let term = 0; term < 12; term++) x += random.uniform(); // about normal
          return (c === 2 ? 1.5 : 0.6) * x + (j === 0 ? [0, 7, -9][c] : 0);
        }),
      );
      const X = { rows: rows.length, columns: d, data: Float64Array.from(rows.flat()) };
      const { isNoise } = atOnce(noiseOf(X, 3, 0));
      most = Math.max(most, truth.filter((c, i) => c === 2 && isNoise[i] === 1).length);
    }
    expect(most).toBeLessThanOrEqual(2);
  });

  test("clean rows raise no alarm, and a far one does", async () => {
    for (const clusters of ["normal", "laplace"] as const) {
      for (let seed = 0; seed < 20; seed++) {
        const { X, truth, K } = drawnMixture({
          clusters,
          noise: "uniform",
          share: 0,
          seed: 5_200_000 + 41 * seed,
        });
        const labels = Int32Array.from(truth);
        expect(farRows(outlierScores(X, labels, K), labels, K), `${clusters} ${seed}`).toEqual({
          alone: [],
          within: [],
        });
      }
    }
    const { X, K } = drawnMixture({ clusters: "normal", noise: "uniform", share: 0, seed: 77 });
    const far = { ...X, data: X.data.slice() };
    for (let j = 0; j < X.columns; j++) far.data[5 * X.columns + j] = 1e6;
    const found = await clusterPoints(far, { clusters: K + 1, ...quick });
    expect(found.warnings.map(({ code }) => code)).toContain("far-rows");
    expect(found.warnings.map(({ message }) => message).join()).toMatch(
      /Row 5 \(counted from 0\) is so far from the rest that it is a cluster of its own in every good clustering\./,
    );
  });
});

describe("what a label of -1 leaves whole", () => {
  const { X, truth, K } = drawnMixture({
    clusters: "normal",
    noise: "uniform",
    share: 0.1,
    seed: 99,
    rows: 60,
  });

  test("memberships, components, order, embedding and Q fit together", async () => {
    const result = await clusterPoints(X, { clusters: K, noiseLabel: true });
    const { labels, kept, order, memberships, components, embedding, Q, outlierScore, cost, costLower } =
      result;
    const n = X.rows;
    expect(kept.length).toBeLessThan(n);
    expect([...kept]).toEqual([...labels.keys()].filter((i) => labels[i] >= 0));
    for (let i = 0; i < n; i++) {
      const sum = memberships.data.subarray(i * K, (i + 1) * K).reduce((total, u) => total + u, 0);
      expect(sum).toBeCloseTo(labels[i] < 0 ? 0 : 1, 9);
      expect(components.labels[i] < 0).toBe(labels[i] < 0);
      if (labels[i] < 0) expect(outlierScore[i]).toBeGreaterThan(fenceOf(n));
    }
    expect([...order].sort((a, b) => a - b)).toEqual([...labels.keys()]);
    expect(order.slice(kept.length).every((i) => labels[i] < 0)).toBe(true);
    expect(embedding).toMatchObject({ rows: n, columns: 2 });
    expect(embedding.data.every(Number.isFinite)).toBe(true);
    expect(Q?.rows).toBe(kept.length);
    if (Q === undefined) throw new Error("no Q");
    expect(
      blockMeans(
        Q,
        Int32Array.from(kept, (_, at) => at),
        5,
      ).rows,
    ).toBe(5);
    const d = X.columns;
    const part = {
      rows: kept.length,
      columns: d,
      data: Float64Array.from([...kept].flatMap((i) => [...X.data.subarray(i * d, (i + 1) * d)])),
    };
    expect(cost).toBeCloseTo(
      costOf(
        part,
        Int32Array.from(kept, (i) => labels[i]),
      ),
      9,
    );
    expect(costLower).toBeLessThanOrEqual(cost);
    const clean = [...truth.keys()].filter((i) => truth[i] >= 0 && labels[i] >= 0);
    expect(
      agreement(
        clean.map((i) => truth[i]),
        clean.map((i) => labels[i]),
      ),
    ).toBeGreaterThan(0.95);
  });

  test("the certificate is that of the rows kept, against every partition of them", async () => {
    for (let seed = 0; seed < 12; seed++) {
      const random = new RandomGenerator(31_000 + seed);
      const points = Array.from({ length: 7 }, (_, i) => [i === 6 ? 1e4 : random.uniform() + 5 * (i % 2)]);
      const clusters = 1 + (seed % 2);
      const { labels, kept, cost, costLower } = await clusterPoints(points, { clusters, noiseLabel: true });
      const { rows, exponent } = exactPoints([...kept].map((i) => points[i]));
      const own = exactCost(
        rows,
        [...kept].map((i) => labels[i]),
      );
      expect(isAtMost(costLower, exactOptimum(rows, clusters), exponent, kept.length)).toBe(true);
      expect(isAtMost(cost * (1 - 1e-12), own, exponent, kept.length)).toBe(true);
    }
  });

  test("the order of the rows and their unit change nothing", async () => {
    const d = X.columns;
    const one = await clusterPoints(X, { clusters: K, noiseLabel: true, ...quick });
    const back = {
      ...X,
      data: Float64Array.from(
        [...X.data.keys()],
        (at) => 8 * X.data[(X.rows - 1 - Math.floor(at / d)) * d + (at % d)],
      ),
    };
    const other = await clusterPoints(back, { clusters: K, noiseLabel: true, ...quick });
    expect([...other.labels].reverse().map((c) => c < 0)).toEqual([...one.labels].map((c) => c < 0));
    expect(other.cost).toBeCloseTo(64 * one.cost, 6);
  });
});

describe("few, equal and wrong rows", () => {
  test("one to three rows have no noise", async () => {
    for (const rows of [[[1, 2]], [[0], [9]], [[0], [1], [1e6]]])
      for (let clusters = 1; clusters <= rows.length; clusters++) {
        const { labels, outlierScore } = await clusterPoints(rows, { clusters, noiseLabel: true });
        expect(labels.every((c) => c >= 0)).toBe(true);
        expect(outlierScore.every((score) => score === 0)).toBe(true);
      }
  });

  test("equal rows are one cluster without noise, and more clusters than different rows are said to be impossible", async () => {
    const same = await clusterPoints(new Array<number[]>(9).fill([4, 4]), { clusters: 2, noiseLabel: true });
    expect([...same.labels]).toEqual(new Array<number>(9).fill(0));
    const few = [...new Array<number[]>(6).fill([0]), ...new Array<number[]>(6).fill([1]), [1e5]];
    const { labels, warnings } = await clusterPoints(few, { clusters: 5, noiseLabel: true });
    expect(labels).toHaveLength(13);
    expect(warnings.map(({ code }) => code)).toContain("fewer-different-points");
  });

  test("NaN, no rows, and a K beyond the rows are refused", async () => {
    const noiseLabel = true;
    await expect(clusterPoints([[0], [Number.NaN]], { clusters: 1, noiseLabel })).rejects.toMatchObject({
      code: "ERR_NON_FINITE",
    });
    await expect(clusterPoints([], { clusters: 1, noiseLabel })).rejects.toMatchObject({ code: "ERR_SHAPE" });
    await expect(clusterPoints([[0], [1]], { clusters: 3, noiseLabel })).rejects.toMatchObject({
      code: "ERR_OPTION",
      path: "clusters",
    });
  });
});
