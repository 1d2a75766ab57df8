/** What is asked of a model at the wrong time. */
import { CurvatureError } from "@curvature/linalg";

/** @throws CurvatureError ERR_ARGUMENT */
export function notFitted(where: string): never {
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `the model is not fitted, or its last fit ended without usable parameters. Call fit first.`,
    { where, path: where },
  );
}

export function notOnline(where: string): CurvatureError {
  return new CurvatureError(
    "ERR_ARGUMENT",
    `${where} goes on from partialFit or fitStream; this model comes from fit or from a file, which keep no learning rate. Begin with a new model.`,
    { path: where },
  );
}
