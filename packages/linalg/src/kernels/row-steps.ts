/**
 * Rows with the vectors of stochastic gradient descent beside them, in a memory whose loops know no bounds checks: there a
 * pass over rows of text takes about half the time, and one over dense rows a fifth to a half. V8 reads the address and the length of a
 * typed array anew at each turn of a loop, and what a turn does with an entry of a row is little beside that.
 *
 * Steps, for rows k = from … to − 1 with target y and importance c, s = w·x_k + b:
 *
 *   gradient   w ← w − η l′ x,   b ← b − η l′ γ,          η = c/(λ (start + k)),   implicit: a = η (‖x‖² + γ)
 *   scaled     w ← w − c u l′ B x,  b ← b − c u l′ ε B_b,                          implicit: a = c u (x·B x + ε B_b)
 *
 * The sums are those of `SparseRows32` and `DenseRows32` in `@curvature/objectives`: of sparse rows a dot is the sum of its
 * even terms and that of its odd ones, of dense rows it has four parts; products are taken from the left. No sparse row has
 * a column twice.
 *
 * What is used between the calls for steps lies in plain typed arrays, views of that memory: it never grows, so that they
 * stay good.
 */
import type { DenseMatrix } from "../dense/matrix.js";
import type { SparseMatrix } from "../sparse/csr.js";

/** l = ½ max(0, 1 − y s)², max(0, 1 − y s) or ½ (s − y)². */
export type StepLoss = "squared-hinge" | "hinge" | "squared-error";

interface GradientSteps {
  readonly loss: StepLoss;
  /** Whether slopes are taken after the step, by `squaredNorms`. */
  readonly isImplicit: boolean;
  /** λ */
  readonly lambda: number;
  /** t + t₀ of row 0. */
  readonly start: number;
  /** γ */
  readonly biasGain: number;
}

interface ScaledSteps {
  readonly loss: StepLoss;
  readonly isImplicit: boolean;
  /** u */
  readonly unit: number;
  /** ε, the entry beside b in every row. */
  readonly entry: number;
}

/** Rows of one precision that a memory may hold. */
export type StoredRows<T extends Float32Array | Float64Array> = SparseMatrix<T> | DenseMatrix<T>;

export interface RowMemory {
  /** The state that w, B and excess are: who left it here need not bring it again. Set by who changes them. */
  owner: object | undefined;
  /** To be filled by who asked for them. */
  readonly rows: StoredRows<Float32Array> | StoredRows<Float64Array>;
  /** w and, at the end, b: columns + 1. */
  readonly w: Float64Array;
  /** The diagonal B and, at the end, B_b. */
  readonly B: Float32Array;
  /** What gains are made of: columns + 1. */
  readonly excess: Float64Array;
  /** y, c and ‖x‖² of `STEP_ROWS` rows: of those that a call is for, from its first on. */
  readonly targets: Float64Array;
  readonly importances: Float64Array;
  readonly squaredNorms: Float64Array;
  /** Rows from … to − 1, at most `STEP_ROWS`. */
  gradientSteps(from: number, to: number, steps: GradientSteps): void;
  scaledSteps(from: number, to: number, steps: ScaledSteps): void;
  /** w_j ← w_j max(0, 1 − share B_j) for the first `count`. */
  decayScaled(count: number, share: number): void;
  /** B ← t₀/(common + excess). */
  renewGains(t0: number, common: number): void;
}

/** Rows of one call. */
export const STEP_ROWS = 8192;

/** `stored` is undefined for dense rows. Undefined where there is no such memory, or not as much. */
export type TakeRowMemory = (
  rows: number,
  columns: number,
  stored: number | undefined,
  isDouble: boolean,
) => RowMemory | undefined;
