/** How many answers a map gets wrong. */
import type { MatrixLike } from "@curvature/linalg";
import { errorShare } from "@curvature/objectives/ordinal";
import { mapOfObjects } from "../answers/placed.js";
import { type AnswersLike, readAnswers } from "../answers/read-answers.js";

/**
 * The share of the answers that the map does not satisfy, NOT (d₁ < d₂): ties are errors, and so are objects without a
 * place (rows of NaN, as in the map of `ordinalEmbedding`). Weighted where the answers are. Answers that compare an
 * object or a pair to itself count as they stand.
 *
 * @param embedding - n × p
 * @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT, ERR_NON_FINITE
 */
export function generalizationError(answers: AnswersLike, embedding: MatrixLike): number {
  const map = mapOfObjects(embedding);
  const { measured } = readAnswers(answers, {
    where: "generalizationError",
    objects: map.rows,
    degenerate: "keep",
  });
  return errorShare(measured, map.data);
}
