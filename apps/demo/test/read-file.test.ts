/** The visitor's file as a data set: which column becomes the labels, and what its downloads are called. */
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readFile } from "../src/data/read-file.js";
import { baseName } from "../src/export/save.js";

const read = (name: string, content: string | Uint8Array<ArrayBuffer>, mostRows = 100, labels?: string) =>
  readFile({ kind: "file", file: new File([content], name), labels, mostBytes: 1e6, mostRows });

test.each([
  ["x,y,class\n1,2,a\n3,4,b\n", "class", ["x", "y"]],
  ["x,y,kind\n1,2,a\n3,4,b\n", "kind", ["x", "y"]],
  ["x,y\n1,2\n3,4\n", undefined, ["x", "y"]],
  ["a,b,y\n1,2,0\n3,4,1\n", "y", ["a", "b"]],
  ["a,b,y,word\n1,2,0,u\n3,4,1,v\n", "word", ["a", "b", "y"]],
  ["1,2\n3,4\n", undefined, ["0", "1"]],
])("labels are found where one would look for them: %j", async (text, labelName, columns) => {
  const dataset = await read("table.csv", text);
  expect(dataset.labelName).toBe(labelName);
  expect(dataset.columns).toHaveLength(columns.length);
  if (labelName !== undefined) expect(dataset.columns).toEqual(columns);
});

test.each([
  ["id,x,name,y\na,1,u,2\nb,3,v,4\n", undefined, undefined, ["id", "name"]],
  ["id,x,species,y\na,1,u,2\nb,3,v,4\n", undefined, "species", ["id"]],
  ["id,x,species,y\na,1,u,2\nb,3,v,4\n", "id", "id", ["species"]],
  ["id,x,species,y\na,1,u,2\nb,3,v,4\n", "", undefined, ["id", "species"]],
  [",x,y\na,1,2\nb,3,4\n", undefined, undefined, [""]],
  [",x,y\na,1,2\nb,3,4\n", "", undefined, [""]],
])("columns of words that are no labels are left out: %j, %j", async (text, chosen, labelName, leftOut) => {
  const dataset = await read("table.csv", text, 100, chosen);
  expect(dataset.labels === undefined ? undefined : dataset.labelName).toBe(labelName);
  expect(dataset.leftOut.map(({ name }) => name)).toEqual(leftOut);
  expect(dataset.columns).toEqual(["x", "y"]);
  expect(Array.from(dataset.points.data)).toEqual([1, 2, 3, 4]);
});

test("a first row with numbers names no columns", async () => {
  await expect(read("table.csv", "p1,5.1,a\np2,4.9,b\n")).rejects.toThrow(
    'The cell at line 1, column 1 is "p1", which is not a number.',
  );
});

test("a column that is chosen counts, also of a compressed file, of which a sample is taken with its labels", async () => {
  const rows = Array.from({ length: 50 }, (_, i) => `${i},${i % 3},c${i}`).join("\n");
  const dataset = await read("table.csv.gz", Uint8Array.from(gzipSync(`a,class,b\n${rows}\n`)), 20, "b");
  expect([dataset.labelName, dataset.takenFrom, dataset.points.rows]).toEqual(["b", 50, 20]);
  dataset.labels?.forEach((label, i) => {
    expect(label).toBe(`c${dataset.points.data[2 * i]}`);
  });
});

test("a download keeps the name that the code gives it", () => {
  expect(baseName("my data (1).csv.gz")).toBe("my data _1_");
  expect(baseName("../../<b>.csv")).toBe(".._.._b_");
  expect(baseName(`${"n".repeat(300)}.csv`)).toBe("n".repeat(80));
});
