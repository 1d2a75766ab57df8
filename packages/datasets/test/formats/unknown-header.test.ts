/** First lines of comparisons that may be headers of unknown words, or answers. */
import { type ComparisonsOptions, readComparisons } from "@curvature/datasets";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { failure } from "./support.js";

const few = "Rome,Milan,Paris\nMilan,Rome,Lyons\nParis,Lyons,Rome\n";
const answers = few.repeat(4);

describe("is refused", () => {
  test.each<[string, string, string, ComparisonsOptions?]>([
    ["words above names", `city,closer,farther\n${answers}`, "i, j, k"],
    ["words above names in four columns", `p,q,r,s\n${"a,b,c,d\na,c,b,d\n".repeat(5)}`, "i, j, l, k"],
    [
      "words that stand above two files",
      `city,closer,farther\n${answers}city,closer,farther\n${answers}`,
      "i, j, k",
    ],
    ["words above numbers, twice", "a,b,c\n0,1,2\na,b,c\n2,1,0\n", "i, j, k"],
    ["words above answers of which one is alone", `a,b,c\n${answers}${answers}d,e,f\n`, "i, j, k"],
    ["words above numbers", "a,b,c\n0,1,2\n", "i, j, k"],
    ["words above numbers that are names", "a,b,c\n1998,2001,2007\n", "i, j, k", { objects: "names" }],
    ["words above names of which some are numbers", `a,b,c\n${"x,1,2\n1,x,2\n".repeat(5)}`, "i, j, k"],
    ["words below blank lines", `\n \na,b,c\n${answers}`, "i, j, k"],
  ])("%s", async (_, source, header, options) => {
    const { code, message } = await failure(readComparisons(source, options));
    expect(code).toBe("ERR_PARSE");
    expect(message).toMatch(/^Line [13] \("\w+", .*\) seems to name the columns, but not as i, j, k \(or /);
    expect(message).toMatch(
      new RegExp(`: its words never come again\\. Rename them, .* put a header above it: ${header}\\.$`),
    );
  });

  test("and no longer with such a header above it, or with one whose names are known", async () => {
    const above = await readComparisons(`i,j,k\ncity,closer,farther\n${answers}`);
    expect(above.lines).toHaveLength(13);
    const renamed = await readComparisons(`anchor,near,far\n${answers}`);
    expect(renamed.lines).toHaveLength(12);
  });
});

describe("is an answer", () => {
  test.each<[string, string, ComparisonsOptions?]>([
    ["of words that all come again", "a,b,c\nb,a,c\n"],
    ["of words of which one comes again", `a,b,Rome\n${answers}`],
    ["of words of which one comes again among numbers", "a,b,c\n0,1,a\n"],
    ["that is the only line", "a,b,c\n"],
    ["beside another whose words never come again", `a,b,c\n${answers}d,e,f\n`],
    ["of words that never come again above few answers", `a,b,c\n${few}`],
    ["that has a word twice", "a,b,a,c\np,q,r,s\np,r,q,s\n"],
    ["that has a number", `a,b,7\n${answers}`],
    ["if header is false", `a,b,c\n${answers}`, { header: false }],
    ["of known objects", `a,b,c\n${answers}`, { known: ["a", "b", "c", "Rome", "Milan", "Paris", "Lyons"] }],
  ])("%s", async (_, source, options) => {
    const { lines, names } = await readComparisons(source, options);
    expect(lines).toHaveLength(source.trim().split("\n").length);
    expect(names).toEqual(expect.arrayContaining(["a", "b"]));
  });

  test("or a header if header is true", async () => {
    const { lines } = await readComparisons(`a,b,c\n${few}`, { header: true });
    expect(lines).toEqual(Int32Array.of(2, 3, 4));
  });

  test.each([
    ["few answers", `a,b,c\n${few}`, 1],
    ["one answer", "a,b,c\nd,e,f\n", 1],
    ["answers of which some are alone", `a,b,c\n${answers}d,e,f\n`, 1],
    ["nothing", "a,b,c\n", 0],
    ["nothing but itself", "a,b,c\na,b,c\n", 0],
    ["one that shares a word", "a,b,c\nc,d,e\n", 0],
  ])("which is doubted above %s: %s", async (_, source, count) => {
    const { warnings } = await readComparisons(source);
    expect(warnings).toHaveLength(count);
    for (const warning of warnings)
      expect(warning).toMatch(
        /^Line 1 \("a", "b", "c"\) is taken for an answer, but may name the columns: its words never come again\. If it does, name them i, j, k \(or .*\.$/,
      );
  });
});

test("no line is left out: as many answers as lines, an error or a doubt where the first line's words are its own", async () => {
  const triplet = fc.uniqueArray(fc.constantFrom(..."abcdefghijklm"), { minLength: 3, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(triplet, { minLength: 1, maxLength: 14 }), async (triplets) => {
      const source = `${triplets.map((words) => words.map((word) => `x${word}`).join(",")).join("\n")}\n`;
      const others = triplets.filter((words) => words.join() !== triplets[0].join());
      const isOwn = !others.some((words) => words.some((word) => triplets[0].includes(word)));
      const isAlone = (q: number): boolean =>
        others.every((words, other) => other === q || !words.some((word) => others[q].includes(word)));
      const isHeader = isOwn && others.length >= 10 && !others.some((_, q) => isAlone(q));
      const read = readComparisons(source);
      if (isHeader) {
        expect((await failure(read)).message).toContain("seems to name the columns");
        return;
      }
      const { lines, warnings } = await read;
      expect(lines).toHaveLength(triplets.length);
      expect(warnings.length).toBe(isOwn && others.length > 0 ? 1 : 0);
    }),
    { numRuns: 500 },
  );
});

test("a header that comes again is an error that names both lines, and an answer of its words is none without it", async () => {
  for (const header of ["i,j,k", "anchor,near,far", "near,id,anchor,far"]) {
    const rows = header.split(",").length === 3 ? "a,b,c\nb,a,c\n" : "a,1,b,c\nb,2,a,c\n";
    const { code, message } = await failure(readComparisons(`${header}\n${rows}${header}\n${rows}`));
    expect([code, message]).toEqual([
      "ERR_PARSE",
      expect.stringMatching(/^Line 4 repeats the header of line 1\. Remove it; if it is an answer, /),
    ]);
  }
  const { names } = await readComparisons("anchor,near,far\ni,j,k\nj,i,k\n");
  expect(names).toEqual(["i", "j", "k"]);
});
