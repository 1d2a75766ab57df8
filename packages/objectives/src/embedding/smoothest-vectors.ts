/**
 * The smoothest vectors on a graph that are orthogonal to its components' constants: A y = (1 − λ) y for the smallest
 * positive λ, A = D^-1/2 W D^-1/2.
 *
 * First by Lanczos on A, which needs products alone; its number of products grows as 1/√gap. Where `MAX_PRODUCTS` of
 * them do not suffice (long chains, rings, clusters that hardly touch), by Lanczos on ((1 + σ) I − A)⁻¹, whose gaps are
 * wide: the vectors are the same, the eigenvalues 1/(λ + σ).
 */
import {
  axpy,
  CurvatureError,
  dot,
  type EigenPairs,
  lanczos,
  norm2,
  type SymmetricOperator,
} from "@curvature/linalg";
import type { NormalizedGraph } from "./normalized-graph.js";

/** ‖A y − (1 − λ) y‖ */
const TOLERANCE = 1e-8;
const MAX_PRODUCTS = 600;
/** σ: keeps the factor's last pivots well above rounding, and below the λ that matter. */
const SHIFT = 1e-7;

/**
 * λ increasing, with orthonormal vectors y as rows.
 *
 * @param count - at most N less the graph's components
 * @throws CurvatureError ERR_NO_CONVERGENCE
 */
export function smoothestVectors(graph: NormalizedGraph, count: number): EigenPairs {
  const { vectors } =
    attempt("ERR_NO_CONVERGENCE", () => byProducts(graph, count, MAX_PRODUCTS)) ??
    attempt("ERR_MEMORY", () => byInverse(graph, count)) ??
    byProducts(graph, count, 100 * MAX_PRODUCTS);
  return measured(graph, vectors);
}

function byProducts(graph: NormalizedGraph, count: number, maxProducts: number): EigenPairs {
  // A + 2 I has eigenvalues from 1 to 3, so that the zeros of the projection come last.
  const apply = projected(graph, (v, out) => {
    graph.multiply(v, out);
    for (let n = 0; n < v.length; n++) out[n] += 2 * v[n];
  });
  return lanczos(apply, graph.size, {
    count,
    tolerance: TOLERANCE / 10,
    relativeTo: "operator",
    maxProducts,
  });
}

function byInverse(graph: NormalizedGraph, count: number): EigenPairs {
  const inverse = projected(graph, graph.shiftedInverse(SHIFT));
  return lanczos(inverse, graph.size, { count, tolerance: 1e-13, relativeTo: "operator" });
}

/** Q M Q for the projection Q off the components' constants. */
function projected(graph: NormalizedGraph, apply: SymmetricOperator): SymmetricOperator {
  const w = new Float64Array(graph.size);
  return (v, out) => {
    w.set(v);
    graph.project(w);
    apply(w, out);
    graph.project(out);
  };
}

/** λ by Rayleigh's quotient, and the proof: the residuals. */
function measured(graph: NormalizedGraph, vectors: EigenPairs["vectors"]): EigenPairs {
  const { rows: count, columns: N } = vectors;
  const Ay = new Float64Array(N);
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const y = vectors.data.subarray(i * N, (i + 1) * N);
    graph.multiply(y, Ay);
    const theta = dot(y, Ay);
    axpy(-theta, y, Ay);
    const residual = norm2(Ay);
    if (!(residual <= TOLERANCE)) {
      throw new CurvatureError(
        "ERR_NO_CONVERGENCE",
        `coordinate ${i} has a residual of ${residual}, above ${TOLERANCE}. The graph's weights differ too much in size.`,
        {
          where: "laplacianEigenmaps",
          path: `coordinate ${i}`,
          expected: `at most ${TOLERANCE}`,
          received: residual,
        },
      );
    }
    values[i] = 1 - theta;
  }
  return { values, vectors };
}

/** The result, or undefined after an error of this code. */
function attempt<T>(code: CurvatureError["code"], action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof CurvatureError && error.code === code) return undefined;
    throw error;
  }
}
