/**
 * The subspace shrinks to what is in use (section 3.3, eq. 11): P ← P Q, and every vector v of coordinates becomes Qᵀ v.
 */
import type { SubfunctionModel } from "../model/subfunction-model.js";
import { basisOf } from "./kept-directions.js";
import type { Subspace } from "./subspace.js";

/**
 * @param kept - vectors in the old coordinates whose directions are kept
 * @param point - coordinates that are carried over, beside those of the models
 */
export function collapseSubspace(
  subspace: Subspace,
  models: readonly SubfunctionModel[],
  kept: readonly Float64Array[],
  point: Float64Array,
): void {
  const before = subspace.K;
  const { Q, rank } = basisOf(kept, before, subspace.resolution);
  subspace.collapse(Q, rank);
  const scratch = new Float64Array(rank);
  const apply = (v: Float64Array): void => {
    scratch.fill(0);
    for (let i = 0; i < before; i++) for (let j = 0; j < rank; j++) scratch[j] += Q[i * rank + j] * v[i];
    v.fill(0);
    v.set(scratch);
  };
  for (const model of models) model.transform(apply);
  apply(point);
}
