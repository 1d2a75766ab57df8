import { normal, RandomGenerator } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { generalizationError, ordinalEmbedding, procrustes, tripletsFromPoints } from "../src/index.js";
import { cityMap, smallAnswers } from "./embedding-data.js";
import { eurodist } from "./fixtures.js";

const split = eurodist();

describe("eurodist", () => {
  test("the map looks like the classical one and answers like the roads", async () => {
    const result = await ordinalEmbedding(split.train, { test: split.test, history: true });
    // Recorded elsewhere: best test errors 0.043 to 0.046 over all methods; a random map's disparity is about 0.84.
    expect(result.testError).toBeLessThan(0.055);
    expect(procrustes(cityMap(), result.embedding).disparity).toBeLessThan(0.025);
    expect(result.trainingError).toBe(generalizationError(split.train, result.embedding));
    expect(result.testError).toBe(generalizationError(split.test, result.embedding));
    expect(result.usable).toBe(true);
    expect(result.warnings).toEqual([]);
    expect(result.answers).toMatchObject({ count: 2000, degenerate: 0, unplaced: [], components: 1 });
    expect(result.history.at(-1)?.details).toMatchObject({ ridge: 0 });
    expect(result.history.length).toBe(result.iterations);
  });

  test.each(["gnmds", "ckl", "ste", "tste", "logistic", "smooth-hinge"] as const)(
    "%s is no worse than recorded",
    { tags: ["full"] },
    async (loss) => {
      const { testError } = await ordinalEmbedding(split.train, { loss, test: split.test });
      // The best of converged L-BFGS, tuned SVRG and tuned SVRG-SBB, and 0.01; the last two as STE and GNMDS.
      const best = {
        gnmds: 0.0487,
        ckl: 0.0759,
        ste: 0.0463,
        tste: 0.0629,
        logistic: 0.0463,
        "smooth-hinge": 0.0487,
      };
      expect(testError).toBeLessThanOrEqual(best[loss] + 0.01);
    },
  );

  test.each(["svrg-sbb", "svrg-sbb0", "svrg-bb", "svrg", "sgd", "gd", "lbfgs"] as const)(
    "%s by name",
    { tags: ["full"] },
    async (solver) => {
      const result = await ordinalEmbedding(split.train, { solver, loss: "ste", test: split.test });
      expect(result.options.solver).toBe(solver);
      expect(result.testError).toBeLessThan(0.07);
    },
  );

  test("descent over Gram matrices, cut to two dimensions, is a map but no better one", async () => {
    const result = await ordinalEmbedding(split.train, {
      solver: "gram",
      loss: "ste",
      test: split.test,
      maxPasses: 60,
    });
    expect(result.testError).toBeLessThan(0.15);
    expect(result.value).toBeGreaterThan(0);
  });
});

describe("the recipe", () => {
  const { train, test: held } = smallAnswers();
  const contradicting = smallAnswers(300, 1, 0.1).train;

  test("few answers: the ridge is searched for, on a part of them", async () => {
    const { history, ridge, passes } = await ordinalEmbedding(contradicting, { history: true });
    const tried = [
      ...new Set(
        history.filter(({ details }) => details.stage === "path").map(({ details }) => details.ridge),
      ),
    ];
    expect(tried.slice(0, 3)).toEqual([0.3, 0.1, 0.03]);
    expect(tried).toContain(ridge);
    expect(
      history.filter(({ details }) => details.stage === "path").every(({ value }) => value === undefined),
    ).toBe(true);
    const last = history.at(-1);
    expect(last?.details.stage).toBe("fit");
    expect(last?.passes).toBe(passes);
  });

  test.each([
    [1, 30, 10],
    [1, 50, 30],
    [2, 25, 12],
    [3, 40, 30],
    [5, 30, 25],
  ])(
    "answers without an error in %i dimensions: F where L-BFGS ends or below, and new answers no worse",
    async (p, n, each) => {
      const errors = { auto: 0, lbfgs: 0 };
      const values = { auto: 0, lbfgs: 0 };
      for (let seed = 40; seed < 44; seed++) {
        const random = new RandomGenerator(seed);
        const points = Array.from({ length: n }, () => Array.from({ length: p }, () => normal(random)));
        const { train, test } = tripletsFromPoints(points, { count: each * n, test: 2000, seed });
        for (const solver of ["auto", "lbfgs"] as const) {
          const { value = Number.NaN, testError = Number.NaN } = await ordinalEmbedding(train, {
            ...{ objects: n, dimensions: p, solver, test },
          });
          errors[solver] += testError / 4;
          values[solver] = value;
        }
        expect(values.auto).toBeLessThan(1.05 * values.lbfgs + 1e-6);
      }
      expect(errors.auto).toBeLessThan(1.05 * errors.lbfgs + 0.002);
    },
  );

  test.each([
    [1, 24, 12],
    [2, 20, 40],
    [3, 24, 60],
  ])("one wrong answer of a hundred in %i dimensions: F where L-BFGS ends or below", async (p, n, each) => {
    for (let seed = 140; seed < 144; seed++) {
      const random = new RandomGenerator(seed);
      const points = Array.from({ length: n }, () => Array.from({ length: p }, () => normal(random)));
      const { train } = tripletsFromPoints(points, { count: each * n, seed, flip: 0.01 });
      const ends = { objects: n, dimensions: p };
      const { value: auto = Number.NaN } = await ordinalEmbedding(train, ends);
      const { value: lbfgs = Number.NaN } = await ordinalEmbedding(train, { ...ends, solver: "lbfgs" });
      expect(auto).toBeLessThan(1.05 * lbfgs + 1e-6);
    }
  });

  test("a line: objects pass each other in the plane first, so that few answers find their order", async () => {
    const errors = { usual: 0, spectral: 0 };
    for (let seed = 150; seed < 156; seed++) {
      const random = new RandomGenerator(seed);
      const points = Array.from({ length: 40 }, () => [normal(random)]);
      const { train, test } = tripletsFromPoints(points, { count: 200, test: 2000, seed });
      const shared = { objects: 40, dimensions: 1, test };
      errors.usual += (await ordinalEmbedding(train, shared)).testError ?? Number.NaN;
      errors.spectral +=
        (await ordinalEmbedding(train, { ...shared, initialization: "spectral" })).testError ?? Number.NaN;
    }
    expect(errors.usual).toBeLessThan(0.9 * errors.spectral);
  });

  test("wrong answers that a map could learn by heart are not taken for consistent ones", async () => {
    for (let seed = 40; seed < 44; seed++) {
      const random = new RandomGenerator(seed);
      const points = Array.from({ length: 40 }, () => [normal(random), normal(random)]);
      const { train } = tripletsFromPoints(points, { count: 480, seed, flip: 0.05 });
      expect((await ordinalEmbedding(train, { objects: 40 })).ridge).toBeGreaterThan(0);
    }
  });

  test("a ridge given is used", async () => {
    const result = await ordinalEmbedding(train, { ridge: 0.05, history: true });
    expect(result.ridge).toBe(0.05);
    expect(new Set(result.history.map(({ details }) => details.ridge))).toEqual(new Set([0.05]));
  });

  test("too few answers to divide: a guess, and a warning", async () => {
    const result = await ordinalEmbedding([
      [0, 1, 2],
      [1, 2, 3],
      [3, 2, 0],
    ]);
    expect(result.ridge).toBe(0.03);
    expect(result.warnings.map(({ message }) => message).join()).toContain("too few answers (3)");
    expect(result.trainingError).toBe(0);
  });

  test("the least F of several starts is kept", { tags: ["full"] }, async () => {
    const { value, history } = await ordinalEmbedding(split.train, {
      loss: "tste",
      solver: "lbfgs",
      initialization: "random",
      restarts: 6,
      history: true,
    });
    const ends = [0, 1, 2, 3, 4, 5].map(
      (start) => history.filter(({ details }) => details.start === start).at(-1)?.value ?? Number.NaN,
    );
    expect(Math.max(...ends)).toBeGreaterThan(1.01 * Math.min(...ends)); // the starts do lead to different minima
    expect(value).toBe(Math.min(...ends));
  });

  test("a map of one's own is where it starts", async () => {
    const begun = await ordinalEmbedding(train, { seed: 1 });
    const gone = await ordinalEmbedding(train, {
      initialization: begun.embedding,
      solver: "lbfgs",
      ridge: begun.ridge,
      maxIterations: 1,
    });
    expect(procrustes(begun.embedding, gone.embedding).disparity).toBeLessThan(1e-3);
  });

  test("the validation's share, the tolerance and the limits are honoured", async () => {
    const firstOnPath = async (validation: number) => {
      const { history } = await ordinalEmbedding(contradicting, { validation, history: true });
      return history.find(({ details }) => details.stage === "path")?.details.objective;
    };
    expect(await firstOnPath(0.1)).toBeGreaterThan(0);
    expect(await firstOnPath(0.4)).not.toBe(await firstOnPath(0.1));
    const loose = await ordinalEmbedding(train, { solver: "lbfgs", tolerance: 0.1 });
    const tight = await ordinalEmbedding(train, { solver: "lbfgs", tolerance: 0 });
    expect(loose.status).toBe("converged");
    expect(loose.iterations).toBeLessThan(tight.iterations);
    expect((await ordinalEmbedding(train, { maxIterations: 3 })).iterations).toBe(3);
    const short = await ordinalEmbedding(train, { maxPasses: 5 });
    expect(short.passes).toBeGreaterThanOrEqual(5);
    expect(short.passes).toBeLessThan(12);
    expect((await ordinalEmbedding(train, { maxSeconds: 0 })).status).toBe("time-limit");
  });

  test("stopped on the path: a usable map, and its value", async () => {
    const result = await ordinalEmbedding(train, { maxIterations: 30, test: held });
    expect(result.status).toBe("max-iterations");
    expect(result.usable).toBe(true);
    expect(result.value).toBeGreaterThan(0);
    expect(result.testError).toBeLessThan(0.4);
  });

  test("gnmds takes no ridge, large maps start at random", async () => {
    expect((await ordinalEmbedding(train, { loss: "gnmds" })).ridge).toBe(0);
    const random = new RandomGenerator(1);
    const points = Array.from({ length: 1100 }, () => [random.uniform()]);
    const { train: many } = tripletsFromPoints(points, { count: 4000 });
    const result = await ordinalEmbedding(many, { dimensions: 1, maxIterations: 25 });
    expect(result.trainingError).toBeLessThan(0.4);
  });
});

describe("invariances", () => {
  const { train } = smallAnswers();

  test("the same seed gives the same bits, another one others", async () => {
    const [one, two, other] = await Promise.all(
      [0, 0, 7].map((seed) => ordinalEmbedding(train, { seed, initialization: "random" })),
    );
    expect(two.embedding).toEqual(one.embedding);
    expect(other.embedding).not.toEqual(one.embedding);
  });

  test("the objects of a pair may be given in either order: the same bits", async () => {
    const quadruplets = train.quadruplets.slice();
    for (let q = 0; 4 * q < quadruplets.length; q += 2) {
      quadruplets.set([train.quadruplets[4 * q + 1], train.quadruplets[4 * q]], 4 * q);
      quadruplets.set([train.quadruplets[4 * q + 3], train.quadruplets[4 * q + 2]], 4 * q + 2);
    }
    const given = await ordinalEmbedding(train);
    const swapped = await ordinalEmbedding({ objects: 20, quadruplets });
    expect(swapped.embedding).toEqual(given.embedding);
  });

  test("renaming the objects renames the places", async () => {
    const name = Int32Array.from({ length: 20 }, (_, r) => (7 * r + 3) % 20);
    const given = await ordinalEmbedding(train, { ridge: 0.03 });
    const renamed = await ordinalEmbedding(
      { objects: 20, quadruplets: train.quadruplets.map((r) => name[r]) },
      { ridge: 0.03 },
    );
    const back = Array.from(name, (r) => renamed.embedding.data.subarray(2 * r, 2 * r + 2));
    // Sums are added in another order: L-BFGS, at a minimum by its tolerance of 1e-6, carries their rounding on.
    expect(procrustes(given.embedding, back).disparity).toBeLessThan(1e-4);
    expect(renamed.trainingError).toBeCloseTo(given.trainingError, 2);
  });

  test("rows, triplets and quadruplets are the same answers; a weight of 2 is the answer twice", async () => {
    const rows = Array.from({ length: 300 }, (_, q) => train.quadruplets.subarray(4 * q, 4 * q + 4));
    const triplets = rows.flatMap(([i, j, , k]) => [i, j, k]);
    const given = await ordinalEmbedding(train, { ridge: 0.03 });
    for (const answers of [rows, rows.map(([i, j, , k]) => [i, j, k]), { objects: 20, triplets }])
      expect((await ordinalEmbedding(answers, { ridge: 0.03 })).embedding).toEqual(given.embedding);
    const weighted = await ordinalEmbedding(train, {
      ridge: 0.03,
      weights: rows.map((_, q) => (q < 100 ? 2 : 1)),
    });
    const twice = await ordinalEmbedding([...rows, ...rows.slice(0, 100)], { ridge: 0.03 });
    expect(twice.answers.duplicates).toBe(100);
    expect(weighted.trainingError).toBeCloseTo(twice.trainingError, 10);
    expect(procrustes(twice.embedding, weighted.embedding).disparity).toBeLessThan(1e-4);
  });
});
