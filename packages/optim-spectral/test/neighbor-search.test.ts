import { fillNormal, RandomGenerator } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { searchReport } from "../src/embedding-problem.js";
import { embed } from "../src/index.js";

/** Six clusters in 40 dimensions: enough work for some steps. */
function points(rows: number): { rows: number; columns: number; data: Float64Array } {
  const random = new RandomGenerator(3);
  const data = new Float64Array(rows * 40);
  fillNormal(random, data);
  for (let i = 0; i < rows; i++) data[i * 40 + (i % 6)] += 12;
  return { rows, columns: 40, data };
}

describe("the search for neighbours", () => {
  const data = points(2000);
  const quick = { perplexity: 5, maxEvaluations: 3 };

  test("tells its phases in order, and the share that is done", { tags: ["full"] }, async () => {
    const heard: string[] = [];
    const shares: number[] = [];
    const result = await embed(data, {
      ...quick,
      onPhase: (phase, share) => (share === undefined ? heard.push(phase) : shares.push(share)),
    });
    expect(heard).toEqual(["neighbors", "affinities", "initialization", "optimization"]);
    expect(shares.length).toBeGreaterThan(2);
    expect(shares.every((share) => share >= 0 && share < 1)).toBe(true);
    expect(result.neighborRecall).toBe(1);
    expect(result.options).toMatchObject({ neighborSearch: "exact" });
  });

  test("gives way to a signal on the way", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    let after = 0;
    const run = embed(data, {
      ...quick,
      signal: controller.signal,
      onPhase: (_phase, share) => {
        if (controller.signal.aborted) after++;
        if (share !== undefined) controller.abort(reason);
      },
    });
    await expect(run).rejects.toBe(reason);
    expect(after).toBe(0);
  });

  test("approximate: nearly the same affinities, the recall told, the same map from the same seed", {
    tags: ["full"],
  }, async () => {
    const exact = await embed(data, quick);
    const result = await embed(data, { ...quick, neighborSearch: "approximate" });
    expect(result.options).toMatchObject({ neighborSearch: "approximate" });
    expect(result.neighborRecall).toBeGreaterThan(0.95);
    expect(result.neighborRecall).toBeLessThanOrEqual(1);
    expect(result.warnings).toEqual(exact.warnings);
    const again = await embed(data, { ...quick, neighborSearch: "approximate" });
    expect(again.embedding).toEqual(result.embedding);
  });

  test("all pairs have no recall; a search that is none is refused", async () => {
    const result = await embed(points(30), { ...quick, neighbors: "all", neighborSearch: "approximate" });
    expect(result.neighborRecall).toBeUndefined();
    const misspelt: object = { neighborSearch: "fast" };
    await expect(embed(points(30), misspelt)).rejects.toThrowError("neighborSearch must be one of");
  });

  test("a search that was given up, and one that found little, are told of; one that found enough is not", () => {
    const lists = { count: 1, indices: new Int32Array(2), distances: new Float64Array(2) };
    const approximate = { ...lists, search: "approximate" as const, abandonedRecall: undefined };
    expect(searchReport({ ...approximate, recall: 0.97 }).warnings).toEqual([]);
    expect(searchReport({ ...approximate, recall: 0.764 }).warnings[0]).toContain("found only 76 %");
    const given = searchReport({ ...lists, search: "exact", recall: 1, abandonedRecall: 0.257 });
    expect(given).toMatchObject({ neighborSearch: "exact", neighborRecall: 1 });
    expect(given.warnings[0]).toContain("given up at 25 %");
  });
});
