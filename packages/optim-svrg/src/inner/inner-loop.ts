/**
 * The inner loop of SVRG, in one of three forms that compute the same:
 *
 *   I = b indices drawn evenly with replacement
 *   u = g + (N/b) Σ_{q in I} (∇f_q(X) − ∇f_q(X̃))          all at the same X
 *   X ← X − h u,   h = b η
 */
import type { RandomGenerator } from "@curvature/linalg";

export interface InnerLoop {
  /** Makes `batches` iterations. After an evaluation that threw, X and the generator may be anything. */
  run(batches: number, X: Float64Array, at: Snapshotted, h: number, random: RandomGenerator): void;
}

/** X̃ and g = ∇F(X̃). */
export interface Snapshotted {
  readonly x: Float64Array;
  readonly gradient: Float64Array;
}
