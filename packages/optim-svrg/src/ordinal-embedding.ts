/**
 * The façade: answers in, map out.
 */
import { CurvatureError } from "@curvature/linalg";
import type { GivenAnswers } from "./answers/given-answers.js";
import type { OrdinalEmbeddingOptions } from "./embedding-options.js";
import type { OrdinalEmbeddingResult } from "./embedding-result.js";

/**
 * Places objects so that their distances answer as people (or measurements) did.
 *
 * @param answers - which of two pairs of objects is nearer; see `GivenAnswers`
 * @throws CurvatureError (the promise rejects) ERR_SHAPE, ERR_ARGUMENT or ERR_NON_FINITE for the answers, ERR_OPTION,
 *   ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`; the signal's reason if it is aborted before there is a map
 */
export async function ordinalEmbedding(
  answers: GivenAnswers,
  options: OrdinalEmbeddingOptions = {},
): Promise<OrdinalEmbeddingResult> {
  throw new CurvatureError("ERR_ARGUMENT", "This part is not finished.", { received: [answers, options] });
}
