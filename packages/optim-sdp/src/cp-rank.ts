/**
 * How near a Q of NOMAD is to being completely positive, with a factor of r columns.
 *
 * Q is completely positive if Q = Y Yᵀ with Y ≥ 0 (n × r); the least such r is its cp-rank. Both are hard to decide, so
 * that this is a measure from one side: ‖Q − Y Yᵀ‖_F / ‖Q‖_F of symmetric factorisations from several random starts, the least of
 * which is an upper bound on the distance to the matrices of cp-rank at most r. An error that falls to the tolerance of
 * the factorisation as r grows is evidence that Q is completely positive, and a plateau above it that it is not; neither
 * is a proof.
 *
 * Tepper, Sengupta, Chklovskii, J. Mach. Learn. Res. 19 (2018), section 4. The time is that of `symmetricNmf` per start.
 */
import {
  checkArgument,
  type DenseMatrix,
  integerFrom,
  type MatrixLike,
  type OptionsOf,
  optionTable,
} from "@curvature/linalg";
import { symmetricNmf, symmetricNmfOptions } from "./symmetric-nmf.js";

export const cpRankOptions = optionTable({
  ...symmetricNmfOptions.entries,
  /** Random starts. */
  starts: integerFrom(1, 10_000).default(50),
  /** Of the first start; the others follow it. */
  seed: integerFrom(0).default(0),
});
export type CpRankOptions = OptionsOf<typeof cpRankOptions>;

export interface CpRankErrors {
  /** ‖Q − Y Yᵀ‖_F / ‖Q‖_F of each start, negative entries of Q taken as 0. */
  readonly errors: Float64Array;
  /** The least of them. */
  readonly least: number;
  /** Its Y, n × r, at least 0. */
  readonly factor: DenseMatrix;
  /** How many starts met the tolerance. */
  readonly converged: number;
}

/**
 * @param Q - n × n, symmetric
 * @param r - columns of Y, from 1; may be more than n
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT if Q is not symmetric or r not whole, ERR_OPTION
 */
export function cpRankErrors(Q: MatrixLike, r: number, options?: CpRankOptions): CpRankErrors {
  const { starts, ...factorization } = cpRankOptions.resolve("cpRankErrors", options);
  checkArgument("cpRankErrors", "r", integerFrom(1), r);
  const { seed } = factorization;
  const errors = new Float64Array(starts);
  let best = symmetricNmf(Q, r, factorization);
  errors[0] = best.error;
  let converged = Number(best.converged);
  for (let k = 1; k < starts; k++) {
    const other = symmetricNmf(Q, r, { ...factorization, seed: seed + k });
    errors[k] = other.error;
    converged += Number(other.converged);
    if (other.error < best.error) best = other;
  }
  return { errors, least: best.error, factor: best.factor, converged };
}
