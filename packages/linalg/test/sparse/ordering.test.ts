import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  analyzeCholesky,
  approximateMinimumDegree,
  fromTriplets,
  nestedDissection,
  permuteSymmetric,
  RandomGenerator,
  SparseCholesky,
  type SparseMatrix,
} from "../../src/index.js";
import { separator } from "../../src/sparse/dissection/separator.js";
import { graphOf } from "../../src/sparse/dissection/weighted-graph.js";
import { columnCounts, eliminationTree, postorder } from "../../src/sparse/elimination-tree.js";
import { anyLaplacian, denseOf, type Edge, gridEdges, laplacian, largest } from "./matrices.js";

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
        expect(analyzeCholesky(laplacian(n, edges, 1), { ordering: "amd" }).factorNonzeros).toBe(2 * n - 1);
      }),
    );
    for (const n of [10, 100, 5000]) {
      const arrow = laplacian(
        n,
        upTo(n - 1).map((i) => [0, i + 1] as const),
        1,
      );
      expect(analyzeCholesky(arrow, { ordering: "amd" }).factorNonzeros).toBe(2 * n - 1);
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

  test("a grid fills in less than under nested dissection with straight separators", () => {
    for (const side of [31, 63, 127]) {
      const A = laplacian(side * side, gridEdges(side), 1);
      const dissected = permuteSymmetric(A, Int32Array.from(straightDissection(side, 0, side, 0, side)));
      const reference = analyzeCholesky(dissected, { ordering: "natural" }).factorNonzeros;
      expect(analyzeCholesky(A, { ordering: "amd" }).factorNonzeros).toBeLessThan(reference);
    }
  });

  test.each([
    [2000, 159_000],
    [5000, 840_000],
  ])(
    "the 7-neighbour graph of the first %i MNIST images fills in as under other minimum degree codes",
    { tags: ["full"] },
    (n, nonzeros) => {
      const A = laplacian(n, neighborGraph(`mnist-${n}-7nn.i32.gz`, n), 1e-3);
      expect(analyzeCholesky(A, { ordering: "amd" }).factorNonzeros).toBeLessThan(1.15 * nonzeros);
      const cholesky = new SparseCholesky(A);
      const x = new Float64Array(2 * n).fill(1);
      cholesky.solve(x, 2, x);
      // L 1 = 0, so the solution is constant.
      expect(largest(x.map((value) => value - 1000))).toBeLessThan(1e-6);
    },
  );
});

describe("nested dissection", () => {
  /** The edges of a side × side × side grid. */
  const cubeEdges = (side: number): Edge[] =>
    upTo(side ** 3).flatMap((v) => {
      const [i, j, k] = [Math.floor(v / side ** 2), Math.floor(v / side) % side, v % side];
      const next: readonly (readonly [boolean, number])[] = [
        [i + 1 < side, v + side ** 2],
        [j + 1 < side, v + side],
        [k + 1 < side, v + 1],
      ];
      return next.flatMap(([isThere, u]): Edge[] => (isThere ? [[v, u]] : []));
    });

  test("is a permutation, the same one each time, for any pattern", () => {
    fc.assert(
      fc.property(anyLaplacian, (A) => {
        const order = nestedDissection(A);
        expect(sorted(order)).toEqual(upTo(A.rows));
        expect(nestedDissection(A)).toEqual(order);
      }),
    );
  });

  test("no edge joins the sides of a separator, and neither side is heavy", { tags: ["full"] }, () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 201, max: 900 }),
        fc.integer({ min: 1, max: 6 }),
        fc.nat(),
        (n, k, seed) => {
          const generator = new RandomGenerator(seed);
          const edges = upTo(n * k).map((): Edge => [generator.integer(n), generator.integer(n)]);
          const graph = graphOf(
            laplacian(
              n,
              edges.filter(([i, j]) => i !== j),
              1,
            ),
          );
          const side = separator(graph);
          for (let v = 0; v < n; v++) {
            for (let p = graph.pointers[v]; p < graph.pointers[v + 1]; p++)
              expect(side[v] + side[graph.neighbors[p]]).not.toBe(1);
          }
          for (const s of [0, 1]) expect(side.filter((one) => one === s).length).toBeLessThanOrEqual(0.6 * n);
        },
      ),
      { numRuns: 30 },
    );
  });

  test("paths, stars, complete graphs, loose points and many components are ordered, however long", () => {
    const n = 5000;
    const path = laplacian(
      n,
      upTo(n - 1).map((i): Edge => [i, i + 1]),
      1,
    );
    const star = laplacian(
      n,
      upTo(n - 1).map((i): Edge => [0, i + 1]),
      1,
    );
    const loose = laplacian(n, [], 1);
    const pairs = laplacian(
      n,
      upTo(n / 2).map((i): Edge => [i, i + n / 2]),
      1,
    );
    for (const A of [path, star, loose, pairs]) expect(sorted(nestedDissection(A))).toEqual(upTo(n));
    expect(analyzeCholesky(path, { ordering: "nested-dissection" }).factorNonzeros).toBeLessThan(3 * n);
    const complete = laplacian(
      300,
      upTo(300).flatMap((i) => upTo(i).map((j): Edge => [i, j])),
      1,
    );
    expect(analyzeCholesky(complete, { ordering: "nested-dissection" }).factorNonzeros).toBe((300 * 301) / 2);
  });

  test("takes less work than minimum degree on a cube and on neighbours of images; auto takes the better of both", {
    tags: ["full"],
  }, () => {
    const cube = laplacian(25 ** 3, cubeEdges(25), 1);
    const images = laplacian(5000, neighborGraph("mnist-5000-7nn.i32.gz", 5000), 1e-3);
    const plane = laplacian(127 ** 2, gridEdges(127), 1);
    for (const A of [cube, images]) {
      const dissected = analyzeCholesky(A, { ordering: "nested-dissection" });
      expect(dissected.flops).toBeLessThan(0.8 * analyzeCholesky(A, { ordering: "amd" }).flops);
      expect(analyzeCholesky(A)).toEqual(dissected);
    }
    expect(analyzeCholesky(plane)).toEqual(analyzeCholesky(plane, { ordering: "amd" }));
  });
});

/** Separators last: halves the longer side until little is left (George 1973). */
function straightDissection(
  side: number,
  top: number,
  bottom: number,
  left: number,
  right: number,
): number[] {
  const height = bottom - top;
  const width = right - left;
  if (height < 3 || width < 3) {
    return upTo(height * width).map((k) => (top + Math.floor(k / width)) * side + left + (k % width));
  }
  if (height > width) {
    const cut = top + Math.floor(height / 2);
    return [
      ...straightDissection(side, top, cut, left, right),
      ...straightDissection(side, cut + 1, bottom, left, right),
      ...upTo(width).map((k) => cut * side + left + k),
    ];
  }
  const cut = left + Math.floor(width / 2);
  return [
    ...straightDissection(side, top, bottom, left, cut),
    ...straightDissection(side, top, bottom, cut + 1, right),
    ...upTo(height).map((k) => (top + k) * side + cut),
  ];
}

/** See fixtures/README.md. */
function neighborGraph(file: string, n: number): Edge[] {
  const bytes = gunzipSync(readFileSync(new URL(`../fixtures/${file}`, import.meta.url)));
  const edges: Edge[] = [];
  let key = 0;
  for (let offset = 0; offset < bytes.length; offset += 4) {
    key += bytes.readInt32LE(offset);
    edges.push([Math.floor(key / n), key % n]);
  }
  return edges;
}
