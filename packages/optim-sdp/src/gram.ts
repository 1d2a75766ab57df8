/**
 * The data of NOMAD as the centred Gram matrix D.
 *
 * Points      D = X Xᵀ, X = (points − column means) / c, c = max_i ‖points_i‖₂ before centring (scale "norm") or 1
 * Gram        D = J G J, J = I − 1 1ᵀ/n
 * Distances   D = −½ J (d_ij²) J
 *
 * Q 1 = 1 in every feasible Q, so that Tr(G Q) = Tr(J G J Q) + 1ᵀ G 1/n: centring changes no minimiser and moves the value by
 * a known `offset`. All else in this package may therefore take D 1 = 0 for granted.
 *
 * Products with points cost 4 n d and no n × n memory; `dense()` makes D once, on demand, after asking for its memory.
 */
import {
  CurvatureError,
  DenseCholesky,
  type DenseMatrix,
  dot,
  type MatrixLike,
  matrixTimesVector,
  maxAbs,
  norm2,
  type OptionsOf,
  outerGram,
  powerOfTwoBelow,
  shown,
  symmetricTimesVector,
  toDense,
  transposeMultiply,
  transposeTimesVector,
  zeros,
} from "@curvature/linalg";
import { fingerprintOf } from "@curvature/optim-core";
import { checkMemory, denseBytes } from "./arguments.js";
import { type GramMatrixOptions, gramMatrixOptions, memoryOptions } from "./gram-options.js";

/** The centred Gram matrix as an operator. */
export interface Gram {
  readonly n: number;
  /** 1ᵀ G 1/n of the matrix that was given: Tr(G Q) = Tr(D Q) + offset. 0 for points and distances. */
  readonly offset: number;
  /** Tr D */
  readonly trace: number;
  /** D_ii */
  readonly diagonal: Float64Array;
  readonly fingerprint: string;
  /** What dense arrays may take, in bytes. */
  readonly memoryLimit: number;
  /** X, n × d, of D = X Xᵀ where D was given by points; not to be written to. */
  readonly points?: DenseMatrix;
  /** D v into `out`. */
  multiply(v: Float64Array, out: Float64Array): void;
  /** Tr(Fᵀ D F) of an n × r matrix. */
  quadratic(F: DenseMatrix): number;
  /** D, n × n; not to be written to. @throws CurvatureError ERR_MEMORY */
  dense(): DenseMatrix;
}

/**
 * D of points, one in each row.
 *
 * @throws CurvatureError ERR_SHAPE if there are none, ERR_NON_FINITE, ERR_ARGUMENT if D would vanish in underflow, ERR_OPTION
 */
export function gramOfPoints(points: MatrixLike, options?: GramMatrixOptions): Gram {
  const settings = gramMatrixOptions.resolve("gramOfPoints", options);
  const raw = toDense(points, "points");
  if (raw.rows === 0 || raw.columns === 0)
    throw new CurvatureError(
      "ERR_SHAPE",
      `at least one point with one coordinate is needed; received ${raw.rows} x ${raw.columns}.`,
      {
        where: "gramOfPoints",
        path: "points",
        expected: "at least 1 x 1",
        received: `${raw.rows} x ${raw.columns}`,
      },
    );
  return new PointsGram(centred(raw, settings.scale), settings.memoryLimit);
}

/** (points − means) / c. In units of a power of two near c nothing overflows, and no rounding but that of the means comes before they are taken off. */
function centred(points: DenseMatrix, scale: "norm" | "none"): DenseMatrix {
  const { rows, columns, data } = points;
  let c = 0;
  for (let i = 0; i < rows; i++) c = Math.max(c, norm2(data.subarray(i * columns, (i + 1) * columns)));
  if (c === Number.POSITIVE_INFINITY) throw tooLarge("gramOfPoints", "points", c);
  const unit = scale === "none" ? 1 : powerOfTwoBelow(c);
  const divisor = scale === "none" || c === 0 ? 1 : c / unit;
  const X = zeros(rows, columns);
  for (let j = 0; j < columns; j++) {
    let mean = 0;
    for (let i = 0; i < rows; i++) mean += data[i * columns + j] / unit / rows;
    let rest = 0;
    for (let i = 0; i < rows; i++) rest += (data[i * columns + j] / unit - mean) / rows;
    mean += rest; // so that constant columns become 0 exactly
    rest = 0;
    for (let i = 0; i < rows; i++) {
      X.data[i * columns + j] = data[i * columns + j] / unit - mean;
      rest += X.data[i * columns + j] / rows;
    }
    for (let i = 0; i < rows; i++) X.data[i * columns + j] = (X.data[i * columns + j] - rest) / divisor;
  }
  return X;
}

class PointsGram implements Gram {
  readonly n: number;
  readonly offset = 0;
  readonly trace: number;
  readonly diagonal: Float64Array;
  readonly fingerprint: string;
  readonly points: DenseMatrix;
  private readonly inner: Float64Array;
  private D: DenseMatrix | undefined;

  constructor(
    private readonly X: DenseMatrix,
    readonly memoryLimit: number,
  ) {
    this.n = X.rows;
    this.points = X;
    this.inner = new Float64Array(X.columns);
    this.diagonal = new Float64Array(X.rows);
    for (let i = 0; i < X.rows; i++) {
      const row = X.data.subarray(i * X.columns, (i + 1) * X.columns);
      this.diagonal[i] = dot(row, row);
    }
    this.trace = checkedTrace("gramOfPoints", this.diagonal, 0);
    this.fingerprint = fingerprintOf("points", X.rows, X.columns, X.data);
  }

  multiply(v: Float64Array, out: Float64Array): void {
    transposeTimesVector(this.X, v, this.inner);
    matrixTimesVector(this.X, this.inner, out);
  }

  quadratic(F: DenseMatrix): number {
    const { data } = transposeMultiply(this.X, F);
    return dot(data, data);
  }

  dense(): DenseMatrix {
    if (this.D === undefined) {
      checkMemory("NOMAD", `the ${this.n} x ${this.n} Gram matrix`, denseBytes(this.n, 1), this.memoryLimit);
      this.D = outerGram(this.X);
    }
    return this.D;
  }
}

/** Share of the largest entry by which a_ij and a_ji may differ: what files of six digits show. */
const ASYMMETRY = 1e-6;

/**
 * D of a Gram (kernel) matrix. It is not scaled.
 *
 * @throws CurvatureError ERR_SHAPE unless it is square, ERR_ARGUMENT unless it is symmetric, ERR_NON_FINITE, ERR_MEMORY
 */
export function gramOfMatrix(matrix: MatrixLike, options?: OptionsOf<typeof memoryOptions>): Gram {
  const { memoryLimit } = memoryOptions.resolve("gramOfMatrix", options);
  const G = symmetricCopy("gramOfMatrix", matrix, "matrix", memoryLimit, (entry) => entry);
  return new MatrixGram("gramOfMatrix", G, doubleCentre(G), memoryLimit);
}

/** Points up to which all of an indefinite matrix is looked for: some 0.1 s. Of more its 2 × 2 minors are. */
const MAX_FACTORED = 1000;

/** Whether D has an eigenvalue below 0 that is no rounding of a file with six digits: no points have these inner products. */
export function isIndefinite(gram: Gram): boolean {
  const { n, diagonal, offset } = gram;
  const { data } = gram.dense();
  // The norm of rounding errors that are independent grows as √n.
  const shift = 10 * ASYMMETRY * Math.sqrt(n) * (maxAbs(data) + Math.abs(offset) / n);
  if (shift === 0) return false;
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++)
      if (data[i * n + j] ** 2 > (diagonal[i] + shift) * (diagonal[j] + shift)) return true;
  if (diagonal.some((entry) => entry < -shift)) return true;
  if (n > MAX_FACTORED) return false;
  const shifted = data.slice();
  for (let i = 0; i < n; i++) shifted[i * n + i] += shift;
  try {
    new DenseCholesky({ rows: n, columns: n, data: shifted }, true);
    return false;
  } catch (error) {
    if (error instanceof CurvatureError && error.code === "ERR_NOT_POSITIVE_DEFINITE") return true;
    throw error;
  }
}

/**
 * D of distances d_ij, not squared.
 *
 * @throws CurvatureError ERR_SHAPE unless square, ERR_ARGUMENT unless symmetric, at least 0, and 0 on the diagonal,
 *   ERR_NON_FINITE, ERR_MEMORY
 */
export function gramOfDistances(distances: MatrixLike, options?: OptionsOf<typeof memoryOptions>): Gram {
  const { memoryLimit } = memoryOptions.resolve("gramOfDistances", options);
  const D = symmetricCopy("gramOfDistances", distances, "distances", memoryLimit, (distance, i, j) => {
    if (distance < 0 || (i === j && distance !== 0))
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `distances must be at least 0, and 0 on the diagonal; received ${distance} at row ${i}, column ${j} (counted from 0).`,
        { where: "gramOfDistances", path: `row ${i}, column ${j}`, received: distance },
      );
    return -0.5 * distance * distance;
  });
  doubleCentre(D);
  return new MatrixGram("gramOfDistances", D, 0, memoryLimit);
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
      `${name} must be square, with at least one row; received ${n} x ${A.columns}.`,
      { where, path: name, expected: "n x n", received: `${n} x ${A.columns}` },
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
          `${name} must be symmetric; row ${i}, column ${j} (counted from 0) has ${shown(lower)}, and row ${j}, column ${i} has ${shown(upper)}. Average it with its transpose if that is what you mean.`,
          { where, path: `row ${i}, column ${j}`, expected: "a symmetric matrix", received: [lower, upper] },
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

/** Entries up to this have squares that are numbers, in sums of any length. */
const LARGEST = 1e140;
/** Matrices whose largest entry is below this have roundings too small for a number of full precision. */
const SMALLEST = 1e-280;

/** Tr D. @throws CurvatureError ERR_NON_FINITE, ERR_ARGUMENT if entries as large as `size` could overflow, or vanish, in what follows */
function checkedTrace(where: string, diagonal: Float64Array, size: number): number {
  let trace = 0;
  let largest = size;
  for (let i = 0; i < diagonal.length; i++) {
    trace += diagonal[i];
    largest = Math.max(largest, Math.abs(diagonal[i]));
  }
  if (!(largest <= LARGEST && Math.abs(trace) <= LARGEST)) throw tooLarge(where, "data", trace);
  if (largest > 0 && largest < SMALLEST)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `all entries of the Gram matrix are below ${SMALLEST}, where numbers lose their digits; the largest is ${largest}. Multiply the data by a constant.`,
      { where, path: "data", expected: `0, or entries from ${SMALLEST} on`, received: largest },
    );
  return trace;
}

function tooLarge(where: string, path: string, received: number): CurvatureError {
  return new CurvatureError(
    "ERR_NON_FINITE",
    `the Gram matrix has entries beyond ${LARGEST}, whose squares overflow. Divide the data by a constant.`,
    { where, path, expected: `entries up to ${LARGEST}`, received },
  );
}
