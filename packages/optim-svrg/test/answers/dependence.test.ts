import { normal, permutation, RandomGenerator } from "@curvature/linalg";
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

test("trials that ask the same questions are held out together: a question is not in the fit and in the test", () => {
  // Eight people get the same 20 trials of "odd one out".
  const rows: number[][] = [];
  const trial: string[] = [];
  for (let who = 0; who < 8; who++)
    for (let t = 0; t < 20; t++) {
      const [a, b, c] = [t, (t + 3) % 20, (t + 7) % 20];
      const [x, y, odd] = [
        [a, b, c],
        [b, c, a],
        [c, a, b],
      ][(who + t) % 3];
      rows.push([x, y, odd], [y, x, odd]);
      trial.push(`${who} ${t}`, `${who} ${t}`);
    }
  const { train, test: held } = splitAnswers(rows, { groups: { trial }, test: 0.25 });
  const objectsIn = ({ quadruplets }: { quadruplets: Int32Array }): Set<string> =>
    new Set(
      Array.from({ length: quadruplets.length / 4 }, (_, q) =>
        [...new Set(quadruplets.subarray(4 * q, 4 * q + 4))].sort((i, j) => i - j).join(),
      ),
    );
  const known = objectsIn(train);
  expect(known.size).toBeLessThan(20);
  expect([...objectsIn(held)].filter((each) => known.has(each))).toEqual([]);
});

test("a test error has an interval over trials, and over people that are not in the fit", async () => {
  for (const by of ["trial", "participant"] as const) {
    const parts = splitAnswers(known, { groups: { trial, participant }, test: 0.3, by });
    const { testEstimate, testError } = await ordinalEmbedding(parts.train, { test: parts.test });
    expect(testEstimate?.trials.error).toBeCloseTo(testError ?? Number.NaN, 12);
    if (by === "trial") expect(testEstimate?.people).toBeUndefined();
    else expect(testEstimate?.people?.units).toBeGreaterThan(1);
    for (const estimate of [testEstimate?.trials, testEstimate?.people ?? testEstimate?.trials]) {
      expect(estimate?.interval[0]).toBeLessThanOrEqual(testError ?? 0);
      expect(estimate?.interval[1]).toBeGreaterThanOrEqual(testError ?? 1);
    }
  }
});

test("few people who agree are no coin: they are judged by their trials, and few trials not at all", async () => {
  const random = new RandomGenerator(12);
  const places = Array.from({ length: 12 }, () => [random.uniform(), random.uniform()]);
  const apart = (a: number, b: number): number => Math.hypot(...places[a].map((x, t) => x - places[b][t]));
  const rows = Array.from({ length: 900 }, () => {
    const [i, j, k] = permutation(random, 12);
    return apart(i, j) < apart(i, k) ? [i, j, k] : [i, k, j];
  });
  for (const people of [4, 6, 8, 12]) {
    const participant = rows.map((_, q) => q % people);
    const { chance } = await ordinalEmbedding(rows, { groups: { participant } });
    expect(chance?.isBetter, `${people} people`).toBe(true);
  }
  const trial = rows.map((_, q) => q % 8);
  expect((await ordinalEmbedding(rows, { groups: { trial } })).chance).toBeUndefined();
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
  expect(standardError).toBeCloseTo(Math.sqrt(0.5 ** 2 / (1 - 3 / 4) + 0.5 ** 2 / (1 - 1 / 4)) / 4, 12);
});

test("95 % intervals hold the truth where people gave very different numbers of answers", () => {
  const random = new RandomGenerator(31);
  const X = Float64Array.of(0, 1, 3);
  const designs: Record<string, () => number[]> = {
    "40 of 40 each": () => Array.from({ length: 40 }, () => 40),
    "8 of 46, 30 of one": () => Array.from({ length: 38 }, (_, g) => (g < 8 ? 46 : 1)),
    "the first of 30 a quarter of all": () => Array.from({ length: 30 }, (_, g) => Math.ceil(400 / (g + 1))),
    lognormal: () => Array.from({ length: 20 }, () => Math.ceil(Math.exp(3 + 1.2 * normal(random)))),
  };
  for (const [name, sizes] of Object.entries(designs)) {
    const draws = 1000;
    let held = 0;
    for (let draw = 0; draw < draws; draw++) {
      const unitOf: number[] = [];
      const quadruplets: number[] = [];
      for (const [g, size] of sizes().entries()) {
        const error = 0.4 * random.uniform(); // of this person; 0.2 of all
        for (let k = 0; k < size; k++) {
          unitOf.push(g);
          quadruplets.push(...(random.uniform() < error ? [0, 2, 0, 1] : [0, 1, 0, 2]));
        }
      }
      const count = unitOf[unitOf.length - 1] + 1;
      const { interval } = errorEstimate(
        { objects: 3, quadruplets: Int32Array.from(quadruplets), weights: undefined },
        { count, unitOf: Int32Array.from(unitOf) },
        X,
      );
      held += Number(interval[0] <= 0.2 && 0.2 <= interval[1]);
    }
    expect(held / draws, name).toBeGreaterThan(0.905);
    expect(held / draws, name).toBeLessThan(0.98);
  }
});

test("30 people of one answer beside 6 of many are no 36 judges of chance", async () => {
  const random = new RandomGenerator(5);
  const places = Array.from({ length: 20 }, () => [normal(random), normal(random)]);
  const apart = (a: number, b: number): number => Math.hypot(...places[a].map((x, t) => x - places[b][t]));
  const rows = Array.from({ length: 400 }, () => {
    const [i, j, k] = permutation(random, 20);
    return apart(i, j) < apart(i, k) ? [i, j, k] : [i, k, j];
  });
  const participant = rows.map((_, q) => (q < 30 ? q : 30 + (q % 6)));
  const judged = await ordinalEmbedding(rows, { groups: { participant } });
  expect(judged.chance?.isBetter).toBe(true);
  const flipped = rows.map(([i, j, k]) => (random.uniform() < 0.5 ? [i, j, k] : [i, k, j]));
  const coins = await ordinalEmbedding(flipped, { groups: { participant } });
  expect(coins.chance?.isBetter).toBe(false);
});

test("Student's quantile", () => {
  for (const [degrees, value] of [
    [0.5, 12.706],
    [1, 12.706],
    [1.5, 6.0167],
    [2.5, 3.5747],
    [3, 3.1824],
    [9, 2.2622],
    [29, 2.0452],
    [1000, 1.9623],
  ])
    expect(Math.abs(studentQuantile(degrees) / value - 1)).toBeLessThan(0.03);
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

/** Twenty sure questions and twenty toss-ups, about three objects each, each asked twice. */
const asked = Array.from({ length: 20 }, (_, n) => 6 * n).flatMap((o) => [
  [o, o + 1, o, o + 2],
  [o, o + 1, o, o + 2],
  [o + 3, o + 4, o + 3, o + 5],
  [o + 3, o + 5, o + 3, o + 4],
]);

test("what repeated questions say: half are sure, half are toss-ups", () => {
  const quadruplets = Int32Array.from(asked.flat());
  const questions = questionsAsked(pairsNamed(quadruplets));
  const noise = noiseOf({ objects: 120, quadruplets, weights: undefined }, questions);
  // D = 1/2 of 40 questions, each 0 or 1: a standard error of √(1/4/39).
  expect(noise).toMatchObject({ repeated: 40, disagreement: 0.5 });
  expect(noise?.standardError).toBeCloseTo(Math.sqrt(0.25 / 39), 12);
  const low = 0.5 - 2 * Math.sqrt(0.25 / 39);
  expect(noise?.leastError[0]).toBeCloseTo((1 - Math.sqrt(1 - 2 * low)) / 2, 12);
  expect(noise?.leastError[1]).toBe(0.5);
  // Ties, half an answer each way, contradict nobody; and of too few questions nothing is said.
  const halves = new Float64Array(asked.length).fill(0.5);
  expect(noiseOf({ objects: 120, quadruplets, weights: halves }, questions)).toBeUndefined();
  const few = quadruplets.slice(0, 4 * 30);
  expect(
    noiseOf({ objects: 120, quadruplets: few, weights: undefined }, questionsAsked(pairsNamed(few))),
  ).toBeUndefined();
});

test("no disagreement in r questions leaves 3/r possible", () => {
  const sure = Int32Array.from(asked.filter((_, q) => q % 4 < 2).flat());
  const noise = noiseOf(
    { objects: 120, quadruplets: sure, weights: undefined },
    questionsAsked(pairsNamed(sure)),
  );
  expect(noise?.leastError).toEqual([0, 3 / 20]);
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
