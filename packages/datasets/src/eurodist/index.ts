/**
 * Road distances between 21 European cities, bundled: a small real set for scaling and ordinal embedding.
 *
 * Source: The Cambridge Encyclopaedia, as in R's `datasets::eurodist`.
 */
import type { DenseMatrix } from "@curvature/linalg";
import { cities, classicalScaling, roadKilometres } from "./eurodist-data.js";

export interface Eurodist {
  /** 21 × 21, symmetric, in km. */
  readonly distances: DenseMatrix;
  /** The cities, in alphabetical order. */
  readonly names: readonly string[];
  /** 21 × 2: classical scaling of the distances (Torgerson 1952), in km; a map to align others with. */
  readonly positions: DenseMatrix;
}

/** The distances as new arrays; about 2 kB of the bundle belong to those who import this. */
export function loadEurodist(): Eurodist {
  const n = cities.length;
  const distances = new Float64Array(n * n);
  for (const [i, row] of roadKilometres.entries()) {
    for (const [j, km] of row.entries()) {
      distances[i * n + j] = km;
      distances[j * n + i] = km;
    }
  }
  return {
    distances: { rows: n, columns: n, data: distances },
    names: [...cities],
    positions: { rows: n, columns: 2, data: Float64Array.from(classicalScaling.flat()) },
  };
}
