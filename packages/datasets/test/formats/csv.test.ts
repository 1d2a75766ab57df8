import { readCells, readPoints, writeCsv } from "@curvature/datasets";
import { expect, test } from "vitest";
import { failure } from "./support.js";

const rowsOf = ({ points }: Awaited<ReturnType<typeof readPoints>>): number[][] =>
  Array.from({ length: points.rows }, (_, i) =>
    Array.from(points.data.subarray(i * points.columns, (i + 1) * points.columns)),
  );

test("numbers, names and labels are taken from their columns", async () => {
  const table = await readPoints('x,species,y\n1,setosa,2.5\n-3e2,"virginica, wild",+.5\n', {
    labels: "species",
  });
  expect(table.columns).toEqual(["x", "y"]);
  expect(rowsOf(table)).toEqual([
    [1, 2.5],
    [-300, 0.5],
  ]);
  expect(table.labels).toEqual(["setosa", "virginica, wild"]);
});

test("the first line holds names if words stand over numbers", async () => {
  expect((await readPoints("a,b\n1,2\n")).columns).toEqual(["a", "b"]);
  expect((await readPoints("1,2\n3,4\n")).points.rows).toBe(2);
  expect((await readPoints("a,1\nb,2\n", { labels: 0 })).labels).toEqual(["a", "b"]);
  expect((await readPoints("1990,1991\n3,4\n", { header: "yes" })).columns).toEqual(["1990", "1991"]);
  expect((await failure(readPoints("a,b\n1,2\n", { header: "no" }))).message).toContain(
    '"column 1" holds numbers and words (line 1: "a")',
  );
});

test.each(["1_000;2_000\n3;4\n", "NA,?\n1,2\n"])(
  "a first line of what is meant for numbers or for nothing is no header: %j",
  async (input) => {
    expect((await failure(readPoints(input))).message).toMatch(
      /^The columns cannot .* \(line 1(: "1_000")?\)/,
    );
    expect((await readPoints(input, { header: "yes" })).points.rows).toBe(1);
  },
);

test("an index column without a name is left out, with a note", async () => {
  const { columns, notes } = await readPoints(",x,y\n0,1,2\n");
  expect([columns, notes]).toEqual([["x", "y"], ['"" names the rows and is no feature: left out.']]);
});

test("a line of empty cells is no row, with a note", async () => {
  const { points, notes } = await readPoints("x,y\n1,2\n,\n3,4\n");
  expect([points.rows, notes]).toEqual([2, ["A line of empty cells is left out."]]);
});

test.each([
  ["comma", "1,2\n3,4"],
  ["tab", "1\t2\n3\t4\n"],
  ["semicolon", "1;2\r\n3;4\r\n"],
  ["blanks", "  1   2\n3 \t 4  \n"],
  ["comma and blanks", "1, 2\n3 ,4\n"],
  ["old Macintosh lines", "1,2\r3,4\r"],
  ["a byte order mark", "\uFEFF1,2\n3,4"],
  ["blank lines", "\n\n1,2\n \t\n\n3,4\n\n"],
  ["quotes", '"1","2"\n"3" , "4"\n'],
])("%s", async (_, input) => {
  expect(rowsOf(await readPoints(input))).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test("decimal commas are read, with a note", async () => {
  const { points, notes } = await readPoints("1,5;2\n");
  expect([[...points.data], notes]).toEqual([[1.5, 2], ["Decimals are written with a comma."]]);
});

test.each([
  ["empty", "", "ERR_PARSE", "The input is empty."],
  ["blank lines only", "\n \n\r\n", "ERR_PARSE", "The input has no rows of data."],
  ["header only", "a,b\n", "ERR_PARSE", "The input has a header and no rows."],
  ["ragged", "a,b\n\n1,2\n1,2,3\n", "ERR_PARSE", "Line 4 has 3 cells, the others have 2."],
  ["text", "a,b\r\n\r\n1,2\r\n1,dog\r\n", "ERR_PARSE", '"b" holds numbers and words (line 4: "dog")'],
  ["empty cell", "1,2\n3,\n", "ERR_NON_FINITE", '"column 2" has no value in 1 row (line 2)'],
  ["empty first cell", "1,2\n ,3\n", "ERR_NON_FINITE", '"column 1" has no value in 1 row (line 2)'],
  [
    "NA",
    "1,2\n3,NA\n",
    "ERR_NON_FINITE",
    '"column 2" has no value in 1 row (line 2). Fill missing cells with ',
  ],
  ["NaN", "1,2\n3,NaN\n", "ERR_NON_FINITE", '"column 2" has no value in 1 row (line 2)'],
  ["NaN in the first line", "nan,nan\n1,2\n", "ERR_NON_FINITE", '"column 1" has no value in 1 row (line 1)'],
  [
    "infinity",
    "1,2\n-inf,3\n",
    "ERR_NON_FINITE",
    '"column 1" is infinite in 1 row (line 2). Take infinite numbers for missing',
  ],
  ["overflow", "1,2\n1e999,3\n", "ERR_NON_FINITE", '"column 1" is infinite in 1 row (line 2)'],
  ["hexadecimal", "1,2\n0x10,3\n", "ERR_PARSE", '"column 1" holds numbers and words (line 2: "0x10")'],
  ["NUL", "1,2\n\0,3\n", "ERR_PARSE", "Line 2 has a NUL byte."],
  ["open quote", '1,2\n"3,4\n5,6\n', "ERR_PARSE", "never closes the quote that it opens on line 2"],
  ["text after a quote", '1,2\n"3"x,4\n', "ERR_PARSE", "Line 2 has text after a closing quote."],
])("%s is refused with its place", async (_, input, code, sentence) => {
  const error = await failure(readPoints(input));
  expect(error.code).toBe(code);
  expect(error.message).toContain(sentence);
});

test("lines inside quotes count", async () => {
  const input = 'label,x\n"two\nlines",1\n"two\r\nlines",2\nc,dog\n';
  const error = await failure(readPoints(input, { labels: "label", header: "yes" }));
  expect(error.message).toContain('"x" holds numbers and words (line 6: "dog")');
});

test("a misspelt label column names the nearest one", async () => {
  const error = await failure(readPoints("height,species\n1,a\n", { labels: "specie" }));
  expect(error.message).toBe('labels: there is no column "specie". Did you mean "species"?');
  expect((await failure(readPoints("1,2\n", { labels: 2 }))).message).toContain("the columns are 0 to 1");
  expect((await failure(readPoints("1,2\n", { labels: "a" }))).message).toContain(
    "does not name its columns",
  );
});

test("of two columns with one name the second is renamed", async () => {
  const { columns, labels } = await readPoints("a,a,b\n1,2,3\n", { labels: "a" });
  expect([columns, labels]).toEqual([["a.1", "b"], ["1"]]);
});

test("bytes that are no UTF-8 are read as Latin-1 with a note, or refused by line where they come late", async () => {
  const latin1 = (input: string): Uint8Array => Uint8Array.from(input, (mark) => mark.charCodeAt(0));
  const { labels, notes } = await readPoints(latin1("a,l\n1,caf\xe9\n"), { labels: "l" });
  expect([labels, notes]).toEqual([["café"], ["The text is read as windows-1252."]]);
  const rows = "1,tea\n".repeat(50_000);
  const error = await failure(readPoints(latin1(`a,l\n${rows}1,caf\xe9\n`), { labels: "l" }));
  expect(error.message).toBe(
    'Line 50002 is not valid UTF-8, or too long for one string. Save the text in UTF-8, or say how it is encoded, as with encoding: "windows-1252".',
  );
  const stated = await failure(readPoints(latin1("a,l\n1,caf\xe9\n"), { encoding: "utf-8" }));
  expect(stated.message).toContain("is not valid UTF-8");
});

test("a record over the limit is refused", async () => {
  const input = `1,2\n${"3".repeat(50)},4\n`;
  expect((await readPoints(input, { maxRecordBytes: 52, columns: [1] })).points.rows).toBe(2);
  const error = await failure(readPoints(input, { maxRecordBytes: 51 }));
  expect(error.message).toContain("The record that begins on line 2 is longer than 51 bytes.");
});

test("what was written is read again, bit for bit", async () => {
  const data = Float64Array.of(0.1, -0, 5e-324, 1.7976931348623157e308, 1 / 3, -123456789.123);
  const labels = ["plain", 'with "quotes", comma\nand line', "large"];
  const text = [...writeCsv({ rows: 3, columns: 2, data }, { columns: ["x", "a b"], labels })].join("");
  const table = await readPoints(text, { labels: "label" });
  expect(table.points.data).toEqual(data);
  expect(Object.is(table.points.data[1], -0)).toBe(true);
  expect(table.columns).toEqual(["x", "a b"]);
  expect(table.labels).toEqual(labels);
});

test("formulas are disarmed unless raw text is asked for", () => {
  const labels = ["=1+1", "-1", "+1.5e3", "@x", "-cmd"];
  const lines = (raw: boolean) =>
    [...writeCsv([[1], [1], [1], [1], [1]], { labels, raw })].join("").split("\n").slice(0, 5);
  expect(lines(false)).toEqual(["1,'=1+1", "1,-1", "1,+1.5e3", "1,'@x", "1,'-cmd"]);
  expect(lines(true)).toEqual(["1,=1+1", "1,-1", "1,+1.5e3", "1,@x", "1,-cmd"]);
});

test("a lone sign is no formula; others are guarded where they are written, and read back as they were", async () => {
  const labels = ["+", "-", "+-", "=", "@", "+\n"];
  const text = [
    ...writeCsv(
      labels.map(() => [1]),
      { labels },
    ),
  ].join("");
  const { cells } = await readCells(text, { delimiter: "," });
  expect(text).toBe(`1,+\n1,-\n1,'+-\n1,'=\n1,'@\n1,"'+\n"\n`);
  expect(cells.map(([, label]) => label)).toEqual(labels);
});

test("the writer refuses what it could not write truthfully", () => {
  expect(() => writeCsv([[1, Number.NaN]])).toThrowError(/NaN at row 0, column 1/);
  expect(() => writeCsv([[1, 2]], { columns: ["x"] })).toThrowError(
    /columns must have one entry per column: 2; received 1/,
  );
  expect(() => writeCsv([[1, 2]], { labels: [] })).toThrowError(/one entry per row: 1; received 0/);
  expect(() => writeCsv([[1, 2]], { delimiter: "1" })).toThrowError(/^writeCsv: delimiter must be/);
});

test("many numbers keep their order, more than a million columns are refused", {
  tags: ["full"],
}, async () => {
  const lines = Array.from({ length: 5000 }, (_, i) => `${2 * i},${2 * i + 1}\n`);
  const { data } = (await readPoints(lines.join(""))).points;
  expect(data.every((value, k) => value === k)).toBe(true);
  expect((await failure(readPoints("1,".repeat(1_000_001)))).message).toBe(
    "The input has more than 1000000 columns. Check its line ends or its shape.",
  );
});
