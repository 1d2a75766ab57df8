import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { writeNpy } from "@curvature/datasets";
import { describe, expect, test } from "vitest";
import { labelFilesOf, readData } from "../src/read/data.js";
import { readLabels } from "../src/read/labels.js";

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 3) yield bytes.subarray(start, start + 3);
}

const read = (content: string | Uint8Array, rows: number, path = "folder/kinds.txt") =>
  readLabels(path, pieces(typeof content === "string" ? Buffer.from(content) : content), rows);

describe("readLabels", () => {
  test("one per line, whatever ends the lines, called by the file's name", async () => {
    for (const text of ["a\nb\nc", "a\r\nb\r\nc\r\n", "a\rb\rc\r", "a\nb\nc\n\n"]) {
      expect(await read(text, 3)).toEqual({ labels: ["a", "b", "c"], name: "kinds" });
    }
  });

  test("a line more than points is a heading; quotes and commas are kept as meant", async () => {
    expect(await read('"the kind"\n"Paris, France"\nplain, too\n"say ""so"""\n', 3)).toEqual({
      labels: ["Paris, France", "plain, too", 'say "so"'],
      name: "the kind",
    });
  });

  test("a number is no heading: one label too many is an error, and not a shift by one", async () => {
    const npy = writeNpy({ rows: 3, columns: 1, data: Float64Array.of(0, 2, 1) });
    const idx = Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 3, 0, 2, 1);
    for (const content of ["0\n2\n1\n", npy, idx]) {
      await expect(read(content, 2)).rejects.toThrowError(/has 3 labels, but there are 2 points/);
    }
  });

  test("without a name of their own they are called labels", async () => {
    expect((await read("a\nb\n", 2, "-")).name).toBe("label");
    expect((await read("a\nb\n", 2, "folder/.kinds")).name).toBe("label");
    await expect(read("a\nb\n", 5, "-")).rejects.toThrowError(/^Standard input has 2 labels/);
  });

  test("characters of several bytes survive being cut", async () => {
    expect((await read("größe\n漢字\n", 2)).labels).toEqual(["größe", "漢字"]);
  });

  test("a label may be missing within, not at the end", async () => {
    expect((await read("a\n\nc\n", 3)).labels).toEqual(["a", "", "c"]);
  });

  test("arrays of numbers, plain and compressed", async () => {
    const npy = writeNpy({ rows: 3, columns: 1, data: Float64Array.of(0, 2, 1) });
    const idx = Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 3, 0, 2, 1);
    for (const bytes of [npy, idx, gzipSync(npy), gzipSync(idx), gzipSync("0\n2\n1\n")]) {
      expect((await read(bytes, 3)).labels).toEqual(["0", "2", "1"]);
    }
  });

  test("another number of labels, and damaged files, are named with what was expected", async () => {
    await expect(read("a\nb\n", 5)).rejects.toThrowError(
      "folder/kinds.txt has 2 labels, but there are 5 points. Give one label per point, in their order.",
    );
    await expect(read(gzipSync("a\nb\n").subarray(0, 12), 2)).rejects.toThrowError(/gzip content is damaged/);
    await expect(read(Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 9, 1), 1)).rejects.toThrowError(
      /^folder\/kinds\.txt: The IDX/,
    );
  });
});

test("what names an existing file, or has a path's form, may be a file; a table's column comes first", () => {
  expect(labelFilesOf({})).toEqual([]);
  expect(labelFilesOf({ labels: "64" })).toEqual([]);
  expect(labelFilesOf({ labels: "digit" })).toEqual([]);
  expect(labelFilesOf({ labels: "./digit" })).toEqual(["./digit"]);
  expect(labelFilesOf({ labels: "-" })).toEqual(["-"]);
  expect(labelFilesOf({ labels: import.meta.filename })).toEqual([import.meta.filename]);
});

test("a column and a file of one name: the column is taken, and it says so", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labels-"));
  const at = process.cwd();
  process.chdir(folder);
  try {
    writeFileSync("kind", "p\nq\nr\n");
    writeFileSync("t.csv", "x,kind\n1,a\n2,b\n3,c\n");
    const use = { reading: {}, preparation: {} };
    const context = { signal: new AbortController().signal };
    const column = await readData("t.csv", { ...use, labels: "kind" }, context);
    expect(column.labels).toEqual(["a", "b", "c"]);
    expect(column.notes).toEqual(['t.csv: --labels is the column "kind"; the file of this name is ./kind.']);
    expect(
      (await readData("t.csv", { ...use, labels: "./kind", preparation: { ignore: ["kind"] } }, context))
        .labels,
    ).toEqual(["p", "q", "r"]);
  } finally {
    process.chdir(at);
    rmSync(folder, { recursive: true });
  }
});
