/** Plain sums over small vectors: recorded runs depend on their order, which is not that of linalg's kernels. */
import { norm2 } from "@curvature/linalg";

/** Over a's entries; b may have more. */
export function inner(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** ‖v‖; Infinity where squares leave the range of numbers. */
export const norm = (v: Float64Array): number => Math.sqrt(inner(v, v));

/** ‖v‖, right also where squares leave the range of numbers. */
export function lengthOf(v: Float64Array): number {
  const squares = inner(v, v);
  return squares === Number.POSITIVE_INFINITY ? norm2(v) : Math.sqrt(squares);
}

/** v ← v − weight e */
export function subtract(v: Float64Array, weight: number, e: Float64Array): void {
  for (let i = 0; i < v.length; i++) v[i] -= weight * e[i];
}
