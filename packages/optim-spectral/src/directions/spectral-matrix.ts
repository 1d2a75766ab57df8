/**
 * The spectral direction's matrix, in which the repulsion is left out and the attraction kept:
 *
 *   B = (4 L⁺) ∘ M + μ I,   L⁺ = Lap(w⁺A′) at X = 0,   M the diagonal and the κ heaviest neighbours of each point
 *
 * The diagonal keeps the FULL degree 4 d⁺, whatever M leaves out: so B is diagonally dominant and definite for every
 * κ, κ = 0 is the fixed-point direction and κ = N the spectral direction itself.
 *
 * | symbol | variable     | shape                                          |
 * |--------|--------------|------------------------------------------------|
 * | w⁺A′   | weights      | N × N, dense or sparse                         |
 * | d⁺     | degrees      | N                                              |
 * | μ      | mu           | 1e-10 · min 4 d⁺; 1e-3 · mean 4 d⁺ if the graph falls into parts |
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 3, "spectral direction" and "sparsification". Differs from the authors' code: μ takes the least degree, not
 * the first; a graph in several parts gets a larger μ, for along its parts 4 L⁺ is zero and the gradient is not.
 */
import {
  badOption,
  CurvatureError,
  checkDenseForm,
  checkFinite,
  type DenseMatrix,
  optionName,
  type SparseMatrix,
  shown,
  toSparse,
  type Warning,
  warning,
} from "@curvature/linalg";
import type { Weights } from "@curvature/objectives/embedding";
import { countComponents, degreesOf, leastPositive, strongestEdges } from "./graph.js";

/** What every direction built on the attractive graph needs to know of it. */
export interface AttractiveGraph {
  readonly weights: Weights;
  readonly degrees: Float64Array;
  readonly components: number;
  readonly mu: number;
}

/**
 * @param weights - N × N, symmetric, nonnegative, zero on the diagonal, dense or sparse; not copied
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE
 */
export function attractiveGraph(weights: Weights): AttractiveGraph {
  checkWeights("attractiveGraph", weights);
  const degrees = degreesOf(weights);
  const mu = 1e-10 * 4 * leastPositive(degrees);
  const components = countComponents(weights, mu);
  if (components === 1) return { weights, degrees, components, mu };
  let total = 0;
  for (const degree of degrees) total += degree;
  return { weights, degrees, components, mu: (1e-3 * 4 * total) / degrees.length };
}

function checkWeights(where: string, weights: Weights): void {
  const name = `${where}: weights`;
  if (typeof weights === "object" && weights !== null && "data" in weights) {
    checkDenseForm(weights, name);
    checkFinite(weights, name);
  } else if (toSparse(weights, name) !== weights) {
    throw badOption(where, "weights", "a dense matrix or a SparseMatrix with Float64Array values", weights);
  }
  const { rows, columns } = weights;
  if (rows === columns && rows > 0) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${name} must be square, of a point or more; received ${rows} x ${columns}.`,
    {
      path: "weights",
      expected: "N x N",
      received: [rows, columns],
    },
  );
}

/** @throws CurvatureError ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE unless it is what `attractiveGraph` gives */
export function checkGraph(where: string, graph: AttractiveGraph): void {
  const given: Partial<AttractiveGraph> = typeof graph === "object" && graph !== null ? graph : {};
  const isGraph =
    given.degrees instanceof Float64Array &&
    given.degrees.length === given.weights?.rows &&
    typeof given.components === "number" &&
    typeof given.mu === "number" &&
    given.mu >= 0 &&
    given.mu < Number.POSITIVE_INFINITY;
  if (!isGraph)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `the graph must be a result of attractiveGraph; received ${shown(graph)}.`,
      { where, path: "graph", expected: "a result of attractiveGraph", received: graph },
    );
  checkWeights(where, graph.weights);
  checkFinite({ rows: 1, columns: graph.degrees.length, data: graph.degrees }, `${where}: degrees`);
}

/** The warning that belongs to a graph in several parts. */
export function componentWarnings(graph: AttractiveGraph): readonly Warning[] {
  if (graph.components === 1) return [];
  return [
    warning(
      "disconnected",
      `The neighbour graph falls into ${graph.components} parts, between which only repulsion acts: their places ` +
        `relative to each other mean nothing. Raise ${optionName("perplexity")} or ${optionName("neighbors")} to connect them; to a graph that was given, add pairs.`,
    ),
  ];
}

/**
 * B with M = the κ heaviest neighbours, as CSR with its diagonal.
 *
 * @param order - which row comes first among equally heavy ones, second, …; left out: as they are numbered
 */
export function sparseSpectralMatrix(
  graph: AttractiveGraph,
  kappa: number,
  order?: Int32Array,
): SparseMatrix {
  const { weights, degrees, mu } = graph;
  const N = weights.rows;
  const kept = kappa >= N - 1 && !("data" in weights) ? weights : strongestEdges(weights, kappa, order);
  const rowPointers = new Int32Array(N + 1);
  const columnIndices = new Int32Array(kept.columnIndices.length + N);
  const values = new Float64Array(kept.columnIndices.length + N);
  let at = 0;
  for (let i = 0; i < N; i++) {
    let k = kept.rowPointers[i];
    const to = kept.rowPointers[i + 1];
    for (; k < to && kept.columnIndices[k] < i; k++, at++) {
      columnIndices[at] = kept.columnIndices[k];
      values[at] = -4 * kept.values[k];
    }
    columnIndices[at] = i;
    values[at++] = 4 * degrees[i] + mu;
    for (; k < to; k++, at++) {
      columnIndices[at] = kept.columnIndices[k];
      values[at] = -4 * kept.values[k];
    }
    rowPointers[i + 1] = at;
  }
  return { rows: N, columns: N, rowPointers, columnIndices, values };
}

/** B with every neighbour, as a full matrix. */
export function denseSpectralMatrix(graph: AttractiveGraph): DenseMatrix {
  const { weights, degrees, mu } = graph;
  const N = weights.rows;
  const data = new Float64Array(N * N);
  if ("data" in weights) {
    for (let k = 0; k < data.length; k++) data[k] = -4 * weights.data[k];
  } else {
    for (let i = 0; i < N; i++)
      for (let k = weights.rowPointers[i]; k < weights.rowPointers[i + 1]; k++)
        data[i * N + weights.columnIndices[k]] = -4 * weights.values[k];
  }
  for (let i = 0; i < N; i++) data[i * N + i] = 4 * degrees[i] + mu;
  return { rows: N, columns: N, data };
}
