/**
 * The Gram matrix that is given, or that distances give.
 *
 * Gram        D = J G J, J = I − 1 1ᵀ/n
 * Distances   D = −½ J (d_ij²) J
 */
import {
  CurvatureError,
  checkOptions,
  type DenseMatrix,
  dot,
  type MatrixLike,
  maxAbs,
  positive,
  shown,
  symmetricTimesVector,
  toDense,
  zeros,
} from "@curvature/linalg";
import { fingerprintOf } from "@curvature/optim-core";
import { checkMemory, defaultMemoryLimit, denseBytes } from "../memory.js";
import type { Gram, GramOptions } from "./gram.js";
import { checkedTrace } from "./range.js";

/** Share of the largest entry by which a_ij and a_ji may differ: what files of six digits show. */
const ASYMMETRY = 1e-6;

/**
 * D of a Gram (kernel) matrix. It is not scaled.
 *
 * @throws CurvatureError ERR_SHAPE unless it is square, ERR_ARGUMENT unless it is symmetric, ERR_NON_FINITE, ERR_MEMORY
 */
export function gramOfMatrix(matrix: MatrixLike, options?: Pick<GramOptions, "memoryLimit">): Gram {
  const { memoryLimit } = matrixOptions("gramOfMatrix", options);
  const G = symmetricCopy("gramOfMatrix", matrix, "matrix", memoryLimit, (entry) => entry);
  return new MatrixGram("gramOfMatrix", G, doubleCentre(G), memoryLimit);
}

/**
 * D of distances d_ij, not squared.
 *
 * @throws CurvatureError ERR_SHAPE unless square, ERR_ARGUMENT unless symmetric, at least 0, and 0 on the diagonal,
 *   ERR_NON_FINITE, ERR_MEMORY
 */
export function gramOfDistances(distances: MatrixLike, options?: Pick<GramOptions, "memoryLimit">): Gram {
  const { memoryLimit } = matrixOptions("gramOfDistances", options);
  const D = symmetricCopy("gramOfDistances", distances, "distances", memoryLimit, (distance, i, j) => {
    if (distance < 0 || (i === j && distance !== 0))
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `gramOfDistances: distances must be at least 0, and 0 on the diagonal; received ${distance} at row ${i}, column ${j} (counted from 0).`,
        { path: `row ${i}, column ${j}`, received: distance },
      );
    return -0.5 * distance * distance;
  });
  doubleCentre(D);
  return new MatrixGram("gramOfDistances", D, 0, memoryLimit);
}

function matrixOptions(
  where: string,
  options: Pick<GramOptions, "memoryLimit"> | undefined,
): Readonly<Required<Pick<GramOptions, "memoryLimit">>> {
  return checkOptions(where, options, { memoryLimit: defaultMemoryLimit }, { memoryLimit: positive });
}

class MatrixGram implements Gram {
  readonly n: number;
  readonly trace: number;
  readonly diagonal: Float64Array;
  readonly fingerprint: string;

  constructor(
    where: string,
    private readonly D: DenseMatrix,
    readonly offset: number,
    readonly memoryLimit: number,
  ) {
    this.n = D.rows;
    this.diagonal = Float64Array.from({ length: D.rows }, (_, i) => D.data[i * D.rows + i]);
    this.trace = checkedTrace(where, this.diagonal, maxAbs(D.data));
    this.fingerprint = fingerprintOf("gram", D.rows, offset, D.data);
  }

  multiply(v: Float64Array, out: Float64Array): void {
    symmetricTimesVector(this.D, v, out);
  }

  quadratic(F: DenseMatrix): number {
    const { n } = this;
    const column = new Float64Array(n);
    const product = new Float64Array(n);
    let sum = 0;
    for (let j = 0; j < F.columns; j++) {
      for (let i = 0; i < n; i++) column[i] = F.data[i * F.columns + j];
      this.multiply(column, product);
      sum += dot(column, product);
    }
    return sum;
  }

  dense(): DenseMatrix {
    return this.D;
  }
}

function symmetricCopy(
  where: string,
  matrix: MatrixLike,
  name: string,
  memoryLimit: number,
  entry: (value: number, i: number, j: number) => number,
): DenseMatrix {
  const A = toDense(matrix, name);
  const n = A.rows;
  if (n === 0 || A.columns !== n)
    throw new CurvatureError(
      "ERR_SHAPE",
      `${where}: ${name} must be square, with at least one row; received ${n} x ${A.columns}.`,
      { path: name, expected: "n x n", received: `${n} x ${A.columns}` },
    );
  checkMemory(where, `the ${n} x ${n} matrix`, denseBytes(n, 1), memoryLimit);
  const S = zeros(n, n);
  let largest = 0;
  for (let k = 0; k < A.data.length; k++) largest = Math.max(largest, Math.abs(A.data[k]));
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const lower = A.data[i * n + j];
      const upper = A.data[j * n + i];
      if (!(Math.abs(lower - upper) <= ASYMMETRY * largest))
        throw new CurvatureError(
          "ERR_ARGUMENT",
          `${where}: ${name} must be symmetric; row ${i}, column ${j} (counted from 0) has ${shown(lower)}, and row ${j}, column ${i} has ${shown(upper)}. Average it with its transpose if that is what you mean.`,
          { path: `row ${i}, column ${j}`, expected: "a symmetric matrix", received: [lower, upper] },
        );
      const value = entry(lower / 2 + upper / 2, i, j);
      S.data[i * n + j] = value;
      S.data[j * n + i] = value;
    }
  }
  return S;
}

/** A ← J A J, exactly symmetric. @returns 1ᵀ A 1/n */
function doubleCentre(A: DenseMatrix): number {
  const n = A.rows;
  let offset = 0;
  for (let round = 0; round < 2; round++) {
    const means = new Float64Array(n); // the second round takes off what the first one's rounding left
    let grand = 0;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += A.data[i * n + j] / n;
      means[i] = sum;
      grand += sum / n;
    }
    if (round === 0) offset = grand * n;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        const value = A.data[i * n + j] - (means[i] + means[j]) + grand;
        A.data[i * n + j] = value;
        A.data[j * n + i] = value;
      }
    }
  }
  return offset;
}
