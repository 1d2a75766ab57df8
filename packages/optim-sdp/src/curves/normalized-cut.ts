/**
 * The normalised cut of labels in a graph, and a bound that no labels are below, by NOMAD.
 *
 * G = diag(s) W diag(s),  G 1 = 1,  by s_i ← √(s_i / (W s)_i)                       (symmetric Sinkhorn scaling)
 * cut(l) = Σ_c (1/N_c) Σ_{i in c, j not in c} G_ij = K − Tr(G Q_l),   Q_l the feasible point of the labels
 * cut(l) ≥ K − UB for all labels of K parts, UB any upper bound of NOMAD(G, K)
 *
 * Of rows that sum to 1 within ε the bound is K (1 − ε) − UB. Xing, Jordan: On semidefinite relaxation for normalized k-cut. UC
 * Berkeley CSD-03-1265 (2003); Zass, Shashua: Doubly stochastic normalization for spectral clustering. NIPS 19 (2006).
 */
import { type DenseMatrix, matrixTimesVector, zeros } from "@curvature/linalg";

export interface Stochastic {
  /** n × n, symmetric, rows that sum to 1. */
  readonly G: DenseMatrix;
  /** ε = max_i |Σ_j G_ij − 1| */
  readonly rowSumError: number;
}

const MAX_STEPS = 500;
const ENOUGH = 1e-13;

/** @param W - symmetric, at least 0, with weight in every row */
export function doublyStochastic(W: DenseMatrix): Stochastic {
  const n = W.rows;
  const s = new Float64Array(n).fill(1);
  const product = new Float64Array(n);
  for (let step = 0; step < MAX_STEPS; step++) {
    matrixTimesVector(W, s, product);
    let error = 0;
    for (let i = 0; i < n; i++) {
      error = Math.max(error, Math.abs(s[i] * product[i] - 1));
      s[i] = Math.sqrt(s[i] / product[i]);
    }
    if (error <= ENOUGH) break;
  }
  const G = zeros(n, n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      const g = s[i] * W.data[i * n + j] * s[j];
      G.data[i * n + j] = g;
      G.data[j * n + i] = g;
    }
  let rowSumError = 0;
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += G.data[i * n + j];
    rowSumError = Math.max(rowSumError, Math.abs(sum - 1));
  }
  return { G, rowSumError };
}

/** cut(l): from 0 to K, the shares of the curves' edges that lead out of them, summed. @param labels - of K parts, none empty */
export function cutOf({ rows: n, data }: DenseMatrix, labels: Int32Array, K: number): number {
  const out = new Float64Array(K);
  const sizes = new Int32Array(K);
  for (let i = 0; i < n; i++) {
    sizes[labels[i]]++;
    for (let j = 0; j < n; j++) if (labels[j] !== labels[i]) out[labels[i]] += data[i * n + j];
  }
  return out.reduce((sum, weight, c) => sum + weight / sizes[c], 0);
}

/** No labels of K parts have a smaller cut. @param upper - of NOMAD(G, K), its margin included */
export const cutBound = ({ rowSumError }: Stochastic, K: number, upper: number): number =>
  Math.max(0, K * (1 - rowSumError) - upper);
