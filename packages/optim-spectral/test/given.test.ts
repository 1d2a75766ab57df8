/** Maps of what is given in place of points, beside maps of points; and what is refused. */
import {
  type DenseMatrix,
  fillNormal,
  RandomGenerator,
  squaredDistances,
  toSparse,
  zeros,
} from "@curvature/linalg";
import {
  affinitiesOfDistances,
  affinitiesOfNeighbors,
  entropicAffinities,
  graphAffinities,
  nearestNeighbors,
  neighborGraph,
} from "@curvature/objectives/embedding";
import { describe, expect, test } from "vitest";
import { classicalScaling } from "../src/classical-scaling.js";
import { embed } from "../src/embed.js";
import { loadMap, saveMap } from "../src/map-model-file.js";
import { mapQuality } from "../src/metrics.js";

const N = 60;
const points = zeros(N, 4);
fillNormal(new RandomGenerator(8), points.data);
for (let n = 0; n < N; n++) points.data[4 * n] += 5 * (n % 3);
const squares = squaredDistances(points);
const distances: DenseMatrix = { ...squares, data: squares.data.map(Math.sqrt) };
const rows = Array.from({ length: N }, (_, i) => [...distances.data.subarray(N * i, N * i + N)]);
const condensed = rows.flatMap((row, i) => row.slice(i + 1));
const start = zeros(N, 2);
fillNormal(new RandomGenerator(1), start.data);
const options = { perplexity: 7, initialization: start, maxEvaluations: 30 };

const difference = (a: Float64Array, b: Float64Array): number =>
  Math.max(...a.map((x, k) => Math.abs(x - b[k])));

/** All others of each point, in the order of their numbers, itself included. */
const graph = {
  indices: rows.map((row) => [...row.keys()]),
  distances: rows,
};
const nearest = (count: (n: number) => number) => {
  const order = rows.map((row) => [...row.keys()].sort((a, b) => row[a] - row[b]));
  const indices = order.map((each, n) => each.slice(0, count(n) + 1)); // the first is the point itself
  return { indices, distances: indices.map((each, n) => each.map((m) => rows[n][m])) };
};

function drained<T>(steps: Generator<unknown, T, void>): T {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

describe("affinities", () => {
  test("of distances are those of the points to 1e-12, full or condensed, and the input stays", () => {
    const expected = entropicAffinities(points, { perplexity: 7, neighbors: "all" }).conditional;
    const before = distances.data.slice();
    const full = affinitiesOfDistances(distances, 7).conditional;
    const half = affinitiesOfDistances(condensed, 7).conditional;
    if (!("data" in expected && "data" in full && "data" in half)) throw new Error("expected dense ones");
    expect(difference(full.data, expected.data)).toBeLessThan(1e-12);
    expect(half.data).toEqual(full.data);
    expect(distances.data).toEqual(before);
  });

  test("of a graph are those of the search that made it, and short rows are uniform with a warning", () => {
    const expected = affinitiesOfNeighbors(nearestNeighbors(points, 20), 5).conditional;
    const own = drained(graphAffinities(neighborGraph(nearest(() => 20)), 5));
    if (!("values" in expected && "values" in own.conditional)) throw new Error("expected sparse ones");
    expect(own.conditional.columnIndices).toEqual(expected.columnIndices);
    expect(difference(own.conditional.values, expected.values)).toBeLessThan(1e-12);
    const ragged = drained(graphAffinities(neighborGraph(nearest((n) => (n === 4 ? 2 : 6 + (n % 9)))), 5));
    if (!("values" in ragged.conditional)) throw new Error("expected sparse ones");
    const { rowPointers, values } = ragged.conditional;
    expect([...values.subarray(rowPointers[4], rowPointers[5])]).toEqual([0.5, 0.5]);
    for (let n = 0; n < N; n++) {
      const row = values.subarray(rowPointers[n], rowPointers[n + 1]);
      const entropy = row.reduce((sum, p) => sum - p * Math.log(p), 0);
      if (n !== 4) expect(entropy).toBeCloseTo(Math.log(5), 9);
    }
    expect(ragged.warnings.join()).toContain("Point 4 has no more neighbours than the perplexity 5");
  });
});

describe("maps", () => {
  test("of distances, similarities and all neighbours are those of the points, from one start", async () => {
    const expected = await embed(points, options);
    const inner = rows.map((_, i) =>
      rows.map((__, j) =>
        points.data.subarray(4 * i, 4 * i + 4).reduce((sum, x, k) => sum + x * points.data[4 * j + k], 0),
      ),
    );
    for (const given of [{ distances: rows }, { distances: condensed }, { similarities: inner }]) {
      const { embedding, klDivergence } = await embed(given, options);
      expect(difference(embedding.data, expected.embedding.data)).toBeLessThan(1e-6);
      expect(klDivergence).toBeCloseTo(expected.klDivergence ?? Number.NaN, 10);
    }
    const { embedding } = await embed({ neighbors: graph }, { ...options, perplexity: 7 });
    const all = await embed(points, { ...options, neighbors: "all" });
    expect(difference(embedding.data, all.embedding.data)).toBeLessThan(1e-6);
  });

  test("of affinities are those that made them, in any unit, dense or sparse", async () => {
    const { conditional } = entropicAffinities(points, { perplexity: 7, neighbors: "all" });
    if (!("data" in conditional)) throw new Error("expected dense ones");
    const P = rows.map((row, i) =>
      row.map((_, j) => 3 * (conditional.data[N * i + j] + conditional.data[N * j + i])),
    );
    const expected = await embed(points, { ...options, neighbors: "all" });
    const { perplexity: _, ...steps } = options;
    for (const affinities of [P, toSparse(P)])
      expect(
        difference((await embed({ affinities }, steps)).embedding.data, expected.embedding.data),
      ).toBeLessThan(1e-6);
  });

  test("start from classical scaling, which is the principal components' but for signs", () => {
    const X = classicalScaling(squares, 4);
    const back = squaredDistances(X);
    expect(difference(back.data, squares.data)).toBeLessThan(1e-9);
  });

  test("have all methods, and repulsion by distance", async () => {
    for (const method of ["ee", "tee", "sne", "ssne", "laplacian"] as const) {
      const [a, b] = [
        await embed({ distances }, { ...options, method }),
        await embed(points, { ...options, method }),
      ];
      expect(difference(a.embedding.data, b.embedding.data)).toBeLessThan(1e-5);
    }
  });

  test("of any size of distances are the same", async () => {
    const expected = await embed({ distances }, options);
    for (const size of [1e-200, 1e200]) {
      const { embedding } = await embed(
        { distances: { ...distances, data: distances.data.map((d) => d * size) } },
        options,
      );
      expect(difference(embedding.data, expected.embedding.data)).toBeLessThan(1e-5);
    }
  });

  test("of metrics: a function is the metric of its name, and sparse rows are dense rows", async () => {
    const manhattan = (a: Float64Array, b: Float64Array) =>
      a.reduce((sum, x, k) => sum + Math.abs(x - b[k]), 0);
    const [named, own] = [
      await embed(points, { ...options, metric: "manhattan" }),
      await embed(points, { ...options, metric: manhattan }),
    ];
    expect(difference(own.embedding.data, named.embedding.data)).toBeLessThan(1e-6);
    const [dense, sparse] = [
      await embed(points, { ...options, metric: "cosine" }),
      await embed(toSparse(points), { ...options, metric: "cosine" }),
    ];
    expect(difference(sparse.embedding.data, dense.embedding.data)).toBeLessThan(1e-6);
    const { embedding } = await dense.transform({
      rows: 1,
      columns: 4,
      data: points.data.slice(0, 4).map((x) => 100 * x),
    });
    const once = await dense.transform({ rows: 1, columns: 4, data: points.data.slice(0, 4) });
    expect(difference(embedding.data, once.embedding.data)).toBeLessThan(1e-9);
    expect(once.distances[0]).toBeLessThan(1e-12);
    const saved = loadMap(saveMap(dense));
    expect((await saved.transform(points)).embedding.data).toEqual(
      (await dense.transform(points)).embedding.data,
    );
    expect(own.model).toBeUndefined();
    await expect(sparse.transform(points)).rejects.toThrowError(/places no new points/);
    expect(() => saveMap(own)).toThrowError(/saveMap takes what embed returned of points/);
  });

  test("of parts that nothing joins say so", async () => {
    const near = nearest(() => 15);
    const inGroup = near.indices.map((row, n) => row.filter((m) => m % 3 === n % 3));
    const neighbors = { indices: inGroup, distances: inGroup.map((row, n) => row.map((m) => rows[n][m])) };
    const { warnings } = await embed({ neighbors }, { ...options, perplexity: 3 });
    expect(warnings.filter(({ code }) => code === "disconnected")).toHaveLength(1);
  });
});

describe("ties", () => {
  const N = 60;
  const oneHot = Array.from({ length: N }, (_, i) => Array.from({ length: N }, (_z, j) => Number(i === j)));
  const distances = oneHot.map((row) => row.map((v) => 1 - v));

  test.each([
    ["distances", { distances }, {}],
    ["manhattan", oneHot, { metric: "manhattan" }],
    ["hamming", oneHot, { metric: "hamming" }],
    [
      "a function",
      oneHot,
      { metric: (a: Float64Array, b: Float64Array) => a.reduce((s, v, k) => s + (v - b[k]) ** 2, 0) },
    ],
  ] as const)("of %s share their places: equidistant objects are all alike", async (_, input, more) => {
    const { klDivergence = 1 } = await embed(input, { perplexity: 5, ...more });
    expect(klDivergence).toBeLessThan(1e-9);
  });

  test("of coarse rows do not depend on the order of the rows", async () => {
    const random = new RandomGenerator(8);
    const coarse = Array.from({ length: 80 }, () => [
      random.integer(3),
      random.integer(4),
      random.integer(2),
    ]);
    const start = coarse.map(() => [random.uniform(), random.uniform()]);
    const order = coarse.map((_, i) => (i * 37) % 80);
    const energy = async (
      input: Rows,
      initialization: number[][],
      metric: "hamming" | "chebyshev" | "canberra",
    ) =>
      (await embed(input, { metric, perplexity: 6, initialization, maxEvaluations: 1 })).klDivergence ??
      Number.NaN;
    for (const metric of ["hamming", "chebyshev", "canberra"] as const) {
      const there = await energy(coarse, start, metric);
      const here = await energy(
        order.map((i) => coarse[i]),
        order.map((i) => start[i]),
        metric,
      );
      expect(Math.abs(here - there)).toBeLessThan(1e-10);
    }
  });
});
type Rows = readonly (readonly number[])[];

test("quality is against what was given", () => {
  const map = { rows: N, columns: 2, data: start.data };
  const expected = mapQuality(points, map);
  for (const given of [{ distances }, { distances: condensed }]) {
    const { knnPreservation, trustworthiness } = mapQuality(given, map);
    expect(knnPreservation).toBeCloseTo(expected.knnPreservation ?? Number.NaN, 12);
    expect(trustworthiness).toBeCloseTo(expected.trustworthiness ?? Number.NaN, 12);
  }
  expect(
    mapQuality(points, map, { metric: (a, b) => Math.hypot(...a.map((x, k) => x - b[k])) }).trustworthiness,
  ).toBeCloseTo(expected.trustworthiness ?? Number.NaN, 12);
  const ofGraph = mapQuality({ neighbors: nearest(() => 12) }, map);
  expect(ofGraph.knnPreservation).toBeCloseTo(expected.knnPreservation ?? Number.NaN, 12);
  expect(ofGraph.trustworthiness).toBeUndefined();
});

describe("bad input", () => {
  const changed = (i: number, j: number, value: number): number[][] =>
    rows.map((row, n) => (n === i ? row.with(j, value) : row));
  const near = nearest(() => 5);
  const withRow = (indices: number[], lengths: number[]) => ({
    neighbors: { indices: near.indices.with(3, indices), distances: near.distances.with(3, lengths) },
  });
  test.each([
    [
      "asymmetric distances",
      { distances: changed(2, 5, 99) },
      /at row 5, column 2, but 99 at row 2, column 5.*\(D \+ D\^T\) \/ 2/,
    ],
    ["negative distances", { distances: changed(2, 5, -1) }, /-1 at row 2, column 5/],
    ["missing distances", { distances: changed(2, 5, Number.NaN) }, /row 2, column 5/],
    [
      "a diagonal",
      { distances: changed(4, 4, 3) },
      /3 at row 4, column 4: the distance of an object to itself is 0/,
    ],
    [
      "similarities as distances",
      { distances: rows.map((row) => row.map((d) => 1 / (1 + d))) },
      /Give \{ similarities \}/,
    ],
    ["distances as similarities", { similarities: rows }, /Give|give \{ distances \}/],
    ["no square", { distances: rows.slice(1) }, /must be square/],
    ["no condensed matrix", { distances: [1, 2] }, /2 numbers in one array/],
    ["a condensed NaN", { distances: condensed.with(0, Number.NaN) }, /NaN for the pair 0, 1/],
    ["no neighbours", withRow([], []), /Row 3 of neighbors has no neighbours/],
    ["only itself", withRow([3], [0]), /Row 3 of neighbors has no neighbours/],
    ["a number out of range", withRow([1, N], [1, 2]), /Row 3 of neighbors names 60/],
    ["a filler", withRow([1, -1], [1, 2]), /leave these entries out/],
    ["a number twice", withRow([1, 1], [1, 2]), /names 1 twice/],
    ["a negative length", withRow([1], [-2]), /the distance -2 to 1/],
    ["a missing length", withRow([1], [Number.NaN]), /the distance NaN to 1/],
    ["uneven rows", withRow([1, 2], [1]), /2 indices and 1 distances/],
    [
      "asymmetric affinities",
      { affinities: rows.map((row, i) => row.map((_, j) => (i === j ? 0 : i === 1 && j === 0 ? 5 : 1))) },
      /a pair has one affinity/,
    ],
    [
      "affinities on the diagonal",
      { affinities: rows.map((row) => row.map(() => 1)) },
      /diagonal|row 0, column 0/,
    ],
    ["negative affinities", { affinities: rows.map((row) => row.map((d) => -d)) }, /negative|at least 0/],
    ["two at a time", { distances, affinities: rows }, /received distances, affinities/],
  ])("%s: an error that says where", async (_, given, message) => {
    await expect(embed(given)).rejects.toThrow(message);
  });

  test("options that are for points are refused", async () => {
    await expect(embed({ distances }, { metric: "cosine" })).rejects.toThrow(/metric must be left out/);
    await expect(embed({ distances }, { pca: 2 })).rejects.toThrow(/pca must be left out/);
    const affinities = near.indices.map((_, i, all) => all.map((_, j) => Number(i !== j)));
    await expect(embed({ affinities }, { perplexity: 5 })).rejects.toThrow(/perplexity must be left out/);
    await expect(embed({ neighbors: near }, { neighbors: 3 })).rejects.toThrow(/neighbors must be left out/);
    await expect(embed({ neighbors: near }, { method: "ee", repulsion: "distance" })).rejects.toThrow(
      /repulsion/,
    );
    const { transform } = await embed({ distances }, options);
    await expect(transform(rows)).rejects.toThrow(/places no new points/);
  });
});
