/** What a fit is made of: minimisations one after the other. */
import type { OrdinalObjective } from "@curvature/objectives/ordinal";
import type { Solver } from "@curvature/optim-core";

/** One of them. */
export interface Stage {
  /** "path": on the answers that are not held out; "fit": on all of them. */
  readonly kind: "path" | "fit";
  /** Which start it belongs to, from 0. */
  readonly start: number;
  /** λ */
  readonly ridge: number;
}

/** What a stage works with. */
export interface StageWork {
  readonly objective: OrdinalObjective;
  readonly solver: Solver;
  /** Its answers as a share of all, for the count of passes. */
  readonly share: number;
  readonly maxIterations: number;
  readonly maxPasses: number;
  /** Ends it when its value has fallen by less than this, relatively, in 5 iterations; 0 is off. */
  readonly slowest: number;
}

/** Which stages there are, and what is made of their ends. */
export interface Plan {
  /** How many starts there are; each goes through the `path`, or without one through a stage "fit". */
  readonly starts: number;
  /** The λ that are tried, in this order, each from where the last one ended; empty without a search. */
  readonly path: readonly number[];
  /** λ without a search. */
  readonly ridge: number;
  /** The first map of a start. */
  first(start: number): Float64Array;
  work(stage: Stage, from: Float64Array): StageWork;
  /** The loss on the answers held out. */
  validate(x: Float64Array): number;
  /** In units of N: what `validate` costs. */
  readonly validationPasses: number;
}
