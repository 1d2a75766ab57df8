import { exp } from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tripletsFromDistances, tripletsFromPoints } from "../../src/index.js";
import { NumberSet } from "../../src/triplets/number-set.js";
import { TripletQuestions } from "../../src/triplets/triplet-questions.js";
import { cityDistances } from "../embedding-data.js";

/** Its questions as strings, and whether each answer is that of the distances. */
function checked({ quadruplets }: { quadruplets: Int32Array }, d: (i: number, j: number) => number) {
  const questions: string[] = [];
  let right = 0;
  for (let at = 0; at < quadruplets.length; at += 4) {
    const [i, j, l, k] = quadruplets.subarray(at, at + 4);
    expect(l).toBe(i);
    if (d(i, j) < d(i, k)) right++;
    questions.push(`${i} ${Math.min(j, k)} ${Math.max(j, k)}`);
  }
  return { questions, right };
}

const points = Array.from({ length: 12 }, (_, n) => [Math.sin(n), Math.cos(2 * n)]);
const distance = (i: number, j: number): number =>
  (points[i][0] - points[j][0]) ** 2 + (points[i][1] - points[j][1]) ** 2;

test("the cities' roads: 3,990 questions, 4 of them without an answer", () => {
  const { train, test: held, ties, flipped } = tripletsFromDistances(cityDistances());
  expect([train.quadruplets.length / 4, held.quadruplets.length, ties, flipped]).toEqual([3986, 0, 4, 0]);
  const split = tripletsFromDistances(cityDistances(), { test: 1986, seed: 3 });
  expect([split.train.quadruplets.length / 4, split.test.quadruplets.length / 4, split.ties]).toEqual([
    2000, 1986, 4,
  ]);
  const roads = cityDistances();
  const [a, b] = [split.train, split.test].map((part) => checked(part, (i, j) => roads[i][j]));
  expect([a.right, b.right]).toEqual([2000, 1986]);
  expect(new Set([...a.questions, ...b.questions]).size).toBe(3986);
});

test("all questions of points, each once and right", () => {
  const { train } = tripletsFromPoints(points);
  const { questions, right } = checked(train, distance);
  expect(right).toBe(12 * 55);
  expect(new Set(questions).size).toBe(12 * 55);
});

test.each([20, 100, 300])("%i of 660 at random: different, right, apart from the test", (count) => {
  const { train, test: held } = tripletsFromPoints(points, { count, test: 200, seed: 5 });
  const [a, b] = [checked(train, distance), checked(held, distance)];
  expect([a.right, b.right]).toEqual([count, 200]);
  expect(new Set([...a.questions, ...b.questions]).size).toBe(count + 200);
  expect(tripletsFromPoints(points, { count, test: 200, seed: 5 }).train).toEqual(train);
  expect(tripletsFromPoints(points, { count, test: 200, seed: 6 }).train).not.toEqual(train);
});

test("many objects cost no more than the answers asked for", () => {
  const many = Array.from({ length: 20_000 }, (_, n) => [Math.sin(n * n)]);
  const { train, ties } = tripletsFromPoints(many, { count: 1000 });
  expect(checked(train, (i, j) => Math.abs(many[i][0] - many[j][0])).right).toBe(1000);
  expect(ties).toBe(0);
});

describe("noise", () => {
  test("answers are turned around as often as asked for, test answers never", () => {
    const many = Array.from({ length: 60 }, (_, n) => [Math.sin(n), Math.cos(3 * n)]);
    const d = (i: number, j: number): number =>
      (many[i][0] - many[j][0]) ** 2 + (many[i][1] - many[j][1]) ** 2;
    const { train, test: held, flipped } = tripletsFromPoints(many, { count: 20_000, test: 1000, flip: 0.1 });
    expect(checked(train, d).right).toBe(20_000 - flipped);
    expect(checked(held, d).right).toBe(1000);
    expect(Math.abs(flipped - 2000)).toBeLessThan(5 * Math.sqrt(20_000 * 0.09)); // five standard deviations
  });

  test("logistic noise turns near ties around, and hardly others", { tags: ["full"] }, () => {
    const line = [[0], [1], [1.05], [4]];
    const wrong = new Map<string, number>();
    for (let seed = 0; seed < 2000; seed++) {
      const { train } = tripletsFromPoints(line, { noise: 0.5, seed });
      const { questions } = checked(train, () => 0);
      questions.forEach((question, q) => {
        const [i, j, , k] = train.quadruplets.subarray(4 * q, 4 * q + 4);
        const isWrong = Math.abs(line[i][0] - line[j][0]) > Math.abs(line[i][0] - line[k][0]);
        if (isWrong) wrong.set(question, (wrong.get(question) ?? 0) + 1);
      });
    }
    for (const [question, d1, d2] of [
      ["0 1 2", 1, 1.05 ** 2],
      ["3 1 2", 2.95 ** 2, 9],
    ] as const) {
      const p = 1 / (1 + exp(Math.abs(d2 - d1) / 0.5));
      expect(Math.abs((wrong.get(question) ?? 0) - 2000 * p)).toBeLessThan(5 * Math.sqrt(2000 * p * (1 - p)));
    }
    expect(wrong.get("0 1 3") ?? 0).toBe(0);
  });

  test("a flip of 1 turns all around", () => {
    const { train, flipped } = tripletsFromPoints(points, { flip: 1 });
    expect([flipped, checked(train, distance).right]).toEqual([660, 0]);
  });
});

test("questions by number and back", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 99_999 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (n, share) => {
        const questions = new TripletQuestions(n);
        const number = Math.floor(share * questions.count);
        const ask = new Int32Array(3);
        questions.write(number, ask);
        const [i, j, k] = ask;
        expect(new Set(ask).size).toBe(3);
        expect(j).toBeLessThan(k);
        expect(k).toBeLessThan(n);
        expect(questions.numberOf(i, j, k)).toBe(number);
        expect(questions.numberOf(i, k, j)).toBe(number);
      },
    ),
  );
});

test("a set of numbers holds what was added", () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeNat(), { maxLength: 40 }), fc.array(fc.maxSafeNat()), (added, others) => {
      const known = new Set<number>();
      const set = new NumberSet(added.length);
      for (const number of added) {
        expect(set.add(number)).toBe(!known.has(number));
        known.add(number);
      }
      for (const number of [...added, ...others]) expect(set.has(number)).toBe(known.has(number));
    }),
  );
});

test.each([
  [
    "not square",
    [
      [0, 1, 2],
      [1, 0, 3],
    ],
    {},
    "ERR_SHAPE",
  ],
  [
    "not symmetric",
    [
      [0, 1, 2],
      [1, 0, 3],
      [2, 4, 0],
    ],
    {},
    "ERR_ARGUMENT",
  ],
  [
    "negative",
    [
      [0, -1, 2],
      [-1, 0, 3],
      [2, 3, 0],
    ],
    {},
    "ERR_ARGUMENT",
  ],
  [
    "a distance to itself",
    [
      [0, 1, 2],
      [1, 1, 3],
      [2, 3, 0],
    ],
    {},
    "ERR_ARGUMENT",
  ],
  [
    "NaN",
    [
      [0, 1, 2],
      [1, 0, Number.NaN],
      [2, 3, 0],
    ],
    {},
    "ERR_NON_FINITE",
  ],
  [
    "two objects",
    [
      [0, 1],
      [1, 0],
    ],
    {},
    "ERR_SHAPE",
  ],
  [
    "ragged",
    [
      [0, 1, 2],
      [1, 0],
      [2, 3, 0],
    ],
    {},
    "ERR_SHAPE",
  ],
  [
    "all ties",
    [
      [0, 1, 1],
      [1, 0, 1],
      [1, 1, 0],
    ],
    {},
    "ERR_SHAPE",
  ],
  [
    "more than there are",
    [
      [0, 1, 2],
      [1, 0, 3],
      [2, 3, 0],
    ],
    { count: 4 },
    "ERR_OPTION",
  ],
  [
    "nothing left to train with",
    [
      [0, 1, 2],
      [1, 0, 3],
      [2, 3, 0],
    ],
    { test: 3 },
    "ERR_OPTION",
  ],
  [
    "a probability above 1",
    [
      [0, 1, 2],
      [1, 0, 3],
      [2, 3, 0],
    ],
    { flip: 2 },
    "ERR_OPTION",
  ],
  [
    "a misspelt option",
    [
      [0, 1, 2],
      [1, 0, 3],
      [2, 3, 0],
    ],
    JSON.parse('{"counts": 2}'),
    "ERR_OPTION",
  ],
])("%s is refused", (_, distances, options, code) => {
  expect(() => tripletsFromDistances(distances, options)).toThrow(
    expect.objectContaining({ name: "CurvatureError", code }),
  );
});

test("all answers of very many objects do not fit", { tags: ["full"] }, () => {
  const many = { rows: 2000, columns: 1, data: new Float64Array(2000) };
  expect(() => tripletsFromPoints(many)).toThrow(expect.objectContaining({ code: "ERR_MEMORY" }));
  expect(() => tripletsFromPoints(many, { count: 10 })).toThrow(/no question has an answer/);
});

describe("ties", () => {
  /** In groups of equal places, so that the others' distances tie wherever two are in one group. */
  const grouped = (objects: number, groups: number): number[][] =>
    Array.from({ length: objects }, (_, n) => [(n % groups) ** 2]);

  test("leave fewer answers than were asked for: all that there are, each once", () => {
    const few = grouped(12, 3);
    const all = tripletsFromPoints(few).train;
    const { train, test: held } = tripletsFromPoints(few, { count: 600, test: 20 });
    const [a, b] = [checked(train, () => 0), checked(held, () => 0)];
    expect([...a.questions, ...b.questions].sort()).toEqual(checked(all, () => 0).questions.sort());
    expect(b.questions).toHaveLength(20);
    expect(() => tripletsFromPoints(grouped(12, 1), { count: 600 })).toThrow(/no question has an answer/);
    expect(() => tripletsFromPoints([[0], [1], [1]], { count: 1, test: 2 })).toThrow(/test .* below 2/);
  });

  test.each([100_000, 600_000])(
    "nearly everywhere among 170 million questions, %i asked for",
    { tags: ["full"] },
    (count) => {
      const [objects, apart] = [700, 311];
      const places = Array.from({ length: objects }, (_, n) => [n === apart ? 1 : 0]);
      const { train, test: held } = tripletsFromPoints(places, { count, test: 10, seed: 2 });
      const given = [...held.quadruplets, ...train.quadruplets];
      const questions = new Set<number>();
      for (let at = 0; at < given.length; at += 4)
        if (given[at] !== apart && given[at + 3] === apart)
          questions.add(given[at] * objects + given[at + 1]);
      const answers = (objects - 1) * (objects - 2);
      expect(held.quadruplets).toHaveLength(40);
      expect(given).toHaveLength(4 * Math.min(count + 10, answers));
      expect(questions.size).toBe(given.length / 4);
    },
  );
});

test.each([1e-200, 1, 1e200])("distances of the order of %d are told apart", (unit) => {
  const line = [0, 1, -3, 10].map((x) => [x * unit]);
  const matrix = line.map(([x]) => line.map(([y]) => Math.abs(x - y)));
  const plain = tripletsFromPoints([[0], [1], [-3], [10]]).train.quadruplets;
  expect(tripletsFromPoints(line).train.quadruplets).toEqual(plain);
  expect(tripletsFromDistances(matrix).train.quadruplets).toEqual(plain);
});
