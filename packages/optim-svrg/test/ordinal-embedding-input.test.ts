/** What `ordinalEmbedding` makes of answers that need care, and says of bad ones. */
import { describe, expect, test } from "vitest";
import { ordinalEmbedding, tripletsFromPoints } from "../src/index.js";
import { refusal } from "./refusal.js";

describe("answers that need care", () => {
  test("objects without answers are named and get no place", async () => {
    const result = await ordinalEmbedding(
      [
        [1, 2, 3],
        [2, 3, 5],
        [3, 5, 1],
        [5, 1, 3],
      ],
      {
        objects: 7,
        test: [
          [0, 1, 2],
          [1, 2, 3],
        ],
      },
    );
    expect(result.answers.unplaced).toEqual([0, 4, 6]);
    expect(result.warnings[0]?.message).toContain("No answer mentions 3 of 7 objects (0, 4, 6)");
    const isPlaced = Array.from({ length: 7 }, (_, r) => Number.isFinite(result.embedding.data[2 * r]));
    expect(isPlaced).toEqual([false, true, true, true, false, true, false]);
    expect(result.usable).toBe(true);
    expect(result.testError).toBe(0); // of an object without a place nothing is known
    expect(result.testUnknown).toBe(1);
    expect(result.warnings.map(({ code }) => code)).toContain("test-unknown");
    expect(result.testEstimate?.trials.units).toBe(1);
    expect(Array.from(result.answers.componentOf)).toEqual([-1, 0, 0, 0, -1, 0, -1]);
  });

  test("a test about strangers alone has no error", async () => {
    const fitted = Array.from({ length: 30 }, (_, k) => [k % 5, (k + 1) % 5, (k + 2) % 5]);
    const { testError, testUnknown, testEstimate } = await ordinalEmbedding(fitted, {
      ...{ objects: 9, test: [[5, 6, 7]], degenerate: "drop" },
    });
    expect([testError, testUnknown, testEstimate]).toEqual([undefined, 1, undefined]);
  });

  test("numbers from 1 are suspected", async () => {
    const { warnings } = await ordinalEmbedding([
      [1, 2, 3],
      [2, 3, 1],
    ]);
    expect(warnings[0]?.message).toContain("If your objects are numbered from 1, subtract 1.");
  });

  test("the test error is measured about once a pass, however small the steps are", {
    tags: ["full"],
  }, async () => {
    const points = Array.from({ length: 60 }, (_, n) => [Math.sin(3 * n), Math.cos(n * n)]);
    const { train, test: held } = tripletsFromPoints(points, { count: 50_000, test: 100 });
    for (const solver of ["svrg-sbb", "sgd"] as const) {
      const run = await ordinalEmbedding(train, { solver, test: held, maxPasses: 10, history: true });
      const measured = run.history.filter(({ details }) => details.testError !== undefined).length;
      expect(run.history.length).toBeGreaterThan(2 * run.passes);
      expect(measured).toBeGreaterThanOrEqual(run.passes - 1);
      expect(measured).toBeLessThanOrEqual(1.5 * run.passes + 1);
      expect(run.monitoringEvaluations).toBeGreaterThanOrEqual(measured);
    }
  });

  test("groups that no answer connects are counted", async () => {
    const result = await ordinalEmbedding([
      [0, 1, 2],
      [3, 4, 5],
      [5, 4, 3],
    ]);
    expect(result.answers.components).toBe(2);
    expect(Array.from(result.answers.componentOf)).toEqual([0, 0, 0, 1, 1, 1]);
    expect(result.warnings.map(({ message }) => message).join()).toContain("2 groups");
  });

  test("degenerate answers: refused, dropped, or counted as errors", async () => {
    const answers = [
      [0, 1, 2],
      [1, 2, 3],
      [3, 2, 0],
      [0, 0, 2],
      [0, 3, 0],
    ];
    const error = await refusal(ordinalEmbedding(answers));
    expect(error.code).toBe("ERR_ARGUMENT");
    expect(error.message).toContain("answer 3 (counted from 0), 0 0 0 2");
    const dropped = await ordinalEmbedding(answers, { degenerate: "drop" });
    const kept = await ordinalEmbedding(answers, { degenerate: "keep" });
    expect(dropped.answers).toMatchObject({ count: 3, degenerate: 2 });
    expect(kept.embedding).toEqual(dropped.embedding);
    expect(dropped.trainingError).toBe(0);
    expect(kept.trainingError).toBe(0.2); // 0 is nearer to itself than to 2, but not farther from itself than 3 is
  });

  test("contradictory answers are counted and kept", async () => {
    const result = await ordinalEmbedding([
      [0, 1, 2],
      [0, 2, 1],
      [1, 2, 3],
      [1, 2, 3],
      [2, 0, 3],
    ]);
    expect(result.answers).toMatchObject({ count: 5, contradictions: 1, duplicates: 1 });
    expect(result.trainingError).toBeGreaterThanOrEqual(0.2);
  });

  test("answers that cancel each other have no spectral map", async () => {
    const result = await ordinalEmbedding(
      [
        [0, 1, 2],
        [0, 2, 1],
      ],
      { dimensions: 1 },
    );
    expect(result.warnings.map(({ message }) => message).join()).toContain("no spectral map");
    expect(result.embedding.data.every(Number.isFinite)).toBe(true);
  });
});

describe("bad input ends in a CurvatureError", () => {
  const good = [
    [0, 1, 2],
    [1, 2, 3],
    [2, 3, 0],
  ];

  // Written as callers without types would.
  const cases: readonly (readonly [string, unknown, unknown, string])[] = [
    ["nothing", undefined, {}, "ERR_SHAPE"],
    ["null", null, {}, "ERR_SHAPE"],
    ["a string", "0 1 2", {}, "ERR_SHAPE"],
    ["no answers", [], {}, "ERR_SHAPE"],
    ["an empty table", { objects: 3, quadruplets: new Int32Array() }, {}, "ERR_SHAPE"],
    ["rows of two", [[0, 1]], {}, "ERR_SHAPE"],
    ["rows of five", [[0, 1, 2, 3, 4]], {}, "ERR_SHAPE"],
    ["a hole", [[0, 1, 2], undefined], {}, "ERR_SHAPE"],
    ["a flat array", [0, 1, 2], {}, "ERR_SHAPE"],
    ["a length and nothing else", Object.assign([], { length: 2 ** 32 - 1 }), {}, "ERR_SHAPE"],
    ["seven numbers of triplets", { triplets: [0, 1, 2, 0, 1, 2, 3] }, {}, "ERR_SHAPE"],
    ["both kinds", { triplets: [0, 1, 2], quadruplets: [0, 1, 0, 2] }, {}, "ERR_SHAPE"],
    ["NaN", [[0, 1, Number.NaN]], {}, "ERR_ARGUMENT"],
    ["a fraction", [[0, 1, 1.5]], {}, "ERR_ARGUMENT"],
    ["a negative number", [[0, 1, -2]], {}, "ERR_ARGUMENT"],
    ["infinity", [[0, 1, Number.POSITIVE_INFINITY]], {}, "ERR_ARGUMENT"],
    ["a name", [["a", "b", "c"]], {}, "ERR_ARGUMENT"],
    ["identifiers", [[10_000_001, 10_000_002, 10_000_003]], {}, "ERR_ARGUMENT"],
    ["an object too many", good, { objects: 3 }, "ERR_ARGUMENT"],
    ["objects twice", { objects: 4, triplets: good.flat() }, { objects: 5 }, "ERR_OPTION"],
    ["too many objects", good, { objects: 2 ** 40 }, "ERR_OPTION"],
    ["degenerate ones alone", [[0, 0, 0]], { degenerate: "drop" }, "ERR_SHAPE"],
    ["weights of no length", good, { weights: [1] }, "ERR_SHAPE"],
    ["a weight below 0", good, { weights: [1, -1, 1] }, "ERR_NON_FINITE"],
    ["a weight of NaN", good, { weights: [1, Number.NaN, 1] }, "ERR_NON_FINITE"],
    ["no weight", good, { weights: [0, 0, 0] }, "ERR_SHAPE"],
    ["dimensions beyond the objects", good, { dimensions: 4 }, "ERR_OPTION"],
    ["dimensions of 0", good, { dimensions: 0 }, "ERR_OPTION"],
    ["a misspelt option", good, { dimension: 2 }, "ERR_OPTION"],
    ["an unknown loss", good, { loss: "hinge" }, "ERR_OPTION"],
    ["an unknown solver", good, { solver: "adam" }, "ERR_OPTION"],
    ["a ridge below 0", good, { ridge: -1 }, "ERR_OPTION"],
    ["all answers held out", good, { validation: 1 }, "ERR_OPTION"],
    ["no starts", good, { restarts: 0 }, "ERR_OPTION"],
    ["a start of another shape", good, { initialization: [[0, 0]] }, "ERR_SHAPE"],
    [
      "a start with NaN",
      good,
      {
        initialization: [
          [0, 0],
          [0, Number.NaN],
          [0, 0],
          [0, 0],
        ],
      },
      "ERR_NON_FINITE",
    ],
    ["a bad test", good, { test: [[0, 1, 9]] }, "ERR_ARGUMENT"],
    ["a test of nothing", good, { test: [] }, "ERR_SHAPE"],
    ["a seed below 0", good, { seed: -1 }, "ERR_OPTION"],
    ["a bad listener", good, { onIteration: 1 }, "ERR_OPTION"],
    ["a bad signal", good, { signal: 1 }, "ERR_OPTION"],
    ["options of another kind", good, 7, "ERR_OPTION"],
  ];

  test.each(cases)("%s", async (_, answers, options, code) => {
    const untyped: Promise<unknown> = Reflect.apply(ordinalEmbedding, undefined, [answers, options]);
    expect((await refusal(untyped)).code).toBe(code);
  });
});
