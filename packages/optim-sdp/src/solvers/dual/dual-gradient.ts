/**
 * Accelerated gradient steps on the dual, regularised around a feasible Q̂:
 *
 *   minimise over S ≥ 0   max_P ⟨D + S, P + E⟩ − (ρ/2) ‖P + E − Q̂‖²_F   over the spectraplex
 *
 * Iteration   X = E + projection of J (Q̂ + (D + T)/ρ) J                                          the maximiser at T
 *             S ← [T − ρ X]_+;  T ← S + ((t − 1)/t₊)(S − S_before),  t₊ = (1 + √(1 + 4 t²))/2
 *             t ← 1 where ⟨T − S, S − S_before⟩ > 0 (the step went uphill)
 *
 * | symbol | variable | shape, value                                     |
 * |--------|----------|--------------------------------------------------|
 * | S      | S        | n × n, float32                                   |
 * | Q̂      | Q        | n × n, float32: of the factored problem          |
 * | T      |          | held as U = T + ρ Q̂                              |
 * | ρ      | rho      | 4 ‖D‖_F / √K; it hardly matters                  |
 *
 * Beck, Teboulle: A fast iterative shrinkage-thresholding algorithm. SIAM J. Imaging Sci. 2 (2009) 183-202; restart:
 * O'Donoghue, Candès, Found. Comput. Math. 15 (2015) 715-732. A few steps take the roughness off a guess of S; the tail
 * is slow, and belongs to the ADMM.
 */
import type { DenseMatrix } from "@curvature/linalg";
import { eachStrip, mirror } from "./strips.js";

export interface DualGradientState {
  /** T + ρ Q̂ */
  readonly U: Float32Array;
  readonly S: Float32Array;
  readonly Q: Float32Array;
}

/** U from T = S. */
export function startDualGradient({ U, S, Q }: DualGradientState, rho: number): void {
  for (let k = 0; k < U.length; k++) U[k] = S[k] + rho * Q[k];
}

/**
 * S and T from X = E + RᵀR.
 *
 * @param t - of the acceleration, 1 at first
 * @returns the next t
 */
export function dualGradientStep(
  { U, S, Q }: DualGradientState,
  R: DenseMatrix,
  rho: number,
  t: number,
): number {
  const n = R.columns;
  let uphill = 0;
  eachStrip(R, (strip, first, end) => {
    for (let i = first; i < end; i++) uphill += ascend(U, S, Q, i * n, strip, (i - first) * n, i, rho, 1 / n);
    mirror(U, n, first, end);
  });
  const from = uphill > 0 ? 1 : t;
  const next = (1 + Math.sqrt(1 + 4 * from * from)) / 2;
  extrapolate(U, S, Q, rho, (from - 1) / next);
  return next;
}

/** U ← [T − ρ X]_+ in entries 0 … i of row i. @returns their share of ⟨T − S₊, S₊ − S⟩ */
function ascend(
  U: Float32Array,
  S: Float32Array,
  Q: Float32Array,
  row: number,
  strip: Float64Array,
  at: number,
  i: number,
  rho: number,
  e: number,
): number {
  let sum = 0;
  for (let j = 0; j <= i; j++) {
    const t = U[row + j] - rho * Q[row + j];
    const next = t - rho * (strip[at + j] + e);
    const positive = 0.5 * (next + Math.abs(next));
    sum += (t - positive) * (positive - S[row + j]);
    U[row + j] = positive;
  }
  return sum;
}

/** U holds the new S: S ← it, U ← S + β (S − S_before) + ρ Q. */
function extrapolate(U: Float32Array, S: Float32Array, Q: Float32Array, rho: number, beta: number): void {
  for (let k = 0; k < U.length; k++) {
    const next = U[k];
    U[k] = next + beta * (next - S[k]) + rho * Q[k];
    S[k] = next;
  }
}
