/**
 * Coordinates of objects whose distances are given: classical scaling.
 *
 * Problem    B = −½ J D² J, J = I − 1 1ᵀ/N;  B u = μ u for the d largest μ;  x_i = √μ_i u_i, 0 where μ_i ≤ 0
 * Way        Lanczos on products with D², so that B is not formed: O(N²) each
 *
 * Of Euclidean distances these are the points' principal scores, but for signs.
 *
 * Torgerson: Multidimensional scaling: I. Theory and method. Psychometrika 17 (1952) 401-419.
 */
import { type DenseMatrix, lanczos, matrixTimesVector, zeros } from "@curvature/linalg";

/**
 * @param squares - D², N × N
 * @returns N × d, about the mean
 */
export function classicalScaling(squares: DenseMatrix, dimensions: number): DenseMatrix {
  const N = squares.rows;
  const count = Math.min(dimensions, N - 1);
  const centred = new Float64Array(N);
  const { values, vectors } = lanczos(
    (v, out) => {
      centre(v, centred);
      matrixTimesVector(squares, centred, out);
      centre(out, out);
      for (let n = 0; n < N; n++) out[n] *= -0.5;
    },
    N,
    { count, which: "largest", tolerance: 1e-6, relativeTo: "operator" },
  );
  const coordinates = zeros(N, count);
  for (let i = 0; i < count; i++) {
    const size = Math.sqrt(Math.max(0, values[i]));
    for (let n = 0; n < N; n++) coordinates.data[n * count + i] = size * vectors.data[i * N + n];
  }
  return coordinates;
}

function centre(v: Float64Array, out: Float64Array): void {
  let mean = 0;
  for (let n = 0; n < v.length; n++) mean += v[n] / v.length;
  for (let n = 0; n < v.length; n++) out[n] = v[n] - mean;
}
