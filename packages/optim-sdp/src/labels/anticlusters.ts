/**
 * Disjoint groups of points, each of which is a picture of the whole: anticlusters.
 *
 * The bounds of groups add up to one of all points, less Σ_g Σ_c N_gc ‖m_gc − m_c‖², which is small where every group has each
 * cluster's mean. Cluster by cluster, points in falling order of their distance from its mean are dealt in batches of p, one
 * to each group, by the assignment of least Σ 2 ⟨S_g, w (x − m_c)⟩, S_g the sum of what the group has of this cluster already; an
 * incomplete last batch goes to those groups that are the smallest. More than 32 groups are made as groups of groups.
 *
 * | symbol | variable | shape                        |
 * |--------|----------|------------------------------|
 * | x, w   | points   | n × d, n                     |
 * | p      | count    | number of groups             |
 * | S_g    | sums     | p × d                        |
 *
 * Späth: Anticlustering: maximizing the variance criterion. Control and Cybernetics 15 (1986); Piccialli, Sudoso: anticlusters for
 * bounds of k-means (2024). Time n p² + n p d.
 */
import { zeros } from "@curvature/linalg";
import { assigned } from "./assignment.js";
import type { WeightedPoints } from "./k-means.js";

/** Groups that are dealt to at once. */
const MOST_AT_ONCE = 32;

/** About `count` groups of rows, each with its rows in increasing order; their sizes differ by a few. */
export function anticlusters(
  points: WeightedPoints,
  labels: Int32Array,
  K: number,
  count: number,
): Int32Array[] {
  const all = Int32Array.from(labels.keys());
  return dealt(all, withDeviations(points, labels, K), labels, K, count).map((group) => group.sort());
}

interface Deviations {
  /** w (x − m_c), n × d, by rows. */
  readonly data: Float64Array;
  readonly columns: number;
  /** Their norms. */
  readonly sizes: Float64Array;
}

function dealt(rows: Int32Array, points: Deviations, labels: Int32Array, K: number, p: number): Int32Array[] {
  if (p <= 1) return [rows];
  if (p > MOST_AT_ONCE) {
    const first = Math.min(MOST_AT_ONCE, Math.ceil(p / MOST_AT_ONCE));
    const parts = dealt(rows, points, labels, K, first);
    return parts.flatMap((part) => dealt(part, points, labels, K, Math.round(p / first)));
  }
  const groups = Array.from({ length: p }, (): number[] => []);
  const clusters = Array.from({ length: K }, (): number[] => []);
  for (const i of rows) clusters[labels[i]].push(i);
  const costs = new Float64Array(p * p);
  const { data, columns: d, sizes } = points;
  for (const cluster of clusters) {
    cluster.sort((i, j) => sizes[j] - sizes[i] || i - j);
    const sums = zeros(p, d);
    for (let begin = 0; begin < cluster.length; begin += p) {
      const batch = cluster.slice(begin, begin + p);
      const open = smallest(groups, batch.length);
      for (let a = 0; a < batch.length; a++)
        for (let g = 0; g < open.length; g++)
          costs[a * open.length + g] = product(data, batch[a], sums.data, open[g], d);
      const places = assigned(costs, batch.length, open.length);
      for (let a = 0; a < batch.length; a++) {
        const g = open[places[a]];
        groups[g].push(batch[a]);
        for (let j = 0; j < d; j++) sums.data[g * d + j] += data[batch[a] * d + j];
      }
    }
  }
  return groups.filter((group) => group.length > 0).map((group) => Int32Array.from(group));
}

/** Numbers of the so many groups that have the fewest points: all of them, or those an incomplete batch goes to. */
function smallest(groups: readonly (readonly number[])[], count: number): number[] {
  const all = [...groups.keys()];
  if (count === groups.length) return all;
  return all.sort((g, h) => groups[g].length - groups[h].length || g - h).slice(0, count);
}

function withDeviations({ X, weights }: WeightedPoints, labels: Int32Array, K: number): Deviations {
  const { rows: n, columns: d, data } = X;
  const means = zeros(K, d).data;
  const masses = new Float64Array(K);
  for (let i = 0; i < n; i++) {
    masses[labels[i]] += weights[i];
    for (let j = 0; j < d; j++) means[labels[i] * d + j] += weights[i] * data[i * d + j];
  }
  const deviations = new Float64Array(n * d);
  const sizes = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let square = 0;
    for (let j = 0; j < d; j++) {
      const c = labels[i];
      const deviation = weights[i] * (data[i * d + j] - means[c * d + j] / masses[c]);
      deviations[i * d + j] = deviation;
      square += deviation * deviation;
    }
    sizes[i] = Math.sqrt(square);
  }
  return { data: deviations, columns: d, sizes };
}

function product(x: Float64Array, i: number, y: Float64Array, g: number, d: number): number {
  let sum = 0;
  for (let j = 0; j < d; j++) sum += x[i * d + j] * y[g * d + j];
  return sum;
}
