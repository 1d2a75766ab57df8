/** Costs of clusterings, in doubles and in fractions without rounding; points to compare them on. */
import type { DenseMatrix, RandomGenerator } from "@curvature/linalg";

/** Families of few points, many of them degenerate. */
export function drawnPoints(random: RandomGenerator): number[][] {
  const n = 2 + Math.floor(6 * random.uniform());
  const d = 1 + Math.floor(3 * random.uniform());
  const kind = Math.floor(6 * random.uniform());
  const scale = [1, 1, 1, 1e-138, 1e138, 3e-7][Math.floor(6 * random.uniform())];
  const entry = (): number => {
    if (kind === 0) return random.uniform() - 0.5;
    if (kind === 1) return Math.floor(3 * random.uniform()); // copies
    if (kind === 2) return 1e8 + random.uniform(); // far from 0
    if (kind === 3) return random.uniform() < 0.2 ? 1e6 : random.uniform(); // one far value
    if (kind === 4) return 7; // all the same
    return Math.floor(10 * random.uniform()) / 10; // no whole binary numbers
  };
  return Array.from({ length: n }, () => Array.from({ length: d }, () => scale * entry()));
}

/** Sum of squared distances from the means of the clusters. */
export function costOf({ columns: d, data }: DenseMatrix, labels: Int32Array): number {
  let cost = 0;
  for (const c of new Set(labels)) {
    const rows = [...labels.keys()].filter((i) => labels[i] === c);
    for (let j = 0; j < d; j++) {
      const mean = rows.reduce((sum, i) => sum + data[i * d + j], 0) / rows.length;
      cost += rows.reduce((sum, i) => sum + (data[i * d + j] - mean) ** 2, 0);
    }
  }
  return cost;
}

const bits = new DataView(new ArrayBuffer(8));

/** A double as whole number times a power of two. */
function parts(x: number): { readonly whole: bigint; readonly exponent: number } {
  bits.setFloat64(0, x);
  const word = bits.getBigUint64(0);
  const biased = Number((word >> 52n) & 2047n);
  const mantissa = (word & (2n ** 52n - 1n)) + (biased > 0 ? 2n ** 52n : 0n);
  return { whole: x < 0 ? -mantissa : mantissa, exponent: Math.max(biased, 1) - 1075 };
}

/** The points as whole numbers times 2^exponent. */
export function exactPoints(points: readonly (readonly number[])[]): {
  readonly rows: bigint[][];
  readonly exponent: number;
} {
  const all = points.map((row) => row.map(parts));
  const exponent = Math.min(...all.flat().map((part) => part.exponent));
  const rows = all.map((row) => row.map((part) => part.whole << BigInt(part.exponent - exponent)));
  return { rows, exponent };
}

/** n! Σ_c (Σ ‖x‖² − ‖Σ x‖²/|C|), whole as |C| divides n!. */
export function exactCost(rows: readonly (readonly bigint[])[], labels: readonly number[]): bigint {
  const factorial = rows.reduce((product, _, i) => product * BigInt(i + 1), 1n);
  let cost = 0n;
  for (const c of new Set(labels)) {
    const members = rows.filter((_, i) => labels[i] === c);
    for (let j = 0; j < rows[0].length; j++) {
      const sum = members.reduce((total, row) => total + row[j], 0n);
      const squares = members.reduce((total, row) => total + row[j] * row[j], 0n);
      cost += factorial * squares - (factorial / BigInt(members.length)) * sum * sum;
    }
  }
  return cost;
}

export type Pairs = [number, number][];

export const respectsLinks = (labels: ArrayLike<number>, mustLink: Pairs, cannotLink: Pairs): boolean =>
  mustLink.every(([i, j]) => labels[i] === labels[j]) &&
  cannotLink.every(([i, j]) => labels[i] !== labels[j]);

/** So many pairs of different ones of n rows. */
export function drawnPairs(random: RandomGenerator, n: number, count: number): Pairs {
  return Array.from({ length: count }, (): [number, number] => {
    const i = Math.floor(n * random.uniform());
    return [i, (i + 1 + Math.floor((n - 1) * random.uniform())) % n];
  });
}

/** Of all clusterings of the rows into at most K groups that are `allowed` the least n! cost; undefined where there is none. */
export function exactOptimum(rows: readonly (readonly bigint[])[], K: number): bigint;
export function exactOptimum(
  rows: readonly (readonly bigint[])[],
  K: number,
  allowed: (labels: readonly number[]) => boolean,
): bigint | undefined;
export function exactOptimum(
  rows: readonly (readonly bigint[])[],
  K: number,
  allowed: (labels: readonly number[]) => boolean = () => true,
): bigint | undefined {
  let best: bigint | undefined;
  const labels: number[] = [];
  const visit = (groups: number): void => {
    if (labels.length === rows.length) {
      if (!allowed(labels)) return;
      const cost = exactCost(rows, labels);
      if (best === undefined || cost < best) best = cost;
      return;
    }
    for (let c = 0; c < Math.min(K, groups + 1); c++) {
      labels.push(c);
      visit(Math.max(groups, c + 1));
      labels.pop();
    }
  };
  visit(0);
  return best;
}

/** Whether x ≤ cost · 4^exponent / n!, without rounding. */
export function isAtMost(x: number, cost: bigint, exponent: number, n: number): boolean {
  if (x === Number.POSITIVE_INFINITY) return false;
  const { whole, exponent: power } = parts(x);
  let factorial = 1n;
  for (let i = 2; i <= n; i++) factorial *= BigInt(i);
  const shift = power - 2 * exponent;
  return shift >= 0
    ? (whole * factorial) << BigInt(shift) <= cost
    : whole * factorial <= cost << BigInt(-shift);
}
