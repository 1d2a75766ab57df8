/**
 * How alike two maps are, up to moving, turning, reflecting and scaling.
 *
 * With both centred, A the target and B the map,
 *
 *   AᵀB = U Σ Vᵀ,   R = V Uᵀ,   s = tr Σ / ‖B‖²,   disparity = ‖A − s B R‖² / ‖A‖² = 1 − (tr Σ)² / (‖A‖² ‖B‖²)
 *
 * Without reflections the smallest singular value counts with the sign of det(V Uᵀ).
 *
 * Gower, Dijksterhuis: Procrustes Problems (2004), chapter 4.
 */
import {
  CurvatureError,
  type DenseMatrix,
  flag,
  type MatrixLike,
  maxAbs,
  multiply,
  multiplyTranspose,
  type OptionsOf,
  optionTable,
  toDense,
  transposeMultiply,
  zeros,
} from "@curvature/linalg";
import { smallSvd } from "./small-svd.js";

export const procrustesOptions = optionTable({
  /** Whether the map may be scaled. */
  scaling: flag.default(true),
  /** Whether the map may be reflected. */
  reflection: flag.default(true),
});
export type ProcrustesOptions = OptionsOf<typeof procrustesOptions>;

/** `aligned` = scale · map · rotation + translation. */
export interface Procrustes {
  /** ‖target − aligned‖² / ‖target − its mean‖²; from 0 (alike) to 1, without `scaling` also above. */
  readonly disparity: number;
  /** n × p */
  readonly aligned: DenseMatrix;
  readonly scale: number;
  /** p × p, orthogonal. */
  readonly rotation: DenseMatrix;
  /** Length p. */
  readonly translation: Float64Array;
}

/**
 * Moves `map` onto `target`.
 *
 * @param target - n × p
 * @param map - n × p, of the same objects in the same order
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION; ERR_ARGUMENT where all points of one are the same
 */
export function procrustes(target: MatrixLike, map: MatrixLike, options?: ProcrustesOptions): Procrustes {
  const { scaling, reflection } = procrustesOptions.resolve("procrustes", options);
  const targetMatrix = toDense(target, "target");
  const mapMatrix = toDense(map, "map");
  checkShapes(targetMatrix, mapMatrix);
  const A = centred(targetMatrix, "target");
  const B = centred(mapMatrix, "map");
  const { U, V, values } = smallSvd(transposeMultiply(A.unit, B.unit));
  if (!reflection) turnSmallest(U, V, values);
  const rotation = multiplyTranspose(V, U);
  const trace = values.reduce((sum, value) => sum + value, 0);
  const ratio = A.size / B.size;
  const scale = scaling ? ratio * (trace / sumOfSquares(B.unit.data)) : 1;
  const turned = multiply(B.unit, rotation);
  const aligned = zeros(turned.rows, turned.columns);
  let residual = 0;
  for (let k = 0; k < turned.data.length; k++) {
    const moved = (scale / ratio) * turned.data[k];
    residual += (A.unit.data[k] - moved) ** 2;
    aligned.data[k] = A.size * moved + A.mean[k % A.mean.length];
  }
  const translation = A.mean.map((mean, t) => {
    let turnedMean = 0;
    for (let s = 0; s < B.mean.length; s++) turnedMean += B.mean[s] * rotation.data[s * B.mean.length + t];
    return mean - scale * turnedMean;
  });
  return { disparity: residual / sumOfSquares(A.unit.data), aligned, scale, rotation, translation };
}

/** A matrix without its mean, divided by its size so that no square overflows. */
interface Centred {
  readonly unit: DenseMatrix;
  readonly mean: Float64Array;
  readonly size: number;
}

function centred({ rows, columns, data }: DenseMatrix, name: string): Centred {
  const mean = new Float64Array(columns);
  for (let k = 0; k < data.length; k++) mean[k % columns] += data[k] / rows;
  const unit = zeros(rows, columns);
  for (let k = 0; k < data.length; k++) unit.data[k] = data[k] - mean[k % columns];
  const size = maxAbs(unit.data);
  const extent = maxAbs(data);
  if (!(size > 8 * Number.EPSILON * extent && size < Number.POSITIVE_INFINITY))
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `all points of the ${name} are ${size === Number.POSITIVE_INFINITY ? "too far apart to be measured" : "the same"}.`,
      { where: "procrustes", path: name },
    );
  for (let k = 0; k < data.length; k++) unit.data[k] /= size;
  return { unit, mean, size };
}

/** Turns the sign of the smallest singular value and its vector where V Uᵀ would reflect. */
function turnSmallest(U: DenseMatrix, V: DenseMatrix, values: Float64Array): void {
  if (determinant(multiplyTranspose(V, U)) >= 0) return;
  let smallest = 0;
  for (let t = 1; t < values.length; t++) if (values[t] < values[smallest]) smallest = t;
  values[smallest] = -values[smallest];
  for (let r = 0; r < U.rows; r++) U.data[r * U.columns + smallest] *= -1;
}

/** Of an orthogonal matrix, by elimination with row exchanges. */
function determinant({ rows: p, data }: DenseMatrix): number {
  const A = data.slice();
  let product = 1;
  for (let c = 0; c < p; c++) {
    let pivot = c;
    for (let r = c + 1; r < p; r++) if (Math.abs(A[r * p + c]) > Math.abs(A[pivot * p + c])) pivot = r;
    if (pivot !== c) {
      product = -product;
      for (let t = 0; t < p; t++) {
        const kept = A[c * p + t];
        A[c * p + t] = A[pivot * p + t];
        A[pivot * p + t] = kept;
      }
    }
    product *= A[c * p + c];
    for (let r = c + 1; r < p; r++) {
      const factor = A[r * p + c] / A[c * p + c];
      for (let t = c; t < p; t++) A[r * p + t] -= factor * A[c * p + t];
    }
  }
  return product;
}

function sumOfSquares(data: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < data.length; k++) sum += data[k] * data[k];
  return sum;
}

function checkShapes(target: DenseMatrix, map: DenseMatrix): void {
  if (target.rows === map.rows && target.columns === map.columns && target.rows > 0 && target.columns > 0)
    return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `target and map must have the same objects and dimensions; received ${target.rows} x ${target.columns} and ${map.rows} x ${map.columns}.`,
    {
      where: "procrustes",
      path: "map",
      expected: `${target.rows} x ${target.columns}`,
      received: `${map.rows} x ${map.columns}`,
    },
  );
}
