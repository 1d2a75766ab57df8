/**
 * The kernels that have two forms, in one table: TypeScript, which is complete and the default, and WebAssembly with
 * SIMD, which `@curvature/linalg/simd` puts in its place. Both forms of a kernel give the same bits; of `nearPairs`,
 * which only proposes pairs, those that use it do.
 */
import { type FactorCholesky, factorCholeskyInTypeScript } from "./cholesky.js";
import { noColumns, type TakeColumns } from "./columns.js";
import { noFourierForm, type TakeFourierForm } from "./fourier-form.js";
import { type Gemm, gemmInTypeScript } from "./gemm.js";
import { type GeneratedProduct, generatedInTypeScript } from "./generated.js";
import { type NearPairsOf, noNearPairs } from "./near-pairs.js";
import { type PairSums, pairsInTypeScript } from "./pairs.js";
import { type RotateRows, rotateRowsInTypeScript } from "./rotations.js";
import { noRowMemory, type TakeRowMemory } from "./row-steps.js";
import { noSupernodeMemory, type TakeSupernodeMemory } from "./supernode-memory.js";
import { type Tridiagonalize, tridiagonalizeInTypeScript } from "./tridiagonalize.js";

export interface Kernels {
  gemm: Gemm;
  generatedProduct: GeneratedProduct;
  factorCholesky: FactorCholesky;
  tridiagonalize: Tridiagonalize;
  rotateRows: RotateRows;
  columns: TakeColumns;
  fourier: TakeFourierForm;
  rowMemory: TakeRowMemory;
  supernodes: TakeSupernodeMemory;
  pairs: PairSums;
  nearPairs: NearPairsOf;
}

const typescriptForms: Readonly<Kernels> = {
  gemm: gemmInTypeScript,
  generatedProduct: generatedInTypeScript,
  factorCholesky: factorCholeskyInTypeScript,
  tridiagonalize: tridiagonalizeInTypeScript,
  rotateRows: rotateRowsInTypeScript,
  columns: noColumns,
  fourier: noFourierForm,
  rowMemory: noRowMemory,
  supernodes: noSupernodeMemory,
  pairs: pairsInTypeScript,
  nearPairs: noNearPairs,
};

/** The forms that are in use. */
export const kernels: Kernels = /* @__PURE__ */ Object.assign({}, typescriptForms);

/** Puts these forms to use, and those of TypeScript for all others: `installKernels({})` is all TypeScript. */
export function installKernels(forms: Partial<Kernels>): void {
  Object.assign(kernels, typescriptForms, forms);
}
