/**
 * Differences of many columns at once: columns without a common row are in one group, and each residual says of which it is.
 *
 * Curtis, Powell, Reid: On the estimation of sparse Jacobian matrices. J. Inst. Maths Applics 13 (1974) 117-119: each group takes, from
 * the first to the last, every column left that shares no row with those it has. A band of width w takes w groups.
 */
import { type SparseMatrix, transposeSparse } from "@curvature/linalg";

/** Columns by groups. @param isLeftOut - columns that are in no group, as those without entries are */
export function columnGroups(pattern: SparseMatrix, isLeftOut: (j: number) => boolean): Int32Array[] {
  const { rowPointers: from, columnIndices: rows } = transposeSparse(pattern);
  const takenBy = new Int32Array(pattern.rows).fill(-1);
  let left: number[] = [];
  for (let j = 0; j < pattern.columns; j++) if (from[j + 1] > from[j] && !isLeftOut(j)) left.push(j);
  const groups: Int32Array[] = [];
  while (left.length > 0) {
    const group: number[] = [];
    const rest: number[] = [];
    for (const j of left) {
      const own = rows.subarray(from[j], from[j + 1]);
      if (own.some((i) => takenBy[i] === groups.length)) {
        rest.push(j);
        continue;
      }
      for (const i of own) takenBy[i] = groups.length;
      group.push(j);
    }
    groups.push(Int32Array.from(group));
    left = rest;
  }
  return groups;
}
