/**
 * SD, the spectral direction: B = 4 L⁺ + μ I, the attraction's whole Hessian at X = 0, the same in every dimension and
 * in every iteration. One factor, made before the first iteration, gives every step by two triangular solves:
 *
 *   Rᵀ R P = −G,   Rᵀ R = B
 *
 * Where the attraction is not quadratic (t-SNE, t-EE) its weights change with X, and B may be formed anew every T iterations, of
 * w⁺A′(t) at the X of that iteration.
 *
 * With κ neighbours kept (spectral-matrix.ts) it lies between the fixed-point iteration (κ = 0) and itself (κ = N).
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 3.
 */
import { checkArgument, integerOrInfinity, type Warning } from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import { float64, stateOf, whole } from "@curvature/optim-core/state";
import { type Direction, stateless } from "./direction.js";
import { type AttractiveGraph, attractiveGraph, componentWarnings } from "./spectral-matrix.js";
import { type Kappa, type Solve, spectralSolve } from "./spectral-solve.js";

/**
 * @param refreshEvery - T, after how many iterations B is formed anew; Infinity is never
 * @throws CurvatureError ERR_NOT_POSITIVE_DEFINITE if B cannot be factored with any regularisation, ERR_ARGUMENT for a T that is none,
 *   and as `spectralSolve`
 */
export function spectralDirection(
  graph: AttractiveGraph,
  kappa: Kappa = "auto",
  refreshEvery = Number.POSITIVE_INFINITY,
): Direction {
  checkArgument("spectralDirection", "refreshEvery", integerOrInfinity(1), refreshEvery);
  if (refreshEvery < Number.POSITIVE_INFINITY) return new RefreshedDirection(graph, kappa, refreshEvery);
  const { solve, warnings } = spectralSolve(graph, kappa);
  return {
    name: "sd",
    warnings: [...componentWarnings(graph), ...warnings],
    compute: (objective, _X, G, P) => {
      for (let k = 0; k < G.length; k++) P[k] = -G[k];
      solve(P, objective.dimensions);
    },
    ...stateless(),
  };
}

/** The state is where B was formed, from which it follows. */
class RefreshedDirection implements Direction {
  readonly name = "sd";
  readonly warnings: readonly Warning[];
  readonly state;
  private solve: Solve;
  /** The state's array of which `solve` is. */
  private solvedAt: Float64Array;

  constructor(
    graph: AttractiveGraph,
    private readonly kappa: Kappa,
    private readonly refreshEvery: number,
  ) {
    const { solve, warnings } = spectralSolve(graph, kappa);
    const size = graph.degrees.length;
    this.warnings = [...componentWarnings(graph), ...warnings];
    this.solve = solve;
    // empty until the first time, where B is that at X = 0
    this.state = stateOf(
      { count: whole(), at: float64(new Float64Array(0), { anyLength: true }) },
      (fields) => {
        const at = fields.get("at");
        return at instanceof Float64Array && at.length % size === 0 ? undefined : `of ${size} points`;
      },
    );
    this.solvedAt = this.state.at;
  }

  compute(objective: EmbeddingObjective, X: Float64Array, G: Float64Array, P: Float64Array): void {
    const { state, refreshEvery } = this;
    if (state.count > 0 && state.count % refreshEvery === 0) state.at = X.slice();
    if (state.at !== this.solvedAt) {
      const weights =
        state.at.length === 0 ? objective.attractiveWeights() : objective.attractiveWeightsAt(state.at);
      this.solve = spectralSolve(attractiveGraph(weights), this.kappa).solve;
      this.solvedAt = state.at;
    }
    state.count += 1;
    for (let k = 0; k < G.length; k++) P[k] = -G[k];
    this.solve(P, objective.dimensions);
  }
}
