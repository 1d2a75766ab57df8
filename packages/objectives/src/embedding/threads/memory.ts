/** Where arrays are taken from: memory of one thread, or such as threads have in common. All begin as zeros. */

export interface Memory {
  numbers(length: number): Float64Array;
  integers(length: number): Int32Array;
}

export const ownMemory: Memory = {
  numbers: (length) => new Float64Array(length),
  integers: (length) => new Int32Array(length),
};

export const sharedMemory: Memory = {
  numbers: (length) => new Float64Array(new SharedArrayBuffer(8 * length)),
  integers: (length) => new Int32Array(new SharedArrayBuffer(4 * length)),
};

/** An array of this thread's alone with the same entries: the array itself, if it is one. */
export const owned = <T extends { readonly buffer: ArrayBufferLike; slice(): T }>(array: T): T =>
  array.buffer instanceof ArrayBuffer ? array : array.slice();
