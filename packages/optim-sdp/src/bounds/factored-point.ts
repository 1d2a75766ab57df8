/**
 * A feasible point that is never formed: Q = F Fᵀ + diag(diagonal) + constant 1 1ᵀ/n. `repairFactor` makes one.
 *
 * Tr(D Q) = Tr(Fᵀ D F) + Σ D_ii diagonal_i, since D 1 = 0.
 */
import { CurvatureError, checkFinite, type DenseMatrix, dot, shown, zeros } from "@curvature/linalg";
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import { checkDense, checkVector } from "../doors.js";
import type { Gram } from "../gram/gram.js";
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
      `${where}: the point must be { factor, diagonal, constant }, as repairFactor makes it; received ${shown(point)}.`,
      { path: "point", received: point },
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

export function savedPoint({ factor, diagonal, constant, sweeps }: FactoredPoint): {
  readonly [key: string]: SnapshotValue;
} {
  return { factor: factor.data.slice(), diagonal: diagonal.slice(), constant, sweeps };
}

/** With arrays of its own. @throws CurvatureError ERR_SNAPSHOT */
export function readPoint(state: SnapshotReader, n: number, columns: number): FactoredPoint {
  return {
    factor: { rows: n, columns, data: state.float64("factor", n * columns).slice() },
    diagonal: state.float64("diagonal", n).slice(),
    constant: state.number("constant"),
    sweeps: state.integer("sweeps"),
  };
}
