/** Affinities of points that tie for the last places of a list: the places' own, in equal shares. */
import { RowSorter } from "./neighbor-fits.js";
import type { NeighborLists } from "./neighbor-lists.js";
import type { EntropicAffinities } from "./row-fits.js";

/** Rows are fitted to their lists; then the a last places' affinity goes to the m points that share them, p a / m to each. */
export function shareAmongTies(
  affinities: EntropicAffinities,
  { count: k, ties }: NeighborLists,
): EntropicAffinities {
  const { conditional } = affinities;
  if (ties === undefined || ties.rows.length === 0 || "data" in conditional) return affinities;
  const { rows: N, columns } = conditional;
  const rowPointers = new Int32Array(N + 1);
  for (let n = 0; n < N; n++) rowPointers[n + 1] = k;
  for (const [t, n] of ties.rows.entries())
    rowPointers[n + 1] += ties.starts[t + 1] - ties.starts[t] - ties.places[t];
  for (let n = 0; n < N; n++) rowPointers[n + 1] += rowPointers[n];
  const columnIndices = new Int32Array(rowPointers[N]);
  const values = new Float64Array(rowPointers[N]);
  const sorter = new RowSorter(columns);
  const isListed = new Uint8Array(N);
  for (let n = 0, t = 0; n < N; n++) {
    const listed = conditional.columnIndices.subarray(n * k, n * k + k);
    const p = conditional.values.subarray(n * k, n * k + k);
    const [start, end] = [rowPointers[n], rowPointers[n + 1]];
    if (ties.rows[t] !== n) {
      columnIndices.set(listed, start);
      values.set(p, start);
      continue;
    }
    const members = ties.members.subarray(ties.starts[t], ties.starts[t + 1]);
    const taken = members.subarray(0, ties.places[t]);
    for (const m of taken) isListed[m] = 1;
    let at = start;
    let sum = 0;
    for (let q = 0; q < k; q++) {
      if (isListed[listed[q]] === 1) sum += p[q];
      else {
        columnIndices[at] = listed[q];
        values[at++] = p[q];
      }
    }
    for (const m of taken) isListed[m] = 0;
    columnIndices.set(members, at);
    values.fill(sum / members.length, at, end);
    sorter.sort(columnIndices.subarray(start, end), values.subarray(start, end));
    t += 1;
  }
  return { ...affinities, conditional: { rows: N, columns, rowPointers, columnIndices, values } };
}
