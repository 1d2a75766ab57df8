/**
 * A sample of weighted points that stands for all of them where centres are looked for, rare far points included.
 *
 *   q_i = ½ w_i/Σ w + ½ w_i d_i²/Σ w d²,   d_i the distance of point i from the mean of all
 *   place (s + u_s)/count of the running sum of q, for s = 0, 1, …, draws a point; one drawn c_i times has the weight
 *   w_i c_i/(count q_i)
 *
 * Half of the draws are even. The other half go where the variance is, so that a cluster of one point beside 10,000, which an even
 * sample leaves out, is drawn for sure if it counts in the cost: every point with more than 4/count of the variance is.
 *
 * Bachem, Lucic, Krause: Scalable k-means clustering via lightweight coresets. KDD 2018. Time m d.
 */
import type { DenseMatrix, RandomGenerator } from "@curvature/linalg";

export interface WeightedPoints {
  readonly X: DenseMatrix;
  readonly weights: Float64Array;
}

/** @param count - of the draws; the sample has at most so many points */
export function pointSample(
  { X, weights }: WeightedPoints,
  count: number,
  random: RandomGenerator,
): WeightedPoints {
  const { rows: m, columns: d, data } = X;
  const squares = squaredDistances(X, weights);
  const mass = weights.reduce((sum, w) => sum + w, 0);
  const variance = squares.reduce((sum, square, i) => sum + weights[i] * square, 0);
  const share = (i: number): number =>
    variance > 0 ? (weights[i] / mass + (weights[i] * squares[i]) / variance) / 2 : weights[i] / mass;
  const rows: number[] = [];
  const own: number[] = [];
  let drawn = 0;
  let place = random.uniform() / count;
  let reached = 0;
  for (let i = 0; i < m && drawn < count; i++) {
    const q = share(i);
    reached += q;
    let times = 0;
    while (drawn < count && place < reached) {
      times++;
      drawn++;
      place = (drawn + random.uniform()) / count;
    }
    if (times === 0) continue;
    rows.push(i);
    own.push((weights[i] * times) / (count * q));
  }
  const part = new Float64Array(rows.length * d);
  for (const [at, i] of rows.entries()) part.set(data.subarray(i * d, (i + 1) * d), at * d);
  return { X: { rows: rows.length, columns: d, data: part }, weights: Float64Array.from(own) };
}

function squaredDistances(
  { rows: m, columns: d, data }: WeightedPoints["X"],
  weights: Float64Array,
): Float64Array {
  const mean = new Float64Array(d);
  let mass = 0;
  for (let i = 0; i < m; i++) {
    mass += weights[i];
    for (let j = 0; j < d; j++) mean[j] += (weights[i] / mass) * (data[i * d + j] - mean[j]);
  }
  return weights.map((_, i) => {
    let sum = 0;
    for (let j = 0; j < d; j++) sum += (data[i * d + j] - mean[j]) ** 2;
    return sum;
  });
}
