import { expect, test } from "vitest";
import { MaxPoolLayer } from "../../src/networks/max-pool.js";

/** Two images of one channel, 2 × 4, in tiles of 2 × 2. */
const layer = new MaxPoolLayer({ channels: 1, height: 2, width: 4 }, 2, 2);
const none = new Float64Array();

function pooled(...A: number[]): number[] {
  const Z = new Float64Array(4);
  layer.forward(2, none, Float64Array.from(A), Z);
  return [...Z];
}

test("the largest entry of each tile; a NaN anywhere in it makes it one", () => {
  const first = [1, -2, -7, -5, 3, 0, -6, -5];
  expect(pooled(...first, ...first)).toEqual([3, -5, 3, -5]);
  for (const at of [0, 1, 4, 5])
    expect(pooled(...first.with(at, Number.NaN), ...first)).toEqual([Number.NaN, -5, 3, -5]);
});

test("slopes and tangents go to the largest, of equal ones to the first", () => {
  const A = [1, 4, 2, 2, 3, 4, 2, 2, 0, 0, 5, 6, 0, 1, 8, 7];
  pooled(...A);
  const slopes = new Float64Array(16).fill(9);
  layer.backward(2, none, none, Float64Array.of(10, 20, 30, 40), none, slopes);
  expect([...slopes]).toEqual([0, 10, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 30, 40, 0]);
  const tangent = new Float64Array(4);
  layer.tangent(
    2,
    none,
    none,
    none,
    Float64Array.from(A, (_, k) => k),
    tangent,
  );
  expect([...tangent]).toEqual([1, 2, 13, 14]);
});
