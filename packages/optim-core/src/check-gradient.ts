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
import type { Objective } from "./problem.js";
import { startPoint } from "./solvers/start.js";
import { type RemainderOrder, remainderOrder } from "./taylor.js";

/** Of `checkGradient` and `checkHessianVector`. */
export const derivativeCheckOptions = optionTable({
  /** Of the direction v and of the coordinates that are compared. */
  seed: integerFrom(0).default(0),
  /** At most so many coordinates are compared with central differences. */
  coordinates: integerFrom(1).default(100),
});
export type DerivativeCheckOptions = OptionsOf<typeof derivativeCheckOptions>;

export interface DerivativeReport extends RemainderOrder {
  /** The slope is that of a right derivative (at most 0.1 too small) or there is no slope, and no coordinate is off. */
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
const AGREEMENT = 1e-6;
/** Half the width of a central difference for x of size 1: the cube root of the rounding unit. */
const WIDTH = 6.0554544523933395e-6;

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
  const { seed, coordinates } = derivativeCheckOptions.resolve("checkGradient", options);
  const random = new RandomGenerator(seed);
  const g = new Float64Array(x.length).fill(Number.NaN);
  const f = objective.evaluate(x.slice(), g);
  checkDerivative("checkGradient", f, g);
  const alone = objective.evaluate(x.slice());
  const v = randomDirection(x, random);
  const slope = dot(g, v);

  const order = remainderOrder((h) => {
    const moved = objective.evaluate(along(x, h, v));
    return { value: moved - f - h * slope, terms: Math.abs(moved) + Math.abs(f) + Math.abs(h * slope) };
  });
  const moved = x.slice();
  const valueAt = (i: number, offset: number): number => {
    moved[i] = x[i] + offset;
    const value = objective.evaluate(moved);
    moved[i] = x[i];
    return value;
  };
  const worst = worstCoordinate(g, coordinates, random, (i) => {
    const width = WIDTH * Math.max(1, Math.abs(x[i]));
    const near = (valueAt(i, width) - valueAt(i, -width)) / (2 * width);
    const far = (valueAt(i, 2 * width) - valueAt(i, -2 * width)) / (4 * width);
    return { near, far, rounding: order.rounding / width };
  });
  const report = judged("gradient", 2, order, worst);
  if (Object.is(alone, f)) return report;
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
  const { seed, coordinates } = derivativeCheckOptions.resolve("checkHessianVector", options);
  if (typeof objective.hessianVector !== "function")
    throw new CurvatureError("ERR_ARGUMENT", "the objective has no hessianVector.", {
      where: "checkHessianVector",
      path: "hessianVector",
    });
  const random = new RandomGenerator(seed);
  const v = randomDirection(x, random);
  const g = new Float64Array(x.length);
  const Hv = new Float64Array(x.length).fill(Number.NaN);
  const f = objective.evaluate(x.slice(), g);
  objective.hessianVector(x.slice(), v.slice(), Hv);
  checkDerivative("checkHessianVector", f, Hv);
  const slope = dot(g, v);
  const curvature = dot(v, Hv);

  const order = remainderOrder((h) => {
    const moved = objective.evaluate(along(x, h, v));
    const ofThePoint = h * norm2(x) * norm2(Hv); // x + h v is rounded too, where the gradient is h ∇²f v by now
    const terms =
      Math.abs(moved) + Math.abs(f) + Math.abs(h * slope) + Math.abs(h * h * curvature) + ofThePoint;
    return { value: moved - f - h * slope - 0.5 * h * h * curvature, terms };
  });
  const gradients = [-2, -1, 1, 2].map((times) => {
    const there = new Float64Array(x.length);
    objective.evaluate(along(x, times * WIDTH, v), there);
    return there;
  });
  const rounding =
    (Number.EPSILON * gradients.reduce((most, there) => Math.max(most, norm2(there)), 0)) / WIDTH;
  const worst = worstCoordinate(Hv, coordinates, random, (i) => ({
    near: (gradients[2][i] - gradients[1][i]) / (2 * WIDTH),
    far: (gradients[3][i] - gradients[0][i]) / (4 * WIDTH),
    rounding,
  }));
  return judged("Hessian-vector product", 3, order, worst);
}

function judged(
  what: string,
  right: number,
  order: RemainderOrder,
  worst: CoordinateError,
): DerivativeReport {
  const { slope } = order;
  const isSteep = slope === undefined || slope >= right - 0.1;
  const agrees = worst.error <= AGREEMENT;
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
