import { normal, RandomGenerator } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { bootstrapEmbedding, ordinalEmbedding, tripletsFromPoints } from "../src/index.js";

const random = new RandomGenerator(6);
const points = Array.from({ length: 15 }, () => [normal(random), normal(random)]);
const answers = (count: number) => tripletsFromPoints(points, { count, flip: 0.1 }).train;
const median = (values: Float64Array): number => values.slice().sort()[Math.floor(values.length / 2)];

test("more answers make places surer; the map is that of all answers", { tags: ["full"] }, async () => {
  const few = await bootstrapEmbedding(answers(150), { samples: 20, ridge: 0.03 });
  const many = await bootstrapEmbedding(answers(1300), { samples: 20, ridge: 0.03 });
  expect(median(many.spread)).toBeLessThan(0.7 * median(few.spread));
  expect(many.embedding).toEqual((await ordinalEmbedding(answers(1300), { ridge: 0.03 })).embedding);
});

describe("covariances", () => {
  test("are symmetric and of a positive kind, and the ellipse is theirs", async () => {
    const heard: number[] = [];
    const { covariances, spread, ellipse, resampled } = await bootstrapEmbedding(answers(300), {
      samples: 12,
      ridge: 0.03,
      onSample: (sample) => heard.push(sample),
    });
    const { units } = resampled;
    expect(resampled.kind).toBe("question");
    expect(heard).toEqual(Array.from({ length: 12 }, (_, b) => b + 1));
    for (let object = 0; object < 15; object++) {
      const [a, b, c, d] = covariances.subarray(4 * object, 4 * object + 4);
      expect(b).toBe(c);
      expect(a * d - b * c).toBeGreaterThan(0);
      expect(spread[object]).toBeCloseTo(Math.sqrt(a + d), 12);
      const { major, minor, direction } = ellipse(object);
      const degrees = 1 / (1 / (units - 1) + 1 / 11); // of Hotelling's region, by units and 12 samples
      const radius2 = degrees * (0.05 ** (-2 / (degrees - 1)) - 1);
      expect(major ** 2 + minor ** 2).toBeCloseTo(radius2 * (a + d), 8);
      const along = a * direction[0] ** 2 + 2 * b * direction[0] * direction[1] + d * direction[1] ** 2;
      expect(major ** 2).toBeCloseTo(radius2 * along, 8);
      expect(ellipse(object, 0.5).major).toBeLessThan(major);
    }
  });

  test("objects without a place have none, and the same seed gives the same", async () => {
    const options = { objects: 17, samples: 3, ridge: 0.03 };
    const { quadruplets } = answers(200);
    const one = await bootstrapEmbedding({ quadruplets }, options);
    const two = await bootstrapEmbedding({ quadruplets }, options);
    expect(two.covariances).toEqual(one.covariances);
    expect(Number.isNaN(one.spread[16])).toBe(true);
    expect(Number.isNaN(one.ellipse(16).major)).toBe(true);
    expect(Number.isFinite(one.spread[14])).toBe(true);
  });
});

test("four people and more are drawn as a whole, else trials; few people make regions wide", async () => {
  const { quadruplets } = answers(300);
  const trial = Array.from({ length: 300 }, (_, q) => Math.floor(q / 3));
  const of = (people: number) => ({
    groups: {
      trial,
      participant: Array.from({ length: 300 }, (_, q) => `p${Math.floor((q * people) / 300)}`),
    },
    ...{ samples: 8, ridge: 0.03 },
  });
  const five = await bootstrapEmbedding({ quadruplets }, of(5));
  expect(five.resampled).toEqual({ kind: "participant", units: 5 });
  const three = await bootstrapEmbedding({ quadruplets }, of(3));
  // Trials are numbered within people, and these begin and end with a person.
  expect(three.resampled).toEqual({ kind: "trial", units: 102 });
  expect(five.ellipse(3).major / Math.sqrt(five.covariances[12])).toBeGreaterThan(2.6);
});

test("regions of coin flips are marked as meaningless", async () => {
  const coin = new RandomGenerator(31);
  const flips = Array.from({ length: 300 }, () => {
    const [i, j, k] = [coin.integer(15), 15 + coin.integer(5), 20 + coin.integer(5)];
    return coin.integer(2) === 0 ? [i, j, k] : [i, k, j];
  });
  const { isMeaningless, result } = await bootstrapEmbedding(flips, { samples: 2 });
  expect(isMeaningless).toBe(true);
  expect(result.warnings.map(({ code }) => code)).toContain("chance");
  expect((await bootstrapEmbedding(answers(300), { samples: 2 })).isMeaningless).toBe(false);
});

test("bad input", async () => {
  for (const options of [JSON.parse("null"), { samples: 1 }, { samples: Number.NaN }, { sample: 3 }])
    await expect(bootstrapEmbedding(answers(100), options)).rejects.toMatchObject({ code: "ERR_OPTION" });
  const { ellipse } = await bootstrapEmbedding(answers(100), { samples: 2, ridge: 0.03 });
  for (const [object, share] of [
    [15, 0.5],
    [-1, 0.5],
    [0, 1],
    [0, Number.NaN],
  ])
    expect(() => ellipse(object, share)).toThrow(expect.objectContaining({ code: "ERR_ARGUMENT" }));
  const line = await bootstrapEmbedding(answers(100), { samples: 2, ridge: 0.03, dimensions: 1 });
  expect(() => line.ellipse(0)).toThrow(expect.objectContaining({ code: "ERR_ARGUMENT" }));
  const reason = new Error("enough");
  await expect(bootstrapEmbedding(answers(100), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
