import type { DenseMatrix } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { type EmbedOptions, embed, saveMap } from "../src/index.js";
import { allFinite, clusters, iterativeMethods, noise, solvers } from "./helpers/small.js";

describe("points of every shape", () => {
  test.each([3, 4, 5, 7])("%i points", { tags: ["full"] }, async (N) => {
    for (const method of iterativeMethods) {
      for (const solver of ["auto", "sd", "lbfgs"] as const) {
        const result = await embed(clusters(N), { method, solver, maxIterations: 50 });
        expect(allFinite(result.embedding), `${method} ${solver}`).toBe(true);
        expect(result.usable).toBe(true);
      }
    }
  });

  test("no points are too few; one lies at the origin, and two beside it", async () => {
    await expect(embed(clusters(0))).rejects.toThrowError("embed needs at least one dense point");
    await expect(embed([[], []])).rejects.toThrowError("at least one column");
    const one = await embed([[3, 4]]);
    expect([...one.embedding.data]).toEqual([0, 0]);
    const two = await embed(
      [
        [3, 4],
        [3, 5],
      ],
      { dimensions: 3, solver: "sd" },
    );
    expect([...two.embedding.data]).toEqual([-0.5, 0, 0, 0.5, 0, 0]);
    const same = await embed([[7], [7]], { method: "ee" });
    expect([...same.embedding.data]).toEqual([0, 0, 0, 0]);
    for (const { warnings, status, model } of [one, two, same]) {
      expect(warnings.map(({ code }) => code)).toEqual(["few-points"]);
      expect(status).toBe("converged");
      await expect(model?.transform([[1, 2]])).rejects.toThrowError("places no others");
      expect(() => saveMap({ model })).toThrowError("places no others");
    }
  });

  test.each([1, 2, 3, 5])("%i dimensions", { tags: ["full"] }, async (dimensions) => {
    for (const method of [...iterativeMethods, "laplacian"] as const) {
      const result = await embed(clusters(20), { method, dimensions });
      expect(result.embedding.columns).toBe(dimensions);
      expect(allFinite(result.embedding)).toBe(true);
    }
  });

  test.each(["tsne", "ssne", "ee", "tee"] as const)(
    "%s in single precision, on a grid and by a tree ends near the exact sums",
    { tags: ["full"] },
    async (method) => {
      const shared = { method, repulsion: "constant", maxEvaluations: 60 } as const;
      for (const { gradient, dimensions } of [
        { gradient: "single", dimensions: 2 },
        { gradient: "fft", dimensions: 2 },
        { gradient: "barnes-hut", dimensions: 2 },
        { gradient: "barnes-hut", dimensions: 3 },
      ] as const) {
        const points = clusters(320);
        const exact = await embed(points, { ...shared, dimensions, gradient: "exact" });
        const other = await embed(points, { ...shared, dimensions, gradient });
        expect(other.options).toMatchObject({ gradient, theta: 0.3 });
        expect(other.warnings).toEqual(exact.warnings);
        const E = exact.value ?? 0;
        expect(other.value, `${gradient} ${dimensions}`).toBeLessThan(E + 0.02 * Math.abs(E));
      }
    },
  );

  test("what suits many points is chosen for them alone, and refused where it cannot be", async () => {
    expect((await embed(clusters(20))).options).toMatchObject({ gradient: "exact" });
    for (const gradient of ["single", "fft", "barnes-hut"] as const) {
      for (const bad of [
        { method: "sne" },
        { method: "ee", repulsion: "distance" },
        { dimensions: 4 },
      ] as const)
        await expect(embed(clusters(20), { ...bad, gradient })).rejects.toMatchObject({
          code: "ERR_OPTION",
          path: "gradient",
        });
    }
    for (const gradient of ["fft", "single"] as const)
      await expect(embed(clusters(20), { dimensions: 3, gradient })).rejects.toMatchObject({
        path: "gradient",
      });
    for (const solver of ["sd-lbfgs", "lbfgs", "cg", "gd"] as const)
      await expect(embed(clusters(320), { solver, gradient: "single" })).rejects.toMatchObject({
        code: "ERR_OPTION",
        path: "gradient",
      });
    await expect(embed(clusters(20), { theta: 2 })).rejects.toMatchObject({ path: "theta" });
  });

  test("for few points the exact sum takes the place of another that was asked for, with a warning", async () => {
    for (const gradient of ["single", "fft", "barnes-hut"] as const) {
      const { options, warnings } = await embed(clusters(40), { gradient });
      expect(options).toMatchObject({ gradient: "exact" });
      expect(warnings.map(({ message }) => message).join()).toContain(
        `gradient "${gradient}" gains nothing below 300 points`,
      );
    }
    for (const gradient of ["exact", "auto"] as const)
      expect((await embed(clusters(40), { gradient })).warnings).toEqual([]);
  });

  test("the solver that needs second derivatives gets the sums that have them in about O(N)", {
    tags: ["full"],
  }, async () => {
    const shared = { maxEvaluations: 3, neighbors: 12, perplexity: 4 } as const;
    for (const [solver, dimensions, gradient] of [
      ["diagh", 2, "fft"],
      ["gd", 2, "barnes-hut"],
      ["diagh", 3, "barnes-hut"],
    ] as const)
      expect((await embed(clusters(2001), { ...shared, solver, dimensions })).options).toMatchObject({
        gradient,
      });
  });

  test("more than 1,000 points in space are summed by a tree", { tags: ["full"] }, async () => {
    const shared = { dimensions: 3, maxEvaluations: 3, neighbors: 12, perplexity: 4 } as const;
    expect((await embed(clusters(1001), shared)).options).toMatchObject({ gradient: "barnes-hut" });
    expect((await embed(clusters(1001), { ...shared, method: "sne" })).options).toMatchObject({
      gradient: "exact",
    });
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
      'repulsion must be "constant" for points that are all equal',
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
      expect(warnings.map(({ message }) => message).join()).toMatch(/parts/);
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

  test("numbers whose squares overflow or vanish are refused", async () => {
    const scaled = (scale: number): DenseMatrix => ({
      ...clusters(15),
      data: clusters(15).data.map((x) => scale * x),
    });
    for (const options of [{}, { neighbors: 5 }] as const)
      await expect(embed(scaled(1e200), options)).rejects.toThrowError(/overflow. Rescale the data/);
    for (const scale of [1e-150, 1e-200, 1e-300])
      await expect(embed(scaled(scale))).rejects.toThrowError(/underflow. Rescale the data/);
    // Which entries are there, and their ratios, is no matter of scale.
    for (const metric of ["cosine", "canberra", "hamming"] as const)
      expect(allFinite((await embed(scaled(1e-200), { metric })).embedding), metric).toBe(true);
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
  test("points without columns", async () => {
    await expect(embed([[], [], []])).rejects.toThrowError("points must have at least one column");
  });

  test("a start that cannot be measured has no divergence, and no map", async () => {
    const far = { rows: 20, columns: 2, data: noise(40, 1e200) };
    const { status, value = Number.NaN } = await embed(clusters(20), { initialization: far });
    expect(status).toBe("max-evaluations"); // brought to the size of a start
    expect(value).toBeGreaterThan(0);
    for (const solver of ["sd", "lbfgs"] as const) {
      const result = await embed(clusters(20), { solver, initialization: far });
      expect(result).toMatchObject({ status: "diverged", usable: false, value: undefined });
      expect(result.klDivergence).toBeUndefined();
    }
  });

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
    [{ perplexity: 1 }, "perplexity must be a finite number above 1"],
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

  test("a map in more dimensions than there is memory for is refused at once", async () => {
    const many = { rows: 200_000, columns: 1, data: Float64Array.from({ length: 200_000 }, (_, n) => n) };
    await expect(embed(many, { dimensions: 50_000 })).rejects.toMatchObject({
      code: "ERR_MEMORY",
      path: "dimensions",
      expected: "at most 671",
      message: expect.stringContaining("74.5 GiB"),
    });
  });

  test("a misspelt option is answered with the nearest name", async () => {
    const misspelt: object = { perplexty: 5 };
    await expect(embed(clusters(20), misspelt)).rejects.toThrowError('Did you mean "perplexity"?');
  });
});

test("what is odd about the points is among the warnings", async () => {
  const codes = async (points: number[][]) => (await embed(points)).warnings.map(({ code }) => code);
  const places = Array.from({ length: 12 }, (_, i) => [Math.sin(i * i), Math.cos(3 * i)]);
  expect(await codes(places)).toEqual([]);
  expect(await codes(places.map((place, i) => [...place, i]))).toEqual(["counting-column"]);
  expect(await codes(places.map(([x, y]) => [x, 100 * y]))).toEqual(["column-span"]);
  const distances = places.map((a) => places.map((b) => Math.hypot(a[0] - b[0], a[1] - b[1])));
  expect(await codes(distances)).toEqual(["distances-as-points"]);
});
