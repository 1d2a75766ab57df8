/**
 * The connected components of Q's graph: i and j are joined where Q_ij > threshold · max Q.
 *
 * Breadth first over the dense rows: n² looks, n memory. Use the nonnegative copy of the ADMM, whose zeros are exact, with
 * 1e-4; points by conditional gradients are noisy up to their violation, and want 1e-2.
 */
import { type Components, checkOptions, type MatrixLike, nonNegative } from "@curvature/linalg";
import { squareMatrix } from "./square.js";

/**
 * @param Q - n × n; of Q_ij and Q_ji the larger counts
 * @param threshold - relative to the largest entry. Default 1e-4
 * @returns labels from 0, numbered by their first point
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION
 */
export function componentsOf(Q: MatrixLike, threshold = 1e-4): Components {
  const { rows: n, data } = squareMatrix("componentsOf", Q);
  checkOptions("componentsOf", { threshold }, { threshold: 1e-4 }, { threshold: nonNegative });
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
