/** Symmetric matrices in the memory of an instance of their own, which goes with them. */
import type { SymmetricMemory } from "../kernels/symmetric-memory.js";
import { Addresses, type Exports, instantiated } from "./instance.js";

/** Entries from which on an instance is worth it, and those of a matrix from which on a call is. */
const MIN_SIZE = 4096;
const MIN_OF_ONE = 256;

interface Home {
  readonly exports: Exports;
  /** Room for what a matrix is multiplied with, and for what comes out. */
  readonly v: Float64Array;
  readonly w: Float64Array;
}

const homes = new WeakMap<ArrayBufferLike, Home>();

export const symmetricOf = (module: WebAssembly.Module): SymmetricMemory => ({
  take(length, rows) {
    const addresses = new Addresses();
    const [v, w] = [0, 0].map(() => addresses.take(8 * rows));
    const entries = addresses.take(8 * length);
    const exports = length < MIN_SIZE ? undefined : instantiated(module, addresses.size);
    if (exports === undefined) return undefined;
    const { buffer } = exports.memory;
    homes.set(buffer, {
      exports,
      v: new Float64Array(buffer, v, rows),
      w: new Float64Array(buffer, w, rows),
    });
    return new Float64Array(buffer, entries, length);
  },
  multiply(A, n, v, w) {
    const home = homes.get(A.buffer);
    if (home === undefined || n * n < MIN_OF_ONE || n > home.v.length) return false;
    if (A.length < n * n || v.length < n || w.length < n) return false;
    home.v.set(v);
    home.exports.timesSymmetric(A.byteOffset, 8 * n, home.v.byteOffset, home.w.byteOffset, n);
    w.set(n < home.w.length ? home.w.subarray(0, n) : home.w);
    return true;
  },
  relax(W, n, first, end, X, e, r, sums) {
    const home = homes.get(W.buffer);
    if (home === undefined || X.buffer !== W.buffer || home.v.length < sums.length) return false;
    home.v.set(sums);
    for (let i = first, x = X.byteOffset; i < end; i++, x += 8 * n)
      home.exports.relax(W.byteOffset + 4 * i * n, x, i & ~1, e, r, home.v.byteOffset);
    sums.set(home.v.subarray(0, sums.length));
    return true;
  },
});
