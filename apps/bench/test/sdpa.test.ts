/** The semidefinite programme that others are given is NOMAD's: its rows hold at a feasible point, and only there. */
import { expect, test } from "vitest";
import { constraintsOf, sdpaOf } from "../src/experiments/sdp/sdpa.js";

const n = 4;
const K = 2;
const D = Array.from({ length: n * n }, (_, at) => (at % n) + Math.floor(at / n) - 3);

/** Tr(A_k Z) + its slacks' part for each k, from the file's lines; and the right-hand sides. */
function products(Z: readonly number[]): { readonly sums: number[]; readonly sides: number[] } {
  const [count, blocks, sizes, right, ...lines] = sdpaOf(
    { rows: n, columns: n, data: Float64Array.from(D) },
    K,
  )
    .trim()
    .split("\n");
  expect([count, blocks, sizes]).toEqual([String(constraintsOf(n)), "2", `${n} ${-(n * (n - 1)) / 2}`]);
  const pairs = Array.from({ length: n }, (_, i) => i).flatMap((i) =>
    Array.from({ length: n - i - 1 }, (_, k) => Z[i * n + i + 1 + k]),
  );
  const sums = Array.from({ length: constraintsOf(n) + 1 }, () => 0);
  for (const line of lines) {
    const [constraint, block, i, j, value] = line.split(" ").map(Number);
    expect(i).toBeLessThanOrEqual(j);
    sums[constraint] +=
      block === 2 ? value * pairs[i - 1] : (i === j ? 1 : 2) * value * Z[(i - 1) * n + j - 1];
  }
  return { sums, sides: right.split(" ").map(Number) };
}

test("a feasible point satisfies every row, with its own entries as slacks, and the objective is Tr(D Z)", () => {
  const [a, b] = [(K - 1) / (n - 1), (n - K) / (n * (n - 1))];
  const Z = Array.from({ length: n * n }, (_, at) => b + (at % (n + 1) === 0 ? a : 0));
  const { sums, sides } = products(Z);
  expect(sums[0]).toBeCloseTo(
    D.reduce((sum, d, at) => sum + d * Z[at], 0),
    12,
  );
  for (const [k, side] of sides.entries()) expect(sums[k + 1]).toBeCloseTo(side, 12);
});

test("a point of another trace or other row sums breaks its rows", () => {
  const identity = Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0));
  const { sums, sides } = products(identity);
  expect(sums[n + 1] - sides[n]).toBeCloseTo(n - K, 12);
  const doubled = products(identity.map((z) => 2 * z));
  for (let i = 0; i < n; i++) expect(doubled.sums[i + 1] - doubled.sides[i]).toBeCloseTo(1, 12);
});
