import type { DenseMatrix } from "@curvature/linalg";
import { type OutOfSampleModel, outOfSampleObjective } from "@curvature/objectives/embedding";
import { describe, expect, test } from "vitest";
import { type EmbedOptions, embed } from "../src/index.js";
import { ballAround, Placer } from "../src/place.js";
import { digits } from "./helpers/reference.js";
import { clusters, iterativeMethods, noise } from "./helpers/small.js";

const rowsOf = ({ columns, data }: DenseMatrix, from: number, to: number): DenseMatrix => ({
  rows: to - from,
  columns,
  data: data.slice(from * columns, to * columns),
});

/** E(x) of one new point among those of `map` with w⁻ constant, written down anew from its definition. */
function energy(
  map: DenseMatrix,
  [kernel, isNormalized, lambda]: readonly ["gaussian" | "student", boolean, number],
  p: Float64Array,
  x: Float64Array,
): number {
  const N = map.rows;
  let attraction = 0;
  let repulsion = 0;
  for (let m = 0; m < N; m++) {
    const t = (x[0] - map.data[2 * m]) ** 2 + (x[1] - map.data[2 * m + 1]) ** 2;
    attraction += p[m] * (kernel === "gaussian" ? t : Math.log(1 + t));
    const K = kernel === "gaussian" ? Math.exp(-t) : 1 / (1 + t);
    repulsion += isNormalized ? K : K / (N * (N - 1));
  }
  return isNormalized
    ? attraction + lambda * Math.log(repulsion)
    : (2 * attraction) / N + 2 * lambda * repulsion;
}

describe("a new point's place", () => {
  const N = 25;
  const map = { rows: N, columns: 2, data: noise(2 * N, 1) };
  const raw = noise(N, 1, 11).map(Math.abs);
  const total = raw.reduce((sum, x) => sum + x, 0);
  const p = raw.map((x) => x / total);
  const placed = (model: OutOfSampleModel, lambda: number): Float64Array => {
    const objective = outOfSampleObjective(model, map, { rows: 1, columns: N, data: p }, { lambda });
    const x = objective.start();
    new Placer(objective, ballAround(map)).place(0, x, map.data.subarray(0, 2));
    return x;
  };

  test.each([
    ["ssne", ["gaussian", true, 1]],
    ["tsne", ["student", true, 1]],
    ["ee", ["gaussian", false, 20]],
    ["tee", ["student", false, 20]],
    ["tsne", ["student", true, 0]],
  ] as const)("is a minimum of its energy: %s, %j", (model, form) => {
    const x = placed(model, form[2]);
    const E = energy(map, form, p, x);
    const h = 1e-3;
    for (const [dx, dy] of [
      [h, 0],
      [0, h],
      [-h, 0],
      [0, -h],
    ])
      expect(energy(map, form, p, Float64Array.of(x[0] + dx, x[1] + dy))).toBeGreaterThan(E);
  });

  test("without repulsion and with A = t is the weighted mean", () => {
    const x = placed("ssne", 0);
    for (let i = 0; i < 2; i++) {
      let mean = 0;
      for (let m = 0; m < N; m++) mean += p[m] * map.data[2 * m + i];
      expect(x[i]).toBeCloseTo(mean, 12);
    }
  });

  test("stays within twice the map's radius where the repulsion wins", () => {
    for (const model of ["ee", "tee"] as const) {
      const x = placed(model, 1e6);
      const centre = [0, 1].map((i) => map.data.reduce((sum, v, k) => (k % 2 === i ? sum + v / N : sum), 0));
      let radius = 0;
      for (let m = 0; m < N; m++)
        radius = Math.max(radius, Math.hypot(map.data[2 * m] - centre[0], map.data[2 * m + 1] - centre[1]));
      const distance = Math.hypot(x[0] - centre[0], x[1] - centre[1]);
      expect(distance).toBeLessThanOrEqual(2 * radius * (1 + 1e-12));
      expect(distance).toBeGreaterThan(radius);
    }
  });
});

describe.each(iterativeMethods)("transform of %s", (method) => {
  test("puts training points near their places, and leaves the map alone", { tags: ["full"] }, async () => {
    const points = clusters(60);
    for (const options of [{ method }, { method, pca: 3, neighbors: 20, perplexity: 6 }] as const) {
      const { embedding, transform } = await embed(points, options);
      const before = embedding.data.slice();
      const { embedding: placed } = await transform(points);
      expect(embedding.data).toEqual(before);
      let radius = 0;
      let off = 0;
      for (let k = 0; k < before.length; k++) {
        radius += before[k] * before[k];
        off += (placed.data[k] - before[k]) * (placed.data[k] - before[k]);
      }
      expect(Math.sqrt(off / radius)).toBeLessThan(0.25);
    }
  });

  test("does not depend on the company", async () => {
    const { transform } = await embed(clusters(40), { method });
    const fresh = clusters(6, 5, 9);
    const { embedding: together } = await transform(fresh);
    for (let n = 0; n < 6; n++)
      expect((await transform(rowsOf(fresh, n, n + 1))).embedding.data).toEqual(
        together.data.slice(2 * n, 2 * n + 2),
      );
  });
});

test("new digits find nearly half of their ten nearest known ones beside them in the map", {
  tags: ["full"],
}, async () => {
  const all = digits();
  const known = rowsOf(all, 0, 500);
  const fresh = rowsOf(all, 500, 560);
  const { embedding, transform } = await embed(known);
  const { embedding: placed } = await transform(fresh);
  let kept = 0;
  for (let i = 0; i < 60; i++) {
    const near = nearest(known, fresh.data.subarray(64 * i, 64 * i + 64), 10);
    const nearInMap = new Set(nearest(embedding, placed.data.subarray(2 * i, 2 * i + 2), 10));
    kept += near.filter((n) => nearInMap.has(n)).length / 600;
  }
  expect(kept).toBeGreaterThan(0.45);
});

function nearest({ rows, columns, data }: DenseMatrix, x: Float64Array, k: number): readonly number[] {
  const distances = Array.from({ length: rows }, (_, n) =>
    x.reduce((sum, v, j) => sum + (v - data[n * columns + j]) ** 2, 0),
  );
  return distances
    .map((distance, n) => [distance, n] as const)
    .sort((a, b) => a[0] - b[0])
    .slice(0, k)
    .map(([, n]) => n);
}

test("a map that is scaled afterwards, for a picture, does not move the places", async () => {
  const { embedding, transform } = await embed(clusters(20));
  const before = await transform(clusters(3, 5, 4));
  embedding.data.fill(0);
  expect(await transform(clusters(3, 5, 4))).toEqual(before);
});

test("no new points have no places", async () => {
  for (const method of [...iterativeMethods, "laplacian"] as const)
    for (const options of [{ method }, { method, pca: 2 }]) {
      const { transform } = await embed(clusters(12), options);
      for (const none of [{ rows: 0, columns: 5, data: new Float64Array(0) }, []])
        expect((await transform(none)).embedding).toEqual({ rows: 0, columns: 2, data: new Float64Array(0) });
    }
});

test("bad new points are refused by their name, whatever the map was made by", async () => {
  for (const options of [{}, { pca: 2 }, { neighbors: "all" }, { method: "ee" }] as readonly EmbedOptions[]) {
    const { transform } = await embed(clusters(20), options);
    const refused = (newPoints: unknown) =>
      expect(Reflect.apply(transform, undefined, [newPoints]), JSON.stringify(options)).rejects;
    await refused([[1, 2]]).toThrow("newPoints has 2 columns, the known points have 5");
    await refused([[1, 2, Number.NaN, 4, 5]]).toThrow("newPoints has NaN at row 0, column 2");
    await refused([[1, 2, 3, 4, Infinity]]).toThrow("newPoints has Infinity at row 0, column 4");
    expect([...(await transform([[1, 2, 3, 4, 1e200]])).outside]).toEqual([1]);
    await refused([[1, 2, 3, 4, 5], [1]]).toThrow("newPoints is ragged");
    await refused(null).toThrow("newPoints must be an array of rows");
  }
});

test("Laplacian eigenmaps place new points at the weighted mean of their neighbours", async () => {
  const { embedding, transform } = await embed(clusters(30), { method: "laplacian" });
  const { embedding: placed } = await transform(clusters(5, 5, 4));
  const largest = Math.max(...embedding.data.map(Math.abs));
  for (const x of placed.data) expect(Math.abs(x)).toBeLessThanOrEqual(largest);
});

test("a row as large as may be lies outside, where a row that is merely far in its direction lies", async () => {
  const points = clusters(40);
  for (const options of [{ perplexity: 5 }, { perplexity: 5, neighbors: "all" }] satisfies EmbedOptions[]) {
    const map = await embed(points, { ...options, maxEvaluations: 30 });
    const far = (size: number): number[] =>
      Array.from({ length: points.columns }, (_, c) => (c === 0 ? size : 0));
    const rows = [
      far(1e8),
      far(1e200),
      far(-1e308),
      far(1.7e308),
      Array.from(points.data.subarray(0, points.columns)),
    ];
    const { embedding, outside, distances, quantiles, warnings } = await map.transform(rows);
    expect([...outside]).toEqual([1, 1, 1, 1, 0]);
    for (const values of [embedding.data, distances, quantiles])
      expect(values.every(Number.isFinite)).toBe(true);
    expect(distances[1] / 1e200).toBeCloseTo(1, 9);
    expect(distances[2] / 1e308).toBeCloseTo(1, 9);
    expect(warnings.map(({ code }) => code)).toContain("outside");
    const alone = await map.transform([rows[4]]);
    expect(alone.embedding.data).toEqual(embedding.data.subarray(-2));
  }
});
