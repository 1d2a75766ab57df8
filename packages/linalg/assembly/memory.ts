/** Memory is laid out by `src/simd/arena.ts`; all that the module has of its own lies below this address. */
export function heapBase(): usize {
  return __heap_base;
}
