/** How far two partitions of the same points are alike. */

/**
 * The adjusted Rand index: 1 for the same partition, 0 in the mean of random ones.
 *
 * Hubert, Arabie: Comparing partitions. J. Classification 2 (1985).
 */
export function adjustedRand(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [both, inA, inB] = [new Map<string, number>(), new Map<number, number>(), new Map<number, number>()];
  for (let i = 0; i < a.length; i++) {
    const pair = `${a[i]} ${b[i]}`;
    both.set(pair, (both.get(pair) ?? 0) + 1);
    inA.set(a[i], (inA.get(a[i]) ?? 0) + 1);
    inB.set(b[i], (inB.get(b[i]) ?? 0) + 1);
  }
  const pairs = (count: number): number => (count * (count - 1)) / 2;
  const sum = (counts: Iterable<number>): number => [...counts].reduce((s, count) => s + pairs(count), 0);
  const [together, ofA, ofB] = [sum(both.values()), sum(inA.values()), sum(inB.values())];
  const expected = (ofA * ofB) / pairs(a.length);
  const most = (ofA + ofB) / 2;
  return most === expected ? 1 : (together - expected) / (most - expected);
}
