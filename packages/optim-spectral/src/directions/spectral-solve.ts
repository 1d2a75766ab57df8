/**
 * Solving B X = V for the spectral direction's B: by its Cholesky factor, made once, dense or sparse; where the factor
 * would not fit, by fewer neighbours, or by preconditioned conjugate gradients.
 *
 * Time: dense N³/3 once and 2 N² d per solve; sparse as the fill allows (minimum degree or nested dissection, whichever takes less work), for κ
 * neighbours in data of many dimensions about N^1.8 nonzeros per solve. Memory: N² or the fill.
 *
 * If a factorisation meets a pivot that is not positive, μ is multiplied by 10, at most 12 times.
 */
import {
  analyzeCholesky,
  type CholeskyAnalysis,
  CurvatureError,
  checkArgument,
  DenseCholesky,
  either,
  integerFrom,
  nonNegative,
  type OptionsOf,
  oneOf,
  optionName,
  optionTable,
  SparseCholesky,
  type Warning,
  warning,
} from "@curvature/linalg";
import { centerColumns } from "../columns.js";
import { conjugateGradientSolve } from "./incomplete.js";
import {
  type AttractiveGraph,
  checkGraph,
  denseSpectralMatrix,
  sparseSpectralMatrix,
} from "./spectral-matrix.js";

/** V ← B⁻¹ V, N × d, with column means zero. */
export type Solve = (V: Float64Array, d: number) => void;

export interface SpectralSolve {
  readonly solve: Solve;
  readonly warnings: readonly Warning[];
}

/** Neighbours of each point that B keeps; "auto" is all of them, or as many as let the factor fit. */
export type Kappa = "auto" | "all" | number;

export const spectralLimits = optionTable({
  /** Points up to which a full matrix is factored. */
  densePoints: nonNegative.default(5000),
  /** Nonzeros that a sparse factor may have. */
  factorNonzeros: nonNegative.default(5e7),
  /** Operations that its making may take. */
  factorFlops: nonNegative.default(1e11),
});
export type SpectralLimits = OptionsOf<typeof spectralLimits>;

/** The κ's that "auto" tries when all neighbours are too many. */
const fewer: readonly number[] = [60, 30, 15, 7];
const MAX_RETRIES = 12;
const aKappa = either(oneOf("auto", "all"), integerFrom(0));

/**
 * @throws CurvatureError ERR_NOT_POSITIVE_DEFINITE if no μ helps; ERR_OPTION; ERR_ARGUMENT, ERR_SHAPE or ERR_NON_FINITE
 *   for what is no graph
 */
export function spectralSolve(graph: AttractiveGraph, kappa: Kappa, options?: SpectralLimits): SpectralSolve {
  checkGraph("spectralSolve", graph);
  checkArgument("spectralSolve", "kappa", aKappa, kappa);
  const limits = spectralLimits.resolve("spectralSolve", options);
  const N = graph.weights.rows;
  const wanted = typeof kappa === "number" ? Math.min(kappa, N - 1) : N - 1;
  const isFull = wanted === N - 1 && "data" in graph.weights;
  if (isFull && N <= limits.densePoints) return { solve: denseSolve(graph), warnings: [] };

  for (const few of kappa === "auto" ? [wanted, ...fewer] : [wanted]) {
    if (isFull && few === wanted && kappa === "auto") continue;
    const matrix = sparseSpectralMatrix(graph, few);
    const analysis = analyzeCholesky(matrix);
    if (analysis.factorNonzeros > limits.factorNonzeros || analysis.flops > limits.factorFlops) continue;
    const warnings =
      few === wanted
        ? []
        : [
            warning(
              "fewer-neighbors",
              `The factor of the whole neighbour graph would not fit, so the spectral direction keeps the ${few} nearest neighbours of each point (${optionName("kappa")} = ${few}).`,
            ),
          ];
    return { solve: sparseSolve(graph, few, analysis), warnings };
  }
  const last = kappa === "auto" ? fewer[fewer.length - 1] : wanted;
  return {
    solve: conjugateGradientSolve(sparseSpectralMatrix(graph, last)),
    warnings: [
      warning(
        "no-factor",
        `A factor for ${optionName("kappa")} = ${last} would have more than ${limits.factorNonzeros} nonzeros, so the spectral direction is solved by conjugate gradients, to a tenth. A smaller ${optionName("kappa")} or fewer ${optionName("neighbors")} are faster.`,
      ),
    ],
  };
}

function denseSolve(graph: AttractiveGraph): Solve {
  const factor = withLargerMu(graph, (tried) => new DenseCholesky(denseSpectralMatrix(tried), true));
  return (V, d) => {
    factor.solve(V, d);
    centerColumns(V, d);
  };
}

function sparseSolve(graph: AttractiveGraph, kappa: number, analysis: CholeskyAnalysis): Solve {
  // Another μ changes the diagonal's values, not the pattern.
  const factor = withLargerMu(
    graph,
    (tried) =>
      new SparseCholesky(tried === graph ? analysis.matrix : sparseSpectralMatrix(tried, kappa), {
        analysis,
      }),
  );
  return (V, d) => {
    factor.solve(V, d, V);
    centerColumns(V, d);
  };
}

function withLargerMu<Factor>(graph: AttractiveGraph, factor: (graph: AttractiveGraph) => Factor): Factor {
  let tried = graph;
  for (let retry = 0; ; retry++) {
    try {
      return factor(tried);
    } catch (error) {
      const isHopeless = !(error instanceof CurvatureError) || error.code !== "ERR_NOT_POSITIVE_DEFINITE";
      if (isHopeless || retry === MAX_RETRIES) throw error;
      tried = { ...tried, mu: 10 * tried.mu };
    }
  }
}
