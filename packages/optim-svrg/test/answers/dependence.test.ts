import { RandomGenerator } from "@curvature/linalg";
import { ordinalEmbedding, splitAnswers, tripletsFromPoints } from "@curvature/optim-svrg";
import { describe, expect, test } from "vitest";
import { looksGrouped } from "../../src/answers/dependence.js";
import { errorEstimate, studentQuantile } from "../../src/answers/estimates.js";
import { backwardAnswers } from "../../src/answers/feedback.js";
import { noiseOf } from "../../src/answers/noise.js";
import { pairsNamed, questionsAsked } from "../../src/answers/questions.js";

const points = Array.from({ length: 12 }, (_, n) => [n, (7 * n) % 5]);
const { train: known } = tripletsFromPoints(points, { count: 120, flip: 0.1 });
const trial = Array.from({ length: 120 }, (_, q) => q % 30);
const participant = Array.from({ length: 120 }, (_, q) => (q % 2 === 0 ? "Ann" : "Bo") + (q % 6));

describe("a split", () => {
  test.each(["trial", "participant"] as const)(
    "by %s holds out whole ones, whose labels go with them",
    (by) => {
      const { train, test: held } = splitAnswers(known, {
        by,
        groups: { trial, participant },
        test: 0.3,
        seed: 2,
      });
      const labels = (side: typeof train): Set<string> =>
        new Set(Array.from(side.groups?.[by] ?? [], (label) => String(label)));
      const fitted = labels(train);
      expect(labels(held).size).toBeGreaterThan(0);
      expect([...labels(held)].some((label) => fitted.has(label))).toBe(false);
      expect(held.groups?.participant).toHaveLength(held.quadruplets.length / 4);
    },
  );

  test("by people needs people", () => {
    expect(() => splitAnswers(known, { by: "participant" })).toThrow(/none are named/);
    const one = { participant: participant.map(() => "Ann") };
    expect(() => splitAnswers(known, { by: "participant", groups: one })).toThrow(/of one person, too few/);
  });
});

test.each([
  ["too short", { trial: [1, 2] }, "ERR_SHAPE"],
  ["no list", { trial: 3 }, "ERR_SHAPE"],
  ["an empty label", { participant: trial.map((t) => (t === 3 ? " " : "x")) }, "ERR_ARGUMENT"],
  ["NaN", { participant: trial.map(() => Number.NaN) }, "ERR_ARGUMENT"],
  ["a misspelt kind", { trials: trial }, "ERR_ARGUMENT"],
])("groups: %s", async (_, groups, code) => {
  await expect(ordinalEmbedding(known, { groups: JSON.parse(JSON.stringify(groups)) })).rejects.toMatchObject(
    {
      code: JSON.stringify(groups).includes("null") ? "ERR_ARGUMENT" : code,
    },
  );
});

test("a test error has an interval over trials and people", async () => {
  const parts = splitAnswers(known, { groups: { trial, participant }, test: 0.3 });
  const { testEstimate, testError } = await ordinalEmbedding(parts.train, { test: parts.test });
  expect(testEstimate?.trials.error).toBeCloseTo(testError ?? Number.NaN, 12);
  expect(testEstimate?.people?.units).toBeGreaterThan(1);
  for (const estimate of [testEstimate?.trials, testEstimate?.people]) {
    expect(estimate?.interval[0]).toBeLessThanOrEqual(testError ?? 0);
    expect(estimate?.interval[1]).toBeGreaterThanOrEqual(testError ?? 1);
  }
});

test("the error by units, by hand: two right of three in one, none of one in the other", () => {
  const X = Float64Array.of(0, 1, 3); // 0 – 1 is nearer than 0 – 2
  const quadruplets = Int32Array.of(0, 1, 0, 2, 0, 1, 0, 2, 0, 2, 0, 1, 0, 2, 0, 1);
  const { error, standardError, units } = errorEstimate(
    { objects: 3, quadruplets, weights: undefined },
    { count: 2, unitOf: Int32Array.of(0, 0, 0, 1) },
    X,
  );
  expect([error, units]).toEqual([0.5, 2]);
  expect(standardError).toBeCloseTo(Math.sqrt(2 * (0.5 ** 2 + 0.5 ** 2)) / 4, 12);
});

test("Student's quantile", () => {
  for (const [degrees, value] of [
    [1, 12.706],
    [3, 3.1824],
    [9, 2.2622],
    [29, 2.0452],
    [1000, 1.9623],
  ])
    expect(Math.abs(studentQuantile(degrees) / value - 1)).toBeLessThan(0.011);
});

test("answers in runs about the same objects look grouped, and a warning says so; shuffled ones do not", async () => {
  const random = new RandomGenerator(5);
  const rows: number[][] = [];
  for (let t = 0; t < 40; t++) {
    const others = new Set<number>();
    while (others.size < 9) others.add(random.integer(20));
    const [anchor, ...rest] = others;
    for (const near of rest.slice(0, 2)) for (const far of rest.slice(2)) rows.push([anchor, near, far]);
  }
  const codes = async (answers: number[][], groups?: { trial: number[] }) =>
    (await ordinalEmbedding(answers, { objects: 20, groups })).warnings.map(({ code }) => code);
  expect(await codes(rows)).toContain("grouped");
  expect(await codes(rows, { trial: rows.map((_, q) => Math.floor(q / 12)) })).not.toContain("grouped");
  const { train } = tripletsFromPoints(points, { count: 400 });
  expect(looksGrouped(train.quadruplets, 12)).toBe(false);
});

test("what repeated questions say: one that is sure, one that is a toss-up", () => {
  const quadruplets = Int32Array.from(
    [
      [0, 1, 0, 2],
      [0, 1, 0, 2],
      [1, 0, 1, 2],
      [1, 2, 1, 0],
      [2, 1, 2, 0],
    ].flat(),
  );
  const noise = noiseOf(
    { objects: 3, quadruplets, weights: undefined },
    questionsAsked(pairsNamed(quadruplets)),
  );
  expect(noise).toMatchObject({ repeated: 2, disagreement: 0.5, standardError: 0.5, leastError: [0.5, 0.5] });
});

test("answers to remove: none of an order, one of a triangle, and those that were turned round in an order", () => {
  expect(backwardAnswers(4, Int32Array.of(0, 1, 2), Int32Array.of(1, 2, 3))).toBe(0);
  expect(backwardAnswers(3, Int32Array.of(0, 1, 2), Int32Array.of(1, 2, 0))).toBe(1);
  const random = new RandomGenerator(4);
  const from = new Int32Array(3000);
  const to = new Int32Array(3000);
  let turned = 0;
  for (let e = 0; e < 3000; e++) {
    const a = random.integer(60);
    const b = (a + 1 + random.integer(59)) % 60;
    const isTurned = random.integer(50) === 0;
    if (isTurned) turned++;
    from[e] = isTurned ? Math.max(a, b) : Math.min(a, b);
    to[e] = isTurned ? Math.min(a, b) : Math.max(a, b);
  }
  const found = backwardAnswers(60, from, to);
  expect(found).toBeLessThanOrEqual(1.2 * turned);
  expect(found).toBeGreaterThan(0.8 * turned);
});
