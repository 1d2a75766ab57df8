/** Places for objects that no answer mentions, from features that others have, too. */
import { CurvatureError, type DenseMatrix, selectRows } from "@curvature/linalg";
import { kernelRidge } from "@curvature/optim-svrg";

export interface FeaturesRequest {
  readonly values: DenseMatrix;
  /** Of each row the object, by number; −1 for a new one. */
  readonly objectOf: Int32Array;
}

export interface PlacedByFeatures {
  /** Rows of the features that have got a place, and these places. */
  readonly rows: readonly number[];
  readonly map: DenseMatrix;
  /** Objects that the way from features to places was learned of. */
  readonly learnedFrom: number;
  /** √(mean squared distance) by which objects that are left out are missed, and that of the map from its middle. */
  readonly leaveOneOutError: number;
  readonly spread: number;
}

/** Columns are divided by their standard deviation first: units are nobody's choice. @throws CurvatureError ERR_SHAPE */
export function placedByFeatures(map: DenseMatrix, { values, objectOf }: FeaturesRequest): PlacedByFeatures {
  const { columns: p, data } = map;
  const isPlaced = (row: number): boolean => objectOf[row] >= 0 && Number.isFinite(data[objectOf[row] * p]);
  const rows = Array.from(objectOf.keys());
  const known = rows.filter(isPlaced);
  const fresh = rows.filter((row) => !isPlaced(row));
  if (known.length < 3 || fresh.length === 0)
    throw new CurvatureError(
      "ERR_SHAPE",
      known.length < 3
        ? `The features describe ${known.length} of the objects that have a place: at least 3 are needed.`
        : "The features describe no object that lacks a place: add lines for new objects.",
      { path: "features", received: known.length },
    );
  const scaled = standardized(values, known);
  const places = selectRows(
    map,
    Int32Array.from(known, (row) => objectOf[row]),
  );
  const way = kernelRidge(selectRows(scaled, Int32Array.from(known)), places);
  return {
    rows: fresh,
    map: way.predict(selectRows(scaled, Int32Array.from(fresh))),
    learnedFrom: known.length,
    leaveOneOutError: way.leaveOneOutError,
    spread: spreadOf(places),
  };
}

function standardized({ rows, columns, data }: DenseMatrix, known: readonly number[]): DenseMatrix {
  const scaled = new Float64Array(data.length);
  for (let j = 0; j < columns; j++) {
    const of = known.map((row) => data[row * columns + j]);
    const mean = of.reduce((sum, value) => sum + value, 0) / of.length;
    const deviation = Math.sqrt(of.reduce((sum, value) => sum + (value - mean) ** 2, 0) / of.length);
    for (let row = 0; row < rows; row++)
      scaled[row * columns + j] = (data[row * columns + j] - mean) / (deviation > 0 ? deviation : 1);
  }
  return { rows, columns, data: scaled };
}

function spreadOf({ rows, columns, data }: DenseMatrix): number {
  let squares = 0;
  for (let t = 0; t < columns; t++) {
    let [sum, own] = [0, 0];
    for (let row = 0; row < rows; row++) {
      sum += data[row * columns + t];
      own += data[row * columns + t] ** 2;
    }
    squares += own - sum ** 2 / rows;
  }
  return Math.sqrt(squares / rows);
}
