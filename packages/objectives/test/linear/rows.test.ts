/** Rows of every storage do the same. */
import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import { type RowAccess, rowAccess, scores } from "@curvature/objectives/linear";
import { describe, expect, test } from "vitest";
import { randomRows, storages, stored } from "./problems.js";

const random = new RandomGenerator(5);
const vector = (length: number) => Float64Array.from({ length }, () => 2 * random.uniform() - 1);

/** Sums of up to 11 products of numbers below 4 in another order. */
const close = (a: number, b: number) => expect(Math.abs(a - b)).toBeLessThan(1e-14);

describe.each(storages)("%s", (storage) => {
  // 1 to 11 columns: every remainder of the unrolled loops
  test.each(Array.from({ length: 11 }, (_, k) => k + 1))("%i columns", (d) => {
    const matrix = randomRows(9, d, d);
    const access = rowAccess(stored(matrix, storage));
    expect([access.rows, access.columns]).toEqual([9, d]);
    for (let i = 0; i < 9; i++) rowOf(matrix, access, i);
    const w = vector(d + 1);
    const out = scores(stored(matrix, storage), w, "free", new Float64Array(9));
    out.forEach((s, i) => {
      close(s, access.dot(i, w) + w[d]);
    });
  });
});

function rowOf({ columns: d, data }: DenseMatrix, access: RowAccess, i: number): void {
  const x = data.subarray(i * d, (i + 1) * d);
  const [w, D] = [vector(d + 1), vector(d + 1)];
  const B = Float32Array.from(D);
  const sum = (term: (j: number) => number): number => x.reduce((total, _, j) => total + term(j), 0);
  close(
    access.dot(i, w),
    sum((j) => w[j] * x[j]),
  );
  close(
    access.squaredNorm(i),
    sum((j) => x[j] * x[j]),
  );
  close(
    access.scaledSquaredNorm(i, B),
    sum((j) => B[j] * x[j] * x[j]),
  );
  close(
    access.weightedSquaredNorm(i, D),
    sum((j) => D[j] * x[j] * x[j]),
  );
  const spread = new Float64Array(d);
  access.forEachEntry(i, (column, value) => {
    spread[column] += value;
  });
  expect(spread).toEqual(Float64Array.from(x));
  const [plain, scaled] = [w.slice(), w.slice()];
  access.addTo(i, 0.7, plain);
  access.addScaledTo(i, 0.7, B, scaled);
  x.forEach((entry, j) => {
    close(plain[j], w[j] + 0.7 * entry);
    close(scaled[j], w[j] + 0.7 * B[j] * entry);
  });
  expect([plain[d], scaled[d]]).toEqual([w[d], w[d]]); // a bias is none of theirs
  expect(access.count(i)).toBe(access.storedEntries === 9 * d ? d : x.filter((entry) => entry !== 0).length);
}

test("what are no rows is refused", () => {
  // @ts-expect-error: no rows
  expect(() => rowAccess({ rows: 1, columns: 1, data: [1] })).toThrowError(/rows must be/);
  // @ts-expect-error: no rows
  expect(() => rowAccess(null)).toThrowError(/rows must be/);
});
