/**
 * Clusters within clusters: from k groups down to one by merges, so that those of K − 1 groups are those of K with two of them joined.
 *
 * The two whose merge raises the cost W (see `cost.ts`) least are joined:
 *
 *   W grows by N_a N_b/(N_a + N_b) ‖m_a − m_b‖²,    the mean of both is (N_a m_a + N_b m_b)/(N_a + N_b)
 *
 * It never grows by less than in the merge before. The groups of each K but the first are not the best ones of that many: being
 * nested has its price, and the certificate of k clusters says nothing of K others.
 *
 * Ward: Hierarchical grouping to optimize an objective function. JASA 58 (1963). Time k³ + k² d, memory k².
 */
import {
  badArgument,
  type DenseMatrix,
  integerFrom,
  type MatrixLike,
  maxAbs,
  powerOfTwoBelow,
  toDense,
} from "@curvature/linalg";
import { clusterCount, clusterMeans, clusterSizes } from "./rows-of-clusters.js";

/** Two groups become one. */
export interface WardMerge {
  /** The groups by the smallest numbers of the clusters in them, a < b; the new one is a. */
  readonly a: number;
  readonly b: number;
  /** By how much the cost grows, in the square of the data's unit; Infinity where it overflows. */
  readonly increase: number;
}

export interface WardTree {
  /** k, that of the labels it begins with. */
  readonly clusters: number;
  /** k − 1, in turn: after the first there are k − 1 groups. */
  readonly merges: readonly WardMerge[];
  /**
   * The labels of K groups, 1 to k, numbered by their first rows; −1 stays.
   *
   * @throws CurvatureError ERR_ARGUMENT
   */
  labelsOf(clusters: number): Int32Array;
}

/**
 * @example
 * const points = [[0], [1], [10], [14], [40]];
 * const tree = wardTree(points, [0, 0, 1, 1, 2]);
 * console.log(tree.labelsOf(2)); // [0, 0, 0, 0, 1]
 *
 * @param points - n × d
 * @param labels - of the finest groups: of each row its cluster, 0 … k − 1, or −1 for none
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT
 */
export function wardTree(points: MatrixLike, labels: ArrayLike<number>): WardTree {
  const X = toDense(points, "points");
  const k = clusterCount("wardTree", labels, X.rows);
  const merges = mergesOf(X, labels, k);
  const finest = Int32Array.from(labels);
  return {
    clusters: k,
    merges,
    labelsOf: (clusters) => {
      const rule = integerFrom(1, k);
      if (!rule.accepts(clusters)) throw badArgument("labelsOf", "clusters", rule.expected, clusters);
      const groupOf = Int32Array.from({ length: k }, (_, c) => c);
      for (const { a, b } of merges.slice(0, k - clusters))
        for (let c = 0; c < k; c++) if (groupOf[c] === b) groupOf[c] = a;
      return renumbered(finest, groupOf);
    },
  };
}

function mergesOf(X: DenseMatrix, labels: ArrayLike<number>, k: number): WardMerge[] {
  const d = X.columns;
  const unit = powerOfTwoBelow(maxAbs(X.data)); // squares neither overflow nor vanish in it
  const means = clusterMeans(X, labels, k).data.map((x) => x / unit);
  const masses = Float64Array.from(clusterSizes(labels, k));
  const increases = new Float64Array(k * k).fill(Number.POSITIVE_INFINITY);
  const alive = new Uint8Array(k).fill(1);
  const measure = (a: number, b: number): void => {
    let sum = 0;
    for (let j = 0; j < d; j++) sum += (means[a * d + j] - means[b * d + j]) ** 2;
    increases[Math.min(a, b) * k + Math.max(a, b)] =
      ((masses[a] * masses[b]) / (masses[a] + masses[b])) * sum;
  };
  for (let a = 0; a < k; a++) for (let b = a + 1; b < k; b++) measure(a, b);
  const merges: WardMerge[] = [];
  while (merges.length < k - 1) {
    let at = -1;
    for (let a = 0; a < k; a++)
      for (let b = a + 1; alive[a] === 1 && b < k; b++)
        if (alive[b] === 1 && (at < 0 || increases[a * k + b] < increases[at])) at = a * k + b;
    const [a, b] = [Math.floor(at / k), at % k];
    merges.push({ a, b, increase: increases[at] * unit * unit });
    const total = masses[a] + masses[b];
    for (let j = 0; j < d; j++)
      means[a * d + j] += (masses[b] / total) * (means[b * d + j] - means[a * d + j]);
    masses[a] = total;
    alive[b] = 0;
    for (let c = 0; c < k; c++) if (alive[c] === 1 && c !== a) measure(a, c);
  }
  return merges;
}

/** The groups in the order of their first rows. */
function renumbered(labels: Int32Array, groupOf: Int32Array): Int32Array {
  const names = new Map<number, number>();
  return labels.map((label) => {
    if (label < 0) return -1;
    const name = names.get(groupOf[label]) ?? names.size;
    names.set(groupOf[label], name);
    return name;
  });
}
