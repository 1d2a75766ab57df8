/**
 * A v of a symmetric A whose lower triangle alone is read: each entry is loaded once and used twice,
 * four rows at a time. The sums of these rows run over even and odd columns apart.
 */

/**
 * w ← A v for the leading block of v.length rows.
 *
 * @param A - row-major, rows of `stride` entries
 */
export function timesSymmetric(A: Float64Array, stride: number, v: Float64Array, w: Float64Array): void {
  const n = v.length;
  const whole = n - (n % 4);
  for (let j = 0; j < whole; j += 4) fourRows(A, stride, v, w, j);
  for (let j = whole; j < n; j++) {
    const row = j * stride;
    const vj = v[j];
    let sum = A[row + j] * vj;
    for (let k = 0; k < j; k++) {
      const a = A[row + k];
      sum += a * v[k];
      w[k] += a * vj;
    }
    w[j] = sum;
  }
}

function fourRows(A: Float64Array, stride: number, v: Float64Array, w: Float64Array, j: number): void {
  const r0 = j * stride;
  const r1 = r0 + stride;
  const r2 = r1 + stride;
  const r3 = r2 + stride;
  const v0 = v[j];
  const v1 = v[j + 1];
  const v2 = v[j + 2];
  const v3 = v[j + 3];
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let t0 = 0;
  let t1 = 0;
  let t2 = 0;
  let t3 = 0;
  for (let k = 0; k < j; k += 2) {
    const x = v[k];
    const y = v[k + 1];
    const a0 = A[r0 + k];
    const a1 = A[r1 + k];
    const a2 = A[r2 + k];
    const a3 = A[r3 + k];
    s0 += a0 * x;
    s1 += a1 * x;
    s2 += a2 * x;
    s3 += a3 * x;
    w[k] += a0 * v0 + a1 * v1 + (a2 * v2 + a3 * v3);
    const b0 = A[r0 + k + 1];
    const b1 = A[r1 + k + 1];
    const b2 = A[r2 + k + 1];
    const b3 = A[r3 + k + 1];
    t0 += b0 * y;
    t1 += b1 * y;
    t2 += b2 * y;
    t3 += b3 * y;
    w[k + 1] += b0 * v0 + b1 * v1 + (b2 * v2 + b3 * v3);
  }
  const a10 = A[r1 + j];
  const a20 = A[r2 + j];
  const a21 = A[r2 + j + 1];
  const a30 = A[r3 + j];
  const a31 = A[r3 + j + 1];
  const a32 = A[r3 + j + 2];
  w[j] = s0 + t0 + A[r0 + j] * v0 + a10 * v1 + (a20 * v2 + a30 * v3);
  w[j + 1] = s1 + t1 + a10 * v0 + A[r1 + j + 1] * v1 + (a21 * v2 + a31 * v3);
  w[j + 2] = s2 + t2 + a20 * v0 + a21 * v1 + (A[r2 + j + 2] * v2 + a32 * v3);
  w[j + 3] = s3 + t3 + a30 * v0 + a31 * v1 + (a32 * v2 + A[r3 + j + 3] * v3);
}
