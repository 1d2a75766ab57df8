import { describe, expect, test } from "vitest";
import { drawn } from "../src/experiments/sgdqn/generated.ts";

function made(name: string) {
  const set = drawn(name);
  if (set === undefined) throw new Error(`${name} is not drawn`);
  return set;
}

/** ‖xᵢ‖² of each row. */
function squaredNorms({ rowPointers, values, rows }: ReturnType<typeof made>["train"]["rows"]): number[] {
  return Array.from({ length: rows }, (_, i) =>
    values.subarray(rowPointers[i], rowPointers[i + 1]).reduce((sum, x) => sum + x * x, 0),
  );
}

describe.each(["alpha-like:400", "delta-like:400", "axes:400", "rcv1-like:400"])("%s", (name) => {
  const { train, test: held } = made(name);

  test("the same rows each time, as many as asked for", () => {
    expect(made(name).train).toEqual(train);
    expect([train.rows.rows, held.rows.rows]).toEqual([400, 80]);
    expect(train.targets).toHaveLength(400);
  });

  test("both classes, and sound rows", () => {
    expect(new Set(train.targets)).toEqual(new Set([-1, 1]));
    const { rowPointers, columnIndices, columns, values } = held.rows;
    expect([rowPointers[0], rowPointers[80]]).toEqual([0, values.length]);
    for (let i = 0; i < 80; i++) {
      const row = columnIndices.subarray(rowPointers[i], rowPointers[i + 1]);
      expect(row.every((j, k) => j < columns && (k === 0 || j > row[k - 1]))).toBe(true);
    }
  });
});

test("dense rows have a squared length of 1 on average, sparse ones of 1 each", () => {
  const dense = squaredNorms(made("alpha-like:2000").train.rows);
  // the standard error of the mean is √(2 Σ s⁴ / (Σ s²)²) / √2000, below 0.02
  expect(dense.reduce((sum, x) => sum + x, 0) / dense.length).toBeCloseTo(1, 1);
  for (const length of squaredNorms(made("rcv1-like:400").train.rows)) expect(length).toBeCloseTo(1, 5);
});

test("names that nobody draws", () => {
  expect(drawn("a9a")).toBeUndefined();
});
