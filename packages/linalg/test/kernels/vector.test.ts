import { axpy, dot, maxAbs, norm2, scale, squaredDistance, xpby } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";

const small = fc.integer({ min: -1000, max: 1000 });
const pair = fc
  .array(fc.tuple(small, small), { maxLength: 40 })
  .map(
    (entries) => [Float64Array.from(entries, (e) => e[0]), Float64Array.from(entries, (e) => e[1])] as const,
  );

test("on whole numbers the operations are exact at every length", () => {
  fc.assert(
    fc.property(pair, small, ([x, y], a) => {
      expect(dot(x, y)).toBe(x.reduce((sum, xi, i) => sum + xi * y[i], 0));
      expect(squaredDistance(x, y)).toBe(x.reduce((sum, xi, i) => sum + (xi - y[i]) ** 2, 0));
      expect(maxAbs(x)).toBe(Math.max(0, ...x.map(Math.abs)));
      const plus = y.slice();
      axpy(a, x, plus);
      expect(plus).toEqual(y.map((yi, i) => yi + a * x[i]));
      const turned = y.slice();
      xpby(x, a, turned);
      expect(turned).toEqual(y.map((yi, i) => x[i] + a * yi));
      const scaled = x.slice();
      scale(a, scaled);
      expect(scaled).toEqual(x.map((xi) => xi * a));
    }),
  );
});

test("the norm is right where squares overflow or vanish", () => {
  expect(norm2(Float64Array.of(3, 4))).toBe(5);
  expect(norm2(Float64Array.of(3e200, 4e200))).toBeCloseTo(5e200, -186);
  expect(norm2(Float64Array.of(3e-200, 4e-200)) / 5e-200).toBeCloseTo(1, 14);
  expect(norm2(Float64Array.of(Number.MIN_VALUE))).toBe(Number.MIN_VALUE);
  expect(norm2(new Float64Array(3))).toBe(0);
  expect(norm2(new Float64Array(0))).toBe(0);
});

test("NaN and infinity come through", () => {
  expect(norm2(Float64Array.of(1, Number.NaN))).toBeNaN();
  expect(norm2(Float64Array.of(1, Number.NEGATIVE_INFINITY))).toBe(Number.POSITIVE_INFINITY);
  expect(norm2(Float64Array.of(Number.POSITIVE_INFINITY, Number.NaN))).toBeNaN();
  expect(maxAbs(Float64Array.of(Number.NaN, 1))).toBeNaN();
});
