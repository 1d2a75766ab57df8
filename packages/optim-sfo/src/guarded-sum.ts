/**
 * A sum whose subfunctions are watched at their first evaluations: one that writes into x would move the solver's point
 * under its feet, and no model would ever fit.
 */
import { CurvatureError } from "@curvature/linalg";
import type { SumOfFunctions } from "@curvature/optim-core";

/** @returns the sum with an `evaluate` that throws CurvatureError ERR_ARGUMENT, its path "x", if the first one of f_i changes x */
export function guardedSum(sum: SumOfFunctions): SumOfFunctions {
  const isKnown = new Uint8Array(sum.count);
  return {
    dimension: sum.dimension,
    count: sum.count,
    evaluate(index, x, gradient) {
      if (isKnown[index] === 1)
        return gradient === undefined ? sum.evaluate(index, x) : sum.evaluate(index, x, gradient);
      const before = x.slice();
      const check = (value: number): number => {
        const changed = x.findIndex((entry, k) => !Object.is(entry, before[k]));
        x.set(before);
        if (changed >= 0) throw writtenTo(index, changed);
        isKnown[index] = 1;
        return value;
      };
      const value = gradient === undefined ? sum.evaluate(index, x) : sum.evaluate(index, x, gradient);
      return value instanceof Promise ? value.then(check) : check(value);
    },
  };
}

function writtenTo(index: number, entry: number): CurvatureError {
  return new CurvatureError(
    "ERR_ARGUMENT",
    `minimizeSum: subfunction ${index} writes into x (its entry ${entry} is another after the evaluation). Only the gradient may be written to; work on a copy, x.slice().`,
    { path: "x", expected: "x as it was" },
  );
}
