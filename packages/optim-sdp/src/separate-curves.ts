/**
 * The façade for points on curves, or other shapes that are long rather than round: which points belong together, how many curves
 * there are, and a bound on the cut of any other answer. What it does is loaded when it is called.
 */
import type { MatrixLike } from "@curvature/linalg";
import { type FacadeSteps, facade } from "@curvature/optim-core";
import { type SeparateCurvesOptions, separateCurvesOptions } from "./curves/curves-options.js";
import type { SeparateCurvesResult } from "./curves/curves-result.js";
import type { NomadDetails } from "./nomad-options.js";

/**
 * Separates points on curves: rings, moons, spirals, knots, links, also at random places. Such points are no clusters by means of
 * theirs (`clusterPoints`), and too uneven for NOMAD's tiling by layers (`nomad` with `layers`).
 *
 * Three kernels of neighbourhood (Euclidean, and along paths) are cut to parts, each time at the least normalised cut. The count is
 * where the next cut is so much worse than all before it, by a factor of 4 or more; otherwise it is 1. A given count takes
 * single linkage where this leaves no small part. NOMAD of the kernel bounds the cut of any partition into as many parts: the
 * certificate proves the cut, not the truth. It ends as `converged` where the cut's gap is at most `tolerance`, or the gap less
 * than 1e-4 per curve; `stalled` where the relaxation is solved and leaves more. A cut of twice the bound and more is
 * a warning: the partition is then wrong more often than elsewhere.
 *
 * @example
 * const at = (radius: number, i: number) => [radius * Math.cos(i * i), radius * Math.sin(i * i)];
 * const points = Array.from({ length: 160 }, (_, i) => at(1 + (i % 2), i)); // two rings, at uneven places
 * const { labels, clusters, cut, cutLower } = await separateCurves(points);
 * console.log(clusters, labels, cut, cutLower); // 2, [0, 1, 0, 1, …]
 *
 * @param points - n × d, one per row. Of some thousand at most: 80 n² bytes
 * @throws CurvatureError (the promise rejects) ERR_OPTION; ERR_SHAPE or ERR_NON_FINITE for the points, ERR_MEMORY with how much is
 *   needed, ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`; the signal's reason if it is aborted before the relaxation begins
 */
export const separateCurves = facade(async function* (
  points: MatrixLike,
  options?: SeparateCurvesOptions,
): FacadeSteps<NomadDetails, SeparateCurvesResult> {
  const settings = separateCurvesOptions.resolve("separateCurves", options);
  const { separated } = await import("./curves/curves-run.js");
  return yield* separated(points, settings);
});
