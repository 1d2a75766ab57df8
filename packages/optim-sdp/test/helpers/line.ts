/** The least cost of K clusters of whole numbers on a line, where clusters are intervals: a dynamic programme over sums without rounding. */
export function leastOnLine(points: readonly number[], K: number): number {
  const x = [...points].sort((a, b) => a - b);
  const n = x.length;
  const sums = [0];
  const squares = [0];
  for (let i = 0; i < n; i++) {
    sums.push(sums[i] + x[i]);
    squares.push(squares[i] + x[i] * x[i]);
  }
  const cost = (from: number, to: number): number => {
    const count = to - from;
    const sum = sums[to] - sums[from] - count * x[from]; // about the first one, so that far values take no digits away
    const square = squares[to] - squares[from] - x[from] * (2 * sum + count * x[from]);
    return square - (sum * sum) / count;
  };
  let best = Array.from({ length: n + 1 }, (_, to) => (to === 0 ? 0 : cost(0, to)));
  for (let k = 2; k <= K; k++) {
    const next = best.slice();
    for (let to = 1; to <= n; to++)
      for (let from = k - 1; from < to; from++) next[to] = Math.min(next[to], best[from] + cost(from, to));
    best = next;
  }
  return best[n];
}
