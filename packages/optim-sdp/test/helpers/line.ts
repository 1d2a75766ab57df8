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

/** The same of any numbers, times 1 · 2 · … · n, in the square of 2^exponent: see `exactPoints`. Whole, as the size of a group divides it. */
export function exactLeastOnLine(values: readonly bigint[], K: number): bigint {
  const x = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const n = x.length;
  let factorial = 1n;
  for (let i = 2; i <= n; i++) factorial *= BigInt(i);
  const sums = [0n];
  const squares = [0n];
  for (const [i, value] of x.entries()) {
    sums.push(sums[i] + value);
    squares.push(squares[i] + value * value);
  }
  const cost = (from: number, to: number): bigint => {
    const sum = sums[to] - sums[from];
    return factorial * (squares[to] - squares[from]) - (factorial / BigInt(to - from)) * sum * sum;
  };
  let best = Array.from({ length: n + 1 }, (_, to) => (to === 0 ? 0n : cost(0, to)));
  for (let k = 2; k <= K; k++) {
    const next = best.slice();
    for (let to = 1; to <= n; to++)
      for (let from = k - 1; from < to; from++) {
        const sum = best[from] + cost(from, to);
        if (sum < next[to]) next[to] = sum;
      }
    best = next;
  }
  return best[n];
}
