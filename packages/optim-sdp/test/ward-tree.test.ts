/** Clusters within clusters: nested, and each merge the one that costs least of all pairs, by costs computed from the rows. */
import { RandomGenerator } from "@curvature/linalg";
import { wardTree } from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";
import { costOf } from "./helpers/cost.js";
import { randomPoints } from "./helpers/small.js";

describe("a tree of clusters", () => {
  test.each([1, 2, 3, 4])("joins the two groups whose merge costs least, and is nested (seed %i)", (seed) => {
    const points = randomPoints(50, 3, seed);
    const random = new RandomGenerator(seed);
    const drawn = Array.from({ length: 50 }, (_, i) => (i < 9 ? i : Math.floor(9 * random.uniform())));
    const tree = wardTree(points, drawn);
    expect(tree.clusters).toBe(9);
    expect([...tree.labelsOf(9)]).toEqual(drawn);
    let before = 0;
    for (let k = 9; k > 1; k--) {
      const labels = tree.labelsOf(k);
      const cost = costOf(points, labels);
      const after = tree.labelsOf(k - 1);
      let least = Number.POSITIVE_INFINITY;
      for (let b = 0; b < k; b++)
        for (let a = 0; a < b; a++)
          least = Math.min(
            least,
            costOf(
              points,
              labels.map((label) => (label === b ? a : label)),
            ) - cost,
          );
      const { increase } = tree.merges[9 - k];
      expect(costOf(points, after) - cost).toBeCloseTo(increase, 9);
      expect(increase).toBeCloseTo(least, 9);
      expect(increase).toBeGreaterThanOrEqual(before * (1 - 1e-12));
      before = increase;
      const inside = new Map<number, number>();
      for (const [i, label] of labels.entries()) {
        expect(inside.get(label) ?? after[i]).toBe(after[i]); // no group is torn
        inside.set(label, after[i]);
      }
      expect(new Set(after).size).toBe(k - 1);
    }
  });

  test("the same in any unit; rows of no group stay so; the costs add up", () => {
    const points = randomPoints(40, 2, 9);
    const labels = Array.from({ length: 40 }, (_, i) => (i % 7) - 1);
    const tree = wardTree(points, labels);
    for (const unit of [1e-200, 2 ** 300]) {
      const other = wardTree({ ...points, data: points.data.map((x) => unit * x) }, labels);
      expect(other.merges.map(({ a, b }) => [a, b])).toEqual(tree.merges.map(({ a, b }) => [a, b]));
    }
    for (const k of [1, 3, 6])
      expect([...tree.labelsOf(k)].map((label) => label < 0)).toEqual(labels.map((label) => label < 0));
    const kept = labels.flatMap((label, i) => (label < 0 ? [] : [i]));
    const rows = {
      ...{ rows: kept.length, columns: 2 },
      data: Float64Array.from(kept.flatMap((i) => [points.data[2 * i], points.data[2 * i + 1]])),
    };
    const grown = tree.merges.reduce((sum, { increase }) => sum + increase, 0);
    const finest = costOf(
      rows,
      Int32Array.from(kept, (i) => labels[i]),
    );
    expect(finest + grown).toBeCloseTo(costOf(rows, new Int32Array(kept.length)), 9);
  });

  test("an example, by hand", () => {
    const tree = wardTree([[0], [1], [10], [14], [40]], [0, 0, 1, 1, 2]);
    expect(tree.merges.map(({ a, b }) => [a, b])).toEqual([
      [0, 1],
      [0, 2],
    ]);
    expect(tree.merges[0].increase).toBeCloseTo(11.5 ** 2, 9); // 2 2/(2 + 2) (12 - 0.5)²
    expect(tree.merges[1].increase).toBeCloseTo((4 / 5) * 33.75 ** 2, 9);
    expect([...tree.labelsOf(1)]).toEqual([0, 0, 0, 0, 0]);
  });

  test("one cluster, equal rows, and what is refused", () => {
    expect(wardTree([[1], [2]], [0, 0]).merges).toEqual([]);
    expect(wardTree([[1], [1], [1]], [0, 1, 2]).merges.map(({ increase }) => increase)).toEqual([0, 0]);
    expect(() => wardTree([[1], [2]], [0, 0]).labelsOf(2)).toThrow(/clusters must be/);
    expect(() => wardTree([[1], [Number.NaN]], [0, 0])).toThrow(/NaN at row 1/);
    expect(() => wardTree([[1], [2]], [0])).toThrow(/labels must be 2 whole numbers/);
  });
});
