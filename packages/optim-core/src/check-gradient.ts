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
  /** The slope is that of a right derivative (at most 0.1 too small, 0.5 for values that are less exact) or there is no slope, and no coordinate is off. */
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

/**
 * Checks `evaluate`'s gradient at x, and that the value is the same with and without it. The gradient array comes
 * filled with NaN, so that a gradient that is added to it or not written at all shows.
 *
 * @throws CurvatureError ERR_NON_FINITE if value or gradient at x are not finite, and for what is no problem
 */
export function checkGradient(
  objective: Objective,
  point: ArrayLike<number>,
  options?: DerivativeCheckOptions,
): DerivativeReport {
  const x = startPoint("checkGradient", objective, point);
  const { seed, coordinates, valueNoise: epsilon } = derivativeCheckOptions.resolve("checkGradient", options);
  const random = new RandomGenerator(seed);
  const g = new Float64Array(x.length).fill(Number.NaN);
  const f = valueAt(objective, x.slice(), g);
  checkDerivative("checkGradient", f, g);
  const alone = valueAt(objective, x.slice());
  const v = randomDirection(x, random);
  const slope = dot(g, v);
  const ofThePoint = epsilon > Number.EPSILON ? norm2(x) * norm2(g) : 0; // x in single precision is another point

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
  const unit = widthOf(epsilon);
  const worst = worstCoordinate(g, coordinates, random, (i) => {
    const width = unit * Math.max(1, Math.abs(x[i]));
    const near = (beside(i, width) - beside(i, -width)) / (2 * width);
    const far = (beside(i, 2 * width) - beside(i, -2 * width)) / (4 * width);
    return { near, far, rounding: order.rounding / width };
  });
  const report = judged("gradient", 2, epsilon, order, worst);
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
  const worst = worstCoordinate(Hv, coordinates, random, (i) => ({
    near: (gradients[2][i] - gradients[1][i]) / (2 * width),
    far: (gradients[3][i] - gradients[0][i]) / (4 * width),
    rounding,
  }));
  return judged("Hessian-vector product", 3, epsilon, order, worst);
}

function judged(
  what: string,
  right: number,
  epsilon: number,
  order: RemainderOrder,
  worst: CoordinateError,
): DerivativeReport {
  const { slope } = order;
  const isSteep = slope === undefined || slope >= right - slackOf(epsilon);
  const agrees = worst.error <= agreementOf(epsilon);
  const seen = slope === undefined ? "only rounding" : `the slope ${slope.toFixed(3)} (right: ${right})`;
  const where = `worst at coordinate ${worst.coordinate}: given ${worst.given}, by differences ${worst.difference}`;
  const verdict = isSteep && agrees ? "is right" : "is wrong";
  return {
    ...order,
    isCorrect: isSteep && agrees,
    message: `The ${what} ${verdict}: the Taylor remainder shows ${seen}; ${where}.`,
    worst,
  };
}

/** A central difference, the same over twice the width, and the rounding of either. */
interface Difference {
  readonly near: number;
  readonly far: number;
  readonly rounding: number;
}

/**
 * Compares `given` with differences in some coordinates, all of them where they are few. What the differences miss
 * by themselves (a third of how far apart they are, and rounding) is no error.
 */
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
    const { near, far, rounding } = differenceAt(i);
    const missed = Math.abs(far - near) + 10 * rounding;
    const apart = Math.max(0, Math.abs(given[i] - near) - missed);
    const error = apart === 0 ? 0 : apart / Math.max(Math.abs(given[i]), Math.abs(near));
    if (!(error <= worst.error)) worst = { coordinate: i, given: given[i], difference: near, error };
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
