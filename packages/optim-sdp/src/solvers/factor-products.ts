/** Products of D with a sparse factor Y, n × r, in whatever form. */
import type { DenseMatrix } from "@curvature/linalg";
import type { Places } from "./burer-monteiro-factor.js";

export interface FactorProducts {
  /** D Y at the places of Y into `out`, unless that is left out. @returns Tr(Yᵀ D Y) */
  atPlaces(places: Places, values: Float64Array, out: Float64Array | undefined): number;
  /** Rows `from` … `to` − 1 of D Y, all r columns, for the Y that `atPlaces` had last. */
  ofRows(places: Places, values: Float64Array, from: number, to: number): DenseMatrix;
  /** Multiplications that a row of `ofRows` takes. */
  rowCost(places: Places): number;
}
