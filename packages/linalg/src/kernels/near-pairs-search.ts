/** The search for pairs of near points, in the form that is in use. */

import { memories } from "./memories.js";
import type { NearPairs } from "./near-pairs.js";

/** See `NearPairsOf`; nothing is checked. */
export function nearPairs(
  exact: Float64Array,
  centred: Float64Array,
  columns: number,
): NearPairs | undefined {
  return memories.nearPairs(exact, centred, columns);
}
