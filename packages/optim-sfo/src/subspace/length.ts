/** ‖v‖ by a plain sum, whose rounding recorded runs depend on, and right also where squares leave the range of numbers. */
import { norm2 } from "@curvature/linalg";

export function lengthOf(v: Float64Array): number {
  let squares = 0;
  for (let i = 0; i < v.length; i++) squares += v[i] * v[i];
  return squares === Number.POSITIVE_INFINITY ? norm2(v) : Math.sqrt(squares);
}
