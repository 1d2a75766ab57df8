import { RandomGenerator } from "@curvature/linalg";
import { expect, test } from "vitest";
import { type EmbeddingSolver, type EmbedOptions, embed } from "../src/index.js";

/** Three clouds in five dimensions, and a start that is two of their columns. */
function clouds(count: number): { readonly points: number[][]; readonly start: number[][] } {
  const random = new RandomGenerator(11);
  const sum = () => random.uniform() + random.uniform() + random.uniform();
  const points = Array.from({ length: count }, (_, i) =>
    Array.from({ length: 5 }, (__, j) => sum() + (i % 3 === j ? 1 : 0)),
  );
  return { points, start: points.map(([a = 0, , , d = 0]) => [a / 10, d / 7]) };
}

const { points, start } = clouds(150);
const moved = (map: readonly (readonly number[])[], size: number, shift: number): number[][] =>
  map.map((row) => row.map((value, c) => size * value + (c === 0 ? shift : -shift / 3)));

const solvers: readonly EmbeddingSolver[] = ["auto", "sd", "sd-lbfgs", "lbfgs", "cg"];

test.for(solvers)(
  "%s ends where it does, wherever the given map lies and in whatever unit",
  async (solver) => {
    const options: EmbedOptions = { solver, perplexity: 10, maxEvaluations: 80 };
    const { klDivergence: expected = Number.NaN } = await embed(points, {
      ...options,
      initialization: start,
    });
    for (const [size, shift] of [
      [1, 1e3],
      [1, 1e6],
      [1e-3, 0],
      [37, 0],
      [1e3, 0],
      [1e-3, 1e3],
    ] as const) {
      const { klDivergence } = await embed(points, { ...options, initialization: moved(start, size, shift) });
      expect(Math.abs((klDivergence ?? Number.NaN) - expected)).toBeLessThan(1e-6);
    }
  },
);

test.for(["tsne", "ssne", "ee", "tee"] as const)(
  "a finished map of %s stays, at its best size",
  async (method) => {
    const options: EmbedOptions = { method, perplexity: 10 };
    const first = await embed(points, { ...options, maxEvaluations: 200 });
    for (const size of [1, 0.2, 50]) {
      const data = first.embedding.data.map((value) => size * value + 3 * size);
      const again = await embed(points, { ...options, initialization: { ...first.embedding, data } });
      expect(again.value).toBeLessThanOrEqual((first.value ?? Number.NaN) * (1 + 1e-6));
      const change = first.embedding.data.map((value, k) => value - (again.embedding.data[k] ?? 0));
      const norm = (x: Float64Array) => Math.sqrt(x.reduce((sum, v) => sum + v * v, 0));
      expect(norm(change) / norm(first.embedding.data)).toBeLessThan(0.1); // it goes on where it had not ended
    }
  },
);

test("without repulsion no size is the best one: the size at which maps start", async () => {
  const result = await embed(points, { method: "ee", lambda: 0, initialization: start, maxEvaluations: 5 });
  expect(result.usable).toBe(true);
});

test("a given map is not written to", async () => {
  const given = { rows: 150, columns: 2, data: Float64Array.from(start.flat()) };
  const before = given.data.slice();
  await embed(points, { initialization: given, maxEvaluations: 5 });
  expect(given.data).toEqual(before);
});
