import { DisjointSets } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";

test("sets are numbered by their first index, whatever the order of the pairs", () => {
  const index = fc.nat({ max: 14 });
  fc.assert(
    fc.property(fc.array(fc.tuple(index, index), { maxLength: 20 }), (pairs) => {
      const [forth, back] = [pairs, [...pairs].reverse()].map((order) => {
        const sets = new DisjointSets(15);
        for (const [i, j] of order) sets.unite(i, j);
        return sets.components();
      });
      expect(forth).toEqual(back);
      const { count, labels } = forth;
      expect([...new Set(labels)]).toEqual(Array.from({ length: count }, (_, label) => label));
      for (const [i, j] of pairs) expect(labels[i]).toBe(labels[j]);
    }),
  );
});

test("no pairs, no sets", () => {
  expect(new DisjointSets(0).components()).toEqual({ count: 0, labels: new Int32Array(0) });
  expect(new DisjointSets(3).components()).toEqual({ count: 3, labels: Int32Array.of(0, 1, 2) });
});
