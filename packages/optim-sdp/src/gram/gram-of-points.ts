/**
 * The Gram matrix of points, one in each row: D = X Xᵀ, X = (points − column means) / c, c = max_i ‖points_i‖₂ before centring
 * (scale "norm") or 1.
 *
 * Products cost 4 n d and no n × n memory; `dense()` makes D once, on demand, after asking for its memory.
 */
import {
  CurvatureError,
  checkOptions,
  type DenseMatrix,
  dot,
  type MatrixLike,
  matrixTimesVector,
  norm2,
  oneOf,
  outerGram,
  positive,
  powerOfTwoBelow,
  toDense,
  transposeMultiply,
  transposeTimesVector,
  zeros,
} from "@curvature/linalg";
import { fingerprintOf } from "@curvature/optim-core";
import { checkMemory, denseBytes } from "../memory.js";
import { type Gram, type GramOptions, gramDefaults } from "./gram.js";
import { checkedTrace, tooLarge } from "./range.js";

/**
 * D of points, one in each row.
 *
 * @throws CurvatureError ERR_SHAPE if there are none, ERR_NON_FINITE, ERR_ARGUMENT if D would vanish in underflow, ERR_OPTION
 */
export function gramOfPoints(points: MatrixLike, options?: GramOptions): Gram {
  const settings = checkOptions("gramOfPoints", options, gramDefaults, {
    scale: oneOf("norm", "none"),
    memoryLimit: positive,
  });
  const given = toDense(points, "points");
  if (given.rows === 0 || given.columns === 0)
    throw new CurvatureError(
      "ERR_SHAPE",
      `gramOfPoints: at least one point with one coordinate is needed; received ${given.rows} x ${given.columns}.`,
      { path: "points", expected: "at least 1 x 1", received: `${given.rows} x ${given.columns}` },
    );
  return new PointsGram(centred(given, settings.scale), settings.memoryLimit);
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
