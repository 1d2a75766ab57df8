/** Which rows of data are copies of which, by a table of hashes: n d operations. */
import type { DenseMatrix } from "@curvature/linalg";

export interface Copies {
  /** Of each row its number among the different ones, which are numbered by their first rows. */
  readonly rowOf: Int32Array;
  /** How often each is there. */
  readonly copies: Float64Array;
}

export function copiesOf({ rows: n, columns: d, data }: DenseMatrix): Copies {
  let slots = 4;
  while (slots < 2 * n) slots *= 2;
  const table = new Int32Array(slots).fill(-1); // first row of those of a hash
  const rowOf = new Int32Array(n);
  const counts: number[] = [];
  const value = new Float64Array(1);
  const words = new Uint32Array(value.buffer);
  for (let i = 0; i < n; i++) {
    let hash = 0;
    for (let j = 0; j < d; j++) {
      value[0] = data[i * d + j] + 0; // −0 is 0
      hash = Math.imul(hash ^ words[0], 0x85ebca6b);
      hash = Math.imul((hash ^ (hash >>> 15)) + words[1], 0xc2b2ae35);
      hash ^= hash >>> 13;
    }
    let slot = hash & (slots - 1);
    while (table[slot] >= 0 && !isSame(data, table[slot] * d, i * d, d)) slot = (slot + 1) & (slots - 1);
    if (table[slot] < 0) {
      table[slot] = i;
      rowOf[i] = counts.length;
      counts.push(0);
    } else rowOf[i] = rowOf[table[slot]];
    counts[rowOf[i]]++;
  }
  return { rowOf, copies: Float64Array.from(counts) };
}

function isSame(data: Float64Array, a: number, b: number, d: number): boolean {
  for (let j = 0; j < d; j++) if (data[a + j] !== data[b + j]) return false;
  return true;
}
