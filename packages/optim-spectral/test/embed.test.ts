import type { DenseMatrix } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { type EmbeddingSolver, type EmbedOptions, embed, knnPreservation } from "../src/index.js";
import { digits } from "./helpers/reference.js";
import { clusters, iterativeMethods, noise } from "./helpers/small.js";

const solvers: readonly EmbeddingSolver[] = [
  "auto",
  "sd",
  "sd-lbfgs",
  "sdminus",
  "fp",
  "diagh",
  "gd",
  "cg",
  "lbfgs",
];
const allFinite = (map: DenseMatrix): boolean => map.data.every(Number.isFinite);

describe("the default recipe on the digits", () => {
  test("reaches KL 0.735 and keeps 0.58 of the ten nearest neighbours in 100 evaluations", async () => {
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
  }, 60_000);
});

describe.each(iterativeMethods)("%s", (method) => {
  test.each(solvers)("by %s gives a map below its start, the same for the same seed", async (solver) => {
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
  });

  test("the recipe ends lower than the spectral direction in as many evaluations", async () => {
    const points = clusters(120);
    const auto = await embed(points, { method });
    const sd = await embed(points, { method, solver: "sd", maxEvaluations: 100, tolerance: 0 });
    expect(auto.value).toBeLessThanOrEqual((sd.value ?? Number.NaN) + 1e-6 * Math.abs(sd.value ?? 0));
  });
});

describe("points of every shape", () => {
  test.each([3, 4, 5, 7])("%i points", async (N) => {
    for (const method of iterativeMethods) {
      for (const solver of ["auto", "sd", "lbfgs"] as const) {
        const result = await embed(clusters(N), { method, solver, maxIterations: 50 });
        expect(allFinite(result.embedding), `${method} ${solver}`).toBe(true);
        expect(result.usable).toBe(true);
      }
    }
  });

  test.each([0, 1, 2])("%i points are too few", async (N) => {
    await expect(embed(clusters(N))).rejects.toThrowError(`embed needs at least 3 points; received ${N}.`);
  });

  test.each([1, 2, 3, 5])("%i dimensions", async (dimensions) => {
    for (const method of [...iterativeMethods, "laplacian"] as const) {
      const result = await embed(clusters(20), { method, dimensions });
      expect(result.embedding.columns).toBe(dimensions);
      expect(allFinite(result.embedding)).toBe(true);
    }
  });

  test("more dimensions than N − 1 are refused", async () => {
    await expect(embed(clusters(5), { dimensions: 5 })).rejects.toThrowError("dimensions must be at most 4");
  });

  test("more columns than points, and one column only", async () => {
    expect(allFinite((await embed(clusters(15, 200))).embedding)).toBe(true);
    const line = { rows: 20, columns: 1, data: Float64Array.from({ length: 20 }, (_, n) => n * n) };
    for (const dimensions of [1, 2, 3])
      expect(allFinite((await embed(line, { dimensions })).embedding)).toBe(true);
  });

  test("duplicates", async () => {
    const points = clusters(30);
    for (let k = 0; k < 50; k++) points.data[k] = points.data[k % 5];
    for (const method of [...iterativeMethods, "laplacian"] as const) {
      const { embedding, usable } = await embed(points, { method });
      expect(allFinite(embedding) && usable, method).toBe(true);
    }
  });

  test("points that are all the same", async () => {
    const same = { rows: 12, columns: 3, data: new Float64Array(36).fill(2.5) };
    for (const method of iterativeMethods) {
      const { embedding, warnings } = await embed(same, { method });
      expect(allFinite(embedding), method).toBe(true);
      expect(warnings.length).toBeGreaterThan(0);
    }
    await expect(embed(same, { method: "ee", repulsion: "distance" })).rejects.toThrowError(
      "All points are equal",
    );
  });

  test("far groups that no edge of the neighbour graph joins", async () => {
    const points = clusters(45);
    for (let n = 0; n < 15; n++) points.data[5 * n] += 1e4;
    for (const solver of solvers) {
      const { embedding, warnings, usable } = await embed(points, {
        solver,
        perplexity: 3,
        maxIterations: 60,
      });
      expect(allFinite(embedding) && usable, solver).toBe(true);
      expect(warnings.join()).toMatch(/parts/);
      expect(Math.max(...embedding.data.map(Math.abs))).toBeLessThan(1e5);
    }
  });

  test("rows, typed arrays with a shape and ml-matrix's matrices are taken alike", async () => {
    const points = clusters(12);
    const rows = Array.from({ length: 12 }, (_, n) => Array.from(points.data.subarray(5 * n, 5 * n + 5)));
    const get = (i: number, j: number): number => points.data[5 * i + j];
    const expected = (await embed(points)).embedding.data;
    expect((await embed(rows)).embedding.data).toEqual(expected);
    expect((await embed({ rows: 12, columns: 5, get })).embedding.data).toEqual(expected);
  });

  test("very large and very small numbers", async () => {
    for (const scale of [1e120, 1e-120]) {
      const points = clusters(15);
      const { embedding } = await embed({ ...points, data: points.data.map((x) => scale * x) });
      expect(allFinite(embedding), `${scale}`).toBe(true);
    }
  });

  test("a permutation of the points, and of their start, permutes the map", async () => {
    const reversed = ({ rows, columns, data }: DenseMatrix): DenseMatrix => ({
      rows,
      columns,
      data: data.map((_, k) => data[(rows - 1 - Math.floor(k / columns)) * columns + (k % columns)]),
    });
    const points = clusters(30);
    const start = { rows: 30, columns: 2, data: noise(60, 1) };
    // Not the recipe: an incomplete factor depends on the order.
    for (const solver of ["sd", "sdminus", "fp", "diagh", "gd", "lbfgs"] as const) {
      const options: EmbedOptions = { solver, maxIterations: 8, initialization: start };
      const one = reversed((await embed(points, options)).embedding);
      const other = await embed(reversed(points), { ...options, initialization: reversed(start) });
      const furthest = Math.max(...other.embedding.data.map((x, k) => Math.abs(x - one.data[k])));
      expect(furthest, solver).toBeLessThan(1e-6);
    }
  });
});

describe("bad input", () => {
  test("a NaN is named by row and column", async () => {
    await expect(
      embed([
        [1, 2],
        [3, Number.NaN],
        [5, 6],
      ]),
    ).rejects.toMatchObject({ code: "ERR_NON_FINITE", path: "row 1, column 1" });
  });

  test.each<[EmbedOptions, string]>([
    [{ perplexity: 19 }, "perplexity must be above 1 and below 19"],
    [{ perplexity: 1 }, "perplexity must be above 1 and below 19"],
    [{ perplexity: 8, neighbors: 8 }, "perplexity must be above 1 and below 8"],
    [{ neighbors: 20 }, "neighbors must be at most 19"],
    [{ lambda: -1 }, "lambda must be"],
    [{ pca: 6 }, "pca must be at most 5"],
    [{ homotopy: true }, "homotopy must be false"],
    [{ initialization: [[1, 2]] }, "initialization must be 20 x 2"],
    [{ maxIterations: 0 }, "maxIterations must be"],
    [{ tolerance: Number.NaN }, "tolerance must be"],
  ])("%j is refused", async (options, message) => {
    await expect(embed(clusters(20), options)).rejects.toThrowError(message);
  });

  test("what would need a full matrix of too many points is refused at once", async () => {
    const many = { rows: 15001, columns: 1, data: Float64Array.from({ length: 15001 }, (_, n) => n) };
    for (const options of [
      { neighbors: "all" },
      { method: "ee", repulsion: "distance" },
      { solver: "sdminus" },
    ] as const)
      await expect(embed(many, options)).rejects.toMatchObject({ code: "ERR_MEMORY" });
  });

  test("a misspelt option is answered with the nearest name", async () => {
    const misspelt: object = { perplexty: 5 };
    await expect(embed(clusters(20), misspelt)).rejects.toThrowError('Did you mean "perplexity"?');
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
    expect(auto.evaluations).toBeGreaterThanOrEqual(37);
    expect(auto.evaluations).toBeLessThan(37 + 16);
    expect(auto.history.at(-1)?.details.lambda).toBe(1);
    const sd = await embed(points, { solver: "sd", maxEvaluations: 12, tolerance: 0 });
    expect(sd.status).toBe("max-evaluations");
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

describe("a run under control", () => {
  const points = clusters(40);

  test("aborted before there is a map, it rejects with the signal's reason", async () => {
    const reason = new Error("enough");
    await expect(embed(points, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test("aborted or stopped on the way, it keeps its best map", async () => {
    const controller = new AbortController();
    const result = await embed(points, {
      signal: controller.signal,
      onIteration: ({ index }) => {
        if (index === 5) controller.abort();
      },
    });
    expect(result.status).toBe("aborted");
    expect(result.iterations).toBe(5);
    expect(allFinite(result.embedding)).toBe(true);
    const stopped = await embed(points, { onIteration: ({ index }) => index < 3 });
    expect(stopped.iterations).toBe(3);
  });

  test.each(solvers)("%s resumed from a checkpoint ends where the uninterrupted run ends", async (solver) => {
    const options: EmbedOptions = { solver, maxIterations: 40, tolerance: 0 };
    const whole = await embed(points, options);
    let bytes = new Uint8Array(0);
    await embed(points, {
      ...options,
      checkpoint: {
        write: (written) => {
          bytes = written.slice();
        },
      },
      onIteration: ({ index }) => index < 17,
    });
    const resumed = await embed(points, { ...options, resume: bytes });
    expect(resumed.embedding.data).toEqual(whole.embedding.data);
    expect(resumed.iterations).toBe(whole.iterations);
    await expect(embed(clusters(40, 5, 2), { ...options, resume: bytes })).rejects.toMatchObject({
      code: "ERR_CHECKPOINT",
    });
  });
});
