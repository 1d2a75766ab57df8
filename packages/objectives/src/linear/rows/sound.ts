/**
 * Whether sparse rows are what they should be, and no more than whether: these loops run before every fit, and one that
 * could also name the fault takes twice as long.
 */

/**
 * Whether row pointers do not fall, and column indices increase within a row and stay below `columns`. They do if all
 * places where an index is not above the one before it are starts of rows: two plain loops, where one over the entries
 * of each row would mispredict the end of every short row.
 */
export function isPattern(
  rows: number,
  columns: number,
  pointers: Int32Array,
  columnIndices: Int32Array,
): boolean {
  const stored = pointers[rows];
  let descents = 0;
  let before = -1;
  for (let k = 0; k < stored; k++) {
    const j = columnIndices[k];
    descents += Number(j <= before);
    before = j;
  }
  for (let i = 0; i < rows; i++) {
    const start = pointers[i];
    const end = pointers[i + 1];
    if (end < start || end > stored) return false;
    if (end === start) continue;
    if (columnIndices[start] < 0 || columnIndices[end - 1] >= columns) return false;
    if (start > 0) descents -= Number(columnIndices[start] <= columnIndices[start - 1]);
  }
  return descents === 0;
}

/**
 * Whether the first `count` entries are finite. By their bits: an exponent of ones, and no other, carries into the sign
 * when 1 is added to it.
 */
export function areFinite32(values: Float32Array, count: number): boolean {
  const bits = new Int32Array(values.buffer, values.byteOffset, count);
  let carried = 0;
  for (let k = 0; k < count; k++) carried |= (bits[k] & 0x7fffffff) + 0x00800000;
  return carried >= 0;
}

/** The same in double precision: 0 times what is not finite is NaN. Four sums, which do not wait for each other. */
export function areFinite64(values: Float64Array, count: number): boolean {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let k = 0;
  for (; k + 3 < count; k += 4) {
    s0 += 0 * values[k];
    s1 += 0 * values[k + 1];
    s2 += 0 * values[k + 2];
    s3 += 0 * values[k + 3];
  }
  for (; k < count; k++) s0 += 0 * values[k];
  return s0 + s1 + s2 + s3 === 0;
}
