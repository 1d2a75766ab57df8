/**
 * Distances along the graph that Q draws: shortest paths over the edges Q_ij ≥ threshold, of the lengths
 * √max(0, Q_ii + Q_jj − 2 Q_ij), which are the distances of the rows of a factor of Q.
 *
 * Tepper, Sengupta, Chklovskii, J. Mach. Learn. Res. 19 (2018), section 3.2, whose formula lacks the root.
 */
import { checkArgument, type DenseMatrix, type MatrixLike, nonNegative } from "@curvature/linalg";
import { squareMatrix } from "../arguments.js";
import { type Edges, shortestPaths } from "./shortest-paths.js";

/**
 * @param Q - n × n, symmetric
 * @param threshold - the least entry that is an edge, not relative. Default 1e-5
 * @returns n × n; Infinity between components
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT, ERR_MEMORY
 */
export function geodesicDistances(Q: MatrixLike, threshold = 1e-5): DenseMatrix {
  const matrix = squareMatrix("geodesicDistances", Q);
  checkArgument("geodesicDistances", "threshold", nonNegative, threshold);
  return shortestPaths(edgesOf(matrix, threshold));
}

function edgesOf({ rows: n, data }: DenseMatrix, threshold: number): Edges {
  const pointers = new Int32Array(n + 1);
  for (let i = 0; i < n; i++) {
    let degree = 0;
    for (let j = 0; j < n; j++) if (j !== i && data[i * n + j] >= threshold) degree++;
    pointers[i + 1] = pointers[i] + degree;
  }
  const ends = new Int32Array(pointers[n]);
  const lengths = new Float64Array(pointers[n]);
  for (let i = 0, at = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      if (j === i || !(data[i * n + j] >= threshold)) continue;
      ends[at] = j;
      lengths[at++] = Math.sqrt(Math.max(0, data[i * n + i] + data[j * n + j] - 2 * data[i * n + j]));
    }
  return { pointers, ends, lengths };
}
