/** What `embed` refuses, it refuses before it begins with anything. */
import type { DenseMatrix, SparseMatrixLike } from "@curvature/linalg";
import { toSparse } from "@curvature/linalg";
import { describe, expect, test, vi } from "vitest";
import { type EmbedOptions, embedOptions } from "../src/embed-options.js";
import { embedSettings } from "../src/embed-settings.js";
import { embed } from "../src/index.js";
import { clusters } from "./helpers/small.js";

async function refusal(points: SparseMatrixLike, options: object): Promise<unknown> {
  const onPhase = vi.fn();
  const error: unknown = await Reflect.apply(embed, undefined, [
    points,
    { threads: 2, ...options, onPhase },
  ]).then(
    () => "a map",
    (reason: unknown) => reason,
  );
  expect(onPhase).not.toHaveBeenCalled();
  return error;
}

const start = (...entries: number[]): DenseMatrix => {
  const data = new Float64Array(40);
  data.set(entries);
  return { rows: 20, columns: 2, data };
};
const settings = (options: EmbedOptions, points: DenseMatrix) =>
  embedSettings(embedOptions.resolve("embed", options), points);
const many = (rows: number): DenseMatrix => ({ rows, columns: 1, data: new Float64Array(rows).fill(1) });

test.each([
  ["perplexity", { perplexity: 19 }, "ERR_OPTION", "perplexity"],
  ["neighbors", { neighbors: 20 }, "ERR_OPTION", "neighbors"],
  ["dimensions", { dimensions: 20 }, "ERR_OPTION", "dimensions"],
  ["pca", { pca: 6 }, "ERR_OPTION", "pca"],
  ["an unknown method", { method: "umap" }, "ERR_OPTION", "method"],
  ["an unknown solver", { solver: "newton" }, "ERR_OPTION", "solver"],
  ["an unknown gradient", { gradient: "fast" }, "ERR_OPTION", "gradient"],
  ["a gradient of another method", { method: "sne", gradient: "fft" }, "ERR_OPTION", "gradient"],
  ["a start of one point", { initialization: [[1, 2]] }, "ERR_SHAPE", "initialization"],
  ["a start of other dimensions", { dimensions: 3, initialization: start() }, "ERR_SHAPE", "initialization"],
  ["a start in one place", { initialization: start() }, "ERR_ARGUMENT", "initialization"],
  ["a start that is none", { initialization: {} }, "ERR_SHAPE", "initialization"],
  ["NaN in the start", { initialization: start(0, 0, 0, Number.NaN) }, "ERR_NON_FINITE", "row 1, column 1"],
  ["Infinity in the start", { initialization: start(-1 / 0) }, "ERR_NON_FINITE", "row 0, column 0"],
  ["signal", { signal: {} }, "ERR_OPTION", "signal"],
  ["yieldEvery", { yieldEvery: -1 }, "ERR_OPTION", "yieldEvery"],
  ["checkpoint", { checkpoint: {} }, "ERR_OPTION", "checkpoint"],
  ["resume", { resume: "map.ckpt" }, "ERR_OPTION", "resume"],
  ["bytes that are no checkpoint", { resume: new Uint8Array(10) }, "ERR_CHECKPOINT", undefined],
  ["history", { history: -1 }, "ERR_OPTION", "history"],
] as const)("%s", async (_name, options, code, path) => {
  expect(await refusal(clusters(20), options)).toMatchObject({ code, path });
});

test("equal points, where their distances are to be weights", async () => {
  const error = await refusal(many(20), { method: "ee", repulsion: "distance", dimensions: 1 });
  expect(error).toMatchObject({ code: "ERR_OPTION", path: "repulsion" });
});

test("a signal that is aborted already", async () => {
  const reason = new Error("enough");
  expect(await refusal(clusters(20), { signal: AbortSignal.abort(reason) })).toBe(reason);
  const old: unknown = { aborted: true };
  expect(await refusal(clusters(20), { signal: old as AbortSignal })).toMatchObject({ name: "AbortError" });
});

test("whatever can say whether it is aborted is a signal", async () => {
  const signal: unknown = { aborted: false };
  const map: unknown = await Reflect.apply(embed, undefined, [clusters(20), { signal, maxEvaluations: 5 }]);
  expect(map).toMatchObject({ usable: true });
});

describe("an entry whose squared distances overflow is named", () => {
  const points = clusters(20);
  points.data[17] = 1e200;
  const expected = {
    code: "ERR_NON_FINITE",
    path: "row 3, column 2",
    message: expect.stringContaining("points has 1e+200 at row 3, column 2"),
  };

  test.each([
    {},
    { neighbors: "all" },
    { neighbors: 5 },
    { pca: 2 },
    { method: "ee", repulsion: "distance" },
    { method: "laplacian" },
  ])("%j", async (options) => {
    expect(await refusal(points, options)).toMatchObject(expected);
  });

  test("in sparse points", async () => {
    expect(await refusal(toSparse(points), { pca: 2 })).toMatchObject(expected);
  });

  test("and no entry is refused of which all that is made is finite", async () => {
    const most = Math.sqrt(Number.MAX_VALUE) / 8 / 20 / 5;
    const large = { ...points, data: clusters(20).data.map((x) => (x > 0 ? most : -most)) };
    for (const options of [{}, { neighbors: 5 }, { pca: 2 }, { method: "ee" }] as const)
      expect((await embed(large, { ...options, maxEvaluations: 5 })).usable).toBe(true);
  });
});

describe("memory", () => {
  test("neighbours take 60 bytes each: 90 for up to 795,364 points", async () => {
    expect(settings({}, many(795_364)).neighbors).toBe(90);
    expect(await refusal(many(800_000), {})).toMatchObject({
      code: "ERR_MEMORY",
      path: "points",
      received: 4_320_000_000,
      message: expect.stringContaining(
        "embed: 800000 points take 4320000000 bytes (4.02 GiB), more than 4 GiB. Lower neighbors or perplexity",
      ),
    });
    expect(() => settings({}, many(795_365))).toThrow("4 GiB");
    expect(settings({ neighbors: 89 }, many(800_000)).neighbors).toBe(89);
  });

  test.each([
    [16_384, 2, { neighbors: "all" }],
    [16_384, 2, { perplexity: 5500 }],
    [13_377, 3, { neighbors: "all", method: "sne" }],
    [13_377, 3, { neighbors: "all", initialization: "laplacian" }],
    [10_362, 5, { neighbors: "all", method: "ee", repulsion: "distance", solver: "sdminus" }],
  ] as const)("up to %i points have room for %i full matrices: %j", async (most, matrices, options) => {
    const points = many(most + 1);
    points.data[0] = 2;
    const fewer = { ...points, rows: most, data: points.data.subarray(0, most) };
    expect(() => settings(options, fewer)).not.toThrow();
    expect(await refusal(points, options)).toMatchObject({
      code: "ERR_MEMORY",
      path: "points",
      received: 8 * matrices * (most + 1) ** 2,
      message: expect.stringContaining(`embed: ${most + 1} points take`),
    });
  });

  test("one matrix beside neighbours", async () => {
    const points = many(23_171);
    points.data[0] = 2;
    expect(await refusal(points, { method: "ee", repulsion: "distance" })).toMatchObject({ path: "points" });
    expect(await refusal(points, { solver: "sdminus" })).toMatchObject({ path: "points" });
  });
});
