import { loadDigits } from "@curvature/datasets/digits";
import { applyScaling, fitScaling, principalComponents, RandomGenerator, toSparse } from "@curvature/linalg";
import { numericPreparation } from "@curvature/linalg/tables";
import { decodeModel, encodeModel } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { embed, loadMap, type PlacedPoints, saveMap } from "../src/index.js";
import { MapModel } from "../src/map-model.js";
import { clusters, iterativeMethods } from "./helpers/small.js";

const bits = ({ embedding, distances, quantiles, outside }: PlacedPoints) => ({
  embedding,
  distances,
  quantiles,
  outside,
});

function modelIn(model: MapModel | undefined): MapModel {
  if (model === undefined) throw new Error("no model");
  return model;
}

describe("a map that is saved and loaded", () => {
  test.each([
    ...[...iterativeMethods, "laplacian" as const].map((method) => [method, { method }] as const),
    ["all neighbours", { neighbors: "all" }],
    ["components", { pca: 3, neighbors: 20, perplexity: 6 }],
    ["a line", { dimensions: 1 }],
    ["space", { dimensions: 3, gradient: "barnes-hut" }],
    ["cells", { gradient: "barnes-hut" }],
  ] as const)("places new points bit by bit as before: %s", async (name, options) => {
    const result = await embed(clusters(name === "cells" || name === "space" ? 320 : 40), {
      ...options,
      maxEvaluations: 20,
    });
    const loaded = loadMap(saveMap(result));
    const fresh = clusters(7, 5, 9);
    expect(bits(await loaded.transform(fresh))).toEqual(bits(await result.transform(fresh)));
    expect(saveMap(loaded)).toEqual(saveMap(result));
    expect(saveMap(result)).toEqual(saveMap({ model: result.model }));
  });

  test("of sparse points, too", async () => {
    const result = await embed(toSparse(clusters(40)), { pca: 3, maxEvaluations: 20 });
    const fresh = toSparse(clusters(7, 5, 9));
    expect(bits(await loadMap(saveMap(result)).transform(fresh))).toEqual(
      bits(await result.transform(fresh)),
    );
  });

  test("treats new rows as its own were treated before", async () => {
    const raw = clusters(60);
    for (let k = 0; k < raw.data.length; k += 5) raw.data[k] *= 1000;
    const scaling = fitScaling(raw, "standard");
    const scaled = applyScaling(scaling, raw);
    const components = principalComponents(scaled, { count: 3 });
    const result = await embed(components.scores, { maxEvaluations: 20 });
    const loaded = loadMap(saveMap(result, { scaling, components }));
    expect(loaded.columns).toBe(5);
    const { distances, embedding } = await loaded.transform(raw);
    expect(Math.max(...distances)).toBeLessThan(1e-12);
    const { embedding: expected } = await result.transform(components.scores);
    for (const [k, x] of embedding.data.entries()) expect(x).toBeCloseTo(expected.data[k], 9);
  });

  test("knows how a table became rows, if it is told", async () => {
    const result = await embed(clusters(20, 2), { maxEvaluations: 5 });
    const preparation = numericPreparation(2);
    expect(loadMap(saveMap(result, { preparation })).parts.preparation).toEqual(preparation);
    expect(() => saveMap(result, { preparation: numericPreparation(3) })).toThrow("of 2 columns");
    expect(() => saveMap(result, { scaling: fitScaling(clusters(9, 3), "standard") })).toThrow(
      "of 2 columns",
    );
    const components = principalComponents(clusters(9, 4), { count: 3 });
    expect(() => saveMap(result, { components })).toThrow("those 2 whose scores embed was given");
  });

  test("is what embed returned, or nothing", () => {
    for (const other of [undefined, null, {}, { model: {} }, [[1, 2]]])
      expect(() => Reflect.apply(saveMap, undefined, [other])).toThrow("saveMap takes what embed returned");
  });
});

describe("a damaged map", () => {
  const saved = embed(clusters(20), { maxEvaluations: 5 }).then((result) => saveMap(result));

  test("is refused, whichever byte was changed, and wherever it was cut", async () => {
    const bytes = await saved;
    const random = new RandomGenerator(3);
    for (let trial = 0; trial < 400; trial++) {
      const at = random.integer(bytes.length);
      const damaged = bytes.slice();
      damaged[at] ^= 1 + random.integer(255);
      expect(() => loadMap(damaged), `byte ${at}`).toThrow(expect.objectContaining({ code: "ERR_PARSE" }));
      expect(() => loadMap(bytes.subarray(0, at)), `cut at ${at}`).toThrow(
        expect.objectContaining({ code: "ERR_PARSE" }),
      );
    }
  });

  test("or of another version, another kind, or with fields that it cannot have", async () => {
    const bytes = await saved;
    const form = { format: "curvature-map", version: 1 };
    const { fields, numbers } = decodeModel(form, bytes);
    const { format: _, version: __, numbers: ___, ...description } = Object.fromEntries(fields);
    const refused = (change: object, words: string, values = numbers, kind = form): void =>
      expect(() => loadMap(encodeModel(kind, { ...description, ...change }, values))).toThrow(words);
    expect(loadMap(encodeModel(form, description, numbers)).columns).toBe(5);
    refused({}, "is of version 2; this library reads version 1", numbers, { ...form, version: 2 });
    refused({}, "is not of this kind", numbers, { ...form, format: "curvature-cluster-model" });
    refused({}, "numbers and has others", numbers.subarray(1));
    refused(
      {},
      "not finite",
      numbers.map((x, k) => (k === 7 ? Number.NaN : x)),
    );
    refused(
      {},
      "ascending order",
      numbers.map((x, k) => (k === numbers.length - 1 ? 0 : x)),
    );
    refused({ points: 2 }, "number of points");
    refused({ columns: -5 }, "number of columns");
    refused({ dimensions: 2.5 }, "number of dimensions");
    refused({ gaps: "20" }, "number of gaps");
    refused({ metric: "manhattan" }, "unknown metric");
    refused({ scaling: { method: "log", columns: 5 } }, "unknown scaling");
    refused({ projection: { columns: 5, full: [9] } }, "principal components");
    refused({ preparation: { columns: 3 } }, "preparation");
    const settings = (change: object) => ({ settings: { ...Object(description["settings"]), ...change } });
    refused({ settings: null }, "settings");
    refused(settings({ method: "umap" }), "settings");
    refused(settings({ perplexity: 40 }), "perplexity");
    refused(settings({ neighbors: "auto" }), "settings");
    refused(settings({ neighbors: 21 }), "perplexity");
    refused(settings({ lambda: null }), "settings");
  });
});

describe("new points", () => {
  const N = 60;
  const known = clusters(N);
  const result = embed(known, { maxEvaluations: 60 });

  test("say how far they lie from the known ones, against a count of pairs", async () => {
    const { model } = await result;
    const fresh = clusters(9, 5, 4);
    const rows = (at: number, { columns, data }: typeof known) =>
      data.subarray(at * columns, (at + 1) * columns);
    const apart = (a: Float64Array, b: Float64Array) => Math.hypot(...a.map((x, j) => x - b[j]));
    const own = Array.from({ length: N }, (_, n) =>
      Math.min(
        ...Array.from({ length: N }, (_m, m) => (m === n ? Infinity : apart(rows(n, known), rows(m, known)))),
      ),
    );
    const { distances, quantiles, outside, warnings } = await modelIn(model).transform(fresh);
    for (let i = 0; i < 9; i++) {
      const nearest = Math.min(...own.map((_, n) => apart(rows(i, fresh), rows(n, known))));
      expect(distances[i]).toBeCloseTo(nearest, 12);
      expect(quantiles[i]).toBe(own.filter((gap) => gap < distances[i]).length / N);
      expect(outside[i]).toBe(Number(distances[i] > Math.max(...own)));
    }
    const all = outside.reduce((sum, each) => sum + each, 0);
    expect(warnings.map(({ code }) => code)).toEqual(all === 0 ? [] : ["outside"]);
  });

  test("a million times too large are placed, and flagged", async () => {
    const { transform, embedding } = await result;
    const {
      embedding: placed,
      outside,
      quantiles,
      warnings,
    } = await transform([[1e6, 2e6, -3e6, 1e6, 0], [...known.data.subarray(0, 5)]]);
    expect([...outside]).toEqual([1, 0]);
    expect([...quantiles]).toEqual([1, 0]);
    expect(warnings[0]?.message).toMatch(/^New point 0 \(counted from 0\) lies farther/);
    const reach = Math.max(...embedding.data.map(Math.abs));
    for (const x of placed.data) expect(Math.abs(x)).toBeLessThan(6 * reach);
  });

  test("one alone, none, and a whole table of copies have places", async () => {
    const { transform } = await result;
    expect((await transform([[1, 2, 3, 4, 5]])).embedding.rows).toBe(1);
    expect((await transform([])).warnings).toEqual([]);
    const copies = Array.from({ length: 5 }, () => [...known.data.subarray(0, 5)]);
    const { embedding } = await transform(copies);
    for (let k = 2; k < 10; k++) expect(embedding.data[k]).toBe(embedding.data[k % 2]);
  });

  test("of points that are all the same are inside only where they are the same, too", async () => {
    const { transform } = await embed(new Array(12).fill([1, 2]), { maxEvaluations: 5 });
    const { quantiles } = await transform([
      [1, 2],
      [1, 3],
    ]);
    expect([...quantiles]).toEqual([0, 1]);
  });

  test("end where the signal says so: at once, and later", async () => {
    const { transform } = await result;
    const reason = new Error("enough");
    await expect(transform(known, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const phases: string[] = [];
    const controller = new AbortController();
    const onPhase = (phase: string): void => {
      phases.push(phase);
      if (phase === "placement") controller.abort(reason);
    };
    await expect(transform(known, { signal: controller.signal, onPhase })).rejects.toBe(reason);
    expect(phases).toContain("neighbors");
    expect(phases.at(-1)).toBe("placement");
    await expect(Reflect.apply(transform, undefined, [known, { signall: 1 }])).rejects.toThrow("signall");
  });

  test("leave the event loop its turns", async () => {
    const { transform } = await embed(clusters(2500), { maxEvaluations: 10 });
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const shares: number[] = [];
    await transform(clusters(1500, 5, 2), {
      onPhase: (_, share) => share !== undefined && shares.push(share),
    });
    isOver = true;
    expect(turns).toBeGreaterThan(20);
    expect(shares.length).toBeGreaterThan(20);
    for (const share of shares) expect(share >= 0 && share <= 1).toBe(true);
  });
});

test("what was done before must be what it says", async () => {
  const result = await embed(clusters(20), { maxEvaluations: 5 });
  const save = (before: object) => () => Reflect.apply(saveMap, undefined, [result, before]);
  expect(save({ scalings: undefined })).toThrowError(/scaling/);
  expect(save({ scaling: {} })).toThrowError(/what fitScaling gave/);
  expect(save({ components: {} })).toThrowError(/what principalComponents gave/);
  expect(save({ preparation: 3 })).toThrowError(/what prepare gave/);
});

test("cells of points place new ones where the exact sum does, nearly", async () => {
  const known = clusters(1200);
  const options = { maxEvaluations: 50 } as const;
  for (const method of ["tsne", "ssne", "ee"] as const) {
    const { parts } = modelIn((await embed(known, { ...options, method, repulsion: "constant" })).model);
    const { settings, places } = parts;
    const exact = new MapModel({ ...parts, settings: { ...settings, gradient: "exact" } });
    const byCells = new MapModel({ ...parts, settings: { ...settings, gradient: "barnes-hut" } });
    const fresh = clusters(40, 5, 3);
    const [a, b] = [await exact.transform(fresh), await byCells.transform(fresh)];
    const reach = Math.max(...places.data.map(Math.abs));
    const off = a.embedding.data.map((x, k) => Math.abs(x - b.embedding.data[k]) / reach).sort();
    expect(off[Math.floor(0.9 * off.length)], method).toBeLessThan(0.01);
  }
});

test("copies of known points land beside these", async () => {
  const { points, labels } = await loadDigits();
  const known = { rows: 700, columns: 64, data: points.data.slice(0, 700 * 64) };
  const { embedding, transform } = await embed(known);
  const placed = (await transform(known)).embedding;
  const reach = Math.max(...embedding.data.map(Math.abs));
  const off = Array.from({ length: 700 }, (_, n) =>
    Math.hypot(
      placed.data[2 * n] - embedding.data[2 * n],
      placed.data[2 * n + 1] - embedding.data[2 * n + 1],
    ),
  ).sort((a, b) => a - b);
  expect(off[350] / reach).toBeLessThan(0.02);
  expect(off[665] / reach).toBeLessThan(0.1);

  // Digits that the map has not seen stand beside their like.
  const fresh = { rows: 1097, columns: 64, data: points.data.slice(700 * 64) };
  const { embedding: places } = await transform(fresh);
  let right = 0;
  for (let i = 0; i < 1097; i++) {
    let [best, nearest] = [Number.POSITIVE_INFINITY, 0];
    for (let n = 0; n < 700; n++) {
      const distance =
        (places.data[2 * i] - embedding.data[2 * n]) ** 2 +
        (places.data[2 * i + 1] - embedding.data[2 * n + 1]) ** 2;
      if (distance < best) [best, nearest] = [distance, n];
    }
    right += Number(labels[700 + i] === labels[nearest]);
  }
  expect(right / 1097).toBeGreaterThan(0.9);
});
