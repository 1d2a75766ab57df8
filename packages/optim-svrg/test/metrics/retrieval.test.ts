import { expect, test } from "vitest";
import { neighborLabelError, retrieval } from "../../src/index.js";

/** Distances 1, 2, 3, 4, 5 from the query, of the classes a b a b a. */
const database = { points: [[1], [-2], [3], [4], [5]], labels: ["a", "b", "a", "b", "a"] };

test("precision, recall and MAP as by hand", () => {
  const { queries, at, meanAveragePrecision } = retrieval({ points: [[0]], labels: ["a"] }, database, {
    at: [1, 2, 3, 5],
  });
  expect(queries).toBe(1);
  expect(at.map(({ precision }) => precision)).toEqual([1, 1 / 2, 2 / 3, 3 / 5]);
  expect(at.map(({ recall }) => recall)).toEqual([1 / 3, 1 / 3, 2 / 3, 1]);
  expect(meanAveragePrecision).toBeCloseTo((1 + 2 / 3 + 3 / 5) / 3, 14);
});

test("the mean over queries; those whose class is unknown do not count", () => {
  const queries = { points: [[0], [0], [9]], labels: ["a", "b", "c"] };
  const { queries: counted, at, meanAveragePrecision } = retrieval(queries, database, { at: [2] });
  expect(counted).toBe(2);
  expect(at).toEqual([{ K: 2, precision: 1 / 2, recall: (1 / 3 + 1 / 2) / 2 }]);
  expect(meanAveragePrecision).toBeCloseTo(((1 + 2 / 3 + 3 / 5) / 3 + (1 / 2 + 2 / 4) / 2) / 2, 14);
});

test("of equal distances the first object comes first", () => {
  const near = (labels: readonly string[]) =>
    retrieval({ points: [[0]], labels: ["a"] }, { points: [[1], [-1], [1]], labels }, { at: [1] }).at[0]
      .precision;
  expect(near(["a", "b", "b"])).toBe(1);
  expect(near(["b", "a", "a"])).toBe(0);
});

test("the usual ranks go as far as the database", () => {
  expect(retrieval({ points: [[0]], labels: ["a"] }, database).at.map(({ K }) => K)).toEqual([1, 5]);
});

test.each([
  ["no class in common", { points: [[0]], labels: ["z"] }, database, {}, "ERR_SHAPE"],
  ["labels of another length", { points: [[0]], labels: [] }, database, {}, "ERR_SHAPE"],
  ["other columns", { points: [[0, 0]], labels: ["a"] }, database, {}, "ERR_SHAPE"],
  ["NaN", { points: [[Number.NaN]], labels: ["a"] }, database, {}, "ERR_NON_FINITE"],
  ["a label of NaN", { points: [[0]], labels: [Number.NaN] }, database, {}, "ERR_SHAPE"],
  ["no queries", { points: [], labels: [] }, database, {}, "ERR_SHAPE"],
  ["a rank beyond the database", { points: [[0]], labels: ["a"] }, database, { at: [6] }, "ERR_OPTION"],
  ["a rank of 0", { points: [[0]], labels: ["a"] }, database, { at: [0] }, "ERR_OPTION"],
  [
    "a misspelt option",
    { points: [[0]], labels: ["a"] },
    database,
    JSON.parse('{"ranks": [1]}'),
    "ERR_OPTION",
  ],
])("%s is refused", (_, queries, known, options, code) => {
  expect(() => retrieval(queries, known, options)).toThrow(
    expect.objectContaining({ name: "CurvatureError", code }),
  );
});

test("nearest labels: ties go to the first object", () => {
  expect(neighborLabelError([[0], [1], [2], [10], [11]], ["a", "a", "b", "c", "c"])).toBe(1 / 5);
  expect(neighborLabelError([[1], [0], [2], [1.5]], [1, 1, 2, 2])).toBe(1 / 2); // 1.5 is as near to 1 as to 2, and 1 comes first
  expect(neighborLabelError([[0], [0], [0]], ["a", "b", "a"])).toBe(2 / 3);
});

test("nearest labels: bad input", () => {
  for (const [points, labels, code] of [
    [[[0]], ["a"], "ERR_SHAPE"],
    [[[0], [1]], ["a"], "ERR_SHAPE"],
    [[[0], [Number.NaN]], ["a", "b"], "ERR_NON_FINITE"],
  ] as const)
    expect(() => neighborLabelError(points, labels)).toThrow(
      expect.objectContaining({ name: "CurvatureError", code }),
    );
});
