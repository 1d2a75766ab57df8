import { gzipSync } from "node:zlib";
import { readTable } from "@curvature/datasets";
import { describe, expect, test } from "vitest";
import { failure } from "../formats/support.js";
import { lines, read } from "./support.js";

describe("the first line", () => {
  const spectrum = lines(
    "kind,400.5,412.25,424",
    "oak,0.1,0.2,0.3",
    "ash,0.4,0.5,0.6",
    "oak,0.7,0.8,0.9",
    "ash,0.1,0.3,0.2",
  );

  test("words over numbers are names", async () => {
    const { names, cells } = await read(lines("x,y", "1,2", "3,4"));
    expect(names).toEqual(["x", "y"]);
    expect(cells).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test("numbers over numbers are a row", async () => {
    const { names, cells } = await read(lines("1.5,2", "3,4", "0.5,6"));
    expect(names).toBeUndefined();
    expect(cells).toEqual([
      [1.5, 2],
      [3, 4],
      [0.5, 6],
    ]);
  });

  test.each([
    ["years", lines("country,1990,1995,2000,2005", "fr,1,2,9,4", "de,5,2,7,8", "it,5,9,4,3")],
    ["a nameless corner", lines(",3,1,2", "a,1,2,3", "b,4,5,6")],
  ])("%s are names", async (_, text) => {
    expect((await read(text)).names).toEqual(text.split("\n", 1)[0].split(","));
  });

  test("what may be either is asked for, not guessed; the option decides", async () => {
    await expect(readTable(spectrum)).rejects.toThrow(
      `Line 1 may hold the columns' names or a row (kind, 400.5, 412.25, 424). Say header: "yes" or header: "no".`,
    );
    expect((await read(spectrum, { header: "yes" })).names).toEqual(["kind", "400.5", "412.25", "424"]);
    expect((await read(spectrum, { header: "no" })).cells[0]).toEqual(["kind", 400.5, 412.25, 424]);
  });

  test("whole numbers over decimals, beside a word that never comes again, are names", async () => {
    const text = lines(
      "label,5,17,23",
      "a,0.53,0.18,0.93",
      "b,0.24,0.11,1.89",
      "a,0.1,0.7,0.3",
      "b,0.2,0.9,0.3",
    );
    expect((await read(text)).names).toEqual(["label", "5", "17", "23"]);
  });

  test("R's names are one fewer than its cells", async () => {
    const { names, types } = await read(lines("mpg cyl", '"Mazda RX4" 21 6', '"Datsun 710" 22.8 4'));
    expect(names).toEqual(["", "mpg", "cyl"]);
    expect(types[0]).toBe("index");
  });

  test("units under the names are no row", async () => {
    const { table, cells } = await read(lines("time,depth", "s,m", "1,2", "3,4"));
    expect(table.columns.map(({ unit }) => unit)).toEqual(["s", "m"]);
    expect(cells).toHaveLength(2);
    expect(table.notes).toContain("Line 2 under the names holds units or remarks and no row.");
  });

  // as pandas, spreadsheets and survey programs write them
  const rows = Array.from({ length: 12 }, (_, i) => `${i},${i / 2},${i * 3},${9 - i},${i * i}`);
  const wordRows = rows.map((row, i) => `${"rst"[i % 3]}${row.slice(row.indexOf(","))}`);
  test.each([
    [
      "two levels of pandas",
      [",a,a,b,b", ",mean,std,mean,std", ...rows],
      ["", "a mean", "a std", "b mean", "b std"],
    ],
    [
      "and the index's name below",
      ["g,a,a,b,b", "stat,mean,std,mean,std", "id,,,,", ...rows],
      ["id", "a mean", "a std", "b mean", "b std"],
    ],
    [
      "the same over words",
      [",a,a,b,b", ",x,y,x,y", "k,,,,", ...wordRows],
      ["k", "a x", "a y", "b x", "b y"],
    ],
    [
      "levels of numbers over words",
      ["network,1,1,2,2", "node,1,1,1,2", "side,l,r,l,r", ...rows],
      ["network node side", "1 1 l", "1 1 r", "2 1 l", "2 2 r"],
    ],
    [
      "levels of numbers alone",
      ["network,1,1,2,2", "node,1,2,1,2", ...rows],
      ["network node", "1 1", "1 2", "2 1", "2 2"],
    ],
    [
      "merged cells of a spreadsheet",
      [",2019,,2020,", "land,pop,gdp,pop,gdp", ...wordRows],
      ["land", "2019 pop", "2019 gdp", "2020 pop", "2020 gdp"],
    ],
    [
      "the first name twice",
      ["land,u,u,v,v", "land,a,b,a,b", ...wordRows],
      ["land", "u a", "u b", "v a", "v b"],
    ],
  ])("several lines of names: %s", async (_, text, names) => {
    const found = await read(lines(...text));
    expect(found.names).toEqual(names);
    expect(found.cells).toHaveLength(12);
    expect(found.table.notes.join()).toContain("hold the names together");
  });

  test("questions under the names, over numbers and words", async () => {
    const text = lines(
      "Q1,Q2",
      '"How old\nare you?",Colour?',
      "{id:1},{id:2}",
      ...rows.map((_, i) => `${20 + i},red`),
    );
    const { names, cells } = await read(text);
    expect([names, cells.length]).toEqual([["Q1", "Q2"], 12]);
  });

  test("questions over words alone are asked for", async () => {
    const answers = Array.from({ length: 24 }, (_, i) => `${i % 2 === 0 ? "yes" : "no"},${"rst"[i % 3]}`);
    const text = lines("q1,q2", "Do you smoke?,Where?", ...answers);
    await expect(readTable(text)).rejects.toThrow(
      "Line 2 may be a second row of names (Do you smoke?, Where?)",
    );
    expect((await read(text, { skip: 1 })).names).toEqual(["Do you smoke?", "Where?"]);
    expect((await read(text, { header: "yes" })).cells).toHaveLength(25);
  });

  test("many lines of names are refused by their number", async () => {
    const names = Array.from({ length: 8 }, (_, k) => `a${k},b${k},c${k},d${k},e${k}`);
    const text = lines(...names, ...rows);
    await expect(readTable(text)).rejects.toThrow("begins with 8 header rows, lines 1 to 8. Say skip 7 to");
    expect((await read(text, { skip: 7 })).names).toEqual(["a7", "b7", "c7", "d7", "e7"]);
  });

  test("rows with a word over numbers are rows", async () => {
    const text = lines("<0.1,5.5,3", "<0.1,6.5,2", ...rows.map((_, i) => `${i}.5,${i}.25,${i}`));
    expect((await read(text, { header: "no" })).cells).toHaveLength(14);
  });

  test("names in numpy's comment", async () => {
    expect((await read(lines("# a b c", "1 2 3", "4 5 6"))).names).toEqual(["a", "b", "c"]);
  });
});

describe("columns", () => {
  test("the counting column that pandas writes is an index", async () => {
    const { types } = await read(lines(",x,label", "0,1.5,a", "1,2.5,b", "2,0.5,a"));
    expect(types).toEqual(["index", "number", "word"]);
  });

  test("codes with leading zeros and numbers beyond float64 are names of rows", async () => {
    const { types, cells } = await read(
      lines("zip,tweet,n", "01234,1234567890123456789,1", "99999,1234567890123456790,2"),
    );
    expect(types).toEqual(["id", "id", "number"]);
    expect(cells[0].slice(0, 2)).toEqual(["01234", "1234567890123456789"]);
  });

  test("missing cells as R, pandas, SAS and loggers write them", async () => {
    const { cells, table } = await read(lines("a,b,c", "1,NA,x", ".,2,?", "-999,3,y", "4,nan,", "5,7,z"));
    expect(cells).toEqual([
      [1, null, "x"],
      [null, 2, null],
      [null, 3, "y"],
      [4, null, null],
      [5, 7, "z"],
    ]);
    expect(table.notes).toContain('-999 in column "a" is a missing value.');
  });

  test("-999 among numbers like it is a number", async () => {
    expect((await read(lines("a", "-999", "-998.5", "-1002", "-1001"))).cells[0]).toEqual([-999]);
  });

  test("a quoted NA among quoted words is a word", async () => {
    const { cells } = await read(lines('"code","n"', '"NA",1', '"DE",2', '"FR",3'));
    expect(cells.map(([code]) => code)).toEqual(["NA", "DE", "FR"]);
  });

  test("a typing error keeps its column numeric, and is reported with its line", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => (i === 30 ? "12x,1" : `${i}.5,1`));
    const { types, table } = await read(lines("a,b", ...rows));
    expect(types).toEqual(["number", "number"]);
    expect(table.columns[0].odd).toEqual([{ row: 30, text: "12x" }]);
    expect(table.lines?.[30]).toBe(32);
  });

  test("per cents, money, brackets of accountants", async () => {
    const { cells } = await read(lines("share,price,gain", "12.5%,$3.50,(4)", "50%,$4.00,5"));
    expect(cells).toEqual([
      [0.125, 3.5, -4],
      [0.5, 4, 5],
    ]);
  });

  test("dates and booleans", async () => {
    const { types } = await read(lines("day,ok,x", "2024-03-01,yes,1", "2024-03-02,no,2"));
    expect(types).toEqual(["date", "boolean", "number"]);
  });

  test("double names are made distinct, prototype names are names", async () => {
    expect((await read(lines("x,x,__proto__,constructor", "1,2,3,4", "5,6,7,8"))).names).toEqual([
      "x",
      "x.1",
      "__proto__",
      "constructor",
    ]);
  });
});

describe("numbers of other countries", () => {
  test("decimal commas", async () => {
    const { cells, table } = await read(lines("a;b", "1,5;2", "3,25;4"));
    expect(cells).toEqual([
      [1.5, 2],
      [3.25, 4],
    ]);
    expect(table.notes).toContain("Decimals are written with a comma.");
  });

  test("groups of thousands", async () => {
    const { cells } = await read(lines("a;b", "1.234,5;1", "12.000,25;2"));
    expect(cells).toEqual([
      [1234.5, 1],
      [12000.25, 2],
    ]);
  });

  test("1,234 may be either, and is asked for", async () => {
    const text = lines("city,pop", 'A,"1,234"', 'B,"2,345"');
    await expect(readTable(text)).rejects.toThrow(
      'Line 2 has "1,234", which may be a decimal or thousands. Say decimal: "," or thousands: ",".',
    );
    expect((await read(text, { thousands: "," })).cells[0]).toEqual(["A", 1234]);
    expect((await read(text, { decimal: "," })).cells[0]).toEqual(["A", 1.234]);
  });
});

describe("around the table", () => {
  test.each([
    ["comments", lines("# made by hand", "x,y", "1,2", "# and here", "3,4")],
    ["a title", lines("Measurements of May", "", "x,y", "1,2", "3,4")],
    ["sep=", lines("sep=;", "x;y", "1;2", "3;4")],
    ["a block comment", lines("/* of a", "program */", "x,y", "1,2", "3,4")],
    ["a byte order mark", `\ufeff${lines("x,y", "1,2", "3,4")}`],
    ["carriage returns", "x,y\r1,2\r3,4\r"],
    ["blanks", lines("x   y", " 1   2", "3  4")],
    ["bars", lines("x|y", "1|2", "3|4")],
    ["a total that is one", lines("x,y", "1,2", "3,4", "Total,6")],
    ["gzip", gzipSync(lines("x,y", "1,2", "3,4"))],
    ["UTF-16", Buffer.from(`\ufeff${lines("x\ty", "1\t2", "3\t4")}`, "utf16le")],
  ])("%s", async (_, text) => {
    const { names, cells } = await read(text);
    expect(names).toEqual(["x", "y"]);
    expect(cells).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test("skip says where the table begins", async () => {
    const { names, cells } = await read(lines("a,1", "b,2", "x,y", "1,2", "3,4"), { skip: 2 });
    expect(names).toEqual(["x", "y"]);
    expect(cells).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test("a row that only begins as a total does is a row", async () => {
    const { cells } = await read(lines("film,stars", "Alien,5", "Brazil,4", "Total Recall,3"));
    expect(cells).toHaveLength(3);
  });

  test("Latin-1 is detected, with a note", async () => {
    const { cells, table } = await read(Buffer.from(lines("name,n", "Köln,1", "Zürich,2"), "latin1"));
    expect(cells.map(([name]) => name)).toEqual(["Köln", "Zürich"]);
    expect(table.notes).toContain("The text is read as windows-1252.");
  });

  test("a ragged line is refused by its number, at the end too", async () => {
    await expect(readTable(lines("x,y,z", "1,2,3", "4,5", "6,7,8"))).rejects.toThrow(
      /Line 3 has 2 cells, the others have 3/,
    );
    await expect(readTable(lines("x,y,z", "1,2,3", "4,5,6", "7,8"))).rejects.toThrow(
      /Line 4 has 2 cells, the others have 3/,
    );
  });
});

describe("what is no table of points says so", () => {
  test("distances", async () => {
    expect((await readTable(lines("0,1,2", "1,0,3", "2,3,0"))).kind).toBe("distances");
    expect((await readTable(lines(",a,b,c", "a,0,1,2", "b,1,0,3", "c,2,3,0"))).kind).toBe("distances");
    expect((await readTable(lines("0,1,2", "1,0,3", "2,4,0"))).kind).toBe("table");
  });

  test("edges", async () => {
    expect((await readTable(lines("source,target,weight", "a,b,1", "b,c,2"))).kind).toBe("edges");
  });
});

describe("JSON", () => {
  test.each([
    [
      "records",
      [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
      ],
    ],
    [
      "split",
      {
        columns: ["x", "y"],
        data: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    ["columns", { x: [1, 3], y: [2, 4] }],
    [
      "rows under a key",
      {
        count: 2,
        items: [
          { x: 1, y: 2 },
          { x: 3, y: 4 },
        ],
      },
    ],
  ])("%s", async (_, document) => {
    const { names, cells } = await read(JSON.stringify(document));
    expect(names).toEqual(["x", "y"]);
    expect(cells).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test("lines, NaN as Python writes it, and vectors inside records", async () => {
    const { names, cells } = await read('{"t":"a","embedding":[1,2]}\n{"t":"b","embedding":[3,NaN]}\n');
    expect(names).toEqual(["t", "embedding.0", "embedding.1"]);
    expect(cells).toEqual([
      ["a", 1, 2],
      ["b", 3, null],
    ]);
  });
});

describe("ARFF", () => {
  test("types and gaps", async () => {
    const { names, types, cells } = await read(
      lines("@relation r", "@attribute 'a b' numeric", "@attribute c {u,v}", "@data", "1,u", "?,'v'"),
    );
    expect(names).toEqual(["a b", "c"]);
    expect(types).toEqual(["number", "word"]);
    expect(cells).toEqual([
      [1, "u"],
      [null, "v"],
    ]);
  });

  test("sparse rows", async () => {
    expect(
      (
        await read(
          lines("@relation r", "@attribute a real", "@attribute b real", "@data", "{1 5}", "{0 2,1 3}"),
        )
      ).cells,
    ).toEqual([
      [0, 5],
      [2, 3],
    ]);
  });

  test("what a sparse row leaves out of a nominal attribute is its first value", async () => {
    const declared = ["@relation r", "@attribute a real", "@attribute k {'p, q',r}", "@data"];
    expect((await read(lines(...declared, "{0 2}", "{1 r, 0 3}", "{1 'p, q'}"))).cells).toEqual([
      [2, "p, q"],
      [3, "r"],
      [0, "p, q"],
    ]);
    for (const entry of ["{0 }", "{2 1}", "{x 1}"])
      expect((await failure(readTable(lines(...declared, "{0 2}", entry)))).message).toContain(
        "has the entry",
      );
  });
});

test.each([
  [
    "a spreadsheet",
    [0x50, 0x4b, 3, 4, ...Array(26).fill(0), ...Buffer.from("[Content_Types].xml")],
    /Excel.*Save the sheet as CSV/,
  ],
  ["HDF5", [0x89, 0x48, 0x44, 0x46, 13, 10], /HDF5.*read_hdf/],
  ["an image", [0x89, 0x50, 0x4e, 0x47], /image/],
  ["HTML", [...Buffer.from("<!DOCTYPE html><html>")], /HTML page/],
])("%s is named with its conversion", async (_, bytes, sentence) => {
  await expect(readTable(Uint8Array.from(bytes))).rejects.toThrow(sentence);
});

test("how it is cut into pieces does not matter", async () => {
  const bytes = new TextEncoder().encode(lines("name,x,y", '"a, b",1.25,NA', "c,2,3", 'd,-4e2,"5"'));
  const whole = await readTable(bytes);
  for (const size of [1, 2, 3, 7]) {
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    expect(await readTable(pieces())).toEqual(whole);
  }
});

test("a column whose later cells are words says so, however late", async () => {
  const rows = Array.from({ length: 30_000 }, (_, i) => (i === 29_999 ? "late,1" : `${i}.25,1`));
  const { columns, lines: of } = await readTable(lines("a,b", ...rows));
  expect(columns[0].odd).toEqual([{ row: 29_999, text: "late" }]);
  expect(of?.[29_999]).toBe(30_001);
});

test("a line of many comment marks costs no more than another", async () => {
  // A rule that goes back and forth in it would take hours.
  await expect(readTable(`${"%%Matri".repeat(400)} x\n% c\n2 3 2\n`)).resolves.toMatchObject({ rows: 1 });
});
