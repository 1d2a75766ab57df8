import { CurvatureError, shown } from "@curvature/linalg";

/** What is to be minimised, as far as the solver needs to know: it never evaluates by itself. */
export interface SumShape {
  readonly dimension: number;
  readonly count: number;
  readonly fingerprint?: string | undefined;
}

export function misused(what: string): CurvatureError {
  return new CurvatureError("ERR_ARGUMENT", `Sfo.tell: ${what}.`, { path: "tell" });
}

/** @throws CurvatureError ERR_ARGUMENT */
export function checkGradientLength(gradient: unknown, dimension: number, index: number): void {
  const length = gradient instanceof Float64Array ? gradient.length : undefined;
  if (length === dimension) return;
  const received = length === undefined ? shown(gradient) : `one of length ${length}`;
  throw misused(
    `the gradient of subfunction ${index} must be a Float64Array of length ${dimension}; received ${received}`,
  );
}

/** @throws CurvatureError ERR_ARGUMENT */
export function checkShape(problem: SumShape): void {
  const { dimension, count } = problem;
  if (![dimension, count].every((size) => Number.isSafeInteger(size) && size >= 1))
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `Sfo: the problem must have a dimension and a count of at least 1; received ${shown(dimension)} and ${shown(count)}.`,
      { path: "problem", received: problem },
    );
}
