/**
 * How near a Q of NOMAD is to being completely positive, with a factor of r columns.
 *
 * Q is completely positive if Q = Y Yᵀ with Y ≥ 0 (n × r); the least such r is its cp-rank. Both are hard to decide, so
 * that this looks from below: ‖Q − Y Yᵀ‖_F / ‖Q‖_F of symmetric factorisations from several random starts, the least of
 * which is an upper bound on the distance to the matrices of cp-rank at most r. An error that falls to the tolerance of
 * the factorisation as r grows is evidence that Q is completely positive, and a plateau above it that it is not; neither
 * is a proof.
 *
 * Tepper, Sengupta, Chklovskii, J. Mach. Learn. Res. 19 (2018), section 4. The time is that of `symmetricNmf` per start.
 */
import { checkOptions, type DenseMatrix, integerFrom, type MatrixLike, nonNegative } from "@curvature/linalg";
import { symmetricNmf, symmetricNmfDefaults } from "./symmetric-nmf.js";

export interface CpRankOptions {
  /** Random starts, at most 10,000. Default 50. */
  readonly starts?: number;
  /** Of the first start; the others follow it. Default 0. */
  readonly seed?: number;
  /** Of a factorisation. Default 1e-5. */
  readonly tolerance?: number;
  /** Of a factorisation. Default 1000. */
  readonly maxIterations?: number;
}

export const cpRankDefaults: Readonly<Required<CpRankOptions>> = Object.freeze({
  ...symmetricNmfDefaults,
  starts: 50,
});

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
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT if Q is not symmetric, ERR_OPTION
 */
export function cpRankErrors(Q: MatrixLike, r: number, options?: CpRankOptions): CpRankErrors {
  const { starts, seed, tolerance, maxIterations } = checkOptions("cpRankErrors", options, cpRankDefaults, {
    starts: integerFrom(1, 10_000),
    seed: integerFrom(0),
    tolerance: nonNegative,
    maxIterations: integerFrom(1),
  });
  const errors = new Float64Array(starts);
  let best = symmetricNmf(Q, r, { seed, tolerance, maxIterations });
  errors[0] = best.error;
  let converged = Number(best.converged);
  for (let k = 1; k < starts; k++) {
    const other = symmetricNmf(Q, r, { seed: seed + k, tolerance, maxIterations });
    errors[k] = other.error;
    converged += Number(other.converged);
    if (other.error < best.error) best = other;
  }
  return { errors, least: best.error, factor: best.factor, converged };
}
