/** Linear problems at the door. */
import { CurvatureError } from "@curvature/linalg";
import {
  checkLinearProblem,
  type LinearProblem,
  linearObjective,
  linearSum,
} from "@curvature/objectives/linear";
import { expect, test } from "vitest";
import { randomProblem, randomRows, stored } from "./problems.js";

const good = randomProblem();
const rows = stored(randomRows(23, 6), "sparse64");
if (!("values" in rows)) throw new Error("sparse rows have values");

const changed = <T extends Float64Array | Int32Array>(array: T, at: number, value: number): T => {
  const copy = structuredClone(array);
  copy[at] = value;
  return copy;
};
const dense = stored(randomRows(23, 6), "dense32");
if (!("data" in dense)) throw new Error("dense rows have data");

const bad: readonly [string, unknown, string][] = [
  ["null", null, "the problem must be an object"],
  ["no rows", { ...good, rows: undefined }, "rows must be"],
  ["an array for rows", { ...good, rows: [[1, 2]] }, "rows must be"],
  ["rows of integers", { ...good, rows: { rows: 1, columns: 1, data: new Int32Array(1) } }, "rows must be"],
  ["no row", { ...good, rows: { rows: 0, columns: 3, data: new Float64Array(0) } }, "at least one row"],
  ["a stray column", { ...good, rows: { ...rows, columns: 2 ** 31 - 1 } }, "vector of parameters 16.0 GiB"],
  ["half a row", { ...good, rows: { ...dense, rows: 22.5 } }, "whole number"],
  [
    "short dense data",
    { ...good, rows: { ...dense, data: new Float32Array(7) } },
    "data must be 138 entries",
  ],
  [
    "NaN in dense data",
    { ...good, rows: { ...dense, data: new Float32Array(138).fill(Number.NaN) } },
    "row 0, column 0",
  ],
  [
    "short pointers",
    { ...good, rows: { ...rows, rowPointers: rows.rowPointers.slice(1) } },
    "rowPointers must be",
  ],
  [
    "pointers of floats",
    { ...good, rows: { ...rows, rowPointers: new Float64Array(24) } },
    "rowPointers must be",
  ],
  [
    "falling pointers",
    { ...good, rows: { ...rows, rowPointers: changed(rows.rowPointers, 5, 1) } },
    "rowPointers[5]",
  ],
  [
    "a first pointer of 1",
    { ...good, rows: { ...rows, rowPointers: changed(rows.rowPointers, 0, 1) } },
    "rowPointers[0]",
  ],
  [
    "a column too far",
    { ...good, rows: { ...rows, columnIndices: changed(rows.columnIndices, 0, 99) } },
    "column index of row 0",
  ],
  [
    "a negative column",
    { ...good, rows: { ...rows, columnIndices: changed(rows.columnIndices, 0, -1) } },
    "column index of row 0",
  ],
  [
    "a column twice",
    { ...good, rows: { ...rows, columnIndices: new Int32Array(rows.columnIndices.length) } },
    "increasing",
  ],
  ["few values", { ...good, rows: { ...rows, values: rows.values.slice(0, 9) } }, "values must be"],
  [
    "infinite value",
    { ...good, rows: { ...rows, values: changed(new Float64Array(rows.values), 0, 1 / 0) } },
    "has Infinity at row 0",
  ],
  ["a target of 0", { ...good, targets: changed(good.targets, 4, 0) }, "target of row 4"],
  ["NaN target", { ...good, targets: changed(good.targets, 4, Number.NaN) }, "target of row 4"],
  ["few targets", { ...good, targets: good.targets.slice(1) }, "targets must be"],
  ["an array of targets", { ...good, targets: [1, -1] }, "targets must be"],
  ["no loss", { ...good, loss: undefined }, "loss must be"],
  ["a loss's name", { ...good, loss: "hinge" }, "loss must be"],
  ["λ = 0", { ...good, lambda: 0 }, "lambda must be"],
  ["λ = NaN", { ...good, lambda: Number.NaN }, "lambda must be"],
  ["λ = ∞", { ...good, lambda: 1 / 0 }, "lambda must be"],
  ["unknown bias", { ...good, bias: "yes" }, "bias must be"],
  [
    "negative importance",
    { ...good, importances: changed(new Float64Array(23), 2, -1) },
    "importance of row 2",
  ],
  [
    "NaN importance",
    { ...good, importances: changed(new Float64Array(23), 2, Number.NaN) },
    "importances[2]",
  ],
  ["few importances", { ...good, importances: new Float64Array(3) }, "importances must be"],
];

test.each(bad)("%s", (_, problem, words) => {
  for (const door of [checkLinearProblem, linearObjective, linearSum]) {
    const error = thrownBy(() => Reflect.apply(door, undefined, [problem]));
    expect(error).toBeInstanceOf(CurvatureError);
    expect(String(error)).toContain(words);
  }
});

test("good problems pass, with importances of 0 and rows that are empty", () => {
  expect(thrownBy(() => checkLinearProblem(good))).toBeUndefined();
  const importances = new Float64Array(23);
  expect(thrownBy(() => checkLinearProblem({ ...good, importances }))).toBeUndefined();
  const regression: LinearProblem = { ...good, targets: new Float64Array(23).fill(0.5) };
  expect(String(thrownBy(() => checkLinearProblem(regression)))).toContain("−1 or +1");
});

function thrownBy(action: () => unknown): unknown {
  try {
    action();
    return undefined;
  } catch (error) {
    return error;
  }
}
