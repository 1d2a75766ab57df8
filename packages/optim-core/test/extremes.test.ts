/** Sizes out of all bounds and things of another kind are refused by the argument validation, before anything is allocated. */
import {
  asObjective,
  checkHessianVector,
  defaultMinibatchCount,
  gradientNormBelow,
  Lbfgs,
  Lbfgsb,
  MinibatchLbfgs,
  pointChangeBelow,
  run,
  valueDecreaseBelow,
} from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { separable } from "./incremental.js";
import { quadratic } from "./problems.js";

const code = (name: string) => expect.objectContaining({ code: name });

describe("out of bounds", () => {
  test.each([2 ** 31, 10_001, 2 ** 53, 0.5, 0, Number.NaN])("a memory of %s pairs", (memory) => {
    const x = () => Float64Array.of(1, 1);
    expect(() => new Lbfgs(quadratic(2, 3), x(), { memory })).toThrowError(code("ERR_OPTION"));
    expect(() => new Lbfgsb(quadratic(2, 3), x(), { memory })).toThrowError(code("ERR_OPTION"));
    expect(() => new MinibatchLbfgs(separable(2), x(), { memory })).toThrowError(code("ERR_OPTION"));
  });

  test("more terms than indices can name", () => {
    expect(() => asObjective({ ...separable(2), count: 2 ** 31 })).toThrowError(code("ERR_ARGUMENT"));
  });

  test.each([Number.NaN, -1, 0, 1.5, Number.POSITIVE_INFINITY])("minibatches of %s rows", (rows) => {
    expect(() => defaultMinibatchCount(rows)).toThrowError(code("ERR_OPTION"));
  });
});

describe("of another kind", () => {
  test.each([gradientNormBelow, valueDecreaseBelow, pointChangeBelow])("options of %o", (rule) => {
    for (const options of [null, 3, "x", { consecutive: 0, relative: 1 }])
      expect(() => Reflect.apply(rule, undefined, [1e-3, options])).toThrowError(code("ERR_OPTION"));
  });

  test("a stopping rule that starts no test", async () => {
    const stop = (start: () => unknown) => ({ description: "mine", start });
    for (const test of [Number.NaN, null, {}, { check: 3 }]) {
      const solver = new Lbfgs(quadratic(2, 3), Float64Array.of(1, 1));
      const given = [solver, { stop: stop(() => test) }];
      await expect(async () => Reflect.apply(run, undefined, given)).rejects.toThrowError(code("ERR_OPTION"));
    }
  });

  test("a hessianVector that is no function", () => {
    const given = [{ ...quadratic(2, 3), hessianVector: 3 }, Float64Array.of(1, 1)];
    expect(() => Reflect.apply(checkHessianVector, undefined, given)).toThrowError(code("ERR_ARGUMENT"));
  });
});
