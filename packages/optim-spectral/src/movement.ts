/**
 * How far the points of a map have moved in a later one, but for what no reader of maps sees: after the best similarity transform,
 *
 *   min_{s,R,t} Σ_n ‖a_n − s x_n R − t‖²,   XᵀA = U Σ Vᵀ,   R = U Vᵀ,   s = ⟨X R, A⟩ / ‖X‖²            both centred
 *
 * Gower, Dijksterhuis: Procrustes Problems (2004), chapter 4.
 */
import { type DenseMatrix, dot, multiply, svd, transposeMultiply } from "@curvature/linalg";
import { centerColumns } from "./columns.js";

/** In the old map's radius, the root mean square of its points' distances from their mean, as unit. */
export interface Movement {
  /** Of each old row, n. */
  readonly ofEach: Float64Array;
  readonly mean: number;
  readonly median: number;
  /** So far, or less, have 95 of 100 moved. */
  readonly quantile95: number;
  readonly largest: number;
}

function centred({ rows, columns, data }: DenseMatrix): DenseMatrix {
  const copy = data.slice();
  centerColumns(copy, columns);
  centerColumns(copy, columns); // what the first time rounded
  return { rows, columns, data: copy };
}

/** R */
function turnOnto(A: DenseMatrix, X: DenseMatrix): DenseMatrix {
  const { left, right } = svd(transposeMultiply(X, A));
  return transposeMultiply(left, right);
}

/** The first rows of X, as many as A has. */
const firstRows = (A: DenseMatrix, data: Float64Array): DenseMatrix => ({
  ...A,
  data: data.subarray(0, A.data.length),
});

/**
 * @param before - n × d
 * @param after - N × d, its first n rows of the same points
 */
export function movementOf(before: DenseMatrix, after: Float64Array): Movement {
  const A = centred(before);
  const X = centred(firstRows(before, after));
  const turned = multiply(X, turnOnto(A, X)).data;
  const scale = dot(turned, A.data) / dot(turned, turned);
  const radius = Math.sqrt(dot(A.data, A.data) / A.rows);
  const ofEach = Float64Array.from({ length: A.rows }, (_, n) => {
    let square = 0;
    for (let k = n * A.columns; k < (n + 1) * A.columns; k++) square += (A.data[k] - scale * turned[k]) ** 2;
    return Math.sqrt(square) / radius;
  });
  const ascending = ofEach.toSorted();
  const at = (share: number): number => ascending[Math.ceil(share * ascending.length) - 1];
  return {
    ofEach,
    mean: ofEach.reduce((sum, each) => sum + each, 0) / ofEach.length,
    ...{ median: at(0.5), quantile95: at(0.95), largest: at(1) },
  };
}

/** The new map as it lies over the old one: turned and shifted, which E does not see, and not scaled, which it does. */
export function ontoOld(before: DenseMatrix, after: DenseMatrix): DenseMatrix {
  const X = firstRows(before, after.data);
  const turned = multiply(after, turnOnto(centred(before), centred(X)));
  const d = before.columns;
  for (let i = 0; i < d; i++) {
    let shift = 0;
    for (let k = i; k < before.data.length; k += d) shift += (before.data[k] - turned.data[k]) / before.rows;
    for (let k = i; k < turned.data.length; k += d) turned.data[k] += shift;
  }
  return turned;
}
