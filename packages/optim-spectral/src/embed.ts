import { CurvatureError, type MatrixLike } from "@curvature/linalg";
import type { EmbedOptions } from "./embed-options.js";
import type { EmbedResult } from "./embed-result.js";

/** Maps points to a plane (or line, or space) so that near points stay near. */
export async function embed(_points: MatrixLike, _options: EmbedOptions = {}): Promise<EmbedResult> {
  throw new CurvatureError("ERR_ARGUMENT", "embed is being built.");
}
