/**
 * The projection of numbers w onto {p ≥ 0, Σ p = s}: p = [w − θ]_+ with the one θ that makes the sum s.
 *
 * Held, Wolfe, Crowder: Validation of subgradient optimization. Math. Programming 6 (1974) 62-88.
 */

/**
 * θ for numbers that are given in decreasing order; those that are left out must lie below the θ of the others.
 *
 * @param s - above 0
 */
export function simplexThreshold(decreasing: Float64Array, s: number): number {
  let sum = 0;
  let theta = decreasing[0] - s;
  for (let i = 0; i < decreasing.length; i++) {
    sum += decreasing[i];
    const candidate = (sum - s) / (i + 1);
    if (decreasing[i] <= candidate) break;
    theta = candidate;
  }
  return theta;
}

/** How many lie above θ. */
export function activeCount(decreasing: Float64Array, theta: number): number {
  let count = 0;
  while (count < decreasing.length && decreasing[count] > theta) count++;
  return count;
}
