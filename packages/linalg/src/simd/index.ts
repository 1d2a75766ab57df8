/**
 * `@curvature/linalg/simd`: the kernels of dense linear algebra in WebAssembly with SIMD. Results have the same bits
 * with and without; what changes is the time. The table of kernels is that of the package itself, in either module
 * system: this file must not bring a second one.
 */
import { installKernels } from "../index.js";
import { Arena } from "./arena.js";
import { factorCholeskyOf } from "./cholesky.js";
import { columnsOf } from "./columns.js";
import { rotateRowsOf, tridiagonalizeOf } from "./eigen.js";
import { fourierOf } from "./fourier.js";
import { gemmOf, generatedOf } from "./gemm.js";
import { compiled, forgetRefusals } from "./instance.js";
import { nearPairsOf } from "./near-pairs.js";
import { pairsOf } from "./pairs.js";
import { rowMemoryOf } from "./row-memory.js";
import { supernodesOf } from "./supernodes.js";
import { symmetricOf } from "./symmetric.js";
import { timesVectorOf } from "./times-vector.js";

let module: WebAssembly.Module | undefined;
let arena: Arena | undefined;

/**
 * Puts SIMD to use in this thread, for all packages of curvature. To be called once, before the work; again does no harm.
 * Compiles the embedded module on the spot, some milliseconds, and fetches nothing.
 *
 * @returns false, and all stays as it is, where the engine has no WebAssembly with SIMD, or where a page's content
 *   security policy forbids it: `script-src` needs 'wasm-unsafe-eval', in workers that of their own response
 */
export function enableSimd(): boolean {
  module ??= compiled();
  if (module === undefined) return false;
  forgetRefusals();
  arena ??= new Arena(module);
  installKernels({
    gemm: gemmOf(arena),
    timesVector: timesVectorOf(arena),
    generatedProduct: generatedOf(arena),
    factorCholesky: factorCholeskyOf(arena),
    tridiagonalize: tridiagonalizeOf(arena),
    rotateRows: rotateRowsOf(arena),
    pairs: pairsOf(arena),
    columns: columnsOf(module),
    fourier: fourierOf(module),
    rowMemory: rowMemoryOf(module),
    supernodes: supernodesOf(module),
    nearPairs: nearPairsOf(module),
    symmetric: symmetricOf(module),
  });
  return true;
}

/** Back to TypeScript, for tests and comparisons. */
export function disableSimd(): void {
  installKernels({});
}
