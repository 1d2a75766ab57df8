/** A v of a matrix whose rows lie one after the other; each row's sum runs over four partial ones, as `dot`. */

/** outᵢ = ⟨row i of A, v⟩. The arrays are at least as long as the sizes say; nothing is checked. */
export type TimesVector = (
  A: Float64Array,
  rows: number,
  columns: number,
  v: Float64Array,
  out: Float64Array,
) => void;

export const timesVectorInTypeScript: TimesVector = (A, rows, columns, v, out) => {
  const whole = columns - (columns % 4);
  for (let i = 0; i < rows; i++) {
    const row = i * columns;
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    for (let j = 0; j < whole; j += 4) {
      s0 += A[row + j] * v[j];
      s1 += A[row + j + 1] * v[j + 1];
      s2 += A[row + j + 2] * v[j + 2];
      s3 += A[row + j + 3] * v[j + 3];
    }
    for (let j = whole; j < columns; j++) s0 += A[row + j] * v[j];
    out[i] = s0 + s1 + (s2 + s3);
  }
};
