/** Maps that grow: old and new points together, the old ones near their places. */
import { gaussianBlobs } from "@curvature/datasets";
import { loadDigits } from "@curvature/datasets/digits";
import { CurvatureError, type DenseMatrix, fillNormal, RandomGenerator, selectRows } from "@curvature/linalg";
import { entropicAffinities, jointAffinities, tsne } from "@curvature/objectives/embedding";
import { embed, extendMap, loadMap, saveMap } from "@curvature/optim-spectral";
import { beforeAll, describe, expect, test } from "vitest";
import { AnchoredObjective } from "../src/anchored.js";
import { movementOf, ontoOld } from "../src/movement.js";
import { clusters } from "./helpers/small.js";

const normals = (rows: number, columns: number, seed: number): DenseMatrix => {
  const data = new Float64Array(rows * columns);
  fillNormal(new RandomGenerator(seed), data);
  return { rows, columns, data };
};
const rowsFrom = (points: DenseMatrix, first: number, last: number): DenseMatrix =>
  selectRows(
    points,
    Int32Array.from({ length: last - first }, (_, i) => first + i),
  );

/** a → s a R(angle) + t, in the plane. */
const moved = ({ rows, columns, data }: DenseMatrix, s: number, angle: number, t: number): DenseMatrix => {
  const out = new Float64Array(data.length);
  for (let k = 0; k < data.length; k += 2) {
    out[k] = s * (Math.cos(angle) * data[k] - Math.sin(angle) * data[k + 1]) + t;
    out[k + 1] = s * (Math.sin(angle) * data[k] + Math.cos(angle) * data[k + 1]) - t;
  }
  return { rows, columns, data: out };
};

test("new rows that are farther than any old one from its nearest are flagged and warned of, as by transform", async () => {
  const old = normals(60, 4, 5);
  const later = normals(12, 4, 6);
  const data = later.data.slice();
  data[7 * 4] += 1e4;
  const first = await embed(old, { perplexity: 8, maxEvaluations: 20 });
  const rows = { ...later, data };
  const grown = await extendMap(first, rows, { maxEvaluations: 10 });
  const placed = await first.transform(rows);
  expect(grown.outside).toEqual(placed.outside);
  expect(grown.outside[7]).toBe(1);
  const warned = grown.warnings.filter(({ code }) => code === "outside");
  expect(warned).toHaveLength(1);
  expect(warned[0]?.message).toContain(
    "of the map than any of these from its own nearest: the old map knew nothing",
  );
});

describe("movement", () => {
  const before = normals(40, 2, 1);

  test("is none for a map that was scaled, turned, reflected and shifted", () => {
    const turned = moved(before, 3, 2, 50);
    for (let k = 0; k < turned.data.length; k += 2) turned.data[k] *= -1;
    expect(movementOf(before, turned.data).largest).toBeLessThan(1e-12);
  });

  test("agrees with the least squares over all similarity transforms, found in complex numbers", () => {
    const after = moved(before, 2, 1, 3);
    const noise = normals(40, 2, 2).data;
    for (let k = 0; k < noise.length; k++) after.data[k] += 0.2 * noise[k];
    // a = c x + t for complex numbers: c = Σ conj(x) a / Σ |x|², both centred; reflections fit worse here
    const centred = ({ data }: DenseMatrix): Float64Array => {
      const mean = [0, 1].map((i) => data.filter((_, k) => k % 2 === i).reduce((sum, x) => sum + x, 0) / 40);
      return data.map((x, k) => x - mean[k % 2]);
    };
    const [A, X] = [centred(before), centred(after)];
    let [re, im, xx, aa] = [0, 0, 0, 0];
    for (let k = 0; k < A.length; k += 2) {
      re += X[k] * A[k] + X[k + 1] * A[k + 1];
      im += X[k] * A[k + 1] - X[k + 1] * A[k];
      xx += X[k] ** 2 + X[k + 1] ** 2;
      aa += A[k] ** 2 + A[k + 1] ** 2;
    }
    const [c, d] = [re / xx, im / xx];
    const found = movementOf(before, after.data);
    for (let n = 0; n < 40; n++) {
      const [x, y] = [X[2 * n], X[2 * n + 1]];
      const off = Math.hypot(A[2 * n] - (c * x - d * y), A[2 * n + 1] - (d * x + c * y));
      expect(found.ofEach[n]).toBeCloseTo(off / Math.sqrt(aa / 40), 10);
    }
    expect(found.mean).toBeCloseTo(found.ofEach.reduce((sum, x) => sum + x, 0) / 40, 12);
    expect(found.quantile95).toBe(found.ofEach.toSorted()[37]);
  });

  test("a map over the old one is that map, turned and shifted", () => {
    const larger = { rows: 40, columns: 2, data: before.data.slice() };
    const back = ontoOld(before, moved(larger, 1, 2.5, -7));
    back.data.forEach((x, k) => {
      expect(x).toBeCloseTo(before.data[k], 11);
    });
  });
});

describe("the objective with anchors", () => {
  const { conditional } = entropicAffinities(normals(30, 4, 3), { perplexity: 5 });
  const objective = tsne(jointAffinities(conditional));
  const places = normals(20, 2, 4);
  const anchored = new AnchoredObjective(objective, places.data, 7);
  const { data: X } = normals(30, 2, 5);
  for (let k = 0; k < places.data.length; k++) X[k] = 3 * places.data[k] + 0.5 * X[k] + 2;
  const gradient = new Float64Array(60);
  const F = anchored.evaluate(X, gradient);

  test("costs half of ω times the squared tangent of the angle between old and new", () => {
    const A = { ...places, data: places.data.slice() };
    const ofEach = movementOf(A, X).ofEach;
    const turnedBest = ofEach.reduce((sum, x) => sum + x * x, 0) / 20;
    expect(F - objective.evaluate(X)).toBeGreaterThan((7 / 2) * turnedBest); // the best turn costs less than none
    const scaled = moved(A, 5, 0, 9).data;
    const same = X.slice();
    same.set(scaled);
    expect(anchored.evaluate(same) - objective.evaluate(same)).toBeCloseTo(0, 10);
    const turned = X.slice();
    turned.set(moved(A, 2, Math.PI / 6, 1).data); // the angle between the two is that of the turn: tan² = 1/3
    expect(anchored.evaluate(turned) - objective.evaluate(turned)).toBeCloseTo(7 / 6, 10);
  });

  test("its gradient agrees with central differences", () => {
    for (let k = 0; k < X.length; k++) {
      const [up, down] = [X.slice(), X.slice()];
      up[k] += 1e-5;
      down[k] -= 1e-5;
      expect(gradient[k]).toBeCloseTo((anchored.evaluate(up) - anchored.evaluate(down)) / 2e-5, 7);
    }
  });

  test("a map upside down is infinitely far", () => {
    expect(anchored.evaluate(X.map((x) => -x))).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("a map of digits that grows", () => {
  let points: DenseMatrix;
  let first: Awaited<ReturnType<typeof embed>>;
  beforeAll(async () => {
    points = rowsFrom((await loadDigits()).points, 900, 1300);
    first = await embed(rowsFrom(points, 0, 300));
  });

  test("is as good as a new one, and its old points stay near their places", async () => {
    const before = first.embedding.data.slice();
    const grown = await extendMap(first, rowsFrom(points, 300, 400));
    const fresh = await embed(points);
    expect(grown.klDivergence).toBeLessThan(1.03 * (fresh.klDivergence ?? 0));
    expect(grown.movement.mean).toBeLessThan(0.1);
    expect(movementOf(first.embedding, grown.x).ofEach).toEqual(grown.movement.ofEach);
    expect([...grown.isNew]).toEqual(Array.from({ length: 400 }, (_, n) => Number(n >= 300)));
    expect(grown.embedding).toMatchObject({ rows: 400, columns: 2 });
    expect(first.embedding.data).toEqual(before);
    // One of the new digits is like none of the old ones.
    expect(grown.warnings.filter(({ code }) => code !== "outside")).toEqual([]);
    expect(grown.usable).toBe(true);
  });

  test("over a file it is the same to the bit, and it can be saved and extended again", async () => {
    const batch = rowsFrom(points, 300, 350);
    const [here, loaded] = await Promise.all([
      extendMap(first, batch),
      extendMap(loadMap(saveMap(first)), batch),
    ]);
    expect(loaded.x).toEqual(here.x);
    const again = await extendMap(loadMap(saveMap(here)), rowsFrom(points, 350, 400));
    expect(again.embedding.rows).toBe(400);
    expect(again.movement.ofEach).toHaveLength(350);
    expect((await again.transform(batch)).distances.every((distance) => distance === 0)).toBe(true);
  });

  test("the order of the new rows makes no difference but for rounding, and copies lie where their originals do", async () => {
    const batch = rowsFrom(points, 290, 340); // the first ten are in the map
    const short = { maxEvaluations: 10 };
    const forwards = await extendMap(first, batch, short);
    const order = Int32Array.from({ length: 50 }, (_, i) => 49 - i);
    const backwards = await extendMap(first, selectRows(batch, order), short);
    const size = Math.sqrt(forwards.x.reduce((sum, x) => sum + x * x, 0) / 350);
    for (let i = 0; i < 50; i++)
      for (const c of [0, 1])
        expect(Math.abs(forwards.x[2 * (300 + i) + c] - backwards.x[2 * (349 - i) + c])).toBeLessThan(
          1e-6 * size,
        );
    const whole = await extendMap(first, batch);
    const radius = Math.sqrt(whole.x.reduce((sum, x) => sum + x * x, 0) / 350);
    for (let i = 0; i < 10; i++)
      expect(
        Math.hypot(
          whole.x[2 * (300 + i)] - whole.x[2 * (290 + i)],
          whole.x[2 * (300 + i) + 1] - whole.x[2 * (290 + i) + 1],
        ),
      ).toBeLessThan(0.1 * radius);
  });

  test("less movement is held to, and costs divergence; free, nothing holds the old points", async () => {
    const batch = rowsFrom(points, 300, 400);
    const [usual, little, free] = [
      await extendMap(first, batch),
      await extendMap(first, batch, { movement: 0.01 }),
      await extendMap(first, batch, { movement: "free" }),
    ];
    expect(little.movement.mean).toBeLessThanOrEqual(0.01);
    expect(usual.movement.mean).toBeGreaterThan(little.movement.mean);
    expect(free.movement.mean).toBeGreaterThan(usual.movement.mean);
    expect(little.value).toBeGreaterThan(usual.value ?? 0);
    expect(little.options).toMatchObject({ movement: 0.01 });
  });

  test("a signal ends it: before the descent with its reason, in it with the map so far", async () => {
    const batch = rowsFrom(points, 300, 320);
    const reason = new Error("enough");
    await expect(extendMap(first, batch, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const stopped = await extendMap(first, batch, { onIteration: ({ index }) => index < 3 });
    expect(stopped).toMatchObject({ status: "aborted", iterations: 3 });
    const phases: string[] = [];
    await extendMap(first, batch, { maxEvaluations: 2, onPhase: (phase) => phases.push(phase) });
    expect([...new Set(phases)]).toEqual(["neighbors", "affinities", "initialization", "optimization"]);
    let seen = 0;
    for await (const { iteration } of extendMap.iterate(first, batch, { maxEvaluations: 5 }))
      seen = iteration.index;
    expect(seen).toBeGreaterThan(1);
  });
});

const { points: blobs } = gaussianBlobs({ groups: 3, pointsPerGroup: 20, dimensions: 4, seed: 1 });
const other = gaussianBlobs({ groups: 3, pointsPerGroup: 5, dimensions: 4, seed: 2 }).points;

test.each(["ssne", "sne", "ee", "tee"] as const)("maps by %s grow, too", async (method) => {
  const map = await embed(blobs, { method, perplexity: 8 });
  const grown = await extendMap(map, other);
  expect(grown.movement.mean).toBeLessThan(0.1);
  expect(Number.isFinite(grown.value)).toBe(true);
  expect(grown.klDivergence === undefined).toBe(map.klDivergence === undefined);
});

test.each(["tsne", "ssne", "sne", "ee", "tee"] as const)(
  "old points of a map by %s move as far as they may, where that makes the map better",
  async (method) => {
    const { points } = await loadDigits();
    const [early, late] = [rowsFrom(points, 0, 300), rowsFrom(points, 300, 400)];
    const map = await embed(early, { method });
    const held = await extendMap(map, late, { movement: 0.01 });
    expect(held.movement.mean).toBeGreaterThan(0.005);
    expect(held.movement.mean).toBeLessThanOrEqual(0.01);
    const looser = await extendMap(map, late, { movement: 0.03 });
    expect(Number(looser.value)).toBeLessThan(Number(held.value));
  },
);

test("iterations of several descents are numbered through, and share one time limit", async () => {
  const map = await embed(blobs, { method: "sne", perplexity: 8 });
  const seen: number[] = [];
  const settings = { movement: 0.003, maxEvaluations: 20 };
  const grown = await extendMap(map, other, {
    ...settings,
    history: true,
    onIteration: ({ index }) => seen.push(index),
  });
  expect(grown.evaluations).toBeGreaterThan(20);
  expect(seen).toEqual(Array.from({ length: grown.iterations }, (_, k) => k + 1));
  expect(grown.history.map(({ index }) => index)).toEqual(seen);
  const last = await extendMap(map, other, { ...settings, history: 3 });
  expect(last.history.map(({ index }) => index)).toEqual(seen.slice(-3));
  const none = await extendMap(map, other, settings);
  expect(none.history).toEqual([]);
});

test.each(["cosine", "correlation", "euclidean"] as const)(
  "and by %s, in space, by components and of several perplexities",
  async (metric) => {
    const map = await embed(blobs, { metric, dimensions: 3, pca: 3, perplexity: [5, 10] });
    const grown = await extendMap(map, other);
    expect(grown.embedding.columns).toBe(3);
    expect(grown.options).toMatchObject({ perplexity: [5, 10] });
    expect(grown.movement.mean).toBeLessThan(0.1);
  },
);

describe("refusals", () => {
  const few = [[1, 2, 3, 4]];
  const map = embed(blobs, { perplexity: 5, maxEvaluations: 5 });
  test.each<[string, () => Promise<unknown>, string, string]>([
    [
      "no rows",
      async () => extendMap(await map, { rows: 0, columns: 4, data: new Float64Array(0) }),
      "ERR_SHAPE",
      "at least one row",
    ],
    ["other columns", async () => extendMap(await map, [[1, 2]]), "ERR_SHAPE", "4"],
    ["NaN", async () => extendMap(await map, [[1, 2, 3, Number.NaN]]), "ERR_NON_FINITE", "row 0"],
    [
      "what is no map",
      async () => Reflect.apply(extendMap, undefined, [{}, few]),
      "ERR_ARGUMENT",
      "extendMap takes",
    ],
    [
      "a misspelt option",
      async () => Reflect.apply(extendMap, undefined, [await map, few, { movment: 1 }]),
      "ERR_OPTION",
      "movement",
    ],
    [
      "movement of 0",
      async () => extendMap(await map, few, { movement: 0 }),
      "ERR_OPTION",
      "from 0.001 to 1",
    ],
    [
      "eigenmaps",
      async () => extendMap(await embed(blobs, { method: "laplacian", perplexity: 5 }), few),
      "ERR_ARGUMENT",
      "laplacian",
    ],
    [
      "a map of two points",
      async () =>
        extendMap(
          await embed([
            [1, 2],
            [3, 4],
          ]),
          [[1, 2]],
        ),
      "ERR_SHAPE",
      "2 points",
    ],
    [
      "a map of distances",
      async () =>
        extendMap(
          await embed({
            distances: [
              [0, 1, 2, 3],
              [1, 0, 1, 2],
              [2, 1, 0, 1],
              [3, 2, 1, 0],
            ],
          }),
          few,
        ),
      "ERR_ARGUMENT",
      "initialization",
    ],
  ])("%s", async (_, call, code, words) => {
    const error: unknown = await call().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(CurvatureError);
    expect(error).toMatchObject({ code });
    expect(String(error)).toContain(words);
  });
});

test("the least movement that can be asked for leaves the new points free", async () => {
  const all = clusters(200, 5, 3);
  const part = (from: number, to: number) => ({
    rows: to - from,
    columns: 5,
    data: all.data.slice(5 * from, 5 * to),
  });
  const old = await embed(part(0, 150), { perplexity: 10 });
  const { movement, klDivergence } = await extendMap(old, part(150, 200), { movement: 0.001 });
  expect(movement.mean).toBeLessThanOrEqual(0.001);
  // Not where transform has put them: that is the first evaluation's divergence.
  const { klDivergence: placed } = await extendMap(old, part(150, 200), {
    movement: 0.001,
    maxEvaluations: 1,
  });
  const { klDivergence: loose } = await extendMap(old, part(150, 200), { movement: 0.01 });
  expect(Number(klDivergence)).toBeLessThan(Number(loose) + 0.3 * (Number(placed) - Number(loose)));
});

test("of few points the perplexity was all that they had, and is chosen anew", async () => {
  const all = clusters(200, 5, 4);
  const old = await embed({ rows: 12, columns: 5, data: all.data.slice(0, 60) });
  const grown = await extendMap(old, { rows: 188, columns: 5, data: all.data.slice(60) });
  expect(grown.options).toMatchObject({ perplexity: 30, neighbors: 90 });
  const asked = await embed({ rows: 12, columns: 5, data: all.data.slice(0, 60) }, { perplexity: 3 });
  const kept = await extendMap(asked, { rows: 188, columns: 5, data: all.data.slice(60) });
  expect(kept.options).toMatchObject({ perplexity: 3 });
});

test("a run that is cut while it begins anew has the map that it had, and a warning that the old points moved", async () => {
  const row = (n: number): number[] => [n % 3, Math.sin(n), Math.cos(n)];
  const rows = (from: number, to: number): number[][] =>
    Array.from({ length: to - from }, (_, k) => row(from + k));
  const map = await embed(rows(0, 60), { perplexity: 10 });
  const stop = new AbortController();
  let iterations = 0;
  const { status, movement, klDivergence, warnings } = await extendMap(map, rows(60, 70), {
    signal: stop.signal,
    onIteration: () => {
      if (++iterations === 110) stop.abort();
    },
  });
  const whole = await extendMap(map, rows(60, 70));
  expect(status).toBe("aborted");
  expect(movement.mean).toBeGreaterThan(0.01); // not that of its start
  expect(klDivergence).toBeLessThan(1.5 * (whole.klDivergence ?? Number.NaN));
  expect(warnings.some(({ code }) => code === "movement")).toBe(movement.mean > 0.1);
});
