/**
 * The connected components of Q's graph: i and j are joined where Q_ij > threshold · √(Q_ii Q_jj).
 *
 * The scale is that of the two points: in the block of a cluster, 1/|C| throughout, the ratio is 1 whatever the cluster's size,
 * and where points of a manifold share a tile it is the cosine of their angle as Q sees it. Relative to the largest entry of all, a
 * cluster of 1,000 points beside one of 2 would fall below any threshold that noise does not pass.
 *
 * Breadth first, n² comparisons and n memory for a dense Q; for a factor of K columns that share no rows n²/K.
 */
import { type Components, checkArgument, type MatrixLike, nonNegative } from "@curvature/linalg";
import { squareMatrix } from "../arguments.js";
import type { FactoredPoint } from "../bounds/factored-point.js";

/**
 * Of clusters: between what one holds, 1, and what a solver's tolerance leaves across, which at 500 points beside one is a quarter
 * for a gap of 4e-4.
 */
export const OF_CLUSTERS = 0.5;
/** Of tilings, whose tiles may be so narrow that neighbours share little: more than a repair or a tolerance leaves. */
export const OF_TILINGS = 1e-2;

/**
 * @param Q - n × n; of Q_ij and Q_ji the larger counts
 * @param threshold - from 0; of √(Q_ii Q_jj), what joins i and j. Default 0.5
 * @returns labels from 0, numbered by their first point
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT
 */
export function componentsOf(Q: MatrixLike, threshold = OF_CLUSTERS): Components {
  const { rows: n, data } = squareMatrix("componentsOf", Q);
  checkArgument("componentsOf", "threshold", nonNegative, threshold);
  const roots = Float64Array.from({ length: n }, (_, i) => Math.sqrt(Math.max(0, data[i * n + i])));
  return joined(n, (i, j) => {
    const least = threshold * roots[i] * roots[j];
    return data[i * n + j] > least || data[j * n + i] > least;
  });
}

/** The same of Q = F Fᵀ + diag(δ) + γ 1 1ᵀ/n, which is not formed: by the columns of F, most of whose entries are 0. */
export function factoredComponents(
  { factor, diagonal, constant }: FactoredPoint,
  threshold: number,
): Components {
  const { rows: n, columns: r, data } = factor;
  const shared = constant / n;
  const squares = Float64Array.from(diagonal, (entry) => entry + shared);
  const columns: number[][] = Array.from({ length: r }, () => []);
  for (let at = 0; at < data.length; at++) {
    if (data[at] === 0) continue;
    squares[Math.floor(at / r)] += data[at] * data[at];
    columns[at % r].push(Math.floor(at / r));
  }
  const roots = squares.map((square) => Math.sqrt(Math.max(0, square)));
  const products = new Float64Array(n);
  let rowOfProducts = -1;
  return joined(n, (i, j) => {
    if (i !== rowOfProducts) {
      rowOfProducts = i;
      products.fill(shared);
      for (let c = 0; c < r; c++)
        if (data[i * r + c] !== 0)
          for (const k of columns[c]) products[k] += data[i * r + c] * data[k * r + c];
    }
    return products[j] > threshold * roots[i] * roots[j];
  });
}

function joined(n: number, areJoined: (i: number, j: number) => boolean): Components {
  const labels = new Int32Array(n).fill(-1);
  const queue = new Int32Array(n);
  let count = 0;
  for (let first = 0; first < n; first++) {
    if (labels[first] >= 0) continue;
    labels[first] = count;
    queue[0] = first;
    for (let head = 0, tail = 1; head < tail; head++) {
      const i = queue[head];
      for (let j = 0; j < n; j++) {
        if (labels[j] >= 0 || !areJoined(i, j)) continue;
        labels[j] = count;
        queue[tail++] = j;
      }
    }
    count++;
  }
  return { count, labels };
}
