import { checkGradient, checkHessianVector } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { kernels } from "../../../../src/embedding/kernels/kernels.js";
import { exactKernelSum } from "../../../../src/embedding/repulsion/exact.js";
import { InterpolatedKernelSum } from "../../../../src/embedding/repulsion/grid/interpolated.js";
import { radialKernel } from "../../../../src/embedding/repulsion/grid/radial-kernels.js";
import { TreeKernelSum } from "../../../../src/embedding/repulsion/tree/tree-sum.js";
import { clusters, difference, spread } from "../maps.js";

function sums(name: "student" | "gaussian", points: number, spacing = 0.5) {
  const exact = exactKernelSum(kernels[name], points, 2);
  const radial = radialKernel(name);
  if (radial === undefined) throw new Error(name);
  const wide = new TreeKernelSum(name, points, 2, exact, 0.4);
  return { exact, interpolated: new InterpolatedKernelSum(radial, points, exact, wide, spacing) };
}

describe.each(["student", "gaussian"] as const)("%s", (name) => {
  // What the file's head says of the accuracy, on maps that nothing was chosen on.
  test.each([
    { extent: 24, spacing: 0.5, sum: 2e-4, force: 0.01 },
    { extent: 100, spacing: 0.5, sum: 2e-4, force: 0.03 },
    { extent: 24, spacing: 0.25, sum: 1e-5, force: 0.001 },
    { extent: 100, spacing: 0.25, sum: 1e-5, force: 0.003 },
    { extent: 1, spacing: 0.5, sum: 2e-4, force: 0.01 },
  ])(
    "is near the exact sum: extent $extent, spacing $spacing",
    { tags: ["full"] },
    ({ extent, spacing, sum, force }) => {
      const N = 2000;
      const X = clusters(N, extent, 5);
      const { exact, interpolated } = sums(name, N, spacing);
      const gradient = new Float64Array(2 * N);
      const expected = new Float64Array(2 * N);
      const S = exact.evaluate(X, expected);
      expect(Math.abs(interpolated.evaluate(X, gradient) / S - 1)).toBeLessThan(sum);
      expect(difference(gradient, expected)).toBeLessThan(force);
      expect(interpolated.evaluate(X)).toBeCloseTo(interpolated.evaluate(X, gradient), 7);
    },
  );

  test.each([
    ["inside", 8],
    ["some of them outside the grid", 0],
  ])(
    "the gradient and the Hessian are those of the interpolated sum: %s",
    { tags: ["full"] },
    (_, extent) => {
      const N = 150;
      const X = extent > 0 ? clusters(N, extent, 7) : strayed(N);
      const { interpolated } = sums(name, N);
      const objective = {
        dimension: 2 * N,
        evaluate: (x: Float64Array, g?: Float64Array) => interpolated.evaluate(x, g),
        hessianVector: (x: Float64Array, v: Float64Array, out: Float64Array) =>
          interpolated.hessianVector(x, v, out),
      };
      const gradient = checkGradient(objective, X, { coordinates: 20 });
      expect(gradient.isCorrect, gradient.message).toBe(true);
      const hessian = checkHessianVector(objective, X, { coordinates: 20 });
      // The third derivatives of cubic splines jump at the nodes: the remainder's order says nothing here.
      expect(hessian.worst.error).toBeLessThan(1e-6);
      const diagonal = new Float64Array(2 * N);
      interpolated.diagonalHessian(X, diagonal);
      const column = new Float64Array(2 * N);
      for (let k = 0; k < 40; k++) {
        interpolated.hessianVector(
          X,
          Float64Array.from({ length: 2 * N }, (_, j) => (j === k ? 1 : 0)),
          column,
        );
        expect(Math.abs(column[k] - diagonal[k])).toBeLessThan(1e-9 * (1 + Math.abs(diagonal[k])));
      }
    },
  );
});

/** A map of which two points lie some 1,000 units from the others. */
function strayed(N: number): Float64Array {
  const X = clusters(N, 6, 9);
  X[0] = 1200;
  X[5] = -900;
  return X;
}

test("far points are summed exactly, and cost no grid", () => {
  const N = 400;
  const X = clusters(N, 20, 3);
  X[10] = 1e7;
  X[21] = -1e12;
  const { exact, interpolated } = sums("student", N);
  expect(Math.abs(interpolated.evaluate(X) / exact.evaluate(X) - 1)).toBeLessThan(1e-3);
});

test("a map that is too wide for the grid is summed by a tree", () => {
  const N = 300;
  const X = spread(N, 1500, 1);
  const { exact, interpolated } = sums("student", N);
  const [gradient, expected] = [new Float64Array(2 * N), new Float64Array(2 * N)];
  expect(Math.abs(interpolated.evaluate(X, gradient) / exact.evaluate(X, expected) - 1)).toBeLessThan(1e-3);
  expect(difference(gradient, expected)).toBeLessThan(0.03);
  const v = spread(N, 1, 2);
  interpolated.hessianVector(X, v, gradient);
  exact.hessianVector(X, v, expected);
  expect(gradient).toEqual(expected);
  interpolated.diagonalHessian(X, gradient);
  exact.diagonalHessian(X, expected);
  expect(gradient).toEqual(expected);
});

test.each([1, 10, 99, 700])(
  "%i points far away, near the grid's end or beyond all bounds",
  { tags: ["full"] },
  (far) => {
    const N = 1200;
    for (const name of ["student", "gaussian"] as const) {
      const { exact, interpolated } = sums(name, N);
      for (const distance of [200, 1e6, 1e150]) {
        const X = clusters(N, 20, 3);
        X.set(spread(far, 2 * distance, 4).map((value) => value - distance));
        const [gradient, expected] = [new Float64Array(2 * N), new Float64Array(2 * N)];
        const S = exact.evaluate(X, expected);
        expect(Math.abs(interpolated.evaluate(X, gradient) / S - 1)).toBeLessThan(1e-3);
        expect(difference(gradient, expected)).toBeLessThan(0.03);
      }
    }
  },
);

test("all points in one place, one point, and points in a line", () => {
  for (const X of [new Float64Array(20), Float64Array.from({ length: 40 }, (_, k) => (k % 2) * k)]) {
    const { exact, interpolated } = sums("gaussian", X.length / 2);
    expect(Math.abs(interpolated.evaluate(X) / exact.evaluate(X) - 1)).toBeLessThan(1e-2);
  }
  expect(Math.abs(sums("student", 1).interpolated.evaluate(Float64Array.of(3, 4)))).toBeLessThan(1e-12);
});

test("moving the map by whole spacings changes rounding only, and so does the order of the points", () => {
  const N = 300;
  const X = clusters(N, 12, 11);
  const { interpolated } = sums("student", N);
  const S = interpolated.evaluate(X);
  const moved = X.map((value, k) => value + (k % 2 === 0 ? 12.5 : -3));
  expect(Math.abs(interpolated.evaluate(moved) / S - 1)).toBeLessThan(1e-9);
  const reversed = X.map((_, k) => X[2 * (N - 1 - (k >> 1)) + (k % 2)]);
  expect(Math.abs(interpolated.evaluate(reversed) / S - 1)).toBeLessThan(1e-12);
});

test("the same map gives the same bits whatever came before", () => {
  const N = 200;
  const X = clusters(N, 10, 13);
  const { interpolated } = sums("student", N);
  const S = interpolated.evaluate(X);
  for (const factor of [2, 5, 0.1]) interpolated.evaluate(X.map((value) => factor * value));
  expect(interpolated.evaluate(X)).toBe(S);
});
