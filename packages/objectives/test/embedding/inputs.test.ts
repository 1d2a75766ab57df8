/** What the doors refuse, and in which words. */
import { CurvatureError, toSparse } from "@curvature/linalg";
import {
  elasticEmbedding,
  nonsymmetricEmbedding,
  normalizedEmbedding,
  outOfSampleObjective,
  sne,
  symmetricSne,
  tElasticEmbedding,
  tsne,
  unnormalizedEmbedding,
} from "@curvature/objectives/embedding";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const third = [
  [0, 1 / 6, 1 / 6],
  [1 / 6, 0, 1 / 6],
  [1 / 6, 1 / 6, 0],
];
const rows = third.map((row) => row.map((w) => 3 * w));
const changed = (row: number, column: number, value: number): number[][] =>
  third.map((entries, n) => entries.map((w, m) => (n === row && m === column ? value : w)));

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof CurvatureError) return error.code;
    throw error;
  }
  return "none";
};

describe("weights", () => {
  test("rows of numbers are taken as they are", () => {
    expect(tsne(third).evaluate(new Float64Array(6))).toBeCloseTo(Math.log(6), 14);
    expect(symmetricSne(toSparse(third), { dimensions: 1 }).dimension).toBe(3);
  });

  test.each([
    ["negative", changed(0, 1, -1), "P has -1 at row 0, column 1; weights must not be negative."],
    ["a diagonal", changed(2, 2, 0.5), "P has 0.5 at row 2, column 2; its diagonal must be zero."],
    [
      "asymmetric",
      changed(0, 2, 0.25),
      "P must be symmetric; at row 2, column 0 it differs by 0.08333333333333334 from its transpose. Use (W + Wᵀ)/2.",
    ],
    [
      "not of sum 1",
      third.map((row) => row.map((w) => 2 * w)),
      "P must sum to 1; it sums to 2. Divide it by its sum.",
    ],
  ])("%s, dense", (_what, P, message) => {
    expect(() => tsne(P)).toThrowError(message);
    expect(codeOf(() => tsne(P))).toBe("ERR_ARGUMENT");
    expect(codeOf(() => tsne(toSparse(P)))).toBe("ERR_ARGUMENT");
  });

  test("sparse and without its mirror entries", () => {
    const P = toSparse([
      [0, 1],
      [0, 0],
    ]);
    expect(() => tsne(P)).toThrowError("P must be symmetric; at row 0, column 1 it differs by 1");
    expect(() => tsne(toSparse(changed(2, 0, 0)))).toThrowError("P must be symmetric; at row 0, column 2");
  });

  test("a sum off by single precision's rounding passes, by more not", () => {
    const times = (factor: number) => third.map((row) => row.map((w) => factor * w));
    expect(tsne(times(1 + 5e-7)).points).toBe(3);
    expect(() => tsne(times(1 + 2e-6))).toThrowError("P must sum to 1; it sums to 1.000002");
    expect(() => sne(times(3 - 6e-6))).toThrowError("row 0 must sum to 1");
  });

  test("not a number, wrong shape, too few", () => {
    expect(codeOf(() => tsne(changed(1, 0, Number.NaN)))).toBe("ERR_NON_FINITE");
    expect(codeOf(() => tsne(changed(1, 0, Number.POSITIVE_INFINITY)))).toBe("ERR_NON_FINITE");
    for (const P of [[], [[0]], [[0, 1]], [[0, 1], [1]]]) expect(codeOf(() => tsne(P))).toBe("ERR_SHAPE");
    expect(codeOf(() => tsne({ rows: 2, columns: 2, data: new Float64Array(3) }))).toBe("ERR_SHAPE");
  });

  test("rows of a nonsymmetric model must each sum to 1", () => {
    expect(() => sne(third)).toThrowError(/row 0 must sum to 1; it sums to 0.33/);
    expect(sne(rows).entropyConstant).toBeCloseTo(-3 * Math.log(2), 14);
  });

  test("the two weights of an unnormalised model must belong to the same points", () => {
    const small = [
      [0, 1],
      [1, 0],
    ];
    expect(() => elasticEmbedding({ attraction: third, repulsion: small })).toThrowError(
      "repulsion must be 3 x 3 like attraction; received 2 x 2.",
    );
    expect(codeOf(() => tElasticEmbedding({ attraction: changed(0, 1, -1), repulsion: "constant" }))).toBe(
      "ERR_ARGUMENT",
    );
  });

  test("two points, the fewest", () => {
    const P = [
      [0, 0.5],
      [0.5, 0],
    ];
    const G = new Float64Array(4);
    expect(tsne(P).evaluate(Float64Array.of(0, 0, 3, 4), G)).toBeCloseTo(Math.log(2), 14);
    expect(Math.max(...G.map(Math.abs))).toBeLessThan(1e-15);
  });
});

describe("options", () => {
  test.each([
    [{ dimensions: 0 }, "tsne: dimensions must be a whole number from 1 to 1048576; received 0."],
    [{ dimensions: 1.5 }, "tsne: dimensions must be a whole number from 1 to 1048576; received 1.5."],
    [{ lambda: -1 }, "tsne: lambda must be a finite number of at least 0; received -1."],
    [{ lambda: Number.NaN }, "tsne: lambda must be a finite number of at least 0; received NaN."],
    [{ lamda: 1 }, 'tsne: unknown option "lamda". Did you mean "lambda"?'],
  ])("%o", (options: object, message) => {
    expect(() => tsne(third, options)).toThrowError(message);
  });

  test("defaults", () => {
    expect(tsne(third)).toMatchObject({ dimensions: 2, lambda: 1, name: "tsne" });
    expect(elasticEmbedding({ attraction: third, repulsion: "constant" })).toMatchObject({ lambda: 100 });
    expect(tsne(third).atLambda(0).lambda).toBe(0);
    expect(codeOf(() => tsne(third).atLambda(-1))).toBe("ERR_OPTION");
  });

  test("a kernel of finite support takes quadratic attraction only", () => {
    const options = { kernel: "biweight", attraction: "log-kernel" } as const;
    const make = [
      () => normalizedEmbedding(third, options),
      () => nonsymmetricEmbedding(rows, options),
      () => unnormalizedEmbedding({ attraction: third, repulsion: "constant" }, options),
    ];
    for (const run of make) {
      expect(run).toThrowError(/attraction must be "quadratic" where the kernel is "biweight"/);
    }
  });

  test("beyond the reach of its kernel a normalised model is infinite, so that a line search turns back", () => {
    const P = [
      [0, 0.5],
      [0.5, 0],
    ];
    const apart = Float64Array.of(0, 0, 3, 0);
    expect(normalizedEmbedding(P, { kernel: "epanechnikov" }).evaluate(apart)).toBe(Number.POSITIVE_INFINITY);
    const conditional = [
      [0, 1],
      [1, 0],
    ];
    expect(nonsymmetricEmbedding(conditional, { kernel: "biweight" }).evaluate(apart)).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect(symmetricSne(P).evaluate(apart.map((x) => 1e3 * x))).toBe(Number.POSITIVE_INFINITY);
  });
});

test("arrays of the wrong length are refused by every method", () => {
  const objective = tsne(third);
  const [good, bad] = [new Float64Array(6), new Float64Array(5)];
  const calls = [
    () => objective.evaluate(bad),
    () => objective.evaluate(good, bad),
    () => objective.evaluateParts(good, good, bad),
    () => objective.hessianVector(good, bad, good),
    () => objective.diagonalHessian(good, bad),
    () => objective.attractiveWeightsAt(bad),
    () => objective.repulsiveCurvature(good, good),
  ];
  for (const call of calls) expect(codeOf(call)).toBe("ERR_SHAPE");
});

test("new points: shapes, sums and names are checked", () => {
  const map = [
    [0, 0],
    [1, 0],
    [0, 1],
  ];
  const p = [[0.5, 0.25, 0.25]];
  expect(Array.from(outOfSampleObjective("tsne", map, p).start())).toEqual([0.25, 0.25]);
  expect(codeOf(() => outOfSampleObjective("tsne", map, [[0.5, 0.5]]))).toBe("ERR_SHAPE");
  expect(codeOf(() => outOfSampleObjective("tsne", map, [[0.5, 0.25, 0.5]]))).toBe("ERR_ARGUMENT");
  expect(codeOf(() => outOfSampleObjective("tsne", [], p))).toBe("ERR_SHAPE");
  expect(codeOf(() => outOfSampleObjective("ee", map, p, { repulsion: [...p, ...p] }))).toBe("ERR_SHAPE");
  expect(codeOf(() => outOfSampleObjective("ee", map, p, { repulsion: [[-1, 0, 0]] }))).toBe("ERR_ARGUMENT");
  expect(codeOf(() => outOfSampleObjective("ee", map, p, { lambda: -1 }))).toBe("ERR_OPTION");
  expect(codeOf(() => outOfSampleObjective("tsne", map, p).evaluatePoint(1, new Float64Array(2)))).toBe(
    "ERR_ARGUMENT",
  );
});

test("any rows of numbers make an objective or a CurvatureError", () => {
  const entry = fc.oneof(fc.constantFrom(0, 0.5, 1, -1, Number.NaN, 1e308, 5e-324), fc.double());
  fc.assert(
    fc.property(fc.array(fc.array(entry, { maxLength: 3 }), { maxLength: 3 }), (W) => {
      for (const make of [tsne, sne, symmetricSne]) codeOf(() => make(W));
      codeOf(() => elasticEmbedding({ attraction: W, repulsion: W }));
      codeOf(() => outOfSampleObjective("tee", W, W));
    }),
    { numRuns: 500 },
  );
});
