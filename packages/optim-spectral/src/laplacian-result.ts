/** Laplacian eigenmaps as a result: an eigenvector problem, solved without an iteration of ours. */
import type { DenseMatrix } from "@curvature/linalg";
import type { RunResult } from "@curvature/optim-core";
import type { EmbeddingDetails } from "./embed-options.js";

export function laplacianResult(map: DenseMatrix): RunResult<EmbeddingDetails> {
  return {
    x: map.data.slice(),
    last: map.data.slice(),
    value: undefined,
    gradientNorm: undefined,
    iterations: 0,
    evaluations: 0,
    gradientEvaluations: 0,
    monitoringEvaluations: 0,
    passes: 0,
    elapsedSeconds: 0,
    status: "converged",
    usable: true,
    message: "The eigenvectors of the graph Laplacian are found.",
    cause: undefined,
    history: [],
    options: {},
  };
}
