/** Names data in checkpoints, so that a run is not resumed on other data. */
import { fingerprintOf } from "@curvature/optim-core";
import type { Weights } from "./objective.js";

/** A hash of every entry of the weights and of their pattern. */
export function fingerprintOfWeights(...parts: readonly Weights[]): string {
  return fingerprintOf(
    ...parts.flatMap((weights) =>
      "data" in weights
        ? [weights.rows, weights.data]
        : [weights.rows, weights.rowPointers, weights.columnIndices, weights.values],
    ),
  );
}
