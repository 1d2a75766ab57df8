/**
 * How a run along lower and lower values ends by itself: it looks for a lower value before it speaks of an end, and says in
 * words and in numbers what it has found.
 *
 *   1. Newton's step by a Hessian of differences, where n is small enough (`newton-look.ts`); if the decrease that it
 *      promises is within 100 times the noise of the values, this is the end
 *   2. −H∇f(x) by the pairs of the last steps, with the least curvature that they have seen in the place of the newest pair's
 *   3. −∇f(x), as far as that curvature lets
 *
 * A step that lowers the value by more than the noise goes on. If there is none the run ends: `converged` if the decrease
 * that 1 or 2 promises is within 100 times the noise, else `stalled`.
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

/** @param value - the lowest that was found */
export const unboundedEnd = (value: number, test: EndingTest): Outcome => ({
  status: "diverged",
  message: `The objective seems to be unbounded below: ${
    test.name === "value"
      ? `it gives ${test.value} beyond the value ${shortly(value)}`
      : `its value is ${shortly(value)}, and a step of length ${shortly(test.value)} has not ended its fall`
  }.`,
  test,
});

/** Where a solver stands, and how it can look around. Values are in the solver's unit. */
export interface Standpoint {
  readonly line: {
    readonly value: number;
    readonly trialValue: number;
    readonly noise: number;
    readonly isSpent: boolean;
    readonly unbounded: EndingTest | undefined;
  };
  /** Of its values. */
  readonly unit: number;
  /** f at the first point, above which the run does not end. */
  readonly startValue: number;
  /** Whether no step was made yet. */
  readonly isFirst: boolean;
  canDifference(): boolean;
  /** Sets p for 1. @returns the decrease expected; undefined where a gradient is not finite or no evaluation is left */
  aimByDifferences(): number | undefined;
  /** Sets p for 2. @returns 1 / the least curvature of the pairs, 0 without pairs; and the decrease expected */
  aimByPairs(): { readonly widest: number; readonly expected: number };
  /** Sets p for 3. @returns ‖∇f(x)‖₁ */
  aimDown(): number;
  /** Searches along p. */
  search(first: number): boolean;
  /** Whether the gradient is shorter at the trial. */
  isFlatter(): boolean;
  /** f at x once more. */
  valueAgain(): number;
}

export interface Found {
  /** Whether there is a trial to go to. */
  readonly isAccepted: boolean;
  readonly outcome: Outcome | undefined;
}

/** What a look leaves to do: go on from the trial, end, or neither where no evaluation is left. */
export function lookForEnd(at: Standpoint): Found {
  const { line, unit } = at;
  const { noise, value } = line;
  const isOver = (): boolean => line.isSpent || line.unbounded !== undefined;
  const goesOnFrom = (first: number): boolean =>
    !isOver() && Number.isFinite(first) && at.search(first) && value - line.trialValue > noise;
  const goesOn: Found = { isAccepted: true, outcome: undefined };
  const cut: Found = { isAccepted: false, outcome: undefined };

  // Of a gradient that is not 0, a decrease of 0 has underflowed, and says nothing.
  let expected = (at.canDifference() ? at.aimByDifferences() : undefined) || undefined;
  const isNewton = expected !== undefined;
  const ended = (again: number): Outcome =>
    endOf({
      expected: expected === undefined ? undefined : unit * expected,
      isNewton,
      noise: unit * noise,
      value: unit * value,
      again: unit * again,
    });
  if (line.isSpent) return cut;
  if (isNewton) {
    const hasTrial = at.search(1);
    if (hasTrial && value - line.trialValue > noise) return goesOn;
    if (isOver()) return cut;
    if (isMinimal({ expected, noise }))
      return {
        isAccepted: hasTrial && line.trialValue <= at.startValue && at.isFlatter(),
        outcome: ended(value),
      };
  }
  const pairs = at.aimByPairs();
  if (pairs.widest > 0) expected ??= pairs.expected || undefined;
  if (pairs.expected > noise && goesOnFrom(1)) return goesOn;
  const size = at.aimDown();
  const short = Math.min(1, 1 / size);
  if (goesOnFrom(pairs.widest > 0 ? pairs.widest : short)) return goesOn;
  // While nothing is known of the scale, a first trial may be lost in rounding only because f is tiny.
  if (at.isFirst && short < 1 / size && goesOnFrom(1 / size)) return goesOn;
  if (isOver()) return cut;
  return { isAccepted: false, outcome: ended(isMinimal({ expected, noise }) ? value : at.valueAgain()) };
}

/** What a look for lower values has found out where it found none. */
interface Look {
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
const isMinimal = ({ expected, noise }: Pick<Look, "expected" | "noise">): boolean =>
  expected !== undefined && expected <= clearOf(noise);

function endOf(look: Look): Outcome {
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
      message: `The objective is not deterministic: at the same point it gives ${value} and ${again}. Fix its random numbers, or let valueNoise allow for them.`,
      test,
    };
  return {
    status: "stalled",
    message: `No lower value than ${value} was found, although a decrease was to be expected (${found}; the rounding of the value is ${shortly(noise)}). The objective has a kink or a jump here, or is less exact than valueNoise says, or its gradient is wrong: test it by checkGradient.`,
    test,
  };
}

const shortly = (value: number): string => value.toPrecision(3);
