import { CurvatureError } from "@curvature/linalg";

/** The error with which a reader refuses. */
export async function failure(promise: Promise<unknown>): Promise<CurvatureError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof CurvatureError) return error;
  throw new Error(`expected a CurvatureError, received ${String(error)}`);
}

/** The bytes cut at the given places. */
export async function* cut(bytes: Uint8Array, places: readonly number[]): AsyncGenerator<Uint8Array> {
  const sorted = [...places, bytes.length].map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
  let start = 0;
  for (const place of [...sorted, bytes.length]) {
    yield bytes.slice(start, place);
    start = place;
  }
}

/** What a reader makes of an input: its result, or the sentence with which it refuses. Fails on any other error. */
export async function outcome(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => {
    if (error instanceof CurvatureError)
      return { code: error.code, message: error.message, path: error.path };
    throw error;
  });
}

export const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);
