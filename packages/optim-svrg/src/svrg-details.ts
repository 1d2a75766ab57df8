/**
 * What SVRG says about its steps.
 */
export interface SvrgDetails {
  /** s: inner loops that are done, those that were made again left out. */
  readonly epoch: number;
  /** B = m η of the epoch under way, or of the next one. */
  readonly step: number;
  /** ε as used; undefined before the first step is known. */
  readonly epsilon: number | undefined;
  /** F(X̃), and ‖∇F(X̃)‖. */
  readonly snapshotValue: number | undefined;
  readonly snapshotGradientNorm: number | undefined;
  /** ‖ΔX‖/‖X̃‖ of the last two snapshots; undefined before there are two. */
  readonly relativeChange: number | undefined;
  /** Inner loops in a row that were made again: they ended above F(X₀), or in numbers that are not finite. */
  readonly failedEpochs: number;
}

/**
 * "full gradient" a part of one, or its end where the epoch before it is made again; "snapshot" its last part: value and
 * gradient norm are known, and the epoch before it has come to its end; "probe" a part of the curvature's; "inner" a part of an inner loop; "epoch" its last part.
 */
export type SvrgPhase = "full gradient" | "snapshot" | "probe" | "inner" | "epoch";
