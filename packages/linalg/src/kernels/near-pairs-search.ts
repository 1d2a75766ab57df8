/** The search for pairs of near points, in the form that is in use. */

import type { NearPairs } from "./near-pairs.js";
import { installed } from "./table.js";

/** See `NearPairsOf`; nothing is checked. */
export function nearPairs(
  exact: Float64Array,
  centred: Float64Array,
  columns: number,
): NearPairs | undefined {
  return installed.nearPairs?.(exact, centred, columns);
}
