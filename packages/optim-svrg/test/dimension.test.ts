import { normal, RandomGenerator } from "@curvature/linalg";
import { expect, test } from "vitest";
import { chooseDimension, tripletsFromPoints } from "../src/index.js";

const random = new RandomGenerator(2);
const space = (p: number) =>
  Array.from({ length: 30 }, () => Array.from({ length: p }, () => normal(random)));

test.each([1, 2, 3])("the answers of points in %i dimensions need as many", { tags: ["full"] }, async (p) => {
  const { train } = tripletsFromPoints(space(p), { count: 1500, seed: p });
  const heard: number[] = [];
  const { dimensions, candidates } = await chooseDimension(train, {
    candidates: [4, 1, 2, 3, 3],
    onCandidate: (candidate) => heard.push(candidate.dimensions),
  });
  expect(dimensions).toBe(p);
  expect(heard).toEqual([1, 2, 3, 4]);
  expect(candidates.map((candidate) => candidate.dimensions)).toEqual(heard);
  const best = candidates[p - 1];
  expect(best.error).toBe(Math.min(...candidates.map(({ error }) => error)));
  expect(best.standardError).toBeGreaterThan(0);
  expect(best.error).toBeLessThan(0.15);
});

test("more standard errors are asked for where answers are more", async () => {
  const { train: few } = tripletsFromPoints(space(1), { count: 200, seed: 3 });
  const { train: many } = tripletsFromPoints(space(1), { count: 6000, seed: 3 });
  const options = { candidates: [1, 2], folds: 2 };
  expect((await chooseDimension(few, options)).standardErrors).toBe(1);
  const { standardErrors, dimensions } = await chooseDimension(many, { candidates: [1], folds: 2 });
  expect(standardErrors).toBeCloseTo(3, 12);
  expect(dimensions).toBe(1);
});

test("the edge of what was tried, and no better than a coin, are said", async () => {
  const { train } = tripletsFromPoints(space(2), { count: 1200, seed: 8 });
  expect(await chooseDimension(train, { candidates: [1, 2, 3] })).toMatchObject({
    dimensions: 2,
    outcome: "inside",
  });
  expect(await chooseDimension(train, { candidates: [1, 2] })).toMatchObject({
    dimensions: 2,
    outcome: "edge",
  });
  expect((await chooseDimension(train, { candidates: [3, 4] })).outcome).toBe("edge");
  const coin = new RandomGenerator(12);
  const flips = Array.from({ length: 300 }, () => {
    const [i, j, k] = [coin.integer(10), 10 + coin.integer(10), 20 + coin.integer(10)];
    return coin.integer(2) === 0 ? [i, j, k] : [i, k, j];
  });
  expect((await chooseDimension(flips, { candidates: [1, 2] })).outcome).toBe("chance");
  // By a few people who are known, and where all are undecided, too.
  const participant = flips.map((_, q) => q % 8);
  expect((await chooseDimension(flips, { candidates: [1, 2], groups: { participant } })).outcome).toBe(
    "chance",
  );
  const bothWays = flips.flatMap(([i, j, k]) => [
    [i, j, k],
    [i, k, j],
  ]);
  expect(await chooseDimension(bothWays, { candidates: [1, 2] })).toMatchObject({ outcome: "chance" });
  const ten = await chooseDimension(flips.slice(0, 10), { candidates: [1] });
  expect(ten.message).toMatch(/too few answers/);
});

test("answers to one question are in one fold: repeating all answers changes no error to 0", async () => {
  const { train } = tripletsFromPoints(space(2), { count: 150, flip: 0.3 });
  const rows = Array.from({ length: 150 }, (_, q) => train.quadruplets.subarray(4 * q, 4 * q + 4));
  const options = { candidates: [10] };
  const {
    candidates: [once],
  } = await chooseDimension(rows, options);
  const {
    candidates: [twice],
  } = await chooseDimension([...rows, ...rows], options);
  expect(once.error).toBeGreaterThan(0.25);
  expect(twice.error).toBeCloseTo(once.error, 1);
});

test.each([
  ["no answers", [], {}, "ERR_SHAPE"],
  [
    "one fold",
    [
      [0, 1, 2],
      [1, 2, 3],
    ],
    { folds: 1 },
    "ERR_OPTION",
  ],
  [
    "more folds than questions",
    [
      [0, 1, 2],
      [1, 2, 3],
    ],
    { folds: 3 },
    "ERR_OPTION",
  ],
  [
    "candidates beyond the objects",
    [
      [0, 1, 2],
      [1, 2, 3],
    ],
    { folds: 2, candidates: [4] },
    "ERR_OPTION",
  ],
  [
    "no candidates",
    [
      [0, 1, 2],
      [1, 2, 3],
    ],
    { folds: 2, candidates: [] },
    "ERR_OPTION",
  ],
  [
    "a misspelt option",
    [
      [0, 1, 2],
      [1, 2, 3],
    ],
    JSON.parse('{"fold": 2}'),
    "ERR_OPTION",
  ],
])("%s is refused", async (_, answers, options, code) => {
  await expect(chooseDimension(answers, options)).rejects.toMatchObject({ name: "CurvatureError", code });
});

test("an abort", async () => {
  const reason = new Error("enough");
  const { train } = tripletsFromPoints(space(2), { count: 100 });
  await expect(chooseDimension(train, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
