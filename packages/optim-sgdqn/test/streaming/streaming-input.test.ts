/** What streams and batches are refused for, and that nothing is learned from those. */
import { type LabeledRows, LinearClassifier } from "@curvature/optim-sgdqn";
import { expect, test } from "vitest";

test("what needs all rows at once is refused, and the sentence says why", async () => {
  const bad: readonly [ConstructorParameters<typeof LinearClassifier>[0], string][] = [
    [{ t0: "search" }, 'not "search", which needs all rows at once'],
    [{ solver: "newton" }, "The solver newton needs all rows at once"],
    [{ tolerance: 1e-3 }, "tolerance must be left out"],
    [{ validationShare: 0.1 }, "validationShare must be left out"],
    [{ classWeights: "balanced" }, 'not "balanced"'],
  ];
  for (const [options, message] of bad)
    await expect(new LinearClassifier(options).partialFit([[1], [2]], [0, 1])).rejects.toThrowError(message);
});

test("bad batches are refused, and nothing is learned from them", async () => {
  const model = new LinearClassifier({ lambda: 0.1 });
  await expect(model.partialFit([[1], [2]], [1, 1])).rejects.toThrowError("name all classes by classes");
  await model.partialFit([[1], [2]], [1, 2]);
  const before = model.fitted;
  await expect(model.partialFit([[1]], [3])).rejects.toThrowError("none of the classes 1, 2");
  await expect(model.partialFit([[Number.NaN]], [1])).rejects.toThrowError("NaN at row 0, column 0");
  await expect(model.partialFit([[1]], [1, 2])).rejects.toThrowError("one label for each of the 1 rows");
  await expect(model.partialFit([[1]], [1], [1, 5])).rejects.toThrowError(
    "the classes are 1, 2 since the first rows",
  );
  await model.partialFit([], []);
  expect(model.fitted).toEqual(before);
});

test("streams that are none", async () => {
  const model = new LinearClassifier();
  const noIterator = { [Symbol.iterator]: () => null };
  const wrong: unknown[] = [null, 5, {}, () => 7, [], [{ rows: [], labels: [] }], [null], noIterator];
  for (const source of wrong)
    await expect(model.fitStream(source as LabeledRows[])).rejects.toMatchObject({ name: "CurvatureError" });
});

test("a row with a stray column far out is refused, and the model stays as it was", async () => {
  const model = new LinearClassifier({ lambda: 0.1 });
  await model.partialFit([[1], [2]], [1, 2]);
  const before = model.fitted;
  const stray = {
    rows: 1,
    columns: 1e9,
    rowPointers: Int32Array.of(0, 1),
    columnIndices: Int32Array.of(999_999_999),
    values: Float64Array.of(1),
  };
  await expect(model.partialFit(stray, [1])).rejects.toMatchObject({ code: "ERR_MEMORY" });
  expect(model.fitted).toEqual(before);
});

test("more classes than all that is kept of them has room for are refused before they are learned", async () => {
  const classes = Array.from({ length: 60_000 }, (_, k) => `class ${k}`);
  const model = new LinearClassifier({ classes });
  const wide = [new Array<number>(4000).fill(0)];
  await expect(model.partialFit(wide, ["class 1"])).rejects.toMatchObject({ code: "ERR_MEMORY" });
});
