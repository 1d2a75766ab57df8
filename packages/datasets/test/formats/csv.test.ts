import { readCsv, writeCsv } from "@curvature/datasets";
import { expect, test } from "vitest";
import { failure } from "./support.js";

const rowsOf = ({ points }: Awaited<ReturnType<typeof readCsv>>): number[][] =>
  Array.from({ length: points.rows }, (_, i) =>
    Array.from(points.data.subarray(i * points.columns, (i + 1) * points.columns)),
  );

test("numbers, names and labels are taken from their columns", async () => {
  const table = await readCsv('x,species,y\n1,setosa,2.5\n-3e2,"virginica, wild",+.5\n', {
    labels: "species",
  });
  expect(table.columns).toEqual(["x", "y"]);
  expect(rowsOf(table)).toEqual([
    [1, 2.5],
    [-300, 0.5],
  ]);
  expect(table.labels).toEqual(["setosa", "virginica, wild"]);
});

test("the first line is a header only if none of its cells is a number", async () => {
  expect((await readCsv("a,b\n1,2\n")).columns).toEqual(["a", "b"]);
  expect((await readCsv("1,2\n3,4\n")).points.rows).toBe(2);
  expect((await readCsv("a,1\nb,2\n", { labels: 0 })).labels).toEqual(["a", "b"]);
  expect((await readCsv("1990,1991\n3,4\n", { header: true })).columns).toEqual(["1990", "1991"]);
  expect((await failure(readCsv("a,b\n1,2\n", { header: false }))).message).toContain("line 1, column 1");
});

test.each(["1,5;2,5\n3;4\n", "1_000;2_000\n3;4\n", "NA,?\n1,2\n", ",,\n1,2,3\n"])(
  "a first line of what is meant for numbers or for nothing is no header: %j",
  async (input) => {
    expect((await failure(readCsv(input))).message).toContain("The cell at line 1, column 1 is ");
    expect((await readCsv(input, { header: true })).points.rows).toBe(1);
  },
);

test("an empty name among others, as of an index column, leaves the first line a header", async () => {
  expect((await readCsv(",x,y\n0,1,2\n")).columns).toEqual(["", "x", "y"]);
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
  expect(rowsOf(await readCsv(input))).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test.each([
  ["empty", "", "ERR_PARSE", "The input is empty."],
  ["blank lines only", "\n \n\r\n", "ERR_PARSE", "The input is empty."],
  ["header only", "a,b\n", "ERR_PARSE", "The input has a header and no rows."],
  ["ragged", "a,b\n\n1,2\n1,2,3\n", "ERR_PARSE", "Line 4 has 3 columns, the first line has 2."],
  ["text", "a,b\r\n\r\n1,2\r\n1,dog\r\n", "ERR_PARSE", 'The cell at line 4, column 2 ("b") is "dog"'],
  ["decimal comma", "1,5;2\n", "ERR_PARSE", "Write decimals with a point."],
  ["empty cell", "1,2\n3,\n", "ERR_NON_FINITE", "The cell at line 2, column 2 is empty. Fill or remove"],
  ["empty first cell", "1,2\n ,3\n", "ERR_NON_FINITE", "The cell at line 2, column 1 is empty."],
  ["NA", "1,2\n3,NA\n", "ERR_NON_FINITE", '"NA", a missing value'],
  ["NaN", "1,2\n3,NaN\n", "ERR_NON_FINITE", 'line 2, column 2 is "NaN"'],
  ["NaN in the first line", "nan,nan\n1,2\n", "ERR_NON_FINITE", "line 1, column 1"],
  ["infinity", "1,2\n-inf,3\n", "ERR_NON_FINITE", '"-inf"'],
  ["overflow", "1,2\n1e999,3\n", "ERR_NON_FINITE", '"1e999"'],
  ["hexadecimal", "1,2\n0x10,3\n", "ERR_PARSE", '"0x10"'],
  ["NUL", "1,2\n\0,3\n", "ERR_PARSE", "Line 2 has a NUL byte."],
  ["open quote", '1,2\n"3,4\n5,6\n', "ERR_PARSE", "never closes the quote that it opens on line 2"],
  ["text after a quote", '1,2\n"3"x,4\n', "ERR_PARSE", "Line 2 has text after a closing quote."],
])("%s is refused with its place", async (_, input, code, sentence) => {
  const error = await failure(readCsv(input));
  expect(error.code).toBe(code);
  expect(error.message).toContain(sentence);
});

test("lines inside quotes count", async () => {
  const error = await failure(
    readCsv('label,x\n"two\nlines",1\n"two\r\nlines",2\nc,dog\n', { labels: "label" }),
  );
  expect(error.path).toBe('line 6, column 2 ("x")');
});

test("a misspelt label column names the nearest one", async () => {
  const error = await failure(readCsv("height,species\n1,a\n", { labels: "specie" }));
  expect(error.message).toBe('labels: there is no column "specie". Did you mean "species"?');
  expect((await failure(readCsv("1,2\n", { labels: 2 }))).message).toContain("the columns are 0 to 1");
  expect((await failure(readCsv("1,2\n", { labels: "a" }))).message).toContain("does not name its columns");
  expect((await failure(readCsv("a,a,b\n1,2,3\n", { labels: "a" }))).message).toContain(
    "more than one column",
  );
});

test("bytes that are no UTF-8 are refused in text and in numbers", async () => {
  const latin1 = (input: string): Uint8Array => Uint8Array.from(input, (mark) => mark.charCodeAt(0));
  expect((await failure(readCsv(latin1("a,l\n1,caf\xe9\n"), { labels: "l" }))).message).toContain(
    "Line 2 is not valid UTF-8",
  );
  expect((await failure(readCsv(latin1("1,2\n1,\xe9\n")))).message).toContain("line 2, column 2");
  expect((await failure(readCsv(Uint8Array.of(0xff, 0xfe, 49, 0)))).message).toContain("UTF-16");
});

test("a record over the limit is refused", async () => {
  const input = `1,2\n${"3".repeat(50)},4\n`;
  expect((await readCsv(input, { maxRecordBytes: 52 })).points.rows).toBe(2);
  const error = await failure(readCsv(input, { maxRecordBytes: 51 }));
  expect(error.message).toContain("The record that begins on line 2 is longer than 51 bytes.");
});

test("what was written is read again, bit for bit", async () => {
  const data = Float64Array.of(0.1, -0, 5e-324, 1.7976931348623157e308, 1 / 3, -123456789.123);
  const labels = ["plain", 'with "quotes", comma\nand line', " blanks "];
  const text = [...writeCsv({ rows: 3, columns: 2, data }, { columns: ["x", "a b"], labels })].join("");
  const table = await readCsv(text, { labels: "label" });
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

test("a lone sign is no formula and keeps its name", async () => {
  const labels = ["+", "-", "+-", "=", "@", "+\n"];
  const text = [
    ...writeCsv(
      labels.map(() => [1]),
      { labels },
    ),
  ].join("");
  const table = await readCsv(text, { delimiter: ",", header: false, labels: 1 });
  expect(table.labels).toEqual(["+", "-", "'+-", "'=", "'@", "'+\n"]);
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
  const { data } = (await readCsv(lines.join(""))).points;
  expect(data.every((value, k) => value === k)).toBe(true);
  expect((await failure(readCsv("1,".repeat(1_000_001)))).message).toBe(
    "Line 1 has more than 1000000 columns. Check its line ends or its shape.",
  );
});
