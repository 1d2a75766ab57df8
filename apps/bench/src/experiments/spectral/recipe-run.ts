/** The default recipe under other numbers: its solver on one objective, from the starts that `embed` makes. */
import { type DenseMatrix, fillNormal, principalComponents, RandomGenerator } from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import { HomotopyLbfgs, type HomotopyLbfgsOptions } from "@curvature/optim-spectral";
import { cpuSeconds } from "../../processor.ts";

/** The map after some evaluations, and what the iteration before it changed, relatively. */
export interface Moment {
  readonly evaluations: number;
  /** λ as a share of its target. */
  readonly share: number;
  readonly E: number;
  readonly changeOfE: number;
  readonly changeOfX: number;
}

export interface RecipeRun {
  readonly map: DenseMatrix;
  readonly E: number;
  /** Root mean square of the points' distances from the origin, and the largest of them. */
  readonly radius: number;
  readonly farthest: number;
  /** Processor time. */
  readonly seconds: number;
  readonly moments: readonly Moment[];
}

/** Principal components of size `size` with noise of a hundredth of that, or noise alone. */
export function startOf(
  points: DenseMatrix,
  dimensions: number,
  seed: number,
  kind: "pca" | "random" = "pca",
  size = 1,
): Float64Array {
  const N = points.rows;
  const X = new Float64Array(N * dimensions);
  fillNormal(new RandomGenerator(seed), X);
  if (kind === "random") return X.map((x) => size * x);
  const { scores } = principalComponents(points, { count: dimensions });
  let squares = 0;
  for (let n = 0; n < N; n++) squares += scores.data[n * dimensions] ** 2;
  const deviation = Math.sqrt(squares / N);
  return X.map((x, k) => size * (0.01 * x + scores.data[k] / deviation));
}

export function runRecipe(
  objective: EmbeddingObjective,
  start: Float64Array,
  options: HomotopyLbfgsOptions = {},
): RecipeRun {
  const began = cpuSeconds();
  const solver = new HomotopyLbfgs(objective, start, options);
  const moments: Moment[] = [];
  let before = start.slice();
  let E = Number.NaN;
  for (;;) {
    const { evaluations, value = Number.NaN, details, outcome } = solver.step();
    const X = solver.last.x;
    moments.push({
      evaluations,
      share: details.lambda / objective.lambda,
      E: value,
      changeOfE: Math.abs(value - E) / Math.abs(value),
      changeOfX: Math.sqrt(squaredSum(X, before) / squaredSum(X)),
    });
    before = X.slice();
    E = value;
    if (outcome !== undefined) break;
  }
  const seconds = cpuSeconds() - began;
  const { x, value = Number.NaN } = solver.best;
  const { points: rows, dimensions: columns } = objective;
  const radii = Array.from({ length: rows }, (_, n) =>
    Math.sqrt(squaredSum(x.subarray(n * columns, (n + 1) * columns))),
  );
  return {
    map: { rows, columns, data: x.slice() },
    E: value,
    radius: Math.sqrt(squaredSum(x) / rows),
    farthest: Math.max(...radii),
    seconds,
    moments,
  };
}

/** Σ (x − y)², or Σ x² */
function squaredSum(X: Float64Array, Y?: Float64Array): number {
  return X.reduce((sum, x, k) => sum + (x - (Y?.[k] ?? 0)) ** 2, 0);
}
