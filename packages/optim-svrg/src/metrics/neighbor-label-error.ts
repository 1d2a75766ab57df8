/** How often nearest objects carry different labels. */
import { CurvatureError, type MatrixLike, toDense } from "@curvature/linalg";
import { checkLabels } from "./labels.js";

/**
 * The share of objects whose nearest other object has another label; of equally near ones the first counts.
 *
 * @param embedding - n × p, at least 2 rows
 * @param labels - length n
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE
 */
export function neighborLabelError(embedding: MatrixLike, labels: ArrayLike<string | number>): number {
  const { rows: n, columns: p, data: X } = toDense(embedding, "embedding");
  if (n < 2)
    throw new CurvatureError("ERR_SHAPE", `neighborLabelError needs at least 2 objects; received ${n}.`, {
      path: "embedding",
      expected: "at least 2 rows",
      received: n,
    });
  checkLabels("neighborLabelError", labels, n);
  let errors = 0;
  for (let i = 0; i < n; i++) if (labels[nearest(X, n, p, i)] !== labels[i]) errors++;
  return errors / n;
}

function nearest(X: Float64Array, n: number, p: number, i: number): number {
  let best = i === 0 ? 1 : 0;
  let least = Number.POSITIVE_INFINITY;
  for (let j = 0; j < n; j++) {
    if (j === i) continue;
    let d = 0;
    for (let t = 0; t < p; t++) {
      const u = X[i * p + t] - X[j * p + t];
      d += u * u;
    }
    if (d < least) {
      least = d;
      best = j;
    }
  }
  return best;
}
