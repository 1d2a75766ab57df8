/** What E does not see: where a first map lies, and in which units. */
import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import { expect, test } from "vitest";
import { embed } from "../src/index.js";

const random = new RandomGenerator(6);
const points: DenseMatrix = {
  rows: 200,
  columns: 5,
  data: Float64Array.from(
    { length: 1000 },
    (_, p) => random.uniform() + (Math.floor(p / 5) % 5 === p % 5 ? 2 : 0),
  ),
};
const start = Float64Array.from(
  { length: 400 },
  (_, p) => 0.1 * points.data[5 * Math.floor(p / 2) + (p % 2)],
);
const from = async (data: Float64Array, solver: "auto" | "sd"): Promise<number> =>
  (await embed(points, { solver, initialization: { rows: 200, columns: 2, data } })).klDivergence ??
  Number.NaN;

test.each(["auto", "sd"] as const)("a shifted first map ends at the same divergence: %s", async (solver) => {
  const divergence = await from(start, solver);
  for (const shift of [1e3, 1e6])
    expect(
      Math.abs(
        (await from(
          start.map((v) => v + shift),
          solver,
        )) - divergence,
      ),
    ).toBeLessThan(1e-6);
});

test("a first map in other units ends at the same divergence", async () => {
  const divergence = await from(start, "auto");
  for (const unit of [1e-3, 0.1, 30, 1e3])
    expect(
      Math.abs(
        (await from(
          start.map((v) => v * unit),
          "auto",
        )) - divergence,
      ),
    ).toBeLessThan(1e-6);
});

test("a finished map that is lower than the schedule's end stays as it is, about its mean", async () => {
  const thorough = await embed(points, { maxEvaluations: 400 });
  const { embedding } = thorough;
  const again = await embed(points, { initialization: embedding, maxEvaluations: 10 });
  expect(again.klDivergence).toBeCloseTo(thorough.klDivergence ?? Number.NaN, 9);
});

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
