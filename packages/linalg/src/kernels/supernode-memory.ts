/** Where the panels of a supernodal factor lie, if not in an array of its own, and the solution that goes with it. */
import type { Supernodes } from "../sparse/supernodes.js";

export interface SupernodeMemory {
  /** Zeros, of the layout's `panelsLength`. */
  readonly panels: Float64Array;
  /** n × 2: two right-hand sides in the order of L, and then their solutions. */
  readonly work: Float64Array;
  /** `work` ← (L Lᵀ)⁻¹ `work`, as `solvePair` of `sparse/supernode-solve.ts`. */
  solvePair(): void;
}

/** Undefined where there is no other form than TypeScript's. */
export type TakeSupernodeMemory = (layout: Supernodes) => SupernodeMemory | undefined;
