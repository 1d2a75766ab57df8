/**
 * XᵀX / n of rows that many problems share: at w = 0 it is the Hessian of every class. The first solver that has built it
 * leaves it here; the others copy it and take away the rows that are inactive for them.
 */
import type { Bias } from "@curvature/objectives/linear";
import type { SharedRows } from "../../multiclass/shared-rows.js";

/** A place for Σ xᵢ xᵢᵀ / n, lower triangle. */
export interface SharedGram {
  matrix: Float64Array | undefined;
}

const withoutBias = new WeakMap<SharedRows, SharedGram>();
const withBias = new WeakMap<SharedRows, SharedGram>();

export function sharedGram(shared: SharedRows, bias: Bias): SharedGram {
  const grams = bias === "none" ? withoutBias : withBias;
  const known = grams.get(shared) ?? { matrix: undefined };
  grams.set(shared, known);
  return known;
}
