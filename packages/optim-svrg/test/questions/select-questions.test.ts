import { normal, RandomGenerator } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import {
  generalizationError,
  ordinalEmbedding,
  selectQuestions,
  tripletsFromPoints,
} from "../../src/index.js";
import { entropy, expectationOf, sharpnessOf } from "../../src/questions/information-gain.js";

const n = 20;
const random = new RandomGenerator(4);
const points = Array.from({ length: n }, () => [normal(random), normal(random)]);
const answers = (count: number, seed = 0) => tripletsFromPoints(points, { count, seed }).train;
const key = ({ anchor, first, second }: { anchor: number; first: number; second: number }): string =>
  `${anchor} ${Math.min(first, second)} ${Math.max(first, second)}`;

describe("the information gain", () => {
  const rowOf = Int32Array.of(0, 1, 2, -1);
  const map = (x: number, y: number): Float64Array => Float64Array.of(0, x, y);
  const both = (maps: Float64Array[]) => ({
    samples: maps,
    folds: maps,
    sampleShare: 0.5,
    dimensions: 1,
    rowOf,
  });

  test("maps that are sure and contradict each other: one bit; maps that agree or are unsure: nothing", () => {
    const gain = (...maps: Float64Array[]): number =>
      expectationOf({ ...both(maps), sharpness: [{ a: 1, weight: 1 }] }, 0, 1, 2).gain;
    expect(gain(map(0, 9), map(9, 0))).toBeCloseTo(1, 12);
    expect(gain(map(0, 9), map(0, 9))).toBeCloseTo(0, 12);
    expect(gain(map(1, 1), map(1, 1))).toBeCloseTo(0, 12);
  });

  test("as by hand: p of 1/(1 + e) and 1/2", () => {
    const p = 1 / (1 + Math.E);
    const mean = (p + 0.5) / 2;
    const H = (q: number): number => -(q * Math.log2(q) + (1 - q) * Math.log2(1 - q));
    const { gain, probability } = expectationOf(
      { ...both([map(1, 0), map(2, 2)]), sharpness: [{ a: 1, weight: 1 }] },
      0,
      1,
      2,
    );
    expect(probability).toBeCloseTo(mean, 14);
    expect(gain).toBeCloseTo(H(mean) - (H(p) + 1) / 2, 14);
  });

  test("of an object without a place nothing is known; distances of any size are judged", () => {
    expect(expectationOf({ ...both([map(1, 2)]), sharpness: [{ a: 1, weight: 1 }] }, 0, 1, 3)).toEqual({
      gain: 1,
      probability: 0.5,
    });
    const { gain, probability } = expectationOf(
      { ...both([map(1e100, 0)]), sharpness: [{ a: 1, weight: 1 }] },
      0,
      1,
      2,
    );
    expect([gain, probability]).toEqual([0, 0]);
    expect([entropy(0), entropy(1), entropy(0.5)]).toEqual([0, 0, 1]);
  });
});

test("the sharpness is the slope by which answers were drawn, and 0 for coin flips", () => {
  const generator = new RandomGenerator(9);
  const drawn = (slope: number): number[] =>
    Array.from({ length: 4000 }, () => {
      const z = normal(generator);
      return generator.uniform() < 1 / (1 + Math.exp(slope * z)) ? z : -z;
    });
  const meanOf = (differences: number[]): number =>
    sharpnessOf(
      differences.map((z) => ({ ofFolds: [z], ofSamples: [] })),
      0.5,
    ).reduce((sum, { a, weight }) => sum + a * weight, 0);
  for (const slope of [0.25, 1, 4]) {
    expect(meanOf(drawn(slope))).toBeGreaterThan(0.8 * slope);
    expect(meanOf(drawn(slope))).toBeLessThan(1.25 * slope);
  }
  expect(meanOf(drawn(0))).toBeLessThan(0.1);
  const weights = sharpnessOf([], 0.5).map(({ weight }) => weight); // without answers any is as good
  expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
  expect(new Set(weights).size).toBe(2);
});

test("answers of one person stay together where people are named", async () => {
  const known = answers(240);
  const rows = Array.from({ length: 240 }, (_, q) => known.quadruplets.subarray(4 * q, 4 * q + 4));
  const participant = rows.map((_, q) => q % 6);
  const [apart, together] = await Promise.all(
    [undefined, { participant }].map((groups) => selectQuestions(rows, { count: 20, groups })),
  );
  expect(together.questions).not.toEqual(apart.questions);
  await expect(selectQuestions(rows, { groups: { participant: [1] } })).rejects.toMatchObject({
    code: "ERR_SHAPE",
  });
});

test("what is said of answers is calibrated, of few and many, where people see more dimensions too", {
  tags: ["full"],
}, async () => {
  for (const [p, slope, each] of [
    [2, 1, 3],
    [2, 2, 12],
    [3, 2, 20],
  ]) {
    const gaps: number[] = [];
    const losses: number[] = [];
    for (let seed = 0; seed < 6; seed++) {
      const generator = new RandomGenerator(700 + seed);
      const places = Array.from({ length: 30 }, () => Array.from({ length: p }, () => normal(generator)));
      const isNear = (i: number, j: number, k: number): boolean => {
        const squared = (o: number): number =>
          places[i].reduce((sum, x, t) => sum + (x - places[o][t]) ** 2, 0);
        return generator.uniform() < 1 / (1 + Math.exp(slope * (squared(j) - squared(k))));
      };
      const rows = tripletsFromPoints(places, { count: each * 30, seed }).train.quadruplets;
      const known = Array.from({ length: each * 30 }, (_, q) => {
        const [i, j, , k] = rows.subarray(4 * q, 4 * q + 4);
        return isNear(i, j, k) ? [i, j, k] : [i, k, j];
      });
      const { questions } = await selectQuestions(known, { objects: 30, count: 3000, randomFirst: 0, seed });
      let gap = 0;
      let loss = 0;
      for (const { anchor, first, second, probability = Number.NaN } of questions) {
        const isFirst = isNear(anchor, first, second);
        const isLikely = probability >= 0.5 === isFirst;
        gap += (Math.max(probability, 1 - probability) - (isLikely ? 1 : 0)) / questions.length;
        loss -= Math.log(isFirst ? probability : 1 - probability) / questions.length;
      }
      gaps.push(gap);
      losses.push(loss);
    }
    const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean(losses)).toBeLessThan(Math.LN2);
    if (each >= 10) expect(Math.abs(mean(gaps))).toBeLessThan(0.05);
  }
});

test("the first 2n answers are asked at random, by default max(10, n/3, N/10) at a time", async () => {
  const none = await selectQuestions([], { objects: 90 });
  expect([none.strategy, none.questions.length]).toEqual(["random", 30]);
  expect(none.questions[0]).toMatchObject({ gain: undefined, probability: undefined });
  expect((await selectQuestions(answers(39))).strategy).toBe("random");
  expect((await selectQuestions(answers(40))).strategy).toBe("information-gain");
  expect((await selectQuestions(answers(400))).questions.length).toBe(40);
  expect((await selectQuestions(answers(100), { randomFirst: 101 })).strategy).toBe("random");
});

test("no question is asked twice, neither anew nor in one batch", { tags: ["full"] }, async () => {
  const known = answers(3000);
  const { questions } = await selectQuestions(known, { count: 1000 });
  expect(questions.length).toBe(20 * 171 - 3000); // all that are left
  const asked = new Set<string>();
  for (let at = 0; at < known.quadruplets.length; at += 4) {
    const [anchor, first, , second] = known.quadruplets.subarray(at, at + 4);
    asked.add(key({ anchor, first, second }));
  }
  for (const question of questions) {
    expect(asked.has(key(question))).toBe(false);
    asked.add(key(question));
  }
  expect(asked.size).toBe(20 * 171);
  const { questions: again } = await selectQuestions(known, { count: 1000, repeat: true });
  expect(again.length).toBe(1000);
});

test("questions teach more than random ones, and the same seed asks the same", async () => {
  const known = answers(150);
  const [one, two, other] = await Promise.all(
    [3, 3, 4].map((seed) => selectQuestions(known, { count: 50, seed })),
  );
  expect(two).toEqual(one);
  expect(other.questions.map(key)).not.toEqual(one.questions.map(key));
  const { questions: all } = await selectQuestions(known, { count: 3000, seed: 3 }); // half of a batch are such
  const mean = (gains: readonly (number | undefined)[]): number =>
    gains.reduce<number>((sum, gain) => sum + (gain ?? 0), 0) / gains.length;
  expect(mean(one.questions.map(({ gain }) => gain))).toBeGreaterThan(
    1.5 * mean(all.map(({ gain }) => gain)),
  );
});

test("a map so far is where the fits begin; objects without a place are asked for", async () => {
  const known = { quadruplets: answers(150).quadruplets };
  const { embedding } = await ordinalEmbedding(known, { loss: "ste", objects: 22 });
  const { questions } = await selectQuestions(known, { objects: 22, embedding, count: 60 });
  expect(
    questions.some((question) => [question.anchor, question.first, question.second].some((r) => r >= 20)),
  ).toBe(true);
});

test("asking so reaches an error sooner than asking at random, over five simulated people", {
  tags: ["full"],
}, async () => {
  const held = tripletsFromPoints(points, { count: 1500, seed: 99 }).train;
  const nearer = (i: number, j: number, k: number): boolean => {
    const d = (r: number): number => (points[i][0] - points[r][0]) ** 2 + (points[i][1] - points[r][1]) ** 2;
    return d(j) < d(k);
  };
  const errorsAfter = async (randomFirst: number, person: number): Promise<number> => {
    const known: number[][] = [];
    for (let round = 0; known.length < 200; round++) {
      const { questions } = await selectQuestions(known, {
        objects: n,
        randomFirst,
        count: 20,
        seed: 100 * person + round,
      });
      for (const { anchor, first, second } of questions)
        known.push(nearer(anchor, first, second) ? [anchor, first, second] : [anchor, second, first]);
    }
    const { embedding } = await ordinalEmbedding(known, {
      objects: n,
      loss: "ste",
      ridge: 0.03,
      solver: "lbfgs",
    });
    return generalizationError(held, embedding);
  };
  let chosen = 0;
  let drawn = 0;
  for (const person of [1, 2, 3, 4, 5]) {
    chosen += await errorsAfter(40, person);
    drawn += await errorsAfter(1e6, person);
  }
  expect(chosen).toBeLessThan(drawn);
});

test("every map that is fitted is announced beforehand", async () => {
  const heard: string[] = [];
  const onMap = (map: number, maps: number) => heard.push(`${map} of ${maps}`);
  await selectQuestions(answers(39), { onMap });
  expect(heard).toEqual([]);
  await selectQuestions(answers(60), { onMap });
  expect(heard).toEqual([...Array.from({ length: 16 }, (_, map) => `${map + 1} of 16`)]);
});

describe("bad input", () => {
  test.each([
    ["no answers and no objects", [], {}, "ERR_SHAPE"],
    ["two objects", [], { objects: 2 }, "ERR_SHAPE"],
    ["an object that is not there", [[0, 1, 9]], { objects: 5 }, "ERR_ARGUMENT"],
    ["no questions", [[0, 1, 2]], { count: 0 }, "ERR_OPTION"],
    ["a misspelt option", [[0, 1, 2]], JSON.parse('{"batch": 3}'), "ERR_OPTION"],
    ["more dimensions than objects", [[0, 1, 2]], { dimensions: 3, randomFirst: 0 }, "ERR_OPTION"],
    ["a map of another shape", [[0, 1, 2]], { embedding: [[0, 0]], randomFirst: 0 }, "ERR_SHAPE"],
  ])("%s is refused", async (_, given, options, code) => {
    await expect(selectQuestions(given, options)).rejects.toMatchObject({ name: "CurvatureError", code });
  });

  test("an abort", async () => {
    const reason = new Error("enough");
    await expect(selectQuestions(answers(100), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
