import { gzipSync } from "node:zlib";
import { type ComparisonsOptions, readComparisons } from "@curvature/datasets";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cut, encoded, failure, outcome } from "./support.js";

const four = async (source: string, options?: ComparisonsOptions): Promise<number[]> =>
  Array.from((await readComparisons(source, options)).comparisons.quadruplets);

describe("columns", () => {
  test("a triplet i, j, k is the quadruplet i, j, i, k", async () => {
    expect(await four("i,j,k\n0,1,2\n3,1,0\n")).toEqual([0, 1, 0, 2, 3, 1, 3, 0]);
  });

  test.each([
    ["k,i,j\n2,0,1\n3,1,0\n", [0, 1, 0, 2, 1, 0, 1, 3]],
    ["Far;Anchor;Near\n2;0;1\n", [0, 1, 0, 2]],
    ["loser\thead\twinner\n2\t0\t1\n", [0, 1, 0, 2]],
    ["i,j,l,k\n0,1,2,3\n", [0, 1, 2, 3]],
    ["k,l,j,i\n3,2,1,0\n", [0, 1, 2, 3]],
    ["when,i,who,j,k\nx,0,y,1,2\n", [0, 1, 0, 2]],
  ])("a header in any order, with other columns: %j", async (source, expected) => {
    expect(await four(source)).toEqual(expected);
  });

  test("without a header by position; quoted cells, blank lines, CRLF, blanks as marks", async () => {
    expect(await four("0,1,2\n")).toEqual([0, 1, 0, 2]);
    expect(await four("\r\n0 1  2   3\r\n\r\n 4 1 2 3")).toEqual([0, 1, 2, 3, 4, 1, 2, 3]);
    expect(await four('"0","1","2"\n')).toEqual([0, 1, 0, 2]);
  });

  test("columns that are not used are named", async () => {
    expect((await readComparisons("i,when,j,k\n0,x,1,2\n")).ignored).toEqual(["when"]);
  });

  test("a header above makes an answer of words that name columns elsewhere", async () => {
    expect((await readComparisons("anchor,near,far\nnear,far,away\n")).names).toEqual([
      "near",
      "far",
      "away",
    ]);
    expect((await readComparisons("i,j,x\nj,x,i\n")).names).toEqual(["i", "j", "x"]);
    expect((await readComparisons("near,far,away\n", { header: false })).names).toHaveLength(3);
  });

  test("header: false takes names for objects, header: true any first line for a header", async () => {
    expect((await readComparisons("i,j,k\na,b,c\n", { header: false })).names).toHaveLength(6);
    expect(await four("a,b,c\n0,1,2\n", { header: true })).toEqual([0, 1, 0, 2]);
  });

  test("weights", async () => {
    for (const name of ["weight", "count"]) {
      const { comparisons } = await readComparisons(`${name},i,j,k\n2,0,1,2\n0.5,0,2,1\n0,1,2,0\n`);
      expect(comparisons.weights).toEqual(Float64Array.of(2, 0.5, 0));
    }
    expect((await readComparisons("0,1,2")).comparisons.weights).toBeUndefined();
  });
});

test("as many as there are, with their lines", async () => {
  const triplets = Array.from({ length: 10_000 }, (_, q) => [q % 7, 7 + (q % 3), 10 + (q % 5)]);
  const { comparisons, lines } = await readComparisons(triplets.map((t) => t.join(",")).join("\n"));
  expect(Array.from(comparisons.quadruplets)).toEqual(triplets.flatMap(([i, j, k]) => [i, j, i, k]));
  expect(Array.from(lines)).toEqual(Array.from({ length: 10_000 }, (_, q) => q + 1));
});

describe("objects", () => {
  test("whole numbers are indices from 0, and there are one more than the largest", async () => {
    const { comparisons, names } = await readComparisons("0,7,2\n");
    expect(comparisons.objects).toBe(8);
    expect(names).toBeUndefined();
  });

  test("names are kept in the order of their first appearance", async () => {
    const { comparisons, names } = await readComparisons("i,j,k\nRome,Milan,Paris\nParis, Lyons ,Rome\n");
    expect(names).toEqual(["Rome", "Milan", "Paris", "Lyons"]);
    expect(comparisons.objects).toBe(4);
    expect(Array.from(comparisons.quadruplets)).toEqual([0, 1, 0, 2, 2, 3, 2, 0]);
  });

  test("names that look like numbers are names where one is none, and a warning says which", async () => {
    const { names, warnings } = await readComparisons("i,j,k\n10,20,7\n10,7,x9\n");
    expect(names).toEqual(["10", "20", "7", "x9"]);
    expect(warnings).toEqual([
      'All 4 objects are taken by their names, although 3 of these are numbers: "x9" at line 3, column 3 is none.',
    ]);
  });

  test("names that all look like numbers are names if asked", async () => {
    const { names, warnings } = await readComparisons("2001,1999,2010\n", { objects: "names" });
    expect(names).toEqual(["2001", "1999", "2010"]);
    expect(warnings).toEqual([]);
    const { warnings: one } = await readComparisons("a,b,7\n");
    expect(one[0]).toContain("All 3 objects are taken by their names, although 1 of these is a number");
    expect((await readComparisons("NA,null,?\n", { objects: "names" })).names).toEqual(["NA", "null", "?"]);
  });

  test("known names, in their order; known number", async () => {
    const known = ["a", "b", "c", "1"];
    expect(await four("c,1,a\n", { known })).toEqual([2, 3, 2, 0]);
    expect(await four("2,0,1\n", { known: ["a", "b", "c"] })).toEqual([2, 0, 2, 1]);
    expect((await readComparisons("2,0,1\n", { known: ["a", "b", "c"] })).names).toEqual(["a", "b", "c"]);
    expect(await four("2,1,3\n", { known: ["3", "2", "1"] })).toEqual([1, 2, 1, 0]);
    const { comparisons } = await readComparisons("0,1,2\n", { known: 9 });
    expect(comparisons.objects).toBe(9);
  });
});

describe("repetitions", () => {
  test("are kept and counted; a question is the same whatever order its pairs have", async () => {
    const table = await readComparisons("0,1,0,2\n1,0,0,2\n0,2,1,0\n2,0,1,0\n3,1,3,2\n3,2,3,1\n");
    expect(table.comparisons.quadruplets).toHaveLength(24);
    expect(table).toMatchObject({ duplicates: 2, contradictions: 2 });
  });

  test("agree with counting by words, on random comparisons", async () => {
    const triplet = fc.uniqueArray(fc.nat({ max: 4 }), { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(triplet, { minLength: 1, maxLength: 60 }), async (triplets) => {
        const { duplicates, contradictions } = await readComparisons(
          triplets.map((t) => t.join(",")).join("\n"),
        );
        const answers = new Set(triplets.map(String));
        const reverses = [...answers].filter((answer) => {
          const [i, j, k] = answer.split(",");
          return answers.has(`${i},${k},${j}`);
        });
        expect(duplicates).toBe(triplets.length - answers.size);
        expect(contradictions).toBe(reverses.length / 2);
      }),
    );
  });

  test("lines that compare what is the same are dropped if asked, and their weights with them", async () => {
    const source = "i,j,k,weight\n0,1,2,5\n3,3,1,6\n3,1,3,7\n2,1,1,8\n2,1,0,9\n";
    const table = await readComparisons(source, { degenerate: "drop" });
    expect(Array.from(table.comparisons.quadruplets)).toEqual([0, 1, 0, 2, 2, 1, 2, 0]);
    expect(table).toMatchObject({ dropped: 3, lines: Int32Array.of(2, 6) });
    expect(table.comparisons.weights).toEqual(Float64Array.of(5, 9));
  });
});

describe("errors name the line", () => {
  test.each<[string, string, ComparisonsOptions?]>([
    ["", "The input is empty. Give at least one comparison."],
    ["\n \n", "The input is empty."],
    ["i,j,k\n", "The input has a header and no lines of data."],
    ["0,1,2\n3,3,1\n", "Line 2 compares the distance of 3 to itself."],
    ["0,1,2\n3,1,3\n", "Line 2 compares the distance of 3 to itself."],
    ["a,b,c\na,b,b\n", 'Line 2 compares the pair "a", "b" with itself.'],
    ["0,1,1,0\n", "Line 1 compares the pair 0, 1 with itself."],
    ["0,1,2\n0,1\n", "Line 2 has 2 cells, the others have 3."],
    ["0,1\n", "Line 1 has 2 columns. Without a header there must be three"],
    ["0,1,2,3,4\n", "Line 1 has 5 columns."],
    ["i,j,k\n0,1,-1\n", 'The cell at line 2, column 3 is "-1", which cannot be an object\'s index'],
    ["0,1,2\n0,1.5,2\n", 'The cell at line 2, column 2 is "1.5", which cannot be an object\'s index'],
    [
      "0,1,2147483648\n",
      '"2147483648", which cannot be an object\'s index: it must be a whole number from 0 to',
    ],
    ["0,1,2000000000\n", "The cell at line 1, column 3 is 2000000000, but only 3 objects occur."],
    ["0,1,2\n0,NaN,2\n", 'The cell at line 2, column 2 is "NaN", which names no object.'],
    ["a,b,c\na,n/a,c\n", 'The cell at line 2, column 2 is "n/a", which names no object.'],
    ["0,1,2\n0,,2\n", "The cell at line 2, column 2 is empty."],
    ["0,1,x\n", 'The cell at line 1, column 3 is "x", which is no number', { objects: "indices" }],
    ["object,near,far\na,b,c\n", "Line 1 names the columns near and far, but none is called anchor."],
    ["Winner,other,HEAD\na,b,c\n", "Line 1 names the columns head and winner, but none is called loser."],
    ["a,b,c\n0,1,2\n3,2,1\n", 'Line 1 ("a", "b", "c") seems to name the columns, but not as i, j, k'],
    ["i,j,k,i\n0,1,2,3\n", 'Line 1 names two columns "i".'],
    ["i,j,k,weight,count\n0,1,2,3,4\n", "Line 1 names more than one column of weights."],
    ["i,j,k,weight\n0,1,2,-1\n", "The weight at line 2, column 4 is -1."],
    ["i,j,k,weight\n0,1,2,x\n", 'The cell at line 2, column 4 is "x", which is not a number.'],
    ["i,j,k,weight\n0,1,2,inf\n", 'The cell at line 2, column 4 is "inf", which is not a finite number.'],
    ["i,j,k,weight\n0,1,2,0\n", "All weights are 0."],
    [
      "Rome,Pariss,Lyons\n",
      'line 1, column 2 is "Pariss", which is none of the 3 objects. Did you mean "Paris"?',
      { known: ["Rome", "Paris", "Lyons"] },
    ],
    ["0,1,3\n", "it must be a whole number from 0 to 2, since there are 3 objects", { known: 3 }],
    ["1,1,2\n", "All lines compare an object, or a pair, with itself.", { degenerate: "drop" }],
    ['0,1,"2\n', "never closes the quote that it opens on line 1"],
    ["0,1,2\0", "has a NUL byte"],
  ])("%j: %s", async (source, sentence, options) => {
    expect((await failure(readComparisons(source, options))).message).toContain(sentence);
  });

  test.each<ComparisonsOptions>([
    { known: [] },
    { known: ["a", "a"] },
    { known: 0 },
    { known: 1.5 },
    { delimiter: "ab" },
  ])("options: %j", async (options) => {
    expect((await failure(readComparisons("0,1,2", options))).code).toBe("ERR_OPTION");
  });
});

describe("laws", () => {
  const nearly = fc
    .array(
      fc.constantFrom(
        "i",
        "j",
        "k",
        "l",
        "weight",
        "0",
        "1",
        "2",
        "7",
        "-1",
        "1.5",
        "a",
        "é",
        "NaN",
        ",",
        ",",
        "\t",
        " ",
        '"',
        "\n",
        "\r\n",
        "\0",
        "1e999",
      ),
      { maxLength: 40 },
    )
    .map((parts) => encoded(parts.join("")));

  test("any bytes, cut anywhere: the same result, or the same CurvatureError", async () => {
    const bytes = fc.oneof(nearly, fc.uint8Array({ maxLength: 60 }));
    const degenerate = fc.constantFrom("drop", "error");
    const objects = fc.constantFrom("auto", "indices", "names");
    await fc.assert(
      fc.asyncProperty(
        bytes,
        fc.array(fc.nat(), { maxLength: 6 }),
        degenerate,
        objects,
        async (all, places, d, o) => {
          const options: ComparisonsOptions = { degenerate: d, objects: o };
          const whole = await outcome(readComparisons(all, options));
          expect(await outcome(readComparisons(cut(all, places), options))).toEqual(whole);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("what is read obeys its own description", async () => {
    await fc.assert(
      fc.asyncProperty(nearly, async (all) => {
        const table = await readComparisons(all, { degenerate: "drop" }).catch(() => undefined);
        if (table === undefined) return;
        const { objects, quadruplets, weights } = table.comparisons;
        const count = table.lines.length;
        expect(quadruplets).toHaveLength(4 * count);
        expect(weights === undefined || weights.length === count).toBe(true);
        expect(table.names === undefined || table.names.length === objects).toBe(true);
        expect(quadruplets.every((index) => index >= 0 && index < objects)).toBe(true);
        for (let q = 0; q < count; q++) {
          const [i, j, l, k] = quadruplets.subarray(4 * q, 4 * q + 4);
          expect(i !== j && l !== k && !(i === l && j === k) && !(i === k && j === l)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("gzip is expanded", async () => {
    const { comparisons } = await readComparisons(gzipSync("i,j,k\n0,1,2\n"));
    expect(Array.from(comparisons.quadruplets)).toEqual([0, 1, 0, 2]);
  });
});
