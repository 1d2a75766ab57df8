import { type DenseMatrix, outerGram, RandomGenerator } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { nomad } from "../src/nomad.js";
import type { NomadOptions } from "../src/nomad-options.js";
import { solveRing } from "../src/ring.js";
import { costOf } from "./helpers/cost.js";
import { randomPoints, ringPoints } from "./helpers/small.js";
import { worstViolation } from "./helpers/verify.js";

/** Four tight groups of ten points. */
const groups = Array.from({ length: 40 }, (_, i) => [
  5 * (i % 4) + Math.sin(i) / 9,
  (i % 4) ** 2 + Math.cos(3 * i) / 9,
]);
const groupOf = Array.from({ length: 40 }, (_, i) => i % 4);

const solvers = ["auto", "cg", "admm", "bm"] as const;

test.each([1e-200, 0])(
  "points whose products are all 0 (times %d) are reported, and K = 1 is none of these",
  async (factor) => {
    const points = groups.map((row) => row.map((x) => factor * x));
    const { warnings, upper } = await nomad(points, { clusters: 4, scale: "none" });
    expect(upper).toBe(0);
    expect(warnings.map(({ message }) => message).join()).toMatch(
      /^All points are the same, or differ by less/,
    );
    expect((await nomad(groups, { clusters: 1 })).warnings).toEqual([]);
  },
);

describe("every solver through the facade", () => {
  test.each(solvers)(
    "%s finds four groups, feasible, with bounds around the optimum",
    { tags: ["full"] },
    async (solver) => {
      const result = await nomad(groups, { clusters: 4, solver, maxIterations: 3000 });
      expect([...result.labels]).toEqual(groupOf);
      const { Q, lower, upper, gap, value } = result;
      expect(worstViolation(matrix(Q), 4)).toBeLessThan(1e-12);
      expect(value).toBe(lower);
      expect(upper).toBeGreaterThanOrEqual(lower);
      expect(gap).toBeCloseTo((upper - lower) / upper, 12);
      expect(gap).toBeLessThan(solver === "cg" || solver === "bm" ? 0.1 : 1e-3);
      expect(result.rowSumError).toBeLessThan(1e-12);
      expect(result.smallestEntry).toBeGreaterThanOrEqual(0);
      for (let i = 0; i < 40; i++) {
        const row = result.memberships.data.subarray(4 * i, 4 * i + 4);
        expect(row.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
        expect(row[result.labels[i]]).toBe(Math.max(...row));
      }
    },
  );

  test("the certified interval holds the ring's optimum, for a K that is not whole", async () => {
    const result = await nomad(ringPoints(30), { clusters: 5.5, scale: "none", tolerance: 1e-4 });
    const right = solveRing(30, 5.5).value;
    expect(result.gap).toBeLessThanOrEqual(1e-4);
    expect(result.lower).toBeLessThanOrEqual(right + 1e-9);
    expect(result.upper).toBeGreaterThanOrEqual(right - 1e-9);
    expect(new Set(result.labels).size).toBe(6);
  });

  test("points, their Gram matrix and their distances are the same problem", async () => {
    const points = randomPoints(20, 3, 2);
    const of = (data: DenseMatrix, input: NonNullable<NomadOptions["input"]>) =>
      nomad(data, { clusters: 3, input, scale: "none", solver: "admm", tolerance: 1e-6 });
    const a = await of(points, "points");
    const b = await of(outerGram(points), "gram");
    const c = await of(distances(points), "distances");
    expect(b.value).toBeCloseTo(matrixValue(outerGram(points), matrix(b.Q)), 6);
    expect(c.value).toBeCloseTo(a.value ?? Number.NaN, 4);
    expect([...c.labels]).toEqual([...b.labels]); // labels of points are polished on the points
    expect(a.cost).toBeLessThanOrEqual(costOf(points, b.labels) * (1 + 1e-12));
    expect([b.cost, b.costLower, b.costGap]).toEqual([undefined, undefined, undefined]);
  });
});

describe("matrices that are no Gram matrices of points", () => {
  // negative definite, so that Tr(D Q) falls with K and the paper's code takes no step
  const n = 14;
  const negative = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => (i === j ? -5 : -(Math.sin(1 + i + j + i * j) ** 2))),
  );
  const random = randomPoints(n, n, 8);
  const indefinite = negative.map((_, i) =>
    negative.map((_, j) => random.data[i * n + j] + random.data[j * n + i]),
  );

  test.each([
    ["negative definite", negative],
    ["indefinite", indefinite],
  ])("%s: all solvers are feasible, and no lower bound is above any upper one", async (_, data) => {
    const bounds: { readonly lower: number; readonly upper: number }[] = [];
    for (const solver of solvers) {
      const result = await nomad(data, { clusters: 7, input: "gram", solver, maxIterations: 300 });
      const Q = matrix(result.Q);
      expect(worstViolation(Q, 7), solver).toBeLessThan(1e-12);
      const value = matrixValue({ rows: n, columns: n, data: Float64Array.from(data.flat()) }, Q);
      expect(value, solver).toBeCloseTo(result.lower, 10);
      bounds.push(result);
    }
    const lower = Math.max(...bounds.map((each) => each.lower));
    expect(Math.min(...bounds.map((each) => each.upper))).toBeGreaterThanOrEqual(lower);
  });

  test("K next to 1 and to n: the upper bound is not below the lower one by rounding", async () => {
    for (const clusters of [1 + 1e-14, 1 + 1e-9, 1.1, 20 - 1e-9])
      for (const solver of solvers) {
        const { lower, upper } = await nomad(randomPoints(20, 2, 5), { clusters, solver, maxIterations: 60 });
        expect(upper, `${solver}, K = ${clusters}`).toBeGreaterThanOrEqual(lower);
      }
  });
});

describe("answers at once", () => {
  test("K = 1, K = n and one point", async () => {
    const one = await nomad(groups, { clusters: 1 });
    expect(one).toMatchObject({ status: "converged", gap: 0, rank: 1, iterations: 1 });
    expect(one.components.count).toBe(1);
    expect(matrix(one.Q).data.every((entry) => entry === 1 / 40)).toBe(true);
    const all = await nomad(groups, { clusters: 40 });
    expect(all).toMatchObject({ status: "converged", rank: 40 });
    expect(all.gap).toBeLessThan(1e-13); // the rounding of Tr D
    expect([...all.labels]).toEqual(Array.from({ length: 40 }, (_, i) => i));
    const single = await nomad([[7, 8]], { clusters: 1 });
    expect([...single.labels]).toEqual([0]);
    expect(single.embedding).toMatchObject({ rows: 1, columns: 2 });
  });

  test("many points in one place end in a feasible point with a gap of 0", async () => {
    const result = await nomad(
      Array.from({ length: 12 }, () => [3, 4]),
      { clusters: 3 },
    );
    expect(result.usable).toBe(true);
    expect(result.upper).toBeLessThanOrEqual(1e-9);
    expect(worstViolation(matrix(result.Q), 3)).toBeLessThan(1e-12);
  });
});

describe("a run that is stopped", () => {
  test.each(solvers)("%s returns a feasible point with its gap", async (solver) => {
    const result = await nomad(ringPoints(40), {
      clusters: 6,
      solver,
      onIteration: ({ index }) => index < 3,
    });
    expect(result.status).toBe("aborted");
    expect(worstViolation(matrix(result.Q), 6)).toBeLessThan(1e-12);
    expect(result.gap).toBeGreaterThan(0);
    expect(result.upper).toBeLessThan(Number.POSITIVE_INFINITY);
    expect(result.value).toBe(result.lower);
    expect(result.layers).toHaveLength(1);
    expect(result.layers[0]).toMatchObject({ clusters: 6, gap: result.gap });
  });

  test("goes on from its checkpoint, in the second layer, to the same end", async () => {
    const options: NomadOptions = { layers: [10, 5, 2], solver: "admm" };
    const whole = await nomad(ringPoints(40), options);
    let bytes: Uint8Array | undefined;
    const cut = await nomad(ringPoints(40), {
      ...options,
      onIteration: ({ details }) => details.layer < 2,
      checkpoint: {
        write: (written) => {
          bytes = written;
        },
      },
    });
    expect(cut.warnings.map(({ message }) => message).join()).toContain("stopped in layer 2");
    expect(cut.layers.map(({ clusters }) => clusters)).toEqual([10]);
    expect(cut.gap).toBeLessThan(1e-2);
    if (bytes === undefined) throw new Error("there must be a checkpoint");
    const resumed = await nomad(ringPoints(40), { ...options, resume: bytes });
    expect(resumed.Q).toEqual(whole.Q);
    expect(resumed.layers).toEqual(whole.layers);
    await expect(nomad(ringPoints(40), { ...options, layers: [10, 2], resume: bytes })).rejects.toMatchObject(
      { code: "ERR_CHECKPOINT" },
    );
  });

  test.each(solvers.filter((solver) => solver !== "cg"))(
    "%s, converged at one tolerance, goes on to a smaller one from its checkpoint",
    { tags: ["full"] },
    async (solver) => {
      const points = randomPoints(40, 2, 6);
      const options: NomadOptions = { layers: [8, 5], solver, certify: solver !== "bm" };
      let bytes: Uint8Array | undefined;
      const rough = await nomad(points, {
        ...options,
        tolerance: 1e-2,
        checkpoint: {
          write: (written) => {
            bytes = written;
          },
        },
      });
      if (bytes === undefined) throw new Error("there must be a checkpoint");
      const fine = await nomad(points, { ...options, tolerance: 1e-4, resume: bytes });
      expect(fine.status).toBe("converged");
      expect(fine.layers.map(({ clusters }) => clusters)).toEqual([8, 5]);
      expect(fine.layers[0]).toEqual(rough.layers[0]);
      expect(fine.iterations).toBeGreaterThan(rough.iterations);
      expect(fine.value).toBeGreaterThanOrEqual(rough.lower);
      if (solver !== "bm") expect(fine.gap).toBeLessThanOrEqual(1e-4);
      const same = await nomad(points, { ...options, tolerance: 1e-2, resume: bytes });
      expect(same).toMatchObject({ status: "converged", iterations: rough.iterations, gap: rough.gap });
      expect(same.Q).toEqual(rough.Q);
    },
  );

  test("a signal that was aborted before rejects with its reason", async () => {
    const reason = new Error("enough");
    await expect(nomad(groups, { clusters: 4, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe("more memory than there may be", () => {
  const points = randomPoints(60, 2, 9);

  test("a second layer, whose matrix is n × n, is refused before the first one is begun", async () => {
    let iterations = 0;
    const onIteration = () => {
      iterations++;
    };
    const asked = nomad(points, {
      layers: [6, 3],
      clusters: 3,
      memoryLimit: 20_000,
      solver: "bm",
      onIteration,
    });
    await expect(asked).rejects.toMatchObject({
      code: "ERR_MEMORY",
      message: expect.stringContaining("a second layer of 60 points takes"),
    });
    expect(iterations).toBe(0);
  });

  test("no certificate by default, and a warning with its price; by request an error", async () => {
    const limits = { clusters: 3, memoryLimit: 200_000 };
    for (const solver of ["auto", "bm"] as const) {
      const { gap, warnings, value, upper } = await nomad(points, { ...limits, solver });
      expect(value).toBeGreaterThan(0);
      expect([gap, upper]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
      expect(warnings.map(({ message }) => message).join()).toMatch(
        /for 60 points takes up to 0.000317 GiB, and memoryLimit allows 0.000186 GiB: it is made with certify: true/,
      );
      let iterations = 0;
      const onIteration = () => {
        iterations++;
      };
      const request = nomad(points, { ...limits, solver, certify: true, onIteration });
      await expect(request).rejects.toMatchObject({ code: "ERR_MEMORY" });
      expect(iterations).toBe(0); // before the work, not after it
    }
  });
});

describe("bad input is refused", () => {
  test.each<[string, unknown, unknown, string]>([
    ["no K", groups, {}, "ERR_OPTION"],
    ["no options", groups, undefined, "ERR_OPTION"],
    ["K below 1", groups, { clusters: 0.5 }, "ERR_OPTION"],
    ["K above n", groups, { clusters: 41 }, "ERR_OPTION"],
    ["a layer above n", groups, { layers: [50, 2] }, "ERR_OPTION"],
    ["rising layers", groups, { layers: [4, 8] }, "ERR_OPTION"],
    ["layers that are no numbers", groups, { layers: [8, "2"] }, "ERR_OPTION"],
    ["no layers", groups, { layers: [] }, "ERR_OPTION"],
    ["K beside other layers", groups, { clusters: 3, layers: [8, 2] }, "ERR_OPTION"],
    ["a slip of the hand", groups, { cluster: 3 }, "ERR_OPTION"],
    ["another solver", groups, { clusters: 3, solver: "scs" }, "ERR_OPTION"],
    [
      "NaN",
      [
        [1, 2],
        [Number.NaN, 3],
      ],
      { clusters: 2 },
      "ERR_NON_FINITE",
    ],
    ["nothing", [], { clusters: 2 }, "ERR_SHAPE"],
    ["ragged rows", [[1, 2], [3]], { clusters: 1 }, "ERR_SHAPE"],
    [
      "no symmetry",
      [
        [1, 2],
        [3, 4],
      ],
      { clusters: 2, input: "gram" },
      "ERR_ARGUMENT",
    ],
    ["a Gram matrix that is not square", [[1, 2]], { clusters: 1, input: "gram" }, "ERR_SHAPE"],
    [
      "negative distances",
      [
        [0, -1],
        [-1, 0],
      ],
      { clusters: 2, input: "distances" },
      "ERR_ARGUMENT",
    ],
    ["too little memory", groups, { clusters: 4, memoryLimit: 1000 }, "ERR_MEMORY"],
  ])("%s", async (_, data, options, code) => {
    await expect(Reflect.apply(nomad, undefined, [data, options])).rejects.toMatchObject({ code });
  });
});

function matrix(Q: DenseMatrix | undefined): DenseMatrix {
  if (Q === undefined) throw new Error("Q must be there");
  return Q;
}

const matrixValue = (D: DenseMatrix, Q: DenseMatrix): number =>
  D.data.reduce((sum, d, k) => sum + d * Q.data[k], 0);

function distances({ rows: n, columns: d, data }: DenseMatrix): DenseMatrix {
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let c = 0; c < d; c++) sum += (data[i * d + c] - data[j * d + c]) ** 2;
      out[i * n + j] = Math.sqrt(sum);
    }
  return { rows: n, columns: n, data: out };
}

test("what is odd about points is among the warnings; a matrix of distances or products is none", async () => {
  const distances = groups.map((a) => groups.map((b) => Math.hypot(...a.map((x, j) => x - b[j]))));
  const warned = async (input: "points" | "distances") =>
    (await nomad(distances, { clusters: 4, input })).warnings.map(({ code, message }) => [code, message]);
  expect(await warned("points")).toEqual([
    ["distances-as-points", expect.stringMatching(/For distances set input: "distances"\.$/)],
  ]);
  expect(await warned("distances")).toEqual([]);
});

test("a matrix of no inner products is named, one that is conditionally so or rounded is not", async () => {
  const random = new RandomGenerator(3);
  const points = Array.from({ length: 40 }, () => [random.uniform(), random.uniform(), random.uniform()]);
  const matrixOf = (entry: (i: number, j: number) => number): number[][] =>
    points.map((_, i) => points.map((_, j) => entry(Math.min(i, j), Math.max(i, j))));
  const squared = (i: number, j: number): number =>
    points[i].reduce((sum, x, t) => sum + (x - points[j][t]) ** 2, 0);
  const product = (i: number, j: number): number =>
    points[i].reduce((sum, x, t) => sum + x * points[j][t], 0);
  const isNamed = async (matrix: number[][]): Promise<boolean> =>
    (await nomad(matrix, { clusters: 3, input: "gram", maxIterations: 20 })).warnings.some(
      ({ code }) => code === "indefinite",
    );
  expect(await isNamed(matrixOf(product))).toBe(false);
  expect(await isNamed(matrixOf((i, j) => Number(product(i, j).toPrecision(6))))).toBe(false);
  expect(await isNamed(matrixOf((i, j) => Math.exp(-squared(i, j))))).toBe(false);
  expect(await isNamed(matrixOf((i, j) => -squared(i, j)))).toBe(false); // centred: of inner products
  expect(await isNamed(matrixOf(squared))).toBe(true);
  expect(await isNamed(matrixOf((i, j) => (i === j ? 0 : Math.sin(13 * i + 78 * j))))).toBe(true);
  // All 2 × 2 minors are positive: only the factorisation sees it.
  expect(await isNamed(matrixOf((i, j) => (i === j ? 1 : i % 2 === j % 2 ? -0.2 : 0.2)))).toBe(true);
});
