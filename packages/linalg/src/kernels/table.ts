/**
 * What `@curvature/linalg/simd` installs: other forms of kernels, with the same bits, and memories in which arrays lie beside
 * the loops over them. Each kernel's form in TypeScript is complete, and is imported by those who call it, where nothing is
 * installed: who does not call a kernel does not load it.
 */
import type { FactorCholesky } from "./cholesky.js";
import type { TakeColumns } from "./columns.js";
import type { TakeFourierForm } from "./fourier-form.js";
import type { Gemm } from "./gemm.js";
import type { GeneratedProduct } from "./generated.js";
import type { NearPairsOf } from "./near-pairs.js";
import type { PairRowsOf } from "./pairs.js";
import type { RotateRows } from "./rotations.js";
import type { TakeRowMemory } from "./row-steps.js";
import type { TakeSupernodeMemory } from "./supernode-memory.js";
import type { SymmetricMemory } from "./symmetric-memory.js";
import type { TimesVector } from "./times-vector.js";
import type { Tridiagonalize } from "./tridiagonalize.js";

export interface Kernels {
  readonly gemm: Gemm;
  readonly timesVector: TimesVector;
  readonly generatedProduct: GeneratedProduct;
  readonly factorCholesky: FactorCholesky;
  readonly tridiagonalize: Tridiagonalize;
  readonly rotateRows: RotateRows;
  readonly pairs: PairRowsOf;
  readonly columns: TakeColumns;
  readonly fourier: TakeFourierForm;
  readonly rowMemory: TakeRowMemory;
  readonly symmetric: SymmetricMemory;
  readonly supernodes: TakeSupernodeMemory;
  readonly nearPairs: NearPairsOf;
}

/** The forms that are installed. */
export let installed: Partial<Kernels> = {};

/** Puts these forms to use, and those of TypeScript for all others: `installKernels({})` is all TypeScript. */
export function installKernels(forms: Partial<Kernels>): void {
  installed = { ...forms };
}
