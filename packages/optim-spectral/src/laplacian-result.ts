/** Laplacian eigenmaps as a result: an eigenvector problem, solved in one phase without an iteration of ours. */
import type { DenseMatrix } from "@curvature/linalg";
import type { RunResult } from "@curvature/optim-core";
import type { EmbeddingDetails } from "./embedding-details.js";

export function laplacianResult({ data }: DenseMatrix, seconds: number): RunResult<EmbeddingDetails> {
  return {
    x: data.slice(),
    last: data.slice(),
    value: undefined,
    gradientNorm: undefined,
    iterations: 0,
    evaluations: 0,
    gradientEvaluations: 0,
    monitoringEvaluations: 0,
    passes: 0,
    elapsedSeconds: seconds,
    status: "converged",
    usable: true,
    message: "The smoothest eigenvectors of the graph Laplacian are found.",
    cause: undefined,
    history: [],
    options: {},
  };
}
