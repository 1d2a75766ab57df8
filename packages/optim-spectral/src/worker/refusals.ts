/**
 * What the worker would refuse by the data, refused here: memory that has gone over does not come back. It is loaded for those who
 * give memory away.
 */
import type { SparseMatrixLike } from "@curvature/linalg";
import { checkSameColumns } from "@curvature/objectives/embedding";
import type { ResolvedOptions } from "../embed-options.js";
import { checkHasEffect, embedSettings } from "../embed-settings.js";
import { finitePoints } from "../embedding-problem.js";
import { columnsOf, type MapParts } from "../map-parts.js";
import { checkedGiven, type EmbedInput, isGiven } from "../source.js";

/** @throws CurvatureError as `embed` does of these points and options before it begins */
export function checkEmbed(input: EmbedInput, options: ResolvedOptions): void {
  const given = isGiven(input) ? checkedGiven(input) : finitePoints(input, "points");
  const areFew = "data" in given && given.columns > 0 && (given.rows === 1 || given.rows === 2);
  if (!areFew) checkHasEffect(options, embedSettings(options, given));
}

/** @throws CurvatureError as `transform` does of these rows before it begins */
export function checkTransform(map: MapParts, newPoints: SparseMatrixLike): void {
  const fresh = finitePoints(newPoints, "newPoints");
  if (fresh.rows > 0) checkSameColumns(fresh, { columns: columnsOf(map) }, "newPoints");
}
