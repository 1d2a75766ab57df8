/** How often nearest objects carry different labels. */
import { CurvatureError, type MatrixLike } from "@curvature/linalg";

/**
 * The share of objects whose nearest other object has another label; of equally near ones the first counts.
 *
 * @param embedding - n × p, at least 2 rows
 * @param labels - length n
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE
 */
export function neighborLabelError(embedding: MatrixLike, labels: ArrayLike<string | number>): number {
  throw new CurvatureError("ERR_ARGUMENT", "This part is not finished.", { received: [embedding, labels] });
}
