/**
 * Products with a tall matrix that is kept column by column. Four columns at a time share each load of the vector.
 */
export type Column = Float64Array | Float32Array;

/** outₖ = pₖᵀ v for the first K columns. */
export function dotColumns(P: readonly Column[], K: number, v: Float64Array, out: Float64Array): void {
  let k = 0;
  for (; k + 4 <= K; k += 4) dotFour(P[k], P[k + 1], P[k + 2], P[k + 3], v, out, k);
  for (; k < K; k++) out[k] = dotOne(P[k], v);
}

function dotFour(
  p0: Column,
  p1: Column,
  p2: Column,
  p3: Column,
  v: Float64Array,
  out: Float64Array,
  at: number,
): void {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let i = 0; i < v.length; i++) {
    const x = v[i];
    s0 += p0[i] * x;
    s1 += p1[i] * x;
    s2 += p2[i] * x;
    s3 += p3[i] * x;
  }
  out[at] = s0;
  out[at + 1] = s1;
  out[at + 2] = s2;
  out[at + 3] = s3;
}

function dotOne(p: Column, v: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < v.length; i++) sum += p[i] * v[i];
  return sum;
}

/** x ← x + sign Σₖ cₖ pₖ over the first K columns. */
export function addColumns(
  P: readonly Column[],
  K: number,
  c: Float64Array,
  sign: 1 | -1,
  x: Float64Array,
): void {
  let k = 0;
  for (; k + 4 <= K; k += 4)
    addFour(
      P[k],
      P[k + 1],
      P[k + 2],
      P[k + 3],
      sign * c[k],
      sign * c[k + 1],
      sign * c[k + 2],
      sign * c[k + 3],
      x,
    );
  for (; k < K; k++) addOne(P[k], sign * c[k], x);
}

function addFour(
  p0: Column,
  p1: Column,
  p2: Column,
  p3: Column,
  c0: number,
  c1: number,
  c2: number,
  c3: number,
  x: Float64Array,
): void {
  for (let i = 0; i < x.length; i++) x[i] += c0 * p0[i] + c1 * p1[i] + (c2 * p2[i] + c3 * p3[i]);
}

function addOne(p: Column, c: number, x: Float64Array): void {
  for (let i = 0; i < x.length; i++) x[i] += c * p[i];
}

/** Rows that are multiplied at a time: K + k columns of them stay in the cache. */
const BLOCK = 64;

/** The first K columns times Q (K x k, row-major), in their place; M is their length. */
export function multiplyRows(P: readonly Column[], K: number, M: number, Q: Float64Array, k: number): void {
  const block = new Float64Array(BLOCK * K);
  const sums = new Float64Array(BLOCK);
  for (let start = 0; start < M; start += BLOCK) {
    const rows = Math.min(BLOCK, M - start);
    for (let l = 0; l < K; l++) {
      const column = P[l];
      for (let i = 0; i < rows; i++) block[l * BLOCK + i] = column[start + i];
    }
    for (let j = 0; j < k; j++) {
      sums.fill(0);
      let l = 0;
      for (; l + 4 <= K; l += 4)
        addRows(
          block,
          l,
          rows,
          Q[l * k + j],
          Q[(l + 1) * k + j],
          Q[(l + 2) * k + j],
          Q[(l + 3) * k + j],
          sums,
        );
      for (; l < K; l++) {
        const q = Q[l * k + j];
        for (let i = 0; i < rows; i++) sums[i] += q * block[l * BLOCK + i];
      }
      const column = P[j];
      for (let i = 0; i < rows; i++) column[start + i] = sums[i];
    }
  }
}

/** sums ← sums + Σ q block row, for four rows of the block from `l` on. */
function addRows(
  block: Float64Array,
  l: number,
  rows: number,
  q0: number,
  q1: number,
  q2: number,
  q3: number,
  sums: Float64Array,
): void {
  const at0 = l * BLOCK;
  const at1 = at0 + BLOCK;
  const at2 = at1 + BLOCK;
  const at3 = at2 + BLOCK;
  for (let i = 0; i < rows; i++)
    sums[i] += q0 * block[at0 + i] + q1 * block[at1 + i] + (q2 * block[at2 + i] + q3 * block[at3 + i]);
}
