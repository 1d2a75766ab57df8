/**
 * Clusters from a solution Q of NOMAD: k-means with Q as the kernel, the rounding that belongs to the relaxation.
 *
 * Problem   maximise Σ_c (1/|C_c|) Σ_{i,j in C_c} Q_ij over partitions C_1 … C_k: the partition's own feasible point, Σ z zᵀ/|C|,
 *           that is nearest to Q
 * Lloyd     i goes to the c of least  −2 S_ic/|C_c| + W_c/|C_c|²,   S_ic = Σ_{j in C_c} Q_ij,  W_c = Σ_{i in C_c} S_ic
 * Start     k-means++: points drawn by their squared distance Q_ii + Q_pp − 2 Q_ip to the nearest one drawn; the best of a few
 * Soft      u_ic = S_ic: as Q 1 = 1 and Q ≥ 0 these are the probabilities that a step of the walk Q from i ends in C_c
 *
 * Peng, Wei: Approximating k-means-type clustering via semidefinite programming. SIAM J. Optim. 18 (2007), section 2;
 * Arthur, Vassilvitskii: k-means++. SODA 2007. Time per sweep n², or 2 n r k where Q has a factor of r columns.
 */
import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import { partOf, type Steps } from "../steps.js";
import type { Solution } from "./solution.js";

export interface Clusters {
  /** Of each point its cluster, numbered by their first points. */
  readonly labels: Int32Array;
  /** u, n × k, rows sum to 1. */
  readonly memberships: DenseMatrix;
}

const STARTS = 5;
const MAX_SWEEPS = 50;

/** @param k - from 1 to n; clusters without a point are the last ones, where there are fewer different points than k */
export function* clustersOf(solution: Solution, k: number, seed: number): Steps<Clusters> {
  const random = new RandomGenerator(seed);
  let best: Partition = { labels: new Int32Array(solution.n), value: Number.NEGATIVE_INFINITY };
  const starts = k > 1 ? STARTS : 1;
  for (let start = 0; start < starts; start++) {
    const found = yield* partOf(lloyd(solution, k, random), start / starts, (start + 1) / starts);
    if (found.value > best.value) best = found;
  }
  const labels = numberedByFirst(best.labels, k);
  return { labels, memberships: membershipsOf(solution, labels, k) };
}

/** u of any labels. */
export const membershipsOf = (solution: Solution, labels: Int32Array, k: number): DenseMatrix =>
  normalized(solution.sumsOver(labels, k));

interface Partition {
  readonly labels: Int32Array;
  /** Σ_c W_c/|C_c| */
  readonly value: number;
}

function* lloyd(solution: Solution, k: number, random: RandomGenerator): Steps<Partition> {
  const { n } = solution;
  const labels = start(solution, k, random);
  let value = Number.NEGATIVE_INFINITY;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    yield sweep / MAX_SWEEPS;
    const S = solution.sumsOver(labels, k).data;
    const sizes = new Float64Array(k);
    const within = new Float64Array(k);
    for (let i = 0; i < n; i++) {
      sizes[labels[i]]++;
      within[labels[i]] += S[i * k + labels[i]];
    }
    const reached = within.reduce((sum, w, c) => (sizes[c] > 0 ? sum + w / sizes[c] : sum), 0);
    if (!(reached > value * (1 + 1e-12))) break;
    value = reached;
    const distance = (i: number, c: number): number =>
      within[c] / (sizes[c] * sizes[c]) - (2 * S[i * k + c]) / sizes[c];
    for (let i = 0; i < n; i++) {
      let nearest = labels[i];
      for (let c = 0; c < k; c++) if (sizes[c] > 0 && distance(i, c) < distance(i, nearest)) nearest = c;
      labels[i] = nearest;
    }
  }
  return { labels, value };
}

/** Each point with the nearest of k drawn ones. */
function start(solution: Solution, k: number, random: RandomGenerator): Int32Array {
  const { n, diagonal } = solution;
  const labels = new Int32Array(n);
  const nearest = new Float64Array(n).fill(1);
  const column = new Float64Array(n);
  for (let c = 0; c < k; c++) {
    const p = drawn(nearest, random);
    if (p < 0) break; // all points lie on drawn ones
    solution.column(p, column);
    for (let i = 0; i < n; i++) {
      const distance = Math.max(0, diagonal[i] + diagonal[p] - 2 * column[i]);
      if (c > 0 && !(distance < nearest[i])) continue;
      nearest[i] = distance;
      labels[i] = c;
    }
    nearest[p] = 0;
    labels[p] = c;
  }
  return labels;
}

/** An index drawn by its weight; −1 if all are 0 but for rounding. */
function drawn(weights: Float64Array, random: RandomGenerator): number {
  let total = 0;
  let largest = 0;
  for (let i = 0; i < weights.length; i++) {
    total += weights[i];
    largest = Math.max(largest, weights[i]);
  }
  if (!(largest > 1e-14)) return -1;
  let left = random.uniform() * total;
  for (let i = 0; i < weights.length; i++) {
    left -= weights[i];
    if (left < 0 && weights[i] > 0) return i;
  }
  return weights.lastIndexOf(largest);
}

/** The same clusters, in the order of their first points. */
export function numberedByFirst(labels: Int32Array, k: number): Int32Array {
  const names = new Int32Array(k).fill(-1);
  let next = 0;
  return labels.map((label) => {
    if (names[label] < 0) names[label] = next++;
    return names[label];
  });
}

function normalized(sums: DenseMatrix): DenseMatrix {
  const { rows: n, columns: k, data } = sums;
  for (let i = 0; i < n; i++) {
    let total = 0;
    for (let c = 0; c < k; c++) total += data[i * k + c];
    for (let c = 0; c < k; c++) data[i * k + c] /= total;
  }
  return sums;
}
