/**
 * A first dual matrix from the multipliers of the factored problem.
 *
 * Where Y ≥ 0 is stationary for max Tr(D Y Yᵀ) with multipliers λ of Tr Q = K and μ of Q1 = 1,
 *
 *   C = D + λ I + (μ 1ᵀ + 1 μᵀ)/2,   C Y ≤ 0 entrywise, = 0 where Y > 0,
 *
 * so that −C, where Q = Y Yᵀ vanishes, is what the multiplier S ≥ 0 of Q ≥ 0 would be if Q were optimal:
 *
 *   S_ij = [−C_ij]_+  where i ≠ j and Q_ij ≤ 10⁻³ K/n,   0 elsewhere.
 *
 * Any S gives an upper bound, hence nothing rests on the guess being right.
 */
import type { DenseMatrix } from "@curvature/linalg";

/** Entries of Q below this share of K/n count as zeros. */
const VANISHING = 1e-3;

export interface FactorMultipliers {
  /** λ */
  readonly trace: number;
  /** μ */
  readonly rowSums: Float64Array;
}

/** S times `scale` into `S`, n × n. */
export function guessDual(
  D: DenseMatrix,
  Q: Float32Array,
  K: number,
  { rowSums: mu }: FactorMultipliers,
  scale: number,
  S: Float32Array,
): void {
  const n = D.rows;
  const zero = (VANISHING * K) / n;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const k = i * n + j;
      const C = D.data[k] + 0.5 * (mu[i] + mu[j]);
      S[k] = Q[k] <= zero && C < 0 ? -C * scale : 0;
    }
    S[i * n + i] = 0;
  }
}
