/**
 * The kernels that have two forms, in one table: TypeScript, which is complete and the default, and WebAssembly with
 * SIMD, which `@curvature/linalg/simd` puts in its place. Both forms of a kernel give the same bits.
 */
import { type FactorCholesky, factorCholeskyInTypeScript } from "./cholesky.js";
import { type Gemm, gemmInTypeScript } from "./gemm.js";
import { type GeneratedProduct, generatedInTypeScript } from "./generated.js";
import { type PairSums, pairsInTypeScript } from "./pairs.js";
import { type RotateRows, rotateRowsInTypeScript } from "./rotations.js";
import { type TimesVector, timesVectorInTypeScript } from "./times-vector.js";
import { type Tridiagonalize, tridiagonalizeInTypeScript } from "./tridiagonalize.js";

export interface Kernels {
  gemm: Gemm;
  timesVector: TimesVector;
  generatedProduct: GeneratedProduct;
  factorCholesky: FactorCholesky;
  tridiagonalize: Tridiagonalize;
  rotateRows: RotateRows;
  pairs: PairSums;
}

const typescriptForms: Readonly<Kernels> = {
  gemm: gemmInTypeScript,
  timesVector: timesVectorInTypeScript,
  generatedProduct: generatedInTypeScript,
  factorCholesky: factorCholeskyInTypeScript,
  tridiagonalize: tridiagonalizeInTypeScript,
  rotateRows: rotateRowsInTypeScript,
  pairs: pairsInTypeScript,
};

/** The forms that are in use. */
export const kernels: Kernels = /* @__PURE__ */ Object.assign({}, typescriptForms);

/** Puts these forms to use, and those of TypeScript for all others: `installKernels({})` is all TypeScript. */
export function installKernels(forms: Partial<Kernels>): void {
  Object.assign(kernels, typescriptForms, forms);
}
