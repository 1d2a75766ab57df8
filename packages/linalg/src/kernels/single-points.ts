/**
 * Points of the plane in single precision: about the middle of their bounding box, since a sum over pairs knows differences
 * alone, and single precision is finest about 0.
 */

/**
 * Half the box's longer side. Above, rounding would move points by more than 8e-6, beside a kernel whose width is 1; below, K
 * is nearly 1 for all pairs, and S would not tell any more how they move.
 */
const MOST_REACH = 256;
const LEAST_REACH = 0.5;

export class SinglePoints {
  readonly x: Float32Array;
  readonly y: Float32Array;

  constructor(points: number) {
    this.x = new Float32Array(points);
    this.y = new Float32Array(points);
  }

  /** Takes the points; false where single precision is not for them, and where one is not finite. */
  take(x: Float64Array, y: Float64Array): boolean {
    const reach = Math.max(centred(x, this.x), centred(y, this.y));
    return reach >= LEAST_REACH && reach <= MOST_REACH;
  }
}

/** x about the middle of its range into `out`. @returns half the range; NaN where an x is */
function centred(x: Float64Array, out: Float32Array): number {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let n = 0; n < x.length; n++) {
    least = Math.min(least, x[n]);
    most = Math.max(most, x[n]);
  }
  const middle = 0.5 * (least + most);
  for (let n = 0; n < x.length; n++) out[n] = x[n] - middle;
  return 0.5 * (most - least);
}
