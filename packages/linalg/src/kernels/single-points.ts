/**
 * Points of the plane in single precision, about their mean: a sum over pairs knows differences alone, and single precision is
 * finest about 0.
 */

/**
 * The largest deviation from the mean: above, rounding would move points by more than 8e-6, beside a kernel whose width is 1.
 */
const MAX_REACH = 256;
/**
 * The least mean deviation. Below, K is nearly 1 for most pairs, and the last digits of S, by which a line search tells how
 * they move, are lost.
 */
const MIN_SPREAD = 1;

export class SinglePoints {
  readonly x: Float32Array;
  readonly y: Float32Array;

  constructor(points: number) {
    this.x = new Float32Array(points);
    this.y = new Float32Array(points);
  }

  /** Takes the points; false where single precision is not for them, and where one is not finite. */
  take(x: Float64Array, y: Float64Array): boolean {
    const [alongX, alongY] = [centred(x, this.x), centred(y, this.y)];
    return (
      Math.max(alongX.reach, alongY.reach) <= MAX_REACH &&
      Math.max(alongX.spread, alongY.spread) >= MIN_SPREAD
    );
  }
}

/** x about its mean into `out`. @returns the largest deviation and the mean one; NaN where an x is not finite */
function centred(x: Float64Array, out: Float32Array): { reach: number; spread: number } {
  let sum = 0;
  for (let n = 0; n < x.length; n++) sum += x[n];
  const mean = sum / x.length;
  let reach = 0;
  let total = 0;
  for (let n = 0; n < x.length; n++) {
    const deviation = x[n] - mean;
    out[n] = deviation;
    reach = Math.max(reach, Math.abs(deviation));
    total += Math.abs(deviation);
  }
  return { reach, spread: total / x.length };
}
