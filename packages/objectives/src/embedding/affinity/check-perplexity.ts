import { badOption, CurvatureError } from "@curvature/linalg";

/**
 * @param neighbors - the number over which a row is spread
 * @throws CurvatureError ERR_SHAPE for fewer than 3 points, ERR_OPTION unless 1 < perplexity < neighbors
 */
export function checkPerplexity(perplexity: number, points: number, neighbors: number): void {
  if (!(points >= 3)) {
    throw new CurvatureError("ERR_SHAPE", `Affinities need at least 3 points; received ${points}.`, {
      path: "points",
      expected: "at least 3 rows",
      received: points,
    });
  }
  if (!(typeof perplexity === "number" && perplexity > 1 && perplexity < neighbors)) {
    throw badOption(
      "entropicAffinities",
      "perplexity",
      `above 1 and below ${neighbors}, the number of neighbours used for each of ${points} points`,
      perplexity,
    );
  }
}
