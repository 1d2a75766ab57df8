/** The data's first principal components in its place, where `pca` asks for it. */
import type { DenseMatrix } from "@curvature/linalg";
import type { EmbedSettings } from "./embed-options.js";
import { principalComponents } from "./principal.js";

/** Does to rows what was done to the training data. */
export function projectionOf(
  points: DenseMatrix,
  { pca }: EmbedSettings,
): (rows: DenseMatrix) => DenseMatrix {
  if (pca === undefined) return (rows) => rows;
  const components = principalComponents(points, pca);
  return (rows) => components.project(rows);
}
