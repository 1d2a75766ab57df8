import { CurvatureError } from "@curvature/optim-core";

/** What a promise is refused with. */
export async function refusal(promise: Promise<unknown>): Promise<CurvatureError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof CurvatureError) return error;
  throw new Error(`not refused by a CurvatureError, but: ${String(error)}`);
}
