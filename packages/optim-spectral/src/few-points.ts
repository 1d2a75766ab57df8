/** The map of one or two points, which no divergence can judge: a point at the origin, or two at a distance of 1. */
import { type DenseMatrix, zeros } from "@curvature/linalg";
import type { ResolvedOptions } from "./embed-options.js";
import type { EmbedResult } from "./embed-run.js";
import { MapModel } from "./map-model.js";

/** @param data - N × D, N = 1 or 2 */
export function fewPoints(data: DenseMatrix, options: ResolvedOptions): EmbedResult {
  const { method, dimensions, neighborSearch, seed, theta, solver } = options;
  const N = data.rows;
  const embedding = zeros(N, dimensions);
  const isApart = N === 2 && data.data.some((value, k) => value !== data.data[k % data.columns]);
  if (isApart) {
    embedding.data[0] = -0.5;
    embedding.data[dimensions] = 0.5;
  }
  const places = { ...embedding, data: embedding.data.slice() };
  const settings = {
    ...{ method, neighborSearch, seed, theta, lambda: 1, perplexity: 1, repulsion: undefined },
    ...({ neighbors: "all", gradient: "exact", metric: "euclidean" } as const),
  };
  const steps = { scaling: undefined, projection: undefined, preparation: undefined };
  const model = new MapModel({ ...steps, data, places, settings, gaps: new Float64Array(0) });
  return {
    x: embedding.data,
    last: embedding.data.slice(),
    ...{ value: undefined, gradientNorm: undefined, test: undefined, cause: undefined },
    ...{ iterations: 0, evaluations: 0, gradientEvaluations: 0, monitoringEvaluations: 0, passes: 0 },
    ...{ elapsedSeconds: 0, status: "converged", usable: true, history: [] },
    message: N === 1 ? "The map of one point is a point." : "The map of two points is two points.",
    embedding,
    klDivergence: undefined,
    neighborRecall: undefined,
    phases: { neighbors: 0, affinities: 0, initialization: 0, optimization: 0 },
    warnings: [
      {
        code: "few-points",
        message: `${N === 1 ? "One point has" : "Two points have"} no neighbourhoods to keep: where ${N === 1 ? "it lies" : "they lie"} means nothing.`,
      },
    ],
    options: { method, dimensions, solver, seed },
    model,
    transform: (newPoints, more) => model.transform(newPoints, more),
  };
}
