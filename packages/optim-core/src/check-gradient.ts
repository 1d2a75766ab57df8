/**
 * Are an objective's derivatives those of its values?
 *
 * Gradient   r(h) = |f(x + h v) − f(x) − h ∇f(x)ᵀv| = O(h²): the slope of log r over log h is 2
 * Hessian    r(h) = |f(x + h v) − f(x) − h ∇f(x)ᵀv − h²/2 vᵀ∇²f(x)v| = O(h³): the slope is 3
 *
 * along a random direction v. A gradient that is wrong gives the slope 1, however small the error's share is. A
 * function that is linear along v (quadratic, for the Hessian) has no remainder but rounding, and passes as exact.
 * Beside it, central differences find the coordinate that is wrong.
 *
 * Values in single precision leave too few digits for a slope: between their rounding and the terms of higher order there
 * may be no step that shows the order. Of them the differences are asked alone, in the coordinates and along v, each with the
 * width that misses least: from small widths to large ones, what two of them differ by beyond their rounding is what they miss.
 *
 * Nocedal, Wright: Numerical Optimization, 2nd ed. (2006), section 8.1.
 */
import {
  CurvatureError,
  dot,
  integerFrom,
  norm2,
  type OptionsOf,
  optionTable,
  RandomGenerator,
} from "@curvature/linalg";
import { evaluated, pointWritten } from "./line-search/evaluated.js";
import { noiseOf, valueNoise } from "./line-search/noise.js";
import { badAnswer, isJoint } from "./minimize/joint.js";
import { Arrangement, type Given, type Like, type Parameters, placeOf } from "./minimize/parameters.js";
import type { Objective } from "./problem.js";
import { startPoint } from "./solvers/start.js";
import { type RemainderOrder, remainderOrder } from "./taylor.js";

/** Of `checkGradient` and `checkHessianVector`. */
export const derivativeCheckOptions = optionTable({
  /** Of the direction v and of the coordinates that are compared. */
  seed: integerFrom(0).default(0),
  /** At most so many coordinates are compared with central differences. */
  coordinates: integerFrom(1).default(100),
  /** The values are as exact as this; so are the gradients, and the points at which they are taken. */
  valueNoise,
});
export type DerivativeCheckOptions = OptionsOf<typeof derivativeCheckOptions>;

export interface DerivativeReport extends RemainderOrder {
  /**
   * The slope is that of a right derivative (at most 0.1 too small; 0.5 of a Hessian's for values that are less exact) or there
   * is none, and no coordinate is off. Of the gradient of such values the differences judge alone, in the coordinates and along v.
   */
  readonly isCorrect: boolean;
  /** One sentence for people. */
  readonly message: string;
  /** The coordinate with the largest error. */
  readonly worst: CoordinateError;
}

export interface CoordinateError {
  readonly coordinate: number;
  /** What the objective gives. */
  readonly given: number;
  /** The central difference. */
  readonly difference: number;
  /** |given − difference|, less what differences miss by themselves, relative to the larger of them. */
  readonly error: number;
}

/** Relative error up to which a central difference agrees with a derivative. */
const agreementOf = (epsilon: number): number => Math.max(1e-6, 100 * epsilon);
/** How far below the right one a slope may be: a wrong gradient's is smaller by 1. */
const slackOf = (epsilon: number): number => (epsilon > Number.EPSILON ? 0.5 : 0.1);
/** Half the width of a central difference for x of size 1: the cube root of the rounding unit. */
const WIDTH = 6.0554544523933395e-6;
/** The same for less exact values, as a power of two: no engine's cube root. */
function widthOf(epsilon: number): number {
  let width = WIDTH;
  while (width * width * width < epsilon) width *= 2;
  return width;
}

/** f(x) with ∇f(x) in the arrangement of x. */
type Differentiated<P> = (x: Given<P>) => { readonly value: number; readonly gradient: Like<P> };

/**
 * Checks a gradient at a point: of a function as `minimize` takes it, `{ value, gradient }` in the arrangement of the point, or of an
 * objective, whose value must be the same with and without it. An objective's gradient array comes filled with NaN, so that a
 * gradient that is added to it or not written at all shows.
 *
 *   checkGradient(([a, b]) => ({ value: a * a + b, gradient: [2 * a, 1] }), [3, 4]).isCorrect
 *
 * @throws CurvatureError ERR_NON_FINITE if value or gradient at x are not finite, and for what is no problem; ERR_ARGUMENT for
 *   a function that returns no value with a gradient, or a promise of them; ERR_SHAPE for a gradient in another arrangement
 */
export function checkGradient<P extends Parameters>(
  f: NoInfer<Differentiated<P>>,
  point: P,
  options?: DerivativeCheckOptions,
): DerivativeReport;
export function checkGradient(
  objective: Objective,
  point: ArrayLike<number>,
  options?: DerivativeCheckOptions,
): DerivativeReport;
export function checkGradient<P extends Parameters>(
  f: Objective | Differentiated<P>,
  point: P & ArrayLike<number>,
  options?: DerivativeCheckOptions,
): DerivativeReport {
  if (typeof f !== "function") return checked(f, startPoint("checkGradient", f, point), options, undefined);
  const arrangement = new Arrangement("checkGradient", point);
  const objective: Objective = {
    dimension: arrangement.start.length,
    evaluate(x, gradient) {
      const answer: unknown = f(arrangement.arranged(x));
      if (!isJoint(answer))
        throw badAnswer("checkGradient", "an object { value, gradient }, and no promise of it", answer);
      if (gradient !== undefined) arrangement.flat("f(x).gradient", answer.gradient, gradient);
      return answer.value;
    },
  };
  return checked(objective, arrangement.start, options, (i) => placeOf(point, i));
}

function checked(
  objective: Objective,
  x: Float64Array,
  options: DerivativeCheckOptions | undefined,
  place: ((coordinate: number) => string) | undefined,
): DerivativeReport {
  const { seed, coordinates, valueNoise: epsilon } = derivativeCheckOptions.resolve("checkGradient", options);
  const random = new RandomGenerator(seed);
  const g = new Float64Array(x.length).fill(Number.NaN);
  const f = valueAt(objective, x.slice(), g);
  checkDerivative("checkGradient", f, g);
  const alone = valueAt(objective, x.slice());
  const v = randomDirection(x, random);
  const slope = dot(g, v);
  const isExact = epsilon === Number.EPSILON;
  const ofThePoint = isExact ? 0 : g.reduce((sum, gi, i) => sum + Math.abs(gi * x[i]), 0); // x in single precision is another point

  const order = remainderOrder(epsilon, (h) => {
    const moved = valueAt(objective, along(x, h, v));
    const terms = Math.abs(moved) + Math.abs(f) + Math.abs(h * slope) + ofThePoint;
    return { value: moved - f - h * slope, terms };
  });
  const moved = x.slice();
  const beside = (i: number, offset: number): number => {
    moved[i] = x[i] + offset;
    const value = valueAt(objective, moved);
    moved[i] = x[i];
    return value;
  };
  const scaled = v.map((entry, i) => (entry / norm2(v)) * sizeOf(x[i]));
  const worst = worstCoordinate(g, coordinates, random, (i) => {
    const size = Math.max(1, Math.abs(x[i]));
    if (!isExact)
      return leastMissing(epsilon, sizeOf(x[i]), size, order.rounding, (offset) => beside(i, offset));
    const width = WIDTH * size;
    const near = (beside(i, width) - beside(i, -width)) / (2 * width);
    const far = (beside(i, 2 * width) - beside(i, -2 * width)) / (4 * width);
    return { near, missed: Math.abs(far - near) + (10 * order.rounding) / width };
  });
  const report = isExact
    ? judged("gradient", 2, epsilon, order, worst, place)
    : judgedByDifferences(
        epsilon,
        order,
        worst,
        place,
        dot(g, scaled),
        leastMissing(epsilon, 1, 1, order.rounding, (h) => valueAt(objective, along(x, h, scaled))),
      );
  if (Object.is(alone, f) || Math.abs(alone - f) <= noiseOf(epsilon, f, 0)) return report;
  return {
    ...report,
    isCorrect: false,
    message: `The value is ${f} with a gradient and ${alone} without; it must be the same.`,
  };
}

/**
 * Checks `hessianVector` at x, given a right gradient.
 *
 * @throws CurvatureError ERR_ARGUMENT if the objective has no `hessianVector`; else as `checkGradient`
 */
export function checkHessianVector(
  objective: Objective,
  point: ArrayLike<number>,
  options?: DerivativeCheckOptions,
): DerivativeReport {
  const x = startPoint("checkHessianVector", objective, point);
  const {
    seed,
    coordinates,
    valueNoise: epsilon,
  } = derivativeCheckOptions.resolve("checkHessianVector", options);
  if (typeof objective.hessianVector !== "function")
    throw new CurvatureError("ERR_ARGUMENT", "the objective has no hessianVector.", {
      where: "checkHessianVector",
      path: "hessianVector",
    });
  const random = new RandomGenerator(seed);
  const v = randomDirection(x, random);
  const g = new Float64Array(x.length);
  const Hv = new Float64Array(x.length).fill(Number.NaN);
  const f = valueAt(objective, x.slice(), g);
  objective.hessianVector(x.slice(), v.slice(), Hv);
  checkDerivative("checkHessianVector", f, Hv);
  const slope = dot(g, v);
  const curvature = dot(v, Hv);

  const order = remainderOrder(epsilon, (h) => {
    const moved = valueAt(objective, along(x, h, v));
    const ofThePoint = (epsilon > Number.EPSILON ? norm2(x) * norm2(g) : 0) + h * norm2(x) * norm2(Hv); // x + h v is rounded too, where the gradient is h ∇²f v by now
    const terms =
      Math.abs(moved) + Math.abs(f) + Math.abs(h * slope) + Math.abs(h * h * curvature) + ofThePoint;
    return { value: moved - f - h * slope - 0.5 * h * h * curvature, terms };
  });
  const width = widthOf(epsilon);
  const gradients = [-2, -1, 1, 2].map((times) => {
    const there = new Float64Array(x.length);
    valueAt(objective, along(x, times * width, v), there);
    return there;
  });
  const rounding = (epsilon * gradients.reduce((most, there) => Math.max(most, norm2(there)), 0)) / width;
  const worst = worstCoordinate(Hv, coordinates, random, (i) => {
    const near = (gradients[2][i] - gradients[1][i]) / (2 * width);
    const far = (gradients[3][i] - gradients[0][i]) / (4 * width);
    return { near, missed: Math.abs(far - near) + 10 * rounding };
  });
  return judged("Hessian-vector product", 3, epsilon, order, worst);
}

function judged(
  what: string,
  right: number,
  epsilon: number,
  order: RemainderOrder,
  worst: CoordinateError,
  place?: (coordinate: number) => string,
): DerivativeReport {
  const { slope } = order;
  const isSteep = slope === undefined || slope >= right - slackOf(epsilon);
  const agrees = worst.error <= agreementOf(epsilon);
  const seen = slope === undefined ? "only rounding" : `the slope ${slope.toFixed(3)} (right: ${right})`;
  const where = `worst at ${named(worst, place)}: ${pair(worst.given, worst.difference)}`;
  const verdict = isSteep && agrees ? "is right" : "is wrong";
  return {
    ...order,
    isCorrect: isSteep && agrees,
    message: `The ${what} ${verdict}: the Taylor remainder shows ${seen}; ${where}.`,
    worst,
  };
}

const named = ({ coordinate }: CoordinateError, place?: (coordinate: number) => string): string =>
  place?.(coordinate) || `coordinate ${coordinate}`;
const pair = (given: number, difference: number): string => `given ${given}, by differences ${difference}`;

function judgedByDifferences(
  epsilon: number,
  order: RemainderOrder,
  worst: CoordinateError,
  place: ((coordinate: number) => string) | undefined,
  slope: number,
  difference: Difference,
): DerivativeReport {
  const isCorrect = Math.max(errorOf(slope, difference), worst.error) <= agreementOf(epsilon);
  const seen = `worst at ${named(worst, place)}: ${pair(worst.given, worst.difference)}`;
  return {
    ...order,
    isCorrect,
    message: `The gradient ${isCorrect ? "is right" : "is wrong"}: ${seen}; along a random direction ${pair(slope, difference.near)}.`,
    worst,
  };
}

/** A central difference, and how much it may miss by itself: by the terms of higher order, and by the rounding of the values. */
interface Difference {
  readonly near: number;
  readonly missed: number;
}

/** Widths of values that are less exact are from 4⁻⁴ to 4⁴ times the one for a function whose derivatives are all of one size. */
const RANGE = 4 ** 4;
/** A difference that misses no more than this share of itself is good enough. */
const FINE = 1e-4;

/**
 * The difference that misses least. A width misses at least as much as narrower ones were seen to: so a bend beside the point, on
 * both sides of which a function is straight, hides nothing.
 *
 * @param from - the least size of x for which widths are tried
 * @param to - the largest one
 * @param value - f beside the point, by the offset
 */
function leastMissing(
  epsilon: number,
  from: number,
  to: number,
  rounding: number,
  value: (offset: number) => number,
): Difference {
  const central = (width: number): number => (value(width) - value(-width)) / (2 * width);
  const widest = widthOf(epsilon) * to * RANGE;
  let width = (widthOf(epsilon) * from) / RANGE;
  let near = central(width);
  let seen = 0;
  let before = 0;
  let best: Difference = { near, missed: Number.POSITIVE_INFINITY };
  while (width <= widest && !(best.missed <= FINE * Math.abs(best.near))) {
    const far = central(4 * width);
    if (!Number.isFinite(far)) break; // f ends there
    const apart = Math.abs(far - near);
    const noise = (2 * rounding) / width;
    // Of the term w² a narrower difference shows nearly all, a wider one 15 times as much; either alone could cancel with w⁴.
    const missed = Math.max(seen, before, apart / 5) + noise;
    if (missed < best.missed) best = { near, missed };
    seen = Math.max(seen, apart - noise);
    before = apart;
    near = far;
    width *= 4;
  }
  return best;
}

/** |given − difference|, less what the difference misses, relative to the larger of them. */
function errorOf(given: number, { near, missed }: Difference): number {
  const apart = Math.max(0, Math.abs(given - near) - missed);
  return apart === 0 ? 0 : apart / Math.max(Math.abs(given), Math.abs(near));
}

/** Compares `given` with differences in some coordinates, all of them where they are few. */
function worstCoordinate(
  given: Float64Array,
  most: number,
  random: RandomGenerator,
  differenceAt: (coordinate: number) => Difference,
): CoordinateError {
  const isSampled = given.length > most;
  let worst: CoordinateError = { coordinate: 0, given: given[0], difference: given[0], error: 0 };
  for (let k = 0; k < Math.min(most, given.length); k++) {
    const i = isSampled ? random.integer(given.length) : k;
    const difference = differenceAt(i);
    const error = errorOf(given[i], difference);
    if (!(error <= worst.error))
      worst = { coordinate: i, given: given[i], difference: difference.near, error };
  }
  return worst;
}

/** @throws CurvatureError ERR_ARGUMENT for what is no number, and for an objective that writes into x */
function valueAt(objective: Objective, x: Float64Array, gradient?: Float64Array): number {
  const before = x.slice();
  const value = evaluated(objective, x, gradient);
  const at = x.findIndex((xi, i) => xi !== before[i]);
  if (at >= 0) throw pointWritten(at);
  return value;
}

/** A direction as long as x, and 1 at least, so that the steps along it suit x. */
function randomDirection(x: Float64Array, random: RandomGenerator): Float64Array {
  const v = x.map(() => 2 * random.uniform() - 1);
  const factor = Math.max(1, norm2(x)) / norm2(v);
  return v.map((entry) => factor * entry);
}

/** How large a step along a coordinate suits x there, be it among others that are much larger. */
const sizeOf = (xi: number): number => (xi === 0 ? 1 : Math.abs(xi));

const along = (x: Float64Array, h: number, v: Float64Array): Float64Array => x.map((xi, i) => xi + h * v[i]);

function checkDerivative(where: string, value: number, derivative: Float64Array): void {
  const at = derivative.findIndex((entry) => !Number.isFinite(entry));
  if (Number.isFinite(value) && at < 0) return;
  const what = at < 0 ? `the value is ${value}` : `entry ${at} of the derivative is ${derivative[at]}`;
  throw new CurvatureError(
    "ERR_NON_FINITE",
    `at x ${what}. Every entry of the output array must be written, not added to, and x must be where f is smooth.`,
    { where, path: at < 0 ? "value" : `derivative[${at}]`, expected: "a finite number" },
  );
}
