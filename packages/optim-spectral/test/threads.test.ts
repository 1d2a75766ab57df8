import { fillNormal, RandomGenerator } from "@curvature/linalg";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type EmbedOptions, embed } from "../src/index.js";

afterEach(() => vi.restoreAllMocks());

function points(rows: number) {
  const data = new Float64Array(rows * 4);
  fillNormal(new RandomGenerator(8), data);
  return { rows, columns: 4, data };
}

const short: EmbedOptions = { gradient: "exact", perplexity: 5, maxEvaluations: 8, seed: 2 };

describe.each(["tsne", "ssne", "tee"] as const)("%s", (method) => {
  test("any number of threads makes the same map", async () => {
    const options = { ...short, method, repulsion: "constant" } as const;
    const one = await embed(points(820), options);
    expect(one.options["threads"]).toBe(1);
    for (const threads of [2, 3]) {
      const more = await embed(points(820), { ...options, threads });
      expect(more.options["threads"]).toBe(threads);
      expect(more.warnings).toEqual(one.warnings);
      expect(more.embedding).toEqual(one.embedding);
      expect(more.value).toBe(one.value);
    }
  });
});

describe.each([
  { method: "tsne", gradient: "barnes-hut" },
  { method: "ssne", gradient: "fft" },
  { method: "ee", gradient: "fft", repulsion: "constant" },
] as const)("$method by $gradient", (options) => {
  test("any number of threads makes the same map", async () => {
    const one = await embed(points(2000), { ...short, ...options });
    for (const threads of [2, 4]) {
      const more = await embed(points(2000), { ...short, ...options, threads });
      expect(more.options["threads"]).toBe(threads);
      expect(more.warnings).toEqual(one.warnings);
      expect(more.embedding).toEqual(one.embedding);
      expect(more.value).toBe(one.value);
    }
  });
});

test("a map that is called off leaves no thread at its search", async () => {
  const stop = new AbortController();
  const stores = vi.spyOn(Atomics, "store");
  const aborted = embed(points(3000), {
    ...short,
    threads: 2,
    signal: stop.signal,
    onPhase: (_phase, share) => share !== undefined && stop.abort(new Error("enough")),
  });
  await expect(aborted).rejects.toThrowError("enough");
  expect(stores.mock.calls.some(([, place, value]) => place === 4 && Number(value) === 1)).toBe(true); // stopped, by `SharedUnits`
});

test("where they cannot help, none are started", async () => {
  for (const options of [{ gradient: "fft" }, { dimensions: 3 }, { method: "sne" }] as const) {
    const { options: used, warnings } = await embed(points(820), { ...short, threads: 2, ...options });
    expect(used["threads"]).toBe(1);
    expect(warnings).toEqual([]);
  }
  const few = await embed(points(60), { ...short, threads: 2 });
  expect(few.options["threads"]).toBe(1);
});

test("without worker threads one does it all, and says so once", async () => {
  const one = await embed(points(820), short);
  const modules = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  const alone = await embed(points(820), { ...short, threads: 2 });
  modules.mockRestore();
  expect(alone.embedding).toEqual(one.embedding);
  expect(alone.options["threads"]).toBe(1);
  expect(alone.warnings).toEqual([
    "The work is done by one thread, since this engine has no worker threads.",
  ]);
});

test("what is no number of threads is refused", async () => {
  for (const threads of [0, 1.5, 33, Number.NaN, Number.POSITIVE_INFINITY, "all", null])
    await expect(Reflect.apply(embed, undefined, [points(20), { threads }])).rejects.toMatchObject({
      code: "ERR_OPTION",
      path: "threads",
    });
});

test("without memory in common the result says one thread", async () => {
  vi.stubGlobal("SharedArrayBuffer", undefined);
  const alone = await embed(points(2000), { ...short, gradient: "fft", threads: 2 });
  vi.unstubAllGlobals();
  expect(alone.options["threads"]).toBe(1);
  expect(alone.warnings).toContain(
    "The work is done by one thread, since this engine has no SharedArrayBuffer.",
  );
});
