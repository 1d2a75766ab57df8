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

describe.each([
  { method: "tsne", gradient: "exact" },
  { method: "ssne", gradient: "exact" },
  { method: "tee", gradient: "exact" },
  { method: "tsne", gradient: "single" },
  { method: "ssne", gradient: "single" },
] as const)("$method, $gradient", (one) => {
  test("any number of threads makes the same map", { tags: ["full"] }, async () => {
    const options = { ...short, ...one, repulsion: "constant" } as const;
    const alone = await embed(points(820), options);
    expect(alone.options["threads"]).toBe(1);
    for (const threads of [2, 3]) {
      const more = await embed(points(820), { ...options, threads });
      expect(more.options["threads"]).toBe(threads);
      expect(more.warnings).toEqual(alone.warnings);
      expect(more.embedding).toEqual(alone.embedding);
      expect(more.value).toBe(alone.value);
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

test("affinities of a million neighbours are shared, and the map is the same", {
  tags: ["full"],
}, async () => {
  const options = { ...short, gradient: "fft", neighborSearch: "approximate", solver: "fp" } as const;
  const started = async (neighbors: number): Promise<unknown> => {
    const one = await embed(points(4200), { ...options, neighbors });
    const more = await embed(points(4200), { ...options, neighbors, threads: 3 });
    expect(more.warnings).toEqual(one.warnings);
    expect(more.embedding).toEqual(one.embedding);
    return more.options["threads"];
  };
  expect(await started(15)).toBe(2); // for the sums
  expect(await started(240)).toBe(3);
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

test("where they cannot help, none are started", { tags: ["full"] }, async () => {
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
  expect(alone.warnings.map(({ message }) => message)).toEqual([
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
  expect(alone.warnings.map(({ message }) => message)).toContain(
    "The work is done by one thread, since this engine has no SharedArrayBuffer.",
  );
});

describe("threads that do not start are not counted", () => {
  /** Worker threads of which the first few are Node's, and the others do as they are told. */
  function workersUpTo(most: number, other: new () => object): void {
    const real = process.getBuiltinModule.bind(process);
    const { Worker } = real("node:worker_threads");
    let count = 0;
    const Mixed = new Proxy(Worker, {
      construct: (Real, parts) => (count++ < most ? Reflect.construct(Real, parts) : new other()),
    });
    vi.spyOn(process, "getBuiltinModule").mockImplementation((name: string) =>
      name === "node:worker_threads" ? { Worker: Mixed } : Reflect.apply(real, process, [name]),
    );
  }

  /** Ends as Node says it: by an error, and then by its exit code. */
  class Failing {
    on(event: string, listener: (value: unknown) => void): void {
      setImmediate(() => listener(event === "error" ? new Error("no room") : 1));
    }
    unref(): void {}
  }

  class Refused {
    constructor() {
      throw new Error("no thread");
    }
  }

  const byPairs = { points: 820, options: short };
  const byCrew = { points: 2000, options: { ...short, gradient: "fft" } as const };

  test.each([
    { ...byPairs, most: 1, other: Failing, started: 2, reason: "a thread ended: no room" },
    { ...byPairs, most: 0, other: Failing, started: 1, reason: "a thread ended: no room" },
    { ...byPairs, most: 1, other: Refused, started: 1, reason: "no thread" },
    { ...byCrew, most: 0, other: Failing, started: 1, reason: "a thread ended: no room" },
    { ...byCrew, most: 1, other: Refused, started: 2, reason: "no thread" },
    { ...byCrew, most: 0, other: Refused, started: 1, reason: "no thread" },
  ])(
    "$points points, $most of 2: $reason",
    { tags: ["full"] },
    async ({ points: N, options, most, other, started, reason }) => {
      const one = await embed(points(N), options);
      workersUpTo(most, other);
      const { embedding, options: used, warnings } = await embed(points(N), { ...options, threads: 3 });
      expect(embedding).toEqual(one.embedding);
      expect(used["threads"]).toBe(started);
      expect(warnings.map(({ message }) => message).join()).toContain(reason);
    },
  );

  test("nor those for which there was no work", { tags: ["full"] }, async () => {
    const approximate = { ...short, neighborSearch: "approximate", dimensions: 3, threads: 3 } as const;
    expect((await embed(points(2000), approximate)).options["threads"]).toBe(1);
    const { options } = await embed(points(2000), { ...approximate, gradient: "barnes-hut" });
    expect(options["threads"]).toBe(2);
  });
});
