import { type DenseMatrix, fillNormal, RandomGenerator } from "@curvature/linalg";

export interface Components {
  project(rows: DenseMatrix): DenseMatrix;
}

/** Principal components by orthogonal iteration. */
export function principalComponents(points: DenseMatrix, k: number): Components {
  const { rows: N, columns: D, data: Y } = points;
  const mean = new Float64Array(D);
  for (let p = 0; p < N * D; p++) mean[p % D] += Y[p] / N;
  const V = Array.from({ length: k }, () => new Float64Array(D));
  const random = new RandomGenerator(1);
  for (const v of V) fillNormal(random, v);
  const score = (row: number, data: Float64Array, v: Float64Array): number => {
    let s = 0;
    for (let j = 0; j < D; j++) s += (data[row * D + j] - mean[j]) * v[j];
    return s;
  };
  const orthonormalize = (): void => {
    for (let a = 0; a < k; a++) {
      for (let b = 0; b < a; b++) {
        let s = 0;
        for (let j = 0; j < D; j++) s += V[a][j] * V[b][j];
        for (let j = 0; j < D; j++) V[a][j] -= s * V[b][j];
      }
      let q = 0;
      for (let j = 0; j < D; j++) q += V[a][j] * V[a][j];
      q = Math.sqrt(q);
      for (let j = 0; j < D; j++) V[a][j] = q > 0 ? V[a][j] / q : 0;
    }
  };
  orthonormalize();
  for (let it = 0; it < 60; it++) {
    const W = V.map(() => new Float64Array(D));
    for (let n = 0; n < N; n++)
      for (let a = 0; a < k; a++) {
        const s = score(n, Y, V[a]);
        for (let j = 0; j < D; j++) W[a][j] += s * (Y[n * D + j] - mean[j]);
      }
    for (let a = 0; a < k; a++) V[a].set(W[a]);
    orthonormalize();
  }
  return {
    project: (rows) => {
      const out = new Float64Array(rows.rows * k);
      for (let n = 0; n < rows.rows; n++)
        for (let a = 0; a < k; a++) out[n * k + a] = score(n, rows.data, V[a]);
      return { rows: rows.rows, columns: k, data: out };
    },
  };
}
