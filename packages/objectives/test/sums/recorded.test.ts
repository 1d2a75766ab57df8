/**
 * The five recorded problems, exactly: values, single functions and gradients as the independent program has them. Both
 * sum tens of thousands of terms in double precision in different orders; 1e-12 leaves a factor of some 100 for it.
 */
import { norm2 } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { problems, recorded } from "./sfo-problems.js";

const CLOSE = 1e-12;
const expectClose = (given: number, right: number): void =>
  expect(Math.abs(given - right)).toBeLessThanOrEqual(CLOSE * Math.abs(right));

describe.each(Object.keys(problems))("%s", (name) => {
  const { N, M, x0, check } = recorded(name);
  const sum = problems[name]();
  const start = x0 === 0 ? new Float64Array(M) : Float64Array.from(x0);
  const gradient = new Float64Array(M);

  test("has the recorded numbers of parameters and minibatches", () => {
    expect([sum.dimension, sum.count]).toEqual([M, N]);
    if (x0 === 0) expect(sum.initial).toEqual(start);
  });

  test("at the start", () => {
    expectClose(sum.whole.evaluate(start, gradient), check.F0);
    expectClose(norm2(gradient), check.gradNorm0);
    check.f0_first3.forEach((f, i) => {
      expectClose(sum.evaluate(i, start, gradient), f);
      expectClose(norm2(gradient), check.gradNorm0_first3[i]);
    });
  });

  test("at the probe point", () => {
    const probe = start.map((entry, k) => entry + 0.1 * Math.sin(k + 1));
    expectClose(sum.whole.evaluate(probe, gradient), check.F_probe);
    expectClose(norm2(gradient), check.gradNorm_probe);
    check.grad_probe_first5.forEach((entry, k) => {
      expect(Math.abs(gradient[k] - entry)).toBeLessThanOrEqual(CLOSE * check.gradNorm_probe);
    });
  });
});
