/** Maps of all objects and maps of those that have a place. */
import {
  CurvatureError,
  type DenseMatrix,
  type MatrixLike,
  optionName,
  toDense,
  zeros,
} from "@curvature/linalg";

/** The rows of all objects, NaN for those without a place; x itself where all have one. */
export function withUnplaced(
  x: Float64Array,
  dimensions: number,
  placed: Int32Array | undefined,
  objects: number,
): Float64Array {
  if (placed === undefined) return x;
  const all = zeros(objects, dimensions).data.fill(Number.NaN);
  placed.forEach((object, r) => {
    all.set(x.subarray(r * dimensions, (r + 1) * dimensions), object * dimensions);
  });
  return all;
}

/**
 * The rows of the objects that have a place, of a map of all objects.
 *
 * @throws CurvatureError ERR_SHAPE for another shape, ERR_NON_FINITE for an object with a place and without numbers
 */
export function placedRows(
  matrix: MatrixLike,
  name: string,
  objects: number,
  dimensions: number,
  placed: Int32Array | undefined,
): DenseMatrix {
  const map = mapOfObjects(matrix);
  if (map.rows !== objects || map.columns !== dimensions)
    throw new CurvatureError(
      "ERR_SHAPE",
      `${optionName(name)} must be ${objects} x ${dimensions}, a row for each object; received ${map.rows} x ${map.columns}.`,
      { path: name, expected: `${objects} x ${dimensions}`, received: `${map.rows} x ${map.columns}` },
    );
  const rows = placed ?? Int32Array.from({ length: objects }, (_, r) => r);
  const some = zeros(rows.length, dimensions);
  rows.forEach((object, r) => {
    const row = map.data.subarray(object * dimensions, (object + 1) * dimensions);
    if (!row.every(Number.isFinite))
      throw new CurvatureError(
        "ERR_NON_FINITE",
        `${optionName(name)} has no finite place for object ${object} (counted from 0), which the answers mention.`,
        { path: `${name}[${object}]` },
      );
    some.data.set(row, r * dimensions);
  });
  return some;
}

/** A map that is one of ours may have objects without a place in it, rows of NaN. */
export function mapOfObjects(embedding: MatrixLike): DenseMatrix {
  if (typeof embedding === "object" && embedding !== null && "data" in embedding) {
    const { rows, columns, data } = embedding;
    const isWhole = Number.isSafeInteger(rows) && Number.isSafeInteger(columns);
    if (data instanceof Float64Array && isWhole && rows * columns === data.length)
      return { rows, columns, data };
  }
  return toDense(embedding, "embedding");
}
