/**
 * The cubic B-spline on the four nodes around a point: node i − 1 + a, a = 0 … 3, at offset t from node i, 0 ≤ t < 1.
 *
 *   w_a: (1 − t)³/6,  (3t³ − 6t² + 4)/6,  (−3t³ + 3t² + 3t + 1)/6,  t³/6      their sum is 1
 *
 * Twice continuously differentiable, so that what is interpolated with it has a gradient everywhere. Its values at whole
 * numbers are 1/6, 4/6, 1/6, with the transform b(θ) = (2 + cos θ)/3.
 *
 * Unser, Aldroubi, Eden: B-spline signal processing. IEEE Trans. Signal Process. 41 (1993) 821-848.
 */
export const SUPPORT = 4;

export function splineWeights(t: number, w: Float64Array): void {
  const s = 1 - t;
  const t2 = t * t;
  w[0] = (s * s * s) / 6;
  w[1] = (3 * t2 * t - 6 * t2 + 4) / 6;
  w[3] = (t2 * t) / 6;
  w[2] = 1 - w[0] - w[1] - w[3];
}

/** dw_a/dt */
export function splineSlopes(t: number, w: Float64Array): void {
  const s = 1 - t;
  w[0] = -0.5 * s * s;
  w[1] = 1.5 * t * t - 2 * t;
  w[3] = 0.5 * t * t;
  w[2] = -w[0] - w[1] - w[3];
}

/** d²w_a/dt² */
export function splineCurvatures(t: number, w: Float64Array): void {
  w[0] = 1 - t;
  w[1] = 3 * t - 2;
  w[2] = 1 - 3 * t;
  w[3] = t;
}
