/**
 * How a run along lower and lower values ends by itself, in words and in numbers.
 */
import { clearOf } from "../line-search/noise.js";
import type { EndingTest, Outcome } from "../solver.js";

/** Where value or gradient of the first point are no numbers. */
export const badStart = (value: number, measure: number, measured: string): Outcome => ({
  status: "diverged",
  message: `At the first point the value is ${value} and the ${measured} ${measure}. Start where both are finite, and write every entry of the gradient.`,
});

export const zeroGradient = (name: string): Outcome => ({
  status: "converged",
  message: `The ${name} is zero.`,
  test: { name, value: 0, limit: 0 },
});

export const unbounded = (value: number, stepLength: number): Outcome => ({
  status: "diverged",
  message: `The objective seems to be unbounded below: its value is ${shortly(value)}, and a step of length ${shortly(stepLength)} has not ended its fall.`,
  test: { name: "step length", value: stepLength, limit: Number.POSITIVE_INFINITY },
});

/** What a look for lower values has found out where it found none. */
export interface Look {
  /** The decrease that a quasi-Newton or Newton step promises; undefined where nothing is known of the curvature. */
  readonly expected: number | undefined;
  /** Whether a Hessian by differences says so. */
  readonly isNewton: boolean;
  /** Of values at this point. */
  readonly noise: number;
  readonly value: number;
  /** The value of a second evaluation at the same point. */
  readonly again: number;
}

/** The limit below which a look calls a point a minimum. */
export const isMinimal = ({ expected, noise }: Pick<Look, "expected" | "noise">): boolean =>
  expected !== undefined && expected <= clearOf(noise);

export function endOf(look: Look): Outcome {
  const { expected, isNewton, noise, value, again } = look;
  const limit = clearOf(noise);
  const test: EndingTest | undefined =
    expected === undefined ? undefined : { name: "expected decrease", value: expected, limit };
  const by = isNewton ? "by a Hessian of differences" : "by the pairs of the last steps";
  const found = expected === undefined ? "nothing is known of the curvature" : `${shortly(expected)} ${by}`;
  if (isMinimal(look))
    return {
      status: "converged",
      message: `The decrease still expected, ${found}, is at most ${shortly(limit)}, a hundred times the rounding of the value ${value}.`,
      test,
    };
  if (!Object.is(again, value))
    return {
      status: "stalled",
      message: `The objective is not deterministic: at the same point it gives ${value} and ${again}. Fix its random numbers, or say with valueNoise how exact it is.`,
      test,
    };
  return {
    status: "stalled",
    message: `No lower value than ${value} was found, although a decrease was to be expected (${found}; the rounding of the value is ${shortly(noise)}). The objective has a kink or a jump here, or is less exact than its valueNoise, or its gradient is wrong: see checkGradient.`,
    test,
  };
}

const shortly = (value: number): string => value.toPrecision(3);
