import { RandomGenerator } from "@curvature/linalg";
import { comparisonCount, errorShare } from "@curvature/objectives/ordinal";
import {
  generalizationError,
  ordinalEmbedding,
  splitAnswers,
  tripletsFromPoints,
} from "@curvature/optim-svrg";
import fc from "fast-check";
import { expect, test } from "vitest";

const points = Array.from({ length: 9 }, (_, n) => [n, (7 * n) % 5]);
const { train: known } = tripletsFromPoints(points, { count: 100 });

/** The question of each answer, as a word. */
const questions = (quadruplets: Int32Array): string[] =>
  Array.from({ length: quadruplets.length / 4 }, (_, q) => {
    const pair = (at: number): string => [...quadruplets.subarray(4 * q + at, 4 * q + at + 2)].sort().join();
    return [pair(0), pair(2)].sort().join(" ");
  });

test("the parts are all answers, of the share asked for, and the same for the same seed", () => {
  const { train, test: held } = splitAnswers(known, { test: 0.3, seed: 5 });
  expect([comparisonCount(train), comparisonCount(held)]).toEqual([70, 30]);
  expect([...questions(train.quadruplets), ...questions(held.quadruplets)].sort()).toEqual(
    questions(known.quadruplets).sort(),
  );
  expect(splitAnswers(known, { test: 0.3, seed: 5 })).toEqual({ train, test: held });
  expect(splitAnswers(known, { test: 0.3, seed: 6 })).not.toEqual({ train, test: held });
});

test("answers to one question stay together, whichever way they were given; weights go with them", () => {
  const random = new RandomGenerator(2);
  fc.assert(
    fc.property(fc.nat(1e6), fc.double({ min: 0.05, max: 0.9, noNaN: true }), (seed, share) => {
      const order = Array.from({ length: 200 }, () => random.integer(40));
      const triplets = order.flatMap((q) => {
        const [i, j, , k] = known.quadruplets.subarray(4 * q, 4 * q + 4);
        return random.integer(2) === 0 ? [i, j, k] : [i, k, j];
      });
      const weights = order.map((q) => q + 1);
      const { train, test: held } = splitAnswers({ triplets, weights, objects: 9 }, { test: share, seed });
      const heard = new Set(questions(train.quadruplets));
      expect(questions(held.quadruplets).some((question) => heard.has(question))).toBe(false);
      expect(comparisonCount(held)).toBeGreaterThanOrEqual(Math.round(200 * share));
      const sum = (of: Float64Array | undefined): number => of?.reduce((total, w) => total + w, 0) ?? 0;
      expect(sum(train.weights) + sum(held.weights)).toBe(weights.reduce((total, w) => total + w, 0));
    }),
    { numRuns: 30 },
  );
});

test("one question cannot be divided, and says so", () => {
  const one = [
    [0, 1, 2],
    [0, 2, 1],
  ];
  expect(() => splitAnswers(one)).toThrow(/one question, too few/);
  expect(() => splitAnswers(known, { test: 1 })).toThrow(/above 0 and below 1/);
  expect(() => splitAnswers(known, { test: 0.9999 })).toThrow(/100 questions, too few to hold out/);
});

test("weights of any size: only their ratios count", async () => {
  const of = (unit: number) => Array.from({ length: 100 }, (_, q) => (1 + (q % 3)) * unit);
  const plain = await ordinalEmbedding(known, { weights: of(1) });
  for (const unit of [2 ** -1040, 2 ** 1010]) {
    const { embedding, trainingError } = await ordinalEmbedding(known, { weights: of(unit) });
    expect(embedding).toEqual(plain.embedding);
    expect(trainingError).toBe(plain.trainingError);
  }
  await expect(ordinalEmbedding(known, { weights: of(1e307) })).rejects.toThrow(
    /divide them all by the largest/,
  );
  expect(() => generalizationError({ ...known, weights: of(1e307) }, plain.embedding)).toThrow(
    /divide them all by the largest/,
  );
  expect(errorShare(known, plain.embedding.data)).toBeLessThan(0.2);
});

test("one person of most answers is not held out where a share is asked for", () => {
  const { train: many } = tripletsFromPoints(points, { count: 230 });
  const count = comparisonCount(many);
  const participant = Array.from({ length: count }, (_, q) => (q < count - 30 ? 0 : 1 + (q % 6)));
  for (let seed = 0; seed < 10; seed++) {
    const { test: held } = splitAnswers(many, {
      by: "participant",
      groups: { participant },
      test: 0.1,
      seed,
    });
    expect(held.quadruplets.length / 4).toBeGreaterThanOrEqual(count / 10 - 1);
    expect(held.quadruplets.length / 4).toBeLessThan(count / 10 + 5);
  }
  const two = Array.from({ length: count }, (_, q) => Number(q < 80));
  const { test: smallest } = splitAnswers(many, { by: "participant", groups: { participant: two } });
  expect(smallest.quadruplets.length / 4).toBe(80);
});
