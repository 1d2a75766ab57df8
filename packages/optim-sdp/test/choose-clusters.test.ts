/** How many clusters: exact criteria, draws of round clusters, and words for what is no structure. */
import { type DenseMatrix, normal, RandomGenerator } from "@curvature/linalg";
import { clusterPoints } from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";
import { bicOf, effectiveDimension, silhouettesOf, spectralBounds } from "../src/labels/choose-clusters.js";
import { LabelSearch } from "../src/labels/label-search.js";
import { costOf } from "./helpers/cost.js";
import { roundClusters } from "./helpers/mixtures.js";
import { randomPoints } from "./helpers/small.js";

function searchedLabels(X: DenseMatrix, K: number): Int32Array {
  const search = new LabelSearch(X, X, K, 0);
  for (const _ of search.starts(true));
  return search.labels;
}

const line = { rows: 4, columns: 1, data: Float64Array.of(0, 1, 10, 11) };

test("the largest K to try is refused beside a number of clusters", async () => {
  await expect(clusterPoints(line, { clusters: 2, maxClusters: 5 })).rejects.toMatchObject({
    code: "ERR_OPTION",
    path: "maxClusters",
  });
  await expect(clusterPoints(line, { clusters: 2, maxClusters: 10 })).resolves.toMatchObject({ cost: 1 });
});

describe("the criteria", () => {
  test("BIC of four numbers in two groups, by hand", () => {
    // N ln(N/n) = 2 · 2 ln ½; s² = 1/(1 · 2); 1 + 2 + 1 parameters
    const likelihood = 4 * Math.log(0.5) - 2 * Math.log(2 * Math.PI * 0.5) - 1;
    expect(bicOf(Int32Array.of(0, 0, 1, 1), 2, 1, 1)).toBeCloseTo(-2 * likelihood + 4 * Math.log(4), 12);
    expect(bicOf(Int32Array.of(0, 0, 1, 1), 2, 0, 1)).toBe(Number.NEGATIVE_INFINITY);
  });

  test("the effective dimension is 1 on a line, and d where all directions are alike", () => {
    expect(
      effectiveDimension({ rows: 2, columns: 3, data: Float64Array.of(1, 2, 3, -1, -2, -3) }),
    ).toBeCloseTo(1, 12);
    const axes = {
      rows: 6,
      columns: 3,
      data: Float64Array.of(1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1),
    };
    for (const unit of [1, 1e-150, 1e150])
      expect(effectiveDimension({ ...axes, data: axes.data.map((x) => unit * x) })).toBeCloseTo(3, 12);
    expect(effectiveDimension({ rows: 2, columns: 2, data: new Float64Array(4) })).toBe(1);
  });

  test("the silhouette by hand", () => {
    const [two, one] = silhouettesOf(
      line,
      [
        { labels: Int32Array.of(0, 0, 1, 1), k: 2 },
        { labels: new Int32Array(4), k: 1 },
      ],
      0,
    );
    expect(two).toBeCloseTo((9.5 / 10.5 + 8.5 / 9.5) / 2, 12);
    expect(one).toBeUndefined();
  });

  test("the spectral bound is above Tr D - cost of any labels, for every K", () => {
    const X = randomPoints(40, 3, 8);
    for (let j = 0; j < 3; j++) {
      const mean = Array.from({ length: 40 }, (_, i) => X.data[3 * i + j]).reduce((a, b) => a + b) / 40;
      for (let i = 0; i < 40; i++) X.data[3 * i + j] -= mean;
    }
    const total = costOf(X, new Int32Array(40));
    for (const [at, upper] of spectralBounds(X, [1, 2, 3, 4, 8]).entries()) {
      const K = [1, 2, 3, 4, 8][at];
      const labels = searchedLabels(X, K);
      expect(upper).toBeGreaterThanOrEqual(total - costOf(X, labels) - 1e-9);
    }
  });
});

describe("the choice", () => {
  test("is right for 24 of 28 drawn sets at least: K from 1 to 8, middles 3.2 to 5 widths apart", () => {
    let right = 0;
    const wrong: string[] = [];
    for (let draw = 0; draw < 28; draw++) {
      const K = [1, 2, 3, 4, 5, 6, 8][draw % 7];
      const d = 2 + (draw % 4);
      const apart = 3.2 + (1.8 * draw) / 27;
      const X = roundClusters(K, d, apart, 8_800_000 + 53 * draw);
      const dimension = effectiveDimension(centred(X));
      const bics = Array.from({ length: 10 }, (_, at) => {
        const labels = searchedLabels(X, at + 1);
        return bicOf(labels, at + 1, costOf(X, labels), dimension);
      });
      const found = 1 + bics.indexOf(Math.min(...bics));
      if (found === K) right++;
      else wrong.push(`${K} (${d} dimensions, ${apart.toFixed(1)} apart): ${found}`);
    }
    expect(right, wrong.join("; ")).toBeGreaterThanOrEqual(24);
  });

  test("has a table of costs and bounds; the result is that of the K chosen", async () => {
    const points = roundClusters(3, 2, 8, 12_345);
    const { choice, labels, message, cost, costGap, bic, options } = await clusterPoints(points, {
      clusters: "auto",
      maxClusters: 5,
    });
    expect(choice?.clusters).toBe(3);
    expect(options.clusters).toBe(3);
    expect(new Set(labels).size).toBe(3);
    expect(choice?.table.map(({ clusters }) => clusters)).toEqual([1, 2, 3, 4, 5]);
    const best = choice?.table[2];
    expect(best).toMatchObject({ cost, costGap, isClosed: true });
    expect(best?.bic).toBeCloseTo(bic, 6);
    for (const row of choice?.table ?? []) {
      expect(row.costLower).toBeLessThanOrEqual(row.cost);
      expect(row.isClosed).toBe(row.costGap <= 1e-2);
      expect(row.bic).toBeGreaterThanOrEqual(best?.bic ?? Number.NaN);
    }
    expect(message).toContain("BIC is least for K = 3 of K = 1 to 5; a finding, not a fact.");
  });

  test("of one blob is K = 1, and says that there is no structure", async () => {
    const { choice, message, labels } = await clusterPoints(randomPoints(60, 3, 21), {
      clusters: "auto",
      maxClusters: 4,
    });
    expect(choice?.clusters).toBe(1);
    expect(message).toContain("no structure of clusters was found; a finding, not a fact");
    expect(labels.every((c) => c === 0)).toBe(true);
  });

  test("of copies is the number of different points; the largest K is said to be the largest", async () => {
    const copies = Array.from({ length: 30 }, (_, i) => [[0, 10, 30][i % 3]]);
    expect((await clusterPoints(copies, { clusters: "auto" })).choice).toMatchObject({
      clusters: 3,
      table: { 2: { cost: 0, bic: Number.NEGATIVE_INFINITY } },
    });
    const { warnings } = await clusterPoints(copies, { clusters: "auto", maxClusters: 2 });
    expect(warnings.map(({ code }) => code)).toContain("largest-clusters");
  });

  test("of one to three rows and of equal rows is 1; with noise it is that of the rows kept", async () => {
    for (const rows of [[[1]], [[1], [5]], [[1], [2], [30]], [[3], [3], [3], [3], [3]]])
      expect((await clusterPoints(rows, { clusters: "auto" })).choice?.clusters).toBe(1);
    const points = roundClusters(3, 2, 9, 777);
    points.data.set([900, -700, 800, 900], 0);
    const { choice, labels } = await clusterPoints(points, {
      clusters: "auto",
      maxClusters: 5,
      noiseLabel: true,
    });
    expect(choice?.clusters).toBe(3);
    expect([...labels.subarray(0, 2)]).toEqual([-1, -1]);
  });

  test("another word and no K at all are refused", async () => {
    for (const clusters of [undefined, 1.5, 0])
      await expect(clusterPoints([[1], [2]], { clusters })).rejects.toMatchObject({
        code: "ERR_OPTION",
        path: "clusters",
      });
    await expect(clusterPoints([[1], [Number.NaN]], { clusters: "auto" })).rejects.toMatchObject({
      code: "ERR_NON_FINITE",
    });
  });
});

function centred(X: { readonly rows: number; readonly columns: number; readonly data: Float64Array }) {
  const { rows, columns: d, data } = X;
  const means = Array.from({ length: d }, (_, j) => {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += data[i * d + j] / rows;
    return sum;
  });
  return { rows, columns: d, data: data.map((x, at) => x - means[at % d]) };
}

describe("BIC of runs with rows of noise and without", () => {
  /** Three round clusters, and so many rows anywhere in a box about them. */
  function drawn(seed: number, noise: number, unit = 1): number[][] {
    const random = new RandomGenerator(seed);
    const rows = Array.from({ length: 150 }, (_, i) => [
      9 * (i % 3) + normal(random),
      7 * ((i % 3) % 2) + normal(random),
      normal(random),
    ]);
    for (let r = 0; r < noise; r++)
      rows.push([60 * random.uniform() - 20, 60 * random.uniform() - 25, 60 * random.uniform() - 30]);
    return rows.map((row) => row.map((x) => unit * x));
  }

  async function bics(rows: readonly number[][], most: number): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (let clusters = 1; clusters <= most; clusters++)
      for (const noiseLabel of [false, true]) {
        const { bic } = await clusterPoints(rows, { clusters, noiseLabel, certify: false });
        found.set(`${clusters} ${noiseLabel ? "with" : "without"}`, bic);
      }
    return found;
  }

  const least = (found: Map<string, number>): string => [...found].reduce((a, b) => (b[1] < a[1] ? b : a))[0];

  test("is least for the right number, with noise where there is some, in 9 of 10 draws at least", {
    tags: ["full"],
  }, async () => {
    let right = 0;
    for (let seed = 0; seed < 10; seed++)
      if (least(await bics(drawn(40 + seed, 15), 5)) === "3 with") right++;
    expect(right).toBeGreaterThanOrEqual(9);
  });

  test("and without noise for the right number, whose BIC is the same where no row is flagged", {
    tags: ["full"],
  }, async () => {
    let right = 0;
    for (let seed = 0; seed < 6; seed++) {
      const found = await bics(drawn(70 + seed, 0), 4);
      if (least(found).startsWith("3")) right++;
      const { labels, bic } = await clusterPoints(drawn(70 + seed, 0), { clusters: 3, noiseLabel: true });
      if (labels.every((c) => c >= 0)) expect(bic).toBe(found.get("3 without"));
      else expect(bic).toBeGreaterThan((found.get("3 without") ?? 0) - 20);
    }
    expect(right).toBe(6);
  });

  test("a unit moves all of them by the same", async () => {
    const one = await bics(drawn(5, 12), 3);
    const other = await bics(drawn(5, 12, 1e5), 3);
    const moved = [...one].map(([name, bic]) => (other.get(name) ?? 0) - bic);
    for (const each of moved) expect(each).toBeCloseTo(moved[0], 6);
  });
});
