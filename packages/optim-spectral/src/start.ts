/** Argument validation of an initial map. */
import { CurvatureError, checkFinite, type DenseMatrix, norm2, shown, toDense } from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import { centerColumns, spread } from "./columns.js";

/**
 * A copy of X_0 as one array. Far from the origin, beside its size, it is brought there: E does not see it, but sums round by it.
 *
 * @throws CurvatureError ERR_SHAPE unless it is N × d, ERR_NON_FINITE
 */
export function startPoint(
  objective: Pick<EmbeddingObjective, "points" | "dimensions">,
  start: DenseMatrix | Float64Array,
): Float64Array {
  const { points, dimensions } = objective;
  if (start instanceof Float64Array) {
    if (start.length !== points * dimensions) throw misshapen(objective, start.length);
    checkFinite({ rows: points, columns: dimensions, data: start }, "the initial map");
    return nearOrigin(start, dimensions);
  }
  const map = toDense(start, "the initial map");
  if (map.rows !== points || map.columns !== dimensions)
    throw misshapen(objective, `${map.rows} x ${map.columns}`);
  return nearOrigin(map.data, dimensions);
}

function nearOrigin(X: Float64Array, d: number): Float64Array {
  const copy = X.slice();
  if (norm2(X) <= 2 * Math.sqrt(X.length) * spread(X, d)) return copy;
  centerColumns(copy, d);
  centerColumns(copy, d); // what the first one rounded
  return copy;
}

function misshapen(
  { points, dimensions }: Pick<EmbeddingObjective, "points" | "dimensions">,
  received: unknown,
): CurvatureError {
  const expected = `${points} x ${dimensions}`;
  return new CurvatureError("ERR_SHAPE", `The initial map must be ${expected}.`, {
    path: "start",
    expected,
    received,
  });
}

/** @throws CurvatureError ERR_ARGUMENT unless it has the sizes and functions of an embedding objective */
export function checkObjective(where: string, objective: unknown): void {
  const parts = typeof objective === "object" && objective !== null ? objective : {};
  const hasSizes = ["dimension", "points", "dimensions", "lambda"].every(
    (name) => typeof Reflect.get(parts, name) === "number",
  );
  const hasFunctions = ["evaluate", "atLambda", "attractiveWeights"].every(
    (name) => typeof Reflect.get(parts, name) === "function",
  );
  if (!(hasSizes && hasFunctions))
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `the objective must be an embedding objective such as tsne(affinities); received ${shown(objective)}.`,
      { where, path: "objective", expected: "an embedding objective", received: objective },
    );
}
