/** What E does not see: the numbers of the rows. (Where a given first map lies, and its unit: `given-maps.test.ts`.) */
import { normal, permutation, RandomGenerator } from "@curvature/linalg";
import { expect, test } from "vitest";
import { type EmbedOptions, embed } from "../src/index.js";
import type { EmbedInput } from "../src/source.js";

test("equally far points: no row has a special place", async () => {
  const N = 300;
  const data = Float64Array.from({ length: N * N }, (_, p) => Number(p % (N + 1) === 0));
  const { embedding } = await embed({ rows: N, columns: N, data }, { perplexity: 10 });
  const radii = Array.from({ length: N }, (_, n) =>
    Math.hypot(embedding.data[2 * n], embedding.data[2 * n + 1]),
  );
  const mean = radii.reduce((sum, r) => sum + r, 0) / N;
  let [product, squares] = [0, 0];
  for (const [n, r] of radii.entries()) {
    product += (n - (N - 1) / 2) * (r - mean);
    squares += (r - mean) ** 2;
  }
  expect(Math.abs(product / Math.sqrt((squares * N * (N * N - 1)) / 12))).toBeLessThan(4 / Math.sqrt(N));
});

const random = new RandomGenerator(11);
const N = 120;
const cloud = Array.from({ length: N }, (_, n) =>
  Array.from({ length: 6 }, (_, j) => normal(random) + (n % 4 === j ? 3 : 0)),
);
const distancesOf = (rows: number[][]): number[][] =>
  rows.map((a) => rows.map((b) => Math.hypot(...a.map((x, j) => x - b[j]))));

const nearestOf = (rows: number[][], k: number) => {
  const all = distancesOf(rows).map((row, n) =>
    [...row.entries()]
      .filter(([m]) => m !== n)
      .sort((a, b) => a[1] - b[1])
      .slice(0, k),
  );
  return {
    indices: all.map((row) => row.map(([m]) => m)),
    distances: all.map((row) => row.map(([, d]) => d)),
  };
};

const kinds: readonly [name: string, input: (rows: number[][]) => EmbedInput, options: EmbedOptions][] = [
  ["points", (rows) => rows, {}],
  ["points, a random start", (rows) => rows, { initialization: "random" }],
  ["points in space", (rows) => rows, { dimensions: 3 }],
  ["points under cosine", (rows) => rows, { metric: "cosine" }],
  ["points, the spectral direction", (rows) => rows, { solver: "sd-lbfgs" }],
  ["elastic embedding", (rows) => rows, { method: "ee" }],
  ["all neighbours", (rows) => rows, { neighbors: "all" }],
  ["distances", (rows) => ({ distances: distancesOf(rows) }), {}],
  ["neighbours", (rows) => ({ neighbors: nearestOf(rows, 25) }), {}],
  [
    "affinities",
    (rows) => ({ affinities: distancesOf(rows).map((row) => row.map((d) => (d > 0 ? Math.exp(-d) : 0))) }),
    {},
  ],
];

test.each(kinds)("%s: rows in another order get the same places", async (_, input, options) => {
  const once = await embed(input(cloud), options);
  for (let seed = 0; seed < 3; seed++) {
    const order = [...permutation(new RandomGenerator(seed), N)];
    const again = await embed(input(order.map((n) => cloud[n])), options);
    expect(Math.abs((again.value ?? 0) - (once.value ?? 0))).toBeLessThan(1e-8 * Math.abs(once.value ?? 0));
    const apart = order.map((n, k) =>
      Math.hypot(
        ...[0, 1].map(
          (i) =>
            again.embedding.data[k * again.embedding.columns + i] -
            once.embedding.data[n * once.embedding.columns + i],
        ),
      ),
    );
    expect(Math.max(...apart)).toBeLessThan(1e-3 * Math.max(...once.embedding.data));
  }
});
