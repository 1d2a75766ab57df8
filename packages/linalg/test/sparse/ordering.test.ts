import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  analyzeCholesky,
  approximateMinimumDegree,
  columnCounts,
  eliminationTree,
  fromTriplets,
  postorder,
  type SparseMatrix,
} from "../../src/index.js";
import { anyLaplacian, denseOf, type Edge, gridEdges, laplacian } from "./matrices.js";

const sorted = (order: Int32Array) => Array.from(order).sort((a, b) => a - b);
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);

/** The pattern of L by elimination, row by row as it is taught: for each column the rows below its diagonal. */
function eliminated(A: SparseMatrix): Set<number>[] {
  const D = denseOf(A);
  const below = D.map((_, j) => new Set(D.flatMap((row, i) => (i > j && row[j] !== 0 ? [i] : []))));
  below.forEach((rows) => {
    const parent = Math.min(...rows);
    for (const i of rows) if (i !== parent) below[parent].add(i);
  });
  return below;
}

describe("elimination tree", () => {
  test("parents and column counts are those of the elimination itself", () => {
    fc.assert(
      fc.property(anyLaplacian, (A) => {
        const below = eliminated(A);
        const parent = eliminationTree(A);
        expect(Array.from(parent)).toEqual(below.map((rows) => (rows.size === 0 ? -1 : Math.min(...rows))));
        const counts = columnCounts(A, parent, postorder(parent));
        expect(Array.from(counts)).toEqual(below.map((rows) => rows.size + 1));
      }),
    );
  });

  test("the postorder visits each node after its children, with subtrees together", () => {
    fc.assert(
      fc.property(anyLaplacian, (A) => {
        const parent = eliminationTree(A);
        const order = postorder(parent);
        expect(sorted(order)).toEqual(upTo(A.rows));
        const place = new Int32Array(A.rows);
        order.forEach((j, k) => {
          place[j] = k;
        });
        const size = new Int32Array(A.rows).fill(1);
        for (const j of order) if (parent[j] !== -1) size[parent[j]] += size[j];
        const first = place.map((k, j) => k - size[j] + 1);
        for (const j of order) {
          if (parent[j] === -1) continue;
          expect(place[parent[j]]).toBeGreaterThan(place[j]);
          expect(first[parent[j]]).toBeLessThanOrEqual(first[j]);
        }
      }),
    );
  });
});

describe("approximate minimum degree", () => {
  test("is a permutation, the same one each time, for any pattern", () => {
    fc.assert(
      fc.property(anyLaplacian, (A) => {
        const order = approximateMinimumDegree(A);
        expect(sorted(order)).toEqual(upTo(A.rows));
        expect(approximateMinimumDegree(A)).toEqual(order);
      }),
    );
  });

  test("takes the pattern of A + Aᵀ", () => {
    const upper = fromTriplets(4, 4, { rows: [0, 0, 0], columns: [1, 2, 3], values: [1, 1, 1] });
    expect(sorted(approximateMinimumDegree(upper))).toEqual(upTo(4));
    expect(approximateMinimumDegree(upper)[0]).not.toBe(0);
  });

  test("fills nothing in where nothing need be: trees and arrows, the dense row given first", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 300 }), (choices) => {
        // Node i + 1 hangs on any earlier one.
        const edges = choices.map((choice, i) => [i + 1, choice % (i + 1)] as const);
        const n = choices.length + 1;
        expect(analyzeCholesky(laplacian(n, edges, 1)).factorNonzeros).toBe(2 * n - 1);
      }),
    );
    for (const n of [10, 100, 5000]) {
      const arrow = laplacian(
        n,
        upTo(n - 1).map((i) => [0, i + 1] as const),
        1,
      );
      expect(analyzeCholesky(arrow).factorNonzeros).toBe(2 * n - 1);
      expect(analyzeCholesky(arrow, { ordering: "natural" }).factorNonzeros).toBe((n * (n + 1)) / 2);
    }
  });

  test("dense rows beside a sparse remainder go last", () => {
    const n = 2000;
    const edges: Edge[] = upTo(n - 4).map((i) => [i + 3, i + 4] as const);
    for (let i = 3; i < n; i++) edges.push([0, i], [1, i], [2, i]);
    const order = approximateMinimumDegree(laplacian(n, edges, 1));
    expect(sorted(order.slice(n - 3))).toEqual([0, 1, 2]);
  });

  test("a grid fills in like n log n, within reach of nested dissection", () => {
    // Nested dissection of a side × side grid: 31/4 n log₂ n + O(n) nonzeros (George 1973); the leading term alone
    // is far above what either order gives at these sizes, so the bound here is of the form c n log₂ n, c = 1.
    for (const side of [32, 64, 128]) {
      const n = side * side;
      const { factorNonzeros } = analyzeCholesky(laplacian(n, gridEdges(side), 1));
      expect(factorNonzeros / (n * Math.log2(n))).toBeLessThan(2.2);
      expect(factorNonzeros / (n * Math.log2(n))).toBeGreaterThan(1);
    }
  });
});
