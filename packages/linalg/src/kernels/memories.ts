/**
 * What only WebAssembly has, and `@curvature/linalg/simd` puts here: memories in which arrays lie beside the loops over them,
 * and proposals of near pairs. It is apart from the table of kernels so that nobody loads their TypeScript with it.
 */
import { noColumns, type TakeColumns } from "./columns.js";
import { noFourierForm, type TakeFourierForm } from "./fourier-form.js";
import { type NearPairsOf, noNearPairs } from "./near-pairs.js";
import { noRowMemory, type TakeRowMemory } from "./row-steps.js";
import { noSupernodeMemory, type TakeSupernodeMemory } from "./supernode-memory.js";

export interface Memories {
  columns: TakeColumns;
  fourier: TakeFourierForm;
  rowMemory: TakeRowMemory;
  supernodes: TakeSupernodeMemory;
  nearPairs: NearPairsOf;
}

const none: Readonly<Memories> = {
  columns: noColumns,
  fourier: noFourierForm,
  rowMemory: noRowMemory,
  supernodes: noSupernodeMemory,
  nearPairs: noNearPairs,
};

/** Those that are in use. */
export const memories: Memories = /* @__PURE__ */ Object.assign({}, none);

/** Puts these to use, and none for all others. */
export function installMemories(some: Partial<Memories>): void {
  Object.assign(memories, none, some);
}
