/**
 * Sine and cosine by arithmetic alone: the same bits on every engine, which `Math.sin` and `Math.cos` do not promise.
 *
 * Method     x = k · π/2 + r + t, |r| ≤ π/4, t the rounding error of r; then by k mod 4
 *            sin x, cos x = ± S(r + t) or ± C(r + t), S and C the Taylor polynomials of degree 17 and 16
 *            (remainders < 2^-62 of the result)
 * Reduction  π/2 = P1 + P2 + P3 + P4; the first three have 33 bits, so that their products with k < 2^20 are exact
 * Accuracy   within 0.8 units in the last place, for |x| ≤ 1,600,000
 *
 * | symbol | variable | value                                  |
 * |--------|----------|----------------------------------------|
 * | k      | k        | nearest whole number to x / (π/2)      |
 * | r, t   | r, t     | reduced argument: nearest double, rest |
 *
 * Cody, Waite: Software manual for the elementary functions. Prentice-Hall (1980), chapter 8. The evaluation with a
 * rest t follows Ng: Argument reduction for huge arguments. SunPro (1992); such arguments are refused here.
 */
import { CurvatureError } from "../errors.js";

const largestArgument = 1_600_000;

/** sin x. @throws CurvatureError ERR_ARGUMENT unless |x| ≤ 1,600,000 (radians) */
export function sin(x: number): number {
  return x === 0 ? x : quarterTurned(x, 0);
}

/** cos x. @throws CurvatureError ERR_ARGUMENT unless |x| ≤ 1,600,000 (radians) */
export function cos(x: number): number {
  return quarterTurned(x, 1);
}

/** sin(x + turns · π/2) */
function quarterTurned(x: number, turns: number): number {
  if (!(Math.abs(x) <= largestArgument)) throw tooLarge(x);
  const k = x * 0.6366197723675814 + 6755399441055744 - 6755399441055744; // adding 1.5 · 2^52 rounds
  const a = x - k * 1.5707963267341256; // P1, exact
  const b = k * 6.077100506303966e-11; // P2
  const ab = a - b;
  const c = k * 2.0222662487111665e-21; // P3
  const abc = ab - c;
  const rest = differenceError(a, b, ab) + differenceError(ab, c, abc) - k * 8.4784276603689e-32; // P4
  const r = abc + rest;
  const t = rest - (r - abc);
  const quadrant = (k + turns) & 3;
  const size = (quadrant & 1) === 0 ? sine(r, t) : cosine(r, t);
  return quadrant < 2 ? size : -size;
}

/** a − b − fl(a − b), exactly (Knuth). */
function differenceError(a: number, b: number, difference: number): number {
  const v = difference - a;
  return a - (difference - v) - (b + v);
}

/** S(r + t) = r + t − r³/6 − r² t/2 + r⁵ p */
function sine(r: number, t: number): number {
  const r2 = r * r;
  const r3 = r2 * r;
  const p =
    1 / 120 +
    r2 *
      (-1 / 5040 +
        r2 *
          (1 / 362880 +
            r2 *
              (-1 / 39916800 +
                r2 * (1 / 6227020800 + r2 * (-1 / 1307674368000 + r2 * (1 / 355687428096000))))));
  return r - (r2 * (0.5 * t - r3 * p) - t + r3 * (1 / 6));
}

/** C(r + t) = 1 − r²/2 + (r⁴ p − r t), with the rounding error of 1 − r²/2 put back */
function cosine(r: number, t: number): number {
  const r2 = r * r;
  const half = 0.5 * r2;
  const p =
    1 / 24 +
    r2 *
      (-1 / 720 +
        r2 *
          (1 / 40320 +
            r2 *
              (-1 / 3628800 + r2 * (1 / 479001600 + r2 * (-1 / 87178291200 + r2 * (1 / 20922789888000))))));
  const main = 1 - half;
  return main + (1 - main - half + (r2 * r2 * p - r * t));
}

function tooLarge(x: number): CurvatureError {
  return new CurvatureError(
    "ERR_ARGUMENT",
    `sin and cos take angles from -${largestArgument} to ${largestArgument} radians; received ${x}.`,
    { path: "x", expected: `a number from -${largestArgument} to ${largestArgument}`, received: x },
  );
}
