/** How many answers a map gets wrong. */
import { CurvatureError, type MatrixLike } from "@curvature/linalg";
import type { GivenAnswers } from "../answers/given-answers.js";

/**
 * The share of the answers that the map does not satisfy, NOT (d₁ < d₂): ties, and objects without a place (rows with a
 * NaN), are errors. Weighted where the answers are.
 *
 * @param embedding - n × p
 * @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT, ERR_NON_FINITE
 */
export function generalizationError(answers: GivenAnswers, embedding: MatrixLike): number {
  throw new CurvatureError("ERR_ARGUMENT", "This part is not finished.", { received: [answers, embedding] });
}
