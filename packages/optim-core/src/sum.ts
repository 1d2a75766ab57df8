/**
 * Sums of functions as whole objectives.
 */
import { CurvatureError, shown, zeros } from "@curvature/linalg";
import { isPromise } from "./event-loop.js";
import type { Objective, SumOfFunctions } from "./problem.js";

/**
 * The whole sum as one objective, F(x) = Σ fᵢ(x), added up in the order of the indices or by `evaluateBatch` where
 * that is there. An evaluation that throws lets its error through; one that is NaN makes F NaN.
 *
 * @throws CurvatureError ERR_ARGUMENT for a sum without its parts; and from `evaluate` if one of the evaluations
 *   is a promise; ERR_MEMORY
 */
export function asObjective(sum: SumOfFunctions): Objective {
  checkSum("asObjective", sum);
  const { dimension, count } = sum;
  const term = zeros(1, dimension).data;
  /** Of the subfunctions `first`, `first + step`, … */
  const evaluateFrom = (first: number, step: number): Objective["evaluate"] => {
    const { evaluateBatch } = sum;
    if (evaluateBatch !== undefined) {
      const indices = indicesOf("asObjective", count).filter((i) => i % step === first);
      return (x, gradient) =>
        numberFrom(
          gradient === undefined
            ? evaluateBatch.call(sum, indices, x)
            : evaluateBatch.call(sum, indices, x, gradient),
        );
    }
    return (x, gradient) => {
      let value = 0;
      gradient?.fill(0);
      for (let i = first; i < count; i += step) {
        if (gradient === undefined) {
          value += numberFrom(sum.evaluate(i, x));
        } else {
          term.fill(Number.NaN); // an entry that is not written shows
          value += numberFrom(sum.evaluate(i, x, term));
          for (let j = 0; j < dimension; j++) gradient[j] += term[j];
        }
      }
      return value;
    };
  };
  const partsOf = (parts: number): Objective[] => {
    const most = Math.min(parts, count);
    return Array.from({ length: most }, (_, k) => ({ dimension, evaluate: evaluateFrom(k, most) }));
  };
  return {
    dimension,
    ...(sum.fingerprint === undefined ? {} : { fingerprint: sum.fingerprint }),
    evaluate: evaluateFrom(0, 1),
    partsOf,
  };
}

function numberFrom(value: number | Promise<number>): number {
  if (!isPromise(value)) return value;
  value.then(undefined, () => undefined); // its rejection, if any, has no other listener
  throw new CurvatureError(
    "ERR_ARGUMENT",
    "an evaluation of the sum returned a promise, and an objective's value is needed at once. Use a solver of sums with driveSum and run, or evaluate synchronously.",
    { where: "asObjective", path: "evaluate", expected: "a number", received: value },
  );
}

/** Indices are kept in Int32Arrays. */
const MAX_TERMS = 2 ** 31 - 1;

/** @throws CurvatureError ERR_ARGUMENT */
export function checkSum(where: string, sum: unknown): void {
  const isSum =
    typeof sum === "object" &&
    sum !== null &&
    "dimension" in sum &&
    isCount(sum.dimension) &&
    "count" in sum &&
    isCount(sum.count) &&
    Number(sum.count) <= MAX_TERMS &&
    "evaluate" in sum &&
    typeof sum.evaluate === "function";
  if (!isSum)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `the sum must have a dimension of at least 1, a count from 1 to 2^31 - 1 and a function evaluate(index, x, gradient); received ${shown(sum)}.`,
      { where, path: "sum", received: sum },
    );
}

/** What an evaluation of subfunction `index` has come to: users' functions may return anything. @throws CurvatureError ERR_ARGUMENT */
export function checkValue(value: unknown, index: number): number {
  if (typeof value === "number") return value;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `The sum's evaluate must return a number or a promise of one; received ${shown(value)} for subfunction ${index}.`,
    { path: "evaluate", expected: "a number", received: value },
  );
}

/** Of indices that are kept all at once: half a gibibyte. */
const MAX_KEPT = 2 ** 27;

/** 0, 1, …, count − 1. @throws CurvatureError ERR_MEMORY for more than 2²⁷ */
export function indicesOf(where: string, count: number): Int32Array {
  if (count > MAX_KEPT)
    throw new CurvatureError(
      "ERR_MEMORY",
      `${count} subfunctions are too many to keep an order of; ${MAX_KEPT} are the most. Join them into minibatches.`,
      { where, path: "count", expected: `at most ${MAX_KEPT}`, received: count },
    );
  const indices = new Int32Array(count);
  for (let i = 0; i < count; i++) indices[i] = i;
  return indices;
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;
