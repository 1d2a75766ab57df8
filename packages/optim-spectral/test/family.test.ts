/** The members of the family that options name: each objective against a sum of its own, and maps that are near its minimum. */
import { RandomGenerator } from "@curvature/linalg";
import { entropicAffinities, jointAffinities, tsne as tsneObjective } from "@curvature/objectives/embedding";
import { describe, expect, test } from "vitest";
import {
  attractiveGraph,
  type EmbedOptions,
  embed,
  loadMap,
  PartialHessian,
  saveMap,
  spectralDirection,
} from "../src/index.js";

const random = new RandomGenerator(3);
const N = 36;
const points = Array.from({ length: N }, (_, n) =>
  [0, 1, 2, 3].map((j) => 3 * Number(n % 3 === j) + random.uniform()),
);

/** Conditional affinities of all pairs, by bisection on the entropy. */
function conditional(perplexity: number, from = points, to = points): number[][] {
  return from.map((y) => {
    const squares = to.map((z) => y.reduce((sum, v, j) => sum + (v - z[j]) ** 2, 0));
    const row = (beta: number): number[] => {
      const weights = squares.map((D) => (D === 0 ? 0 : Math.exp(-beta * D)));
      const sum = weights.reduce((a, b) => a + b, 0);
      return weights.map((w) => w / sum);
    };
    let [low, high] = [0, 1e3];
    for (let k = 0; k < 200; k++) {
      const middle = (low + high) / 2;
      const entropy = row(middle).reduce((sum, p) => sum - (p > 0 ? p * Math.log(p) : 0), 0);
      if (entropy > Math.log(perplexity)) low = middle;
      else high = middle;
    }
    return row(low);
  });
}

const joint = (P: number[][]): number[][] =>
  P.map((row, n) => row.map((p, m) => (p + P[m][n]) / (2 * P.length)));
const meanOf = (one: number[][], other: number[][]): number[][] =>
  one.map((row, n) => row.map((p, m) => (p + other[n][m]) / 2));

/** The sum over n of f_n, and the sum over the pairs n ≠ m. */
const rows = (f: (n: number) => number): number => points.reduce((sum, _, n) => sum + f(n), 0);
const pairs = (f: (n: number, m: number) => number): number =>
  rows((n) => points.reduce((sum, _, m) => (m === n ? sum : sum + f(n, m)), 0));

type Squares = (n: number, m: number) => number;
const squaresOf =
  (x: Float64Array): Squares =>
  (n, m) =>
    (x[2 * n] - x[2 * m]) ** 2 + (x[2 * n + 1] - x[2 * m + 1]) ** 2;

const P = conditional(8);
const J = joint(P);
const distances = pairs((n, m) => points[n].reduce((sum, v, j) => sum + (v - points[m][j]) ** 2, 0));
const repel = (n: number, m: number) =>
  points[n].reduce((sum, v, j) => sum + (v - points[m][j]) ** 2, 0) / distances;
const epanechnikov = (t: number): number => Math.max(0, 1 - t);
const biweight = (t: number): number => Math.max(0, 1 - t) ** 2;

interface Member {
  readonly name: string;
  readonly options: EmbedOptions;
  readonly E: (t: Squares) => number;
}

const ssne =
  (P: number[][], K: (t: number) => number, lambda = 1) =>
  (t: Squares) => {
    const p = joint(P);
    return pairs((n, m) => p[n][m] * t(n, m)) + lambda * Math.log(pairs((n, m) => K(t(n, m))));
  };
const tsne = (P: number[][], lambda: number) => (t: Squares) => {
  const p = joint(P);
  return (
    pairs((n, m) => p[n][m] * Math.log(1 + t(n, m))) + lambda * Math.log(pairs((n, m) => 1 / (1 + t(n, m))))
  );
};
const logSums = (K: (t: number) => number, t: Squares): number =>
  rows((n) => Math.log(points.reduce((sum, _, m) => (m === n ? sum : sum + K(t(n, m))), 0)));

const members: readonly Member[] = [
  {
    name: "EE, Epanechnikov",
    options: { method: "ee", kernel: "epanechnikov", lambda: 10 },
    E: (t) => pairs((n, m) => J[n][m] * t(n, m)) + 10 * pairs((n, m) => repel(n, m) * epanechnikov(t(n, m))),
  },
  {
    name: "EE, biweight",
    options: { method: "ee", kernel: "biweight", repulsion: "constant", lambda: 10 },
    E: (t) => pairs((n, m) => J[n][m] * t(n, m)) + (10 * pairs((n, m) => biweight(t(n, m)))) / (N * (N - 1)),
  },
  {
    name: "nonsymmetric t-SNE",
    options: { method: "nonsymmetric-tsne" },
    E: (t) => pairs((n, m) => P[n][m] * Math.log(1 + t(n, m))) + logSums((s) => 1 / (1 + s), t),
  },
  { name: "exaggerated t-SNE", options: { exaggeration: 4 }, E: tsne(P, 1 / 4) },
  {
    name: "t-SNE of two scales",
    options: { perplexity: [4, 20] },
    E: tsne(meanOf(conditional(4), conditional(20)), 1),
  },
  {
    name: "s-SNE of two scales",
    options: { method: "ssne", perplexity: [4, 20] },
    E: ssne(meanOf(conditional(4), conditional(20)), (s) => Math.exp(-s)),
  },
];

const common = { perplexity: 8, neighbors: "all", seed: 1 } as const;

describe.each(members)("$name", ({ options, E }) => {
  test("E of the map is that of its formula", async () => {
    const { value, x } = await embed(points, { ...common, ...options });
    expect(value).toBeCloseTo(E(squaresOf(x)), 8);
  });

  test("E falls from the map by no more than its slope there lets it, by differences of the formula", async () => {
    const { x } = await embed(points, { ...common, ...options, maxEvaluations: 200 });
    const at = E(squaresOf(x));
    const h = 1e-5;
    const gradient = x.map((_, k) => {
      const moved = (step: number): number => {
        const y = x.slice();
        y[k] += step;
        return E(squaresOf(y));
      };
      return (moved(h) - moved(-h)) / (2 * h);
    });
    for (const step of [1e-3, 1e-2, 1e-1]) {
      const lower = E(squaresOf(x.map((v, k) => v - step * gradient[k])));
      expect(at - lower).toBeLessThan(0.01 * Math.abs(at));
    }
  });

  test("auto ends no more than a fiftieth above L-BFGS on the spectral direction", async () => {
    const auto = await embed(points, { ...common, ...options });
    const other = await embed(points, { ...common, ...options, solver: "sd-lbfgs" });
    const E = other.value ?? Number.NaN;
    expect(auto.value).toBeLessThan(E + 0.02 * Math.abs(E));
  });
});

describe("multi-scale affinities", () => {
  test("one scale is a scale", async () => {
    const one = await embed(points, { perplexity: 8, maxEvaluations: 20 });
    const list = await embed(points, { perplexity: [8], maxEvaluations: 20 });
    expect(list.x).toEqual(one.x);
  });

  test("neighbours are those of the largest scale, whatever the order", async () => {
    const few = { maxEvaluations: 20 } as const;
    const up = await embed(points, { perplexity: [3, 9], ...few });
    const down = await embed(points, { perplexity: [9, 3], ...few });
    expect([up.options["neighbors"], down.options["neighbors"]]).toEqual([27, 27]);
    expect(up.options["perplexity"]).toEqual([3, 9]);
    expect(down.klDivergence).toBeCloseTo(up.klDivergence ?? Number.NaN, 8);
  });

  test("of a graph of neighbours, too", async () => {
    const indices = points.map((_, n) => Array.from({ length: 20 }, (_, k) => (n + k + 1) % N));
    const distances = indices.map((row, n) =>
      row.map((m) => Math.hypot(...points[n].map((v, j) => v - points[m][j]))),
    );
    const { options } = await embed(
      { neighbors: { indices, distances } },
      { perplexity: [3, 9], maxEvaluations: 10 },
    );
    expect(options["perplexity"]).toEqual([3, 9]);
  });

  test.each(["auto", "all"] as const)(
    "new points have the mean, too, also from a file (neighbors: %s)",
    async (neighbors) => {
      const map = await embed(points, { perplexity: [4, 11], neighbors, maxEvaluations: 60 });
      const fresh = [points[5].map((v) => v + 0.01), points[7]];
      const placed = await map.transform(fresh);
      expect(await loadMap(saveMap(map)).transform(fresh)).toEqual(placed);
      const near = map.embedding.data.subarray(10, 12);
      expect(Math.hypot(placed.embedding.data[0] - near[0], placed.embedding.data[1] - near[1])).toBeLessThan(
        1,
      );
    },
  );
});

describe("what cannot be", () => {
  test.each<[string, EmbedOptions, string]>([
    ["a kernel of finite reach whose logarithm attracts", { method: "tsne", kernel: "biweight" }, "kernel"],
    ["one whose log S has no end", { method: "ssne", kernel: "biweight" }, "kernel"],
    [
      "its sum by cells",
      { method: "ee", kernel: "biweight", gradient: "fft", repulsion: "constant" },
      "gradient",
    ],
    ["exaggeration beside lambda", { exaggeration: 2, lambda: 0.5 }, "exaggeration"],
    ["exaggeration of the elastic embedding", { method: "ee", exaggeration: 2 }, "exaggeration"],
    ["no exaggeration", { exaggeration: 0 }, "exaggeration"],
    ["no scale", { perplexity: [] }, "perplexity"],
    ["a scale above the neighbours", { perplexity: [5, 500] }, "perplexity"],
    ["a scale that is none", { perplexity: [5, Number.NaN] }, "perplexity"],
    ["a scale of 1", { perplexity: [1, 5] }, "perplexity"],
    ["the same scale twice", { perplexity: [5, 5] }, "perplexity"],
    [
      "a sum by cells of a distribution per point",
      { method: "nonsymmetric-tsne", gradient: "barnes-hut" },
      "gradient",
    ],
  ])("%s", async (_, options, path) => {
    await expect(embed(points, options)).rejects.toMatchObject({ code: "ERR_OPTION", path });
  });

  test("maps that place no new points say so", async () => {
    for (const options of [{ method: "nonsymmetric-tsne" }, { method: "ee", kernel: "biweight" }] as const) {
      const map = await embed(points, { ...options, maxEvaluations: 5 });
      expect(map.model).toBeUndefined();
      await expect(map.transform(points)).rejects.toMatchObject({ code: "ERR_ARGUMENT" });
    }
  });
});

describe("B formed anew", () => {
  const method = { method: "tsne", solver: "sd", perplexity: 8, neighbors: "all", seed: 1 } as const;
  const objective = tsneObjective(
    jointAffinities(entropicAffinities(points, { perplexity: 8, neighbors: "all" }).conditional),
  );
  const start = Float64Array.from({ length: 2 * N }, () => random.uniform());
  const refreshed = () => spectralDirection(attractiveGraph(objective.attractiveWeights()), "all", 3);

  test("every third step solves B(X) P = -G with the weights p k at that X, and the next two with the same", () => {
    const direction = refreshed();
    let weights: readonly number[][] = J;
    for (let count = 0; count < 8; count++) {
      const X = start.map((v) => v * (1 + count / 4));
      const t = squaresOf(X);
      if (count > 0 && count % 3 === 0) weights = J.map((row, n) => row.map((p, m) => p / (1 + t(n, m))));
      const { mu } = attractiveGraph({ rows: N, columns: N, data: Float64Array.from(weights.flat()) });
      const [G, step] = [new Float64Array(2 * N), new Float64Array(2 * N)];
      objective.evaluate(X, G);
      direction.compute(objective, X, G, step);
      for (let k = 0; k < 2 * N; k++) {
        const [n, i] = [k >> 1, k & 1];
        const product =
          4 * points.reduce((sum, _, m) => sum + weights[n][m] * (step[k] - step[2 * m + i]), 0);
        expect(product + mu * step[k]).toBeCloseTo(-G[k], 7);
      }
    }
  });

  test("a snapshot goes on bit for bit, with the B that it had", () => {
    const solver = () => new PartialHessian(objective, start, refreshed());
    const whole = solver();
    for (let k = 0; k < 5; k++) whole.step();
    const other = solver();
    other.restore(whole.save());
    for (let k = 0; k < 5; k++) {
      whole.step();
      other.step();
      expect(other.best.x).toEqual(whole.best.x);
    }
  });

  test("it changes the course, and ends at a minimum as low", async () => {
    const limits = { ...method, maxIterations: 20 };
    const [never, third] = [await embed(points, limits), await embed(points, { ...limits, refreshEvery: 3 })];
    expect(third.x).not.toEqual(never.x);
    const ends = [await embed(points, method), await embed(points, { ...method, refreshEvery: 10 })].map(
      ({ value }) => value ?? Number.NaN,
    );
    expect(ends[1]).toBeLessThan(ends[0] + 0.02 * Math.abs(ends[0]));
  });

  test.each<EmbedOptions>([
    { solver: "auto", refreshEvery: 5 },
    { solver: "sd", method: "ssne", refreshEvery: 5 },
    { solver: "sd", refreshEvery: 0 },
  ])("$solver $method $refreshEvery: refused", async (options) => {
    await expect(embed(points, options)).rejects.toMatchObject({ code: "ERR_OPTION", path: "refreshEvery" });
  });

  test.each<[string, EmbedOptions]>([
    ["kappa", { kappa: 0 }],
    ["kappa", { kappa: "all", solver: "sdminus" }],
    ["theta", { theta: 0.7 }],
    ["theta", { theta: 0, gradient: "exact" }],
  ])("%s where it has no effect is refused: %o", async (path, options) => {
    await expect(embed(points, options)).rejects.toMatchObject({ code: "ERR_OPTION", path });
  });
});
