/**
 * The bias beside the weights. All learners keep their parameters in an array of d + 1 numbers, whose last one is b (and
 * stays 0 without a bias), so that the loops over rows need no branch.
 */
import type { LearnerSettings } from "../learner.js";

export interface BiasRole {
  /** Parameters of the model: d, and 1 more with a bias. */
  readonly dimension: number;
  /** Parameters that λ pulls towards 0: all but a free bias. */
  readonly decayed: number;
  /** The entry that stands beside b in every row: 1, or 0 without a bias. */
  readonly entry: number;
  /** The share of the weights' learning rate that b gets. */
  readonly gain: number;
}

export function biasRole({ bias, columns, biasGain }: LearnerSettings): BiasRole {
  const [present, free] = [bias === "none" ? 0 : 1, bias === "free"];
  return {
    dimension: columns + present,
    decayed: columns + (bias === "regularized" ? 1 : 0),
    entry: present,
    gain: free ? biasGain : present,
  };
}

/** The first parameters as d + 1 numbers. */
export function firstParameters({ columns, initial }: LearnerSettings): Float64Array {
  const w = new Float64Array(columns + 1);
  if (initial !== undefined) w.set(initial);
  return w;
}
