/** How many answers a map gets wrong. */
import { type DenseMatrix, type MatrixLike, toDense } from "@curvature/linalg";
import { errorShare } from "@curvature/objectives/ordinal";
import type { GivenAnswers } from "../answers/given-answers.js";
import { readAnswers } from "../answers/read-answers.js";

/**
 * The share of the answers that the map does not satisfy, NOT (d₁ < d₂): ties are errors, and so are objects without a
 * place (rows of NaN, as in the map of `ordinalEmbedding`). Weighted where the answers are. Answers that compare an
 * object or a pair to itself count as they stand.
 *
 * @param embedding - n × p
 * @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT, ERR_NON_FINITE
 */
export function generalizationError(answers: GivenAnswers, embedding: MatrixLike): number {
  const map = mapWithGaps(embedding);
  const { measured } = readAnswers(answers, {
    where: "generalizationError",
    objects: map.rows,
    degenerate: "keep",
  });
  return errorShare(measured, map.data);
}

/** The map as it is where it is one of ours, so that objects without a place may be in it. */
export function mapWithGaps(embedding: MatrixLike): DenseMatrix {
  if (typeof embedding === "object" && embedding !== null && "data" in embedding) {
    const { rows, columns, data } = embedding;
    const isWhole = Number.isSafeInteger(rows) && Number.isSafeInteger(columns);
    if (data instanceof Float64Array && isWhole && rows * columns === data.length)
      return { rows, columns, data };
  }
  return toDense(embedding, "embedding");
}
