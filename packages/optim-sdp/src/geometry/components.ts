/**
 * The connected components of Q's graph: i and j are joined where Q_ij > threshold · max Q.
 *
 * Breadth first over the dense rows: n² comparisons, n memory. Use the nonnegative copy of the ADMM, whose zeros are exact, with
 * 1e-4; points by conditional gradients are noisy up to their violation, and want 1e-2.
 *
 * Of a factor, Q = F Fᵀ + …, F ≥ 0, i and j are joined where one column brings as much, F_ic F_jc > threshold · max Q. A pair that
 * is joined through column c is so to its largest entry as well, so that n r comparisons find all components: no n × n array.
 */
import {
  type Components,
  checkArgument,
  type DenseMatrix,
  type MatrixLike,
  nonNegative,
} from "@curvature/linalg";
import { squareMatrix } from "../arguments.js";
import type { FactoredPoint } from "../bounds/factored-point.js";

/**
 * @param Q - n × n; of Q_ij and Q_ji the larger counts
 * @param threshold - relative to the largest entry. Default 1e-4
 * @returns labels from 0, numbered by their first point
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT
 */
export function componentsOf(Q: MatrixLike, threshold = 1e-4): Components {
  const { rows: n, data } = squareMatrix("componentsOf", Q);
  checkArgument("componentsOf", "threshold", nonNegative, threshold);
  let largest = 0;
  for (let k = 0; k < data.length; k++) largest = Math.max(largest, data[k]);
  const least = threshold * largest;
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
        if (labels[j] >= 0 || !(data[i * n + j] > least || data[j * n + i] > least)) continue;
        labels[j] = count;
        queue[tail++] = j;
      }
    }
    count++;
  }
  return { count, labels };
}

/** @param threshold - relative to the largest entry of Q */
export function factoredComponents(
  { factor, diagonal, constant }: FactoredPoint,
  threshold: number,
): Components {
  const { rows: n, columns: r, data } = factor;
  const least = threshold * (largestEntry(factor, diagonal) + constant / n);
  if (constant / n > least) return { count: 1, labels: new Int32Array(n) };
  const parent = Int32Array.from({ length: n }, (_, i) => i);
  const root = (start: number): number => {
    let i = start;
    while (parent[i] !== i) {
      parent[i] = parent[parent[i]];
      i = parent[i];
    }
    return i;
  };
  for (let c = 0; c < r; c++) {
    let top = 0;
    for (let i = 1; i < n; i++) if (data[i * r + c] > data[top * r + c]) top = i;
    for (let i = 0; i < n; i++) {
      if (!(data[i * r + c] * data[top * r + c] > least)) continue;
      const a = root(i);
      const b = root(top);
      parent[Math.max(a, b)] = Math.min(a, b);
    }
  }
  const labels = new Int32Array(n);
  let count = 0;
  for (let i = 0; i < n; i++) labels[i] = parent[i] === i ? count++ : labels[root(i)];
  return { count, labels };
}

/** max (Q − constant/n), which stands on the diagonal, Q being positive semidefinite. */
function largestEntry({ rows: n, columns: r, data }: DenseMatrix, diagonal: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < n; i++) {
    let sum = diagonal[i];
    for (let c = 0; c < r; c++) sum += data[i * r + c] * data[i * r + c];
    largest = Math.max(largest, sum);
  }
  return largest;
}
