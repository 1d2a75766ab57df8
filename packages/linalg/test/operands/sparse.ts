/** Sparse matrices, and data that may be sparse. */
import * as linalg from "../../src/index.js";
import { badIndices, badMatrices, badSparse, nothing, sizes } from "./bad-operands.js";
import { blocks, type Calls, each, numbers, twoArrays } from "./calls.js";

const whole = linalg.toDense([
  [2, 1],
  [1, 2],
]);
const wide = linalg.zeros(2, 3);
const stored = linalg.toSparse(whole);
const sparseCholesky = new linalg.SparseCholesky(stored);
const incomplete = new linalg.IncompleteCholesky(stored);
const scaling = linalg.fitScaling(whole, "rms");

export const sparseCalls: Readonly<Record<string, Calls>> = {
  fitScaling: {
    ...each("X", badMatrices, (X) => linalg.fitScaling(X, "rms")),
    ...each("sparse X", badSparse, (X) => linalg.fitScaling(X, "rms")),
    "another method": () => linalg.fitScaling(whole, nothing),
  },
  applyScaling: {
    ...each("X", badMatrices, (X) => linalg.applyScaling(scaling, X)),
    ...each("sparse X", badSparse, (X) => linalg.applyScaling(scaling, X)),
    "other columns": () => linalg.applyScaling(scaling, wide),
    "another method": () => linalg.applyScaling({ ...scaling, method: nothing }, whole),
    "scales too short": () => linalg.applyScaling({ ...scaling, scales: numbers(1) }, whole),
  },
  selectRows: {
    ...each("A", badMatrices, (A) => linalg.selectRows(A, [0])),
    ...each("row", sizes, (row) => linalg.selectRows(whole, [row])),
    "a row that is not there": () => linalg.selectRows(stored, [2]),
    "pointers that fall": () => linalg.selectRows(badSparse["pointers that fall"], [0, 1]),
  },
  SparseCholesky: {
    ...each("A", badSparse, (A) => new linalg.SparseCholesky(A)),
    ...each(
      "A, analysed",
      badSparse,
      (A) => new linalg.SparseCholesky(A, { analysis: sparseCholesky.analysis }),
    ),
    ...each("refactor", badSparse, (A) => new linalg.SparseCholesky(stored).refactor(A)),
    ...blocks((B, d, out) => sparseCholesky.solve(B, d, out)),
    "an analysis in pieces": () =>
      new linalg.SparseCholesky(stored, {
        analysis: { ...sparseCholesky.analysis, columnCounts: new Int32Array(1) },
      }),
  },
  analyzeCholesky: each("A", badSparse, (A) => linalg.analyzeCholesky(A)),
  connectedComponents: each("A", badSparse, linalg.connectedComponents),
  DisjointSets: {
    ...each("size", sizes, (size) => new linalg.DisjointSets(size)),
    ...each("i", sizes, (i) => new linalg.DisjointSets(2).unite(i, 1)),
    "an index that is not there": () => new linalg.DisjointSets(2).unite(0, 2),
  },
  IncompleteCholesky: {
    ...each("A", badSparse, (A) => new linalg.IncompleteCholesky(A)),
    ...each("refactor", badSparse, (A) => new linalg.IncompleteCholesky(stored).refactor(A)),
    ...blocks((B, d, out) => incomplete.solve(B, d, out)),
  },
  approximateMinimumDegree: each("A", badSparse, linalg.approximateMinimumDegree),
  nestedDissection: each("A", badSparse, linalg.nestedDissection),
  sparseTimesBlock: blocks((X, d, out) => linalg.sparseTimesBlock(stored, X, d, out)),
  sparseTimesVector: twoArrays((x, out) => linalg.sparseTimesVector(stored, x, out)),
  lowerTriangle: each("A", badSparse, linalg.lowerTriangle),
  permuteSymmetric: {
    ...each("A", badSparse, (A) => linalg.permuteSymmetric(A, Int32Array.of(1, 0))),
    "an order too short": () => linalg.permuteSymmetric(stored, Int32Array.of(0)),
    "no order": () => linalg.permuteSymmetric(stored, nothing),
    "a row twice": () => linalg.permuteSymmetric(stored, Int32Array.of(0, 0)),
    "a row that is not there": () => linalg.permuteSymmetric(stored, Int32Array.of(0, -1)),
  },
  sparseDiagonal: each("A", badSparse, linalg.sparseDiagonal),
  sparseRowSums: each("A", badSparse, linalg.sparseRowSums),
  symmetricPart: each("A", badSparse, linalg.symmetricPart),
  transposeSparse: each("A", badIndices, linalg.transposeSparse),
  toSparse: {
    ...each("A", badSparse, (A) => linalg.toSparse(A)),
    ...each("dense A", badMatrices, (A) => linalg.toSparse(A)),
  },
  fromTriplets: {
    ...each("rows", sizes, (rows) => linalg.fromTriplets(rows, 2, { rows: [], columns: [], values: [] })),
    ...each("row", sizes, (row) => linalg.fromTriplets(2, 2, { rows: [row], columns: [0], values: [1] })),
    "other lengths": () => linalg.fromTriplets(2, 2, { rows: [0], columns: [0, 1], values: [1] }),
    "no lists": () => linalg.fromTriplets(2, 2, nothing),
  },
};
