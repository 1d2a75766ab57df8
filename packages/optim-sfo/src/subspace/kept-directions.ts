/**
 * The directions that a collapse keeps: an orthonormal basis of vectors in the old coordinates, by Gram and Schmidt
 * with pivots. The vectors are brought to unit length first, since gradients shrink by orders of magnitude on the
 * way to a minimum; what is left below 1e-12 of that, or the resolution of P, is rounding.
 */
import { lengthOf } from "./length.js";

const RANK_TOLERANCE = 1e-12;

/**
 * @param resolution - the part of a vector's length below which a direction is rounding, if more than 1e-12
 * @returns Q, K x rank, row-major, and the rank
 */
export function basisOf(
  vectors: readonly Float64Array[],
  K: number,
  resolution: number,
): { readonly Q: Float64Array; readonly rank: number } {
  const negligible = Math.max(RANK_TOLERANCE, resolution);
  const rest: Float64Array[] = [];
  for (const vector of vectors) {
    const v = vector.slice(0, K);
    const length = lengthOf(v);
    if (!(length > 0 && Number.isFinite(length))) continue;
    for (let i = 0; i < K; i++) v[i] /= length;
    rest.push(v);
  }
  const basis: Float64Array[] = [];
  const sizes = rest.map(() => 1);
  while (basis.length < K && rest.length > 0) {
    const pivot = indexOfLargest(sizes);
    const v = rest[pivot];
    for (const e of basis) subtract(v, inner(e, v), e);
    const size = lengthOf(v);
    if (!(size > negligible)) break;
    for (let i = 0; i < K; i++) v[i] /= size;
    basis.push(v);
    rest.splice(pivot, 1);
    sizes.splice(pivot, 1);
    for (let k = 0; k < rest.length; k++) {
      subtract(rest[k], inner(v, rest[k]), v);
      sizes[k] = lengthOf(rest[k]);
    }
  }
  const rank = basis.length;
  const Q = new Float64Array(K * rank);
  for (let j = 0; j < rank; j++) for (let i = 0; i < K; i++) Q[i * rank + j] = basis[j][i];
  return { Q, rank };
}

function indexOfLargest(sizes: readonly number[]): number {
  let at = 0;
  for (let k = 1; k < sizes.length; k++) if (sizes[k] > sizes[at]) at = k;
  return at;
}

function inner(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function subtract(v: Float64Array, weight: number, e: Float64Array): void {
  for (let i = 0; i < v.length; i++) v[i] -= weight * e[i];
}
