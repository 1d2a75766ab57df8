/** What `embed` and `transform` refuse of their data, found before their memory goes to a worker. */

import type { SparseMatrixLike } from "@curvature/linalg";
import { checkedInput } from "../checked-input.js";
import type { ResolvedOptions } from "../embed-options.js";
import type { MapParts } from "../map-parts.js";
import { checkPlaces } from "../map-parts.js";
import { type EmbedInput, pointSource } from "../source.js";
import { checkedNew, preparedNew } from "../transform.js";

export function checkPoints(input: EmbedInput, options: ResolvedOptions): void {
  const { given, settings } = checkedInput(input, options);
  if (settings !== undefined && settings.pca === undefined && !("kind" in given))
    pointSource(given, settings.metric);
}

export function checkNewPoints(newPoints: SparseMatrixLike, parts: MapParts): void {
  checkPlaces(parts);
  const fresh = checkedNew(newPoints, parts);
  const steps = preparedNew(fresh, parts, new Float64Array(fresh.rows).fill(1));
  while (steps.next().done !== true);
}
