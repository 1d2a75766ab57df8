/** The Cholesky factorisation, all of it in WebAssembly: the matrix is copied there and back. */
import {
  CHOLESKY_WIDTH,
  clearAbove,
  type FactorCholesky,
  factorCholeskyInTypeScript,
} from "../kernels/cholesky.js";
import type { Arena } from "./arena.js";

/** Rows from which on the copies are worth it. */
const MIN_SIZE = 64;

export const factorCholeskyOf =
  (arena: Arena): FactorCholesky =>
  (A, n, least, L) => {
    const rows = (n + 7) & ~7;
    const stride = rows + 8; // off the powers of two, at which rows would share a set of the cache
    const scope = n < MIN_SIZE ? undefined : arena.enter([rows * stride, rows * CHOLESKY_WIDTH, n]);
    if (scope === undefined) return factorCholeskyInTypeScript(A, n, least, L);
    const [copy, packed, limits] = scope.arrays;
    limits.set(least);
    for (let i = 0; i < n; i++) copy.set(A.subarray(i * n, i * n + i + 1), i * stride);
    const failed = scope.exports.cholesky(
      copy.byteOffset,
      n,
      8 * stride,
      limits.byteOffset,
      packed.byteOffset,
    );
    for (let i = 0; i < n; i++) L.set(copy.subarray(i * stride, i * stride + i + 1), i * n);
    if (L === A) clearAbove(L, n);
    arena.leave(scope);
    return failed;
  };
