import { describe, expect, test } from "vitest";
import { type EmbedOptions, embed, knnPreservation } from "../src/index.js";
import { digits } from "./helpers/reference.js";
import { allFinite, clusters, iterativeMethods, solvers } from "./helpers/small.js";

describe("the default recipe on the digits", () => {
  test("reaches KL 0.735 and keeps 0.58 of the ten nearest neighbours in 100 evaluations", {
    tags: ["full"],
  }, async () => {
    const points = digits();
    const result = await embed(points);
    expect(result.klDivergence).toBeLessThanOrEqual(0.735);
    expect(knnPreservation(points, result.embedding).value).toBeGreaterThanOrEqual(0.58);
    expect(result.evaluations).toBeLessThanOrEqual(100);
    expect(result.status).toBe("max-evaluations");
    expect(result.usable).toBe(true);
    expect(result.warnings).toEqual([]);
    expect(result.options).toMatchObject({ solver: "auto", perplexity: 30, neighbors: 90, lambda: 1 });
    for (const seconds of Object.values(result.phases)) expect(seconds).toBeGreaterThan(0);
  });
});

test.each([
  ["ee", 3.217],
  ["ssne", 12.297],
] as const)(
  "the recipe for %s brings E on the digits below %d in 100 evaluations",
  { tags: ["full"] },
  async (method, most) => {
    const { value, evaluations } = await embed(digits(), { method, repulsion: "constant" });
    expect(value).toBeLessThanOrEqual(most);
    expect(evaluations).toBe(100);
  },
);

describe.each(iterativeMethods)("%s", (method) => {
  test.each(solvers)(
    "by %s gives a map below its start, the same for the same seed",
    { tags: ["full"] },
    async (solver) => {
      const points = clusters(40);
      const options: EmbedOptions = { method, solver, maxIterations: 60, history: true, seed: 3 };
      const result = await embed(points, options);
      expect(result.embedding.rows).toBe(40);
      expect(result.embedding.columns).toBe(2);
      expect(allFinite(result.embedding)).toBe(true);
      const first = result.history[0];
      expect(result.value).toBeLessThan(first.value ?? Number.NaN);
      expect(result.usable).toBe(true);
      if (method === "ee" || method === "tee") expect(result.klDivergence).toBeUndefined();
      else expect(result.klDivergence).toBeGreaterThan(0);
      const again = await embed(points, options);
      expect(again.embedding.data).toEqual(result.embedding.data);
    },
  );

  test("the recipe ends lower than the spectral direction in as many evaluations", {
    tags: ["full"],
  }, async () => {
    const points = clusters(120);
    const auto = await embed(points, { method });
    const sd = await embed(points, { method, solver: "sd", maxEvaluations: 100, tolerance: 0 });
    expect(auto.value).toBeLessThanOrEqual((sd.value ?? Number.NaN) + 1e-6 * Math.abs(sd.value ?? 0));
  });
});

describe("options change what they say", () => {
  const points = clusters(40);

  test("perplexity falls for few points", async () => {
    expect((await embed(clusters(12))).options).toMatchObject({ perplexity: 11 / 3, neighbors: "all" });
    expect((await embed(clusters(3))).options).toMatchObject({ perplexity: 1.5 });
  });

  test("initialization: every kind, and a map of one's own as it is", async () => {
    const seen = new Set<string>();
    for (const initialization of ["pca", "laplacian", "random"] as const)
      seen.add((await embed(points, { initialization, maxEvaluations: 2 })).last.join());
    const data = Float64Array.from({ length: 80 }, (_, k) => k / 80);
    const own = await embed(points, {
      initialization: { rows: 40, columns: 2, data },
      solver: "sd",
      maxEvaluations: 1,
      maxIterations: 1,
    });
    seen.add(own.last.join());
    expect(seen.size).toBe(4);
    expect(data[79]).toBe(79 / 80);
  });

  test("maxEvaluations is the length of the recipe's schedule, and a limit for the others", async () => {
    const auto = await embed(points, { maxEvaluations: 37, history: true });
    expect(auto.evaluations).toBe(37);
    expect(auto.history.at(-1)?.details.lambda).toBe(1);
    const sd = await embed(points, { solver: "sd", maxEvaluations: 12, tolerance: 0 });
    expect(sd.status).toBe("max-evaluations");
  });

  test("the recipe never makes more evaluations than it was given", async () => {
    for (const method of iterativeMethods)
      for (const N of [4, 5, 6, 9])
        for (const maxEvaluations of [1, 2, 7, 20, 60, 100]) {
          const { evaluations } = await embed(clusters(N), { method, maxEvaluations });
          expect(evaluations, `${method} ${N} ${maxEvaluations}`).toBeLessThanOrEqual(maxEvaluations);
        }
  });

  test("a lambda of one's own costs the divergence an evaluation that only watches", async () => {
    const known = await embed(points, { maxEvaluations: 9 });
    expect(known.monitoringEvaluations).toBe(0);
    const other = await embed(points, { maxEvaluations: 9, lambda: 0.5 });
    expect(other).toMatchObject({ evaluations: 9, monitoringEvaluations: 1 });
    expect(other.klDivergence).toBeGreaterThan(0);
  });

  test("only limits that are set are among the stopping rules", async () => {
    expect((await embed(points, { maxEvaluations: 9 })).options.stop).toBe("evaluations >= 9");
    expect((await embed(points, { solver: "sd", maxIterations: 5, tolerance: 0 })).options.stop).toBe(
      "iterations >= 5",
    );
    const all: EmbedOptions = { solver: "sd", maxIterations: 5, maxEvaluations: 50, maxSeconds: 60 };
    expect((await embed(points, all)).options.stop).toBe(
      "iterations >= 5 or evaluations >= 50 or " +
        "(relative decrease of the value <= 0.00001 and relative change of the point <= 0.00001) or " +
        "elapsed seconds >= 60",
    );
  });

  test("the homotopy has ten times the iterations", async () => {
    const options: EmbedOptions = { solver: "sd", homotopy: true };
    const { options: used, value } = await embed(clusters(20), options);
    expect(used).toMatchObject({ maxIterations: 10000 });
    const auto = await embed(clusters(20));
    expect(value).toBeLessThan(1.01 * (auto.value ?? Number.NaN));
  });

  test("tolerance ends the paper's solvers, and the recipe only at the end of its lambda", async () => {
    const fp = await embed(points, { method: "ssne", solver: "sd-lbfgs", tolerance: 1e-3 });
    expect(fp.status).toBe("converged");
    const auto = await embed(points, { method: "ssne", tolerance: 0.5, history: true });
    expect(auto.status).toBe("converged");
    expect(auto.history.at(-1)?.details.lambda).toBe(1);
    expect(auto.history.slice(0, -1).every(({ details }) => details.lambda < 1)).toBe(true);
  });

  test("seed, kappa, neighbors, repulsion, pca, lambda and homotopy each lead to another map", async () => {
    const base: EmbedOptions = { method: "ee", solver: "sd", perplexity: 5, maxIterations: 5 };
    const variants: readonly EmbedOptions[] = [
      base,
      { ...base, seed: 1 },
      { ...base, kappa: 2 },
      { ...base, neighbors: 8 },
      { ...base, repulsion: "constant" },
      { ...base, pca: 2 },
      { ...base, lambda: 10 },
      { ...base, homotopy: true },
    ];
    const maps = new Set<string>();
    for (const options of variants) maps.add((await embed(points, options)).last.join());
    expect(maps.size).toBe(variants.length);
  });

  test("maxSeconds", async () => {
    expect((await embed(points, { solver: "sd", maxSeconds: 0 })).status).toBe("time-limit");
  });
});
