/**
 * The linear assignment problem: each of p rows gets a column of its own, at the least sum of costs.
 *
 * Rows come in one after the other; each takes the shortest path of reduced costs to a free column, along which others change
 * theirs. p³ operations.
 *
 * Kuhn: The Hungarian method for the assignment problem. Naval Research Logistics Quarterly 2 (1955); the paths as of Jonker,
 * Volgenant: Computing 38 (1987).
 */

const FREE = -1;

/** @param costs - r × p by rows, r ≤ p @returns of each row its column */
export function assigned(costs: Float64Array, r: number, p: number): Int32Array {
  const rowAt = new Int32Array(p).fill(FREE);
  const ofRows = new Float64Array(r); // potentials: costs less those of row and column are at least 0, and 0 where assigned
  const ofColumns = new Float64Array(p);
  const before = new Int32Array(p); // the column that a path comes from
  const length = new Float64Array(p);
  const isReached = new Uint8Array(p);
  for (let row = 0; row < r; row++) {
    length.fill(Number.POSITIVE_INFINITY);
    isReached.fill(0);
    let at = row; // the row at the path's end
    let column = FREE;
    let gone = 0;
    for (;;) {
      let next = FREE;
      for (let j = 0; j < p; j++) {
        if (isReached[j] === 1) continue;
        const reduced = gone + costs[at * p + j] - ofRows[at] - ofColumns[j];
        if (reduced < length[j]) {
          length[j] = reduced;
          before[j] = column;
        }
        if (next === FREE || length[j] < length[next]) next = j;
      }
      column = next;
      gone = length[column];
      isReached[column] = 1;
      if (rowAt[column] === FREE) break;
      at = rowAt[column];
    }
    ofRows[row] += gone;
    for (let j = 0; j < p; j++) {
      if (isReached[j] === 0 || j === column) continue;
      ofRows[rowAt[j]] += gone - length[j];
      ofColumns[j] -= gone - length[j];
    }
    while (column !== FREE) {
      const from = before[column];
      rowAt[column] = from === FREE ? row : rowAt[from];
      column = from;
    }
  }
  const columns = new Int32Array(r);
  for (let j = 0; j < p; j++) if (rowAt[j] !== FREE) columns[rowAt[j]] = j;
  return columns;
}
