/**
 * The options of SVRG.
 */
import { checkOptions, flag, integerFrom, nonNegative, oneOf, optional, positive } from "@curvature/linalg";

/** How the step of an epoch follows from the last two snapshots. */
export type StepRule = "sbb" | "bb" | "fixed";

export interface SvrgOptions {
  /** "sbb" stabilised Barzilai-Borwein, "bb" Barzilai-Borwein as it is, "fixed" the first step throughout. Default "sbb". */
  readonly stepRule?: StepRule;
  /**
   * ε ≥ 0 of "sbb", in the unit of F's curvature; steps are at most 1/ε. 0 is SBB₀. Default: a twentieth of the
   * curvature 1/B of the first step, or `usualEpsilon`.
   */
  readonly epsilon?: number;
  /**
   * ε > 0 of a kind of problem, where no other is given: this, but no more than the curvature 1/B of the first step, so
   * that a problem of another scale gets at least half of the step that its curvature allows.
   */
  readonly usualEpsilon?: number;
  /**
   * B > 0 of the first epoch, the length of an epoch in units of the gradient (m η in the paper's symbols). Default:
   * from the curvature of F along its gradient at the start, for one more full gradient, and no more than moves X by
   * half its length.
   */
  readonly initialStep?: number;
  /** The most that B may be. Default: 1/ε, or without an ε 10⁴ times the first B. */
  readonly maxStep?: number;
  /** b, terms in an iteration. At most m and N. Default 20. */
  readonly batchSize?: number;
  /** m, pairs of gradients in an epoch. Default N. */
  readonly epochLength?: number;
  /** Whether the snapshot of least F is the best point, not the last one. Default true. */
  readonly keepBest?: boolean;
  /** S > 0: the step forgets its secant after every S epochs (the modules of `modularSvrg`). Default 0: never. */
  readonly restartEvery?: number;
  /** Default 0. */
  readonly seed?: number;
}

export interface SvrgSettings {
  readonly stepRule: StepRule;
  readonly epsilon: number | undefined;
  readonly usualEpsilon: number | undefined;
  readonly initialStep: number | undefined;
  readonly maxStep: number | undefined;
  readonly batchSize: number;
  readonly epochLength: number | undefined;
  readonly keepBest: boolean;
  readonly restartEvery: number;
  readonly seed: number;
}

export const svrgDefaults: SvrgSettings = Object.freeze({
  stepRule: "sbb",
  epsilon: undefined,
  usualEpsilon: undefined,
  initialStep: undefined,
  maxStep: undefined,
  batchSize: 20,
  epochLength: undefined,
  keepBest: true,
  restartEvery: 0,
  seed: 0,
});

/** @throws CurvatureError ERR_OPTION */
export function svrgSettings(options: SvrgOptions | undefined): SvrgSettings {
  return checkOptions<SvrgSettings>("Svrg", options, svrgDefaults, {
    stepRule: oneOf("sbb", "bb", "fixed"),
    epsilon: optional(nonNegative),
    usualEpsilon: optional(positive),
    initialStep: optional(positive),
    maxStep: optional(positive),
    batchSize: integerFrom(1),
    epochLength: optional(integerFrom(1)),
    keepBest: flag,
    restartEvery: integerFrom(0),
    seed: integerFrom(0),
  });
}
