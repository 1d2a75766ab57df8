/**
 * How many clusters there are: the K of least BIC, beside what each K costs.
 *
 *   BIC(K) = −2 [Σ_c N_c ln(N_c/n) − (n d/2) ln(2π s²) − d (n − K)/2] + (K − 1 + K d + 1) ln n,   s² = W_K/(d (n − K))
 *   d      = (Σ λ)²/Σ λ², λ the eigenvalues of the covariance: the directions that the rows fill, where columns go together
 *
 * With N_0 rows of noise of n: N_0 ln(N_0/n) − N_0 ln V more in the bracket, and one parameter. V is the volume of the ball about the
 * mean that holds all rows, in d dimensions, by Stirling's formula: noise may be anywhere in it. So runs with noise and without,
 * and with other rows of noise, are judged on the same rows. Rows beyond the fence of 3, by their distances from the medians of the
 * columns, have no part in d, which must be the same for all runs.
 *
 * The model is K round normal clusters of one width. Rows of real tables are seldom drawn so, hence a finding and not a fact; the
 * cost of every K, how far it is from the least possible one, and the silhouette stand beside it. The silhouette of more rows than
 * `MAX_SILHOUETTE` is that of a sample.
 *
 * Banfield, Raftery: Model-based Gaussian and non-Gaussian clustering. Biometrics 49 (1993) 803-821, and Fraley, Raftery: How many
 * clusters? Computer J. 41 (1998) 578-588, noise as a uniform component; Pelleg, Moore: X-means. ICML 2000, the criterion, with d the number of columns; Rousseeuw: Silhouettes. J. Comput. Appl. Math. 20
 * (1987) 53-65. Columns that go together count once here: with their number BIC runs to the largest K on correlated tables.
 */
import { type DenseMatrix, log, norm2, Tridiagonalization, transposeMultiply } from "@curvature/linalg";
import { rowsOf, sampleOf, withinFence } from "./noise.js";
import { ownCoordinates } from "./own-coordinates.js";

/** One K that was tried. */
export interface ClusterCount {
  readonly clusters: number;
  readonly cost: number;
  readonly costLower: number;
  readonly costGap: number;
  /** −Infinity where the cost is 0. */
  readonly bic: number;
  /** −1 to 1, the mean over the rows; undefined for one cluster. */
  readonly silhouette: number | undefined;
  /** Whether the cost is proved to be within 1 % of the least possible one. */
  readonly isClosed: boolean;
}

/** How K was chosen: a finding, not a fact. */
export interface ClusterChoice {
  /** The K of least BIC. 1: no structure of clusters was found. */
  readonly clusters: number;
  /** From K = 1. */
  readonly table: readonly ClusterCount[];
}

/** Gap of the cost up to which a K is well posed. */
export const CLOSED = 1e-2;
const MAX_SILHOUETTE = 2000;
/** Columns, or rows where these are fewer, up to which the eigenvalues of a covariance are little work. */
const MAX_SPECTRUM = 500;

/** (Σ λ)²/Σ λ² of the rows that are not far from the others, 1 to d. */
export function effectiveDimension(X: DenseMatrix): number {
  const { X: centred } = ownCoordinates(withoutFarRows(X));
  const size = norm2(centred.data); // √Tr
  if (size === 0) return 1;
  const scaled = { ...centred, data: centred.data.map((x) => x / size) };
  const covariance = transposeMultiply(scaled, scaled);
  const root = norm2(covariance.data);
  return Math.min(X.columns, Math.max(1, 1 / (root * root)));
}

/** Rows within the fence of their distances from the medians of the columns. */
function withoutFarRows(X: DenseMatrix): DenseMatrix {
  const { rows: n, columns: d, data } = X;
  const medians = Float64Array.from({ length: d }, (_, j) => {
    const column = Float64Array.from({ length: n }, (_, i) => data[i * d + j]).sort();
    return column[n >> 1];
  });
  const row = new Float64Array(d);
  const distances = Float64Array.from({ length: n }, (_, i) => {
    for (let j = 0; j < d; j++) row[j] = data[i * d + j] - medians[j];
    return norm2(row);
  });
  const isNear = withinFence(distances);
  return rowsOf(
    X,
    Int32Array.from({ length: n }, (_, i) => i).filter((i) => isNear(distances[i])),
  );
}

/** Rows of noise, and ln V of all rows in d dimensions. */
export interface NoiseShare {
  readonly rows: number;
  readonly logVolume: number;
}

/** @param points - all of them, those of noise too */
export function noiseShare(points: DenseMatrix, rows: number, d: number): NoiseShare {
  const { X, unit } = ownCoordinates(points);
  let radius = 0;
  for (let i = 0; i < X.rows; i++)
    radius = Math.max(radius, norm2(X.data.subarray(i * X.columns, (i + 1) * X.columns)));
  const logRadius = radius > 0 ? log(radius) + log(unit) : 0;
  return {
    rows,
    logVolume: (d / 2) * (log((2 * Math.PI) / d) + 1) + d * logRadius - log(Math.PI * d) / 2,
  };
}

/**
 * @param labels - of the rows that are no noise
 * @param cost - in the square of the data's unit
 * @param d - see `effectiveDimension`
 */
export function bicOf(labels: Int32Array, k: number, cost: number, d: number, noise = NO_NOISE): number {
  const kept = labels.length;
  const n = kept + noise.rows;
  if (cost === 0) return Number.NEGATIVE_INFINITY;
  if (kept <= k) return Number.POSITIVE_INFINITY;
  const sizes = new Float64Array(k);
  for (let i = 0; i < kept; i++) sizes[labels[i]]++;
  const shares = [...sizes, noise.rows].reduce(
    (sum, size) => (size > 0 ? sum + size * log(size / n) : sum),
    0,
  );
  const width = log(2 * Math.PI) + log(cost) - log(d * (kept - k));
  const likelihood = shares - (kept * d * width) / 2 - (d * (kept - k)) / 2 - noise.rows * noise.logVolume;
  return -2 * likelihood + (k - 1 + k * d + 1 + (noise.rows > 0 ? 1 : 0)) * log(n);
}

const NO_NOISE: NoiseShare = { rows: 0, logVolume: 0 };

/** The mean silhouettes of several clusterings, at one look at the distances. */
export function silhouettesOf(
  X: DenseMatrix,
  clusterings: readonly { readonly labels: Int32Array; readonly k: number }[],
  seed: number,
): (number | undefined)[] {
  const rows = sampleOf(X.rows, MAX_SILHOUETTE, seed);
  const part = rowsOf(X, rows);
  const n = part.rows;
  const sampled = clusterings.map(({ labels, k }) => {
    const own = Int32Array.from(rows, (row) => labels[row]);
    const sizes = new Int32Array(k);
    for (let i = 0; i < n; i++) sizes[own[i]]++;
    return { own, sizes, sums: new Float64Array(k), total: 0 };
  });
  const difference = new Float64Array(X.columns);
  for (let i = 0; i < n; i++) {
    for (const { sums } of sampled) sums.fill(0);
    for (let j = 0; j < n; j++) {
      for (let c = 0; c < X.columns; c++)
        difference[c] = part.data[i * X.columns + c] - part.data[j * X.columns + c];
      const distance = norm2(difference);
      for (const { own, sums } of sampled) sums[own[j]] += distance;
    }
    for (const each of sampled) each.total += silhouetteOf(each.own[i], each.sums, each.sizes);
  }
  return sampled.map(({ sizes, total }) => (sizes.length > 1 ? total / n : undefined));
}

/** (b − a)/max(a, b), a and b the mean distances to the own cluster and to the nearest other one; 0 for one row alone. */
function silhouetteOf(own: number, sums: Float64Array, sizes: Int32Array): number {
  if (sizes[own] < 2) return 0;
  const a = sums[own] / (sizes[own] - 1);
  let b = Number.POSITIVE_INFINITY;
  for (let c = 0; c < sums.length; c++) if (c !== own && sizes[c] > 0) b = Math.min(b, sums[c] / sizes[c]);
  const larger = Math.max(a, b);
  return Number.isFinite(b) && larger > 0 ? (b - a) / larger : 0;
}

/**
 * Tr(D Q) is at most the sum of the K − 1 largest eigenvalues of D, for each K: a bound of which nothing has to be solved. Rounding is
 * allowed for as in `bounds/upper.ts`. Infinity where the spectrum would take long.
 */
export function spectralBounds(X: DenseMatrix, counts: readonly number[]): number[] {
  const { rows: n, columns: d } = X;
  if (d > MAX_SPECTRUM) return counts.map(() => Number.POSITIVE_INFINITY);
  const covariance = transposeMultiply(X, X);
  const size = norm2(covariance.data);
  const eigenvalues = new Tridiagonalization(covariance).eigenvalues(); // increasing
  return counts.map((K) => {
    let sum = 0;
    for (let j = 0; j < Math.min(K - 1, d); j++) sum += Math.max(0, eigenvalues[d - 1 - j]);
    return sum + (n + d) * K * Number.EPSILON * size;
  });
}
