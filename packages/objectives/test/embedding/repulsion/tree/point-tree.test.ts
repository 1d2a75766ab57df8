import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PointTree } from "../../../../src/embedding/repulsion/tree/point-tree.js";
import { clusters } from "../maps.js";

/** What must hold of any tree, whatever the points. */
function check(tree: PointTree, X: Float64Array, d: number): void {
  const N = X.length / d;
  const { begin, end, right, cells, order, x, y, z } = tree;
  expect([begin[0], end[0]]).toEqual([0, N]);
  expect(Array.from(order).sort((a, b) => a - b)).toEqual(Array.from({ length: N }, (_, n) => n));
  for (let k = 0; k < N; k++) {
    const n = order[k];
    expect([x[k], y[k], z[k]]).toEqual([X[n * d], X[n * d + 1], d === 3 ? X[n * d + 2] : 0]);
  }
  let leaves = 0;
  for (let c = 0; c < cells; c++) {
    expect(end[c]).toBeGreaterThan(begin[c]);
    if (right[c] === 0) {
      leaves += end[c] - begin[c];
      continue;
    }
    expect(right[c]).toBeGreaterThan(c + 1);
    expect([begin[c + 1], end[c + 1], end[right[c]]]).toEqual([begin[c], begin[right[c]], end[c]]);
  }
  expect(leaves).toBe(N);
}

const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true });

describe.each([2, 3])("%i dimensions", (d) => {
  test("every point lies in one leaf, whatever the numbers are", () => {
    const few = fc.array(fc.oneof(anyNumber, fc.constantFrom(0, 1, -1, 5e-324, Number.MAX_VALUE)), {
      minLength: d,
      maxLength: 40 * d,
    });
    fc.assert(
      fc.property(few, (numbers) => {
        const N = Math.floor(numbers.length / d);
        const tree = new PointTree(N, d, 3, 1e-3);
        const X = Float64Array.from(numbers.slice(0, N * d));
        tree.build(X);
        check(tree, X, d);
      }),
      { seed: 1 },
    );
  });

  test("leaves hold few points, or are small", () => {
    const X = clusters(3000, 40, 2, d);
    const tree = new PointTree(3000, d, 8, 0.1);
    tree.build(X);
    check(tree, X, d);
    for (let c = 0; c < tree.cells; c++) {
      if (tree.right[c] > 0 || tree.end[c] - tree.begin[c] <= 8) continue;
      const box = [tree.x, tree.y, tree.z].map((a) => {
        const own = a.subarray(tree.begin[c], tree.end[c]);
        return Math.max(...own) - Math.min(...own);
      });
      expect(Math.hypot(...box)).toBeLessThanOrEqual(0.1);
    }
    expect(tree.depth).toBeLessThan(30);
  });
});

test("points in one place are one cell; distances that double make a deep tree, which ends", () => {
  const same = new PointTree(1000, 2, 4, 0);
  same.build(new Float64Array(2000).fill(3));
  expect(same.cells).toBe(1);
  const N = 2000;
  const doubling = Float64Array.from({ length: 2 * N }, (_, k) => 2 ** ((k >> 1) - 1000));
  const deep = new PointTree(N, 2, 1, 0);
  deep.build(doubling);
  check(deep, doubling, 2);
  expect(deep.depth).toBeGreaterThan(1000);
});

test("a NaN does not hold it up", () => {
  const X = clusters(100, 5, 1);
  X[17] = Number.NaN;
  X[40] = Number.NaN;
  const tree = new PointTree(100, 2, 4, 0);
  tree.build(X);
  expect(tree.cells).toBeGreaterThan(1);
  tree.build(new Float64Array(200).fill(Number.NaN));
  expect(tree.cells).toBe(1);
});

test("a smaller tree after a larger one is the same as alone", () => {
  const X = clusters(500, 10, 3);
  const used = new PointTree(500, 2, 4, 0.01);
  used.build(X.map((value) => 1e4 * value * value));
  used.build(X);
  const alone = new PointTree(500, 2, 4, 0.01);
  alone.build(X);
  expect(used.cells).toBe(alone.cells);
  expect(used.order).toEqual(alone.order);
  expect(used.right.subarray(0, used.cells)).toEqual(alone.right.subarray(0, alone.cells));
});
