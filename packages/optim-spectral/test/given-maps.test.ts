/** What a given first map does not decide: where it lies, and in which unit. A finished map stays as it is. */
import { normal, RandomGenerator } from "@curvature/linalg";
import { entropicAffinities, jointAffinities, symmetricSne, tsne } from "@curvature/objectives/embedding";
import { maxIterations, runSync } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { embed, gradientDirection, HomotopyLbfgs, PartialHessian } from "../src/index.js";

const random = new RandomGenerator(41);
const groups = Array.from({ length: 150 }, (_, i) =>
  Array.from({ length: 7 }, (_, j) => normal(random) + (i % 4 === j ? 4 : 0)),
);
const starts = {
  "two columns": groups.map(([a = 0, b = 0]) => [a, b]),
  noise: groups.map(() => [normal(random), normal(random)]),
};
const turned = (map: number[][], scale: number, shift: number) =>
  map.map((row) => row.map((v, k) => v * scale + shift * (k + 1)));

describe.each(["tsne", "ssne", "sne", "ee", "tee"] as const)("%s", (method) => {
  test.each(Object.entries(starts))("from %s", async (_, start) => {
    const { value = Number.NaN } = await embed(groups, { method, initialization: start });
    for (const [scale, shift] of [
      [1, 1e3],
      [1, -1e6],
      [1e-3, 0],
      [0.1, 3],
      [30, 0],
      [1e3, 1e3],
    ] as const) {
      const other = await embed(groups, { method, initialization: turned(start, scale, shift) });
      expect(Math.abs((other.value ?? Number.NaN) - value)).toBeLessThan(1e-6 * (1 + Math.abs(value)));
    }
  });
});

test.each(["sd", "sd-lbfgs", "sdminus", "fp", "gd"] as const)("%s does not see a shift", async (solver) => {
  const options = { solver, maxIterations: 60 } as const;
  const { value = Number.NaN, status } = await embed(groups, { ...options, initialization: starts.noise });
  for (const shift of [1e3, 1e6]) {
    const other = await embed(groups, { ...options, initialization: turned(starts.noise, 1, shift) });
    expect(Math.abs((other.value ?? Number.NaN) - value)).toBeLessThan(1e-6);
    expect(other.status).toBe(status);
  }
});

test("a finished map is not left for a higher one", async () => {
  const finished = await embed(groups, { method: "tsne" });
  const { value = Number.NaN, embedding } = await embed(groups, { initialization: finished.embedding });
  expect(value).toBeLessThanOrEqual((finished.value ?? Number.NaN) + 1e-12);
  expect(embedding.rows).toBe(150);
  // After one evaluation, of the same map in the size of a start, there is nothing lower.
  const soon = await embed(groups, { initialization: finished.embedding, maxEvaluations: 1 });
  const spread = (data: Float64Array) => Math.hypot(...data) / Math.sqrt(data.length);
  expect(soon.value).toBeCloseTo(finished.value ?? Number.NaN, 12);
  expect(spread(soon.embedding.data)).toBeCloseTo(spread(finished.embedding.data), 6);
  expect(soon.message).toMatch(/The given map is lower/);
});

test("solvers by themselves take a map far from the origin back", () => {
  const affinities = jointAffinities(entropicAffinities(groups, { perplexity: 10 }).conditional);
  const start = Float64Array.from(starts.noise.flat());
  for (const c of [0, 1]) {
    const mean = start.reduce((sum, v, k) => sum + (k % 2 === c ? v : 0), 0) / 150;
    for (let k = c; k < start.length; k += 2) start[k] -= mean;
  }
  const far = start.map((v) => v + 4096); // a shift that rounds by little: what is rounded grows on the way
  const ends = [start, far].map((x) => [
    runSync(new HomotopyLbfgs(tsne(affinities), x)).value,
    runSync(new PartialHessian(symmetricSne(affinities), x, gradientDirection()), { stop: maxIterations(40) })
      .value,
  ]);
  for (const k of [0, 1]) expect(ends[1][k]).toBeCloseTo(ends[0][k] ?? Number.NaN, 6);
});

test("points that are all equally far: the divergence is not below 0", async () => {
  const equidistant = Array.from({ length: 8 }, (_, i) =>
    Array.from({ length: 8 }, (_, j) => Number(i === j)),
  );
  for (const method of ["tsne", "ssne", "sne"] as const) {
    const { klDivergence = Number.NaN } = await embed(equidistant, {
      method,
      neighbors: "all",
      perplexity: 6.9,
      dimensions: 7,
    });
    expect(klDivergence).toBeGreaterThanOrEqual(0);
    expect(klDivergence).toBeLessThan(1e-6);
  }
});
