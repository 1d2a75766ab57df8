/** A concave function over matrices of bounded trace, and what may be wrong with one. */
import { CurvatureError, type DenseMatrix, shown } from "@curvature/linalg";

/** A concave function of a symmetric n × n matrix, known by its value and by products with its gradient. */
export interface SpectraplexProblem {
  /** n */
  readonly size: number;
  /** s, above 0; in the Fantope at most n, or n − 1 with a b. */
  readonly trace: number;
  /** b, not 0. Left out: no such constraint. */
  readonly orthogonalTo?: Float64Array;
  readonly fingerprint?: string;
  /** Makes Z (not to be kept or changed) the point of the calls that follow; returns f(Z). */
  at(Z: DenseMatrix): number;
  /** ∇f(Z) v into `out`. */
  multiply(v: Float64Array, out: Float64Array): void;
  /** Tr(∇f(Z) Z) */
  inner(): number;
}

/** @returns the size of b's complement. @throws CurvatureError ERR_ARGUMENT */
export function checkSpectraplex(problem: SpectraplexProblem, set: "spectraplex" | "fantope"): number {
  const given: unknown = problem;
  const isProblem =
    typeof given === "object" && given !== null && "at" in given && "multiply" in given && "inner" in given;
  if (!isProblem) throw wrong("it must have at, multiply and inner", problem);
  const { size: n, trace, orthogonalTo: b } = problem;
  if (!Number.isSafeInteger(n) || n < 1) throw wrong("its size must be a whole number of at least 1", n);
  if (
    b !== undefined &&
    !(b instanceof Float64Array && b.length === n && b.every(Number.isFinite) && b.some((x) => x !== 0))
  )
    throw wrong(`orthogonalTo must be a Float64Array of ${n} finite numbers, not all 0`, b);
  const m = b === undefined ? n : n - 1;
  const most = set === "fantope" ? m : Number.MAX_VALUE;
  if (typeof trace !== "number" || !(trace > 0 && trace <= most) || m === 0)
    throw wrong(
      `its trace must be above 0${set === "fantope" ? ` and at most ${m}` : ""}, and its set not empty`,
      trace,
    );
  return m;
}

function wrong(what: string, received: unknown): CurvatureError {
  return new CurvatureError(
    "ERR_ARGUMENT",
    `ConditionalGradient: the problem is none: ${what}; received ${shown(received)}.`,
    {
      path: "problem",
      received,
    },
  );
}
