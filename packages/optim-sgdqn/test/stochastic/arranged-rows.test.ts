import { type Rows, rowAccess } from "@curvature/objectives/linear";
import { expect, test } from "vitest";
import { arrangedRows } from "../../src/solvers/stochastic/arranged-rows.js";
import { smallProblem } from "./problems.js";

const sparse = smallProblem({ n: 9, d: 5 }).rows;
if (!("values" in sparse)) throw new Error("sparse rows have values");
const data = Float64Array.from({ length: 45 }, (_, k) => k);
const storages: readonly Rows[] = [
  sparse,
  { ...sparse, values: Float32Array.from(sparse.values) },
  { rows: 9, columns: 5, data },
  { rows: 9, columns: 5, data: Float32Array.from(data) },
];
const order = Int32Array.of(4, 0, 8, 2, 6, 1, 7, 3, 5);
const w = Float64Array.of(0.3, -2, 5, 7, 11);

test.each(storages)("row k of the copy is row order[k], %#", (rows) => {
  const copy = arrangedRows(rows, order) ?? rows;
  const [before, after] = [rows, copy].map((one) => ("data" in one ? one.data : one.values));
  expect(after.constructor).toBe(before.constructor);
  order.forEach((i, k) => {
    expect(rowAccess(copy).dot(k, w)).toBe(rowAccess(rows).dot(i, w));
    expect(rowAccess(copy).count(k)).toBe(rowAccess(rows).count(i));
  });
});

test.each(storages)("the same rows and order share a copy, others do not, %#", (rows) => {
  const copy = arrangedRows(rows, order);
  expect(arrangedRows(rows, order.slice())).toBe(copy);
  expect(arrangedRows({ ...rows }, order)).not.toBe(copy);
  expect(arrangedRows(rows, order.toReversed())).not.toBe(copy);
});

test.each(storages)("rows that were changed are copied anew, %#", (given) => {
  const rows = structuredClone(given);
  const copy = arrangedRows(rows, order);
  ("data" in rows ? rows.data : rows.values)[3] += 1;
  const anew = arrangedRows(rows, order) ?? rows;
  expect(anew).not.toBe(copy);
  expect(rowAccess(anew).dot(1, w)).toBe(rowAccess(rows).dot(order[1], w));
});
