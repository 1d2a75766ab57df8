/**
 * The relaxed step of Douglas-Rachford splitting on rows of the lower triangle, left of the diagonal, in pairs of columns:
 *
 *   x ← x + e,   z = [w]_+,   w ← w − z + r x + (1 − r) z
 *
 * | sums, of even columns and of odd ones | places |
 * |---------------------------------------|--------|
 * | Σ (x − z)²                            | 0, 1   |
 * | Σ z²                                  | 2, 3   |
 * | Σ ([w]_+ − z)², w after the step      | 4, 5   |
 * | Σ [w]_−², w after the step            | 6, 7   |
 * | min x                                 | 8, 9   |
 */

/** Rows first … end − 1 of W, n × n, to the last whole pair; row i of X at (i − first) n. What is not finite forms need not agree on. */
export type RelaxPairs = (
  W: Float32Array,
  n: number,
  first: number,
  end: number,
  X: Float64Array,
  e: number,
  r: number,
  sums: Float64Array,
) => void;

export const relaxPairsInTypeScript: RelaxPairs = (W, n, first, end, X, e, r, sums) => {
  for (let i = first; i < end; i++) relaxRow(W, i * n, X, (i - first) * n, i - (i % 2), e, r, sums);
};

function relaxRow(
  W: Float32Array,
  row: number,
  X: Float64Array,
  at: number,
  count: number,
  e: number,
  r: number,
  sums: Float64Array,
): void {
  const other = 1 - r;
  let difference0 = sums[0];
  let difference1 = sums[1];
  let size0 = sums[2];
  let size1 = sums[3];
  let change0 = sums[4];
  let change1 = sums[5];
  let negative0 = sums[6];
  let negative1 = sums[7];
  let least0 = sums[8];
  let least1 = sums[9];
  for (let j = 0; j < count; j += 2) {
    const w0 = W[row + j];
    const w1 = W[row + j + 1];
    const x0 = X[at + j] + e;
    const x1 = X[at + j + 1] + e;
    const z0 = 0.5 * (w0 + Math.abs(w0));
    const z1 = 0.5 * (w1 + Math.abs(w1));
    const next0 = w0 - z0 + r * x0 + other * z0;
    const next1 = w1 - z1 + r * x1 + other * z1;
    const zNext0 = 0.5 * (next0 + Math.abs(next0));
    const zNext1 = 0.5 * (next1 + Math.abs(next1));
    difference0 += (x0 - z0) * (x0 - z0);
    difference1 += (x1 - z1) * (x1 - z1);
    size0 += z0 * z0;
    size1 += z1 * z1;
    change0 += (zNext0 - z0) * (zNext0 - z0);
    change1 += (zNext1 - z1) * (zNext1 - z1);
    negative0 += (next0 - zNext0) * (next0 - zNext0);
    negative1 += (next1 - zNext1) * (next1 - zNext1);
    if (x0 < least0) least0 = x0;
    if (x1 < least1) least1 = x1;
    W[row + j] = next0;
    W[row + j + 1] = next1;
  }
  sums[0] = difference0;
  sums[1] = difference1;
  sums[2] = size0;
  sums[3] = size1;
  sums[4] = change0;
  sums[5] = change1;
  sums[6] = negative0;
  sums[7] = negative1;
  sums[8] = least0;
  sums[9] = least1;
}
