import {
  allOf,
  anyOf,
  gradientNormBelow,
  maxEvaluations,
  maxIterations,
  maxPasses,
  pointChangeBelow,
  rule,
  runSync,
  type StoppingRule,
  targetValue,
  timeLimit,
  valueDecreaseBelow,
} from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { type Scene, Scripted, values } from "./scripted.js";

const ended = (scenes: readonly Scene[], ...stop: readonly StoppingRule[]) => {
  const { status, iterations, message } = runSync(new Scripted(scenes), {
    stop: [...stop, maxIterations(50)],
  });
  return { status, iterations, message };
};
const many = values(...Array.from({ length: 50 }, (_, k) => 100 - k));

describe("limits", () => {
  test("maxIterations: that iteration is the last", () => {
    expect(ended(many, maxIterations(7))).toMatchObject({ status: "max-iterations", iterations: 7 });
    expect(ended(many, maxIterations(8)).iterations).toBe(8);
  });

  test("maxEvaluations: ends after the iteration that reaches it", () => {
    const scenes = [{ evaluations: 3 }, { evaluations: 9 }, { evaluations: 12 }];
    expect(ended(scenes, maxEvaluations(9))).toMatchObject({ status: "max-evaluations", iterations: 2 });
    expect(ended(scenes, maxEvaluations(10)).iterations).toBe(3);
  });

  test("maxPasses counts parts of passes too", () => {
    expect(ended(many, maxPasses(2.5))).toMatchObject({ status: "max-iterations", iterations: 5 });
    expect(ended(many, maxPasses(2.6)).iterations).toBe(6);
  });

  test("timeLimit of 0 ends after one iteration, of Infinity never", () => {
    expect(ended(many, timeLimit(0))).toMatchObject({ status: "time-limit", iterations: 1 });
    expect(ended(many, timeLimit(Number.POSITIVE_INFINITY)).status).toBe("max-iterations");
  });

  test("targetValue honours its sense", () => {
    expect(ended(many, targetValue(95))).toMatchObject({ status: "target-reached", iterations: 6 });
    expect(ended(many, targetValue(95, "maximize"))).toMatchObject({
      status: "target-reached",
      iterations: 1,
    });
    expect(ended(many, targetValue(101, "maximize")).status).toBe("max-iterations");
  });
});

describe("tolerances", () => {
  const norms = [8, 4, 2, 1, 0.5].map((gradientNorm) => ({ gradientNorm, value: 1 }));

  test("gradientNormBelow, absolute and relative to the first", () => {
    expect(ended(norms, gradientNormBelow(2))).toMatchObject({ status: "converged", iterations: 3 });
    expect(ended(norms, gradientNormBelow(0.125, { relative: true })).iterations).toBe(4);
    expect(ended(norms, gradientNormBelow(0.125)).status).toBe("max-iterations");
    expect(ended([{}, ...norms], gradientNormBelow(0.5, { relative: true })).iterations).toBe(3);
  });

  test("valueDecreaseBelow is relative to the value, and to its size where that is negative", () => {
    expect(ended(values(1000, 900, 899), valueDecreaseBelow(0.01))).toMatchObject({
      status: "converged",
      iterations: 3,
    });
    expect(ended(values(1, 0.9, 0.899), valueDecreaseBelow(0.01)).iterations).toBe(3);
    expect(ended(values(-1, -2, -2.001), valueDecreaseBelow(0.01)).iterations).toBe(3);
  });

  test("valueDecreaseBelow needs as many in a row as asked", () => {
    const script = values(10, 10, 5, 5, 5, 4);
    expect(ended(script, valueDecreaseBelow(1e-9)).iterations).toBe(2);
    expect(ended(script, valueDecreaseBelow(1e-9, { consecutive: 2 })).iterations).toBe(5);
  });

  test("valueDecreaseBelow skips iterations without a value and does not take growth for convergence", () => {
    expect(ended(values(10, undefined, 10), valueDecreaseBelow(1e-9)).iterations).toBe(3);
    expect(ended(values(10, 20, 20), valueDecreaseBelow(1e-9)).iterations).toBe(3);
    expect(ended(values(10, Number.NaN, 10, 10), valueDecreaseBelow(1e-9)).iterations).toBe(4);
  });

  test("pointChangeBelow compares with the point before, the first one included", () => {
    const scenes = [
      { value: 1, x: [6, 8] },
      { value: 1, x: [6.006, 8.008] },
      { value: 1, x: [6.006, 8.008] },
    ];
    expect(ended(scenes, pointChangeBelow(1)).iterations).toBe(1); // from (3, 4) to (6, 8): change 1
    expect(ended(scenes, pointChangeBelow(0.99)).iterations).toBe(2);
    expect(ended(scenes, pointChangeBelow(0.0009)).iterations).toBe(3);
    expect(ended(scenes, pointChangeBelow(0.99, { consecutive: 2 })).iterations).toBe(3);
    expect(ended([{ x: [3, 4] }, { value: 1, x: [3, 4] }], pointChangeBelow(0.5)).iterations).toBe(2);
  });

  test("a tolerance of 0 switches a rule off", () => {
    const still = [{ value: 0, gradientNorm: 0, x: [3, 4] }];
    for (const off of [gradientNormBelow(0), valueDecreaseBelow(0), pointChangeBelow(0)])
      expect(ended(still, off).status).toBe("max-iterations");
    for (const on of [gradientNormBelow(1e-300), valueDecreaseBelow(1e-300), pointChangeBelow(1e-300)])
      expect(ended(still, on).status).toBe("converged");
  });
});

describe("composition", () => {
  test("anyOf: among several at once the result names target, tolerance, limit in this order", () => {
    const scenes = [{ value: 1, gradientNorm: 0.1 }];
    const [limit, tolerance, target] = [maxIterations(1), gradientNormBelow(1), targetValue(1)];
    expect(ended(scenes, anyOf(limit, tolerance, target)).status).toBe("target-reached");
    expect(ended(scenes, anyOf(limit, tolerance)).status).toBe("converged");
    expect(ended(scenes, timeLimit(0), maxEvaluations(1), limit).status).toBe("max-iterations");
    expect(ended(scenes, timeLimit(0), maxEvaluations(1)).status).toBe("max-evaluations");
  });

  test("allOf waits until all hold in one iteration", () => {
    const scenes = [
      { value: 1, gradientNorm: 0.1 },
      { value: 1, gradientNorm: 9 },
      { value: 1, gradientNorm: 0.1 },
    ];
    const both = allOf(valueDecreaseBelow(1e-9), gradientNormBelow(1));
    const { status, iterations, message } = ended(scenes, both);
    expect({ status, iterations }).toEqual({ status: "converged", iterations: 3 });
    expect(message).toContain("gradient norm");
    expect(message).toContain("changed by");
    expect(ended(scenes, allOf()).status).toBe("max-iterations");
  });

  test("descriptions read as formulas", () => {
    const stop = anyOf(maxIterations(5), allOf(gradientNormBelow(1e-3), valueDecreaseBelow(1e-6)));
    expect(stop.description).toBe(
      "iterations >= 5 or (gradient norm <= 0.001 and relative decrease of the value <= 0.000001)",
    );
  });

  test("a rule of one's own sees iteration and context", () => {
    const own = rule("last x < 0", ({ index }, { last }) =>
      last.x[0] < 0 ? { status: "stalled", message: `At ${index} x fell below 0.` } : undefined,
    );
    expect(ended([{ x: [1, 1] }, { x: [-1, 1] }], own)).toEqual({
      status: "stalled",
      iterations: 2,
      message: "At 2 x fell below 0.",
    });
  });

  test("one rule serves two runs at once", () => {
    const stop = valueDecreaseBelow(1e-9, { consecutive: 2 });
    const script = values(10, 10, 10, 10);
    const inner = runSync(new Scripted(values(5)), {
      stop,
      onIteration: () => void expect(runSync(new Scripted(script), { stop }).iterations).toBe(3),
    });
    expect(inner.iterations).toBe(3);
  });
});

test("bad arguments are named", () => {
  expect(() => maxIterations(-1)).toThrowError(
    "maxIterations: limit must be a number of at least 0, or Infinity; received -1.",
  );
  expect(() => gradientNormBelow(Number.NaN)).toThrowError("gradientNormBelow: tolerance must be");
  expect(() => valueDecreaseBelow(1, { consecutive: 0 })).toThrowError("consecutive must be a whole number");
  expect(() => targetValue(Number.NaN)).toThrowError("targetValue: target must be a number");
  expect(() => Reflect.apply(targetValue, undefined, [1, "up"])).toThrowError('"minimize" or "maximize"');
  expect(() => Reflect.apply(anyOf, undefined, [maxIterations(1), 3])).toThrowError(
    "anyOf: rule 1: stop must be a stopping rule",
  );
});
