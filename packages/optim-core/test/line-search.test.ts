import {
  backtrack,
  type Objective,
  SearchLine,
  searchWolfe,
  type WolfeSettings,
  wolfeOptions,
} from "@curvature/optim-core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

/** A line from 0 along 1 on a function of one variable. */
function lineOf(f: (t: number) => readonly [value: number, slope: number]): SearchLine {
  const objective: Objective = {
    dimension: 1,
    evaluate(x, gradient) {
      const [value, slope] = f(x[0]);
      if (gradient !== undefined) gradient[0] = slope;
      return value;
    },
  };
  const line = new SearchLine(objective, Float64Array.of(0));
  line.evaluateStart();
  line.p[0] = 1;
  line.aim();
  return line;
}

const parabola = (t: number) => [(t - 3) ** 2, 2 * (t - 3)] as const;

/** The six lines of Moré and Thuente, ACM TOMS 20 (1994) 286-307, section 5: (φ, φ′). */
const beta1 = 2;
const functions: Readonly<Record<string, (t: number) => readonly [number, number]>> = {
  "(5.1)": (t) => [-t / (t * t + beta1), (t * t - beta1) / (t * t + beta1) ** 2],
  "(5.2)": (t) => [(t + 0.004) ** 5 - 2 * (t + 0.004) ** 4, 5 * (t + 0.004) ** 4 - 8 * (t + 0.004) ** 3],
  "(5.3)": (t) => {
    const [b, l] = [0.01, 39];
    const [v, s] =
      t <= 1 - b ? [1 - t, -1] : t >= 1 + b ? [t - 1, 1] : [(t - 1) ** 2 / (2 * b) + b / 2, (t - 1) / b];
    const wave = (2 * (1 - b)) / (l * Math.PI);
    return [v + wave * Math.sin((l * Math.PI * t) / 2), s + (1 - b) * Math.cos((l * Math.PI * t) / 2)];
  },
  "(5.4), 0.001, 0.001": yanai(0.001, 0.001),
  "(5.4), 0.01, 0.001": yanai(0.01, 0.001),
  "(5.4), 0.001, 0.01": yanai(0.001, 0.01),
};

function yanai(b1: number, b2: number): (t: number) => readonly [number, number] {
  const gamma = (b: number) => Math.sqrt(1 + b * b) - b;
  return (t) => {
    const [left, right] = [Math.sqrt((1 - t) ** 2 + b2 ** 2), Math.sqrt(t * t + b1 ** 2)];
    return [gamma(b1) * left + gamma(b2) * right, (-gamma(b1) * (1 - t)) / left + (gamma(b2) * t) / right];
  };
}

function expectWolfe(
  line: SearchLine,
  { sufficientDecrease: c1, curvature: c2, condition }: WolfeSettings,
): void {
  expect(line.trialValue).toBeLessThanOrEqual(line.value + c1 * line.alpha * line.slope);
  if (condition === "strong") expect(Math.abs(line.trialSlope)).toBeLessThanOrEqual(-c2 * line.slope);
  else expect(line.trialSlope).toBeGreaterThanOrEqual(c2 * line.slope);
}

describe("searchWolfe", () => {
  for (const [name, f] of Object.entries(functions))
    for (const first of [1e-3, 1e-1, 1e1, 1e3])
      for (const [sufficientDecrease, curvature] of [
        [1e-4, 0.9],
        [1e-3, 0.1],
        [0.1, 0.1],
      ])
        for (const condition of ["strong", "weak"] as const)
          test(`${name} from ${first}, ${condition}, c1 ${sufficientDecrease}, c2 ${curvature}`, () => {
            const line = lineOf(f);
            const options = { ...wolfeOptions.defaults, sufficientDecrease, curvature, condition };
            expect(searchWolfe(line, first, options)).toBe(true);
            expectWolfe(line, options);
            expect(line.evaluations).toBeLessThanOrEqual(21);
          });

  test("random quartics from random first trials", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        fc.double({ min: -10, max: 10, noNaN: true }),
        fc.double({ min: -10, max: 10, noNaN: true }),
        fc.double({ min: -6, max: 6, noNaN: true }),
        (a, b, c, power) => {
          const f = (t: number) =>
            [
              a * t ** 4 + b * t ** 3 + c * t * t - t,
              4 * a * t ** 3 + 3 * b * t * t + 2 * c * t - 1,
            ] as const;
          const line = lineOf(f);
          expect(searchWolfe(line, 10 ** power)).toBe(true);
          expectWolfe(line, wolfeOptions.defaults);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("the weak condition takes a steep rise that the strong one does not", () => {
    const f = (t: number) => [Math.max(-t, 30 * (t - 1) - 1), t < 1 ? -1 : 30] as const;
    const weak = lineOf(f);
    expect(searchWolfe(weak, 1.01, { ...wolfeOptions.defaults, condition: "weak" })).toBe(true);
    expect(weak.evaluations).toBe(2);
    const strong = lineOf(f); // a kink: no point satisfies it, the best decrease is taken within the trials
    expect(searchWolfe(strong, 1.01)).toBe(true);
    expect(strong.trialValue).toBeLessThan(-0.5);
    expect(strong.evaluations).toBeLessThanOrEqual(2 + wolfeOptions.defaults.maxTrials);
  });

  test("steps back from where the function is not finite", () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const line = lineOf((t) => (t > 3.5 ? [bad, bad] : parabola(t)));
      expect(searchWolfe(line, 1000)).toBe(true);
      expectWolfe(line, wolfeOptions.defaults);
      expect(line.unbounded).toBeUndefined();
    }
    const steepOnly = lineOf((t) => (t > 3.5 ? [-1e9, Number.NaN] : parabola(t)));
    expect(searchWolfe(steepOnly, 1000)).toBe(true);
    expect(steepOnly.alpha).toBeLessThanOrEqual(3.5);
  });

  test("does not creep where one end of the bracket is a wall", () => {
    const wall = lineOf((t) => [(t / 10) ** 60 - t, 6 * (t / 10) ** 59 - 1]);
    expect(searchWolfe(wall, 12, { ...wolfeOptions.defaults, curvature: 0.1 })).toBe(true);
    expect(wall.evaluations).toBeLessThanOrEqual(12);
  });

  test("gives up where there is no lower value, as soon as no trial could be told from the point", () => {
    const lying = lineOf((t) => [1 + t * t, -1]);
    searchWolfe(lying, 1);
    expect(lying.trialValue).toBe(1); // no lower value: the caller looks at that
    expect(lying.evaluations).toBeLessThanOrEqual(1 + wolfeOptions.defaults.maxTrials);
    const flat = lineOf(() => [1, -1e-17]);
    expect(searchWolfe(flat, 1)).toBe(true); // the same value at a slope that is no steeper: the caller looks at that
    const risen = lineOf((t) => [1 + t, -1e-16]);
    expect(searchWolfe(risen, 1)).toBe(false);
    expect(risen.evaluations).toBe(1 + 1);
    const endless = lineOf((t) => [-t, -1]);
    expect(searchWolfe(endless, 1, { ...wolfeOptions.defaults, maxTrials: 7 })).toBe(true);
    expect(endless.evaluations).toBe(1 + 7);
    expect(endless.trialValue).toBeLessThanOrEqual(-64);
  });

  test("says what lets a function seem without a lower bound", () => {
    const line = lineOf((t) => [-t, -1]);
    expect(searchWolfe(line, 1)).toBe(true);
    expect(line.unbounded).toMatchObject({ name: "step length", limit: 1e10 });
    const pole = lineOf((t) => (t > 3 ? [Number.NEGATIVE_INFINITY, Number.NaN] : [-t, -1]));
    expect(searchWolfe(pole, 1)).toBe(true);
    expect(pole.unbounded).toMatchObject({ name: "value" });
    expect(pole.trialValue).toBe(-pole.alpha);
    const bowl = lineOf(parabola);
    searchWolfe(bowl, 1);
    expect(bowl.unbounded).toBeUndefined();
  });

  test("makes no evaluation beyond the limit, and keeps the best trial", () => {
    for (const limit of [1, 2, 3, 4, 5]) {
      const line = lineOf((t) => [(t - 1000) ** 2, 2 * (t - 1000)]);
      line.limit = limit;
      const hasTrial = searchWolfe(line, 1, { ...wolfeOptions.defaults, curvature: 0.01 });
      expect(line.evaluations).toBeLessThanOrEqual(limit);
      expect(hasTrial).toBe(limit > 1);
      if (hasTrial) expect(line.trialValue).toBeLessThan(1e6);
    }
  });
});

describe("backtrack", () => {
  test("takes the first of first, first ρ, first ρ² … that decreases enough", () => {
    const line = lineOf(parabola);
    expect(backtrack(line, 40, { sufficientDecrease: 1e-4, shrink: 0.5 })).toBe(true);
    expect(line.alpha).toBe(5);
    expect(line.evaluations).toBe(1 + 4);
    expect(backtrack(line, 10, { sufficientDecrease: 1e-4, shrink: 0.8 })).toBe(true);
    expect(line.alpha).toBeCloseTo(10 * 0.8 ** 3, 12);
    expect(backtrack(line, 5, { sufficientDecrease: 0.4, shrink: 0.5 })).toBe(true);
    expect(line.alpha).toBe(2.5); // φ(5) = 4 is below 9 but above 9 − 0.4 · 5 · 6
  });

  test("a trial that is not finite is no decrease", () => {
    const line = lineOf((t) => (t > 4 ? [Number.NaN, 0] : parabola(t)));
    expect(backtrack(line, 16)).toBe(true);
    expect(line.alpha).toBe(4);
    const pole = lineOf((t) => (t > 4 ? [Number.NEGATIVE_INFINITY, 0] : parabola(t)));
    expect(backtrack(pole, 16)).toBe(false);
    expect(pole.unbounded).toMatchObject({ name: "value" });
  });

  test("values count as equal within their noise, a promise within it ends the search, and the reductions are bounded", () => {
    const flat = lineOf(() => [1, -1e-30]);
    expect(backtrack(flat, 1)).toBe(true);
    expect(flat.evaluations).toBe(1 + 1);
    const risen = lineOf((t) => [t > 0 ? 1 + 1e-14 : 1, -1]);
    expect(backtrack(risen, 1)).toBe(false);
    expect(risen.evaluations).toBe(1 + 51); // 2^-50 is the first below 4 ε
    const wall = lineOf((t) => (t > 0 ? [Number.NaN, 0] : [1, -1]));
    expect(backtrack(wall, 1, { sufficientDecrease: 1e-4, shrink: 0.05 })).toBe(false);
    expect(wall.evaluations).toBe(1 + 16); // 0.05^15 is still above 1e-20, as a part of the first
  });

  test("a first trial may be as small as the function's scale asks for", () => {
    const steep = lineOf((a) => [1e25 * (a - 1e-24) * (a - 1e-24), 2e25 * (a - 1e-24)]);
    expect(backtrack(steep, 1e-24)).toBe(true);
    expect(steep.evaluations).toBe(1 + 1);
  });
});

test("an objective that returns a promise is refused", () => {
  const objective = { dimension: 1, evaluate: async () => 1 };
  const line = new SearchLine(
    Object.assign({ dimension: 1, evaluate: () => 0 }, objective),
    Float64Array.of(1),
  );
  expect(() => line.evaluateStart()).toThrowError(
    "evaluate must return a number; received an object (Promise)",
  );
});
