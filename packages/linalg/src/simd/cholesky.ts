/** The Cholesky factorisation, all of it in WebAssembly: the matrix is copied there and back. */
import {
  CHOLESKY_WIDTH,
  clearAbove,
  type FactorCholesky,
  factorCholeskyInTypeScript,
} from "../kernels/cholesky.js";
import { type Arena, aligned } from "./arena.js";

/** Rows from which on the copies are worth it. */
const LEAST = 64;

export const factorCholeskyOf =
  (arena: Arena): FactorCholesky =>
  (A, n, least, L) => {
    const rows = (n + 3) & ~3;
    const stride = rows + 8; // off the powers of two, at which rows would share a set of the cache
    const size = 8 * rows * stride;
    const packedSize = 8 * rows * CHOLESKY_WIDTH;
    const scope = n < LEAST ? undefined : arena.enter(aligned(size) + aligned(packedSize) + aligned(8 * n));
    if (scope === undefined) return factorCholeskyInTypeScript(A, n, least, L);
    const matrix = scope.take(size);
    const packed = scope.take(packedSize);
    const limits = scope.take(8 * n);
    const copy = scope.float64(matrix, size / 8);
    scope.float64(limits, n).set(least);
    for (let i = 0; i < n; i++) copy.set(A.subarray(i * n, i * n + i + 1), i * stride);
    const failed = scope.exports.factorCholesky(matrix, n, 8 * stride, limits, packed);
    for (let i = 0; i < n; i++) L.set(copy.subarray(i * stride, i * stride + i + 1), i * n);
    if (L === A) clearAbove(L, n);
    arena.leave(scope);
    return failed;
  };
