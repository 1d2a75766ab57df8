/**
 * A feasible point that is never formed: Q = F Fᵀ + diag(diagonal) + constant 1 1ᵀ/n. `repairFactor` makes one.
 *
 * Tr(D Q) = Tr(Fᵀ D F) + Σ D_ii diagonal_i, since D 1 = 0.
 */
import { CurvatureError, checkFinite, type DenseMatrix, dot, shown, zeros } from "@curvature/linalg";
import { float64, type Kind, matrix, number, record, whole } from "@curvature/optim-core/state";
import { checkDense, checkVector } from "../arguments.js";
import type { Gram } from "../gram.js";
import { checkGram } from "../problem.js";

export interface FactoredPoint {
  /** F ≥ 0, n × r */
  readonly factor: DenseMatrix;
  readonly diagonal: Float64Array;
  readonly constant: number;
  /** Sinkhorn sweeps that were made. */
  readonly sweeps: number;
}

/** @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT, ERR_NON_FINITE unless it is a point, for n rows where these are given */
export function checkFactored(where: string, point: FactoredPoint, n?: number): void {
  if (typeof point !== "object" || point === null || !Number.isFinite(point.constant))
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `the point must be { factor, diagonal, constant }, as repairFactor makes it; received ${shown(point)}.`,
      { where, path: "point", received: point },
    );
  checkDense(where, "factor", point.factor, n);
  checkVector(where, "diagonal", point.diagonal, point.factor.rows);
  checkFinite(point.factor, `${where}: factor`);
  checkFinite({ rows: 1, columns: n ?? point.factor.rows, data: point.diagonal }, `${where}: diagonal`);
}

/** Tr(D Q), the offset included. @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT, ERR_NON_FINITE */
export function factoredValue(gram: Gram, point: FactoredPoint): number {
  checkGram("factoredValue", gram);
  checkFactored("factoredValue", point, gram.n);
  const { factor, diagonal } = point;
  return gram.quadratic(factor) + dot(gram.diagonal, diagonal) + gram.offset;
}

/** Q, n × n. @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT, ERR_NON_FINITE, ERR_MEMORY */
export function factoredDense(point: FactoredPoint): DenseMatrix {
  checkFactored("factoredDense", point);
  const { factor, diagonal, constant } = point;
  const { rows: n, columns: r, data } = factor;
  const Q = zeros(n, n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = constant / n;
      for (let k = 0; k < r; k++) sum += data[i * r + k] * data[j * r + k];
      Q.data[i * n + j] = sum;
      Q.data[j * n + i] = sum;
    }
    Q.data[i * n + i] += diagonal[i];
  }
  return Q;
}

/** Σ_C 1_C 1_Cᵀ/|C|: what a partition is as a feasible point of as many clusters. */
export function partitionPoint(labels: Int32Array, count: number): FactoredPoint {
  const n = labels.length;
  const sizes = new Float64Array(count);
  for (let i = 0; i < n; i++) sizes[labels[i]]++;
  const factor = zeros(n, count);
  for (let i = 0; i < n; i++) factor.data[i * count + labels[i]] = 1 / Math.sqrt(sizes[labels[i]]);
  return { factor, diagonal: new Float64Array(n), constant: 0, sweeps: 0 };
}

/** A point of n rows in a solver's state. @param columns - of F, where they are known */
export const factoredPoint = (initial: FactoredPoint, columns?: number): Kind<FactoredPoint> => ({
  ...record({
    factor: matrix(initial.factor, { rows: initial.factor.rows, columns }),
    diagonal: float64(initial.diagonal),
    constant: number(initial.constant),
    sweeps: whole(initial.sweeps),
  }),
  initial,
});
