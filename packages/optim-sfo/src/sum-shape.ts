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

/** Beyond this the models alone, one for each subfunction, take gigabytes. */
const MOST_SUBFUNCTIONS = 2 ** 20;

/** @throws CurvatureError ERR_ARGUMENT */
export function checkShape(problem: SumShape): void {
  if (typeof problem !== "object" || problem === null)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `Sfo: the problem must be an object { dimension, count }; received ${shown(problem)}.`,
      { path: "problem", received: problem },
    );
  const { dimension, count } = problem;
  if (typeof count === "number" && count > MOST_SUBFUNCTIONS)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `Sfo: the problem has ${shown(count)} subfunctions, at most ${MOST_SUBFUNCTIONS} are possible and 25 to 100 work best. Join them into minibatches.`,
      { path: "problem.count", received: count },
    );
  if (![dimension, count].every((size) => Number.isSafeInteger(size) && size >= 1))
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `Sfo: the problem must have a dimension and a count of at least 1; received ${shown(dimension)} and ${shown(count)}.`,
      { path: "problem", received: problem },
    );
}
