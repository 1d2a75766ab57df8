import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import { entropicAffinities, jointAffinities, tsne } from "@curvature/objectives/embedding";
import { describe, expect, test } from "vitest";
import { type EmbeddingSolver, embed } from "../src/index.js";

type Rows = readonly (readonly number[])[];

/** Four clouds in a row, far enough apart to be seen, near enough to be one map. */
function clouds(count: number, seed: number): number[][] {
  const random = new RandomGenerator(seed);
  const sum = () => random.uniform() + random.uniform() + random.uniform();
  return Array.from({ length: count }, () => {
    const cloud = random.integer(4);
    return Array.from({ length: 6 }, (_, j) => sum() + (j === 0 ? 0.8 * cloud : 0));
  });
}

function shuffled(n: number, random: RandomGenerator): number[] {
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
  return order;
}

const matrix = (rows: Rows): DenseMatrix => ({
  rows: rows.length,
  columns: rows[0]?.length ?? 0,
  data: Float64Array.from(rows.flat()),
});

/** Of values with their places. */
function correlation(values: readonly number[]): number {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const middle = (values.length - 1) / 2;
  const sum = (f: (v: number, i: number) => number) =>
    values.reduce((s, v, i) => s + f(v - mean, i - middle), 0);
  return sum((v, i) => v * i) / Math.sqrt(sum((v) => v * v) * sum((_, i) => i * i) || 1);
}

test("E and its gradient permute with the rows to 1e-12", () => {
  const random = new RandomGenerator(4);
  for (const gradient of ["exact", "barnes-hut"] as const) {
    const N = 320;
    const points = clouds(N, 3);
    const map = Array.from({ length: N }, () => [random.uniform(), random.uniform()]);
    const order = shuffled(N, random);
    const pick = (rows: Rows) => order.map((i) => rows[i] ?? []);
    const evaluated = (data: Rows, places: Rows) => {
      const P = jointAffinities(entropicAffinities(matrix(data), { perplexity: 8 }).conditional);
      const G = new Float64Array(2 * N);
      return { E: tsne(P, { gradient }).evaluate(matrix(places).data, G), G };
    };
    const there = evaluated(points, map);
    const here = evaluated(pick(points), pick(map));
    expect(Math.abs(here.E / there.E - 1)).toBeLessThan(1e-12);
    const largest = Math.max(...there.G.map(Math.abs));
    for (const [place, i] of order.entries())
      for (const c of [0, 1])
        expect(Math.abs((here.G[2 * place + c] ?? 0) - (there.G[2 * i + c] ?? 0))).toBeLessThan(
          1e-12 * largest,
        );
  }
});

describe("whole maps", () => {
  const fifty = { tags: ["full"], timeout: 120_000 };

  /** The divergences of 50 permutations, the start permuted along, and of 50 changes of the data by 1e-12. */
  async function drawn(solver: EmbeddingSolver): Promise<{ permuted: number[]; perturbed: number[] }> {
    const random = new RandomGenerator(8);
    const points = clouds(60, 9);
    const start = points.map(([a = 0, b = 0]) => [a, b]);
    const divergence = async (rows: Rows, initialization: Rows) => {
      const given = { perplexity: 8, solver, initialization: matrix(initialization) };
      return (await embed(matrix(rows), given)).klDivergence ?? Number.NaN;
    };
    const [permuted, perturbed]: [number[], number[]] = [[], []];
    for (let draw = 0; draw < 50; draw++) {
      const order = shuffled(60, random);
      const pick = (rows: Rows) => order.map((i) => rows[i] ?? []);
      const near = points.map((row) => row.map((v) => v * (1 + 1e-12 * (random.uniform() - 0.5))));
      permuted.push(await divergence(pick(points), pick(start)));
      perturbed.push(await divergence(near, start));
    }
    return { permuted, perturbed };
  }

  test.each(["sd", "lbfgs"] as const)(
    "%s: permutations spread the divergence no more than changes of the data by 1e-12",
    fifty,
    async (solver) => {
      const { permuted, perturbed } = await drawn(solver);
      const spread = (values: number[]) => Math.max(...values) - Math.min(...values);
      expect(spread(permuted)).toBeLessThanOrEqual(Math.max(spread(perturbed), 1e-12));
      expect(Math.abs(correlation(permuted))).toBeLessThan(0.5);
    },
  );

  // The recipe's incomplete factor depends on the order of the rows: its ends differ, but no order is better.
  test("auto: over permutations the divergence has no trend", fifty, async () => {
    const { permuted } = await drawn("auto");
    expect(Math.abs(correlation(permuted))).toBeLessThan(0.5);
    expect(Math.max(...permuted) - Math.min(...permuted)).toBeLessThan(0.05);
  });

  test("one-hot rows: no row is special", async () => {
    const N = 150;
    const { embedding } = await embed(
      matrix(Array.from({ length: N }, (_, i) => Array.from({ length: N }, (__, j) => Number(i === j)))),
      { perplexity: 10 },
    );
    const radius = Array.from({ length: N }, (_, i) =>
      Math.hypot(embedding.data[2 * i] ?? 0, embedding.data[2 * i + 1] ?? 0),
    );
    expect(Math.abs(correlation(radius))).toBeLessThan(3.5 / Math.sqrt(N));
  });
});
