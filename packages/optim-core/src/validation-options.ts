/** The options of early stopping, which façades have before they load what it does. */
import {
  callable,
  havingMethod,
  integerOrInfinity,
  nonNegative,
  numberThat,
  type OptionsOf,
  optionTable,
  positiveOrInfinity,
} from "@curvature/linalg";

export const validationOptions = optionTable({
  /** The figure that is to be small at the returned point; it gets a copy of x. A promise is waited for. */
  evaluate: callable<(x: Float64Array) => number | Promise<number>>(),
  /** Ends the run as `stalled` after so many validations in a row without a decrease; Infinity: it only keeps the best point. */
  patience: integerOrInfinity(1).default(5),
  /** Passes between two validations (iterations, in `minimize`). With Infinity the first and the last point are validated. */
  every: positiveOrInfinity().default(1),
  /** The part of its size by which a validation has to lie below the least before to be a decrease for `patience`. */
  minDecrease: nonNegative.default(0),
  /** Ends the run as `target-reached` once a validation is at or below it. */
  target: numberThat("a number", (value) => !Number.isNaN(value)).default(Number.NEGATIVE_INFINITY),
});

/** @typeParam P - what `evaluate` gets: x, or x in the arrangement of the first point */
export interface ValidationOptions<P = Float64Array>
  extends Omit<OptionsOf<typeof validationOptions>, "evaluate"> {
  readonly evaluate: (x: P) => number | Promise<number>;
}

/** Of façades whose users may hold something out. */
export const validationEntry = <P = Float64Array>() =>
  havingMethod<ValidationOptions<P>>("evaluate", "an object { evaluate, … }");
