import { readTable } from "@curvature/datasets";
import { expect, test } from "vitest";
import { failure } from "../formats/support.js";
import { readColumns } from "./support.js";

const words = ["the", ",", '"', "'s", "NA", "null", "#", "1990", "total", "-", "naïve", "n/a", "%", "note"];
const lines = words.map((word, i) => `${word} ${i / 8} ${1 - i} 1e-${i} 0.5`);
const numbers = (of: (i: number) => number): number[] => words.map((_, i) => of(i));
const columns = [
  ["column 1", "word", ...words],
  ["column 2", "number", ...numbers((i) => i / 8)],
  ["column 3", "number", ...numbers((i) => 1 - i)],
  ["column 4", "number", ...numbers((i) => Number(`1e-${i}`))],
  ["column 5", "number", ...numbers(() => 0.5)],
];

test.each([
  ["GloVe", `${lines.join("\n")}\n`, "as GloVe writes them"],
  ["GloVe without a last line end", lines.join("\n"), "as GloVe writes them"],
  ["word2vec", `${words.length} 4\n${lines.join("\n")}\n`, "the first line counts them"],
  [
    "word2vec with a blank at the end of lines",
    `${words.length} 4\n${lines.join(" \n")} \n`,
    "the first line counts",
  ],
])("%s: all words are words", async (_, text, note) => {
  expect(await readColumns(text)).toEqual(columns);
  const { notes, columns: own } = await readTable(text);
  expect(own.map(({ missing }) => missing)).toEqual([0, 0, 0, 0, 0]);
  expect(notes[0]).toContain(note);
});

test("rows of two numbers, of which the first ends in 1, are no vectors", async () => {
  expect(await readColumns("4 1\n5 2\n6 2\n7 3\n8 2\n")).toEqual([
    ["column 1", "number", 4, 5, 6, 7, 8],
    ["column 2", "number", 1, 2, 2, 3, 2],
  ]);
  expect((await readTable("23 1\n45 0\n12 1\n17 0\n")).rows).toBe(4);
});

test("larger than what is looked at first, all rows are counted", async () => {
  const many = Array.from({ length: 20_000 }, (_, k) => `w${k} ${Math.sin(k)} ${k} 0.25 1`);
  const { rows, columns } = await readTable(`20000 4\n${many.join("\n")}\n`);
  expect([rows, columns.length]).toEqual([20_000, 5]);
  const error = await failure(readTable(`20001 4\n${many.join("\n")}\n`));
  expect(error.message).toContain("Line 1 counts 20001 vectors, and there are 20000.");
});

test("rows whose names are in quotes, repeat, or are numbers, are no word vectors", async () => {
  for (const text of [
    '"a" 1 2 3\n"b" 4 5 6\n"c" 7 8 9\n',
    "a 1 2 3\nb 4 5 6\na 7 8 9\n",
    "1 1 2 3\n2 4 5 6\n3 7 8 9\n",
  ])
    expect((await readTable(text)).notes.join()).not.toContain("GloVe");
});

test("lines that are nearly vectors take no long time", async () => {
  const line = `a ${"123456789 ".repeat(300)}x`;
  const begin = performance.now();
  await readTable(`${line}\n${line}\n`).catch(() => undefined);
  expect(performance.now() - begin).toBeLessThan(2000);
});
