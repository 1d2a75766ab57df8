/** Answers in several files as one table, and the header that the study page's files have. */
import { gzipSync } from "node:zlib";
import { readComparisonFiles, readComparisons, writeCells } from "@curvature/datasets";
import { describe, expect, test } from "vitest";

const file = (name: string, source: string) => ({ name, source });
const message = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => "nothing is wrong",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

const ann = file("ann.csv", "anchor,near,far\nfig,pear,nail\nnail,bolt,fig\n");
const bob = file("bob.csv", "far,near,anchor\nnail,fig,pear\n");

describe("several files", () => {
  test("are one table: columns in any order, names of all, one person a file", async () => {
    const table = await readComparisonFiles([ann, bob]);
    expect(table.names).toEqual(["fig", "pear", "nail", "bolt"]);
    expect([...table.comparisons.quadruplets]).toEqual([0, 1, 0, 2, 2, 3, 2, 0, 1, 0, 1, 2]);
    expect(table.participants).toEqual(["ann.csv", "bob.csv"]);
    expect([...(table.participant ?? [])]).toEqual([0, 0, 1]);
    expect([...table.lines]).toEqual([2, 3, 5]);
    expect(table.notes.join()).toContain("each of the 2 files counts as one person's answers");
  });

  test("one alone is read as by readComparisons", async () => {
    expect(await readComparisonFiles([ann])).toEqual(await readComparisons(ann.source));
    expect(await message(readComparisonFiles([file("x.csv", "a,b\n1,2\n")]))).toMatch(
      /Line 1 of x\.csv has 2 columns/,
    );
  });

  test("without headers, compressed, as JSON", async () => {
    const plain = await readComparisonFiles([file("1", "0,1,2\n"), file("2", "2,1,0\n2,1,0\n")]);
    expect([...(plain.participant ?? [])]).toEqual([0, 1, 1]);
    expect(plain.comparisons.objects).toBe(3);
    const json = '[{"near": "fig", "far": "nail", "anchor": "pear"}]';
    const mixed = await readComparisonFiles([
      { name: "ann.csv.gz", source: gzipSync(ann.source) },
      file("bob.json", json),
    ]);
    expect(mixed.comparisons).toEqual((await readComparisonFiles([ann, bob])).comparisons);
  });

  test("a column of people is theirs; one name in two files is pointed out, and its trials stay apart", async () => {
    const of = (who: string) => `who,t,anchor,near,far\n${who},1,a,b,c\n${who},1,a,c,d\n`;
    const options = { participant: "who", trial: "t" };
    const apart = await readComparisonFiles([file("1", of("x")), file("2", of("y"))], options);
    expect([apart.participants, apart.warnings]).toEqual([["x", "y"], []]);
    const same = await readComparisonFiles([file("1", of("x")), file("2", of("x"))], options);
    expect(same.participants).toEqual(["x"]);
    expect([...(same.trial ?? [])]).toEqual([0, 0, 1, 1]);
    expect(same.warnings.join()).toContain('Answers of "x" are in 2 files (1, 2)');
  });

  test("filters are of all files together", async () => {
    const of = (from: number) => `t,anchor,near,far\n${from},a,b,c\n${from + 1},b,c,a\n`;
    const table = await readComparisonFiles([file("1", of(1)), file("2", of(10))], {
      time: "t",
      fastest: 0.5,
    });
    expect([...(table.participant ?? [])].map((who) => table.participants?.[who])).toEqual(["2", "2"]);
    const few = await readComparisonFiles([ann, bob], { leastAnswers: 2 });
    expect(few.comparisons.quadruplets.length).toBe(8);
    expect(few.excluded).toEqual([{ participant: "bob.csv", why: "few", lines: 1 }]);
  });

  test("of one name, from two folders, are two", async () => {
    expect((await readComparisonFiles([ann, { ...bob, name: "ann.csv" }])).participants).toEqual([
      "ann.csv",
      "ann.csv (2)",
    ]);
  });

  test("what is wrong is said with the file and the line in it", async () => {
    const bad = (text: string) => message(readComparisonFiles([ann, file("c.csv", text)]));
    expect(await bad("anchor,near\nfig,pear\n")).toBe(
      'c.csv begins with "anchor", "near", and ann.csv has the columns "anchor", "near", "far". Give files that have the columns that are used, called alike, or read them one by one.',
    );
    expect(await bad("anchor,near,far\nfig,fig,nail\n")).toMatch(
      /^Line 2 of c\.csv compares the distance of "fig" to itself/,
    );
    expect(await bad("anchor,near,far\nfig,,nail\n")).toMatch(/line 2 of c\.csv, column 2/);
    expect(await bad('anchor,near,far\n"fig,a,b\n')).toMatch(/^c\.csv: /);
    expect(await bad("anchor,near,far\nfig,Pear,line 3\n")).toMatch(/"Pear" \(line 2 of c\.csv\)/);
    expect(await message(readComparisonFiles([]))).toMatch(/of at least one/);
    expect(await message(readComparisonFiles([ann, bob], { kind: "distances" }))).toMatch(
      /a matrix is one file/,
    );
  });
});

const header = ["participant", "trial", "anchor", "left", "right", "answer", "catch", "time"];
const oddHeader = ["participant", "trial", "left", "middle", "right", "odd", "catch", "time"];
const csv = (rows: readonly (readonly (string | number)[])[]): string => [...writeCells(rows)].join("");

describe("the study page's header", () => {
  const names = ["left", "right", "1", "=1+1", "a", "A", '<b>"q"\nnext', "🍎"];

  test("needs no option: people, trials, catch trials, sides, and any names", async () => {
    const rows = names.flatMap((anchor, k) => {
      const [left, right] = [names[(k + 1) % 8] ?? "", names[(k + 3) % 8] ?? ""];
      return ["x", "=y"].map((who) => [
        who,
        k + 1,
        anchor,
        left,
        right,
        k % 3 === 0 ? "right" : "left",
        "",
        900 + k,
      ]);
    });
    const caught = [
      ["x", 9, "a", "a", "1", "left", "left", 500],
      ["=y", 9, "a", "1", "a", "right", "right", 500],
    ];
    const table = await readComparisons(csv([header, ...rows, ...caught]));
    expect(new Set(table.names)).toEqual(new Set(names));
    expect(table.participants).toEqual(["x", "=y"]);
    expect(table.comparisons.quadruplets.length / 4).toBe(16);
    const [i, j, l, k] = table.comparisons.quadruplets;
    const name = (object: number | undefined) => table.names?.[object ?? -1];
    expect([i, j, l, k].map(name)).toEqual(["left", "=1+1", "left", "right"]);
    expect(new Set(table.trial).size).toBe(16);
    expect(table.ignored).toEqual([]);
    expect(table.excluded).toEqual([{ participant: undefined, why: "catch", lines: 2 }]);
  });

  test("who fails catch trials is dropped, and named", async () => {
    const answers = (who: string, caught: string) => [
      ...[1, 2, 3].map((t) => [who, t, "a", "b", "c", "left", "", 900]),
      [who, 4, "a", "b", "a", caught, "right", 900],
    ];
    const files = [
      file("1.csv", csv([header, ...answers("ann", "right")])),
      file("2.csv", csv([header, ...answers("bob", "left")])),
    ];
    const table = await readComparisonFiles(files);
    expect(table.comparisons.quadruplets.length / 4).toBe(3);
    expect(table.notes.join()).toContain('who failed catch trials have been dropped ("bob" 3)');
  });

  test("of odd-one-out trials too, whatever the stimuli are called", async () => {
    const rows = [
      ["x", 1, "left", "2", "middle", "middle", "", 800], // the odd one stands in the middle
      ["x", 2, "left", "right", "middle", "left", "", 800],
      ["x", 3, "2", "2", "left", "right", "right", 800],
    ];
    const table = await readComparisons(csv([oddHeader, ...rows]));
    expect(table.kind).toBe("odd-one-out");
    const name = (object: number) => table.names?.[object];
    expect([...table.comparisons.quadruplets.subarray(0, 4)].map(name)).toEqual([
      "left",
      "middle",
      "left",
      "2",
    ]);
    expect([...table.comparisons.quadruplets.subarray(8, 12)].map(name)).toEqual([
      "right",
      "middle",
      "right",
      "left",
    ]);
    expect(table.comparisons.quadruplets.length / 4).toBe(4);
  });

  test("what the options say counts; another header is not taken for it", async () => {
    const rows = [header, ["x", 1, "a", "b", "c", "left", "", 1]];
    expect(await message(readComparisons(csv(rows), { participant: "nobody" }))).toMatch(/"nobody"/);
    expect((await readComparisons(csv(rows), { objects: "auto", catchErrors: 1 })).participants).toEqual([
      "x",
    ]);
    const others = rows.map((row) => row.slice(1));
    expect((await readComparisons(csv(others))).participants).toBeUndefined();
  });
});

test("strangers' files: a column more in one, an empty one, people of the same names, and those that nobody named", async () => {
  const one = "participant,anchor,left,right,answer\nann,fig,pear,nail,pear\nbob,nail,bolt,fig,bolt\n";
  const two =
    "left,answer,right,anchor,age,participant\npear,pear,bolt,fig,33,ann\nbolt,bolt,pear,nail,41,bob\n";
  const files = [one, "", two, "participant,anchor,left,right,answer\n"].map((source, k) => ({
    name: `${k}.csv`,
    source,
  }));
  const read = await readComparisonFiles(files, { participant: "participant" });
  expect([read.comparisons.quadruplets.length / 4, read.participants]).toEqual([4, ["ann", "bob"]]);
  expect(read.warnings).toEqual([
    'Answers of 2 people, "ann", "bob", are in 2 files (0.csv, 2.csv), and count as one person\'s each. If people of different files share a name, give them names of their own; if a file is there twice, leave one out.',
    "1.csv has no answers. Is it the right file?",
    "3.csv has no answers. Is it the right file?",
  ]);
  const [, , third] = files;
  const reversed = [third, ...files].flatMap((file) => file ?? []);
  expect((await readComparisonFiles(reversed, { participant: "participant" })).lines).toHaveLength(6);
  expect(await message(readComparisonFiles(files))).toMatch(/"participant", which is named like people/);
  const without = { name: "b.csv", source: "anchor,left,right,answer\nfig,pear,nail,pear\n" };
  const mixed = [{ name: "a.csv", source: one }, without];
  expect(await message(readComparisonFiles(mixed, { participant: "participant" }))).toMatch(
    /b\.csv begins with/,
  );
  expect((await readComparisonFiles(mixed, { ignore: ["participant"] })).participants).toEqual([
    "a.csv",
    "b.csv",
  ]);
  const ragged = { name: "c.csv", source: "answer,right,left,anchor,participant\nfig,pear,nail\n" };
  expect(
    await message(
      readComparisonFiles([{ name: "a.csv", source: one }, ragged], { participant: "participant" }),
    ),
  ).toMatch(/[Ll]ine 2 of c\.csv/);
});
