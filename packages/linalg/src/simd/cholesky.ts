/** Cholesky factorisations: the dense one in WebAssembly, and the memory of sparse ones there. */
import {
  CHOLESKY_WIDTH,
  clearAbove,
  type FactorCholesky,
  factorCholeskyInTypeScript,
} from "../kernels/cholesky.js";
import type { TakeSupernodeMemory } from "../kernels/supernode-memory.js";
import type { Arena } from "./arena.js";
import { Addresses, instantiated } from "./instance.js";

/** Rows from which on the copies are worth it. */
const MIN_SIZE = 64;

/** All of it in WebAssembly: the matrix is copied there and back. */
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

/** Entries of the panels from which on an instance is worth it. */
const MIN_PANEL_ENTRIES = 4096;
/** Integers that describe a supernode to `assembly/supernodes.ts`. */
const FIELDS = 5;

/**
 * Factors whose panels lie in the memory of an instance of their own, which goes with them: they are made in TypeScript, and
 * systems with two right-hand sides are solved in WebAssembly.
 */
export const supernodesOf =
  (module: WebAssembly.Module): TakeSupernodeMemory =>
  (layout) => {
    const { count, first, height, rows, rowStart, panelStart, panelsLength } = layout;
    const n = first[count];
    const addresses = new Addresses();
    const fieldsAt = addresses.take(4 * FIELDS * count);
    const rowsAt = addresses.take(4 * rows.length);
    const workAt = addresses.take(16 * n);
    const panelsAt = addresses.take(8 * panelsLength);
    const exports = panelsLength < MIN_PANEL_ENTRIES ? undefined : instantiated(module, addresses.size);
    if (exports === undefined) return undefined;
    const { memory } = exports;
    const fields = new Uint32Array(memory.buffer, fieldsAt, FIELDS * count);
    for (let s = 0; s < count; s++)
      fields.set([first[s], first[s + 1] - first[s], height[s], rowStart[s], panelStart[s]], FIELDS * s);
    new Int32Array(memory.buffer, rowsAt, rows.length).set(rows);
    return {
      panels: new Float64Array(memory.buffer, panelsAt, panelsLength),
      work: new Float64Array(memory.buffer, workAt, 2 * n),
      solvePair: () => exports.solvePair(count, fieldsAt, rowsAt, panelsAt, workAt),
    };
  };
