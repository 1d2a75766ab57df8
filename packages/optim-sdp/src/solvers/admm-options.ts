/** What the ADMM takes, and what it tells of an iteration. */
import { between, checkOptions, integerFrom, nonNegative } from "@curvature/linalg";

export interface AdmmOptions {
  /** Certified relative gap at which it has converged; 0 never. Default 1e-4. */
  readonly tolerance?: number;
  /** ρ at the start, in units of ‖D‖_F / √K, from 1e-100 to 1e100. Default 4. */
  readonly penalty?: number;
  /** Steps between two looks at the bounds. Default 10. */
  readonly boundsEvery?: number;
}

export const admmDefaults: Readonly<Required<AdmmOptions>> = Object.freeze({
  tolerance: 1e-4,
  penalty: 4,
  boundsEvery: 10,
});

/** @throws CurvatureError ERR_OPTION */
export const checkAdmm = (options: AdmmOptions | undefined): Readonly<Required<AdmmOptions>> =>
  checkOptions("Admm", options, admmDefaults, {
    tolerance: nonNegative,
    penalty: between(1e-100, 1e100),
    boundsEvery: integerFrom(1),
  });

export interface AdmmDetails {
  /** Certified relative gap, (upper − lower)/|upper|; Infinity before the first bounds. */
  readonly gap: number;
  readonly lower: number;
  readonly upper: number;
  /** ‖X − Z‖_F / ‖Z‖_F */
  readonly primalResidual: number;
  /** ‖Z − Z_before‖_F / ‖[W]_−‖_F */
  readonly dualResidual: number;
  /** ρ */
  readonly penalty: number;
  /** Of X − E. */
  readonly rank: number;
  /** Whether all eigenpairs were computed in this step. */
  readonly complete: boolean;
  /** Whether the objective has stood still to 1e-7 over 100 steps while the gap is above the tolerance. */
  readonly plateau: boolean;
}
