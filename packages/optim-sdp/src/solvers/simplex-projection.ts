/**
 * The projection of numbers w onto {p ≥ 0, Σ p = s}: p = [w − θ]_+ with the one θ that makes the sum s; and onto
 * {0 ≤ p ≤ 1, Σ p = s}: p = min(1, [w − θ]_+).
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

/**
 * θ of the projection onto {0 ≤ p ≤ 1, Σ p = s}, for numbers in decreasing order; those that are left out must lie below θ.
 *
 * @param s - above 0; where it is all of them or more, all are 1
 */
export function cappedThreshold(decreasing: Float64Array, s: number): number {
  const ends = new Float64Array(2 * decreasing.length);
  ends.set(decreasing);
  for (let i = 0; i < decreasing.length; i++) ends[decreasing.length + i] = decreasing[i] - 1;
  ends.sort();
  let [low, high] = [0, ends.length - 1]; // the sum falls from ends[low] to ends[high], linearly between neighbours
  if (cappedSum(decreasing, ends[low]) <= s) return ends[low];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (cappedSum(decreasing, ends[middle]) > s) low = middle;
    else high = middle;
  }
  const above = cappedSum(decreasing, ends[low]);
  const below = cappedSum(decreasing, ends[high]);
  return ends[low] + ((above - s) / (above - below)) * (ends[high] - ends[low]);
}

function cappedSum(w: Float64Array, theta: number): number {
  let sum = 0;
  for (let i = 0; i < w.length && w[i] > theta; i++) sum += Math.min(1, w[i] - theta);
  return sum;
}

/** How many lie above θ. */
export function activeCount(decreasing: Float64Array, theta: number): number {
  let count = 0;
  while (count < decreasing.length && decreasing[count] > theta) count++;
  return count;
}
