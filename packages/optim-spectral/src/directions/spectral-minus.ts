/**
 * SD⁻, the spectral direction with the repulsion's positive semidefinite curvature, one block per dimension i:
 *
 *   B_i = 4 L⁺ + 8 λ Lap( c_nm (x_ni − x_mi)² ) + μ I,   B_i p_i = −g_i
 *
 * It changes in every iteration, so nothing is factored: linear conjugate gradients go on from the previous step until
 * ‖r‖ ≤ 0.1 ‖g_i‖, at most 50 iterations. Where the step does not descend, the fixed-point step stands in.
 *
 * | symbol | variable    | shape                                                      |
 * |--------|-------------|------------------------------------------------------------|
 * | c      | curvature   | N × N: w⁻e^−t (EE), q (s-SNE), 2 q k² (t-SNE)              |
 * | B_i    | block       | N × N                                                      |
 * | p      | previous    | N × d, the start of the next solve                         |
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 3, "SD−". Time O(N² (iterations + d)) per step, memory 2 N².
 */
import {
  type DenseMatrix,
  dot,
  LinearConjugateGradient,
  symmetricEntries,
  symmetricTimesVector,
} from "@curvature/linalg";
import type { EmbeddingObjective, Weights } from "@curvature/objectives/embedding";
import { float64, stateOf } from "@curvature/optim-core/state";
import type { Direction } from "./direction.js";
import { fixedPointStep } from "./fixed-point.js";
import type { AttractiveGraph } from "./spectral-matrix.js";

const tolerance = 0.1;
const maxIterations = 50;

export function spectralMinusDirection(graph: AttractiveGraph): Direction {
  return new SpectralMinus(graph);
}

class SpectralMinus implements Direction {
  readonly name = "sdminus";
  readonly warnings = [];
  private readonly curvature: Float64Array;
  private readonly block: DenseMatrix;
  private readonly cg: LinearConjugateGradient;
  private readonly rightHandSide: Float64Array;
  private readonly solution: Float64Array;
  readonly state;

  constructor(private readonly graph: AttractiveGraph) {
    const N = graph.degrees.length;
    // empty before the first step
    this.state = stateOf({ previous: float64(new Float64Array(0), { anyLength: true }) }, (fields) => {
      const previous = fields.get("previous");
      return previous instanceof Float64Array && previous.length % N === 0 ? undefined : `of ${N} points`;
    });
    this.curvature = new Float64Array(N * N);
    this.block = { rows: N, columns: N, data: symmetricEntries(N * N, N) };
    this.cg = new LinearConjugateGradient(N);
    this.rightHandSide = new Float64Array(N);
    this.solution = new Float64Array(N);
  }

  compute(objective: EmbeddingObjective, X: Float64Array, G: Float64Array, P: Float64Array): void {
    const { block, cg, rightHandSide, solution, graph } = this;
    const d = objective.dimensions;
    const N = objective.points;
    if (this.state.previous.length !== X.length) this.state.previous = new Float64Array(X.length);
    const { previous } = this.state;
    const multiply = (v: Float64Array, out: Float64Array): void => symmetricTimesVector(block, v, out);
    objective.repulsiveCurvature(X, this.curvature);
    for (let i = 0; i < d; i++) {
      this.fillBlock(X, i, d, 8 * objective.lambda);
      for (let n = 0; n < N; n++) {
        rightHandSide[n] = -G[n * d + i];
        solution[n] = previous[n * d + i];
      }
      cg.solve(multiply, rightHandSide, solution, { tolerance, maxIterations });
      for (let n = 0; n < N; n++) P[n * d + i] = solution[n];
    }
    if (!(dot(P, G) < 0)) fixedPointStep(graph.degrees, d, G, P);
    previous.set(P);
  }

  /** B_i */
  private fillBlock(X: Float64Array, i: number, d: number, scale: number): void {
    const { curvature, block, graph } = this;
    const { data } = block;
    const N = block.rows;
    for (let n = 0; n < N; n++) {
      const x = X[n * d + i];
      let sum = 0;
      for (let m = 0, k = n * N; m < N; m++, k++) {
        const difference = x - X[m * d + i];
        const w = scale * curvature[k] * difference * difference;
        data[k] = -w;
        sum += w;
      }
      data[n * N + n] = sum + 4 * graph.degrees[n] + graph.mu;
    }
    subtractWeights(data, graph.weights);
  }
}

/** B ← B − 4 W */
function subtractWeights(B: Float64Array, weights: Weights): void {
  if ("data" in weights) {
    for (let k = 0; k < B.length; k++) B[k] -= 4 * weights.data[k];
    return;
  }
  const { rows: N, rowPointers, columnIndices, values } = weights;
  for (let n = 0; n < N; n++)
    for (let k = rowPointers[n]; k < rowPointers[n + 1]; k++) B[n * N + columnIndices[k]] -= 4 * values[k];
}
