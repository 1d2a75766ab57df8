/**
 * `@curvature/linalg/simd`: the kernels of dense linear algebra in WebAssembly with SIMD. Results have the same bits
 * with and without; what changes is the time. The table of kernels is that of the package itself, in either module
 * system: this file must not bring a second one.
 */
import { badOption, installKernels } from "../index.js";
import { Arena } from "./arena.js";
import { factorCholeskyOf, supernodesOf } from "./cholesky.js";
import { columnsOf } from "./columns.js";
import { rotateRowsOf, tridiagonalizeOf } from "./eigen.js";
import { fourierOf } from "./fourier.js";
import { gemmOf, generatedOf, timesVectorOf } from "./gemm.js";
import { compiled, forgetRefusals, refusal } from "./instance.js";
import { nearPairsOf } from "./near-pairs.js";
import { pairsOf } from "./pairs.js";
import { rowMemoryOf } from "./row-memory.js";
import { symmetricOf } from "./symmetric.js";

let module: WebAssembly.Module | undefined;
let arena: Arena | undefined;

export interface SimdOptions {
  /**
   * `@curvature/linalg/kernels.wasm` of the same version, compiled by the caller: for engines that compile nothing at run
   * time, where it is imported (Cloudflare's workers). Left out: the embedded module, compiled on the spot.
   */
  readonly module?: WebAssembly.Module | undefined;
}

/**
 * Puts SIMD to use in this thread, for all packages of curvature. To be called once, before the work; again does no harm.
 * Compiling takes some milliseconds, and nothing is fetched.
 *
 * @returns false, and all stays as it is, where the engine has no WebAssembly with SIMD or may not compile it: then
 *   `simdRefusal` says why
 * @throws CurvatureError ERR_OPTION for a `module` that is none
 */
export function enableSimd(options?: SimdOptions): boolean {
  const given = options?.module;
  if (given !== undefined && !(given instanceof WebAssembly.Module))
    throw badOption("enableSimd", "module", "kernels.wasm, compiled", given);
  module ??= given ?? compiled();
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

/** Why `enableSimd()` answers false here; undefined where it does not. */
export function simdRefusal(): string | undefined {
  return module === undefined ? refusal() : undefined;
}

/** Back to TypeScript, for tests and comparisons. */
export function disableSimd(): void {
  installKernels({});
}
