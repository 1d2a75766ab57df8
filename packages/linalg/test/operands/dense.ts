/** Dense matrices. */
import * as linalg from "../../src/index.js";
import { badMatrices, badOperands, badSquares, nothing, sizes } from "./bad-operands.js";
import { blocks, type Calls, each, numbers, twoArrays } from "./calls.js";

const whole = linalg.toDense([
  [2, 1],
  [1, 2],
]);
const wide = linalg.zeros(2, 3);
const cholesky = new linalg.DenseCholesky(whole);
const tridiagonal = new linalg.Tridiagonalization(linalg.zeros(2, 2)).save();

export const denseCalls: Readonly<Record<string, Calls>> = {
  DenseCholesky: {
    ...each("A", badSquares, (A) => new linalg.DenseCholesky(A)),
    ...blocks((B, d, out) => cholesky.solve(B, d, out)),
  },
  inverse: { "no factor": () => linalg.inverse(nothing) },
  svd: each("A", badMatrices, (A) => linalg.svd(A)),
  singularValues: each("A", badMatrices, (A) => linalg.singularValues(A)),
  linearLeastSquares: {
    ...each("A", badMatrices, (A) => linalg.linearLeastSquares(A, [1, 2])),
    ...each("d", sizes, (rightSides) => linalg.linearLeastSquares(whole, [1, 2], { rightSides })),
    "b too short": () => linalg.linearLeastSquares(whole, [1]),
    "no b": () => linalg.linearLeastSquares(whole, nothing),
  },
  squaredDistances: each("A", badMatrices, linalg.squaredDistances),
  squaredDistancesBetween: {
    ...each("X", badOperands, (X) => linalg.squaredDistancesBetween(X, whole)),
    ...each("Y", badOperands, (Y) => linalg.squaredDistancesBetween(whole, Y)),
    "other columns": () => linalg.squaredDistancesBetween(whole, wide),
  },
  multiplyGenerated: {
    ...each("A", badOperands, (A) => linalg.multiplyGenerated(A, () => undefined, linalg.zeros(2, 2))),
    ...each("C", badMatrices, (C) => linalg.multiplyGenerated(whole, () => undefined, C)),
    "other rows": () => linalg.multiplyGenerated(whole, () => undefined, linalg.zeros(3, 2)),
    "no source": () => linalg.multiplyGenerated(whole, nothing, linalg.zeros(2, 2)),
  },
  gramRows: {
    ...each("A", badOperands, (A) => linalg.gramRows(A, 0, 1, new Float64Array(9))),
    ...each("start", sizes, (start) => linalg.gramRows(whole, start, 2, new Float64Array(9))),
    ...each("end", sizes, (end) => linalg.gramRows(whole, 0, end, new Float64Array(9))),
    "rows that are not there": () => linalg.gramRows(whole, 0, 3, new Float64Array(9)),
    "no room": () => linalg.gramRows(whole, 0, 2, new Float64Array(3)),
    "no array": () => linalg.gramRows(whole, 0, 2, nothing),
  },
  relaxRows: {
    ...each("n", sizes, (n) => linalg.relaxRows(new Float32Array(4), n, 0, 1, new Float64Array(4), 0, 1)),
    ...each("first", sizes, (first) =>
      linalg.relaxRows(new Float32Array(4), 2, first, 2, new Float64Array(4), 0, 1),
    ),
    ...each("end", sizes, (end) =>
      linalg.relaxRows(new Float32Array(4), 2, 0, end, new Float64Array(4), 0, 1),
    ),
    "rows that are not there": () =>
      linalg.relaxRows(new Float32Array(4), 2, 0, 3, new Float64Array(9), 0, 1),
    "another size": () => linalg.relaxRows(new Float32Array(6), 2, 0, 2, new Float64Array(4), 0, 1),
    "W in double precision": () => linalg.relaxRows(JSON.parse("[1]"), 1, 0, 1, new Float64Array(1), 0, 1),
    "X too short": () => linalg.relaxRows(new Float32Array(4), 2, 0, 2, new Float64Array(3), 0, 1),
    "no X": () => linalg.relaxRows(new Float32Array(4), 2, 0, 2, nothing, 0, 1),
    "no e": () => linalg.relaxRows(new Float32Array(4), 2, 0, 2, new Float64Array(4), nothing, 1),
    "no r": () => linalg.relaxRows(new Float32Array(4), 2, 0, 2, new Float64Array(4), 0, nothing),
  },
  relaxedEntries: {
    ...each("n", sizes, (n) => linalg.relaxedEntries(n, 1)),
    ...each("rows", sizes, (rows) => linalg.relaxedEntries(1, rows)),
    "more than there can be": () => linalg.relaxedEntries(65536, 65536),
  },
  checkDenseForm: each("A", badMatrices, (A) => linalg.checkDenseForm(A, "A")),
  checkFinite: {
    "no matrix": () => linalg.checkFinite(nothing),
    NaN: () => linalg.checkFinite({ rows: 1, columns: 1, data: numbers(Number.NaN) }),
  },
  toDense: each("A", badMatrices, (A) => linalg.toDense(A)),
  zeros: {
    ...each("rows", sizes, (rows) => linalg.zeros(rows, 1)),
    ...each("n", sizes, (n) => linalg.zeros(1, n)),
  },
  principalComponents: each("X", badMatrices, (X) => linalg.principalComponents(X)),
  lostComponents: {
    "no array": () => linalg.lostComponents(nothing, "scale the columns"),
    "no remedy": () => linalg.lostComponents(numbers(1, 0), nothing),
  },
  gram: each("A", badOperands, linalg.gram),
  outerGram: each("A", badOperands, linalg.outerGram),
  transpose: each("A", badOperands, linalg.transpose),
  multiply: {
    ...each("A", badOperands, (A) => linalg.multiply(A, whole)),
    ...each("B", badOperands, (B) => linalg.multiply(whole, B)),
    "other sizes": () => linalg.multiply(wide, whole),
  },
  multiplyTranspose: {
    ...each("A", badOperands, (A) => linalg.multiplyTranspose(A, whole)),
    ...each("B", badOperands, (B) => linalg.multiplyTranspose(whole, B)),
    "other sizes": () => linalg.multiplyTranspose(wide, whole),
  },
  transposeMultiply: {
    ...each("A", badOperands, (A) => linalg.transposeMultiply(A, whole)),
    ...each("B", badOperands, (B) => linalg.transposeMultiply(whole, B)),
    "other sizes": () => linalg.transposeMultiply(linalg.zeros(3, 2), whole),
  },
  symmetricEigen: each("A", badSquares, linalg.symmetricEigen),
  symmetricEigenvalues: each("A", badSquares, linalg.symmetricEigenvalues),
  tridiagonalEigen: {
    ...twoArrays((d, e) => linalg.tridiagonalEigen(d, e, new Float64Array(0), 0)),
    ...each("width", sizes, (width) =>
      linalg.tridiagonalEigen(numbers(1, 2), numbers(1, 0), numbers(1), width),
    ),
    NaN: () => linalg.tridiagonalEigen(numbers(1, Number.NaN), numbers(1, 0), new Float64Array(0), 0),
  },
  Tridiagonalization: {
    ...each("A", badSquares, (A) => new linalg.Tridiagonalization(A)),
    "no arrays": () => linalg.Tridiagonalization.from({ ...tridiagonal, d: nothing }),
    "A too short": () => linalg.Tridiagonalization.from({ ...tridiagonal, A: numbers(1, 2, 3) }),
    "e too short": () => linalg.Tridiagonalization.from({ ...tridiagonal, e: numbers(1) }),
    ...each("remaining", sizes, (remaining) => linalg.Tridiagonalization.from({ ...tridiagonal, remaining })),
    "no size": () => linalg.Tridiagonalization.from({ ...tridiagonal, size: Number.NaN }),
  },
};
