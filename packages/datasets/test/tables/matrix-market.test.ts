import { gzipSync } from "node:zlib";
import { readMatrixMarket, readTable } from "@curvature/datasets";
import { toSparse } from "@curvature/linalg";
import { expect, test } from "vitest";
import { failure } from "../formats/support.js";
import { readColumns } from "./support.js";

// the first five are what scipy.io.mmwrite of SciPy 1.17 writes
test.each<[string, string, number[][]]>([
  [
    "coordinates",
    "%%MatrixMarket matrix coordinate real general\n%\n3 3 3\n1 2 1.5\n3 1 2\n3 3 -3\n",
    [
      [0, 1.5, 0],
      [0, 0, 0],
      [2, 0, -3],
    ],
  ],
  [
    "an array, column by column",
    "%%MatrixMarket matrix array real general\n%\n2 3\n1\n2e0\n3\n4\n5\n-6\n",
    [
      [1, 3, 5],
      [2, 4, -6],
    ],
  ],
  [
    "a symmetric matrix",
    "%%MatrixMarket matrix coordinate real symmetric\n%\n2 2 2\n1 1 1\n2 1 2\n",
    [
      [1, 2],
      [2, 0],
    ],
  ],
  [
    "a symmetric array",
    "%%MatrixMarket matrix array real symmetric\n%\n2 2\n1\n2\n0\n",
    [
      [1, 2],
      [2, 0],
    ],
  ],
  [
    "a skew-symmetric array",
    "%%MatrixMarket matrix array real skew-symmetric\n%\n2 2\n-2\n",
    [
      [0, 2],
      [-2, 0],
    ],
  ],
  [
    "a pattern, with comments, empty lines and CRLF",
    "%%matrixmarket MATRIX coordinate pattern general\r\n% a\r\n\r\n2 3 2\r\n2 3\r\n  1   1  \r\n",
    [
      [1, 0, 0],
      [0, 0, 1],
    ],
  ],
  [
    "an entry twice",
    "%%MatrixMarket matrix coordinate integer general\n1 2 3\n1 1 1\n1 2 5\n1 1 2",
    [[3, 5]],
  ],
])("%s", async (_, text, rows) => {
  const columns = await readColumns(text);
  expect(columns).toEqual(rows[0].map((_, j) => [`column ${j + 1}`, "number", ...rows.map((row) => row[j])]));
  const sparse = await readMatrixMarket(gzipSync(text));
  expect(sparse).toEqual(toSparse(rows));
});

const general = "%%MatrixMarket matrix coordinate real general\n";
const symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";

test.each([
  ["complex numbers", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n", "Line 1"],
  ["a vector", "%%MatrixMarket vector coordinate real general\n1 1\n", "Known are"],
  ["no size", general, "Line 1 of the Matrix Market file must hold rows, columns and entries"],
  [
    "an index 0",
    `${general}2 2 1\n0 1 5\n`,
    "Line 3 of the Matrix Market file has the index 0; indices are counted from 1",
  ],
  [
    "an index beyond",
    `${general}2 2 1\n1 3 5\n`,
    'Line 3 of the Matrix Market file has "3" in place of a whole number up to 2',
  ],
  ["too few entries", `${general}2 2 2\n1 1 5\n`, "after 1 entries; 2 are promised"],
  [
    "too many entries",
    `${general}2 2 1\n1 1 5\n% x\n1 2 5\n`,
    "Line 5 of the Matrix Market file is one more than the 1 entries",
  ],
  ["no value", `${general}2 2 1\n1 1\n`, 'Line 3 of the Matrix Market file has "1 1"'],
  ["a word", `${general}2 2 1\n1 1 dog\n`, 'Line 3 of the Matrix Market file has "1 1 dog"'],
  [
    "the upper triangle",
    `${symmetric}2 2 1\n1 2 5\n`,
    "Line 3 of the Matrix Market file is above the diagonal",
  ],
  ["a symmetric matrix that is no square", `${symmetric}2 3 1\n1 1 5\n`, "Line 2"],
  ["too few numbers", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", "after 3 numbers"],
  ["too many numbers", "%%MatrixMarket matrix array real general\n1 1\n1\n2\n", "Line 4"],
])("%s: refused", async (_, text, sentence) => {
  const error = await failure(readTable(text));
  expect(error.code).toBe("ERR_PARSE");
  expect(error.message).toContain(sentence);
});

test("sparse: zeros that are stored stay, each entry once in its order, and a size needs no room", async () => {
  const text = `${symmetric}% of scikit-learn's kneighbors_graph\n100000 100000 3\n3 1 0\n3 2 7\n99999 3 2\n`;
  const { rows, rowPointers, columnIndices, values } = await readMatrixMarket(text);
  expect([rows, rowPointers.at(-1)]).toEqual([100_000, 6]);
  expect([...columnIndices]).toEqual([2, 2, 0, 1, 99_998, 2]);
  expect([...values]).toEqual([0, 7, 0, 7, 2, 2]);
  expect((await failure(readMatrixMarket(`${general}2 2 1\n1 2 nan\n`))).message).toContain("Line 3 of");
  const huge = `${general}9000000000000 1 1\n1 1 5\n`;
  expect((await failure(readMatrixMarket(huge))).code).toBe("ERR_MEMORY");
});

test("sizes that no memory holds, and far more zeros than text: the way without zeros", async () => {
  for (const size of [1_000_000, 100_000, 600]) {
    const error = await failure(readTable(`${general}${size} ${size} 1\n1 1 5\n`));
    expect(error.code).toBe("ERR_MEMORY");
    expect(error.message).toMatch(/with their zeros .* more than 262144 numbers.*dump_svmlight_file/);
  }
  const array = "%%MatrixMarket matrix array real general\n90000 90000\n1\n";
  expect((await failure(readTable(array))).message).toContain("promises 8100000000 values");
});
