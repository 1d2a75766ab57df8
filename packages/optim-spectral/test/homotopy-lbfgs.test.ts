import { dot } from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { longestRow, shortenRows, slopeOfShortened } from "../src/columns.js";
import { HomotopyMemory, LambdaSchedule } from "../src/homotopy-lbfgs.js";
import { HomotopyLbfgs } from "../src/index.js";
import { iterativeMethods, noise, smallModel } from "./helpers/small.js";

function ended(solver: HomotopyLbfgs) {
  let iteration = solver.step();
  while (iteration.outcome === undefined) iteration = solver.step();
  return iteration;
}

describe("the schedule", () => {
  test("of t-SNE is the measured one", () => {
    const schedule = new LambdaSchedule(smallModel("tsne"), 100);
    expect(schedule.lambda(0)).toBe(1 / 12);
    expect(schedule.lambda(4)).toBe(1 / 12);
    expect(schedule.lambda(5)).toBeCloseTo(1 / 12, 14);
    expect(schedule.lambda(40)).toBeCloseTo(Math.exp(Math.log(1 / 12) * 0.5 ** 1.5), 14);
    expect(schedule.lambda(75)).toBe(1);
    expect(schedule.penalty(74)).toBe(1e-4);
    expect(schedule.penalty(75)).toBe(4e-6);
  });

  test("takes another first lambda and another last penalty", () => {
    const schedule = new LambdaSchedule(smallModel("tsne", { lambda: 2 }), 100, 0.25, 0);
    expect(schedule.lambda(0)).toBe(0.5);
    expect(schedule.lambda(40)).toBeCloseTo(2 * 0.25 ** (0.5 ** 1.5), 14);
    expect(schedule.lambda(75)).toBe(2);
    expect(schedule.penalty(74)).toBe(1e-4);
    expect(schedule.penalty(75)).toBe(0);
    const flat = new LambdaSchedule(smallModel("ee"), 100, 1);
    for (let n = 0; n <= 100; n++) expect(flat.lambda(n)).toBe(100);
  });

  test("of the others grows geometrically over 60 % of the evaluations after three", () => {
    const ee = new LambdaSchedule(smallModel("ee"), 100);
    expect(ee.lambda(2)).toBe(1);
    expect(ee.lambda(33)).toBeCloseTo(10, 12);
    expect(ee.lambda(63)).toBe(100);
    expect(ee.penalty(0)).toBe(0);
    const ssne = new LambdaSchedule(smallModel("ssne"), 100);
    expect(ssne.lambda(0)).toBe(0.08);
    expect(ssne.lambda(33)).toBeCloseTo(Math.sqrt(0.08), 12);
  });

  test("never falls, and reaches its target, for every length", () => {
    fc.assert(
      fc.property(fc.constantFrom(...iterativeMethods), fc.integer({ min: 1, max: 400 }), (method, T) => {
        const schedule = new LambdaSchedule(smallModel(method, { N: 8 }), T);
        let before = 0;
        for (let n = 0; n <= T; n++) {
          const lambda = schedule.lambda(n);
          expect(lambda).toBeGreaterThanOrEqual(before * (1 - 1e-14));
          before = lambda;
        }
        expect(before).toBe(schedule.target);
        expect(schedule.lambda(schedule.length)).toBe(schedule.target);
      }),
      { numRuns: 60 },
    );
  });
});

describe("the memory", () => {
  /** Pairs of a quadratic whose Hessian is diag(a) + λ diag(r) + shrink. */
  const a = noise(6, 1).map((x) => 1 + x * x);
  const r = noise(6, 1, 3).map((x) => x * x);
  const memory = new HomotopyMemory(6, 6, () => undefined);
  for (let j = 0; j < 6; j++) {
    const pair = memory.push();
    pair.s.fill(0);
    pair.s[j] = 1;
    pair.dA.fill(0);
    pair.dA[j] = a[j];
    pair.dR.fill(0);
    pair.dR[j] = r[j];
  }

  test.each([
    [0, 0],
    [1, 0],
    [7, 0.25],
  ])("gives Newton's step of a separable quadratic for lambda = %d, penalty %d", (lambda, shrink) => {
    const G = noise(6, 1, 5);
    const D = new Float64Array(6);
    memory.direction(lambda, shrink, G, D);
    for (const [j, x] of D.entries()) expect(x).toBeCloseTo(-G[j] / (a[j] + lambda * r[j] + shrink), 12);
  });

  test("passes over pairs without curvature at this lambda, and has them back at another", () => {
    const one = new HomotopyMemory(2, 3, () => undefined);
    const pair = one.push();
    pair.s.set([1, 0]);
    pair.dA.set([1, 0]);
    pair.dR.set([-1, 0]);
    const D = new Float64Array(2);
    one.direction(2, 0, Float64Array.of(1, 1), D);
    expect(Array.from(D)).toEqual([-1, -1]);
    one.direction(0.5, 0, Float64Array.of(1, 1), D);
    expect(Array.from(D)).toEqual([-2, -2]);
  });

  test("descends whatever the pairs", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999 }),
        fc.double({ min: 0, max: 10, noNaN: true }),
        (seed, lambda) => {
          const any = new HomotopyMemory(5, 4, () => undefined);
          for (let j = 0; j < 7; j++) {
            const pair = any.push();
            pair.s.set(noise(5, 1, seed + 3 * j));
            pair.dA.set(noise(5, 1, seed + 3 * j + 1));
            pair.dR.set(noise(5, 1, seed + 3 * j + 2));
          }
          const G = noise(5, 1, seed + 99);
          const D = new Float64Array(5);
          any.direction(lambda, 0, G, D);
          expect(dot(G, D)).toBeLessThan(0);
        },
      ),
    );
  });
});

describe.each(iterativeMethods)("the recipe on %s", (method) => {
  const objective = smallModel(method);

  test("ends with its schedule at the target lambda, with the objective's own value and gradient", () => {
    const solver = new HomotopyLbfgs(objective, noise(60, 1), { maxEvaluations: 80 });
    const { outcome, details, value, gradientNorm, evaluations } = ended(solver);
    expect(outcome).toEqual({
      status: "max-evaluations",
      message: "The schedule of 80 evaluations ran to its end.",
    });
    expect(evaluations).toBeGreaterThanOrEqual(80);
    expect(details.lambda).toBe(objective.lambda);
    const G = new Float64Array(60);
    const E = objective.evaluate(solver.last.x, G);
    expect(value).toBeCloseTo(E, 10);
    expect(gradientNorm).toBeCloseTo(Math.sqrt(dot(G, G)), 8);
    if (objective.isDivergence)
      expect(details.klDivergence).toBeCloseTo(
        objective.atLambda(1).evaluate(solver.last.x) + objective.entropyConstant,
        10,
      );
    else expect(details.klDivergence).toBeUndefined();
  });

  test("more evaluations end near a stationary point", () => {
    const solver = new HomotopyLbfgs(objective, noise(60, 1), { maxEvaluations: 600 });
    const start = objective.evaluate(noise(60, 1));
    const { value, gradientNorm } = ended(solver);
    expect(value).toBeLessThan(start);
    // The size penalty r X / N that t-SNE keeps to the end balances its gradient.
    expect(gradientNorm).toBeLessThan(
      method === "tsne" ? 1e-3 : 1e-4 * objective.lambda * (method === "sne" ? 30 : 1),
    );
  });

  test("a target lambda of one's own", () => {
    const solver = new HomotopyLbfgs(objective.atLambda(0.5), noise(60, 1), { maxEvaluations: 50 });
    const { details, value } = ended(solver);
    expect(details.lambda).toBe(0.5);
    expect(value).toBeCloseTo(objective.atLambda(0.5).evaluate(solver.last.x), 10);
  });
});

test.each([
  [2, "step"],
  [2, "rows"],
  [3, "step"],
  [3, "rows"],
] as const)(
  "in %d dimensions, shortening: %s, no point moves farther in a step than the map is large",
  (dimensions, shortening) => {
    const objective = smallModel("tsne", { N: 60, dimensions });
    let longest = 0;
    for (let seed = 1; seed <= 6; seed++) {
      const start = noise(60 * dimensions, 1, seed);
      const solver = new HomotopyLbfgs(objective, start, { maxEvaluations: 60, shortening });
      let before = start;
      for (;;) {
        const { outcome } = solver.step();
        const most = Math.max(1, Math.sqrt(dot(before, before) / 60));
        const after = solver.last.x.slice();
        const moved = longestRow(
          after.map((x, k) => x - before[k]),
          dimensions,
        );
        expect(moved).toBeLessThanOrEqual(most * (1 + 1e-12));
        longest = Math.max(longest, moved / most);
        before = after;
        if (outcome !== undefined) break;
      }
    }
    expect(longest).toBeGreaterThan(0.999); // the bound was met from one start or another
  },
);

test("its own first lambda and size penalty: a larger map without the penalty", () => {
  const objective = smallModel("tsne");
  const size = (sizePenalty: number) => {
    const solver = new HomotopyLbfgs(objective, noise(60, 1), { maxEvaluations: 200, sizePenalty });
    ended(solver);
    return dot(solver.last.x, solver.last.x);
  };
  expect(size(0)).toBeGreaterThan(size(1e-2));
  const direct = new HomotopyLbfgs(objective, noise(60, 1), { firstLambda: 1 });
  expect(direct.step().details.lambda).toBe(1);
  expect(direct.options).toEqual({
    maxEvaluations: 100,
    firstLambda: 1,
    sizePenalty: 4e-6,
    shortening: "step",
  });
  for (const firstLambda of [0, -1, 1.5, Number.NaN])
    expect(() => new HomotopyLbfgs(objective, noise(60, 1), { firstLambda })).toThrowError(/firstLambda/);
  expect(() => new HomotopyLbfgs(objective, noise(60, 1), { sizePenalty: -1 })).toThrowError(/sizePenalty/);
});

test("a snapshot of another schedule is refused", () => {
  const objective = smallModel("tsne");
  const snapshot = new HomotopyLbfgs(objective, noise(60, 1), { firstLambda: 0.5 }).save();
  const other = new HomotopyLbfgs(objective, noise(60, 1));
  expect(() => other.restore(snapshot)).toThrowError(/firstLambda must be .* received 0.5/);
  const rows = new HomotopyLbfgs(objective, noise(60, 1), { shortening: "rows" });
  expect(() => other.restore(rows.save())).toThrowError(/shortening must be .* received "rows"/);
});

test("rows are shortened each by itself, and the slope that is left is foretold", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 4 }), (seed, d) => {
      const G = noise(5 * d, 1, seed);
      const D = noise(5 * d, 3, seed + 1);
      const foretold = slopeOfShortened(G, D, d, 2);
      const short = D.slice();
      shortenRows(short, d, 2);
      expect(longestRow(short, d)).toBeLessThanOrEqual(2 + 1e-12);
      expect(dot(G, short)).toBeCloseTo(foretold, 12);
      for (let n = 0; n < D.length; n += d)
        if (longestRow(D.subarray(n, n + d), d) <= 2)
          expect(short.subarray(n, n + d)).toEqual(D.subarray(n, n + d));
    }),
  );
});

test("a schedule of one evaluation, and one that does not fit the snapshot", () => {
  const objective = smallModel("tsne");
  const solver = new HomotopyLbfgs(objective, noise(60, 1), { maxEvaluations: 1 });
  expect(ended(solver).evaluations).toBe(1);
  const longer = new HomotopyLbfgs(objective, noise(60, 1), { maxEvaluations: 50 });
  expect(() => longer.restore(solver.save())).toThrowError(/maxEvaluations/);
});
