/**
 * Solving B X = V by the incomplete Cholesky factor of a sparse B, L̃ L̃' with the pattern of B: approximately, by the
 * factor alone, which as the initial matrix of L-BFGS does what the exact one does; or to a tenth, by conjugate
 * gradients that it preconditions. It costs no fill.
 */
import {
  IncompleteCholesky,
  LinearConjugateGradient,
  permuteSymmetric,
  type SparseMatrix,
  sparseTimesVector,
} from "@curvature/linalg";
import { centerColumns } from "../columns.js";
import { orderBy } from "../row-order.js";
import { type AttractiveGraph, sparseSpectralMatrix } from "./spectral-matrix.js";

/**
 * V ← (L̃ L̃')⁻¹ V on the κ heaviest neighbours, column means zero. The factor depends on the order of the rows: they come by
 * their degrees, so that the same points, numbered in another way, get the same.
 */
export function incompleteSolve(graph: AttractiveGraph, kappa: number, d: number): (V: Float64Array) => void {
  const { degrees } = graph;
  const order = orderBy(degrees.length, (a, b) => degrees[a] - degrees[b]);
  const factor = new IncompleteCholesky(permuteSymmetric(sparseSpectralMatrix(graph, kappa, order), order));
  const ordered = new Float64Array(order.length * d);
  return (V) => {
    for (let k = 0; k < order.length; k++)
      for (let i = 0; i < d; i++) ordered[k * d + i] = V[order[k] * d + i];
    factor.solve(ordered, d, ordered);
    for (let k = 0; k < order.length; k++)
      for (let i = 0; i < d; i++) V[order[k] * d + i] = ordered[k * d + i];
    centerColumns(V, d);
  };
}

/** V ← B⁻¹ V column by column to ‖r‖ ≤ 0.1 ‖v‖, column means zero. */
export function conjugateGradientSolve(B: SparseMatrix): (V: Float64Array, d: number) => void {
  const N = B.rows;
  const factor = new IncompleteCholesky(B);
  const cg = new LinearConjugateGradient(N);
  const preconditioner = (v: Float64Array, out: Float64Array): void => factor.solve(v, 1, out);
  const multiply = (v: Float64Array, out: Float64Array): void => sparseTimesVector(B, v, out);
  const v = new Float64Array(N);
  const x = new Float64Array(N);
  return (V, d) => {
    for (let i = 0; i < d; i++) {
      for (let n = 0; n < N; n++) v[n] = V[n * d + i];
      x.fill(0);
      cg.solve(multiply, v, x, { preconditioner, tolerance: 0.1 });
      for (let n = 0; n < N; n++) V[n * d + i] = x[n];
    }
    centerColumns(V, d);
  };
}
