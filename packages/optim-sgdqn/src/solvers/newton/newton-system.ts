/** The linear systems of Newton's method, H s = −∇P with H = Λ + Xᵀ diag(h) X. */
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { Work } from "./work.js";

/** One way to solve them; Λ is λ I, with 0 for a free bias. */
export interface NewtonSystem {
  /** What `advance` works at, in words. */
  readonly phase: string;
  /** Whether the last s solves its system as well as it should: only then is the decrement one. */
  readonly isSolved: boolean;
  /**
   * Begins a system.
   *
   * @param h - curvatures, and `g` the gradient; both stay as they are until it is solved
   * @param enough - the decrease at which the solver would end: so small a one must be right
   */
  start(h: Float64Array, g: Float64Array, enough: number): void;
  /** Works until the system is solved or the work is used up. @returns whether s is there (entries may not be finite) */
  advance(work: Work, s: Float64Array): boolean;
  save(): { readonly [key: string]: SnapshotValue };
  /** Reads all its fields before it takes any; `h` and `g` are those of the system that was begun. */
  restore(state: SnapshotReader, h: Float64Array, g: Float64Array): void;
}
